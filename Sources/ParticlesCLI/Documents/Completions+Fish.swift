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
      } + tool.commands.flatMap(lines)
  }

  private var complete: String { "complete -c \(tool.name)" }

  private func lines(_ command: Command) -> [String] {
    let condition = "__fish_seen_subcommand_from \(command.name)"
    let arguments = command.arguments.compactMap { argument in
      proposals(argument.parameter).map { "\(complete) -n \(quoted(condition)) \($0)" }
    }
    return [""] + command.options.map { line($0, when: condition) }
      + arguments.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func line(_ option: Option, when condition: String?) -> String {
    let words = [
      complete, condition.map { "-n \(quoted($0))" }, option.short.map { "-s \($0)" },
      "-l \(option.name)",
      option.parameter.map { "-r \(proposals($0) ?? "-f")" }, "-d \(quoted(option.summary))",
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }

  /// What fish is to propose, or nil if there is nothing.
  private func proposals(_ parameter: Parameter) -> String? {
    switch parameter.kind {
    case .text: nil
    case .file: "-F"
    case .folder: "-f -a '(__fish_complete_directories)'"
    case .command, .choice, .proposal:
      "-f -a \(quoted(words(for: parameter).joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String { "'\(text.writing(["\\": "\\\\", "'": "\\'"]))'" }
}
