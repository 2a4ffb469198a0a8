package import ParticlesCore
internal import ParticlesPlatform

/// File system operations on paths. Every error is a ``Diagnostic`` that names the path.
extension Files {
  /// Returns the status of a path, or nil if nothing is there.
  package static func status(_ path: String, followingLinks: Bool = true) throws -> FileStatus? {
    var status = stat()
    func look() -> CInt {
      guard followingLinks else { return Places.entry(path) { lstat($0, &status) } }
      return Places.target(path) { path, flags in
        flags == 0 ? RawPath.call(path) { stat($0, &status) } : lstat(path, &status)
      }
    }
    while look() < 0 {
      switch errno {
      case EINTR: continue
      // The usual answer: to throw and to catch it would cost half a million instructions the first time.
      case ENOENT, ENOTDIR: return nil
      case let code: throw SystemError.diagnostic(code, path, writing: false)
      }
    }
    return FileStatus(status)
  }

  /// The time when a file was created, as seconds since 1970 and nanoseconds with a point between them. Nil
  /// if there is no file, or if the system or the file system does not keep it.
  package static func birth(of path: String) -> String? {
    SystemCalls.birthTime(path).map { "\($0.seconds).\($0.nanoseconds)" }
  }

  package static func read(_ path: String, limits: Limits = .standard) throws -> [UInt8] {
    try OpenFile(reading: path).readToEnd(limits: limits)
  }

  /// Returns the names in a directory, in byte order.
  /// - Parameter passOver: called with a diagnostic for each name that is not UTF-8. It may throw the diagnostic.
  package static func list(
    _ path: String, passingOver passOver: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> [String] {
    try FolderReader(path).names(passingOver: passOver)
  }

  /// Returns the target of a symbolic link.
  package static func destination(ofLink path: String) throws -> String {
    try destination(ofLink: path) { text, size in
      Places.entry(path) { readlink($0, text, size) }
    }
  }

  /// Returns the target of a symbolic link that `read` reads.
  static func destination(
    ofLink path: String, read: (UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int
  ) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try SystemError.check(path, writing: false) { read(&buffer, buffer.count) }
    let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(.name, at: Location(file: path), "the target of the link", expected: "UTF-8")
    }
    return text
  }

  package static func makeDirectory(_ path: String, mode: UInt32 = 0o777) throws {
    try SystemError.check(path, writing: true) {
      Places.entry(path) { mkdir($0, mode_t(mode)) }
    }
  }

  /// Creates a folder and its missing parent folders, unless it exists. Only the user may enter new folders.
  package static func makeDirectories(_ path: String) throws {
    var created: [String] = []
    try makeDirectories(path, mode: 0o700, noting: &created)
  }

  /// Creates a folder and its missing parent folders with chosen permissions.
  /// - Parameters:
  ///   - path: the folder.
  ///   - mode: the permissions of new folders, less the mask of the process.
  ///   - created: receives the new folders, outermost first, also if the call then fails.
  package static func makeDirectories(
    _ path: String, mode: UInt32, noting created: inout [String]
  ) throws {
    if try status(path)?.kind == .directory { return }
    let parent = folder(of: path)
    if parent != path { try makeDirectories(parent, mode: mode, noting: &created) }
    do {
      try makeDirectory(path, mode: mode)
      created.append(path)
    } catch Rule.fileExists {
      // Another process was faster.
    }
  }

  /// Sets the permission bits of a file or folder, which need not be readable.
  package static func setMode(of path: String, _ mode: UInt32) throws {
    try SystemError.check(path, writing: true) { chmod(path, mode_t(mode)) }
  }

  package static func makeLink(_ path: String, to destination: String) throws {
    try SystemError.check(path, writing: true) {
      Places.entry(path) { symlink(destination, $0) }
    }
  }

  /// Gives a file another name, a hard link.
  package static func share(_ path: String, as other: String) throws {
    try SystemError.check(other, writing: true) {
      Places.entry(path) { path in Places.entry(other) { link(path, $0) } }
    }
  }

  /// Creates a file with these contents.
  package static func create(_ path: String, _ bytes: [UInt8], executable: Bool = false) throws {
    try OpenFile(creating: path, mode: executable ? 0o777 : 0o666).write(bytes)
  }

  /// Removes a file, a link, or a directory with its contents. Names need not be UTF-8.
  package static func removeAll(_ path: String) throws {
    if try status(path, followingLinks: false)?.kind == .directory {
      try FolderReader(path, followingLinks: false).removeContents()
      try SystemError.check(path, writing: true) { Places.entry(path) { rmdir($0) } }
    } else {
      try SystemError.check(path, writing: true) { Places.entry(path) { unlink($0) } }
    }
  }

