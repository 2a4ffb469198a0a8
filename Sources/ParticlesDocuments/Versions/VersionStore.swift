internal import ParticlesEffects
public import ParticlesContainer
public import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// The versions of documents, in `particles/store.sqlite` of a data folder, never in the documents.
///
/// Each document is found by its path, or by its identity after another program has renamed it. Files of a version
/// are stored by digest, so unchanged files need no extra space.
public struct VersionStore: Sendable {
  /// The size of all files in bytes up to which ``Document/update(_:_:_:)`` keeps whole states (16 MiB).
  public static let wholeSize = 16 << 20

  /// The database. Opened by the first lookup.
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
    self.init(dataFolder: try UserStore.dataFolder(environment))
  }

  /// The versions of the document at a path, the oldest first. Empty if none were kept.
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

  /// Keeps a version, unless the newest version has identical files. Once a day, the limits for all documents are
  /// enforced. See ``sweep(at:)``.
  /// - Parameters:
  ///   - contents: the files.
  ///   - path: the path of the document.
  ///   - kind: why it is kept.
  ///   - comment: a description.
  ///   - isDurable: whether to wait until everything has reached the disk.
  /// - Returns: the version, or nil if it was there already.
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

  /// Keeps a version without reading unchanged files of the last stored tree.
  func add(
    _ contents: FileNode, of path: String, as kind: DocumentVersion.Kind, comment: String? = nil,
    durably isDurable: Bool = false, knowing memory: inout StoredTree.Memory?
  ) throws -> DocumentVersion? {
    let state = State(contents: contents, kind: kind, comment: comment)
    return try add([state], of: path, durably: isDurable, knowing: &memory).last
  }

  /// Keeps several states in one transaction.
  /// - Returns: the new versions. States that were kept already have none.
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
    // Pruning reads everything that is stored, so it is not done for each save.
    if added.contains(where: { $0.number.isMultiple(of: 64) }) {
      _ = try? prune(document.id, now: WallClock.seconds)
    }
    if !added.isEmpty { try? sweepIfDue() }
    return added
  }

  /// Deletes versions.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if a number has no version, ``ParticlesCore/Rule/fileStore`` if a
  ///   list is damaged. Nothing is deleted then.
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
  ///   - seconds: the time, in seconds since 1970. Nil for now.
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

