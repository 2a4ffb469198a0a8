internal import ParticlesCore
internal import ParticlesPlatform

/// The machine, system, commit and time of a measurement.
struct Machine {
  let date: String
  let cores: Int
  let processor: String
  let system: String
  /// The commit of the folder we were started in, with a plus if there are changes; nil if it is
  /// no checkout.
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

  /// The first line that a program prints; nil if there is none, or no such program.
  private static func line(_ words: [String]) -> String? {
    guard let bytes = try? ChildProcess(words: words).output() else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
