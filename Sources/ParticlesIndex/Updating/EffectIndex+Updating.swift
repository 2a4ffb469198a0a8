internal import ParticlesCore

/// The files of the folders that are indexed, as a search has found them.
package struct IndexedFiles: Sendable {
  /// The folders, absolute paths without links.
  package var folders: [String]
  /// The documents.
  package var documents: [String]
  /// The files that are no documents.
  package var others: [String]
  /// Folders that cannot be listed: the rows of files in them stay.
  package var unlisted: [String]

  /// Creates a list.
  package init(
    folders: [String], documents: [String], others: [String], unlisted: [String] = []
  ) {
    (self.folders, self.documents, self.others) = (folders, documents, others)
    self.unlisted = unlisted
  }
}

/// The result of an update.
package struct IndexChanges: Sendable, Hashable {
  /// The documents that were read.
  package var read = 0
  /// The documents that were not read, because they have not changed.
  package var unchanged = 0
  /// The documents with another path, some of which were read.
  package var moved = 0
  /// The documents that are gone.
  package var removed = 0
  /// Files that were taken for documents until they were opened.
  package var unknown: [String] = []
}

extension EffectIndex {
  /// Brings the index up to date. The changes are written in batches; after each, the index is one of a state between.
  /// - Parameters:
  ///   - files: the present files.
  ///   - old: the state before the files were searched.
  ///   - willRead: called once with the number of documents that will be read.
  ///   - read: reads a document, on any thread; returns nil if it is none.
  ///   - didRead: called after each document.
  /// - Throws: errors of the database. Batches that were written stay.
  package func update(
    _ files: IndexedFiles, since old: IndexSnapshot, willRead: (Int) -> Void = { _ in },
    read: @Sendable (_ path: String) throws -> IndexedDocument?,
    didRead: (_ path: String) -> Void = { _ in }
  ) throws -> IndexChanges {
    var update = Update(self, files, old)
    try update.sort()
    let work = update.work
    willRead(work.count)
    do {
      try Parallel.ordered(work.count, state: {}) { index, _ -> Reading in
        let (path, state) = work[index]
        guard let document = try read(path) else { return Reading() }
        let known = try document.digest.flatMap { digest in
          try using { try IndexRows($0).look(ofDigest: digest) }
        }
        return Reading(document: document, look: known ?? document.look(), state: state)
      } emit: { reading in
        didRead(try update.take(reading))
      }
      try update.finish()
    } catch {
      update.cancel()
      throw error
    }
    return update.changes
  }

  /// A document that was read; without one, the file is none.
  private struct Reading: Sendable {
    var document: IndexedDocument?
    var look: IndexedLook?
    var state: IndexedState?
  }

  /// An update that is going on.
  private struct Update {
    let index: EffectIndex
    let files: IndexedFiles
    let old: IndexSnapshot
    var changes = IndexChanges()
    /// The documents to read.
    var work: [(path: String, state: IndexedState?)] = []
    private var next = 0
    private var others: [String]
    /// The documents that are not where they were, by path.
    private var vanished: [String: IndexSnapshot.Row]
    private var batch = 0
    private var began = 0.0

    /// After so many documents, or so many seconds, a batch is written.
    private static let (mostOfBatch, secondsOfBatch) = (500, 1.0)

    init(_ index: EffectIndex, _ files: IndexedFiles, _ old: IndexSnapshot) {
      (self.index, self.files, self.old, others) = (index, files, old, files.others)
      vanished = old.documents
      for path in files.documents { vanished[path] = nil }
      for folder in files.unlisted {
        vanished = vanished.filter { !$0.key.hasPrefix(EffectIndex.prefix(of: folder)) }
      }
    }

