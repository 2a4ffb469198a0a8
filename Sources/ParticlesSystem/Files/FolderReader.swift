package import ParticlesCore
internal import ParticlesPlatform

/// An open folder. Its entries are accessed relative to the open descriptor.
package final class FolderReader: Sendable {
  /// The path it was opened at, for messages.
  package let path: String
  private let descriptor: CInt

  /// Opens a folder.
  /// - Parameters:
  ///   - followingLinks: whether to follow a symbolic link at the path, or to fail.
  ///   - isWriting: whether to report a failure as a write error.
  package init(_ path: String, followingLinks: Bool = true, writing isWriting: Bool = false) throws
  {
    self.path = path
    descriptor = try SystemError.open(path, writing: isWriting) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      guard followingLinks else { return Places.entry(path) { open($0, flags | O_NOFOLLOW) } }
      return Places.target(path) { open($0, flags | $1) }
    }
  }

  /// Opens a subfolder. Fails for a symbolic link.
  package init(_ name: String, in folder: FolderReader) throws {
    let path = Files.joined(folder.path, name)
    self.path = path
    descriptor = try SystemError.open(path, writing: false) {
      openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    }
  }

  /// Takes ownership of a descriptor.
  private init(path: String, descriptor: CInt) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the names in the folder, in byte order.
  /// - Parameter passOver: called with a diagnostic for each name that is not UTF-8. It may throw the diagnostic.
  package func names(
    passingOver passOver: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> [String] {
    var names: [String] = []
    try forEachName { bytes in
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let shown = Array(bytes).escapingInvalidUTF8
        return try passOver(
          Diagnostic(.name, at: Location(file: Files.joined(path, shown)), expected: "UTF-8"))
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Calls `body` with the bytes of each name in the folder.
  ///
  /// Not thread-safe: all calls share the read position of the descriptor.
  func forEachName(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    // `closedir` closes the descriptor of the stream, so the stream gets a copy.
    let copy = try SystemError.check(path, writing: false) {
      fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }
    guard let stream = fdopendir(copy) else {
      close(copy)
      throw SystemError.diagnostic(errno, path, writing: false)
    }
    defer { closedir(stream) }
    rewinddir(stream)
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      try withUnsafeBytes(of: &entry.pointee.d_name) { field in
        let name = field.bindMemory(to: UInt8.self)
        let bytes = UnsafeBufferPointer(rebasing: name[..<(name.firstIndex(of: 0) ?? name.count)])
        if !bytes.elementsEqual(".".utf8) && !bytes.elementsEqual("..".utf8) { try body(bytes) }
      }
    }
    guard errno == 0 else { throw SystemError.diagnostic(errno, path, writing: false) }
  }

  /// An entry, as one pass over the folder finds it.
  package struct Entry: Sendable {
    package var name: [UInt8]
    /// Its status, without following a link. Nil if it cannot be read, or was removed meanwhile.
    package var status: FileStatus?
    /// The status of a symbolic link's target. Nil if there is no target, or the entry is not a link.
    package var target: FileStatus?

    package init(name: [UInt8], status: FileStatus? = nil, target: FileStatus? = nil) {
      (self.name, self.status, self.target) = (name, status, target)
    }
  }

  /// Calls `body` with each entry of the folder, in the order of the file system.
  package func forEachEntry(_ body: (Entry) throws -> Void) throws {
    try forEachName { name in
      var entry = Entry(name: Array(name))
      var status = stat()
      // The name has a zero behind it in the buffer of the folder.
      let text = UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self)
      guard let text else { return }
      if fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        entry.status = FileStatus(status)
        if entry.status?.kind == .symbolicLink {
          if Places.current != nil {
            entry.target = try? Files.status(Files.joined(path, String(cString: text)))
          } else if fstatat(descriptor, text, &status, 0) == 0 {
            entry.target = FileStatus(status)
          }
        }
      } else if errno == ENOENT {
        return
      }
      try body(entry)
    }
  }

  /// Gives an entry whose name is not UTF-8 another name, which must not be in use.
  package func rename(_ name: [UInt8], to new: String) throws {
    guard try status(new) == nil else {
      throw Diagnostic(.fileExists, at: Location(file: Files.joined(path, new)))
    }
    let old = name.map(CChar.init(bitPattern:)) + [0]
    try SystemError.check(Files.joined(path, new), writing: true) {
      renameat(descriptor, old, descriptor, new)
    }
  }

  /// Flushes the folder to the disk.
  func synchronize() throws { try file().synchronize() }

  private func file() throws -> OpenFile {
    // `OpenFile` closes its descriptor, so it gets a copy.
    let copy = try SystemError.check(path, writing: true) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    return OpenFile(path: path, descriptor: copy)
  }

  /// Opens a folder below this folder without following links, to reach its contents. Returns a descriptor or
  /// a negative errno value.
  func hold(_ path: String) -> CInt { SystemCalls.holdFolder(descriptor, path) }

  /// Returns the status of an entry, without following links, or nil if there is none.
  package func status(_ name: String) throws -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw SystemError.diagnostic(errno, Files.joined(path, name), writing: false)
    }
    return FileStatus(status)
  }

  /// Removes the contents of the folder. Names need not be UTF-8. Links are not followed.
  func removeContents() throws {
    var names: [[CChar]] = []
    try forEachName { names.append($0.map(CChar.init(bitPattern:)) + [0]) }
    for name in names {
      let shown = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      let path = Files.joined(path, shown)
      var status = stat()
      try SystemError.check(path, writing: true) {
        fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
      }
      let isFolder = FileStatus(status).kind == .directory
      if isFolder {
        let inner = try SystemError.check(path, writing: true) {
          openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        }
        try FolderReader(path: path, descriptor: inner).removeContents()
      }
      try SystemError.check(path, writing: true) {
        unlinkat(descriptor, name, isFolder ? AT_REMOVEDIR : 0)
      }
    }
  }

  /// Returns the target of a symbolic link.
  package func destination(ofLink name: String) throws -> String {
    try Files.destination(ofLink: Files.joined(path, name)) {
      readlinkat(descriptor, name, $0, $1)
    }
  }
  /// Gives this copy of a folder, and everything in it, the owners, extended attributes and permissions of the
  /// original. Links have none.
  /// - Parameters:
  ///   - old: the original folder.
  ///   - keepsTimes: whether the times of the last changes are copied, too.
  ///   - name: returns the name in this folder of an entry of the original.
  package func succeed(
    _ old: FolderReader, keepingTimes keepsTimes: Bool, naming name: (String) -> String
  ) throws {
    for entry in try old.names() {
      let copy = name(entry)
      switch try old.status(entry)?.kind {
      case .directory:
        try FolderReader(copy, in: self).succeed(
          FolderReader(entry, in: old), keepingTimes: keepsTimes, naming: name)
      case .file: try file(copy).succeed(old.file(entry), keepingTime: keepsTimes)
      default: continue
      }
    }
    // At the end, because a folder may be read-only from now on.
    try file().succeed(old.file(), keepingTime: keepsTimes)
  }

  private func file(_ name: String) throws -> OpenFile {
    let path = Files.joined(path, name)
    let file = try SystemError.open(path, writing: false) {
      openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    }
    return OpenFile(path: path, descriptor: file)
  }
}

