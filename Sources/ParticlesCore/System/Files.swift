internal import ParticlesPlatform

/// The file system, by path. Every failure is a ``Diagnostic`` that names the path.
package enum Files {
  /// What stands at a path, or nil if nothing does.
  package static func status(_ path: String, followingLinks: Bool = true) throws -> FileStatus? {
    var status = stat()
    do {
      try SystemError.check(path, writing: false) {
        followingLinks ? stat(path, &status) : lstat(path, &status)
      }
    } catch Rule.fileNotFound {
      return nil
    }
    return FileStatus(status)
  }

  /// All bytes of a file.
  package static func read(_ path: String, limits: Limits = .standard) throws -> [UInt8] {
    try OpenFile(reading: path).readToEnd(limits: limits)
  }

  /// The names in a directory, in the order of their bytes.
  /// - Parameter passOver: is told of each name that is no text, and may throw that.
  package static func list(
    _ path: String, passingOver passOver: (Diagnostic) throws -> Void = { throw $0 }
  ) throws -> [String] {
    try FolderReader(path).names(passingOver: passOver)
  }

  /// What a symbolic link points to.
  package static func destination(ofLink path: String) throws -> String {
    try destination(ofLink: path) { readlink(path, $0, $1) }
  }

  /// What `read` finds a symbolic link to point to.
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
    try SystemError.check(path, writing: true) { mkdir(path, mode_t(mode)) }
  }

  package static func makeLink(_ path: String, to destination: String) throws {
    try SystemError.check(path, writing: true) { symlink(destination, path) }
  }

  /// Creates a file with these contents.
  package static func create(_ path: String, _ bytes: [UInt8], executable: Bool = false) throws {
    try OpenFile(creating: path, mode: executable ? 0o777 : 0o666).write(bytes)
  }

  /// Removes a file, a link, or a directory with all that is in it, whatever that is called.
  package static func removeAll(_ path: String) throws {
    if try status(path, followingLinks: false)?.kind == .directory {
      try FolderReader(path, followingLinks: false).removeContents()
      try SystemError.check(path, writing: true) { rmdir(path) }
    } else {
      try SystemError.check(path, writing: true) { unlink(path) }
    }
  }

  /// Removes a directory if there is one and nothing is in it. A link to one stays.
  package static func removeEmptyDirectory(_ path: String) throws {
    guard try status(path, followingLinks: false)?.kind == .directory, try list(path).isEmpty
    else { return }
    try SystemError.check(path, writing: true) { rmdir(path) }
  }

  /// Whether the user may see what is in a directory.
  static func canList(_ path: String) -> Bool { faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 }

  package static func rename(_ from: String, _ to: String) throws {
    try SystemError.check(to, writing: true) { systemRename(from, to) }
  }

  /// Renames, and throws ``Rule/fileExists`` if something stands at `to`.
  package static func renameExclusively(_ from: String, _ to: String) throws {
    let code = SystemCalls.renameExclusively(from, to)
    switch code {
    case 0: return
    case ENOSYS, EINVAL, ENOTSUP:
      // Not offered here: look first, which leaves a moment in which somebody else may create it.
      guard try status(to, followingLinks: false) == nil else {
        throw Diagnostic(.fileExists, at: Location(file: to))
      }
      try rename(from, to)
    default: throw SystemError.diagnostic(code, to, writing: true)
    }
  }

  /// Swaps two things that exist, or says that the system cannot.
  package static func swap(_ a: String, _ b: String) throws -> Bool {
    let code = SystemCalls.swap(a, b)
    switch code {
    case 0: return true
    case ENOSYS, EINVAL, ENOTSUP: return false
    default: throw SystemError.diagnostic(code, b, writing: true)
    }
  }

  /// The absolute path of what a path leads to, with every link followed.
  package static func resolve(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else {
      throw SystemError.diagnostic(errno, path, writing: true)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Where a path leads if its last component is a symbolic link, whether something stands there or
  /// not; the path itself if it is none.
  package static func target(of path: String) throws -> String {
    var target = path
    // As many as the system follows.
    for _ in 0..<40 {
      guard try status(target, followingLinks: false)?.kind == .symbolicLink else { return target }
      let destination = try destination(ofLink: target)
      target = destination.hasPrefix("/") ? destination : joined(folder(of: target), destination)
    }
    throw SystemError.diagnostic(ELOOP, path, writing: true)
  }

  /// The folder for files that nobody keeps: the one that TMPDIR names, or /tmp.
  package static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// A file for reading and writing that has no name and is gone when it is closed, in the
  /// ``temporaryFolder``.
  package static func createAnonymous() throws -> OpenFile {
    let path = temporaryName(beside: joined(temporaryFolder, "particles"))
    let file = try OpenFile(creating: path, mode: 0o600)
    try removeAll(path)
    return file
  }
}

// MARK: - Paths as text

// By scalars, because a slash or point with a combining mark behind it is another character.
extension Files {
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }

  /// What stands before the last component; `.` if there is nothing.
  package static func folder(of path: String) -> String {
    let trimmed = trimmingSlashes(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  package static func lastComponent(of path: String) -> String {
    trimmingSlashes(path).split(separator: "/").last.map { String($0) } ?? "/"
  }

  /// What follows the last point of the last component, in lower case; empty if there is none.
  package static func pathExtension(of path: String) -> String {
    let name = lastComponent(of: path).unicodeScalars
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return String(name[name.index(after: point)...]).lowercased()
  }

  /// The last component up to its last point.
  package static func stem(of path: String) -> String {
    let name = lastComponent(of: path).unicodeScalars
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return String(name) }
    return String(name[..<point])
  }

  private static func trimmingSlashes(_ path: String) -> Substring.UnicodeScalarView {
    var rest = path.unicodeScalars[...]
    while rest.last == "/", rest.dropFirst().first != nil { rest.removeLast() }
    return rest
  }
}

/// The call of the system by a name that the method above does not hide.
private func systemRename(_ from: String, _ to: String) -> CInt { rename(from, to) }
