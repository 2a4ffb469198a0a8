extension Completions {
  var fish: [String] {
    [
      "# Completions of \(tool.name) for fish. Generated from the list of commands.",
      "",
      "\(complete) -f",
    ] + Option.everywhere.map { line($0, when: nil) }
      + [line(.version, when: "__fish_use_subcommand")]
      + tool.commands.map {
        "\(complete) -n __fish_use_subcommand -a \(quoted($0.name)) -d \(quoted($0.summary))"
      } + tool.allCommands.flatMap(lines)
  }

  private var complete: String { "complete -c \(tool.name)" }

  private func lines(_ command: Command) -> [String] {
    let condition = condition(for: command)
    let subnames = names(of: command.subcommands)
    let subcommands = command.subcommands.map {
      "\(complete) -n \(quoted("\(condition); and not __fish_seen_subcommand_from \(subnames)"))"
        + " -a \(quoted($0.name)) -d \(quoted($0.summary))"
    }
    // After 'help', a command is an argument: only its subcommands are proposed.
    let isHelp = command.arguments.contains(where: \.parameter.isCommand)
    let helps = tool.commands.filter { $0.arguments.contains(where: \.parameter.isCommand) }
    let own =
      isHelp ? condition : condition + "; and not __fish_seen_subcommand_from \(names(of: helps))"
    let arguments: [String] = command.arguments.compactMap { argument in
      let others = tool.commands.filter { $0.name != command.name }
      let isFirst = "; and not __fish_seen_subcommand_from \(names(of: others))"
      let when = own + (argument.parameter.isCommand ? isFirst : "")
      return proposals(argument.parameter).map { "\(complete) -n \(quoted(when)) \($0)" }
    }
    return [""] + subcommands + command.options.map { line($0, when: own) }
      + arguments.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The condition that a command is being completed. A word that is both a command and a subcommand
  /// means the subcommand after the command that contains it.
  private func condition(for command: Command) -> String {
    func seen(_ name: some StringProtocol) -> String { "__fish_seen_subcommand_from \(name)" }
    let words = command.path.split(separator: " ")
    let headings = tool.commands.filter { heading in
      words.count == 1 && heading.subcommands.contains { $0.name == command.name }
    }
    return (words.map(seen) + headings.map { "not \(seen($0.name))" }).joined(separator: "; and ")
  }

  private func line(_ option: Option, when condition: String?) -> String {
    let words = [
      complete, condition.map { "-n \(quoted($0))" }, option.short.map { "-s \($0)" },
      "-l \(option.name)",
      option.parameter.map { "-r \(proposals($0) ?? "-f")" }, "-d \(quoted(option.summary))",
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }

  /// The proposals for fish, or nil if there are none.
  private func proposals(_ parameter: Parameter) -> String? {
    switch parameter.kind {
    case .text: nil
    case .file: "-F"
    case .folder: "-f -a '(__fish_complete_directories)'"
    case .command: "-f -a \(quoted(names(of: tool.commands)))"
    case .choice(let words): "-f -a \(quoted(words().joined(separator: " ")))"
    case .lookup(let lookup, _):
      "-f -a '(\(tool.name) help --candidates \(lookup.rawValue) -- "
        + "(commandline -opc)[3..-1] 2> /dev/null)'"
    }
  }

  private func quoted(_ text: String) -> String { "'\(text.writing(["\\": "\\\\", "'": "\\'"]))'" }
}