/// Creates files, folders and links below a folder.
///
/// Never follows a symbolic link and never writes outside of the folder, even if another process
/// renames folders meanwhile. Paths are relative, without empty, `.` and `..` components.
/// Thread-safe.
package final class FolderWriter: Sendable {
  private let path: String
  private let descriptor: CInt

  private let isStepwise: Bool

  /// Opens a folder that exists.
  /// - Parameter stepwise: for tests, whether to open paths one component at a time even if the
  ///   system can resolve a whole path safely.
  package init(_ path: String, stepwise: Bool = false) throws {
    self.path = path
    isStepwise = stepwise
    descriptor = try SystemError.open(path, writing: true) {
      Places.target(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | $1) }
    }
  }

  deinit { close(descriptor) }

  /// Creates a file. It must not exist.
  package func createFile(_ entry: String, executable: Bool = false) throws -> OpenFile {
    let file = try openBeneath(
      entry, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: executable ? 0o777 : 0o666)
    return OpenFile(path: Files.joined(path, entry), descriptor: file)
  }

  /// Creates a file with these contents. It must not exist.
  package func createFile(
    _ entry: String, holding bytes: UnsafeRawBufferPointer, executable: Bool = false
  ) throws {
    let file = try openBeneath(
      entry, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: executable ? 0o777 : 0o666)
    // Usually one call writes everything. The path is built for errors only.
    let count = write(file, bytes.baseAddress, bytes.count)
    guard count < bytes.count else {
      close(file)
      return
    }
    if count < 0, errno != EINTR {
      let code = errno
      close(file)
      throw SystemError.diagnostic(code, Files.joined(path, entry), writing: true)
    }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[max(0, count)...])
    try OpenFile(path: Files.joined(path, entry), descriptor: file).write(rest)
  }

  package func makeDirectory(_ entry: String) throws {
    try inFolder(of: entry) { folder, name in mkdirat(folder, name, 0o777) }
  }

  package func makeLink(_ entry: String, to destination: String) throws {
    try inFolder(of: entry) { folder, name in symlinkat(destination, folder, name) }
  }

  /// Creates a file or link under a temporary name and renames it, so that an existing file or link
  /// is replaced atomically or kept.
  package func replace(_ entry: String, create: (_ temporary: String) throws -> Void) throws {
    let temporary = Files.temporaryName(beside: entry)
    try Temporaries.registering(Files.joined(path, temporary)) {
      do {
        try create(temporary)
        try inFolder(of: entry) { folder, name in
          renameat(folder, Files.lastComponent(of: temporary), folder, name)
        }
      } catch {
        try? inFolder(of: temporary) { folder, name in unlinkat(folder, name, 0) }
        throw error
      }
    }
  }

  /// Returns the status of a path, without following links, or nil if nothing is there.
  package func status(_ entry: String) throws -> FileStatus? {
    var status = stat()
    do {
      try inFolder(of: entry) { folder, name in
        fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch Rule.fileNotFound {
      return nil
    }
    return FileStatus(status)
  }

  /// Flushes the file system of the folder to the disk.
  package func synchronize() throws {
    try OpenFile.synchronizeFileSystem(of: descriptor, at: path)
  }

  private func inFolder(of entry: String, _ call: (CInt, String) -> CInt) throws {
    Temporaries.stopIfEnding()
    let whole = Files.joined(path, entry)
    guard entry.utf8.contains(UInt8(ascii: "/")) else {
      try SystemError.check(whole, writing: true) { call(descriptor, entry) }
      return
    }
    let folder = try openBeneath(
      Files.folder(of: entry), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    defer { close(folder) }
    let name = Files.lastComponent(of: entry)
    try SystemError.check(whole, writing: true) { call(folder, name) }
  }

  private func openBeneath(_ entry: String, _ flags: CInt, mode: UInt32 = 0) throws -> CInt {
    Temporaries.stopIfEnding()
    if isStepwise { return try openStepwise(entry, flags, mode: mode) }
    let file = SystemCalls.openBeneath(descriptor, entry, flags, mode)
    if file >= 0 { return file }
    guard file == -ENOSYS || file == -EPERM else {
      throw SystemError.diagnostic(-file, Files.joined(path, entry), writing: true)
    }
    return try openStepwise(entry, flags, mode: mode)
  }

  /// Opens a path one component at a time, for systems that cannot resolve a whole path without
  /// following links. Each folder stays open while the next one is opened.
  private func openStepwise(_ entry: String, _ flags: CInt, mode: UInt32) throws -> CInt {
    var folder = descriptor
    defer { if folder != descriptor { close(folder) } }
    let names = entry.split(separator: "/").map(String.init)
    for name in names.dropLast() {
      let next = try SystemError.check(Files.joined(path, entry), writing: true) {
        openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      }
      if folder != descriptor { close(folder) }
      folder = next
    }
    return try SystemError.check(Files.joined(path, entry), writing: true) {
      openat(folder, names.last ?? ".", flags, mode_t(mode))
    }
  }
}
