internal import ParticlesPlatform

/// Converts errno values to diagnostics.
enum SystemError {
  /// Returns the diagnostic for an errno value on a path that was read or written.
  static func diagnostic(_ code: CInt, _ path: String, writing: Bool) -> Diagnostic {
    let location = Location(file: path)
    switch code {
    case ENOENT, ENOTDIR: return Diagnostic(.fileNotFound, at: location)
    case EEXIST, ENOTEMPTY: return Diagnostic(.fileExists, at: location)
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
}
