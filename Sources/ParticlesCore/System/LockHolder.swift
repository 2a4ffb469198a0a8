/// A process that holds the lock of a file.
package struct LockHolder: Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the process.
  package var process: Int
  /// The name of its program; nil if it is unknown.
  package var program: String?

  /// `particles (process 4711)`
  package var description: String { "\(program ?? "a program") (process \(process))" }

  /// Returns the process that holds the lock (`flock`) of a file; nil if no process does, or if the
  /// system does not tell.
  package static func current(of file: OpenFile) -> LockHolder? {
    guard let identity = try? file.status().state.identity,
      let bytes = try? OpenFile(reading: "/proc/locks").readToEnd(limits: .standard)
    else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // 1: FLOCK  ADVISORY  WRITE 4711 08:01:131098 0 EOF
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", let process = Int(words[4]), process > 0,
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == identity.node
      else { continue }
      return LockHolder(process: process, program: RunningProcess.name(of: process))
    }
    return nil
  }
}
