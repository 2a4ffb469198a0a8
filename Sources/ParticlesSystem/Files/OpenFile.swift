package import ParticlesCore
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
  /// The kind of a special file, or nil for other files and unknown kinds.
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

  /// The time of the last change in nanoseconds, exactly.
  package var nanoseconds: Int { modifiedSeconds &* 1_000_000_000 &+ modifiedNanoseconds }

  /// Its identity: the file system and the number of the file there.
  package var identity: FileIdentity { FileIdentity(device: device, node: node) }

  /// Whether both states belong to one file, under any of its names.
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
/// A file that is only read may give up its descriptor, see ``park()``.
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
    /// Whether ``complete()`` is asked for, and what it has noted.
    var notesCompletion = false, completed: FileState?
  }

  /// The descriptor, negative if the file is parked.
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

  /// Returns this open file with another path, after a rename. Both share one lock.
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

  /// The state in which the file was complete and flushed, right before a save renamed it, if the function that wrote it
  /// has called ``noteCompletion()``. A state that is asked for later may include changes by another program.
  package var completed: FileState? { hold.withLock { $0.completed } }

  /// Asks for ``completed``, which costs a system call.
  package func noteCompletion() { hold.withLock { $0.notesCompletion = true } }

  /// Notes that the file is complete.
  func complete() throws {
    guard hold.withLock({ $0.notesCompletion }) else { return }
    let state = try status().state
    hold.withLock { $0.completed = state }
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

  /// Reads at most `count` bytes at the current position, or none at the end.
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

// System calls that methods of equal names hide.

private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

/// Files that only this library writes, for example in the data folder of the user. Anything but a
/// regular file is an error, because a read would wait for a named pipe.
extension OpenFile {
  /// Opens a regular file for reading.
  /// - Throws: ``Rule/fileUnreadable`` for everything else.
  package convenience init(readingRegular path: String) throws {
    let descriptor = try SystemError.check(path, writing: false) {
      Places.target(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | $1) }
    }
    self.init(path: path, descriptor: descriptor)
    try Self.check(status(), path, .fileUnreadable)
  }

  /// Opens a regular file for reading and writing.
  /// - Throws: ``Rule/fileUnwritable`` for everything else.
  package convenience init(updatingRegular path: String) throws {
    let descriptor = try SystemError.check(path, writing: true) {
      Places.target(path) { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | $1) }
    }
    self.init(path: path, descriptor: descriptor)
    try Self.check(status(), path, .fileUnwritable)
  }

  fileprivate static func check(_ status: FileStatus, _ path: String, _ rule: Rule) throws {
    guard status.kind != .file else { return }
    let found = status.special?.rawValue ?? (status.kind == .directory ? "folder" : "other file")
    throw Diagnostic(
      rule, at: Location(file: path), expected: "a regular file", found: "a \(found)")
  }
}

extension Files {
  /// Reads all bytes of a regular file, or returns nil if there is nothing at the path.
  /// - Throws: ``Rule/fileUnreadable`` for everything else.
  package static func readRegular(
    _ path: String, limits: Limits = .standard
  ) throws -> [UInt8]? {
    do {
      return try OpenFile(readingRegular: path).readToEnd(limits: limits)
    } catch Rule.fileNotFound {
      return nil
    }
  }

  /// The size of a regular file, or nil if there is nothing at the path. Nothing is opened.
  /// - Throws: ``Rule/fileUnreadable`` for everything else.
  package static func regularSize(_ path: String) throws -> Int? {
    guard let status = try status(path) else { return nil }
    try OpenFile.check(status, path, .fileUnreadable)
    return status.size
  }
}

/// Copies between files that share blocks where the file system supports it (reflinks).
extension OpenFile {
  /// The block size of such file systems, or a multiple.
  private static let blockSize = 4096
  private static let pieceSize = 256 << 10

  /// Whether this file, which must be empty, can share blocks with another.
  package func canShare(blocksOf other: OpenFile) throws -> Bool {
    // A file that is kept without a name has no status.
    guard let size = try? other.status().size, size >= Self.blockSize,
      share(0..<Self.blockSize, of: other, at: 0)
    else { return false }
    try truncate(to: 0)
    return true
  }

