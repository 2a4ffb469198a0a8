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

  /// The same with the standard streams of this process.
  /// - Parameter variable: a variable of its environment, which is that of this process otherwise.
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

  /// The absolute path of the running program; nil without `/proc`.
  package static var path: String? { try? Files.destination(ofLink: "/proc/self/exe") }
}
