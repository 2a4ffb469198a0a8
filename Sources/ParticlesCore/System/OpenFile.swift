internal import ParticlesPlatform

/// The status of a file (`stat`).
package struct FileStatus: Sendable, Hashable {
  /// The kind of a file.
  package enum Kind: Sendable { case file, directory, symbolicLink, other }

  /// The kind of an item that is neither a file, a directory nor a symbolic link.
  package enum Special: String, Sendable {
    case pipe = "named pipe"
    case socket = "socket"
    case characterDevice = "character device"
    case blockDevice = "block device"
  }

  package var kind: Kind
  /// The kind of a special file; nil for others, and if it is unknown.
  package var special: Special?
  package var size: Int
  package var isExecutable: Bool
  /// The permission bits.
  package var mode: UInt32
  /// The identity of the file and the time of its last change.
  package var state: FileState
  /// The number of hard links.
  package var links: Int
  /// The owner: a user and a group.
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
    special =
      switch status.st_mode & S_IFMT {
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: nil
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

/// The identity, size and modification time of a file: changes when the file is written or replaced.
package struct FileState: Sendable, Hashable {
  /// The file system that it is on.
  private(set) var device: UInt64
  private var node: UInt64
  private var size: Int

  /// The time of the last change, in seconds since 1970.
  package var modified: Double { Double(modifiedSeconds) + Double(modifiedNanoseconds) / 1e9 }

  /// The same in nanoseconds, exactly.
  package var nanoseconds: Int { modifiedSeconds &* 1_000_000_000 &+ modifiedNanoseconds }

  /// Its identity: the file system and the number of the file there.
  package var identity: FileIdentity { FileIdentity(device: device, node: node) }

  /// Whether both are states of the same file, under any of its names.
  package func isSameFile(as other: FileState) -> Bool {
    device == other.device && node == other.node
  }

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

/// The identity of a file, which a rename keeps: the file system and the number of the file there.
package struct FileIdentity: Sendable, Hashable, CustomStringConvertible {
  package var device: UInt64
  package var node: UInt64

  package init(device: UInt64, node: UInt64) { (self.device, self.node) = (device, node) }

  /// Both numbers, separated by a hyphen.
  package var description: String { "\(device)-\(node)" }
}

/// An open file. It is closed when the last reference is released.
///
/// A file that is only read may give up its descriptor; see ``park()``.
package final class OpenFile: Sendable {
  /// The path it was opened at, for messages.
  package let path: String
  let hold: Lock<Hold>

  /// The state of its descriptor.
  struct Hold: Sendable {
    /// Negative if it is parked.
    var descriptor: CInt
    /// How many calls use the descriptor now.
    var users = 0
    /// Keeps a parked file.
    var pin: FilePin?
    /// Whether it may be parked.
    var isParkable = false
  }

  /// The descriptor; negative if the file is parked.
  var descriptor: CInt { hold.withLock { $0.descriptor } }

  /// Takes ownership of a descriptor.
  init(path: String, descriptor: CInt) {
    self.path = path
    hold = Lock(Hold(descriptor: descriptor))
  }

  /// Calls `body` with the descriptor. A parked file is opened again for that time.
  /// - Throws: ``Rule/fileChanged`` if a parked file has no name any more.
  @discardableResult
  func withDescriptor<Result>(_ body: (CInt) throws -> Result) throws -> Result {
    let descriptor = hold.withLock { hold -> CInt in
      if hold.descriptor >= 0 { hold.users += 1 }
      return hold.descriptor
    }
    guard descriptor >= 0 else { return try whileReopened(body) }
    defer { hold.withLock { $0.users -= 1 } }
    return try body(descriptor)
  }

  /// Opens a file for reading.
  package convenience init(reading path: String) throws {
    let descriptor = try SystemError.open(path, writing: false) {
      Places.target(path) { open($0, O_RDONLY | O_CLOEXEC | $1) }
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Opens a file for reading without blocking on a named pipe. The caller has to check the kind of
  /// the file.
  package convenience init(readingAtOnce path: String) throws {
    let descriptor = try SystemError.open(path, writing: false) {
      Places.target(path) { path, flags in
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
        // EAGAIN: a lease on the file must be released first, for example by a file server. Wait.
        return descriptor < 0 && errno == EAGAIN
          ? open(path, O_RDONLY | O_CLOEXEC | flags) : descriptor
      }
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Opens a file for reading and writing.
  package convenience init(updating path: String) throws {
    let descriptor = try SystemError.open(path, writing: true) {
      Places.target(path) { open($0, O_RDWR | O_CLOEXEC | $1) }
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Creates a file for reading and writing. It must not exist.
  package convenience init(creating path: String, mode: UInt32 = 0o666) throws {
    let descriptor = try SystemError.open(
      path, writing: true, undo: { _ = Places.entry(path) { unlink($0) } }
    ) {
      Places.entry(path) {
        open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
      }
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Returns the same open file with another path, after a rename. Both share one lock.
  package func named(_ path: String) throws -> OpenFile {
    let copy = try withDescriptor { descriptor in
      try SystemError.open(path, writing: true) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }
    return OpenFile(path: path, descriptor: copy)
  }

  deinit {
    let descriptor = hold.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the current status of the file.
  package func status() throws -> FileStatus {
    var status = stat()
    try withDescriptor { descriptor in
      try SystemError.check(path, writing: false) { fstat(descriptor, &status) }
    }
    return FileStatus(status)
  }

  /// Fills `buffer` with the bytes at `offset`.
  /// - Throws: ``Rule/fileChanged`` if the file is too short.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    if let pin = hold.withLock(\.pin), pin.covers(offset + buffer.count) {
      guard pin.read(at: offset, into: buffer) else { throw shorter(offset) }
      return
    }
    try withDescriptor { descriptor in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = try SystemError.check(path, writing: false) {
          pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        }
        guard count > 0 else { throw shorter(offset + done) }
        done += count
      }
    }
  }

  private func shorter(_ offset: Int) -> Diagnostic {
    Diagnostic(
      .fileChanged, at: Location(file: path, position: .offset(offset)), "the file became shorter")
  }

  /// Reads all bytes from the current position.
  /// - Throws: ``Rule/limit`` if there are more than `limits.fileBytes`.
  package func readToEnd(limits: Limits) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try readPiece(64 << 10)
      if piece.isEmpty { return bytes }
      bytes += piece
      try limits.check(bytes.count, \.fileBytes, "bytes to be read", at: Location(file: path))
    }
  }

  /// Reads at most `count` bytes at the current position; none at the end.
  package func readPiece(_ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
      count = try withDescriptor { descriptor in
        try SystemError.check(path, writing: false) {
          systemRead(descriptor, buffer.baseAddress, buffer.count)
        }
      }
    }
  }

  /// Writes all of `bytes` at the current position.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    try withDescriptor { descriptor in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        done += try SystemError.check(path, writing: true) {
          systemWrite(descriptor, rest.baseAddress, rest.count)
        }
      }
    }
  }

  /// Writes all of `bytes` at the current position.
  package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(write) }

  /// Writes all of `bytes` at an offset.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    try withDescriptor { descriptor in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        done += try SystemError.check(path, writing: true) {
          pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        }
      }
    }
  }

  /// Sets the size of the file. New bytes are zero.
  package func truncate(to size: Int) throws {
    try withDescriptor { descriptor in
      try SystemError.check(path, writing: true) { ftruncate(descriptor, off_t(size)) }
    }
  }

  /// Flushes the file to the disk.
  package func synchronize() throws {
    try withDescriptor { descriptor in
      #if canImport(Darwin)
        // On macOS, fsync does not flush the cache of the disk. Not every file system has F_FULLFSYNC.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      #endif
      _ = try SystemError.check(path, writing: true) { fsync(descriptor) }
    }
  }

  /// Flushes the file system of this file to the disk.
  package func synchronizeFileSystem() throws {
    try withDescriptor { try Self.synchronizeFileSystem(of: $0, at: path) }
  }

  static func synchronizeFileSystem(of descriptor: CInt, at path: String) throws {
    let code = SystemCalls.synchronizeFileSystem(descriptor)
    guard code == 0 else { throw SystemError.diagnostic(code, path, writing: true) }
  }

  /// Restores the modification time, after a change was undone.
  package func setModified(as state: FileState) throws {
    try withDescriptor { descriptor in
      var status = stat()
      _ = try SystemError.check(path, writing: true) { () -> CInt in
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
  }

  /// Sets the permission bits.
  package func setMode(_ mode: UInt32) throws {
    try withDescriptor { descriptor in
      _ = try SystemError.check(path, writing: true) { fchmod(descriptor, mode_t(mode)) }
    }
  }

  /// The standard streams of the process, never closed.
  package static let standardInput = OpenFile(path: "-", descriptor: 0)
  /// See ``standardInput``.
  package static let standardOutput = OpenFile(path: "-", descriptor: 1)
  /// See ``standardInput``.
  package static let standardError = OpenFile(path: "-", descriptor: 2)

  /// Whether this is a terminal.
  package var isTerminal: Bool { (try? withDescriptor { isatty($0) == 1 }) ?? false }
}

// System calls that are hidden by the methods of the same names.

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
