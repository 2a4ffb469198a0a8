internal import ParticlesContainer
internal import ParticlesCore

/// The phases of the life of a document, and the calls that wait for its opening.
struct DocumentPhase: Sendable, Hashable {
  enum Step: Sendable { case closed, opening, open, closing }

  /// The part of a call that opens the document.
  enum Entrance: Sendable {
    /// Nothing: it is open.
    case done
    /// It begins to open it.
    case begin
    /// It waits for an opening that is running.
    case join
    /// It asks again after an opening that everybody has left has ended.
    case afterOpening
    /// It asks again after the end of closing.
    case afterClosing
  }

  private(set) var step = Step.closed
  /// The numbers of the calls that wait for the opening. It goes on while there is one.
  private(set) var callers: Set<Int> = []
  private var next = 0
  /// Whether all waiting calls have been cancelled.
  private var isAbandoned = false

  /// Whether the contents can be read.
  var hasContents: Bool { step == .open || step == .closing }

  mutating func enter() -> Entrance {
    switch step {
    case .open: return .done
    case .closing: return .afterClosing
    case .opening: return isAbandoned ? .afterOpening : .join
    case .closed:
      step = .opening
      return .begin
    }
  }

  /// Counts a call that waits for the opening.
  /// - Returns: its number.
  mutating func join() -> Int {
    next += 1
    return next
  }

  mutating func wait(_ call: Int) { callers.insert(call) }

  /// Ends the waiting of a call.
  /// - Returns: whether the opening ends, because no call waits any more.
  mutating func leave(_ call: Int) -> Bool {
    guard callers.remove(call) != nil, callers.isEmpty, step == .opening else { return false }
    isAbandoned = true
    return true
  }

  mutating func endOpening(isOpen: Bool) {
    step = isOpen ? .open : .closed
    (callers, isAbandoned) = ([], false)
  }

  mutating func beginClosing() { step = .closing }

  mutating func endClosing(isClosed: Bool) { step = isClosed ? .closed : .open }
}

/// The places of saves: the states that are kept, and the next attempt after a failed save. Without tasks and clocks.
struct AutosavePlan: Sendable {
  /// The state that the recovery journal has.
  var keptPoint: UInt64?
  /// The state that a version was kept of on request.
  var versionPoint: UInt64?
  /// Whether ``DocumentConfiguration/afterSaving`` has not taken the last written contents.
  var isUndelivered = false
  /// The next attempt to save in place after failures. Nil if the last save succeeded.
  var retry: AutosaveRetry?

  /// The states in which the document cannot be saved in place.
  static var unsavable: DocumentStates { [.inConflict, .readOnly, .deleted, .undecodable] }

  /// Whether an automatic save is made in place, rather than into the recovery journal.
  /// - Parameters:
  ///   - states: the states of the document.
  ///   - isInPlace: whether the configuration and the contents allow it.
  ///   - now: the time, in seconds of the monotonic clock.
  func savesInPlace(_ states: DocumentStates, allowed isInPlace: Bool, at now: Double) -> Bool {
    isInPlace && states.isDisjoint(with: Self.unsavable) && retry.map { now >= $0.next } ?? true
  }

  /// Plans another attempt after a failed one.
  /// - Returns: nil if there is none. A document that cannot be written in place needs its user.
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
