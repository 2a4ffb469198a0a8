internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects

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

  /// The screen of a command, or of the tool if `command` is nil.
  func screen(of command: Command?) -> String { command.map(screen) ?? screen() }

  /// Examples of command lines, then the commands. Manual pages have the prose.
  private func screen() -> String {
    let groups = Command.Group.allCases.map { group in
      section("\(group.rawValue.uppercased()) SUBCOMMANDS") {
        tool.commands.filter { $0.group == group }.map {
          item($0.name, wording.help([$0.path], $0.summary))
        }
      }
    }
    let usage = "\(wording.text("USAGE")): \(tool.name) <command> [<options>] [<arguments>]\n"
    let more = wording.text("See '\(tool.name) help <command>' for the help of a command.")
    return
      ([overview(tool.summary, tool.name), examples(tool.examples, tool.name), usage] + groups
      + [options([.version] + Option.everywhere, of: ""), "\(more)\n"])
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
      overview(command.summary, command.path),
      examples(command.examples, command.path),
      "\(wording.text("USAGE")): \(tool.name) \(command.usage)\n",
      section("SUBCOMMANDS") {
        command.subcommands.map { item($0.name, wording.help([$0.path], $0.summary)) }
      },
      section("ARGUMENTS") {
        command.arguments.map {
          item($0.parameter.label, $0.description(wording, of: command.path))
        }
      },
      options(command.options, of: command.path),
      isLong
        ? command.discussion.paragraphs.map { filled($0, indent: 0) }
          .joined(separator: "\n") : "",
      [
        common, isLong || command.discussion.isEmpty ? "" : manual,
        command.subcommands.isEmpty ? "" : more,
      ].filter { !$0.isEmpty }.map { filled($0, indent: 0) }.joined(),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func examples(_ examples: [Example], _ path: String) -> String {
    section("EXAMPLES") {
      examples.enumerated().map { index, example in
        let summary = wording.help(["\(path).\(index + 1)"], example.summary)
        return "  \(example.commandLine)\n" + filled(summary, indent: 6)
      }
    }
  }

  private func options(_ options: [Option], of path: String) -> String {
    section("OPTIONS") { options.map { item($0.label, $0.description(wording, of: path)) } }
  }

  private func overview(_ summary: String, _ path: String) -> String {
    summary.isEmpty ? "" : filled(wording.help([path], summary), indent: 0)
  }

  /// A heading and its items. Empty without items.
  private func section(_ heading: String, _ items: () -> [String]) -> String {
    let text = items().joined()
    return text.isEmpty ? "" : "\(wording.word(heading)):\n\(text)"
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

/// The man pages in the mdoc language: one of the tool, and one of each command.
struct Manual {
  let tool: Tool

  /// The page of the tool, with a list of the commands.
  var text: String {
    let parts: [[String]] = [
      header(tool.name, tool.summary), synopsis, description, commands, options, statuses,
      environment, examples(tool.commands.compactMap { $0.allExamples.first }),
      seeAlso(tool.commands.map { "\(tool.name)-\($0.name)" } + ["tar"]),
    ]
    return parts.flatMap(\.self).joined(separator: "\n") + "\n"
  }

  /// The page of a command and its subcommands.
  func text(of command: Command) -> String {
    let others = tool.commands.filter { $0.group == command.group && $0.name != command.name }
    let parts: [[String]] = [
      header("\(tool.name)-\(command.name)", command.summary), synopsis(of: command),
      [".Sh DESCRIPTION"] + Self.text([command.summary] + command.discussion.paragraphs),
      arguments(of: command), subcommands(of: command), statuses, examples(command.allExamples),
      seeAlso([tool.name] + others.map { "\(tool.name)-\($0.name)" }),
    ]
    return parts.flatMap(\.self).joined(separator: "\n") + "\n"
  }

  private func header(_ name: String, _ summary: String) -> [String] {
    [
      ".\\\" Generated from the list of commands.",
      ".Dd \(tool.date)", ".Dt \(name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(Self.word(name))", ".Nd \(Self.line(summary))",
    ]
  }

  private var synopsis: [String] {
    [
      ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options", ".Op Ar arguments",
      ".Nm", ".Cm help", ".Op Ar command",
    ]
  }

  private func synopsis(of command: Command) -> [String] {
    let commands = command.subcommands.isEmpty ? [command] : command.subcommands
    return [".Sh SYNOPSIS"]
      + commands.flatMap { command in
        let words = ["Cm \(Self.words(command.path))", "Oo Ar options Oc"]
        return [
          ".Nm \(tool.name)",
          "." + (words + command.arguments.map(Self.usage)).joined(separator: " "),
        ]
      }
  }

  private var description: [String] {
    let paragraphs = tool.discussion.isEmpty ? [tool.summary] : tool.discussion.paragraphs
    return [".Sh DESCRIPTION"] + Self.text(paragraphs) + [
      ".Pp",
      "Options and arguments may be in any order. Every word after",
      ".Fl Fl", "is an argument, and", ".Ar -",
      "means standard input or standard output.",
    ]
  }

  private var commands: [String] {
    let groups = Command.Group.allCases.flatMap { group in
      let commands = tool.commands.filter { $0.group == group }
      return commands.isEmpty
        ? []
        : [".Ss \(group.rawValue)", ".Bl -tag -width Ds"]
          + commands.flatMap { [".It Cm \(Self.word($0.name))", Self.line($0.summary)] } + [".El"]
    }
    return [".Sh COMMANDS", "Each command has a page of its own, such as"]
      + tool.commands.prefix(1).map { ".Xr \(tool.name)-\($0.name) 1 ." } + groups
  }

  private func arguments(of command: Command) -> [String] {
    guard command.subcommands.isEmpty else { return [] }
    let arguments = command.arguments.flatMap {
      [".It Ar \(Self.word($0.name))", Self.line($0.description())]
    }
    return [".Sh OPTIONS", ".Bl -tag -width Ds"] + arguments
      + command.allOptions.flatMap(Self.item) + [".El"]
  }

  private func subcommands(of command: Command) -> [String] {
    guard !command.subcommands.isEmpty else { return [] }
    return [".Sh SUBCOMMANDS", ".Bl -tag -width Ds"] + command.subcommands.flatMap(item)
      + [".El", ".Sh OPTIONS", "Every command has these:", ".Bl -tag -width Ds"]
      + Option.everywhere.flatMap(Self.item) + [".El"]
  }

  private func item(_ command: Command) -> [String] {
    let arguments = command.arguments.map(Self.usage)
    let tag = ["Cm \(Self.words(command.path))", "Oo Ar options Oc"] + arguments
    var lines = [".It " + tag.joined(separator: " ")]
    lines += Self.text([command.summary] + command.discussion.paragraphs)
    let items =
      command.arguments.map { [".It Ar \(Self.word($0.name))", Self.line($0.description())] }
      + command.options.map(Self.item)
    if !items.isEmpty {
      lines += [".Pp", ".Bl -tag -width Ds -compact"] + items.flatMap(\.self) + [".El"]
    }
    return lines
  }

  private var options: [String] {
    [".Sh OPTIONS", "Every command has these:", ".Bl -tag -width Ds"]
      + Option.everywhere.flatMap(Self.item) + [".El", ".Pp", "Without a command:"]
      + [".Bl -tag -width Ds"] + Self.item(.version) + [".El"]
  }

  private var statuses: [String] {
    [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
      + ExitStatus.allCases.flatMap { [".It \($0.rawValue)", Self.line($0.summary)] }
      + [".El", ".Pp", "With several inputs, the worst status counts."]
  }

  private var environment: [String] {
    [".Sh ENVIRONMENT", ".Bl -tag -width NO_COLOR"]
      + EnvironmentVariable.all.flatMap { [".It Ev \($0.name)", Self.line($0.summary)] }
      + [".El"]
  }

  private func examples(_ examples: [Example]) -> [String] {
    let lines = examples.flatMap { example in
      [
        Self.line(example.summary), ".Bd -literal -offset indent",
        Self.line(example.commandLine), ".Ed", ".Pp",
      ]
    }
    return lines.isEmpty ? [] : [".Sh EXAMPLES"] + lines.dropLast()
  }

  private func seeAlso(_ pages: [String]) -> [String] {
    let lines = pages.map { ".Xr \(Self.word($0)) 1" }
    return [".Sh SEE ALSO"] + lines.dropLast().map { "\($0) ," } + lines.suffix(1)
  }
}

extension Command {
  /// The examples of the command and its subcommands.
  fileprivate var allExamples: [Example] { withSubcommands.flatMap(\.examples) }
}

extension Manual {
  private static func text(_ paragraphs: [String]) -> [String] {
    Array(paragraphs.map { [line($0)] }.joined(separator: [".Pp"]))
  }

  private static func usage(_ argument: Argument) -> String {
    let name = "Ar \(word(argument.name))"
    return switch argument.arity {
    case .one: name
    case .optional: "Oo \(name) Oc"
    case .oneOrMore: "\(name) Ar ..."
    case .any: "Oo \(name) Ar ... Oc"
    }
  }

  private static func item(_ option: Option) -> [String] {
    let short = option.short.map { "Fl \($0) , " } ?? ""
    let value = option.parameter.map { " Ar \(word($0.name))" } ?? ""
    return [".It \(short)Fl Fl \(word(option.name))\(value)", line(option.description())]
  }

  /// A line of text, escaped so that it is not a request and that its dashes can be copied.
  private static func line(_ text: String) -> String {
    let escaped = text.writing(["\\": "\\e", "-": "\\-"])
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
  }

  /// The words of a command, each escaped.
  private static func words(_ text: String) -> String {
    text.split(separator: " ").map { word(String($0)) }.joined(separator: " ")
  }

  /// A word, escaped so that it is not the name of a macro.
  private static func word(_ text: String) -> String { "\\&\(line(text))" }
}

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

/// Words that depend on files or folders. Completion scripts get them from the tool with
/// `help --candidates`.
public enum Lookup: String, Sendable, CaseIterable {
  /// The commands.
  case commands
  /// The built-in templates, and the templates of the user and of the system.
  case templates
  /// The keys that `edit` can set, with the index 0 for elements of arrays.
  case keys
  /// The entries of the package that the command line names.
  case entries
  /// The codes of the rules.
  case rules
  /// The entries of the recovery journal.
  case recovery
  /// The names of all formats.
  case formats
  /// The values of `convert --to`: names of formats that can be written, and `original`.
  case targets
}

extension Invocation {
  /// The words of a lookup, without control characters. A lookup that fails has none.
  /// - Parameter words: the words of the command line after the command.
  func candidates(_ lookup: Lookup, _ words: [String]) -> [String] {
    let found: [String]
    switch lookup {
    case .commands: found = tool.commands.map(\.name)
    case .templates: found = ((try? templates.entries()) ?? []).map(\.name)
    case .keys: found = SettableKey.all("").map { $0.key.writing(["]": "0]"]) }
    case .formats: found = FormatRow.all.map(\.name)
    case .targets: found = ConversionTarget.words
    case .rules: found = Rule.all.map(\.code)
    case .recovery:
      let entries = try? RecoveryStore(environment: environment).entries()
      found = (entries ?? []).map(\.identifier)
    case .entries:
      let file = words.first { !$0.hasPrefix("-") && !$0.isEmpty }
      found = file.flatMap { try? container(at: $0, reporting: false) }?.entries.map(\.path) ?? []
    }
    return found.filter { $0.escapingControls == $0 }
  }
}
