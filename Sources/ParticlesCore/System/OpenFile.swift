internal import ParticlesPlatform

/// What the system says of a path.
package struct FileStatus: Sendable, Hashable {
  /// What stands there.
  package enum Kind: Sendable { case file, directory, symbolicLink, other }

  package var kind: Kind
  package var size: Int
  package var isExecutable: Bool
  /// The permission bits.
  package var mode: UInt32
  /// Which file it is, and when it was written last.
  package var state: FileState
  /// Under how many names it can be reached.
  var links: Int
  /// Who owns it: a user and a group.
  package var owner: (user: UInt32, group: UInt32) { (user, group) }
  private var user: UInt32
  private var group: UInt32

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int(status.st_size)
    isExecutable = status.st_mode & S_IXUSR != 0
    mode = UInt32(status.st_mode & 0o7777)
    state = FileState(status)
    links = Int(status.st_nlink)
    user = status.st_uid
    group = status.st_gid
  }
}

/// What is the same as long as nobody replaces or writes a file.
package struct FileState: Sendable, Hashable {
  private var device: UInt64
  private var node: UInt64
  private var size: Int
  fileprivate var modifiedSeconds: Int
  fileprivate var modifiedNanoseconds: Int

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
      modifiedSeconds = status.st_mtimespec.tv_sec
      modifiedNanoseconds = status.st_mtimespec.tv_nsec
    #else
      modifiedSeconds = status.st_mtim.tv_sec
      modifiedNanoseconds = status.st_mtim.tv_nsec
    #endif
  }
}

/// An open file, closed when nobody holds it any more.
package final class OpenFile: Sendable {
  /// The path it was opened at, for messages.
  package let path: String
  let descriptor: CInt

  /// Takes over a descriptor.
  init(path: String, descriptor: CInt) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a file for reading.
  package convenience init(reading path: String) throws {
    let descriptor = try SystemError.check(path, writing: false) {
      open(path, O_RDONLY | O_CLOEXEC)
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Opens a file for reading, at once: a pipe is not waited for until somebody writes to it. Whoever
  /// asked has to see whether it is a file.
  package convenience init(readingAtOnce path: String) throws {
    let descriptor = try SystemError.check(path, writing: false) {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      // Somebody, such as a file server, has to give back a file first. That is waited for.
      return descriptor < 0 && errno == EAGAIN ? open(path, O_RDONLY | O_CLOEXEC) : descriptor
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Opens a file for reading and writing.
  package convenience init(updating path: String) throws {
    let descriptor = try SystemError.check(path, writing: true) {
      open(path, O_RDWR | O_CLOEXEC)
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Creates a file, which must not exist, for reading and writing.
  package convenience init(creating path: String, mode: UInt32 = 0o666) throws {
    let descriptor = try SystemError.check(path, writing: true) {
      open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// The same open file under another path, for when it is renamed. Both have one lock.
  package func named(_ path: String) throws -> OpenFile {
    let copy = try SystemError.check(path, writing: true) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    return OpenFile(path: path, descriptor: copy)
  }

  deinit { close(descriptor) }

  /// What the system says of it now.
  package func status() throws -> FileStatus {
    var status = stat()
    try SystemError.check(path, writing: false) { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Fills `buffer` with the bytes from `offset` on.
  /// - Throws: ``Rule/fileChanged`` if the file ends before.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try SystemError.check(path, writing: false) {
        pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      guard count > 0 else {
        throw Diagnostic(
          .fileChanged, at: Location(file: path, position: .offset(offset + done)),
          "it became shorter")
      }
      done += count
    }
  }

  /// All bytes from the current position on, at most `limit` of them.
  package func readToEnd(limits: Limits) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try readPiece(64 << 10)
      if piece.isEmpty { return bytes }
      bytes += piece
      try limits.check(bytes.count, \.fileBytes, "bytes to be read", at: Location(file: path))
    }
  }

  /// The next bytes from the current position on, at most `count`; none at the end.
  package func readPiece(_ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
      count = try SystemError.check(path, writing: false) {
        systemRead(descriptor, buffer.baseAddress, buffer.count)
      }
    }
  }

  /// Writes all of `bytes` at the current position.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try SystemError.check(path, writing: true) {
        systemWrite(descriptor, rest.baseAddress, rest.count)
      }
    }
  }

  /// Writes all of `bytes` at the current position.
  package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(write) }

  /// Writes all of `bytes` at an offset.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try SystemError.check(path, writing: true) {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
    }
  }

  /// Cuts the file, or lets it grow with zeros.
  package func truncate(to size: Int) throws {
    try SystemError.check(path, writing: true) { ftruncate(descriptor, off_t(size)) }
  }

  /// Waits until what was written has reached the disk.
  package func synchronize() throws {
    #if canImport(Darwin)
      // There, fsync leaves it to the disk when to write; some file systems have nothing better.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try SystemError.check(path, writing: true) { fsync(descriptor) }
  }

  /// Waits until all that was written to the file system of this file has reached the disk.
  package func synchronizeFileSystem() throws {
    try Self.synchronizeFileSystem(of: descriptor, at: path)
  }

  static func synchronizeFileSystem(of descriptor: CInt, at path: String) throws {
    let code = SystemCalls.synchronizeFileSystem(descriptor)
    guard code == 0 else { throw SystemError.diagnostic(code, path, writing: true) }
  }

  /// Gives the file back the time at which it was written last, for when that has been undone.
  package func setModified(as state: FileState) throws {
    var status = stat()
    try SystemError.check(path, writing: true) { () -> CInt in
      guard fstat(descriptor, &status) == 0 else { return -1 }
      #if canImport(Darwin)
        let accessed = status.st_atimespec
      #else
        let accessed = status.st_atim
      #endif
      let modified = timespec(
        tv_sec: state.modifiedSeconds, tv_nsec: state.modifiedNanoseconds)
      return futimens(descriptor, [accessed, modified])
    }
  }

  /// Gives the file these permission bits.
  package func setMode(_ mode: UInt32) throws {
    try SystemError.check(path, writing: true) { fchmod(descriptor, mode_t(mode)) }
  }

  /// The standard streams of the process, never closed.
  package static let standardInput = OpenFile(path: "-", descriptor: 0)
  /// See ``standardInput``.
  package static let standardOutput = OpenFile(path: "-", descriptor: 1)
  /// See ``standardInput``.
  package static let standardError = OpenFile(path: "-", descriptor: 2)

  /// Whether this is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }
}

// The calls of the system by names that the methods above do not hide.

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
