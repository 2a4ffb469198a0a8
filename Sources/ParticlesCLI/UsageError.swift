internal import ParticlesCore

/// An error in the command line. The exit status is ``ExitStatus/usage``.
public struct UsageError: Error, Sendable {
  /// The error in one line, in lower case and without a full stop.
  public let message: String

  /// The next step, if there is one.
  public let hint: String?

  /// The command whose usage is shown.
  var command: Command?

  /// Creates an error.
  public init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The same error, shown with the usage of `command` unless it has a command already.
  func about(_ command: Command) -> UsageError {
    var copy = self
    copy.command = self.command ?? command
    return copy
  }

  /// The greatest number of candidates that a hint lists.
  private static let mostListed = 20

  /// The error for a word that is none of `candidates`. It names a similar one, or all if they are few.
  static func unknown(_ what: String, _ word: String, among candidates: [String]) -> UsageError {
    let message = "unknown \(what) '\(word)'"
    if let guess = Suggestion.nearest(to: word, among: candidates) {
      return UsageError("\(message); did you mean '\(guess)'?")
    }
    let list = candidates.count <= mostListed ? "one of \(candidates.joined(separator: ", "))" : nil
    return UsageError(message, hint: list)
  }
}