/// Finds the rows of the store for the document at a path.
extension VersionStore {
  /// The row of a document. Created if it is missing.
  func document(_ path: String) throws -> DocumentRow {
    if let known = try existing(path) { return known }
    let place = try Self.absolute(path)
    return try store.write { database in
      if let other = try DocumentRow.at(place, in: database) {
        // Another program has created the row meanwhile, or the document there was deleted.
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

  /// The row of a document, or nil if nothing was kept.
  func existing(_ path: String) throws -> DocumentRow? {
    let place = try Self.absolute(path)
    try Takeover(store).documents(at: place)
    if let known = try store.read({ try DocumentRow.at(place, in: $0) }) ?? nil {
      guard known.ended != nil, try Files.status(path) != nil else { return known }
      guard isLastState(of: known, path) else { return nil }
      // Without the right to write to the store, the mark stays for a later call.
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

  /// Whether the document at a path is as it was last saved. False if it cannot be read.
  private func isLastState(of document: DocumentRow, _ path: String) -> Bool {
    guard let last = try? versions(of: document).last(where: \.isSavedState),
      let stored = try? PathStorage(path).read(limits: readingLimits, progress: { _, _ in })
    else { return false }
    let isSame = try? StoredTree.matches(
      stored.contents, last.tree, in: contentStore, limits: readingLimits)
    return isSame ?? false
  }

  /// Remembers the path and the identity of a document.
  /// - Returns: whether the file at the path has been replaced by a different file.
  @discardableResult
  func identify(_ path: String) throws -> Bool {
    let document = try document(path)
    let (place, identity) = try (Self.absolute(path), DocumentRow.Identity(of: path))
    if document.path == place, document.identity == identity { return false }
    try store.write { try document.identify(place, identity, in: $0) }
    return document.isReplaced(by: identity, at: place)
  }

  /// Records that a new document is at a path: the versions of an earlier document there are set aside.
  public func begin(_ path: String) throws {
    let place = try Self.absolute(path)
    try Takeover(store).documents(at: place)
    guard store.isThere else { return }
    let file = try DocumentRow.Identity(of: path).file
    try store.write { database in
      try DocumentRow.at(place, in: database)?.setAside(in: database)
      // The file system may have reused the number of a deleted file.
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

  /// The absolute path without symbolic links in the names of folders. The document need not exist. An absolute path
  /// stays unchanged if its folder does not exist.
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
  /// Whether the file at the path of the document has been replaced by a different file.
  func isReplaced(by new: Identity, at place: String) -> Bool {
    identity.file != nil && path == place && new.file != nil && identity != new
  }
}

extension VersionStore {
  /// Damage in the lists of versions and edits of a document. As long as there is damage, nothing of the document is
  /// deleted.
  public func faults(of path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    return try faults(of: document.id).faults
  }

  /// - Returns: damage in the lists, and the versions that have it.
  func faults(of document: Int) throws -> (faults: [Diagnostic], versions: Set<Int>) {
    var faults: [Diagnostic] = []
    var damaged: Set<Int> = []
    for version in try store.read({ try DocumentVersion.all(of: document, in: $0) }) ?? [] {
      do {
        _ = try StoredTree.contents(
          of: contentStore.bytes(ofList: version.tree), version.tree)
      } catch Rule.fileVersion {
        faults.append(VersionInventory.fault(version, store.path))
        damaged.insert(version.number)
      }
    }
    do {
      _ = try store.read { try RecentEdits(of: document, in: $0) }
    } catch let fault as Diagnostic where fault.rule == .fileStore {
      faults.append(fault)
    }
    return (faults, damaged)
  }

  /// Reads everything that is kept of a document.
  /// - Returns: damaged and missing parts. Empty if every version can be restored, and the files that edits need are
  ///   there.
  public func verify(_ path: String) throws -> [Diagnostic] {
    try store.telling { try faultsOfEverything(path) }
  }

  private func faultsOfEverything(_ path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    let deletion = "'particles versions \(path) delete NUMBER' removes a damaged version"
    var (faults, damaged) = try faults(of: document.id)
    var sound: Set<String> = []
    func check(_ digests: some Sequence<String>, _ subject: String) {
      for digest in digests where !sound.contains(digest) {
        do {
          try contentStore.verify(digest)
          sound.insert(digest)
        } catch {
          let fault = error as? Diagnostic
          faults.append(
            Diagnostic(
              .fileVersion, at: fault?.location ?? Location(file: store.path),
              "\(subject): \(fault?.detail ?? fault?.message ?? "\(error)")", hint: deletion))
          return
        }
      }
    }
    for version in try versions(of: document) where !damaged.contains(version.number) {
      let list = try contentStore.bytes(ofList: version.tree)
      check(try StoredTree.contents(of: list, version.tree), "number \(version.number)")
    }
    let trail = (try? store.read { try RecentEdits(of: document.id, in: $0) }) ?? nil
    check(trail?.contents.sorted() ?? [], "an edit")
    return faults
  }

  /// Removes what ``faults(of:)`` reports: versions whose lists of files cannot be read. Edits of which one
  /// is damaged are removed as a whole. Versions of which only contents are damaged stay.
  /// - Returns: the removed parts.
  @discardableResult
  public func repair(_ path: String) throws -> [Diagnostic] {
    guard let document = try existing(path) else { return [] }
    let (faults, damaged) = try faults(of: document.id)
    if faults.isEmpty { return [] }
    try store.write { database in
      for number in damaged {
        try database.run(
          "DELETE FROM versions WHERE document = ? AND number = ?",
          [.integer(document.id), .integer(number)])
      }
      if (try? RecentEdits(of: document.id, in: database)) == nil {
        try database.run("DELETE FROM edits WHERE document = ?", [.integer(document.id)])
      }
      try DocumentRow.change(document.id, in: database)
    }
    try remove(of: document.id) { _ in [] }
    return faults
  }
}

/// A summary of the versions of a document.
public struct DocumentHistory: Sendable, Hashable {
  /// The absolute path of the document, or nil if unknown.
  public var path: String?

  /// Its number in the store.
  public var identifier: String

  /// The number of versions.
  public var versions: Int

  /// The number of edits that can be undone or redone.
  public var edits: Int

  /// The room of its contents, in bytes. Contents that several documents share count for each.
  public var bytes: Int

  /// Since when the document has been gone, in seconds since 1970. Nil if it is there.
  public var gone: Double?

  /// Damage in its lists.
  public var faults: [Diagnostic]
}

/// The result of ``VersionStore/sweep(at:)``.
public struct SweepOutcome: Sendable, Hashable {
  /// The paths of the documents that were gone for too long, whose versions were removed.
  public var documents: [String] = []

  /// The number of versions that were removed to save room.
  public var versions = 0

  /// The room for everything that is left, in bytes.
  public var bytes = 0

  /// The documents of which nothing was removed, because something is damaged.
  public var diagnostics: [Diagnostic] = []
}

extension VersionStore {
  /// How often the limits for all documents are enforced, in seconds.
  static let sweepSeconds = 86_400.0

  private func documents() throws -> [DocumentRow] {
    try Takeover(store).allDocuments()
    return try store.read { try DocumentRow.all(in: $0) } ?? []
  }

  /// All documents with versions or edits, by path, also documents whose paths other documents have now.
  public func histories() throws -> [DocumentHistory] {
    let now = WallClock.seconds
    return try documents().map { document in
      let (faults, _) = try faults(of: document.id)
      let (versions, edits, bytes) =
        try store.read { database -> (Int, Int, Int) in
          func number(_ query: String) throws -> Int {
            try database.integer(query, [.integer(document.id)]) ?? 0
          }
          return try (
            number("SELECT count(*) FROM versions WHERE document = ?"),
            number("SELECT count(*) FROM edits WHERE document = ?"),
            number(
              """
              SELECT sum(stored) FROM uses JOIN contents ON contents.id = content WHERE owner = ?
              """)
          )
        } ?? (0, 0, 0)
      return DocumentHistory(
        path: document.path, identifier: "\(document.id)", versions: versions, edits: edits,
        bytes: bytes, gone: try goneTime(document, now: now), faults: faults)
    }.sorted { ($0.path ?? "", $0.identifier) < ($1.path ?? "", $1.identifier) }
  }

  /// Since when a document has been gone, in seconds since 1970. Nil if it is there. If another program has deleted
  /// it, the time counts from the first call that finds it missing.
  private func goneTime(_ document: DocumentRow, now: Double) throws -> Double? {
    if let known = document.aside ?? document.ended { return known }
    guard let path = document.path, try Files.status(path, followingLinks: false) == nil else {
      return nil
    }
    return document.missing ?? now
  }

  /// Enforces the limits for all documents, if the last time is more than a day ago. Otherwise reads one row.
  func sweepIfDue() throws {
    let now = WallClock.seconds
    let state = StoredState("swept", in: store)
    let last = try state.read()?.double
    // A time in the future is one of a wrong clock.
    if let last, abs(now - last) < Self.sweepSeconds { return }
    // First, so that other programs do not begin, too. A new store has nothing to sweep.
    try state.write(.double(now))
    if last != nil { try sweep(at: now) }
  }

  /// Removes the versions of documents that are gone for ``VersionLimits/goneSeconds``, the oldest versions of all
  /// documents beyond ``VersionLimits/totalBytes``, and leftovers of programs that have ended. A document whose list
  /// cannot be read loses nothing.
  /// - Parameter seconds: the time, in seconds since 1970. Nil for now.
  @discardableResult
  public func sweep(at seconds: Double? = nil) throws -> SweepOutcome {
    try store.telling { try enforceLimits(at: seconds) }
  }

  private func enforceLimits(at seconds: Double?) throws -> SweepOutcome {
    let now = seconds ?? WallClock.seconds
    var outcome = SweepOutcome()
    var rest: [(document: DocumentRow, isGone: Bool)] = []
    for document in try documents() {
      let gone = try goneTime(document, now: now)
      if document.missing != nil, gone == nil {
        try store.write { try document.setMissing(nil, in: $0) }
      } else if gone != nil, document.missing == nil, document.aside ?? document.ended == nil {
        try store.write { try document.setMissing(gone, in: $0) }
      }
      guard let gone, now - gone >= limits.goneSeconds else {
        rest.append((document, gone != nil))
        continue
      }
      do {
        if try remove(document) {
          outcome.documents.append(document.path ?? "document \(document.id)")
        }
      } catch let fault as Diagnostic where fault.rule == .fileStore {
        outcome.diagnostics.append(fault)
        rest.append((document, false))
      }
    }
    try contentStore.removeLeftovers()
    try enforceTotal(rest, &outcome)
    return outcome
  }

  /// Removes a document, unless it has changed since it was listed.
  private func remove(_ document: DocumentRow) throws -> Bool {
    // Throws if a list cannot be read.
    _ = try VersionInventory(document.id, in: store)
    nonisolated(unsafe) var isDone = false
    try contentStore.keep(of: document.id) { database in
      let now = try DocumentRow.numbered(document.id, in: database)
      guard now?.changes == document.changes, now?.path == document.path else { return nil }
      try document.remove(in: database)
      isDone = true
      return []
    }
    return isDone
  }

  /// Removes the oldest versions of all documents, beginning with documents that are gone.
  private func enforceTotal(
    _ documents: [(document: DocumentRow, isGone: Bool)], _ outcome: inout SweepOutcome
  ) throws {
    outcome.bytes = try contentStore.room()
    if outcome.bytes <= limits.totalBytes { return }
    var candidates: [(index: Int, version: DocumentVersion)] = []
    for (index, entry) in documents.enumerated() {
      let versions = try versions(of: entry.document)
      let all = entry.isGone ? versions[...] : versions.dropLast()
      candidates += all.filter { $0.isDiscardable || entry.isGone }.map { (index, $0) }
    }
    candidates.sort { a, b in
      let (first, second) = (documents[a.index].isGone, documents[b.index].isGone)
      return first == second ? a.version.seconds < b.version.seconds : first
    }
    var inventories: [Int: VersionInventory] = [:]
    var dropped: [Int: Set<Int>] = [:]
    var excess = outcome.bytes - limits.totalBytes
    var damaged: Set<Int> = []
    for (index, version) in candidates where excess > 0 && !damaged.contains(index) {
      do {
        let known =
          try inventories[index] ?? VersionInventory(documents[index].document.id, in: store)
        guard var inventory = known else { continue }
        excess -= inventory.drop(version.number)
        inventories[index] = inventory
        dropped[index, default: []].insert(version.number)
      } catch let fault as Diagnostic where fault.rule == .fileStore {
        outcome.diagnostics.append(fault)
        damaged.insert(index)
      }
    }
    for (index, numbers) in dropped {
      outcome.versions += try remove(of: documents[index].document.id) { _ in numbers }
    }
    outcome.bytes = try contentStore.room()
  }
}