  /// Removes a directory if it exists and is empty. Symbolic links are not followed.
  package static func removeEmptyDirectory(_ path: String) throws {
    guard try status(path, followingLinks: false)?.kind == .directory, try list(path).isEmpty
    else { return }
    try SystemError.check(path, writing: true) { Places.entry(path) { rmdir($0) } }
  }

  /// Whether the user may list a directory.
  static func canList(_ path: String) -> Bool { faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 }

  package static func rename(_ from: String, _ to: String) throws {
    try SystemError.check(to, writing: true) {
      Places.entry(from) { from in Places.entry(to) { systemRename(from, $0) } }
    }
  }

  /// Renames, and throws ``Rule/fileExists`` if `to` exists.
  package static func renameExclusively(_ from: String, _ to: String) throws {
    let code = Places.entries(from, to, else: \.self, SystemCalls.renameExclusively)
    switch code {
    case 0: return
    case ENOSYS, EINVAL, ENOTSUP:
      // Not supported here. Another process may create `to` between the check and the rename.
      guard try status(to, followingLinks: false) == nil else {
        throw Diagnostic(.fileExists, at: Location(file: to))
      }
      try rename(from, to)
    default: throw SystemError.diagnostic(code, to, writing: true)
    }
  }

  /// Swaps two existing files or directories. Returns false if the system does not support it.
  package static func swap(_ a: String, _ b: String) throws -> Bool {
    let code = Places.entries(a, b, else: \.self, SystemCalls.swap)
    switch code {
    case 0: return true
    case ENOSYS, EINVAL, ENOTSUP: return false
    default: throw SystemError.diagnostic(code, b, writing: true)
    }
  }

  /// Returns the absolute path with all symbolic links resolved.
  /// - Throws: ``Rule/fileNotFound`` if it leaves the ``Places`` of the thread, and rules of the family `file`.
  package static func resolve(_ path: String) throws -> String {
    guard let resolved = realPath(path) else {
      throw SystemError.diagnostic(errno, path, writing: true)
    }
    guard !Places.leaves(path, by: resolved) else { throw outside(path) }
    return resolved
  }

