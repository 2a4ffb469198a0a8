package import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

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

  /// The names of the program that kept it and of its machine.
  public var program: String, host: String

  /// A description, such as the changes that were made, or nil.
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

/// The contents that the versions and edits of a document need, and the stored contents.
struct VersionInventory {
  private(set) var versions: [DocumentVersion]
  /// The number of changes of the document when this inventory was made.
  let changes: Int
  /// The digests of the contents that each version needs, by its number.
  private var needs: [Int: Set<String>] = [:]
  /// How many versions and edits need contents, by digest.
  private var users: [String: Int] = [:]
  private let sizes: [String: Int]

  /// - Returns: nil if the document is not in the store any more.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` for the first list that cannot be read: it may need anything.
  init?(_ document: Int, in store: UserStore) throws {
    let found = try store.read { database in
      try DocumentRow.numbered(document, in: database).map { row in
        let rows = StoredContentRows(database: database)
        return try (
          row.changes, DocumentVersion.all(of: document, in: database),
          RecentEdits(of: document, in: database), rows.contents(of: document)
        )
      }
    }
    guard let (changes, versions, trail, contents) = found ?? nil else { return nil }
    (self.changes, self.versions) = (changes, versions)
    sizes = contents.reduce(into: [:]) { $0[$1.digest] = $1.stored }
    let reader = ContentStore(store)
    for version in versions {
      do {
        let list = try reader.bytes(ofList: version.tree)
        needs[version.number] = Set(try StoredTree.contents(of: list, version.tree))
      } catch Rule.fileVersion {
        throw Self.fault(version, store.path)
      }
    }
    for digest in needs.values.joined() { users[digest, default: 0] += 1 }
    for digest in trail.contents { users[digest, default: 0] += 1 }
  }

  static func fault(_ version: DocumentVersion, _ path: String) -> Diagnostic {
    Diagnostic(
      .fileStore, at: Location(file: path), "the list of files of version \(version.number)")
  }

  /// The room for everything that is needed, in bytes.
  var room: Int { users.keys.reduce(0) { $0 + (sizes[$1] ?? 0) } }

  /// The contents that are needed.
  var needed: Set<String> { Set(users.keys) }

  /// Leaves out a version, and returns the room that this frees, in bytes.
  mutating func drop(_ number: Int) -> Int {
    var freed = 0
    for digest in needs.removeValue(forKey: number) ?? [] {
      users[digest, default: 1] -= 1
      guard users[digest] == 0 else { continue }
      users[digest] = nil
      freed += sizes[digest] ?? 0
    }
    return freed
  }

  /// The numbers of the versions that the limits do not keep. They are left out.
  mutating func superfluous(_ limits: VersionLimits, now: Double) -> Set<Int> {
    var dropped = limits.superfluous(versions, now: now)
    for number in dropped { _ = drop(number) }
    var room = room
    // The oldest first. The newest stays.
    for version in versions.dropLast()
    where room > limits.bytes && version.isDiscardable && !dropped.contains(version.number) {
      room -= drop(version.number)
      dropped.insert(version.number)
    }
    return dropped
  }
}

/// How many versions are kept. Of a document: all of the last day, one for each hour of the last week, one
/// for each day of the last month, and one for each week before.
public struct VersionLimits: Sendable, Hashable {
  /// The greatest room for the versions of a document, in bytes. Default: 1 GiB. The newest version and versions of
  /// conflicts always stay.
  public var bytes = 1 << 30

  /// The greatest number of versions. Default: 1,000.
  public var count = 1_000

  /// The greatest room for the versions of all documents, in bytes. Default: 8 GiB. Enforced once a day. The newest
  /// version of each existing document always stays.
  public var totalBytes = 8 << 30

  /// For how many seconds the versions of a document that is gone are kept. Default: 90 days.
  public var goneSeconds = 90.0 * 86_400

  /// Creates the default limits.
  public init() {}

  private static let (hour, day, week) = (3600.0, 86_400.0, 604_800.0)

  /// Returns the numbers of the versions that are dropped.
  /// - Parameters:
  ///   - versions: all versions, the oldest first.
  ///   - now: the time, in seconds since 1970.
  ///   - sizes: the room that dropping a version would free, by number.
  func superfluous(_ versions: [DocumentVersion], now: Double) -> Set<Int> {
    var dropped: Set<Int> = []
    var last: (Double, Double)?
    // From the newest: in each period the newest version stays.
    for version in versions.reversed() where version.isDiscardable {
      let age = now - version.seconds
      let period =
        age <= Self.day
        ? 0 : age <= Self.week ? Self.hour : age <= 30 * Self.day ? Self.day : Self.week
      guard period > 0 else { continue }
      let bucket = (period, (version.seconds / period).rounded(.down))
      if let last, last == bucket { dropped.insert(version.number) }
      last = bucket
    }
    let kept = versions.filter { $0.isDiscardable && !dropped.contains($0.number) }
    let excess = versions.count - dropped.count - count
    if excess > 0 { dropped.formUnion(kept.dropLast().prefix(excess).map(\.number)) }
    return dropped
  }
}

/// The row of a document in the store: where it is, which file it is, and whether it is gone.
struct DocumentRow: Sendable {
  var id: Int
  /// The absolute path, or nil if unknown.
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
    /// When the file was created. Nil if the file system does not record this time.
    var born: String?

    /// Whether both certainly identify one file.
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

  /// Sets the versions of an earlier document at this path aside, without losing them.
  func setAside(in database: SQLite) throws {
    try Self.set("aside", of: id, .real(WallClock.seconds), in: database)
  }

  /// Records that the versions or edits of a document have changed.
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

extension Diagnostic {
  /// A warning that something is missing in the history of a document, for an error of the store.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - effect: the part that is missing.
  ///   - error: why.
  package static func history(of path: String, _ effect: String, _ error: any Error) -> Diagnostic {
    let cause = error as? Diagnostic
    return Diagnostic(
      .fileHistory, at: Location(file: path), "\(effect): \(cause?.description ?? "\(error)")",
      hint: cause?.hint)
  }
}
