internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase

/// Which rows of the store are those of the document at a path.
extension VersionStore {
  /// The row of a document, which is created.
  func document(_ path: String) throws -> DocumentRow {
    if let known = try existing(path) { return known }
    let place = try Self.absolute(path)
    return try store.write { database in
      if let other = try DocumentRow.at(place, in: database) {
        // Another program was faster, or the document there has ended.
        if other.ended == nil { return other }
        try other.setAside(in: database)
      }
      let id = try DocumentRow.add(place, in: database)
      guard let row = try DocumentRow.numbered(id, in: database) else {
        throw Diagnostic(.fileStore, at: Location(file: store.path), "a row is missing")
      }
      return row
    }
  }

  /// The row of a document; nil if nothing was kept.
  func existing(_ path: String) throws -> DocumentRow? {
    let place = try Self.absolute(path)
    try Takeover(store).documents(at: place)
    if let known = try store.read({ try DocumentRow.at(place, in: $0) }) ?? nil {
      guard known.ended != nil, try Files.status(path) != nil else { return known }
      guard isLastState(of: known, path) else { return nil }
      // Without the right to write there, the mark stays, and is looked at again.
      try? store.write { try known.setEnded(nil, in: $0) }
      return known
    }
    // Another program may have renamed the document.
    let identity = try DocumentRow.Identity(of: path)
    guard let file = identity.file else { return nil }
    for other in try store.read({ try DocumentRow.known(as: file, in: $0) }) ?? [] {
      guard let old = other.path, try Files.status(old) == nil,
        other.identity.isSameFile(as: identity) || isLastState(of: other, path)
      else { continue }
      // The data folder may be protected.
      try? store.write { database in
        if try DocumentRow.at(place, in: database) == nil {
          try other.identify(place, identity, in: database)
        }
      }
      return other
    }
    return nil
  }

  /// Whether the document at a path is as it was last saved. What cannot be read is not.
  private func isLastState(of document: DocumentRow, _ path: String) -> Bool {
    guard let last = try? versions(of: document).last(where: \.isSavedState),
      let stored = try? PathStorage(path).read(limits: readingLimits, progress: { _, _ in })
    else { return false }
    let isSame = try? StoredTree.matches(
      stored.contents, last.tree, in: contentStore, limits: readingLimits)
    return isSame ?? false
  }

  /// Remembers the path and the identity of a document.
  /// - Returns: whether another file is at the path than the one that was known.
  @discardableResult
  func identify(_ path: String) throws -> Bool {
    let document = try document(path)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    if document.path == place, document.identity == identity { return false }
    try store.write { try document.identify(place, identity, in: $0) }
    return document.isReplaced(by: identity, at: place)
  }

  /// Notes that a new document is at a path: the versions of another one there are set aside.
  public func begin(_ path: String) throws {
    let place = try Self.absolute(path)
    try Takeover(store).documents(at: place)
    guard store.isThere else { return }
    let file = try DocumentRow.Identity(of: path).file
    try store.write { database in
      try DocumentRow.at(place, in: database)?.setAside(in: database)
      // The number of its file may be that of a deleted one, and its files may be the same.
      guard let file else { return }
      try database.run(
        "UPDATE documents SET file = NULL, born = NULL WHERE file = ?", [.text(file)])
    }
  }

  /// Notes that the document at a path was deleted. Its versions stay until another document is there, or
  /// until ``VersionLimits/goneSeconds``.
  public func end(_ path: String) throws {
    let place = try Self.absolute(path)
    try Takeover(store).documents(at: place)
    guard store.isThere else { return }
    try store.write { database in
      try DocumentRow.at(place, in: database)?.setEnded(WallClock.seconds, in: database)
    }
  }

  /// Notes that a document was renamed. The old path must still have its folder.
  func move(_ old: String, to new: String) throws { try moving(old)(new) }

  /// Returns a function that notes the new path of a document, to be called after it was renamed.
  func moving(_ old: String) throws -> (String) throws -> Void {
    let from = try Self.absolute(old)
    return { new in
      let to = try Self.absolute(new)
      // A link was renamed: the document itself is where it was.
      guard from != to else { return }
      try Takeover(store).documents(at: from)
      guard store.isThere else { return }
      let identity = try DocumentRow.Identity(of: new)
      try store.write { database in
        guard let document = try DocumentRow.at(from, in: database) else { return }
        try DocumentRow.at(to, in: database)?.setAside(in: database)
        try document.identify(to, identity, in: database)
      }
    }
  }

  /// The absolute path without symbolic links in the names of folders. The document need not exist; a path from the root
  /// stays as it is if its folder does not exist.
  static func absolute(_ path: String) throws -> String {
    do {
      let target = try Files.target(of: path)
      let folder = try Files.resolve(Files.folder(of: target))
      return Files.joined(folder, Files.lastComponent(of: target))
    } catch Rule.fileNotFound where path.hasPrefix("/") {
      return path
    }
  }

  /// The name of the records of a document that is open: the beginning of the digest of its absolute path.
  static func key(_ path: String) throws -> String { keyed(try absolute(path)) }

  static func keyed(_ place: String) -> String {
    String(SHA256.digest(place.utf8).description.prefix(32))
  }
}

extension DocumentRow {
  /// Whether another file is at the path of the document than the one that was known.
  func isReplaced(by new: Identity, at place: String) -> Bool {
    identity.file != nil && path == place && new.file != nil && identity != new
  }
}
