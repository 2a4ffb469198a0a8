package import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesSystem

/// The edits of open documents that their files may not have yet, and how edits ended, in the store of the user. See
/// "Journal" in `Spec/editing.md`. If a program is killed, the next program that opens the document makes them again.
package final class EditJournal: Sendable {
  /// An edit.
  package struct Row: Sendable {
    /// The identity that its page has given it.
    package var id: String
    package var window: String
    /// The name of the edit in menus.
    package var name: String
    /// The kind. For undo and redo, with the number of edits.
    package var kind: String
    /// The number of the last part of a gesture, or nil for a single edit.
    package var tick: Int?
    /// Whether it is a gesture that goes on.
    package var isOpen: Bool
    /// The revision that it led to.
    package var revision: Int
    /// The changes that it has made. Nil for none, and for changes that the file already has.
    package var patch: JSONValue?
    /// The digest of the document after it, or nil if unknown.
    package var digest: String?
    /// The status and the fault of a refusal, or nil if the edit was made.
    package var refusal: (status: Int, fault: JSONValue)?

    package init(
      id: String, window: String, name: String, kind: String, tick: Int?, isOpen: Bool,
      revision: Int, patch: JSONValue?, digest: String?, refusal: (status: Int, fault: JSONValue)?
    ) {
      (self.id, self.window, self.name, self.kind) = (id, window, name, kind)
      (self.tick, self.isOpen, self.revision) = (tick, isOpen, revision)
      (self.patch, self.digest, self.refusal) = (patch, digest, refusal)
    }
  }

  private let store: UserStore
  private let lock: ProgramLock
  /// Where the open documents are, by their numbers.
  private let open = Lock<[Int: (path: String, identity: String?)]>([:])

  /// The identities that are kept, and for how many seconds.
  private static let (most, longest) = (10_000, 86_400.0)

  /// Creates the journal in a data folder.
  /// - Throws: errors of the lock of the program.
  package init(dataFolder: String) throws {
    store = UserStore.of(dataFolder: dataFolder)
    lock = try ProgramLock.current(in: dataFolder)
  }

  // MARK: Documents

  /// Begins the journal of a document that is opened.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - identity: the identity of its file, or nil if unknown.
  /// - Returns: the number of the document in the journal, and the edits that ended programs have left, in order.
  ///   Open gestures come last.
  package func begin(_ path: String, identity: String?) throws -> (document: Int, left: [Row]) {
    try store.write { database in
      var old: [(number: Int, path: String, identity: String?)] = []
      try database.run(
        "SELECT id, lock, path, identity FROM edited WHERE path = ? OR identity = ? ORDER BY id",
        [.text(path), identity.map { .text($0) } ?? .null]
      ) { row in
        let name = row.text(1)
        if name != lock.name, !ProgramLock.isHeld(name, in: store.dataFolder) {
          old.append((row.integer(0), row.text(2), row.optionalText(3)))
        }
        return true
      }
      // Random, not counted: if the database is replaced, a counted number could belong to a different document.
      let document = Int.random(in: 1...Int.max)
      try add(document, path, identity, to: database)
      for (number, place, known) in old {
        // Its file was renamed, and a different file has this path now.
        if place == path, let known, known != identity, Self.isBeside(path, known) { continue }
        try database.run(
          "UPDATE made SET document = ? WHERE document = ?",
          [.integer(document), .integer(number)])
        try database.run("DELETE FROM edited WHERE id = ?", [.integer(number)])
      }
      try prune(database)
      var left: [Row] = []
      try database.run(
        "SELECT \(Self.columns) FROM made WHERE document = ? AND patch IS NOT NULL ORDER BY open, sequence",
        [.integer(document)]
      ) { row in
        left.append(Self.row(row))
        return true
      }
      return (document, left)
    }
  }

  private func add(
    _ document: Int, _ path: String, _ identity: String?, to database: SQLite
  ) throws {
    open.withLock { $0[document] = (path, identity) }
    try database.run(
      "INSERT INTO edited (id, path, identity, lock) VALUES (?, ?, ?, ?)",
      [
        .integer(document), .text(path), identity.map { .text($0) } ?? .null, .text(lock.name),
      ])
  }

  /// Ends the journal of a document that is closed: its edits are in the file or in the recovery journal.
  package func end(_ document: Int) throws {
    open.withLock { $0[document] = nil }
    try store.write { database in
      try database.run(
        "UPDATE made SET patch = NULL, open = 0 WHERE document = ?", [.integer(document)])
      try database.run("DELETE FROM edited WHERE id = ?", [.integer(document)])
    }
  }

  /// Notes that the file of a document has all edits.
  package func saved(_ document: Int, _ path: String, identity: String?) throws {
    open.withLock { $0[document] = (path, identity) }
    try store.write { database in
      try database.run(
        "UPDATE made SET patch = NULL WHERE document = ? AND patch IS NOT NULL AND open = 0",
        [.integer(document)])
      // A save may have replaced the file.
      try database.run(
        "UPDATE edited SET path = ?, identity = ? WHERE id = ?",
        [.text(path), identity.map { .text($0) } ?? .null, .integer(document)])
    }
  }

  /// Whether another file in the folder of a document has an identity.
  private static func isBeside(_ path: String, _ identity: String) -> Bool {
    let (folder, own) = (Files.folder(of: path), Files.lastComponent(of: path))
    let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
    return names.prefix(most).contains {
      $0 != own && FolderListing.stamp(of: Files.joined(folder, $0)) == identity
    }
  }

  private func prune(_ database: SQLite) throws {
    try database.run(
      "DELETE FROM made WHERE patch IS NULL AND seconds < ?",
      [.real(WallClock.seconds - Self.longest)])
    try database.run(
      """
      DELETE FROM made WHERE patch IS NULL AND sequence <= (
        SELECT sequence FROM made ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.most))
      """)
  }

  // MARK: Edits

  /// The columns of a row, in the order in which they are read.
  private static let columns =
    "id, window, name, kind, tick, open, revision, patch, digest, status, fault"

  private static func row(_ row: SQLite.Row) -> Row {
    func json(_ column: Int) -> JSONValue? {
      row.optionalText(column).flatMap { try? JSONParser.parse(Array($0.utf8)) }
    }
    return Row(
      id: row.text(0), window: row.text(1), name: row.text(2), kind: row.text(3),
      tick: row.isNull(4) ? nil : row.integer(4), isOpen: row.integer(5) == 1,
      revision: row.integer(6), patch: json(7), digest: row.optionalText(8),
      refusal: row.isNull(9) ? nil : (row.integer(9), json(10) ?? .null))
  }

  /// An edit, or nil if there is none of this identity.
  package func row(_ id: String) throws -> Row? {
    try store.read { database in
      var found: Row?
      try database.run("SELECT \(Self.columns) FROM made WHERE id = ?", [.text(id)]) {
        found = Self.row($0)
        return false
      }
      return found
    } ?? nil
  }

  /// Writes an edit. Replaces the edit with its identity. A gesture that ends moves to the end.
  package func note(_ row: Row, of document: Int) throws {
    func text(_ value: String?) -> SQLite.Value { value.map { .text($0) } ?? .null }
    let values: [SQLite.Value] = [
      .text(row.id), .integer(document), .text(row.window), .text(row.name), .text(row.kind),
      row.tick.map { .integer($0) } ?? .null, .integer(row.isOpen ? 1 : 0), .integer(row.revision),
      text(row.patch?.denseText), text(row.digest),
      row.refusal.map { .integer($0.status) } ?? .null, text(row.refusal?.fault.denseText),
      .real(WallClock.seconds),
    ]
    try store.write { database in
      if try database.integer("SELECT 1 FROM edited WHERE id = ?", [.integer(document)]) == nil,
        let place = open.withLock({ $0[document] })
      {
        try add(document, place.path, place.identity, to: database)
      }
      try database.run(
        """
        INSERT OR REPLACE INTO made
        (id, document, window, name, kind, tick, open, revision, patch, digest, status, fault, seconds)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
    }
  }

  package func end(gesture id: String) throws {
    try store.write { try $0.run("UPDATE made SET open = 0 WHERE id = ?", [.text(id)]) }
  }

  /// Waits until all edits have reached the disk.
  package func flush() throws { try store.flush() }
}
