/// The places of saves: the states that are kept, and the next attempt after a failed save. Without tasks and clocks.
struct AutosavePlan: Sendable {
  /// The state that the recovery journal has.
  var keptPoint: UInt64?
  /// The state that a version was kept of on request.
  var versionPoint: UInt64?
  /// Whether ``DocumentConfiguration/afterSaving`` has not taken what was written last.
  var isUndelivered = false
  /// The next attempt to save in place after failures; nil if the last save succeeded.
  var retry: AutosaveRetry?

  /// The states in which nothing can be saved where the document is.
  static var unsavable: DocumentStates { [.inConflict, .readOnly, .deleted, .undecodable] }

  /// Whether an automatic save is made where the document is, rather than into the recovery journal.
  /// - Parameters:
  ///   - states: those of the document.
  ///   - isInPlace: whether the configuration and the contents allow it.
  ///   - now: the time, in seconds of the monotonic clock.
  func savesInPlace(_ states: DocumentStates, allowed isInPlace: Bool, at now: Double) -> Bool {
    isInPlace && states.isDisjoint(with: Self.unsavable) && retry.map { now >= $0.next } ?? true
  }

  /// Plans another attempt after a failed one.
  /// - Returns: nil if there is none: a document that cannot be written where it is needs its user.
  mutating func failed(
    _ states: DocumentStates, window: Double?, longest: Double, at now: Double
  ) -> AutosaveRetry? {
    guard let window, states.isDisjoint(with: Self.unsavable) else { return nil }
    retry = AutosaveRetry(after: retry, window: window, longest: longest, now: now)
    return retry
  }

  /// Whether the journal has a state.
  func isKept(_ state: UInt64) -> Bool { keptPoint == state }

  mutating func saved() { (retry, keptPoint) = (nil, nil) }

  /// The contents of states are others: another program has changed them.
  mutating func rebased() { (keptPoint, versionPoint) = (nil, nil) }
}
