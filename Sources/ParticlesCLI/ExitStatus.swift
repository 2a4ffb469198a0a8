/// The exit status of the process. Ordered from best to worst: with several inputs, the worst status
/// counts.
public enum ExitStatus: Int32, Sendable, CaseIterable, Comparable {
  /// Done.
  case done = 0
  /// The command ran, and the result is negative.
  case answerNo = 1
  /// The command failed.
  case failed = 2
  /// The command line is wrong.
  case usage = 64
  /// Interrupted with control-C. The system ends the process, and shells report this status.
  case interrupted = 130

  /// Its meaning, for the manual.
  public var summary: String {
    switch self {
    case .done: "Success."
    case .answerNo:
      "Negative result: errors were found, more was lost than allowed, nothing matched, or two packages differ."
    case .failed: "Failure: a file cannot be read, recognised or written."
    case .usage: "The command line is wrong."
    case .interrupted: "Interrupted."
    }
  }

  /// From best to worst.
  public static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }
}
