extension Completions {
  /// The script for bash 3.2 and later; that version has neither `mapfile` nor `compopt`.
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
    ] + withoutCommand + ["      ;;"] + tool.allCommands.flatMap(branch) + [
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

  /// Continues the search for a command after one that has subcommands.
  private var leaveLoop: [String] {
    let headings = tool.commands.filter { !$0.subcommands.isEmpty }.map { "\"\($0.path)\"" }
    guard !headings.isEmpty else { return ["        break"] }
    return ["        case \"$command\" in", "          \(headings.joined(separator: "|"))) ;;"]
      + ["          *) break ;;", "        esac"]
  }

  private func branch(_ command: Command) -> [String] {
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
}
