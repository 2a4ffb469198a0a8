/// A variable of the environment that the tool heeds. It sees no other.
struct EnvironmentVariable: Sendable {
  let name: String
  /// What it does, for the manual.
  let summary: String

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS", summary: "The width of help and listings, instead of that of the terminal."),
    EnvironmentVariable(
      name: "HOME", summary: "Where .local/share with templates is, if XDG_DATA_HOME is not set."),
    EnvironmentVariable(name: "NO_COLOR", summary: "No colour where this is set and not empty."),
    EnvironmentVariable(name: "TERM", summary: "No colour where this is dumb."),
    EnvironmentVariable(
      name: "XDG_DATA_DIRS",
      summary: "Folders of the system with particles/templates in them, with colons between them."),
    EnvironmentVariable(
      name: "XDG_DATA_HOME", summary: "The folder of the user with particles/templates in it."),
  ]
}
