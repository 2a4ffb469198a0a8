internal import ParticlesPlatform

/// Creates files, folders and links below a folder.
///
/// Never follows a symbolic link and never writes outside of the folder, even if another process
/// renames folders at the same time. Paths are relative, without empty, `.` and `..` components.
/// Thread-safe.
package final class FolderWriter: Sendable {
  private let path: String
  private let descriptor: CInt

  private let isStepwise: Bool

  /// Opens a folder that exists.
  /// - Parameter stepwise: whether to open paths one component at a time even if the system can
  ///   resolve a whole path safely; for tests.
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
    // Usually one call writes everything; the path is then only built for errors.
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

  /// Returns the status of a path, without following links; nil if nothing is there.
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
