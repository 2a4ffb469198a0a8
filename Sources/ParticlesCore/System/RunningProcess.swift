internal import ParticlesPlatform

/// This process and this machine.
package enum RunningProcess {
  /// The identifier of this process.
  package static var identifier: Int { Int(getpid()) }

  /// The name of the program of a process; nil without `/proc`.
  package static func name(of process: Int) -> String? {
    guard let file = try? OpenFile(reading: "/proc/\(process)/comm"),
      let bytes = try? file.readToEnd(limits: .standard)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// A variable of the environment of this process; nil if it is not set.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The number of the user that this process acts for.
  package static var user: UInt32 { geteuid() }

  /// The name of the program of this process.
  package static var name: String { name(of: identifier) ?? "program" }

  /// The name of this machine.
  package static var host: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The time of day.
package enum WallClock {
  /// The seconds since 1970, in UTC.
  package static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns a time in the form `2026-11-22 09:07:23`, in the time zone of the user or in UTC.
  package static func text(_ seconds: Double, inUTC isUTC: Bool = false) -> String {
    var time = time_t(seconds)
    var parts = tm()
    _ = isUTC ? gmtime_r(&time, &parts) : localtime_r(&time, &parts)
    func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
