internal import ParticlesPlatform

/// Permissions of the user on files and folders, by permission bits and by the file system.
extension Files {
  /// Whether the user may write to an existing file. False on a read-only file system.
  package static func isWritable(_ path: String) -> Bool {
    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  /// Whether the user may create and rename files in a folder. False on a read-only file system.
  package static func canCreate(in folder: String) -> Bool {
    faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0
  }

  /// Whether a file is on a file system whose memory programs cannot share: a network (NFS, SMB), or a program that
  /// serves files (FUSE). False if it is not known.
  package static func isRemote(_ path: String) -> Bool { SystemCalls.isRemote(path) }
}

extension FileStatus {
  /// Whether a file has no write permission for anyone, as `chmod a-w` leaves it.
  package var isReadOnly: Bool { mode & 0o222 == 0 }

  /// Whether a new file of the user can have the same owner and group.
  package var canKeepOwner: Bool {
    guard geteuid() != 0 else { return true }
    guard owner.user == geteuid() else { return false }
    return owner.group == getegid() || Self.groups.contains(owner.group)
  }

  /// The supplementary groups of the user.
  private static var groups: [UInt32] {
    let count = getgroups(0, nil)
    guard count > 0 else { return [] }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = getgroups(count, &groups)
    return groups.prefix(Int(max(filled, 0))).map { UInt32($0) }
  }
}
