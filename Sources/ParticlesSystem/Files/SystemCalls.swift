internal import CParticlesSystem
internal import ParticlesCore
internal import ParticlesPlatform

/// System calls that Swift cannot call directly. Each returns 0 or an errno value.
enum SystemCalls {
  /// Renames, and fails with EEXIST if `to` exists.
  static func renameExclusively(_ from: String, _ to: String) -> CInt {
    RawPath.call(from, to) { particles_rename_exclusive($0, $1) }
  }

  /// Swaps two existing files or directories.
  static func swap(_ a: String, _ b: String) -> CInt {
    RawPath.call(a, b) { particles_rename_swap($0, $1) }
  }

  /// Flushes the file system of a file to the disk.
  static func synchronizeFileSystem(_ descriptor: CInt) -> CInt {
    particles_sync_filesystem(descriptor)
  }

  /// Shares whole blocks of a file with another, without copying.
  static func share(_ from: CInt, _ range: Range<Int>, with to: CInt, at position: Int) -> CInt {
    particles_share_range(
      from, Int64(range.lowerBound), to, Int64(position), Int64(range.count))
  }

  /// Copies the extended attributes of an open file to another, as far as permitted. See the header.
  static func copyAttributes(_ from: CInt, _ to: CInt, _ mode: inout UInt32) -> CInt {
    particles_copy_attributes(from, to, &mode)
  }

  /// Opens a folder below another folder, to reach its contents. Returns a descriptor or a negative errno value.
  static func holdFolder(_ folder: CInt, _ path: String) -> CInt {
    RawPath.call(path) { particles_hold_folder(folder, $0) }
  }

  /// A value of the thread, for ``Places``.
  static var places: UnsafeRawPointer? {
    get { particles_places() }
    set { particles_set_places(newValue) }
  }

  /// Opens a path below a folder without following links. Returns a descriptor or a negative errno
  /// value.
  static func openBeneath(_ folder: CInt, _ path: String, _ flags: CInt, _ mode: UInt32) -> CInt {
    particles_open_beneath(folder, path, flags, mode)
  }

  /// Gives freed memory back to the system.
  static func giveBackMemory() { particles_give_back_memory() }

  /// Runs a program to its end. See the header.
  static func run(
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, setting variable: String?,
    visibly isVisible: Bool, _ status: inout CInt
  ) -> CInt {
    particles_run(arguments, variable, isVisible ? 1 : 0, &status)
  }

  /// Starts a program. See the header.
  static func start(
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, output: CInt, messages: CInt,
    _ input: inout CInt, _ process: inout CInt
  ) -> CInt {
    particles_start(arguments, output, messages, &input, &process)
  }

  /// Writes bytes to a program. See the header.
  static func write(toPipe pipe: CInt, _ bytes: UnsafeRawBufferPointer) -> CInt {
    particles_write_to_pipe(pipe, bytes.baseAddress, UInt(bytes.count))
  }

  /// Waits for the end of a program.
  static func wait(_ process: CInt, _ status: inout CInt) -> CInt {
    particles_wait(process, &status)
  }

  /// Ends a program.
  static func stop(_ process: CInt) { particles_end_process(process) }

  /// Creates a file without a name. See the header.
  static func openScratch() -> CInt { particles_open_scratch() }

  /// Creates a watch. See the header.
  static func createWatch() -> CInt { particles_watch_create() }

  /// Adds a folder to a watch. See the header.
  static func addFolder(_ watch: CInt, _ path: String) -> CInt {
    RawPath.call(path) { particles_watch_add(watch, $0) }
  }

  static func removeFolder(_ watch: CInt, _ number: CInt) { particles_watch_remove(watch, number) }

  /// Waits for an event of a watch. See the header.
  static func waitForEvent(_ watch: CInt, _ wake: CInt, milliseconds: CInt) -> CInt {
    particles_watch_wait(watch, wake, milliseconds)
  }

