internal import ParticlesPlatform

/// Creates files, folders and links below a folder, and nowhere else.
///
/// Nothing on the way to what is created may be a symbolic link, and nobody who renames folders
/// meanwhile can make us write outside. Paths are relative, without empty, `.` and `..` components.
/// May be used from several threads.
package final class FolderWriter: Sendable {
  private let path: String
  private let descriptor: CInt

  private let isStepwise: Bool

  /// Opens a folder that exists.
  /// - Parameter stepwise: whether to do without the call that looks up a whole path at once, even
  ///   if the system has it.
  package init(_ path: String, stepwise: Bool = false) throws {
    self.path = path
    isStepwise = stepwise
    descriptor = try SystemError.check(path, writing: true) {
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  deinit { close(descriptor) }

  /// Creates a file, which must not exist.
  package func createFile(_ entry: String, executable: Bool = false) throws -> OpenFile {
    let file = try openBeneath(
      entry, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: executable ? 0o777 : 0o666)
    return OpenFile(path: Files.joined(path, entry), descriptor: file)
  }

  /// Creates a file, which must not exist, with these contents.
  package func createFile(
    _ entry: String, holding bytes: UnsafeRawBufferPointer, executable: Bool = false
  ) throws {
    let file = try openBeneath(
      entry, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: executable ? 0o777 : 0o666)
    // All at once, as nearly always: then nobody needs to know what the file is called.
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

  /// Creates something under a name that nobody uses and gives it its own, so that a file or link
  /// that stands there is replaced at once or stays.
  package func replace(_ entry: String, create: (_ temporary: String) throws -> Void) throws {
    let temporary = Files.temporaryName(beside: entry)
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

  /// What stands at a path, links not followed; nil if nothing does.
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

  /// Waits until all that was written has reached the disk.
  package func synchronize() throws {
    try OpenFile.synchronizeFileSystem(of: descriptor, at: path)
  }

  private func inFolder(of entry: String, _ call: (CInt, String) -> CInt) throws {
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
    if isStepwise { return try openStepwise(entry, flags, mode: mode) }
    let file = SystemCalls.openBeneath(descriptor, entry, flags, mode)
    if file >= 0 { return file }
    guard file == -ENOSYS || file == -EPERM else {
      throw SystemError.diagnostic(-file, Files.joined(path, entry), writing: true)
    }
    return try openStepwise(entry, flags, mode: mode)
  }

  /// For systems that cannot look up a whole path at once without following links: folder by
  /// folder, each held open while the next is looked up in it.
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
