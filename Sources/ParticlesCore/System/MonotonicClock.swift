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
