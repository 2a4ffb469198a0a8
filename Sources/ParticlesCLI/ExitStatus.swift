/// What the process says of its end. Ordered from best to worst: of several inputs, the worst
/// status is that of the whole.
public enum ExitStatus: Int32, Sendable, CaseIterable, Comparable {
  /// Done.
  case done = 0
  /// It ran, and the answer is no.
  case answerNo = 1
  /// It could not be done.
  case failed = 2
  /// The command line is wrong.
  case usage = 64
  /// Somebody pressed control-C. The system ends the process then, and a shell reports this.
  case interrupted = 130

  /// What the manual says of it.
  public var summary: String {
    switch self {
    case .done: "Done."
    case .answerNo:
      "It ran, and the answer is no: errors were found, something would be lost, or two packages differ."
    case .failed: "It could not be done: a file cannot be read, understood or written."
    case .usage: "The command line is wrong."
    case .interrupted: "Interrupted."
    }
  }

  /// From best to worst.
  public static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }
}
