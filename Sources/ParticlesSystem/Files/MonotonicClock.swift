internal import ParticlesCore
internal import ParticlesPlatform

/// A clock for durations that is not affected by changes of the system time.
package enum MonotonicClock {
  /// The seconds since a fixed but unspecified moment.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Blocks the current thread for a number of seconds.
  package static func wait(seconds: Double) {
    let whole = seconds.rounded(.down)
    var time = timespec(
      tv_sec: Int(saturating: whole), tv_nsec: Int(saturating: (seconds - whole) * 1e9))
    var rest = timespec()
    while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }
}

/// The time until which an operation waits for other programs. Several waits of one operation share it.
package struct Deadline: Sendable {
  /// The duration from the creation of the deadline to its end, in seconds.
  package let seconds: Double

  private let end: Double

  /// Creates a deadline that ends after a number of seconds, or at once for 0 and less.
  package init(seconds: Double) {
    self.seconds = max(0, seconds)
    end = MonotonicClock.seconds + self.seconds
  }

  /// A deadline for operations whose caller has not chosen one: it ends after 5 seconds.
  package static var standard: Deadline { Deadline(seconds: 5) }

  package var isOver: Bool { MonotonicClock.seconds >= end }
}
