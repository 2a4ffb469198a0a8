/// The time until which an operation waits for other programs. Several waits of one operation share it.
package struct Deadline: Sendable {
  /// The duration from the creation of the deadline to its end, in seconds.
  package let seconds: Double

  private let end: Double

  /// Creates a deadline that ends after a number of seconds; at once for 0 and less.
  package init(seconds: Double) {
    self.seconds = max(0, seconds)
    end = MonotonicClock.seconds + self.seconds
  }

  /// A deadline for operations whose caller has not chosen one: it ends after 5 seconds.
  package static var standard: Deadline { Deadline(seconds: 5) }

  package var isOver: Bool { MonotonicClock.seconds >= end }
}
