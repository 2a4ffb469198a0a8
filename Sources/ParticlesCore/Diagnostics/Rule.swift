/// A row of the table of rules: something that can be wrong, and what we say of it.
///
/// Rules are an open set. Those of this package are the static members in `Rule+Catalog.swift`,
/// listed in ``all``; a format registered from outside brings rules of its own. Two rules are the
/// same if their codes are.
public struct Rule: Sendable {
  /// The stable name, `family/name`. It is printed behind every message, thrown by the library,
  /// written to reports, and names the fixtures that break the rule.
  public let code: String

  /// How bad an occurrence is unless the caller says otherwise.
  public let severity: Diagnostic.Severity

  /// What is wrong, in one line, in lower case and without a full stop.
  public let summary: String

  /// Where the specification states the rule: `file.md#section`.
  public let anchor: String

  /// The next step for somebody who meets it, if there is one to name.
  public let hint: String?

  /// Creates a rule.
  public init(
    _ code: String, _ severity: Diagnostic.Severity, _ summary: String, spec anchor: String,
    hint: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.anchor = anchor
    self.hint = hint
  }

  /// The part of the code before the slash.
  public var family: String { String(code.prefix { $0 != "/" }) }

  /// Lets a `catch` name the rule that was broken: `catch Rule.signature { … }`.
  public static func ~= (rule: Rule, error: any Error) -> Bool {
    (error as? Diagnostic)?.rule == rule
  }
}

extension Rule: Hashable {
  /// Whether both have the same code.
  public static func == (a: Rule, b: Rule) -> Bool { a.code == b.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Diagnostic {
  /// How bad a finding is.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Worth knowing; nothing is wrong.
    case note
    /// Readable, but not as it should be, or not all of it could be kept.
    case warning
    /// Not what the specification demands, or not to be done at all.
    case error

    /// From note to error.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }
}
