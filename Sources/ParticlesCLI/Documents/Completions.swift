/// The completion scripts for shells.
struct Completions {
  /// A shell with completions.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let tool: Tool

  func text(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The options that are used without a command.
  var toolOptions: [Option] { [.version] + Option.everywhere }

  /// The commands that have subcommands.
  var headings: [Command] { tool.commands.filter { !$0.subcommands.isEmpty } }

  func names(of commands: [Command]) -> String { commands.map(\.name).joined(separator: " ") }
}

extension Completions {
  /// The script for bash 3.2 and later. Version 3.2 has neither `mapfile` nor `compopt`.
  var bash: [String] {
    let function = "_\(tool.name)"
    let withoutCommand = cases(
      options: toolOptions,
      otherwise: [reply(tool.commands.map(\.name))])
    return [
      "# Completions of \(tool.name) for bash. Generated from the list of commands.",
      "",
      "\(function)_reply() {",
      "  local proposal",
      "  while IFS= read -r proposal; do",
      "    COMPREPLY+=(\"$proposal\")",
      "  done < <(compgen \"$@\" -- \"$current\")",
      "}",
      "",
      "\(function)_lookup() {",
      "  local proposal",
      "  while IFS= read -r proposal; do",
      "    [[ $proposal == \"$current\"* ]] && COMPREPLY+=(\"$proposal\")",
      "  done < <(\"${COMP_WORDS[0]}\" help --candidates \"$1\" -- \"${COMP_WORDS[@]:index+1}\" 2> /dev/null)",
      "}",
      "",
      "\(function)() {",
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  local command=\"\" index",
      "  COMPREPLY=()",
      "  # Bash splits --name=value into three words.",
      "  if [[ $current == \"=\" ]]; then",
      "    current=\"\"",
      "  elif [[ $previous == \"=\" ]]; then",
      "    previous=\"${COMP_WORDS[COMP_CWORD-2]}\"",
      "  fi",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    case \"${COMP_WORDS[index]}\" in",
      "      \(withValue))",
      "        ((index++))",
      "        [[ ${COMP_WORDS[index]} == \"=\" ]] && ((index++))",
      "        ;;",
      "      -*) ;;",
      "      *)",
      "        command+=\"${command:+ }${COMP_WORDS[index]}\"",
    ] + leaveLoop + [
      "        ;;",
      "    esac",
      "  done",
      "  case \"$command\" in",
      "    \"\")",
    ] + withoutCommand + ["      ;;"] + tool.allCommands.flatMap(bashBranch) + [
      "  esac",
      "}",
      "",
      "complete -o filenames -F \(function) \(tool.name)",
    ]
  }

  /// The options before a command whose value must not be mistaken for the command.
  private var withValue: String {
    toolOptions.filter { $0.parameter != nil }.flatMap(\.spellings).joined(separator: "|")
  }

  /// Continues the search for a command after a command with subcommands.
  private var leaveLoop: [String] {
    let headings = tool.commands.filter { !$0.subcommands.isEmpty }.map { "\"\($0.path)\"" }
    guard !headings.isEmpty else { return ["        break"] }
    return ["        case \"$command\" in", "          \(headings.joined(separator: "|"))) ;;"]
      + ["          *) break ;;", "        esac"]
  }

  private func bashBranch(_ command: Command) -> [String] {
    let proposals =
      command.subcommands.isEmpty
      ? command.arguments.flatMap { replies($0.parameter) }
      : [reply(command.subcommands.map(\.name))]
    let takesCommand = command.arguments.contains { $0.parameter.isCommand }
    return ["    \"\(command.path)\")"]
      + cases(
        options: command.allOptions, otherwise: proposals,
        before: takesCommand ? subcommandCases(after: command) : [])
      + ["      ;;"]
  }

  /// The proposals after an option with a value, for the beginning of an option, and otherwise.
  private func cases(
    options: [Option], otherwise: [String], before: [String] = []
  ) -> [String] {
    let values = options.flatMap { option -> [String] in
      guard let parameter = option.parameter else { return [] }
      let proposals = replies(parameter).map { "          " + $0 }
      return ["        \(option.spellings.joined(separator: "|")))"] + proposals
        + ["          ;;"]
    }
    let alternative =
      otherwise.isEmpty ? [] : ["          else"] + unique(otherwise).map { "            " + $0 }
    return ["      case \"$previous\" in"] + before + values + [
      "        *)",
      "          if [[ $current == -* ]]; then",
      "            " + reply(options.map(\.spelling)),
    ] + alternative + [
      "          fi",
      "          ;;",
      "      esac",
    ]
  }

