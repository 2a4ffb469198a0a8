internal import ParticlesCore
internal import ParticlesDatabase

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
  /// While documents are read, no lock is held.
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
    // Looks of documents that wait to be written.
    let looks = Lock<[String: IndexedLook]>([:])
    try Parallel.ordered(work.count, state: {}) { index, _ -> Reading in
      let (path, state) = work[index]
      guard let document = try read(path) else { return Reading() }
      let known = try document.digest.flatMap { digest in
        try looks.withLock { $0[digest] } ?? using { try IndexRows($0).look(ofDigest: digest) }
      }
      let look = known ?? document.look()
      if let look, let digest = document.digest {
        looks.withLock { looks in
          if looks.count >= 8 * Update.mostOfBatch { looks = [:] }
          looks[digest] = look
        }
      }
      return Reading(document: document, look: look, state: state)
    } emit: { reading in
      didRead(try update.take(reading))
    }
    try update.finish()
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
    private let unlisted: Set<PathKey>
    /// The documents that are not where they were.
    private var vanished: [PathKey: IndexSnapshot.Row]
    /// Those by their digests, once they are asked for.
    private var vanishedDigests: [String: [PathKey]]?
    /// The changes that wait to be written.
    private var batch: [(IndexRows) throws -> Void] = []
    private var began = 0.0

    /// After so many changes, or so many seconds, a batch is written.
    static let (mostOfBatch, secondsOfBatch) = (500, 1.0)

    init(_ index: EffectIndex, _ files: IndexedFiles, _ old: IndexSnapshot) {
      (self.index, self.files, self.old, others) = (index, files, old, files.others)
      vanished = old.documents
      for path in files.documents { vanished[PathKey(path)] = nil }
      unlisted = Set(files.unlisted.map(PathKey.init))
      vanished = vanished.filter { !isUnlisted($0.key) }
    }

    /// Whether a file is in a folder that cannot be listed.
    private func isUnlisted(_ key: PathKey) -> Bool {
      guard !unlisted.isEmpty else { return false }
      var folder = Files.folder(of: key.path)
      while !unlisted.contains(PathKey(folder)) {
        if folder.utf8.count <= 1 { return false }
        folder = Files.folder(of: folder)
      }
      return true
    }

    /// Finds what has changed. Documents with other paths get them without being read, if nothing outside of them
    /// may be another: packages, and files that stay in their folders.
    mutating func sort() throws {
      let gone = Dictionary(
        vanished.map { ($0.value.state, $0.key) }, uniquingKeysWith: { first, _ in first })
      for path in files.documents {
        let state = IndexedState(path, now: old.now)
        if let state, let known = old.documents[PathKey(path)] {
          guard !known.state.isSame(as: state) else {
            changes.unchanged += 1
            continue
          }
        } else if let state, state.modified != 0, let from = gone[state], let row = vanished[from],
          row.format == "particles"
            || PathKey(Files.folder(of: from.path)) == PathKey(Files.folder(of: path))
        {
          vanished[from] = nil
          changes.moved += 1
          try change { rows in
            // By its path: another program may have changed it meanwhile.
            guard let row = try rows.identifier(at: from.path) else { return }
            if try rows.identifier(at: path) == nil {
              try rows.move(row, to: path)
            } else {
              try rows.remove(row)
            }
          }
          continue
        }
        work.append((path, state))
      }
      try write()
    }

    /// Notes a document that was read.
    /// - Returns: its path.
    mutating func take(_ reading: Reading) throws -> String {
      let path = work[next].path
      next += 1
      guard let document = reading.document else {
        changes.unknown.append(path)
        others.append(path)
        let key = PathKey(path)
        if let row = old.documents[key] { vanished[key] = row }
        return path
      }
      changes.read += 1
      // A file that cannot be looked at is read again next time.
      let state =
        reading.state ?? IndexedState(size: 0, modified: 0, device: 0, node: 0, entries: 0)
      let kept = try document.digest.flatMap { digest in try self.kept(digest, path) }
      let now = old.now
      try change { rows in
        let row = try rows.identifier(at: path)
        let left = try kept.flatMap { try rows.identifier(at: $0.path) }
        // If another program has written the document meanwhile, the row of the old path is that of no document.
        if row != nil, let left { try rows.remove(left) }
        try rows.write(document, at: path, state, old: row ?? left, reading.look, now: now)
      }
      if let kept {
        vanished[kept] = nil
        changes.moved += 1
      }
      return path
    }

    /// A document with the same digest that is not where it was.
    private mutating func kept(_ digest: String, _ path: String) throws -> PathKey? {
      guard old.documents[PathKey(path)] == nil, !vanished.isEmpty else { return nil }
      if vanishedDigests == nil {
        let keys = vanished.keys
        vanishedDigests = try index.using { database in
          var found: [String: [PathKey]] = [:]
          for key in keys {
            try database.run("SELECT digest FROM documents WHERE path = ?", [.text(key.path)]) {
              row in
              row.optionalText(0).map { found[$0, default: []].append(key) }
              return false
            }
          }
          return found
        }
      }
      while let key = vanishedDigests?[digest]?.popLast() {
        if vanished[key] != nil { return key }
      }
      return nil
    }

    /// Removes what is gone, and notes files that are no documents.
    mutating func finish() throws {
      for key in vanished.keys {
        try change { rows in
          if let row = try rows.identifier(at: key.path) { try rows.remove(row) }
        }
        changes.removed += 1
      }
      var unseen = old.others
      for path in others {
        guard let state = IndexedState(path, now: old.now) else { continue }
        if let known = unseen.removeValue(forKey: PathKey(path)), known.isSame(as: state) {
          continue
        }
        try change { try $0.writeOther(path, state) }
      }
      for key in unseen.keys where !isUnlisted(key) {
        try change {
          try $0.database.run("DELETE FROM others WHERE path = ?", [.text(key.path)])
        }
      }
      let now = old.now
      for folder in files.folders {
        try change {
          try $0.database.run(
            "INSERT OR REPLACE INTO folders VALUES(?, ?)", [.text(folder), .real(now)])
        }
      }
      try write()
    }

    /// Adds a change to the present batch.
    private mutating func change(_ body: @escaping (IndexRows) throws -> Void) throws {
      if batch.isEmpty { began = MonotonicClock.seconds }
      batch.append(body)
      if batch.count >= Self.mostOfBatch || MonotonicClock.seconds - began > Self.secondsOfBatch {
        try write()
      }
    }

    /// Writes the batch in a transaction of its own: a document that takes long is not read within it.
    private mutating func write() throws {
      guard !batch.isEmpty else { return }
      defer { batch = [] }
      let changes = batch
      try index.changing { database in
        let rows = IndexRows(database)
        for change in changes { try change(rows) }
      }
    }
  }
}
