internal import ParticlesCore
internal import ParticlesDatabase

/// An earlier state of a document, kept in the data folder of the user.
public struct DocumentVersion: Sendable, Hashable {
  /// Why a version was kept.
  public enum Kind: String, Sendable, CaseIterable {
    /// The state before the first save.
    case opened
    /// A save that was asked for.
    case saved
    /// An automatic save.
    case autosaved
    /// A state that another program has saved.
    case outside
    /// A state that was replaced by an older version, or by the saved state.
    case replaced
    /// One side of a conflict.
    case conflict
  }

  /// Its number, unique in the versions of the document and never used again.
  public var number: Int

  /// Why it was kept.
  public var kind: Kind

  /// When it was kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept it, and that of the machine.
  public var program: String, host: String

  /// A description, such as the changes that were made; nil if there is none.
  public var comment: String?

  /// The size of all files in bytes.
  public var size: Int

  /// The digest of the list of its files.
  var tree: String

  /// Whether the document was saved in this state, so that it may be in it still.
  var isSavedState: Bool { [.opened, .saved, .autosaved, .outside].contains(kind) }

  /// Whether it may be dropped to save room. The sides of a conflict may not, until they are deleted.
  var isDiscardable: Bool { kind != .conflict }

  init(
    number: Int, kind: Kind, seconds: Double, comment: String?, size: Int, tree: String,
    program: String = RunningProcess.name, host: String = RunningProcess.host
  ) {
    (self.number, self.kind, self.seconds) = (number, kind, seconds)
    (self.comment, self.size, self.tree) = (comment, size, tree)
    (self.program, self.host) = (program, host)
  }
}

extension DocumentVersion {
  private static let columns = "number, kind, seconds, program, host, comment, size, tree"

  /// Nil if it is of a kind that a later version of this program keeps.
  private init?(_ row: SQLite.Row) {
    guard let kind = Kind(rawValue: row.text(1)) else { return nil }
    self.init(
      number: row.integer(0), kind: kind, seconds: row.real(2), comment: row.optionalText(5),
      size: row.integer(6), tree: row.withBlob(7) { $0.hexDigits }, program: row.text(3),
      host: row.text(4))
  }

  /// The versions of a document, the oldest first.
  static func all(of document: Int, in database: SQLite) throws -> [DocumentVersion] {
    var versions: [DocumentVersion] = []
    try database.run(
      "SELECT \(columns) FROM versions WHERE document = ? ORDER BY number", [.integer(document)]
    ) {
      if let version = DocumentVersion($0) { versions.append(version) }
      return true
    }
    return versions
  }

  static func newest(of document: Int, in database: SQLite) throws -> DocumentVersion? {
    var newest: DocumentVersion?
    try database.run(
      "SELECT \(columns) FROM versions WHERE document = ? ORDER BY number DESC LIMIT 1",
      [.integer(document)]
    ) {
      newest = DocumentVersion($0)
      return false
    }
    return newest
  }

  func add(to document: Int, in database: SQLite) throws {
    try database.run(
      "INSERT INTO versions(document, \(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(document), .integer(number), .text(kind.rawValue), .real(seconds), .text(program),
        .text(host), comment.map { .text($0) } ?? .null, .integer(size),
        .blob(StoredContentRows.key(tree) ?? []),
      ])
    try database.run(
      "UPDATE documents SET last = ?, changes = changes + 1 WHERE id = ?",
      [.integer(number), .integer(document)])
  }
}
