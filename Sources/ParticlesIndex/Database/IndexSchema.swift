internal import ParticlesCore
internal import ParticlesDatabase

extension DatabaseKind {
  /// The words of an index.
  static let index = DatabaseKind(
    name: "an index", foreign: .indexForeign, damaged: .indexDamaged,
    openingHint: "name another file with --database",
    busyHint: "try again when the other program has updated the index",
    spaceHint: "free space, or name a file on another volume with --database", patience: 10_000)
}

/// The tables of the database, see Spec/finding.md.
enum IndexSchema {
  /// "PTXI", in the header of the file: other databases have other numbers.
  static let application = 0x5054_5849

  /// The version of the tables. A database of another one is refused.
  static let version = 1

  /// The version of the facts that are stored of a document. Documents of another one are read again.
  static let analysis = 2

  static let script = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE folders(path TEXT PRIMARY KEY, updated REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE documents(
      id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,
      modified INTEGER NOT NULL, device INTEGER NOT NULL, node INTEGER NOT NULL,
      entries INTEGER NOT NULL, format TEXT, name TEXT, digest TEXT, added REAL NOT NULL);
    CREATE INDEX digests ON documents(digest);
    CREATE TABLE others(
      path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      device INTEGER NOT NULL, node INTEGER NOT NULL, entries INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE keys(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE numbers(
      key INTEGER NOT NULL, value REAL NOT NULL, document INTEGER NOT NULL,
      PRIMARY KEY(key, value, document)) WITHOUT ROWID;
    CREATE TABLE words(
      key INTEGER NOT NULL, value TEXT NOT NULL, document INTEGER NOT NULL,
      PRIMARY KEY(key, value, document)) WITHOUT ROWID;
    CREATE TABLE details(
      document INTEGER PRIMARY KEY, facts TEXT NOT NULL, problems TEXT NOT NULL);
    CREATE TABLE vectors(document INTEGER PRIMARY KEY, emitted REAL, vector BLOB NOT NULL);
    CREATE VIRTUAL TABLE texts USING fts5(
      file, name, emitters, textures, tokenize = 'trigram case_sensitive 1');
    INSERT INTO meta VALUES('analysis', \(analysis));
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    """

  /// Checks that a database is an index, or makes one of a database without tables.
  /// - Throws: ``ParticlesCore/Rule/indexForeign``, ``ParticlesCore/Rule/indexVersion`` or
  ///   ``ParticlesCore/Rule/indexDamaged``. Nothing was written then.
  static func prepare(_ database: SQLite, writing isWriting: Bool) throws {
    // Definitions in a database call no functions with effects, and pages are checked when they are read.
    try database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
    if isWriting {
      // Deleted rows need not be overwritten; the cache holds a batch, so that readers go on until it is committed.
      try database.execute("PRAGMA secure_delete = OFF; PRAGMA cache_size = -65536;")
    }
    guard try isEmpty(database) else { return try check(database) }
    guard isWriting else {
      throw Diagnostic(.indexMissing, at: Location(file: database.path), found: "an empty file")
    }
    try database.execute("BEGIN IMMEDIATE")
    do {
      // Another program may have been faster.
      if try isEmpty(database) { try database.execute(script) }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    try check(database)
  }

  private static func isEmpty(_ database: SQLite) throws -> Bool {
    try number(database, "SELECT count(*) FROM sqlite_schema") == 0
      && number(database, "PRAGMA application_id") == 0
  }

  private static func number(_ database: SQLite, _ text: String) throws -> Int {
    var number = 0
    try database.run(text) { row in
      number = row.integer(0)
      return false
    }
    return number
  }

  private static func check(_ database: SQLite) throws {
    let place = Location(file: database.path)
    guard try number(database, "PRAGMA application_id") == application else {
      throw Diagnostic(
        .indexForeign, at: place, expected: "an index", found: "another database of SQLite")
    }
    let found = try number(database, "PRAGMA user_version")
    guard found == version else {
      throw Diagnostic(.indexVersion, at: place, expected: "\(version)", found: "\(found)")
    }
    // An index has neither triggers nor views, which would run with our statements.
    let extra = "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    guard try number(database, extra) == 0 else {
      throw Diagnostic(.indexDamaged, at: place, "it has triggers or views")
    }
  }
}
