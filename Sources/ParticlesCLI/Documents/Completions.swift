/// What a shell needs to complete a command line.
struct Completions {
  /// A shell that we write completions for.
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

  /// The options that stand without a command.
  var toolOptions: [Option] { [.version] + Option.everywhere }

  /// What may be typed for a parameter, as far as it is a matter of words.
  func words(for parameter: Parameter) -> [String] {
    if case .command = parameter.kind { tool.commands.map(\.name) } else { parameter.proposals }
  }
}
