/// A value on the command line, of an option or an argument: its name in the help and the words it
/// accepts.
public struct Parameter: Sendable {
  /// The words that are accepted, which also decides how a shell completes them.
  public enum Kind: Sendable {
    /// Any text; shells propose nothing.
    case text
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// The name of a command of the tool.
    case command
    /// One of these words.
    case choice(@Sendable () -> [String])
    /// Any text; shells propose the words that the tool finds when they complete.
    case lookup(Lookup, listed: @Sendable () -> [String])
  }

  /// The name, without the angle brackets that the help puts around it.
  public let name: String

  /// The words that are accepted.
  public let kind: Kind

  /// Any text.
  public static func text(_ name: String) -> Parameter { Parameter(name: name, kind: .text) }

  /// The path of a file.
  public static func file(_ name: String) -> Parameter { Parameter(name: name, kind: .file) }

  /// The path of a folder.
  public static func folder(_ name: String) -> Parameter { Parameter(name: name, kind: .folder) }

  /// The name of a command of the tool.
  public static func command(_ name: String) -> Parameter { Parameter(name: name, kind: .command) }

  /// One of these words. The list is evaluated when it is first needed, since most runs need the words of
  /// few options.
  public static func choice(
    _ name: String, _ words: @autoclosure @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// One of the words that the closure returns when they are needed.
  public static func choice(
    _ name: String, _ words: @escaping @Sendable () -> [String]
  ) -> Parameter {
    Parameter(name: name, kind: .choice(words))
  }

  /// Any text; shells propose the words of a lookup.
  /// - Parameters:
  ///   - name: the name, without angle brackets.
  ///   - lookup: the words that shells propose.
  ///   - listed: the words that the help lists.
  public static func lookup(
    _ name: String, _ lookup: Lookup, listed: @escaping @Sendable () -> [String] = { [] }
  ) -> Parameter {
    Parameter(name: name, kind: .lookup(lookup, listed: listed))
  }

  /// The only words that are accepted; empty if any text is.
  var choices: [String] {
    if case .choice(let words) = kind { words() } else { [] }
  }

  /// The words that the help lists.
  var listed: [String] {
    switch kind {
    case .choice(let words), .lookup(_, let words): words()
    case .text, .file, .folder, .command: []
    }
  }

  /// Whether it is a path. An empty path is refused: it comes from an unset variable of the shell.
  var isPath: Bool {
    switch kind {
    case .file, .folder: true
    case .text, .command, .choice, .lookup: false
    }
  }

  /// Whether it is the name of a command.
  var isCommand: Bool { if case .command = kind { true } else { false } }

  /// The name as the help shows it.
  var label: String { "<\(name)>" }
}

/// An argument of a command, as opposed to an option.
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

  /// Its name and the words it accepts.
  public let parameter: Parameter

  /// How many words it takes.
  public let arity: Arity

  /// Its meaning, in one line.
  public let summary: String

  /// Creates an argument.
  public init(_ parameter: Parameter, arity: Arity = .one, _ summary: String) {
    self.parameter = parameter
    self.arity = arity
    self.summary = summary
  }

  /// Its name, without brackets.
  public var name: String { parameter.name }

  /// The summary, followed by the possible values.
  func description(_ wording: Wording = .english) -> String {
    let (choices, summary) = (parameter.listed, wording.text(summary))
    guard !choices.isEmpty else { return summary }
    return "\(summary) (\(wording.text("values")): \(choices.joined(separator: ", ")))"
  }

  /// The argument in a line of usage.
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
  /// The least number of words.
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
