public import ParticlesContainer
public import ParticlesCore

/// The versions of documents, in `particles/versions` of a data folder; never in the documents.
///
/// Each document has a folder, found by its path, or by its identity after another program has renamed it.
/// Files of a version are stored by digest, so unchanged ones need no room.
public struct VersionStore: Sendable {
  /// The size of all files in bytes up to which ``Document/update(_:_:_:)`` keeps whole states (16 MiB).
  public static let wholeSize = 16 << 20

  /// The folder of all documents.
  let folder: String

  /// How many versions are kept.
  public var limits: VersionLimits

  /// The limits for reading a version.
  public var readingLimits: Limits

  /// Creates the store below a data folder.
  /// - Parameters:
  ///   - dataFolder: the folder, such as `~/.local/share`.
  ///   - limits: how many versions are kept.
  ///   - readingLimits: the limits for reading a version.
  public init(
    dataFolder: String, limits: VersionLimits = VersionLimits(), readingLimits: Limits = .standard
  ) {
    folder = Files.joined(dataFolder, "particles/versions")
    self.limits = limits
    self.readingLimits = readingLimits
  }

  /// Creates the store of the user: below `XDG_DATA_HOME`, or `~/.local/share`.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if neither that nor `HOME` is set.
  public init(environment: [String: String]) throws {
    guard let home = BaseDirectories(environment: environment).dataHome else {
      throw Diagnostic(
        .fileNotFound, "cannot find the data folder", hint: "set HOME or XDG_DATA_HOME")
    }
    self.init(dataFolder: home)
  }

  /// The versions of the document at a path, the oldest first; empty if none were kept. Damaged lines of the
  /// list do not count, see ``faults(of:)``.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if the list cannot be read at all.
  public func versions(of path: String) throws -> [DocumentVersion] {
    try existing(path)?.versions() ?? []
  }

  /// Returns the files of a version, whose contents are read on access.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is no such version, or if it is damaged.
  public func contents(of number: Int, of path: String) throws -> FileNode {
    let shelf = try existing(path)
    guard let shelf, let version = try shelf.versions().first(where: { $0.number == number })
    else {
      throw Diagnostic(
        .fileVersion, at: Location(file: path), "number \(number)",
        hint: "'particles versions \(path)' lists them")
    }
    return try StoredTree.tree(version.tree, in: shelf.objects, limits: readingLimits)
  }

  /// Keeps a version, unless the newest one has the same files. Once a day, the limits for all documents are
  /// enforced; see ``sweep(at:)``.
  /// - Parameters:
  ///   - contents: the files.
  ///   - path: the path of the document.
  ///   - kind: why it is kept.
  ///   - comment: a description.
  ///   - isDurable: whether to wait until everything has reached the disk.
  /// - Returns: the version; nil if it was there already.
  @discardableResult
  public func add(
    _ contents: FileNode, of path: String, as kind: DocumentVersion.Kind, comment: String? = nil,
    durably isDurable: Bool = false
  ) throws -> DocumentVersion? {
    var memory: StoredTree.Memory?
    return try add(
      contents, of: path, as: kind, comment: comment, durably: isDurable, knowing: &memory)
  }

  /// The same; unchanged files of the tree that was stored last are not read.
  func add(
    _ contents: FileNode, of path: String, as kind: DocumentVersion.Kind, comment: String? = nil,
    durably isDurable: Bool = false, knowing memory: inout StoredTree.Memory?
  ) throws -> DocumentVersion? {
    let added = try whileLocked(path) { shelf -> DocumentVersion? in
      try shelf.identify(path)
      let tree = try StoredTree.add(
        contents, to: shelf.objects, knowing: memory, durably: isDurable)
      memory = tree
      let versions = try shelf.versions()
      if kind != .conflict, versions.last?.tree == tree.listing { return nil }
      let version = DocumentVersion(
        number: try shelf.nextNumber(after: versions), kind: kind, seconds: WallClock.seconds,
        comment: comment, size: tree.size, tree: tree.listing)
      try shelf.append(version, durably: isDurable)
      // Looking at everything that is stored is not for each save. Damage is no reason not to keep a
      // version; ``faults(of:)`` and ``verify(_:)`` report it.
      if version.number.isMultiple(of: 64) { _ = try? shelf.prune(limits, now: WallClock.seconds) }
      return version
    }
    // The version is kept; the other documents can wait.
    if added != nil { try? sweepIfDue() }
    return added
  }

  /// Deletes versions.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is no version of a number;
  ///   ``ParticlesCore/Rule/fileStore`` if a list is damaged. Nothing is deleted then.
  public func delete(_ numbers: Set<Int>, of path: String) throws {
    let isDone: Void? = try whileLocked(existing: path) { shelf in
      let missing = numbers.subtracting(try shelf.versions().map(\.number))
      guard missing.isEmpty else {
        throw Diagnostic(
          .fileVersion, at: Location(file: path),
          "number \(missing.sorted().map(String.init).joined(separator: ", "))")
      }
      if let fault = shelf.faults().first { throw fault }
      try shelf.remove(numbers)
      try shelf.collect()
    }
    if isDone == nil { throw Diagnostic(.fileVersion, at: Location(file: path)) }
  }

  /// Deletes the versions that the limits do not keep, and contents that no version needs.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - seconds: the time, in seconds since 1970; nil for now.
  /// - Returns: the number of versions that were deleted.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if a list is damaged. Nothing is deleted then.
  @discardableResult
  public func prune(_ path: String, at seconds: Double? = nil) throws -> Int {
    try whileLocked(existing: path) { try $0.prune(limits, now: seconds ?? WallClock.seconds) } ?? 0
  }

  // MARK: Folders

