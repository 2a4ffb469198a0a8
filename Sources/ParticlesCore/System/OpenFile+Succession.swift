internal import ParticlesPlatform

/// What it takes to come after another file: a lock, and its attributes.
extension OpenFile {
  /// Waits for the lock of this file and keeps it until it is closed, at the latest when the process
  /// ends. Programs that do not ask for locks are not kept away by it.
  /// - Returns: whether the file still has a name.
  package func lock() throws -> Bool {
    // Some file systems have no locks; then nobody else gets one either.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try status().links > 0
  }

  /// Takes the lock if nobody has it.
  package func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  package func unlock() { flock(descriptor, LOCK_UN) }

  /// Takes over owner, extended attributes and permission bits of what this is to replace, as far
  /// as the user may give them away or read them.
  package func succeed(_ path: String, _ old: FileStatus) throws {
    var mode = old.mode
    if fchown(descriptor, old.owner.user, old.owner.group) != 0 {
      // The bits that lend rights must not lend those of somebody else.
      mode &= 0o777
      if fchown(descriptor, uid_t.max, old.owner.group) != 0 {
        // Another group gets what everybody gets, and no more than the old one had.
        mode &= 0o707 | (mode & 0o007) << 3
      }
    }
    if let old = try? OpenFile(reading: path) {
      let code = SystemCalls.copyAttributes(old.descriptor, descriptor)
      guard code == 0 else { throw SystemError.diagnostic(code, self.path, writing: true) }
    }
    try setMode(mode)
  }
}
