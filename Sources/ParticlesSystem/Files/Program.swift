internal import ParticlesCore
internal import ParticlesPlatform

/// Runs other programs.
package enum Program {
  /// Runs a program from `PATH` and waits for its end. Its input is empty and its output is
  /// discarded.
  /// - Returns: its exit status, or nil if it is not in `PATH`.
  /// - Throws: ``Rule/fileUnreadable`` if it cannot be run.
  package static func run(_ name: String, _ arguments: [String]) throws -> Int? {
    try run(name, arguments, setting: nil, visibly: false)
  }

  /// Runs a program from `PATH` with the standard streams of this process, and waits for its end.
  /// - Parameter variable: a variable of its environment. All other variables come from this process.
  package static func runVisibly(
    _ name: String, _ arguments: [String], setting variable: (name: String, value: String)
  ) throws -> Int? {
    try run(name, arguments, setting: "\(variable.name)=\(variable.value)", visibly: true)
  }

  private static func run(
    _ name: String, _ arguments: [String], setting variable: String?, visibly isVisible: Bool
  ) throws -> Int? {
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var status: CInt = 0
    let code = words.withUnsafeMutableBufferPointer { words in
      words.baseAddress.map { SystemCalls.run($0, setting: variable, visibly: isVisible, &status) }
        ?? EINVAL
    }
    switch code {
    case 0: return Int(status)
    case ENOENT: return nil
    default: throw SystemError.diagnostic(code, name, writing: false)
    }
  }

  /// The absolute path of the running program, or nil without `/proc`.
  package static var path: String? { try? Files.destination(ofLink: "/proc/self/exe") }
}

/// A program that reads from a pipe and writes a file.
///
/// Its result and its messages are in files without names. If this process or the program is ended, nothing
/// remains. A program that was not finished is ended when this object is released.
package final class PipedProgram {
  /// The path under which the program opens the file that it writes.
  package static let outputPath = "/dev/fd/3"

  private let name: String
  private let output: OpenFile
  private let messages: OpenFile
  private var input: OpenFile?
  private var process: CInt = 0
  private var isRunning = false
  private var end: (status: Int, message: String)?

  /// Starts a program from `PATH`, without a shell.
  /// - Parameter arguments: without the name of the program.
  /// - Throws: ``Rule/fileNotFound`` if there is no such program, and ``Rule/fileUnreadable`` or
  ///   ``Rule/fileUnwritable`` if it cannot be started.
  package init(_ name: String, _ arguments: [String]) throws {
    self.name = name
    output = try Self.scratch()
    messages = try Self.scratch()
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pipe: CInt = -1
    let (result, text) = (output.descriptor, messages.descriptor)
    let code = words.withUnsafeMutableBufferPointer { words in
      words.baseAddress.map {
        SystemCalls.start($0, output: result, messages: text, &pipe, &process)
      } ?? EINVAL
    }
    guard code == 0 else { throw SystemError.diagnostic(code, name, writing: false) }
    input = OpenFile(path: name, descriptor: pipe)
    isRunning = true
  }

  deinit {
    input = nil
    if isRunning { SystemCalls.stop(process) }
  }

  private static func scratch() throws -> OpenFile {
    let descriptor = SystemCalls.openScratch()
    guard descriptor >= 0 else {
      throw SystemError.diagnostic(-descriptor, "a temporary file", writing: true)
    }
    return OpenFile(path: "a temporary file", descriptor: descriptor)
  }

  /// Writes bytes to the program.
  /// - Returns: false if it does not read any more. ``finish()`` then tells why.
  package func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let input else { return false }
    switch SystemCalls.write(toPipe: input.descriptor, bytes) {
    case 0: return true
    case EPIPE: return false
    case let code: throw SystemError.diagnostic(code, name, writing: true)
    }
  }

  /// Ends the input and waits for the end of the program.
  /// - Returns: its exit status (128 and the number of the signal that ended it), and the last line of its
  ///   messages, or an empty text.
  package func finish() throws -> (status: Int, message: String) {
    if let end { return end }
    input = nil
    var status: CInt = 0
    let code = SystemCalls.wait(process, &status)
    isRunning = false
    guard code == 0 else { throw SystemError.diagnostic(code, name, writing: false) }
    let size = min(try messages.status().size, 1 << 20)
    let text = String(decoding: try Self.read(messages, 0..<size), as: UTF8.self)
    let line = text.split { $0.isNewline }.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
    let result = (Int(status), String(line.prefix(500)))
    end = result
    return result
  }

  private static func read(_ file: OpenFile, _ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = range.count
      try file.read(
        at: range.lowerBound,
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }

  /// Passes the file that the program wrote on, in pieces.
  /// - Returns: its size in bytes.
  @discardableResult
  package func readOutput(_ body: ([UInt8]) throws -> Void) throws -> Int {
    let size = try output.status().size
    for start in stride(from: 0, to: size, by: 1 << 20) {
      try body(try Self.read(output, start..<min(size, start + (1 << 20))))
    }
    return size
  }
}

/// This process and this machine.
package enum RunningProcess {
  package static var identifier: Int { Int(getpid()) }

  /// The name of the program of a process, or nil without `/proc`.
  package static func name(of process: Int) -> String? {
    guard let file = try? OpenFile(reading: "/proc/\(process)/comm"),
      let bytes = try? file.readToEnd(limits: .standard)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// A variable of the environment of this process, or nil if it is not set.
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

  /// Returns the time of a text that ``text(_:inUTC:)`` makes, also with a `T` between date and time. Nil for any other
  /// text.
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
