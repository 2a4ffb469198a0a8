internal import ParticlesPlatform

/// A clock that nobody sets: for how long something has taken, not for what time it is.
package enum MonotonicClock {
  /// The seconds since some moment, the same one for the whole life of the process.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
