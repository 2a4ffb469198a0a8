internal import ParticlesPlatform

/// The time and memory of one run.
struct Sample {
  /// Wall-clock seconds.
  var wall: Double
  /// Processor seconds of all cores, user and system.
  var processor: Double
  /// Peak memory in bytes; nil for work inside this process.
  var memory: Int?
}

extension Sample {
  /// Times that are multiplied.
  func scaled(by factor: Double) -> Sample {
    Sample(wall: wall * factor, processor: processor * factor, memory: memory)
  }

  /// The median of each figure by itself; nil of nothing.
  static func median(of samples: [Sample]) -> Sample? {
    guard let wall = median(samples.map(\.wall)),
      let processor = median(samples.map(\.processor))
    else { return nil }
    // Memory has a limit, so that the maximum counts, not the median.
    return Sample(wall: wall, processor: processor, memory: samples.compactMap(\.memory).max())
  }

  /// The middle one of an odd number of values, the mean of the middle two of an even number.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Clocks of the system, in seconds.
enum Clock {
  /// The monotonic clock.
  static var wall: Double { now(CLOCK_MONOTONIC) }

  /// The processor time of this process.
  static var processor: Double { now(CLOCK_PROCESS_CPUTIME_ID) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The processor time in a report of the system.
  static func seconds(_ usage: rusage) -> Double {
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