  /// An event of a watch.
  struct WatchEvent {
    /// The number of the folder, or -1 if events were lost.
    var number: CInt
    var isEnd: Bool
    /// The name in the folder, or nil for the folder itself.
    var name: String?
  }

  /// Reads the events of a watch that have happened.
  static func events(_ watch: CInt) -> [WatchEvent] {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
      var events: [WatchEvent] = []
      let end = particles_watch_read(watch, buffer.baseAddress, CInt(buffer.count))
      var offset: CInt = 0
      while offset < end {
        var event = particles_watch_event()
        offset = particles_watch_next(buffer.baseAddress, offset, &event)
        events.append(
          WatchEvent(
            number: event.number, isEnd: event.isEnd != 0,
            name: event.name.map { RawPath.text($0) }))
      }
      return events
    }
  }

  /// Maps the beginning of a file. See the header.
  static func pin(_ descriptor: CInt, _ size: Int) -> UnsafeMutableRawPointer? {
    particles_pin(descriptor, UInt(size))
  }

  /// Ends a mapping.
  static func unpin(_ start: UnsafeMutableRawPointer, _ size: Int) {
    particles_unpin(start, UInt(size))
  }

  /// Copies bytes of a mapping. See the header.
  static func read(
    pinned start: UnsafeRawPointer, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> CInt {
    particles_read_pinned(start, UInt(offset), buffer.baseAddress, UInt(buffer.count))
  }

  /// The number of descriptors that the process may have open.
  static var descriptorLimit: CInt { particles_descriptor_limit() }

  /// Creates a file without a name in a folder. Returns a descriptor or a negative errno value.
  static func openAnonymous(in folder: String, mode: UInt32) -> CInt {
    RawPath.call(folder) { particles_open_anonymous($0, mode) }
  }

  /// Gives a file without a name a name, unless that exists.
  static func linkAnonymous(_ descriptor: CInt, as path: String) -> CInt {
    RawPath.call(path) { particles_link_anonymous(descriptor, $0) }
  }

  /// Reads an extended attribute. See the header.
  static func attribute(
    _ name: String, of path: String, following isFollowing: Bool,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    Int(
      RawPath.call(path) {
        particles_get_attribute(
          $0, name, buffer.baseAddress, UInt(buffer.count), isFollowing ? 1 : 0)
      })
  }

  /// Sets or removes an extended attribute. See the header.
  static func setAttribute(
    _ name: String, of path: String, following isFollowing: Bool, to bytes: [UInt8]
  ) -> CInt {
    bytes.withUnsafeBytes { value in
      // No bytes have no address, which removes the attribute.
      let start = bytes.isEmpty ? nil : value.baseAddress
      return RawPath.call(path) {
        particles_set_attribute($0, name, start, UInt(value.count), isFollowing ? 1 : 0)
      }
    }
  }

  /// When a file was created, since 1970. Nil if unknown.
  static func birthTime(_ path: String) -> (seconds: Int64, nanoseconds: UInt32)? {
    var (seconds, nanoseconds) = (Int64(), UInt32())
    let code = RawPath.call(path) { particles_birth_time($0, &seconds, &nanoseconds) }
    return code == 0 ? (seconds, nanoseconds) : nil
  }

  /// Whether the file system of a file is on a network, or served by a program.
  static func isRemote(_ path: String) -> Bool {
    RawPath.call(path) { particles_is_remote($0) } != 0
  }

  /// The number of processors that the process may use.
  static var processorCount: Int { Int(particles_processor_count()) }

  /// Bytes of memory of the machine.
  static var memorySize: Int { Int(clamping: particles_memory_size()) }

  /// Tells the processor that a loop waits for another thread.
  static func waitAMoment() { particles_wait_a_moment() }
}

