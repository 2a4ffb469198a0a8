extension Command {
  /// Shows help, and prints the documents that are generated from the list of commands.
  public static let help = Command(
    name: "help", group: .help,
    summary: "Show help for the tool or for a command.",
    discussion: """
      With --verbose, the help of a command has the text of its manual page, too. The man pages, the completions and the \
      reference are for packagers. Nothing is installed.
      """,
    arguments: [Argument(.command("command"), arity: .any, "The command to explain.")],
    options: [.manual, .completions, .markdown, .candidates],
    examples: [
      Example("particles help", "List the commands."),
      Example("particles help convert", "Show the help of a command."),
      Example("particles help --manual convert", "Print the man page of a command."),
      Example("particles help --completions bash", "Print the completions for bash."),
    ],
    run: { invocation in
      try invocation.console.write(document(invocation))
      return .done
    })

  private static func document(_ invocation: Invocation) throws -> String {
    let tool = invocation.tool
    let wanted = [Option.manual, .completions, .markdown, .candidates].filter(invocation.flag)
    guard wanted.count < 2 else {
      let names = wanted.map { "'\($0.spelling)'" }.joined(separator: " and ")
      throw UsageError("\(names) cannot go together")
    }
    if let lookup = invocation.value(.candidates).flatMap(Lookup.init) {
      return invocation.candidates(lookup, invocation.arguments).map { "\($0)\n" }.joined()
    }
    if invocation.flag(.markdown) { return CommandReference(tool: tool).text }
    if let shell = invocation.value(.completions).flatMap(Completions.Shell.init) {
      return Completions(tool: tool).text(for: shell)
    }
    let isManual = invocation.flag(.manual)
    guard let name = invocation.arguments.first else {
      return isManual ? Manual(tool: tool).text : screen(of: nil, invocation)
    }
    guard let command = tool.command(name) else {
      throw UsageError.unknown("command", name, among: tool.commands.map(\.name))
    }
    // The page of a command has its subcommands.
    if isManual { return Manual(tool: tool).text(of: command) }
    // More words after a command without subcommands are ignored, so that help is shown in any case.
    guard !command.subcommands.isEmpty, let name = invocation.arguments.dropFirst().first else {
      return screen(of: command, invocation)
    }
    guard let subcommand = command.subcommands.first(where: { $0.name == name }) else {
      throw UsageError.unknown("subcommand", name, among: command.subcommands.map(\.name))
    }
    return screen(of: subcommand, invocation)
  }

  private static func screen(of command: Command?, _ invocation: Invocation) -> String {
    let console = invocation.console
    var help = Help(tool: invocation.tool, width: console.width, wording: console.wording)
    help.isLong = invocation.flag(.verbose)
    return help.screen(of: command)
  }
}

extension Option {
  fileprivate static let manual = Option(
    "manual", "Print the man page of the tool or of a command.")
  fileprivate static let markdown = Option("markdown", "Print the reference of all commands.")
  fileprivate static let completions = Option(
    "completions", value: .choice("shell", Completions.Shell.allCases.map(\.rawValue)),
    "Print the completions for a shell.")
  fileprivate static let candidates = Option(
    "candidates", value: .choice("kind", Lookup.allCases.map(\.rawValue)),
    "Print the words that completions propose; for entries, of the package in the arguments.")
}
