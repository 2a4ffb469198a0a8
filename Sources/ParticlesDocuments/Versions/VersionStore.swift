public import ParticlesContainer
public import ParticlesCore
internal import ParticlesDatabase

/// The versions of documents, in `particles/store.sqlite` of a data folder; never in the documents.
///
/// Each document is found by its path, or by its identity after another program has renamed it. Files of a
/// version are stored by digest, so unchanged ones need no room.
public struct VersionStore: Sendable {
  /// The size of all files in bytes up to which ``Document/update(_:_:_:)`` keeps whole states (16 MiB).
  public static let wholeSize = 16 << 20

  /// The database, which is not opened before something is looked up.
  let store: UserStore

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
    store = UserStore.of(dataFolder: dataFolder)
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

  /// The versions of the document at a path, the oldest first; empty if none were kept.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if the store is damaged.
  public func versions(of path: String) throws -> [DocumentVersion] {
    guard let document = try existing(path) else { return [] }
    return try versions(of: document)
  }

  func versions(of document: DocumentRow) throws -> [DocumentVersion] {
    try store.read { try DocumentVersion.all(of: document.id, in: $0) } ?? []
  }

  var contentStore: ContentStore { ContentStore(store) }

  /// Returns the files of a version, whose contents are read on access.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is no such version, or if it is damaged.
  public func contents(of number: Int, of path: String) throws -> FileNode {
    guard let version = try versions(of: path).first(where: { $0.number == number }) else {
      throw Diagnostic(
        .fileVersion, at: Location(file: path), "number \(number)",
        hint: "'particles versions \(path)' lists them")
    }
    return try StoredTree.tree(version.tree, in: contentStore, limits: readingLimits)
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

  /// A state that is kept as a version.
  struct State {
    var contents: FileNode
    var kind: DocumentVersion.Kind
    var comment: String?
  }

  /// The same; unchanged files of the tree that was stored last are not read.
  func add(
    _ contents: FileNode, of path: String, as kind: DocumentVersion.Kind, comment: String? = nil,
    durably isDurable: Bool = false, knowing memory: inout StoredTree.Memory?
  ) throws -> DocumentVersion? {
    let state = State(contents: contents, kind: kind, comment: comment)
    return try add([state], of: path, durably: isDurable, knowing: &memory).last
  }

  /// Keeps several states in one transaction.
  /// - Returns: the versions of those that were not there.
  @discardableResult
  func add(
    _ states: [State], of path: String, durably isDurable: Bool = false,
    knowing memory: inout StoredTree.Memory?
  ) throws -> [DocumentVersion] {
    try store.telling { try keep(states, of: path, durably: isDurable, knowing: &memory) }
  }

  private func keep(
    _ states: [State], of path: String, durably isDurable: Bool,
    knowing memory: inout StoredTree.Memory?
  ) throws -> [DocumentVersion] {
    let document = try document(path)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    nonisolated(unsafe) var last = memory
    let added = try ContentBatch.add(to: store, of: document.id, durably: isDurable) { batch in
      let trees = try states.map { state in
        let tree = try StoredTree.add(state.contents, to: batch, knowing: last)
        last = tree
        return tree
      }
      return { database in
        guard let now = try DocumentRow.numbered(document.id, in: database) else {
          throw store.busyFault
        }
        try now.identify(place, identity, in: database)
        var number = now.last
        var newest = try DocumentVersion.newest(of: document.id, in: database)?.tree
        var added: [DocumentVersion] = []
        for (state, tree) in zip(states, trees)
        where state.kind == .conflict || newest != tree.listing {
          number += 1
          newest = tree.listing
          let version = DocumentVersion(
            number: number, kind: state.kind, seconds: WallClock.seconds, comment: state.comment,
            size: tree.size, tree: tree.listing)
          try version.add(to: document.id, in: database)
          added.append(version)
        }
        return added
      }
    }
    memory = last
    // Looking at everything that is stored is not for each save. The version is kept; the rest can wait.
    if added.contains(where: { $0.number.isMultiple(of: 64) }) {
      _ = try? prune(document.id, now: WallClock.seconds)
    }
    if !added.isEmpty { try? sweepIfDue() }
    return added
  }

  /// Deletes versions.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is no version of a number;
  ///   ``ParticlesCore/Rule/fileStore`` if a list is damaged. Nothing is deleted then.
  public func delete(_ numbers: Set<Int>, of path: String) throws {
    guard let document = try existing(path) else {
      throw Diagnostic(.fileVersion, at: Location(file: path))
    }
    let missing = numbers.subtracting(try versions(of: document).map(\.number))
    guard missing.isEmpty else {
      throw Diagnostic(
        .fileVersion, at: Location(file: path),
        "number \(missing.sorted().map(String.init).joined(separator: ", "))")
    }
    try remove(of: document.id) { _ in numbers }
  }

  /// Deletes the versions that the limits do not keep, and contents that no version needs.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - seconds: the time, in seconds since 1970; nil for now.
  /// - Returns: the number of versions that were deleted.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if a list is damaged. Nothing is deleted then.
  @discardableResult
  public func prune(_ path: String, at seconds: Double? = nil) throws -> Int {
    guard let document = try existing(path) else { return 0 }
    return try prune(document.id, now: seconds ?? WallClock.seconds)
  }

  func prune(_ document: Int, now: Double) throws -> Int {
    try remove(of: document) { $0.superfluous(limits, now: now) }
  }

  /// Removes versions of a document, and contents that it does not need.
  /// - Parameter choose: returns the numbers of the versions.
  /// - Returns: the number of versions that were removed.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if a list is damaged. Nothing is removed then.
  @discardableResult
  func remove(of document: Int, _ choose: (inout VersionInventory) -> Set<Int>) throws -> Int {
    // All lists are read before the transaction, which others wait for.
    let deadline = Deadline.standard
    while true {
      guard var inventory = try VersionInventory(document, in: store) else { return 0 }
      let numbers = choose(&inventory)
      for number in numbers { _ = inventory.drop(number) }
      nonisolated(unsafe) var isDone = true
      try contentStore.keep(of: document) { database in
        let now = try DocumentRow.numbered(document, in: database)
        isDone = now?.changes == inventory.changes
        guard isDone else { return nil }
        for number in numbers {
          try database.run(
            "DELETE FROM versions WHERE document = ? AND number = ?",
            [.integer(document), .integer(number)])
        }
        if !numbers.isEmpty { try DocumentRow.change(document, in: database) }
        return inventory.needed
      }
      if isDone { return numbers.count }
      if deadline.isOver { throw store.busyFault }
    }
  }
}
