internal import ParticlesCore

/// Parses a command line into a request. Only the commands look at files.
struct Parser {
  /// The parsed command line.
  enum Request {
    case help(Command?)
    case version
    case run(Command, Words)
  }

  /// The options and arguments of a command, checked against its declaration.
  struct Words: Sendable {
    /// The values of each option by its name. A flag has an empty text.
    var options = NamedValues()
    /// All arguments in order.
    var arguments: [String] = []
    /// The words of each argument by the name of its declaration.
    var assigned = NamedValues()

    func holds(_ option: Option) -> Bool { options[option.name] != nil }
  }

  private let tool: Tool
  private var rest: ArraySlice<String>
  private var command: Command?
  private var words = Words()

  private init(_ tool: Tool, _ words: [String]) {
    self.tool = tool
    rest = words[...]
  }

  /// Parses the words after the name of the tool.
  static func parse(_ words: [String], for tool: Tool) throws -> Request {
    var parser = Parser(tool, words)
    return try parser.request()
  }

  private mutating func request() throws -> Request {
    while let word = rest.first, Self.isOption(word) {
      rest.removeFirst()
      try option(word)
      if words.holds(.help) { return .help(nil) }
      if words.holds(.version) { return .version }
    }
    guard let name = rest.popFirst() else { return .help(nil) }
    guard let command = tool.command(name) else {
      throw UsageError.unknown("command", name, among: tool.commands.map(\.name))
    }
    self.command = command
    do {
      return try request(of: subcommand(of: command))
    } catch let error as UsageError {
      throw error.about(self.command ?? command)
    }
  }

  /// The subcommand that the next word names, if `command` has subcommands.
  private mutating func subcommand(of command: Command) throws -> Command {
    guard !command.subcommands.isEmpty else { return command }
    while let word = rest.first, Self.isOption(word), !words.holds(.help) {
      rest.removeFirst()
      try option(word)
    }
    guard !words.holds(.help), let name = rest.popFirst() else { return command }
    guard let subcommand = command.subcommands.first(where: { $0.name == name }) else {
      throw UsageError.unknown("subcommand", name, among: command.subcommands.map(\.name))
    }
    self.command = subcommand
    return subcommand
  }

  private mutating func request(of command: Command) throws -> Request {
    if words.holds(.help) { return .help(command) }
    while let word = rest.popFirst() {
      if word == "--" {
        words.arguments += rest
        rest = []
      } else if Self.isOption(word) {
        try option(word)
        // Words after a request for help are ignored.
        if words.holds(.help) { return .help(command) }
      } else {
        words.arguments.append(word)
      }
    }
    words.assigned = try Self.assign(words.arguments, to: command.arguments)
    return .run(command, words)
  }

  /// A single dash means a standard stream.
  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }
}

// MARK: - Options

extension Parser {
  private var known: [Option] { command?.allOptions ?? [.version] + Option.everywhere }

  private mutating func option(_ word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    let value = parts.count > 1 ? String(parts[1]) : nil
    if spelling.hasPrefix("--") {
      guard let option = known.first(where: { $0.spelling == spelling }) else {
        throw unknown(spelling)
      }
      try set(option, spelling, value)
    } else if let option = known.first(where: { "-" + $0.name == spelling }) {
      throw UsageError("unknown option '\(spelling)'; did you mean '\(option.spelling)'?")
    } else {
      try letters(word.dropFirst())
    }
  }

  /// `-fq`, `-o path`, `-opath`, `-o=path`, `-fo path`
  private mutating func letters(_ word: Substring) throws {
    var word = word
    while let letter = word.popFirst() {
      let spelling = "-\(letter)"
      guard let option = known.first(where: { $0.short == letter }) else { throw unknown(spelling) }
      if word.first == "=" {
        return try set(option, spelling, String(word.dropFirst()))
      } else if option.parameter != nil, !word.isEmpty {
        return try set(option, spelling, String(word))
      }
      try set(option, spelling, nil)
    }
  }

  private mutating func set(_ option: Option, _ spelling: String, _ attached: String?) throws {
    guard let parameter = option.parameter else {
      guard attached == nil else { throw UsageError("'\(spelling)' takes no value") }
      words.options[option.name] = [""]
      return
    }
    let value = try attached ?? following(spelling, parameter)
    guard !value.isEmpty || !parameter.isPath else {
      throw UsageError("'\(spelling)' needs a value \(parameter.label), found an empty one")
    }
    try parameter.check([value])
    let choices = parameter.choices
    guard choices.isEmpty || choices.contains(value) else {
      let error = UsageError.unknown("value", value, among: choices)
      throw UsageError(
        "\(error.message) (\(spelling) \(parameter.label))",
        hint: "the values are \(choices.joined(separator: ", "))")
    }
    guard option.isRepeatable || !words.holds(option) else {
      throw UsageError("'\(option.spelling)' is given twice")
    }
    words.options[option.name] = (words.options[option.name] ?? []) + [value]
  }

