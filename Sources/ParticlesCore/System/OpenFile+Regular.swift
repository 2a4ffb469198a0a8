internal import ParticlesPlatform

/// Files that only this library writes, such as those in the data folder of the user. Whatever else is at
/// their paths is an error: a named pipe would be waited for.
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
  /// Reads all bytes of a regular file; nil if there is nothing at the path.
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

  /// The size of a regular file; nil if there is nothing at the path. Nothing is opened.
  /// - Throws: ``Rule/fileUnreadable`` for everything else.
  package static func regularSize(_ path: String) throws -> Int? {
    guard let status = try status(path) else { return nil }
    try OpenFile.check(status, path, .fileUnreadable)
    return status.size
  }
}