  static func realPath(_ path: String) -> String? {
    guard let resolved = RawPath.call(path, { realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return RawPath.text(resolved)
  }

  /// The fault of a path that leaves the places which were opened.
  package static func outside(_ path: String) -> Diagnostic {
    Diagnostic(.fileNotFound, at: Location(file: path), "it is outside of the opened folders")
  }

  /// Follows symbolic links at the last component of a path. The target need not exist. Returns the
  /// path itself if it is not a link.
  package static func target(of path: String) throws -> String {
    var target = path
    // The limit of Linux.
    for _ in 0..<40 {
      guard try status(target, followingLinks: false)?.kind == .symbolicLink else {
        if target != path, let folder = realPath(folder(of: target)),
          Places.leaves(path, by: joined(folder, lastComponent(of: target)))
        {
          throw outside(path)
        }
        return target
      }
      let destination = try destination(ofLink: target)
      target = destination.hasPrefix("/") ? destination : joined(folder(of: target), destination)
    }
    throw SystemError.diagnostic(ELOOP, path, writing: true)
  }

  /// The folder for temporary files: `TMPDIR`, or `/tmp`.
  package static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// Creates a file without a name in the ``temporaryFolder``, for reading and writing. It is
  /// deleted when it is closed.
  package static func createAnonymous() throws -> OpenFile {
    let path = temporaryName(beside: joined(temporaryFolder, "particles"))
    let descriptor = SystemCalls.openAnonymous(in: temporaryFolder, mode: 0o600)
    if descriptor >= 0 { return OpenFile(path: path, descriptor: descriptor) }
    return try Temporaries.registering(path) {
      let file = try OpenFile(creating: path, mode: 0o600)
      try removeAll(path)
      return file
    }
  }
}

/// The system call, which a method of equal name hides.
private func systemRename(_ from: String, _ to: String) -> CInt {
  RawPath.call(from, to) { rename($0, $1) }
}

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

  /// Whether a new file of the user can have this owner and group.
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

/// Extended attributes, and the time of creation.
extension Files {
  /// The bytes of an extended attribute of a file, or nil if the file or the file system has none.
  package static func attribute(_ name: String, of path: String) -> [UInt8]? {
    var size = 256
    while size <= 65536 {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        count = Places.target(path) { path, flags in
          SystemCalls.attribute(
            name, of: path, following: flags == 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        initialized = max(0, min(count, size))
      }
      if count < 0 { return nil }
      if count <= size { return bytes }
      size = count
    }
    return nil
  }

  /// Sets an extended attribute of a file, or removes it if there are no bytes.
  /// - Throws: ``Rule/fileUnwritable`` if the file system or the permissions do not allow it.
  package static func setAttribute(_ name: String, of path: String, to bytes: [UInt8]) throws {
    let code = Places.target(path, else: \.self) { path, flags in
      SystemCalls.setAttribute(name, of: path, following: flags == 0, to: bytes)
    }
    guard code == 0 else { throw SystemError.diagnostic(code, path, writing: true) }
  }

  /// When a file was created, in seconds since 1970. Nil if unknown.
  package static func created(_ path: String) -> Double? {
    SystemCalls.birthTime(path).map { Double($0.seconds) + Double($0.nanoseconds) / 1e9 }
  }
}

/// Temporary names: `.NAME.RANDOM.tmp` for new files and folders, and `.NAME.old-RANDOM.tmp` for a
/// folder that is about to be replaced. A long name is shortened to a prefix and a checksum.
extension Files {
  private static let (digits, aside, end) = (13, "old-", ".tmp")

  /// Returns an unused name in the folder of `path`, for a file that will be renamed to `path`.
  /// - Parameter isAside: whether it is for the old folder at `path`.
  package static func temporaryName(beside path: String, isAside: Bool = false) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let zeros = String(repeating: "0", count: digits - random.utf8.count)
    let name = temporaryPrefix(path) + (isAside ? aside : "") + zeros + random + end
    return joined(folder(of: path), name)
  }

  /// Returns the paths of all temporary files and folders for `path`, in byte order.
  /// - Parameter reader: the folder, if it is already open.
  package static func temporaries(
    beside path: String, in reader: FolderReader? = nil
  ) throws -> [String] {
    let folder = folder(of: path)
    let prefix = temporaryPrefix(path)
    var names: [String] = []
    try (reader ?? FolderReader(folder)).forEachName { name in
      guard name.starts(with: prefix.utf8), name.suffix(end.utf8.count).elementsEqual(end.utf8)
      else { return }
      var random = name.dropFirst(prefix.utf8.count).dropLast(end.utf8.count)
      if random.starts(with: aside.utf8) { random.removeFirst(aside.utf8.count) }
      guard random.count == digits, random.allSatisfy(isDigit) else { return }
      names.append(joined(folder, String(decoding: name, as: UTF8.self)))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the paths of the temporary files and folders of all documents in a folder.
  static func temporaries(in folder: String) throws -> [String] {
    var names: [String] = []
    try FolderReader(folder).forEachName { name in
      guard name.first == UInt8(ascii: "."), name.suffix(end.utf8.count).elementsEqual(end.utf8)
      else { return }
      let rest = name.dropLast(end.utf8.count)
      let random = rest.suffix(digits)
      let before = rest.dropLast(digits).last
      guard random.allSatisfy(isDigit), rest.count > digits + 2,
        before == UInt8(ascii: ".") || before == UInt8(ascii: "-")
      else { return }
      names.append(joined(folder, String(decoding: name, as: UTF8.self)))
    }
    return names
  }

  /// Whether a temporary file or folder is one for `path`.
  static func isTemporary(_ temporary: String, of path: String) -> Bool {
    lastComponent(of: temporary).utf8.starts(with: temporaryPrefix(path).utf8)
  }

  /// Whether a temporary name belongs to an old folder that is being replaced.
  package static func isAside(_ temporary: String) -> Bool {
    temporary.utf8.dropLast(digits + end.utf8.count).suffix(aside.utf8.count)
      .elementsEqual(aside.utf8)
  }

  /// Short enough for a valid file name wherever the name of the file itself is valid.
  private static func temporaryPrefix(_ path: String) -> String {
    let name = lastComponent(of: path)
    let start = String(name.unicodeScalars.prefix(40))
    if start.utf8.count == name.utf8.count { return ".\(name)." }
    // The checksum distinguishes documents whose names share a prefix.
    return ".\(start)~\(String(CRC32.checksum(name.utf8), radix: 36))."
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }
}

/// The leftovers of interrupted saves of many documents. Each folder is listed once, at the first request for a
/// document in it. Later leftovers are not found.
package final class SaveLeftovers: Sendable {
  /// The temporary files and folders in folders.
  private let folders = Lock<[String: [String]]>([:])

  package init() {}

  /// Returns the paths of the leftovers of a document, see ``SafeSave/leftovers(of:)``.
  package func leftovers(of path: String) throws -> [String] {
    let place = try Files.target(of: path)
    let folder = Files.folder(of: place)
    var temporaries = folders.withLock { $0[folder] }
    if temporaries == nil {
      temporaries = try Files.temporaries(in: folder)
      folders.withLock { [temporaries] in $0[folder] = temporaries }
    }
    // One leftover in a folder is no reason to list it for each document.
    let mayHave = temporaries?.contains { Files.isTemporary($0, of: place) } ?? false
    return mayHave ? try SafeSave.leftovers(of: path) : []
  }
}
