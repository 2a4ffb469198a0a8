internal import ParticlesCore
internal import ParticlesDatabase

/// The row of a document in the store: where it is, which file it is, and whether it is gone.
struct DocumentRow: Sendable {
  var id: Int
  /// The absolute path; nil if it is not known.
  var path: String?
  var identity: Identity
  /// When one of our programs has deleted it, in seconds since 1970.
  var ended: Double?
  /// Since when nothing was at its path, in seconds since 1970.
  var missing: Double?
  /// Since when another document has its path, in seconds since 1970.
  var aside: Double?
  /// The greatest number that a version has had.
  var last: Int
  /// A number that every change of its versions and edits makes greater.
  var changes: Int

  /// Which file a document is.
  struct Identity: Sendable, Hashable {
    /// The device and the number of the file there. Numbers of deleted files are used again.
    var file: String?
    /// When the file was created; nil if the file system does not keep that.
    var born: String?

    /// Whether it is certain that both are the same file.
    func isSameFile(as other: Identity) -> Bool {
      file != nil && born != nil && file == other.file && born == other.born
    }
  }

  private static let columns = "id, path, file, born, ended, missing, aside, last, changes"

  private init(_ row: SQLite.Row) {
    func number(_ column: Int) -> Double? { row.isNull(column) ? nil : row.real(column) }
    id = row.integer(0)
    path = row.optionalText(1)
    identity = Identity(file: row.optionalText(2), born: row.optionalText(3))
    (ended, missing, aside) = (number(4), number(5), number(6))
    (last, changes) = (row.integer(7), row.integer(8))
  }

  private static func all(
    where condition: String, _ values: [SQLite.Value] = [], in database: SQLite
  ) throws -> [DocumentRow] {
    var rows: [DocumentRow] = []
    try database.run("SELECT \(columns) FROM documents WHERE \(condition)", values) {
      rows.append(DocumentRow($0))
      return true
    }
    return rows
  }

  static func all(in database: SQLite) throws -> [DocumentRow] {
    try all(where: "true ORDER BY id", in: database)
  }

  static func at(_ path: String, in database: SQLite) throws -> DocumentRow? {
    try all(where: "path = ? AND aside IS NULL", [.text(path)], in: database).first
  }

  static func numbered(_ id: Int, in database: SQLite) throws -> DocumentRow? {
    try all(where: "id = ?", [.integer(id)], in: database).first
  }

  /// The documents that had the number of a file when they were saved last.
  static func known(as file: String, in database: SQLite) throws -> [DocumentRow] {
    try all(where: "file = ? AND aside IS NULL AND ended IS NULL", [.text(file)], in: database)
  }

  // MARK: Changes

  /// Adds a document.
  static func add(_ path: String?, in database: SQLite) throws -> Int {
    try database.run(
      "INSERT INTO documents(path) VALUES(?)", [path.map { .text($0) } ?? .null])
    return database.lastRow
  }

  private static func set(
    _ column: String, of id: Int, _ value: SQLite.Value, in database: SQLite
  ) throws {
    try database.run("UPDATE documents SET \(column) = ? WHERE id = ?", [value, .integer(id)])
  }

  /// Remembers the path and the file of the document.
  func identify(_ path: String, _ new: Identity, in database: SQLite) throws {
    if self.path == path, identity == new { return }
    func text(_ value: String?) -> SQLite.Value { value.map { .text($0) } ?? .null }
    try database.run(
      "UPDATE documents SET path = ?, file = ?, born = ? WHERE id = ?",
      [.text(path), text(new.file), text(new.born), .integer(id)])
  }

  func setEnded(_ seconds: Double?, in database: SQLite) throws {
    try Self.set("ended", of: id, seconds.map { .real($0) } ?? .null, in: database)
  }

  func setMissing(_ seconds: Double?, in database: SQLite) throws {
    try Self.set("missing", of: id, seconds.map { .real($0) } ?? .null, in: database)
  }

  /// Versions of a document that had the path before are not those of the one there now, but are not lost.
  func setAside(in database: SQLite) throws {
    try Self.set("aside", of: id, .real(WallClock.seconds), in: database)
  }

  /// Notes that the versions or edits of a document are others.
  static func change(_ id: Int, in database: SQLite) throws {
    try database.run("UPDATE documents SET changes = changes + 1 WHERE id = ?", [.integer(id)])
  }

  /// Removes the document, with its versions and edits. Its contents stay until they are removed.
  func remove(in database: SQLite) throws {
    for (table, column) in [("versions", "document"), ("edits", "document"), ("documents", "id")] {
      try database.run("DELETE FROM \(table) WHERE \(column) = ?", [.integer(id)])
    }
  }
}

extension DocumentRow.Identity {
  /// The identity of the file at a path.
  init(of path: String) throws {
    file = try Files.status(path)?.state.identity.description
    born = file == nil ? nil : Files.birth(of: path)
  }
}