  /// Copies a range of another file to a position. Whole blocks are shared if they are aligned
  /// alike in both files. The rest is copied.
  /// - Throws: ``Rule/fileChanged`` if the source file is too short.
  package func write(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let first = (range.lowerBound + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    let last = range.upperBound / Self.blockSize * Self.blockSize
    let distance = position - range.lowerBound
    guard first < last, distance.isMultiple(of: Self.blockSize),
      share(first..<last, of: other, at: first + distance)
    else { return try copy(range, of: other, at: position) }
    try copy(range.lowerBound..<first, of: other, at: position)
    try copy(last..<range.upperBound, of: other, at: last + distance)
  }

  private func share(_ range: Range<Int>, of other: OpenFile, at position: Int) -> Bool {
    // A file that is parked meanwhile and has no name any more is copied.
    let code = try? other.withDescriptor { from in
      try withDescriptor { SystemCalls.share(from, range, with: $0, at: position) }
    }
    return code == 0
  }

  private func copy(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let buffer = WorkBuffer()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
      let piece = buffer[min(Self.pieceSize, range.upperBound - start)]
      try other.read(at: start, into: piece)
      try write(UnsafeRawBufferPointer(piece), at: position + start - range.lowerBound)
    }
  }
}

/// Files that get their names when they are complete: a program that is killed leaves nothing.
extension OpenFile {
  /// Creates a file without a name, for reading and writing. Returns nil if the system or the file system
  /// does not support that.
  /// - Parameter path: the path that it gets later.
  package convenience init?(unnamedFor path: String, mode: UInt32) {
    let descriptor = Places.target(Files.folder(of: path)) { folder, _ in
      SystemCalls.openAnonymous(in: folder, mode: mode)
    }
    guard descriptor >= 0 else { return nil }
    self.init(path: path, descriptor: descriptor)
  }

  /// Gives the file its name, and flushes both to the disk.
  /// - Returns: false if the system does not support that.
  /// - Throws: ``Rule/fileExists`` if there is something at the path.
  package func link() throws -> Bool {
    try synchronize()
    let code = Places.entry(path, else: \.self) { SystemCalls.linkAnonymous(descriptor, as: $0) }
    switch code {
    case 0: break
    case EEXIST: throw SystemError.diagnostic(EEXIST, path, writing: true)
    default: return false
    }
    let folder = Files.folder(of: path)
    if Files.canList(folder) {
      try FolderReader(folder, writing: true).synchronize()
    } else {
      try synchronizeFileSystem()
    }
    return true
  }
}

/// Files without a descriptor: a process may have many open documents, but only few descriptors.
///
/// A mapping keeps a parked file, as a descriptor would: it exists and can be read after it was deleted or
/// replaced. Nothing reads through the mapping directly, because that would end the process if another
/// process had made the file shorter.
extension OpenFile {
  /// Whether the file is kept without a descriptor.
  package var isParked: Bool { descriptor < 0 }

  /// Whether the first `size` bytes can be read, even if the file loses its name.
  package func isKept(to size: Int) -> Bool { hold.withLock(\.pin)?.covers(size) ?? true }

  /// Lets the file give up its descriptor when others need theirs. It must only be read from now on, and
  /// not be locked. Does nothing where the system cannot keep files otherwise.
  package func makeParkable() {
    hold.withLock { $0.isParkable = true }
    AwakeFiles.add(self)
  }

  /// Gives up the descriptor, if the file is parkable and is not being read.
  package func park() {
    hold.withLock { hold in
      guard hold.isParkable, hold.descriptor >= 0, hold.users == 0 else { return }
      guard let pin = FilePin(hold.descriptor) else {
        hold.isParkable = false
        return
      }
      close(hold.descriptor)
      (hold.descriptor, hold.pin) = (-1, pin)
    }
  }

  /// The identity of the file.
  package var identity: FileIdentity? {
    hold.withLock(\.pin)?.identity ?? (try? status().state.identity)
  }

  /// Opens a parked file for the time of a call.
  func whileReopened<Result>(_ body: (CInt) throws -> Result) throws -> Result {
    guard let pin = hold.withLock(\.pin) else { throw Diagnostic(.fileClosed) }
    for place in [path, pin.path] {
      guard let place, let file = try? OpenFile(readingAtOnce: place),
        try file.status().state.identity == pin.identity
      else { continue }
      return try file.withDescriptor(body)
    }
    throw Diagnostic(.fileChanged, at: Location(file: path), "it was replaced or deleted")
  }

  /// The path that the open file has now, after renames. Nil if it was deleted, or if the system does not
  /// tell.
  package var currentPath: String? {
    guard let identity, let path = linkedPath, (try? Files.status(path))?.state.identity == identity
    else { return nil }
    return path
  }

  private var linkedPath: String? {
    if let pin = hold.withLock(\.pin) { return pin.path }
    return try? withDescriptor { descriptor -> String? in
      #if canImport(Darwin)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
      #else
        return try? Files.destination(ofLink: "/proc/self/fd/\(descriptor)")
      #endif
    }
  }

