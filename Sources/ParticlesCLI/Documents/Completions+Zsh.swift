extension Completions {
  var zsh: [String] {
    let function = "_\(tool.name)"
    let commands = tool.commands.map {
      "        \(quoted("\($0.name):\(Self.escaped($0.summary))"))"
    }
    let dispatch = ["'(-): :->command'", "'(-)*:: :->argument'"]
    return [
      "#compdef \(tool.name)",
      "# Completions of \(tool.name) for zsh. Generated from the list of commands.",
      "",
      "\(function)() {",
      "  local context curcontext=\"$curcontext\" state state_descr line",
      "  typeset -A opt_args",
    ] + arguments(toolOptions.map(specification) + dispatch, indent: "  ") + [
      "  case $state in",
      "    command)",
      "      local -a commands",
      "      commands=(",
    ] + commands + [
      "      )",
      "      _describe command commands",
      "      ;;",
      "    argument)",
      "      case $words[1] in",
    ] + tool.commands.flatMap(branch) + [
      "      esac",
      "      ;;",
      "  esac",
      "}",
      "",
      "\(function) \"$@\"",
    ]
  }

  private func branch(_ command: Command) -> [String] {
    // Behind an argument that takes any number of words, zsh can tell no others apart.
    let greedy = command.arguments.firstIndex { $0.arity.isGreedy } ?? command.arguments.count
    let specifications =
      command.allOptions.map(specification)
      + command.arguments.prefix(greedy + 1).map(specification)
    return ["        \(command.name))"] + arguments(specifications, indent: "          ")
      + ["          ;;"]
  }

  private func arguments(_ specifications: [String], indent: String) -> [String] {
    let lines = [indent + "_arguments -C -s -S"] + specifications.map { indent + "  " + $0 }
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
    // A space says that there is something to type that cannot be proposed.
    case .text: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .command, .choice, .proposal: "(\(words(for: parameter).joined(separator: " ")))"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.writing(["\\": "\\\\", "[": "\\[", "]": "\\]", ":": "\\:"])
  }

  private func quoted(_ text: String) -> String { "'\(text.writing(["'": "'\\''"]))'" }
}
