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
    // A link itself is renamed, not what it leads to.
    let source = try status(old, followingLinks: false)
    if source?.state.identity.device == target.state.identity.device
      || source?.kind == .symbolicLink
    {
      return try renameExclusively(old, new)
    }
    try copyExclusively(old, new)
    try removeAll(old)
  }

  /// Copies a document to a path where nothing is, and compares the copy.
  static func copyExclusively(_ old: String, _ new: String) throws {
    if try status(old)?.kind == .directory {
      let tree = try FileNode(readingDirectory: old)
      try tree.write(toDirectory: new)
      do {
        guard try FileNode(readingDirectory: new).matchesContents(of: tree) else {
          throw Diagnostic(.fileUnwritable, at: Location(file: new), "the copy differs")
        }
      } catch {
        try? removeAll(new)
        throw error
      }
      return
    }
    let source = try OpenFile(reading: old)
    let status = try source.status()
    try SafeSave.file(new, replacing: false, executable: status.isExecutable) { file in
      try file.write(0..<status.size, of: source, at: 0)
    }
    do {
      guard try source.hasBytes(of: OpenFile(reading: new), status.size),
        try source.status().state == status.state
      else { throw Diagnostic(.fileChanged, at: Location(file: old)) }
    } catch {
      try? removeAll(new)
      throw error
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
