/// The reference of all commands, options and statuses in Markdown: the generated part of
/// `Spec/cli.md`.
struct CommandReference {
  let tool: Tool

  var text: String {
    let groups = Command.Group.allCases.map { group in
      let commands = tool.commands.filter { $0.group == group }
      return commands.isEmpty
        ? [] : ["## \(group.rawValue)"] + commands.flatMap(\.withSubcommands).flatMap(section)
    }
    let blocks =
      groups.flatMap(\.self)
      + ["## Options of every command", table(Option.everywhere)]
      + ["Without a command:", table([.version])]
      + ["## Exit status", statuses, "## Environment", variables]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func section(_ command: Command) -> [String] {
    var blocks = [
      "### \(command.path)", Self.text(command.summary),
      "```\n\(tool.name) \(command.usage)\n```",
    ]
    blocks += command.discussion.paragraphs.map(Self.text)
    if !command.subcommands.isEmpty {
      blocks.append(
        table("Subcommand", command.subcommands.map { ("`\($0.path)`", $0.summary) }))
    }
    if !command.arguments.isEmpty {
      blocks.append(
        table("Argument", command.arguments.map { ("`\($0.usage)`", $0.description()) }))
    }
    if !command.options.isEmpty { blocks.append(table(command.options)) }
    if !command.examples.isEmpty {
      let lines = command.examples.map { "# \($0.summary)\n\($0.commandLine)" }
      blocks.append("```sh\n\(lines.joined(separator: "\n"))\n```")
    }
    return blocks
  }

  private var statuses: String {
    table("Status", ExitStatus.allCases.map { ("\($0.rawValue)", $0.summary) })
  }

  private var variables: String {
    table("Variable", EnvironmentVariable.all.map { ("`\($0.name)`", $0.summary) })
  }

  private func table(_ options: [Option]) -> String {
    table("Option", options.map { ("`\($0.label)`", $0.description()) })
  }

  private func table(_ heading: String, _ rows: [(String, String)]) -> String {
    (["| \(heading) | Meaning |", "|---|---|"]
      + rows.map { "| \(Self.cell($0)) | \(Self.cell(Self.text($1))) |" })
      .joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String { text.writing(["|": "\\|"]) }

  /// Text with all markup characters escaped.
  private static func text(_ text: String) -> String {
    text.writing([
      "\\": "\\\\", "`": "\\`", "*": "\\*", "_": "\\_", "<": "\\<", ">": "\\>", "[": "\\[",
      "]": "\\]",
    ])
  }
}
