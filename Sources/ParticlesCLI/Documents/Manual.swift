/// The man page, in the mdoc language.
struct Manual {
  let tool: Tool

  var text: String {
    let parts: [[String]] = [
      header, synopsis, description, commands, options, statuses, environment, examples, seeAlso,
    ]
    return parts.flatMap(\.self).joined(separator: "\n") + "\n"
  }

  private var header: [String] {
    [
      ".\\\" Generated from the list of commands.",
      ".Dd \(tool.date)", ".Dt \(tool.name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(Self.word(tool.name))", ".Nd \(Self.line(tool.summary))",
    ]
  }

  private var synopsis: [String] {
    [
      ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options", ".Op Ar arguments",
      ".Nm", ".Cm help", ".Op Ar command",
    ]
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
          + commands.flatMap(\.withSubcommands).flatMap(item) + [".El"]
    }
    return [".Sh COMMANDS"] + groups
  }

  private func item(_ command: Command) -> [String] {
    let arguments = command.arguments.map(Self.usage)
    let name = command.path.split(separator: " ").map { Self.word(String($0)) }
    let subcommand = command.subcommands.isEmpty ? [] : ["Ar subcommand"]
    let tag =
      ["Cm \(name.joined(separator: " "))"] + subcommand + ["Oo Ar options Oc"] + arguments
    var lines = [".It " + tag.joined(separator: " ")]
    lines += Self.text([command.summary] + command.discussion.paragraphs)
    let items =
      command.arguments.map { [".It Ar \(Self.word($0.name))", Self.line($0.description)] }
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

  private var examples: [String] {
    let examples = tool.allCommands.flatMap(\.examples).flatMap { example in
      [
        Self.line(example.summary), ".Bd -literal -offset indent",
        Self.line(example.commandLine), ".Ed", ".Pp",
      ]
    }
    return examples.isEmpty ? [] : [".Sh EXAMPLES"] + examples.dropLast()
  }

  private var seeAlso: [String] { [".Sh SEE ALSO", ".Xr tar 1 ,", ".Xr zlib 3"] }
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
    return [".It \(short)Fl Fl \(word(option.name))\(value)", line(option.description)]
  }

  /// A line of text, escaped so that it is not a request and that its dashes can be copied.
  private static func line(_ text: String) -> String {
    let escaped = text.writing(["\\": "\\e", "-": "\\-"])
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
  }

  /// A word, escaped so that it is not the name of a macro.
  private static func word(_ text: String) -> String { "\\&\(line(text))" }
}