  /// The word after an option. If it looks like an option, the value was probably forgotten, unless the
  /// word is a negative number.
  private mutating func following(_ spelling: String, _ parameter: Parameter) throws -> String {
    guard let word = rest.first else {
      throw UsageError("'\(spelling)' needs a value \(parameter.label)")
    }
    guard !Self.isOption(word) || Double(word) != nil else {
      throw UsageError(
        "'\(spelling)' needs a value \(parameter.label)",
        hint: spelling.hasPrefix("--")
          ? "if '\(word)' is the value, write \(spelling)=\(word)" : nil)
    }
    rest.removeFirst()
    return word
  }

  private func unknown(_ spelling: String) -> UsageError {
    let elsewhere = tool.allCommands.flatMap(\.options).contains { $0.spellings.contains(spelling) }
    if command == nil, elsewhere {
      return UsageError(
        "'\(spelling)' must follow the command", hint: "write it after the command")
    }
    let spellings = known.map(\.spelling)
    if Suggestion.nearest(to: spelling, among: spellings) == nil,
      command?.arguments.isEmpty == false
    {
      return UsageError(
        "unknown option '\(spelling)'", hint: "write -- before a path that begins with a dash")
    }
    return UsageError.unknown("option", spelling, among: spellings)
  }
}

extension Parameter {
  /// Throws if words that are no paths are not UTF-8.
  fileprivate func check(_ words: some Sequence<String>) throws {
    guard !isPath, let word = words.first(where: RawPath.isRaw) else { return }
    throw UsageError("\(label) is not UTF-8: '\(word)'", hint: "write it in UTF-8")
  }
}

// MARK: - Arguments

extension Parser {
  /// Assigns the words to the declared arguments in order. An argument that takes any number of words leaves enough for
  /// the following arguments.
  private static func assign(
    _ words: [String], to declared: [Argument]
  ) throws -> NamedValues {
    var rest = words[...]
    var assigned = NamedValues()
    for (index, argument) in declared.enumerated() {
      let reserved = declared[(index + 1)...].reduce(0) { $0 + $1.arity.minimum }
      let free = max(0, rest.count - reserved)
      let wanted = max(argument.arity.minimum, argument.arity.isGreedy ? free : min(1, free))
      guard rest.count >= argument.arity.minimum else {
        throw UsageError("missing argument \(argument.parameter.label)")
      }
      let taken = rest.prefix(wanted)
      if argument.parameter.isPath, taken.contains("") {
        throw UsageError("\(argument.parameter.label) is empty")
      }
      try argument.parameter.check(taken)
      let choices = argument.parameter.choices
      if let wrong = taken.first(where: { !choices.isEmpty && !choices.contains($0) }) {
        throw UsageError.unknown(argument.name, wrong, among: choices)
      }
      assigned[argument.name] = Array(taken)
      rest = rest.dropFirst(wanted)
    }
    if let extra = rest.first { throw UsageError("unexpected argument '\(extra)'") }
    return assigned
  }
}

/// An error in the command line. The exit status is ``ExitStatus/usage``.
public struct UsageError: Error, Sendable {
  /// The error in one line, in lower case and without a full stop.
  public let message: Phrase

  /// The next step, if there is one.
  public let hint: Phrase?

  /// The command whose usage is shown.
  var command: Command?

  /// Creates an error.
  public init(_ message: Phrase, hint: Phrase? = nil) {
    self.message = message
    self.hint = hint
  }

  /// A copy of the error, shown with the usage of `command` unless it has a command already.
  func about(_ command: Command) -> UsageError {
    var copy = self
    copy.command = self.command ?? command
    return copy
  }

  /// The greatest number of candidates that a hint lists.
  private static let mostListed = 20

  /// The error for a word that is none of `candidates`. It names a similar one, or all if they are few.
  static func unknown(_ what: String, _ word: String, among candidates: [String]) -> UsageError {
    let message: Phrase = "unknown \(fixed: what) '\(word)'"
    if let guess = Suggestion.nearest(to: word, among: candidates) {
      return UsageError("\(message); did you mean '\(guess)'?")
    }
    return UsageError(
      message,
      hint: candidates.count <= mostListed
        ? "one of \(candidates.joined(separator: ", "))" : nil)
  }
}
