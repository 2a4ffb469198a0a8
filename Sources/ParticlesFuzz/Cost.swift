internal import ParticlesCore
internal import ParticlesPlatform

/// The permitted cost of an input for each of its bytes: an input that costs more breaks a law.
///
/// The work is counted by the library, so it is the same everywhere. Time and memory are measured; their
/// bounds are ten times what the costliest fixture needs, for slow machines and the sanitizers.
struct Cost {
  /// A bound that grows with the number of bytes.
  private struct Bound {
    let free: Double
    let perByte: Double

    func holds(_ cost: Double, _ bytes: Int) -> Bool { cost <= free + perByte * Double(bytes) }
  }

  /// Steps. An emitter is read a few times, and written in every format; a file of a few bytes may have one.
  private static let work = Bound(free: 2_000_000, perByte: 400)
  /// Seconds of the processor.
  private static let time = Bound(free: 20 * slowness, perByte: 1e-4 * slowness)
  /// Bytes by which the process grows.
  private static let memory = Bound(free: Double(400 << 20), perByte: 4_096)

  #if DEBUG
    private static let slowness = 5.0
  #else
    private static let slowness = 1.0
  #endif

  private let start = Cost.seconds
  private let peak = Cost.peakBytes

  /// Runs `body`, which is fed with `count` bytes, and checks what it cost.
  static func check(_ count: Int, _ body: () throws -> Void) throws {
    let before = Cost()
    var limits = Limits.standard
    // The laws are many operations; each of them has limits of its own.
    (limits.work, limits.memory) = (.max, .max)
    try WorkBudget.run(limits) {
      defer { before.check(count) }
      try body()
    }
  }

  private func check(_ count: Int) {
    let (work, seconds) = (Double(WorkBudget.work), Self.seconds - start)
    let bytes = Double(Self.peakBytes - peak)
    Law.holds("\(count) bytes make \(work) steps of work", Self.work.holds(work, count))
    Law.holds("\(count) bytes take \(seconds) s", Self.time.holds(seconds, count))
    Law.holds("\(count) bytes need \(bytes) bytes of memory", Self.memory.holds(bytes, count))
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that the process had.
  private static var peakBytes: Int {
    var usage = rusage()
    // RUSAGE_SELF, whose type differs between systems.
    getrusage(0, &usage)
    #if canImport(Darwin)
      return Int(usage.ru_maxrss)
    #else
      return Int(usage.ru_maxrss) << 10
    #endif
  }
}
