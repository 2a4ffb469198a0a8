/// A value that somebody types, behind an option or as an argument: what the help calls it and
/// what it may be.
public struct Parameter: Sendable {
  /// What may be typed, which is also how it is completed.
  public enum Kind: Sendable {
    /// Anything; nothing is proposed.
    case text
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// The name of a command of the tool.
    case command
    /// One of these words.
    case choice(@Sendable () -> [String])
    /// One of these words, or any other.
    case proposal(@Sendable () -> [String])
  }

  /// The name, without the angle brackets that the help puts around it.
  public let name: String

  /// What it may be.
  public let kind: Kind

  /// Anything.
  public static func text(_ name: String) -> Parameter { Parameter(name: name, kind: .text) }

  /// The path of a file.
  public static func file(_ name: String) -> Parameter { Parameter(name: name, kind: .file) }

  /// The path of a folder.
  public static func folder(_ name: String) -> Parameter { Parameter(name: name, kind: .folder) }

  /// The name of a command of the tool.
  public static func command(_ name: String) -> Parameter { Parameter(name: name, kind: .command) }

  /// One of these words, which are looked up when they are needed: most runs need those of few
  /// options.
  public static func choice(
    _ name: String, _ words: @autoclosure @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// One of the words of a list that is made when it is needed.
  public static func choice(
    _ name: String, _ words: @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// One of the words of a list that is made when it is needed, or any other.
  public static func proposal(
    _ name: String, _ words: @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .proposal(words))
  }

  /// The words to choose from; empty if others may be typed, too.
  var choices: [String] {
    if case .choice(let words) = kind { words() } else { [] }
  }

  /// The words that are named in the help and proposed by shells.
  var proposals: [String] {
    switch kind {
    case .choice(let words), .proposal(let words): words()
    case .text, .file, .folder, .command: []
    }
  }

  /// Whether it is a path. That is never empty; what a variable of the shell that is not set leaves
  /// behind is.
  var isPath: Bool {
    switch kind {
    case .file, .folder: true
    case .text, .command, .choice, .proposal: false
    }
  }

  /// The name as the help shows it.
  var label: String { "<\(name)>" }
}

/// What a command takes besides options.
public struct Argument: Sendable {
  /// How many words it takes.
  public enum Arity: Sendable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// One or more.
    case oneOrMore
    /// Any number, none included.
    case any
  }

  /// What it is called and what it may be.
  public let parameter: Parameter

  /// How many words it takes.
  public let arity: Arity

  /// What it is, in one line.
  public let summary: String

  /// Creates an argument.
  public init(_ parameter: Parameter, arity: Arity = .one, _ summary: String) {
    self.parameter = parameter
    self.arity = arity
    self.summary = summary
  }

  /// Its name, without brackets.
  public var name: String { parameter.name }

  /// The summary, and behind it what may be chosen.
  var description: String {
    let choices = parameter.proposals
    return choices.isEmpty ? summary : "\(summary) (values: \(choices.joined(separator: ", ")))"
  }

  /// How a line of usage shows it.
  var usage: String {
    switch arity {
    case .one: parameter.label
    case .optional: "[\(parameter.label)]"
    case .oneOrMore: "\(parameter.label) ..."
    case .any: "[\(parameter.label) ...]"
    }
  }
}

extension Argument.Arity {
  /// The fewest words it is content with.
  var minimum: Int {
    switch self {
    case .one, .oneOrMore: 1
    case .optional, .any: 0
    }
  }

  /// Whether it takes as many words as there are.
  var isGreedy: Bool {
    switch self {
    case .one, .optional: false
    case .oneOrMore, .any: true
    }
  }
}
