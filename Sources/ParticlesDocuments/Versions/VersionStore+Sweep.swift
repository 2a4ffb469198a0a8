public import ParticlesCore
internal import ParticlesDatabase

/// A summary of the versions of a document.
public struct DocumentHistory: Sendable, Hashable {
  /// The absolute path of the document; nil if that is not known.
  public var path: String?

  /// Its number in the store.
  public var identifier: String

  /// The number of versions.
  public var versions: Int

  /// The number of edits that can be undone or redone.
  public var edits: Int

  /// The room of its contents, in bytes. What several documents share counts for each.
  public var bytes: Int

  /// Since when the document has been gone, in seconds since 1970; nil if it is there.
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

  /// All documents of which something is kept, by path, also those whose paths other documents have now.
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

  /// Since when a document has been gone, in seconds since 1970; nil if it is there. For a document that
  /// another program has deleted, the time is counted from the first call that finds it missing.
  private func goneTime(_ document: DocumentRow, now: Double) throws -> Double? {
    if let known = document.aside ?? document.ended { return known }
    guard let path = document.path, try Files.status(path, followingLinks: false) == nil else {
      return nil
    }
    return document.missing ?? now
  }

  /// Enforces the limits for all documents, if that was not done for a day. Looks at one row otherwise.
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

  /// Removes the versions of documents that are gone for ``VersionLimits/goneSeconds``, the oldest versions of
  /// all documents beyond ``VersionLimits/totalBytes``, and what ended programs have left. Nothing is removed
  /// of a document with a list that cannot be read.
  /// - Parameter seconds: the time, in seconds since 1970; nil for now.
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

  /// Removes the oldest versions of all documents, those of documents that are gone first.
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
