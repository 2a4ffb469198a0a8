/// The completion scripts for shells.
struct Completions {
  /// A shell with completions.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let tool: Tool

  func text(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The options that are used without a command.
  var toolOptions: [Option] { [.version] + Option.everywhere }

  /// The words that are proposed for a parameter.
  func words(for parameter: Parameter) -> [String] {
    if case .command = parameter.kind { tool.commands.map(\.name) } else { parameter.proposals }
  }
}