/// Temporary files and the signals that end the process.
///
/// A program calls ``removeOnSignals()`` once. A library leaves the signals of its user alone, and
/// without that call, all other functions do nothing.
package enum Temporaries {
  /// Makes SIGINT, SIGTERM and SIGHUP remove all temporary files and folders of this process before they
  /// end it.
  package static func removeOnSignals() { particles_remove_temporaries_on_signals() }

  /// Runs `body`, which may create a file or folder at `path`. A signal meanwhile removes it.
  static func registering<Result>(
    _ path: String, _ body: () throws -> Result
  ) rethrows -> Result {
    let number = register(path)
    defer { forget(number) }
    do {
      return try body()
    } catch {
      // The error may be a consequence of the removal.
      stopIfEnding()
      throw error
    }
  }

  /// Registers a file or folder that a signal removes, until ``forget(_:)`` gets the result.
  static func register(_ path: String) -> CInt {
    RawPath.call(path) { particles_register_temporary($0) }
  }

  /// Ends a registration.
  static func forget(_ registration: CInt) { particles_forget_temporary(registration) }

  /// Runs `body`, which renames a temporary folder. Signals take effect after it.
  static func delayingSignals<Result>(_ body: () throws -> Result) rethrows -> Result {
    particles_delay_signals()
    defer { particles_allow_signals() }
    return try body()
  }

  /// Does not return if a signal is ending the process. To be called before anything is created in a
  /// temporary folder.
  static func stopIfEnding() { particles_stop_if_ending() }
}

/// The errno value of a diagnostic, for programs.
struct SystemErrorNumber: DiagnosticDetail {
  static let key = "errno"
  let number: CInt
  var json: JSONValue { .int(Int(number)) }
}

/// Converts errno values to diagnostics.
enum SystemError {
  /// Returns the diagnostic for an errno value on a path that was read or written.
  static func diagnostic(_ code: CInt, _ path: String, writing: Bool) -> Diagnostic {
    var fault = fault(code, path, writing: writing)
    fault.setDetail(SystemErrorNumber(number: code))
    return fault
  }

  private static func fault(_ code: CInt, _ path: String, writing: Bool) -> Diagnostic {
    let location = Location(file: path)
    switch code {
    case ENOENT, ENOTDIR: return Diagnostic(.fileNotFound, at: location)
    case EEXIST, ENOTEMPTY: return Diagnostic(.fileExists, at: location)
    case EMFILE:
      return Diagnostic(
        writing ? .fileUnwritable : .fileUnreadable, at: location,
        "this process has too many files open",
        expected: "at most \(SystemCalls.descriptorLimit), of which \(reserve) are not for files",
        hint: "close documents, or raise the limit with 'ulimit -n'")
    default:
      let reason = String(cString: strerror(code)).lowercased()
      return Diagnostic(writing ? .fileUnwritable : .fileUnreadable, at: location, reason)
    }
  }

  /// Runs a system call that returns −1 on failure. Repeats it if a signal interrupted it.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ path: String, writing: Bool, _ call: () -> Result
  ) throws -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw diagnostic(errno, path, writing: writing) }
    }
  }

  /// How many descriptors are not used for files. The runtime needs some, and ends the process without.
  private static let reserve: CInt = 16

  /// Runs a system call that opens a file. Leaves some descriptors of the process free.
  /// - Parameter undo: called if the file was opened, but is closed again.
  static func open(
    _ path: String, writing: Bool, undo: () -> Void = {}, _ call: () -> CInt
  ) throws -> CInt {
    for isFirst in [true, false] {
      var descriptor = call()
      while descriptor < 0, errno == EINTR { descriptor = call() }
      let code = descriptor < 0 ? errno : isInReserve(descriptor) ? EMFILE : 0
      if code == 0 { return descriptor }
      if descriptor >= 0 {
        close(descriptor)
        undo()
      }
      guard code == EMFILE, isFirst else { throw diagnostic(code, path, writing: writing) }
      // Files that can be read without a descriptor give theirs up.
      AwakeFiles.park()
    }
    throw diagnostic(EMFILE, path, writing: writing)
  }

  /// Whether a new descriptor is one of the last. The system gives out the lowest number that is free.
  private static func isInReserve(_ descriptor: CInt) -> Bool {
    guard descriptor >= 2 * reserve else { return false }
    return descriptor >= SystemCalls.descriptorLimit - reserve
  }
}