  /// Runs `body` with the folder of a document, which is created, while no other program changes it.
  func whileLocked<Result>(
    _ path: String, _ body: (VersionShelf) throws -> Result
  ) throws -> Result {
    // Another program may rename or remove the folder before it is locked.
    for _ in 0..<100 {
      let shelf = try shelf(path)
      if let result = try shelf.whileLocked({ try body(shelf) }) { return result }
    }
    throw Diagnostic(.fileBusy, at: Location(file: folder))
  }

  /// The same for a folder that is there; nil if there is none.
  func whileLocked<Result>(
    existing path: String, _ body: (VersionShelf) throws -> Result
  ) throws -> Result? {
    while let shelf = try existing(path) {
      if let result = try shelf.whileLocked({ try body(shelf) }) { return result }
    }
    return nil
  }

  /// The folder of a document, which is created.
  func shelf(_ path: String) throws -> VersionShelf {
    if let shelf = try existing(path) { return shelf }
    let shelf = VersionShelf(Files.joined(folder, try Self.key(path)))
    if try Files.status(shelf.folder) != nil { try setAside(shelf) }
    try Files.makeDirectories(shelf.folder)
    return shelf
  }

  /// The folder of a document; nil if nothing was kept.
  func existing(_ path: String) throws -> VersionShelf? {
    let shelf = VersionShelf(Files.joined(folder, try Self.key(path)))
    if try Files.status(shelf.folder) != nil {
      guard try shelf.hasEnded, try Files.status(path) != nil else { return shelf }
      guard isLastState(of: shelf, path) else { return nil }
      // Without the right to write there, the mark stays, and is looked at again.
      try? shelf.mark(ended: false)
      return shelf
    }
    // Another program may have renamed the document.
    guard let file = try Files.status(path)?.state.identity.description else { return nil }
    let link = Files.joined(folder, "by-file/\(file)")
    guard let bytes = try? Files.readRegular(link) else { return nil }
    let key = String(decoding: bytes, as: UTF8.self)
    guard key.utf8.count == 32, key.allSatisfy(\.isHexDigit) else { return nil }
    let old = VersionShelf(Files.joined(folder, key))
    guard let document = old.document(), let known = document.path,
      try Files.status(known) == nil, try !old.hasEnded,
      try document.isSameFile(as: .init(path)) || isLastState(of: old, path)
    else { return nil }
    _ = try? old.whileLocked {
      try Files.renameExclusively(old.folder, shelf.folder)
      try shelf.identify(path)
    }
    if try Files.status(shelf.folder) != nil { return shelf }
    // The data folder cannot be written.
    return try Files.status(old.folder) == nil ? nil : old
  }

  /// Whether the document at a path is as it was last saved. What cannot be read is not.
  private func isLastState(of shelf: VersionShelf, _ path: String) -> Bool {
    guard let stored = try? PathStorage(path).read(limits: readingLimits, progress: { _, _ in })
    else { return false }
    return (try? shelf.isLastState(stored.contents, limits: readingLimits)) ?? false
  }

  /// Notes that a new document is at a path: the versions of another one there are set aside.
  public func begin(_ path: String) throws {
    let shelf = VersionShelf(Files.joined(folder, try Self.key(path)))
    if try Files.status(shelf.folder) != nil { try setAside(shelf) }
    // The number of its file may be that of a deleted one, and its files may be the same.
    guard let file = try Files.status(path)?.state.identity.description else { return }
    let link = Files.joined(folder, "by-file/\(file)")
    if try Files.status(link, followingLinks: false) != nil { try Files.removeAll(link) }
  }

  /// Notes that the document at a path was deleted. Its versions stay until another document is there, or
  /// until ``VersionLimits/goneSeconds``.
  public func end(_ path: String) throws {
    let shelf = VersionShelf(Files.joined(folder, try Self.key(path)))
    if try Files.status(shelf.folder) != nil { try shelf.mark(ended: true) }
  }

  /// Versions of a document that had the path before are not those of the one there now, but are not lost.
  private func setAside(_ shelf: VersionShelf) throws {
    let name = "\(shelf.folder)-\(Int(saturating: WallClock.seconds))"
    _ = try shelf.whileLocked {
      for number in 0..<100 {
        let target = number == 0 ? name : "\(name)-\(number)"
        if try Files.status(target) == nil {
          return try Files.renameExclusively(shelf.folder, target)
        }
      }
    }
  }

  /// Notes that a document was renamed. The old path must still have its folder.
  func move(_ old: String, to new: String) throws { try moving(old)(new) }

  /// Returns a function that notes the new path of a document, to be called after it was renamed.
  func moving(_ old: String) throws -> (String) throws -> Void {
    let from = VersionShelf(Files.joined(folder, try Self.key(old)))
    return { new in try move(from, to: new) }
  }

  private func move(_ from: VersionShelf, to new: String) throws {
    let to = VersionShelf(Files.joined(folder, try Self.key(new)))
    // A link was renamed: the document itself is where it was.
    guard from.folder != to.folder, try Files.status(from.folder) != nil else { return }
    if try Files.status(to.folder) != nil { try setAside(to) }
    _ = try from.whileLocked {
      try Files.renameExclusively(from.folder, to.folder)
      try to.identify(new)
    }
  }

  /// The name of the folder of a document: the beginning of the digest of its absolute path.
  static func key(_ path: String) throws -> String {
    String(SHA256.digest(try absolute(path).utf8).description.prefix(32))
  }

  /// The absolute path without symbolic links in the names of folders. The document need not exist.
  static func absolute(_ path: String) throws -> String {
    let target = try Files.target(of: path)
    let folder = try Files.resolve(Files.folder(of: target))
    return Files.joined(folder, Files.lastComponent(of: target))
  }
}
