internal import ParticlesPlatform

/// Locks, and the attributes of a file that is replaced.
extension OpenFile {
  /// Waits for the advisory lock (`flock`) of this file. It is held until the file is closed or the
  /// process ends.
  /// - Parameter deadline: until when to wait; the lock is tried at least once.
  /// - Returns: whether the file still has a name.
  /// - Throws: ``Rule/fileBusy`` with the path of the file if another program holds the lock at the
  ///   end of `deadline`.
  package func lock(until deadline: Deadline = .standard) throws -> Bool {
    // No system call waits for a lock for a limited time. The first waits are short, because other
    // saves hold the lock for some milliseconds.
    var pause = 0.0002
    while true {
      let code = try withDescriptor { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }
      // Another error means that the file system has no locks.
      guard code == EWOULDBLOCK || code == EINTR else { break }
      guard !deadline.isOver else {
        throw Diagnostic(
          .fileBusy, at: Location(file: path),
          "it was locked for \(JSONNumber(deadline.seconds).text) s",
          found: LockHolder.current(of: self).map { "the lock of \($0)" })
      }
      MonotonicClock.wait(seconds: pause)
      pause = min(2 * pause, 0.01)
    }
    return try status().links > 0
  }

  /// Takes the lock if it is free.
  package func tryLock() -> Bool { (try? withDescriptor { flock($0, LOCK_EX | LOCK_NB) }) == 0 }

  /// Takes a lock that several programs can have, if no program has the other one.
  package func tryShare() -> Bool { (try? withDescriptor { flock($0, LOCK_SH | LOCK_NB) }) == 0 }

  package func unlock() { _ = try? withDescriptor { flock($0, LOCK_UN) } }

  /// Copies owner, extended attributes and permission bits of the file that this one will replace,
  /// as far as the user is permitted to.
  package func succeed(_ path: String, _ old: FileStatus) throws {
    try succeed(try? OpenFile(reading: path), old)
  }

  /// The same, if the file is open; nil if it cannot be read.
  package func succeed(_ file: OpenFile?, _ old: FileStatus) throws {
    var mode = old.mode
    try withDescriptor { descriptor in
      if fchown(descriptor, old.owner.user, old.owner.group) != 0 {
        // The set-user-ID and set-group-ID bits must not apply to another owner.
        mode &= 0o777
        if fchown(descriptor, uid_t.max, old.owner.group) != 0 {
          // Another group gets the rights of others, and no more than the old group had.
          mode &= 0o707 | (mode & 0o007) << 3
        }
      }
      guard let file else { return }
      let code = try file.withDescriptor { SystemCalls.copyAttributes($0, descriptor, &mode) }
      guard code == 0 else { throw SystemError.diagnostic(code, self.path, writing: true) }
    }
    try setMode(mode)
  }
  /// The same for a copy of a file.
  /// - Parameter keepsTime: whether the time of the last change is copied, too.
  package func succeed(_ old: OpenFile, keepingTime keepsTime: Bool) throws {
    let status = try old.status()
    try succeed(old, status)
    if keepsTime { try setModified(as: status.state) }
  }
}
