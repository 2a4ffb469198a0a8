/// A variable of the environment that the tool heeds. It sees no other.
struct EnvironmentVariable: Sendable {
  let name: String
  /// What it does, for the manual.
  let summary: String

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS", summary: "The width of help and listings, instead of that of the terminal."),
    EnvironmentVariable(
      name: "HOME", summary: "Where .local/share and .config are, if XDG variables say nothing."),
    EnvironmentVariable(name: "NO_COLOR", summary: "No colour where this is set and not empty."),
    EnvironmentVariable(name: "TERM", summary: "No colour where this is dumb."),
    EnvironmentVariable(
      name: "XDG_CONFIG_DIRS", summary: "Folders of the system with settings of desktops."),
    EnvironmentVariable(
      name: "XDG_CONFIG_HOME", summary: "The folder of the user with settings of the desktop."),
    EnvironmentVariable(
      name: "XDG_CURRENT_DESKTOP", summary: "The desktop whose settings come before others."),
    EnvironmentVariable(
      name: "XDG_DATA_DIRS",
      summary: "Folders of the system with templates, MIME types and programs, colons between them."),
    EnvironmentVariable(
      name: "XDG_DATA_HOME",
      summary: "The folder of the user with templates, MIME types and programs."),
  ]
}
