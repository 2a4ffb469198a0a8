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
      guard try FileNode(readingDirectory: new).matchesContents(of: tree) else {
        throw Diagnostic(.fileUnwritable, at: Location(file: new), "the copy differs")
      }
      return
    }
    let source = try OpenFile(reading: old)
    let status = try source.status()
    try SafeSave.file(new, replacing: false, executable: status.isExecutable) { file in
      try file.write(0..<status.size, of: source, at: 0)
    }
    guard try source.status().state == status.state, try read(new, limits: .none) == source.all()
    else { throw Diagnostic(.fileChanged, at: Location(file: old)) }
  }
}

extension OpenFile {
  fileprivate func all() throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: try status().size) { buffer, count in
      try read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
      count = buffer.count
    }
  }
}
