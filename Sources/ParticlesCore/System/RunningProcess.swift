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

  /// The name of the program of this process.
  package static var name: String { name(of: identifier) ?? "program" }

  /// The identifier of the user.
  package static var user: UInt32 { geteuid() }

  /// Gives memory that was freed back to the system, after something large is done with.
  package static func giveBackMemory() { SystemCalls.giveBackMemory() }

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

  /// Returns the time of a text that ``text(_:inUTC:)`` makes, also one with a `T` between date and time; nil for other
  /// texts.
  package static func seconds(of text: String, inUTC isUTC: Bool = false) -> Double? {
    let numbers = text.split { "-: T".utf8.contains($0.utf8.first ?? 0) }.map { Int32($0) }
    guard numbers.count == 6, text.utf8.count == 19 else { return nil }
    var parts = tm()
    guard let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      (1...12).contains(month), (1...31).contains(day), (0...24).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (hour, minute, second, -1)
    return Double(isUTC ? timegm(&parts) : mktime(&parts))
  }

  /// Returns a time in the form `2026-11-22 09:07:23`, in the time zone of the user or in UTC.
  package static func text(_ seconds: Double, inUTC isUTC: Bool = false) -> String {
    var time = time_t(saturating: seconds)
    var parts = tm()
    _ = isUTC ? gmtime_r(&time, &parts) : localtime_r(&time, &parts)
    func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
