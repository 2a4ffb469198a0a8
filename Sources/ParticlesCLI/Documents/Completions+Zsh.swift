extension Completions {
  var zsh: [String] {
    let function = "_\(tool.name)"
    return [
      "#compdef \(tool.name)",
      "# Completions of \(tool.name) for zsh. Generated from the list of commands.",
      "",
      "\(function)() {",
      "  local context curcontext=\"$curcontext\" state state_descr line",
      "  typeset -A opt_args",
    ] + dispatch("command", toolOptions, tool.commands).map { "  " + $0 } + [
      "}",
      "",
      "\(function) \"$@\"",
    ]
  }

  /// Completes the name of one of the commands, then its options and arguments.
  private func dispatch(_ word: String, _ options: [Option], _ commands: [Command]) -> [String] {
    let states = ["'(-): :->\(word)'", "'(-)*:: :->\(word)-argument'"]
    let names = commands.map { "      \(quoted("\($0.name):\(Self.escaped($0.summary))"))" }
    return arguments(options.map(specification) + states) + [
      "case $state in",
      "  \(word))",
      "    local -a commands",
      "    commands=(",
    ] + names + [
      "    )",
      "    _describe \(word) commands",
      "    ;;",
      "  \(word)-argument)",
      "    case $words[1] in",
    ] + commands.flatMap(branch).map { "      " + $0 } + [
      "    esac",
      "    ;;",
      "esac",
    ]
  }

  private func branch(_ command: Command) -> [String] {
    let body =
      command.subcommands.isEmpty
      ? words(of: command) : dispatch("subcommand", command.allOptions, command.subcommands)
    return ["\(command.name))"] + body.map { "  " + $0 } + ["  ;;"]
  }

  private func words(of command: Command) -> [String] {
    // zsh cannot complete arguments that follow one with any number of words.
    let greedy = command.arguments.firstIndex { $0.arity.isGreedy } ?? command.arguments.count
    let specifications =
      command.allOptions.map(specification)
      + command.arguments.prefix(greedy + 1).map(specification)
    return arguments(specifications)
  }

  private func arguments(_ specifications: [String]) -> [String] {
    let lines = ["_arguments -C -s -S"] + specifications.map { "  " + $0 }
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  /// `'(-o --output)'{-o+,--output=}'[Write here.]:path:_files'`
  private func specification(_ option: Option) -> String {
    let value = option.parameter.map { ":\(Self.escaped($0.name)):\(action($0))" } ?? ""
    let text = "[\(Self.escaped(option.summary))]\(value)"
    let long = option.spelling + (option.parameter == nil ? "" : "=")
    guard let short = option.short else {
      return quoted((option.isRepeatable ? "*" : "") + long + text)
    }
    let names = "{-\(short)\(option.parameter == nil ? "" : "+"),\(long)}"
    let others = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
    return quoted(others) + names + quoted(text)
  }

  private func specification(_ argument: Argument) -> String {
    let place =
      switch argument.arity {
      case .one: ":"
      case .optional: "::"
      case .oneOrMore, .any: "*:"
      }
    return quoted(place + Self.escaped(argument.name) + ":" + action(argument.parameter))
  }

  private func action(_ parameter: Parameter) -> String {
    switch parameter.kind {
    // A space means that a word is expected, but none is proposed.
    case .text: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .command: commandAction
    case .choice(let words): "(\(words().joined(separator: " ")))"
    case .lookup(let lookup, _):
      "{compadd -- ${(f)\"$(\(tool.name) help --candidates \(lookup.rawValue) -- "
        + "${words[2,-1]} 2> /dev/null)\"}}"
    }
  }

  /// The commands and, after one of them, its subcommands.
  private var commandAction: String {
    let cases = headings.map { "(\($0.name)) compadd \(names(of: $0.subcommands));; " }.joined()
    return "{if (( CURRENT == 2 )) { compadd \(names(of: tool.commands)) } "
      + "else { case $words[CURRENT-1] in \(cases)esac }}"
  }

  private static func escaped(_ text: String) -> String {
    text.writing(["\\": "\\\\", "[": "\\[", "]": "\\]", ":": "\\:"])
  }

  private func quoted(_ text: String) -> String { "'\(text.writing(["'": "'\\''"]))'" }
}
