/// A variable of the environment that the tool reads. It reads no other.
struct EnvironmentVariable: Sendable {
  let name: String
  /// Its effect, for the manual.
  let summary: String

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS", summary: "The width of help and listings, instead of that of the terminal."),
    EnvironmentVariable(
      name: "HOME",
      summary:
        "The folder of .local/share, .config and .cache, used if the XDG variables are not set."),
    EnvironmentVariable(
      name: "LANG",
      summary: "The locale of messages and help, such as de_DE.UTF-8; see LC_ALL."),
    EnvironmentVariable(
      name: "LANGUAGE",
      summary: "The languages of messages and help, the preferred one first, separated by colons."),
    EnvironmentVariable(
      name: "LC_ALL", summary: "The locale, instead of that of LC_MESSAGES and LANG."),
    EnvironmentVariable(
      name: "LC_MESSAGES", summary: "The locale of messages and help, instead of that of LANG."),
    EnvironmentVariable(name: "NO_COLOR", summary: "Disables colour if it is set and not empty."),
    EnvironmentVariable(
      name: "PATH", summary: "Folders with the programs of this machine, separated by colons."
    ),
    EnvironmentVariable(name: "TERM", summary: "Disables colour and progress bars if it is dumb."),
    EnvironmentVariable(
      name: "XDG_CACHE_HOME",
      summary: "The user's folder with the index and the pages that 'show' opens."),
    EnvironmentVariable(
      name: "XDG_CONFIG_DIRS", summary: "System folders with desktop settings, separated by colons."
    ),
    EnvironmentVariable(
      name: "XDG_CONFIG_HOME", summary: "The user's folder with desktop settings."),
    EnvironmentVariable(
      name: "XDG_CURRENT_DESKTOP", summary: "The desktop whose settings take precedence."),
    EnvironmentVariable(
      name: "XDG_DATA_DIRS",
      summary: "System folders with templates, MIME types and programs, separated by colons."
    ),
    EnvironmentVariable(
      name: "XDG_DATA_HOME",
      summary: "The user's folder with templates, versions, MIME types and programs."),
    EnvironmentVariable(
      name: "XDG_RUNTIME_DIR",
      summary: "The folder for records of open documents and of the running browser."),
    EnvironmentVariable(
      name: "XDG_STATE_HOME",
      summary: "The folder in which earlier versions kept the session of the browser."),
  ]
}
