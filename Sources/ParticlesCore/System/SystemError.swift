internal import ParticlesPlatform

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
    fault.detailed = SystemErrorNumber(number: code)
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
