internal import ParticlesPlatform

/// What one run took.
struct Sample {
  /// Seconds by the clock on the wall.
  var wall: Double
  /// Seconds of all cores together, in the program and in the system on its behalf.
  var processor: Double
  /// The most bytes of memory it had at once; nil for what ran inside this process.
  var memory: Int?
}

extension Sample {
  /// The median of each figure by itself; nil of nothing.
  static func median(of samples: [Sample]) -> Sample? {
    guard let wall = median(samples.map(\.wall)),
      let processor = median(samples.map(\.processor))
    else { return nil }
    // Of memory it is the worst that counts: a limit is not kept half of the time.
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
  /// A time that only ever grows.
  static var wall: Double { now(CLOCK_MONOTONIC) }

  /// What this process has used of its cores.
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
