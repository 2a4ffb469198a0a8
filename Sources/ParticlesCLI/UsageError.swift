internal import ParticlesCore

/// The command line asks for something that cannot be asked for. Ends in ``ExitStatus/usage``.
public struct UsageError: Error, Sendable {
  /// What is wrong, in one line, in lower case and without a full stop.
  public let message: String

  /// The next step, if there is one to name.
  public let hint: String?

  /// The command whose usage is to be shown.
  var command: Command?

  /// Creates an error.
  public init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The same error, explained with the usage of `command` unless it has one already.
  func about(_ command: Command) -> UsageError {
    var copy = self
    copy.command = self.command ?? command
    return copy
  }

  /// How many candidates somebody reads rather than the help.
  private static let mostListed = 20

  /// `word` is none of `candidates`; names the one that was probably meant, or all if they are few.
  static func unknown(_ what: String, _ word: String, among candidates: [String]) -> UsageError {
    let message = "unknown \(what) '\(word)'"
    if let guess = Suggestion.nearest(to: word, among: candidates) {
      return UsageError("\(message); did you mean '\(guess)'?")
    }
    let list = candidates.count <= mostListed ? "one of \(candidates.joined(separator: ", "))" : nil
    return UsageError(message, hint: list)
  }
}
