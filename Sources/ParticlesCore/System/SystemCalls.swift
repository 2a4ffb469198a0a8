internal import CParticlesSystem

/// Calls of the system that need a line of C. Each returns 0, or an errno value.
enum SystemCalls {
  /// Renames, and fails with EEXIST if something stands at `to`.
  static func renameExclusively(_ from: String, _ to: String) -> CInt {
    particles_rename_exclusive(from, to)
  }

  /// Swaps two things that exist.
  static func swap(_ a: String, _ b: String) -> CInt { particles_rename_swap(a, b) }

  /// Waits until all that was written to the file system of a file has reached the disk.
  static func synchronizeFileSystem(_ descriptor: CInt) -> CInt {
    particles_sync_filesystem(descriptor)
  }

  /// Makes whole blocks of a file those of another at a position, without copying them.
  static func share(_ from: CInt, _ range: Range<Int>, with to: CInt, at position: Int) -> CInt {
    particles_share_range(
      from, Int64(range.lowerBound), to, Int64(position), Int64(range.count))
  }

  /// Gives an open file the extended attributes of another, as far as that is allowed.
  static func copyAttributes(_ from: CInt, _ to: CInt) -> CInt {
    particles_copy_attributes(from, to)
  }

  /// Opens a path below a folder without following links on the way. Returns a descriptor, or a
  /// negative errno value.
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
