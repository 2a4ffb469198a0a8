/// A variable of the environment that the tool heeds. It sees no other.
struct EnvironmentVariable: Sendable {
  let name: String
  /// What it does, for the manual.
  let summary: String

  static let all = [
    EnvironmentVariable(
      name: "COLUMNS", summary: "The width of help and listings, instead of that of the terminal."),
    EnvironmentVariable(name: "NO_COLOR", summary: "No colour where this is set and not empty."),
    EnvironmentVariable(name: "TERM", summary: "No colour where this is dumb."),
  ]
}