  /// After the name of a command, only its subcommands are proposed.
  private func subcommandCases(after command: Command) -> [String] {
    tool.commands.filter { $0.name != command.name }.flatMap { other in
      ["        \(other.name))"]
        + (other.subcommands.isEmpty ? [] : ["          " + reply(other.subcommands.map(\.name))])
        + ["          ;;"]
    }
  }

  private func replies(_ parameter: Parameter) -> [String] {
    switch parameter.kind {
    case .text: []
    case .file: ["_\(tool.name)_reply -f"]
    case .folder: ["_\(tool.name)_reply -d"]
    case .command: [reply(tool.commands.map(\.name))]
    case .choice(let words): [reply(words())]
    case .lookup(let lookup, _): ["_\(tool.name)_lookup \(lookup.rawValue)"]
    }
  }

  private func reply(_ words: [String]) -> String {
    "_\(tool.name)_reply -W '\(words.joined(separator: " ").writing(["'": "'\\''"]))'"
  }

  private func unique(_ lines: [String]) -> [String] {
    lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

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
    ] + commands.flatMap(zshBranch).map { "      " + $0 } + [
      "    esac",
      "    ;;",
      "esac",
    ]
  }

  private func zshBranch(_ command: Command) -> [String] {
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
    // A space means that a word is expected, but shells propose nothing.
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

  /// The commands. After a command, its subcommands.
  private var commandAction: String {
    let cases = headings.map { "(\($0.name)) compadd \(names(of: $0.subcommands));; " }.joined()
    return "{if (( CURRENT == 2 )) { compadd \(names(of: tool.commands)) } "
      + "else { case $words[CURRENT-1] in \(cases)esac }}"
  }

  private static func escaped(_ text: String) -> String {
    text.writing(["\\": "\\\\", "[": "\\[", "]": "\\]", ":": "\\:"])
  }

  private func quoted(_ text: String) -> String { "'\(text.writing(["'": "'\\''"]))'" }

  var fish: [String] {
    [
      "# Completions of \(tool.name) for fish. Generated from the list of commands.",
      "",
      "\(complete) -f",
    ] + Option.everywhere.map { line($0, when: nil) }
      + [line(.version, when: "__fish_use_subcommand")]
      + tool.commands.map {
        "\(complete) -n __fish_use_subcommand -a \(fishQuoted($0.name)) -d \(fishQuoted($0.summary))"
      } + tool.allCommands.flatMap(lines)
  }

  private var complete: String { "complete -c \(tool.name)" }

  private func lines(_ command: Command) -> [String] {
    let condition = condition(for: command)
    let subnames = names(of: command.subcommands)
    let subcommands = command.subcommands.map {
      "\(complete) -n \(fishQuoted("\(condition); and not __fish_seen_subcommand_from \(subnames)"))"
        + " -a \(fishQuoted($0.name)) -d \(fishQuoted($0.summary))"
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
      return proposals(argument.parameter).map { "\(complete) -n \(fishQuoted(when)) \($0)" }
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
      complete, condition.map { "-n \(fishQuoted($0))" }, option.short.map { "-s \($0)" },
      "-l \(option.name)",
      option.parameter.map { "-r \(proposals($0) ?? "-f")" }, "-d \(fishQuoted(option.summary))",
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }

  /// The proposals for fish, or nil if there are none.
  private func proposals(_ parameter: Parameter) -> String? {
    switch parameter.kind {
    case .text: nil
    case .file: "-F"
    case .folder: "-f -a '(__fish_complete_directories)'"
    case .command: "-f -a \(fishQuoted(names(of: tool.commands)))"
    case .choice(let words): "-f -a \(fishQuoted(words().joined(separator: " ")))"
    case .lookup(let lookup, _):
      "-f -a '(\(tool.name) help --candidates \(lookup.rawValue) -- "
        + "(commandline -opc)[3..-1] 2> /dev/null)'"
    }
  }

  private func fishQuoted(_ text: String) -> String {
    "'\(text.writing(["\\": "\\\\", "'": "\\'"]))'"
  }
}