    /// Finds what has changed. Documents with other paths get them without being read, if nothing outside of them
    /// may be another: packages, and files that stay in their folders.
    mutating func sort() throws {
      let gone = Dictionary(
        vanished.map { ($0.value.state, $0.key) }, uniquingKeysWith: { first, _ in first })
      var moves: [(from: String, to: String)] = []
      for path in files.documents {
        let state = IndexedState(path, now: old.now)
        if let state, let known = old.documents[path] {
          guard !known.state.isSame(as: state) else {
            changes.unchanged += 1
            continue
          }
        } else if let state, state.modified != 0, let from = gone[state], let row = vanished[from],
          row.format == "particles" || Files.folder(of: from) == Files.folder(of: path)
        {
          moves.append((from, path))
          vanished[from] = nil
          continue
        }
        work.append((path, state))
      }
      for (from, path) in moves {
        try changing { rows in
          // By its path: another program may have changed it meanwhile.
          guard let row = try rows.identifier(at: from), try rows.identifier(at: path) == nil else {
            return
          }
          try rows.move(row, to: path)
        }
        changes.moved += 1
      }
    }

    /// Writes a document.
    /// - Returns: its path.
    mutating func take(_ reading: Reading) throws -> String {
      let path = work[next].path
      next += 1
      changes.read += 1
      guard let document = reading.document else {
        changes.unknown.append(path)
        others.append(path)
        if let row = old.documents[path] { vanished[path] = row }
        return path
      }
      // A file that cannot be looked at is read again next time.
      let state =
        reading.state ?? IndexedState(size: 0, modified: 0, device: 0, node: 0, entries: 0)
      let kept = try document.digest.flatMap { digest in try self.kept(digest, path) }
      let now = old.now
      try changing { rows in
        let row = try rows.identifier(at: path) ?? kept.flatMap { try rows.identifier(at: $0) }
        try rows.write(document, at: path, state, old: row, reading.look, now: now)
      }
      if let kept {
        vanished[kept] = nil
        changes.moved += 1
      }
      return path
    }

    /// The path of the document with the same digest that is not where it was.
    private func kept(_ digest: String, _ path: String) throws -> String? {
      guard old.documents[path] == nil, !vanished.isEmpty else { return nil }
      return try index.using { database in
        var found: String?
        try database.run("SELECT path FROM documents WHERE digest = ?", [.text(digest)]) { row in
          let path = row.text(0)
          if vanished[path] != nil { found = path }
          return found == nil
        }
        return found
      }
    }

    /// Removes what is gone, and notes files that are no documents.
    mutating func finish() throws {
      for path in vanished.keys {
        try changing { rows in
          if let row = try rows.identifier(at: path) { try rows.remove(row) }
        }
        changes.removed += 1
      }
      var unseen = old.others
      for path in others {
        guard let state = IndexedState(path, now: old.now) else { continue }
        if let known = unseen.removeValue(forKey: path), known.isSame(as: state) { continue }
        try changing { try $0.writeOther(path, state) }
      }
      for path in unseen.keys {
        try changing {
          try $0.database.run("DELETE FROM others WHERE path = ?", [.text(path)])
        }
      }
      let now = old.now
      for folder in files.folders {
        try changing {
          try $0.database.run(
            "INSERT OR REPLACE INTO folders VALUES(?, ?)", [.text(folder), .real(now)])
        }
      }
      try commit()
    }

    func cancel() {
      index.using { if $0.isInTransaction { try? $0.execute("ROLLBACK") } }
    }

    /// Changes rows in the present batch.
    private mutating func changing(_ body: (IndexRows) throws -> Void) throws {
      if batch == 0 {
        try index.using { try $0.execute("BEGIN IMMEDIATE") }
        began = MonotonicClock.seconds
      }
      try index.using { try body(IndexRows($0)) }
      batch += 1
      if batch >= Self.mostOfBatch || MonotonicClock.seconds - began > Self.secondsOfBatch {
        try commit()
      }
    }

    private mutating func commit() throws {
      guard batch > 0 else { return }
      try index.using { try $0.execute("COMMIT") }
      batch = 0
    }
  }
}
