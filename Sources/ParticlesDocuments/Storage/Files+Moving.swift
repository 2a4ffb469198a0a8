internal import ParticlesContainer
internal import ParticlesCore

/// Renaming and copying of documents. Nothing that exists is overwritten.
extension Files {
  /// Moves a file or folder. On another file system it is copied, the copy is compared, and the original
  /// is removed.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if there is something at the new path.
  static func moveExclusively(_ old: String, _ new: String) throws {
    let folder = Files.folder(of: new)
    guard let target = try status(folder) else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: new), hint: "create the folder '\(folder)' first")
    }
    // A link itself is moved, not what it leads to.
    let source = try status(old, followingLinks: false)
    if source?.kind == .symbolicLink { return try moveLink(old, new) }
    if source?.state.identity.device == target.state.identity.device {
      return try renameExclusively(old, new)
    }
    try copyExclusively(old, new, keepingTimes: true)
    try removeAll(old)
  }

  /// Moves a symbolic link. In another folder, one that is relative gets another text, so that it leads to
  /// the same place.
  private static func moveLink(_ old: String, _ new: String) throws {
    let destination = try destination(ofLink: old)
    let (from, to) = (try resolve(folder(of: old)), try resolve(folder(of: new)))
    let isRenamed = try status(from)?.state.identity.device == status(to)?.state.identity.device
    if isRenamed, from == to || destination.hasPrefix("/") {
      return try renameExclusively(old, new)
    }
    var text = destination
    if !destination.hasPrefix("/") {
      // Without the links in the names of folders, `..` is the folder that it looks like.
      let place = joined(from, destination)
      text = relativePath(joined(try resolve(folder(of: place)), lastComponent(of: place)), in: to)
    }
    do {
      try makeLink(new, to: text)
    } catch Rule.fileExists {
      throw Diagnostic(.fileExists, at: Location(file: new))
    }
    do {
      try removeAll(old)
    } catch {
      try? removeAll(new)
      throw error
    }
  }

  /// An absolute path, relative to an absolute folder. Both have no links and no `..` in their folders.
  private static func relativePath(_ path: String, in folder: String) -> String {
    let (names, base) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(names.dropLast(), base).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: base.count - common)
    return (up + names[common...].map(String.init)).joined(separator: "/")
  }

  /// Copies a document to a path where nothing is, and compares the copy. It gets its name when it is complete, with
  /// the permissions of the document, and with its owner and extended attributes as far as that is permitted.
  /// - Parameter keepsTimes: whether the times of the last changes are kept.
  static func copyExclusively(
    _ old: String, _ new: String, keepingTimes keepsTimes: Bool = false
  ) throws {
    SafeSave.removeLeftovers(inFolder: folder(of: new))
    if try status(old)?.kind == .directory {
      return try copyDirectory(old, new, keepingTimes: keepsTimes)
    }
    let source = try OpenFile(readingRegular: old)
    let status = try source.status()
    func fill(_ copy: OpenFile) throws {
      try copy.write(0..<status.size, of: source, at: 0)
      guard try source.hasBytes(of: copy, status.size), try source.status().state == status.state
      else { throw Diagnostic(.fileChanged, at: Location(file: old)) }
      try copy.succeed(source, keepingTime: keepsTimes)
    }
    if let copy = OpenFile(unnamedFor: new, mode: 0o600) {
      // Checked again when it gets its name.
      guard try Files.status(new, followingLinks: false) == nil else {
        throw Diagnostic(.fileExists, at: Location(file: new))
      }
      try fill(copy)
      if try copy.link() { return }
    }
    try SafeSave.file(new, replacing: false, private: true, fill)
  }

  private static func copyDirectory(
    _ old: String, _ new: String, keepingTimes keepsTimes: Bool
  ) throws {
    let tree = try FileNode(readingDirectory: old)
    try tree.write(toDirectory: new) { temporary in
      guard try FileNode(readingDirectory: temporary).matchesContents(of: tree) else {
        throw Diagnostic(.fileUnwritable, at: Location(file: new), "the copy differs")
      }
      // Names in a tree are composed.
      try FolderReader(temporary, writing: true).succeed(
        FolderReader(old), keepingTimes: keepsTimes, naming: UnicodeForms.composed)
    }
  }
}

extension OpenFile {
  /// The number of bytes that are compared at once.
  private static let piece = 1 << 20

  /// Whether another file has the same bytes, of which two pieces are in memory at a time.
  fileprivate func hasBytes(of other: OpenFile, _ size: Int) throws -> Bool {
    guard try other.status().size == size else { return false }
    for start in stride(from: 0, to: size, by: Self.piece) {
      let count = min(Self.piece, size - start)
      guard try bytes(at: start, count) == other.bytes(at: start, count) else { return false }
    }
    return true
  }

  private func bytes(at offset: Int, _ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}
