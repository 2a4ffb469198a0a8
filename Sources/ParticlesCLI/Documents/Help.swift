/// The help screens that `--help` prints.
struct Help {
  let tool: Tool
  let width: Int
  var wording = Wording.english
  /// Whether the prose of the manual page follows.
  var isLong = false

  /// The column of descriptions.
  private static let column = 26

  /// The line length: the width of the terminal, at least 50 and at most 120.
  private var measure: Int { min(max(width, 50), 120) }

  /// The screen of a command, or that of the tool.
  func screen(of command: Command?) -> String { command.map(screen) ?? screen() }

  /// Lines that one would type, then the commands. Manual pages have the prose.
  private func screen() -> String {
    let groups = Command.Group.allCases.map { group in
      section("\(group.rawValue.uppercased()) SUBCOMMANDS") {
        tool.commands.filter { $0.group == group }.map { item($0.name, wording.text($0.summary)) }
      }
    }
    let usage = "\(wording.text("USAGE")): \(tool.name) <command> [<options>] [<arguments>]\n"
    let more = wording.text("See '\(tool.name) help <command>' for the help of a command.")
    return
      ([overview(tool.summary), examples(tool.examples), usage] + groups
      + [options([.version] + Option.everywhere), "\(more)\n"])
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Examples, arguments and options of a command. Options of every command are in the screen of the tool.
  private func screen(_ command: Command) -> String {
    let more = wording.text(
      "See '\(tool.name) help \(command.path) <subcommand>' for the help of a subcommand.")
    let common = wording.text("See '\(tool.name) help' for --quiet, --verbose, --color and --help.")
    let page = command.path.prefix { $0 != " " }
    let manual = wording.text(
      "See '\(tool.name) help --verbose \(command.path)' or 'man \(tool.name)-\(page)' for more.")
    return [
      overview(command.summary),
      examples(command.examples),
      "\(wording.text("USAGE")): \(tool.name) \(command.usage)\n",
      section("SUBCOMMANDS") {
        command.subcommands.map { item($0.name, wording.text($0.summary)) }
      },
      section("ARGUMENTS") {
        command.arguments.map { item($0.parameter.label, $0.description(wording)) }
      },
      options(command.options),
      isLong
        ? command.discussion.paragraphs.map { filled(wording.text($0), indent: 0) }
          .joined(separator: "\n") : "",
      [
        common, isLong || command.discussion.isEmpty ? "" : manual,
        command.subcommands.isEmpty ? "" : more,
      ].filter { !$0.isEmpty }.map { filled($0, indent: 0) }.joined(),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func examples(_ examples: [Example]) -> String {
    section("EXAMPLES") {
      examples.map { "  \($0.commandLine)\n" + filled(wording.text($0.summary), indent: 6) }
    }
  }

  private func options(_ options: [Option]) -> String {
    section("OPTIONS") { options.map { item($0.label, $0.description(wording)) } }
  }

  private func overview(_ summary: String) -> String {
    summary.isEmpty ? "" : filled(wording.text(summary), indent: 0)
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
