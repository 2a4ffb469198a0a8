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
  /// Whether all of them have been cancelled.
  private var isAbandoned = false

  /// Whether there are contents to be read.
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

  /// Ends the opening.
  mutating func endOpening(isOpen: Bool) {
    step = isOpen ? .open : .closed
    (callers, isAbandoned) = ([], false)
  }

  mutating func beginClosing() { step = .closing }

  /// Ends the closing.
  mutating func endClosing(isClosed: Bool) { step = isClosed ? .closed : .open }
}
