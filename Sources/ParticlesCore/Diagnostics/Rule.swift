/// A rule that files must follow, with the message that reports a violation.
///
/// The rules of this package are the static members in `RuleCatalog.swift`, listed in ``all``. A
/// format that is registered from outside may add rules. Two rules are equal if their codes are.
public struct Rule: Sendable {
  /// The stable name, `family/name`: part of every message, error and report, and of the names of
  /// the fixtures that break the rule.
  public let code: String

  /// The severity of a diagnostic of this rule, unless the diagnostic sets its own.
  public let severity: Diagnostic.Severity

  /// The problem, on one line, in lower case and without a full stop.
  public let summary: String

  /// The section of the specification that states the rule: `file.md#section`.
  public let anchor: String

  /// The next step for the user, or nil if there is none.
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
}

extension Rule: Hashable {
  /// Whether both rules have one code.
  public static func == (a: Rule, b: Rule) -> Bool { a.code == b.code }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Diagnostic {
  /// The severity of a finding.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Information about a file without a fault.
    case note
    /// Readable but not correct, or not everything could be kept.
    case warning
    /// A violation of the specification, or a failed operation.
    case error

    /// Notes come before warnings, and warnings before errors.
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

/// Rules that nothing breaks any more. They are not in ``Rule/all``.
extension Rule {
  /// A package of several generations, read from a pipe.
  @available(*, deprecated, message: "packages of several generations are unpacked from pipes, too")
  public static let generations = Rule(
    "container/generations", .error,
    "a package that was saved by appending cannot be unpacked from a pipe",
    spec: "container.md#order", hint: "save it to a file first, or compact it")

  /// A byte that the recovery of a damaged package has restored.
  @available(*, deprecated, message: "damaged frames are lost")
  public static let restored = Rule(
    "container/restored", .warning, "a damaged byte was restored from the checksum",
    spec: "container.md#recovery", hint: "compare the result with a copy, if there is one")
}
