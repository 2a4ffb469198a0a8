internal import ParticlesPlatform

/// Other programs.
package enum Program {
  /// Runs a program that is found in `PATH`, and waits for its end. It reads nothing, and nobody
  /// hears what it says.
  /// - Returns: its exit status, or nil if there is no such program.
  /// - Throws: ``Rule/fileUnreadable`` if it is there and cannot be run.
  package static func run(_ name: String, _ arguments: [String]) throws -> Int? {
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var status: CInt = 0
    let code = words.withUnsafeMutableBufferPointer { words in
      words.baseAddress.map { SystemCalls.run($0, &status) } ?? EINVAL
    }
    switch code {
    case 0: return Int(status)
    case ENOENT: return nil
    default: throw SystemError.diagnostic(code, name, writing: false)
    }
  }

  /// The absolute path of the running program, or nil if the system does not say.
  package static var path: String? { try? Files.destination(ofLink: "/proc/self/exe") }
}
