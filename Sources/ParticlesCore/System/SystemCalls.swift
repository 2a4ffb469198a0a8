internal import CParticlesSystem

/// System calls that Swift cannot call directly. Each returns 0 or an errno value.
enum SystemCalls {
  /// Renames, and fails with EEXIST if `to` exists.
  static func renameExclusively(_ from: String, _ to: String) -> CInt {
    particles_rename_exclusive(from, to)
  }

  /// Swaps two existing files or directories.
  static func swap(_ a: String, _ b: String) -> CInt { particles_rename_swap(a, b) }

  /// Flushes the file system of a file to the disk.
  static func synchronizeFileSystem(_ descriptor: CInt) -> CInt {
    particles_sync_filesystem(descriptor)
  }

  /// Shares whole blocks of a file with another, without copying.
  static func share(_ from: CInt, _ range: Range<Int>, with to: CInt, at position: Int) -> CInt {
    particles_share_range(
      from, Int64(range.lowerBound), to, Int64(position), Int64(range.count))
  }

  /// Copies the extended attributes of an open file to another, as far as permitted.
  static func copyAttributes(_ from: CInt, _ to: CInt) -> CInt {
    particles_copy_attributes(from, to)
  }

  /// Opens a path below a folder without following links. Returns a descriptor or a negative errno
  /// value.
  static func openBeneath(_ folder: CInt, _ path: String, _ flags: CInt, _ mode: UInt32) -> CInt {
    particles_open_beneath(folder, path, flags, mode)
  }

  /// Runs a program to its end; see the header.
  static func run(
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, _ status: inout CInt
  ) -> CInt {
    particles_run(arguments, &status)
  }
}
