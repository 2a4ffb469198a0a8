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
      "Options and arguments may be in any order; every word after",
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

// MARK: - The language

extension Manual {
  /// Paragraphs.
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
