internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// The database of everything that programs keep for a user beside the documents: versions, edits that can be undone,
/// unsaved contents, edits of open documents, and states of programs. Its path is `particles/store.sqlite` in a data
/// folder. See "Store" in `Spec/documents.md`.
///
/// The first call that needs the database opens it. A call that finds it damaged sets it aside and throws. The next
/// call begins with an empty database.
package final class UserStore: Sendable {
  /// The data folder, such as `~/.local/share`.
  let dataFolder: String
  let path: String

  private struct Connection {
    var database: SQLite
    var identity: FileIdentity
    var canWrite: Bool
  }

  private let connection = Lock<Connection?>(nil)
  /// The faults of databases that were set aside.
  private let losses = Lock<[Diagnostic]>([])

  private init(dataFolder: String) {
    self.dataFolder = dataFolder
    path = Files.joined(dataFolder, "particles/store.sqlite")
  }

  private struct Weak: Sendable { weak var store: UserStore? }

  private static let known = Lock<[String: Weak]>([:])

  /// The store of a data folder. The program has one for each folder, as long as it is in use.
  package static func of(dataFolder: String) -> UserStore {
    known.withLock { known in
      if let store = known[dataFolder]?.store { return store }
      known = known.filter { $0.value.store != nil }
      let new = UserStore(dataFolder: dataFolder)
      known[dataFolder] = Weak(store: new)
      return new
    }
  }

  /// The data folder of the user: `XDG_DATA_HOME`, or `~/.local/share`.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if neither `XDG_DATA_HOME` nor `HOME` is set.
  static func dataFolder(_ environment: [String: String]) throws -> String {
    if let home = BaseDirectories(environment: environment).dataHome { return home }
    throw Diagnostic(
      .fileNotFound, "cannot find the data folder", hint: "set HOME or XDG_DATA_HOME")
  }

  static let kind = DatabaseKind(
    name: "the store of the user", foreign: .fileStore, damaged: .fileStore,
    openingHint: "make the data folder writable",
    busyHint: "try again when the other program is ready", spaceHint: "free space",
    patience: 5_000)

  /// The fault of a change that other programs have prevented again and again.
  var busyFault: Diagnostic {
    Diagnostic(.fileBusy, at: Location(file: path), hint: Self.kind.busyHint)
  }

  // MARK: Access

  var isThere: Bool { ((try? Files.status(path)) ?? nil) != nil }

  /// Calls `body` with the database. Returns nil if there is none. `body` must not use the store otherwise.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if the database is damaged or of a later version.
  ///   ``ParticlesCore/Rule/fileBusy``, and errors of opening and reading.
  func read<Result>(_ body: (SQLite) throws -> Result) throws -> Result? {
    try connection.withLock { connection in
      guard let database = try open(&connection, creating: false) else { return nil }
      nonisolated(unsafe) let result = try guarding(&connection, database) { try body(database) }
      return result
    }
  }

  /// Changes the database in one transaction. Creates it if it is missing. Nothing is changed if `body` throws.
  /// - Parameters:
  ///   - isDurable: whether to wait until the change has reached the disk.
  ///   - body: must not use the store otherwise.
  /// - Throws: the errors of ``read(_:)``, and errors of writing.
  func write<Result>(
    durably isDurable: Bool = false, _ body: (SQLite) throws -> Result
  ) throws -> Result {
    try connection.withLock { connection in
      guard let database = try open(&connection, creating: true) else { throw busyFault }
      nonisolated(unsafe) let result = try guarding(&connection, database) {
        if isDurable { try database.flush(each: true) }
        defer { if isDurable { try? database.flush(each: false) } }
        return try database.transaction { try body(database) }
      }
      return result
    }
  }

  /// Waits until everything has reached the disk.
  package func flush() throws {
    _ = try read { try $0.execute("PRAGMA wal_checkpoint(PASSIVE)") }
  }

  /// Calls `body`. If that shows the database to be damaged, it is set aside.
  private func guarding<Result>(
    _ connection: inout Connection?, _ database: SQLite, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as Diagnostic where fault.rule == Self.kind.damaged && database.isDamaged {
      let identity = connection?.identity
      connection = nil
      throw setAside(identity, fault)
    }
  }

  // MARK: Opening

  /// - Returns: nil only if there is no database and none is created.
  private func open(_ connection: inout Connection?, creating isCreating: Bool) throws -> SQLite? {
    var status = try Files.status(path)
    if let known = connection, known.identity == status?.state.identity {
      if known.canWrite || !isCreating { return known.database }
    }
    connection = nil
    let folder = Files.folder(of: path)
    if status == nil {
      guard isCreating else { return nil }
      try Files.makeDirectories(folder)
      // Only the user may read it, and the files that SQLite puts beside it.
      _ = try? OpenFile(creating: path, mode: 0o600)
      status = try Files.status(path)
    }
    // Anything else is not waited for.
    _ = try Files.regularSize(path)
    guard let identity = status?.state.identity else {
      throw Diagnostic(.fileUnwritable, at: Location(file: path), hint: Self.kind.openingHint)
    }
    let isFixed = !isCreating && !Files.canCreate(in: folder)
    let hasLog = isFixed ? try Files.status("\(path)-wal") != nil : true
    let database = try SQLite(
      path, Self.kind, isFixed ? hasLog ? .reading : .fixed : isCreating ? .creating : .writing)
    do {
      try prepare(database, fixed: isFixed)
    } catch let fault as Diagnostic where fault.rule == Self.kind.damaged && database.isDamaged {
      throw setAside(identity, fault)
    }
    // Not before: a database that was refused is not used by the next call either.
    connection = Connection(database: database, identity: identity, canWrite: !isFixed)
    return database
  }

  /// Makes the tables of a new database, and refuses one of a later version.
  private func prepare(_ database: SQLite, fixed isFixed: Bool) throws {
    // At one moment: another program may make the tables.
    var (version, application, isEmpty) = (0, 0, false)
    try database.run(
      """
      SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
      FROM pragma_user_version, pragma_application_id
      """
    ) { row in
      (version, application) = (row.integer(0), row.integer(1))
      isEmpty = version == 0 && application == 0 && row.integer(2) == 0
      return false
    }
    guard isEmpty || application == UserTables.application else {
      throw Diagnostic(
        .fileStore, at: Location(file: path), expected: Self.kind.name,
        found: "another database of SQLite", hint: "move it elsewhere")
    }
    guard version <= UserTables.version else {
      throw Diagnostic(
        .fileStore, at: Location(file: path), expected: "version \(UserTables.version)",
        found: "version \(version)", hint: "use a later version of this program")
    }
    if isFixed { return }
    let isRemote = Files.isRemote(path)
    try database.flush(each: false)
    if isEmpty {
      try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try choose(isRemote ? "DELETE" : "WAL", database)
      try database.transaction {
        // Another program may have been faster.
        if try database.integer("PRAGMA user_version") == 0 {
          try database.execute(UserTables.script)
        }
      }
    } else if isRemote {
      try choose("DELETE", database)
    }
    database.keepLog()
    // The log is copied into the database when it has 0.5 MB, and is cut to that size: opening the database reads it.
    // Pages of the database have at most 0.5 MB of memory.
    try database.execute(
      """
      PRAGMA trusted_schema = OFF; PRAGMA cache_size = -512;
      PRAGMA wal_autocheckpoint = 128; PRAGMA journal_size_limit = 524288
      """)
  }

  /// Chooses the kind of journal, for which no other program may be at the database.
  private func choose(_ mode: String, _ database: SQLite) throws {
    let deadline = Deadline(seconds: Double(Self.kind.patience) / 1000)
    while true {
      do { return try database.execute("PRAGMA journal_mode = \(mode)") } catch Rule.fileBusy
        where !deadline.isOver
      {
        MonotonicClock.wait(seconds: 0.01)
      }
    }
  }

  // MARK: Damage

  /// Renames a damaged database, and returns the fault with its new name.
  private func setAside(_ identity: FileIdentity?, _ fault: Diagnostic) -> Diagnostic {
    var fault = fault
    // Another program may have done that.
    guard let now = try? Files.status(path), now.state.identity == identity else { return fault }
    let date = WallClock.text(WallClock.seconds, inUTC: true).prefix(19)
      .map { $0.isNumber ? $0 : "-" }
    let place = "\(path).damaged-\(String(date))"
    do {
      try Files.renameExclusively(path, place)
      for part in ["-wal", "-shm"] where try Files.status(path + part) != nil {
        try Files.rename(path + part, place + part)
      }
    } catch { return fault }
    fault.detail =
      "\(fault.detail.map { "\($0): " } ?? "")it was set aside as \(Files.lastComponent(of: place))"
    fault.hint = "'sqlite3 FILE .recover' reads what is left in it"
    let told = fault
    losses.withLock { $0.append(told) }
    return fault
  }

  /// Runs an operation, and throws the fault of a database that was set aside meanwhile: its results may be in that
  /// database, and parts of an operation may fail without ending it.
  func telling<Result>(_ operation: () throws -> Result) throws -> Result {
    let known = losses.withLock(\.count)
    let result = Swift.Result { try operation() }
    if let loss = losses.withLock({ $0.count > known ? $0.last : nil }) { throw loss }
    return try result.get()
  }
}

