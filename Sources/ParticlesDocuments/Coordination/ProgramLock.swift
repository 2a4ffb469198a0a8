internal import ParticlesCore

/// A locked file that tells other programs that this one is running: `particles/programs/PROCESS-RANDOM.lock`
/// below a folder. The system ends the lock with the process. All records of the program there name it by
/// their own names, and all entries of the recovery journal in their descriptions, so that it needs one
/// descriptor, however many documents are open.
final class ProgramLock: Sendable {
  /// The name without the extension.
  let name: String

  private let path: String
  private let file: OpenFile

  private struct Weak: Sendable { weak var lock: ProgramLock? }

  private static let known = Lock<[String: Weak]>([:])

  private static func folder(in base: String) -> String { Files.joined(base, "particles/programs") }

  private static func path(of name: String, in base: String) -> String {
    Files.joined(folder(in: base), "\(name).lock")
  }

  /// The lock of this program below a folder. It is removed with the last record.
  static func current(in base: String) throws -> ProgramLock {
    try known.withLock { known in
      if let lock = known[base]?.lock { return lock }
      let new = try ProgramLock(base)
      known[base] = Weak(lock: new)
      return new
    }
  }

  private init(_ base: String) throws {
    try Files.makeDirectories(Self.folder(in: base))
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    name = "\(RunningProcess.identifier)-\(number)"
    path = Self.path(of: name, in: base)
    file = try OpenFile(creating: path, mode: 0o600)
    _ = file.tryLock()
    Self.removeOthers(in: base)
  }

  deinit { try? Files.removeAll(path) }

  /// Whether the program of a lock is running.
  static func isHeld(_ name: String, in base: String) -> Bool {
    guard !name.contains("/"),
      let file = try? OpenFile(readingAtOnce: path(of: name, in: base))
    else { return false }
    return !file.tryShare()
  }

  /// Removes the locks of programs that have ended.
  private static func removeOthers(in base: String) {
    for name in (try? Files.list(folder(in: base), passingOver: { _ in })) ?? [] {
      guard name.hasSuffix(".lock") else { continue }
      // Its program may have created it, but not locked it yet.
      let path = Files.joined(folder(in: base), name)
      guard let status = try? Files.status(path), WallClock.seconds - status.state.modified > 10,
        !isHeld(String(name.dropLast(5)), in: base)
      else { continue }
      try? Files.removeAll(path)
    }
  }
}
