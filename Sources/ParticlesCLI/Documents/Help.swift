/// The help screens that `--help` prints.
struct Help {
  let tool: Tool
  let width: Int
  var wording = Wording.english

  /// The column of descriptions.
  private static let column = 26

  /// The line length: the width of the terminal, at least 50 and at most 120.
  private var measure: Int { min(max(width, 50), 120) }

  /// The screen of a command, or that of the tool.
  func screen(of command: Command?) -> String { command.map(screen) ?? screen() }

  private func screen() -> String {
    let groups = Command.Group.allCases.map { group in
      section("\(group.rawValue.uppercased()) SUBCOMMANDS") {
        tool.commands.filter { $0.group == group }.map { item($0.name, wording.text($0.summary)) }
      }
    }
    let usage = "\(wording.text("USAGE")): \(tool.name) <command> [<options>] [<arguments>]\n"
    let more = wording.text("See '\(tool.name) help <command>' for the help of a command.")
    return
      ([overview(tool.summary, tool.discussion), usage, options([.version] + Option.everywhere)]
      + groups + ["\(more)\n"])
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func screen(_ command: Command) -> String {
    let more = wording.text(
      "See '\(tool.name) help \(command.path) <subcommand>' for the help of a subcommand.")
    return [
      overview(command.summary, command.discussion),
      "\(wording.text("USAGE")): \(tool.name) \(command.usage)\n",
      section("SUBCOMMANDS") {
        command.subcommands.map { item($0.name, wording.text($0.summary)) }
      },
      section("EXAMPLES") {
        command.examples.map {
          "  \($0.commandLine)\n" + filled(wording.text($0.summary), indent: 6)
        }
      },
      section("ARGUMENTS") {
        command.arguments.map { item($0.parameter.label, $0.description(wording)) }
      },
      options(command.allOptions),
      command.subcommands.isEmpty ? "" : "\(more)\n",
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func options(_ options: [Option]) -> String {
    section("OPTIONS") { options.map { item($0.label, $0.description(wording)) } }
  }

  private func overview(_ summary: String, _ discussion: String) -> String {
    let paragraphs = discussion.paragraphs.map { filled(wording.text($0), indent: 0) }
    let first = filled("\(wording.text("OVERVIEW")): \(wording.text(summary))", indent: 0)
    return ([first] + paragraphs).joined(separator: "\n")
  }

  /// A heading and its items; empty if there are none.
  private func section(_ heading: String, _ items: () -> [String]) -> String {
    let text = items().joined()
    return text.isEmpty ? "" : "\(wording.text(heading)):\n\(text)"
  }

  /// A label, and its description in the second column.
  private func item(_ label: String, _ description: String) -> String {
    let text = filled(description, indent: Self.column)
    let label = "  \(label)"
    guard !text.isEmpty else { return "\(label)\n" }
    guard label.count < Self.column else { return "\(label)\n\(text)" }
    return label + text.dropFirst(label.count)
  }

  private func filled(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return text.wrapped(to: measure - indent).map { "\(margin)\($0)\n" }.joined()
  }
}