/// The tables of the store.
enum UserTables {
  /// "PTXS", in the header of the file: other databases have other numbers.
  static let application = 0x5054_5853

  /// The version of the tables. A database of a later one is refused.
  static let version = 1

  static let script = """
    CREATE TABLE documents(
      id INTEGER PRIMARY KEY, path TEXT, file TEXT, born TEXT, ended REAL, missing REAL,
      aside REAL, last INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0,
      origin TEXT UNIQUE);
    CREATE UNIQUE INDEX document_at ON documents(path) WHERE aside IS NULL;
    CREATE TABLE versions(
      document INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, seconds REAL NOT NULL,
      program TEXT NOT NULL, host TEXT NOT NULL, comment TEXT, size INTEGER NOT NULL,
      tree BLOB NOT NULL, PRIMARY KEY(document, number)) WITHOUT ROWID;
    CREATE TABLE edits(
      id INTEGER PRIMARY KEY, document INTEGER NOT NULL, name TEXT NOT NULL, changes TEXT NOT NULL,
      undone INTEGER NOT NULL);
    CREATE INDEX edits_of ON edits(document);
    CREATE TABLE contents(
      id INTEGER PRIMARY KEY, digest BLOB UNIQUE, size INTEGER NOT NULL, stored INTEGER NOT NULL,
      bytes BLOB);
    CREATE TABLE pieces(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    CREATE TABLE uses(
      owner INTEGER NOT NULL, content INTEGER NOT NULL, PRIMARY KEY(owner, content)) WITHOUT ROWID;
    CREATE INDEX users_of ON uses(content);
    CREATE TABLE holds(
      content INTEGER NOT NULL, program TEXT NOT NULL, PRIMARY KEY(content, program)) WITHOUT ROWID;
    CREATE TABLE recovery(
      id INTEGER PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL, program TEXT NOT NULL,
      lock TEXT, seconds REAL NOT NULL, base TEXT, holds TEXT NOT NULL, size INTEGER NOT NULL,
      tree BLOB, folder TEXT, UNIQUE(path, name));
    CREATE TABLE states(name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE edited(
      id INTEGER PRIMARY KEY, path TEXT NOT NULL, identity TEXT, lock TEXT NOT NULL);
    CREATE TABLE made(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, document INTEGER NOT NULL,
      window TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tick INTEGER,
      open INTEGER NOT NULL, revision INTEGER NOT NULL, patch TEXT, digest TEXT, status INTEGER,
      fault TEXT, seconds REAL NOT NULL);
    CREATE INDEX made_of ON made(document, sequence);
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    """
}
