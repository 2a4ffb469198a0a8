internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesSimulation
internal import ParticlesSystem
internal import Synchronization

/// The machine, system, commit and time of a measurement.
struct Machine {
  let date: String
  let cores: Int
  let processor: String
  let system: String
  /// The commit of the folder we were started in, with a plus if there are changes. Nil if it is no checkout.
  let commit: String?

  init() {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let fields = [
      Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday), Int(parts.tm_hour),
      Int(parts.tm_min),
    ]
    let text = fields.map { $0 < 10 ? "0\($0)" : "\($0)" }
    date = text[..<3].joined(separator: "-") + " " + text[3...].joined(separator: ":") + " UTC"
    cores = sysconf(CInt(_SC_NPROCESSORS_ONLN))
    processor = Self.processorName ?? "unknown processor"
    system = Self.line(["uname", "-sr"]) ?? "unknown system"
    commit = Self.line(["git", "rev-parse", "--short", "HEAD"]).map { commit in
      let changes = Self.line(["git", "status", "--porcelain", "--untracked-files=no"])
      return changes == nil ? commit : commit + "+"
    }
  }

  private static var processorName: String? {
    #if os(Linux)
      guard let bytes = try? Files.read("/proc/cpuinfo") else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      let line = lines.first { $0.hasPrefix("model name") }
      return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
    #else
      return line(["sysctl", "-n", "machdep.cpu.brand_string"])
    #endif
  }

  /// The first line that a program prints. Nil without a line, or without the program.
  private static func line(_ words: [String]) -> String? {
    guard let bytes = try? ChildProcess(words: words).output() else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}

/// Times of minimal calls in Swift, for comparison with `Tests/Library/goals.c`, which uses the interface for C.
struct CallCosts {
  /// An owner of a simulation, as a handle is.
  private final class Owner {
    var simulation: Simulation?

    init(_ simulation: Simulation) { self.simulation = simulation }

    @inline(never)
    func advance() -> Bool {
      guard let simulation else { return false }
      simulation.advance(by: 0)
      return true
    }

    @inline(never)
    func describe() -> Int {
      guard let simulation else { return 0 }
      let count = simulation.population(ofEmitter: 0)
      return count.alive + count.emitted + simulation.system.emitters.count
        + Int(saturating: simulation.time)
    }
  }

  /// Lines with the name of a function for C, and the nanoseconds of its work in Swift.
  static func text() throws -> String {
    let template = EffectTemplate.all.first { $0.name == "fire" } ?? EffectTemplate.all[0]
    let owner = Owner(Simulation(try template.package().system()))
    var sum = 0
    let advance = least { sum += owner.advance() ? 1 : 0 }
    let describe = least { sum &+= owner.describe() }
    guard sum != 0 else { return "" }
    return """
      particles_simulation_advance \(Decimal.fixed(advance, 1))
      particles_simulation_describe \(Decimal.fixed(describe, 1))

      """
  }

  /// The least time of a call in nanoseconds, in 1,000 rounds of 1,000, so that other programs count little.
  private static func least(_ call: () -> Void) -> Double {
    var least = Double.infinity
    for _ in 0..<1000 {
      let start = Clock.wall
      for _ in 0..<1000 { call() }
      least = min(least, (Clock.wall - start) * 1e6)
    }
    return least
  }
}

/// The time and memory of one run.
struct Sample {
  /// Wall-clock seconds.
  var wall: Double
  /// Processor seconds of all cores, user and system.
  var processor: Double
  /// Peak memory in bytes. Nil for work inside this process.
  var memory: Int?
}

extension Sample {
  /// Times that are multiplied.
  func scaled(by factor: Double) -> Sample {
    Sample(wall: wall * factor, processor: processor * factor, memory: memory)
  }

  /// The median of each figure separately. Nil for an empty array.
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

/// A folder that only this run uses.
struct Scratch {
  let path: String

  /// Makes a folder in memory if there is room, so that no disk is measured.
  /// - Parameter room: how many bytes will be needed.
  init(room: Int) throws {
    let place = Self.free(in: "/dev/shm") >= room ? "/dev/shm" : Files.temporaryFolder
    path = Files.joined(place, "particles-bench-\(getpid())")
    try Files.makeDirectory(path)
  }

  /// One on a disk, if that is where temporary files are.
  static func onDisk() throws -> Scratch {
    let path = Files.joined(Files.temporaryFolder, "particles-bench-\(getpid())-disk")
    try Files.makeDirectory(path)
    return Scratch(path: path)
  }

  private init(path: String) { self.path = path }

  func remove() { try? Files.removeAll(path) }

  private static func free(in folder: String) -> Int {
    var status = statvfs()
    guard access(folder, W_OK) == 0, statvfs(folder, &status) == 0 else { return 0 }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }
}

/// The run was interrupted with control-C. The scratch folder, which may hold gigabytes, is removed.
struct Interruption: Error {
  private static let seen = Atomic(false)

  /// From now on, an interrupt is remembered until ``check()``.
  static func watch() {
    signal(SIGINT) { _ in Interruption.seen.store(true, ordering: .relaxed) }
  }

  /// Throws if there was an interrupt.
  static func check() throws {
    if seen.load(ordering: .relaxed) { throw Interruption() }
  }
}