  /// Opens a file or folder to follow it through renames. It is not read.
  package static func following(_ path: String) throws -> OpenFile {
    #if canImport(Darwin)
      let flags = O_EVTONLY | O_CLOEXEC
    #else
      let flags = CInt(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
    let descriptor = try SystemError.open(path, writing: false) {
      Places.target(path) { open($0, flags | $1) }
    }
    let file = OpenFile(path: path, descriptor: descriptor)
    if try file.status().kind == .file { file.makeParkable() }
    return file
  }
}

/// A mapping that keeps a file.
final class FilePin: Sendable {
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  private let size: Int
  let identity: FileIdentity

  /// How many bytes behind the end are mapped, too, because files grow when something is appended.
  private static let slack = 64 << 20

  /// - Returns: nil if the system cannot keep, read and follow the file in this way.
  init?(_ descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let found = FileStatus(status)
    guard found.kind == .file else { return nil }
    identity = found.state.identity
    let page = 1 << 16
    let whole = (found.size + page) / page * page
    var mapped: (UnsafeMutableRawPointer, Int)?
    for size in [whole + Self.slack, whole] where mapped == nil {
      mapped = SystemCalls.pin(descriptor, size).map { ($0, size) }
    }
    guard let mapped else { return nil }
    (start, size) = mapped
    var byte: UInt8 = 0
    let isReadable =
      found.size == 0
      || withUnsafeMutableBytes(of: &byte) { read(at: 0, into: $0) }
    // Where the system does not tell the path, as in some sandboxes, the descriptor is of more use.
    guard isReadable, (try? Files.destination(ofLink: link)) != nil else { return nil }
  }

  deinit { SystemCalls.unpin(start, size) }

  /// Whether all bytes before an offset are mapped.
  func covers(_ end: Int) -> Bool { end <= size }

  /// Fills `buffer` with bytes of the file.
  /// - Returns: false if the file is too short.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    buffer.isEmpty || SystemCalls.read(pinned: start, at: offset, into: buffer) == 0
  }

  private var link: String {
    let first = UInt(bitPattern: start)
    return "/proc/self/map_files/\(String(first, radix: 16))-"
      + String(first + UInt(size), radix: 16)
  }

  /// The present path of the file, without use if it was deleted.
  var path: String? { try? Files.destination(ofLink: link) }
}

/// The parkable files that have descriptors. There are few: a program that reads one file after another
/// parks none.
enum AwakeFiles {
  private struct Weak: Sendable { weak var file: OpenFile? }

  private static let awake = Lock<[Weak]>([])

  /// The greatest number of awake files.
  private static let limit = 12

  /// Adds a file, and parks the oldest ones.
  static func add(_ file: OpenFile) {
    park(beyond: limit, adding: file)
  }

  /// Parks all files that are not being read.
  static func park() { park(beyond: 0, adding: nil) }

  private static func park(beyond limit: Int, adding new: OpenFile?) {
    let files = awake.withLock { list in
      let files = list.compactMap(\.file) + (new.map { [$0] } ?? [])
      list = files.map { Weak(file: $0) }
      return files
    }
    guard files.count > limit else { return }
    var excess = files.count(where: { !$0.isParked }) - limit
    for file in files where excess > 0 && !file.isParked {
      file.park()
      if file.isParked { excess -= 1 }
    }
    awake.withLock { list in list.removeAll { $0.file?.isParked ?? true } }
  }
}

/// Locks, and the attributes of a file that is replaced.
extension OpenFile {
  /// Waits for the advisory lock (`flock`) of this file. It is held until the file is closed or the
  /// process ends.
  /// - Parameter deadline: until when to wait. The lock is tried at least once.
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

  /// Takes a lock that several programs can share, if no program has the exclusive lock.
  package func tryShare() -> Bool { (try? withDescriptor { flock($0, LOCK_SH | LOCK_NB) }) == 0 }

  package func unlock() { _ = try? withDescriptor { flock($0, LOCK_UN) } }

  /// Copies owner, extended attributes and permission bits of the file that this one will replace,
  /// as far as the user is permitted to.
  package func succeed(_ path: String, _ old: FileStatus) throws {
    try succeed(try? OpenFile(reading: path), old)
  }

  /// Copies the owner, attributes and permission bits of an open file. Nil means that it cannot be read.
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
  /// Copies the owner, attributes and permission bits of a file to its copy.
  /// - Parameter keepsTime: whether the time of the last change is copied, too.
  package func succeed(_ old: OpenFile, keepingTime keepsTime: Bool) throws {
    let status = try old.status()
    try succeed(old, status)
    if keepsTime { try setModified(as: status.state) }
  }
}

/// A process that holds the lock of a file.
package struct LockHolder: Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the process.
  package var process: Int
  /// The name of its program, or nil if unknown.
  package var program: String?

  /// `particles (process 4711)`
  package var description: String { "\(program ?? "a program") (process \(process))" }

  /// Returns the process that holds the lock (`flock`) of a file. Nil if no process does, or if the
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
