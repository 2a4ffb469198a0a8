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

  /// The commands that have subcommands.
  var headings: [Command] { tool.commands.filter { !$0.subcommands.isEmpty } }

  /// The names of commands.
  func names(of commands: [Command]) -> String { commands.map(\.name).joined(separator: " ") }
}
