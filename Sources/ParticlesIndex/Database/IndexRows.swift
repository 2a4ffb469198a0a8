internal import ParticlesCore
internal import ParticlesDatabase

/// Writing of documents. A transaction has begun.
struct IndexRows {
  let database: SQLite

  init(_ database: SQLite) { self.database = database }

  /// The number of the document at a path, or nil.
  func identifier(at path: String) throws -> Int? {
    try first("SELECT id FROM documents WHERE path = ?", [.text(path)])
  }

  private func first(_ text: String, _ values: [SQLite.Value]) throws -> Int? {
    var found: Int?
    try database.run(text, values) { row in
      found = row.integer(0)
      return false
    }
    return found
  }

  /// Writes a document.
  /// - Parameters:
  ///   - old: the document's earlier number. Nil assigns a number.
  ///   - now: the seconds since 1970.
  func write(
    _ document: IndexedDocument, at path: String, _ state: IndexedState, old: Int?,
    _ look: IndexedLook?, now: Double
  ) throws {
    let identifier: Int
    let values: [SQLite.Value] =
      [.text(path)] + Self.values(state)
      + [document.format, document.name, document.digest].map { $0.map { .text($0) } ?? .null }
    if let old {
      try removeFacts(old)
      try database.run(
        """
        UPDATE documents SET path = ?, size = ?, modified = ?, device = ?, node = ?, entries = ?, \
        format = ?, name = ?, digest = ? WHERE id = ?
        """, values + [.integer(old)])
      identifier = old
    } else {
      try database.run(
        """
        INSERT INTO documents(path, size, modified, device, node, entries, format, name, digest, added) \
        VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values + [.real(now)])
      identifier = database.lastRow
    }
    var document = document
    document.numbers["size"] = [Double(state.size)]
    // The state of a file that has just changed has no time.
    document.numbers["modified"] = [state.modified == 0 ? now : Double(state.modified) / 1e9]
    if let look {
      document.numbers["emitted"] = [look.emitted]
      let bytes = look.vector.withUnsafeBytes { Array($0) }
      try database.run(
        "INSERT INTO vectors VALUES(?, ?, ?)",
        [.integer(identifier), .real(look.emitted), .blob(bytes)])
    }
    let facts = IndexedFacts(document)
    try facts.forEach { key, value in
      try database.run(
        "INSERT OR IGNORE INTO \(value.table) VALUES(?, ?, ?)",
        [.integer(self.key(key)), value.stored, .integer(identifier)])
    }
    let problems = JSONValue.array(document.problems.map(\.json)).line
    try database.run(
      "INSERT INTO details VALUES(?, ?, ?)",
      [.integer(identifier), .text(facts.text), .text(problems)])
    try writeTexts(
      of: identifier,
      [
        Files.lastComponent(of: path), document.name ?? "",
        document.emitters.joined(separator: "\n"), document.textures.joined(separator: "\n"),
      ])
  }

  private func writeTexts(of identifier: Int, _ texts: [String]) throws {
    try database.run(
      "INSERT INTO texts(rowid, file, name, emitters, textures) VALUES(?, ?, ?, ?, ?)",
      [.integer(identifier)] + texts.map { .text(Self.plain($0)) })
  }

  /// A text as it is searched: in lower case, without accents. Of very long ones, the beginning.
  static func plain(_ text: String) -> String {
    // By scalars, because a character may have any number of combining marks.
    NaturalOrder.plain(
      text.utf8.count <= 1 << 16 ? text : String(text.unicodeScalars.prefix(1 << 14)))
  }

  /// Gives a document another path, without reading it again.
  func move(_ identifier: Int, to path: String) throws {
    try database.run(
      "UPDATE documents SET path = ? WHERE id = ?", [.text(path), .integer(identifier)])
    try database.run(
      "UPDATE texts SET file = ? WHERE rowid = ?",
      [.text(Self.plain(Files.lastComponent(of: path))), .integer(identifier)])
  }

  func remove(_ identifier: Int) throws {
    try removeFacts(identifier)
    try database.run("DELETE FROM documents WHERE id = ?", [.integer(identifier)])
  }

  private func removeFacts(_ identifier: Int) throws {
    let document = SQLite.Value.integer(identifier)
    var text: String?
    try database.run("SELECT facts FROM details WHERE document = ?", [document]) { row in
      text = row.text(0)
      return false
    }
    if let text {
      try IndexedFacts(text, at: database.path).forEach { key, value in
        try database.run(
          "DELETE FROM \(value.table) WHERE key = ? AND value = ? AND document = ?",
          [.integer(self.key(key)), value.stored, document])
      }
    }
    for statement in [
      "DELETE FROM details WHERE document = ?", "DELETE FROM vectors WHERE document = ?",
      "DELETE FROM texts WHERE rowid = ?",
    ] {
      try database.run(statement, [document])
    }
  }

  /// The number of a key. A new key is added.
  private func key(_ name: String) throws -> Int {
    if let known = try first("SELECT id FROM keys WHERE name = ?", [.text(name)]) { return known }
    try database.run("INSERT INTO keys(name) VALUES(?)", [.text(name)])
    return database.lastRow
  }

  /// Notes a file that is no document.
  func writeOther(_ path: String, _ state: IndexedState) throws {
    try database.run(
      "INSERT OR REPLACE INTO others VALUES(?, ?, ?, ?, ?, ?)", [.text(path)] + Self.values(state))
  }

  private static func values(_ state: IndexedState) -> [SQLite.Value] {
    [state.size, state.modified, state.device, state.node, state.entries].map { .integer($0) }
  }

  /// The look of a document with a digest, or nil.
  func look(ofDigest digest: String) throws -> IndexedLook? {
    var found: IndexedLook?
    try database.run(
      """
      SELECT vectors.emitted, vectors.vector FROM documents JOIN vectors ON vectors.document = documents.id \
      WHERE documents.digest = ? LIMIT 1
      """, [.text(digest)]
    ) { row in
      found = IndexedLook(emitted: row.real(0), vector: row.withBlob(1, Self.vector))
      return false
    }
    return found
  }

  static func vector(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
  }
}

/// The numbers and words of a document, as its row keeps them, so that they can be removed and printed.
struct IndexedFacts {
  /// A number or a word.
  enum Value {
    case number(Double)
    case word(String)

    var table: String {
      switch self {
      case .number: "numbers"
      case .word: "words"
      }
    }

    var stored: SQLite.Value {
      switch self {
      case .number(let number): .real(number)
      case .word(let word): .text(word)
      }
    }
  }

  private var members = JSONObject()

  init(_ document: IndexedDocument) {
    for (key, values) in document.numbers.sorted(by: { $0.key < $1.key }) {
      // Null is infinite.
      members[key] = .array(
        values.filter { !$0.isNaN }.map { $0.isFinite ? .double($0) : .null })
    }
    for (key, values) in document.words.sorted(by: { $0.key < $1.key }) {
      members[key] = .array((members[key]?.array ?? []) + values.map { .string($0) })
    }
  }

  /// - Throws: ``ParticlesCore/Rule/indexDamaged``.
  init(_ text: String, at path: String) throws {
    guard let object = (try? JSONParser.parse(Array(text.utf8)))?.object else {
      throw Diagnostic(.indexDamaged, at: Location(file: path), "the facts of a document")
    }
    members = object
  }

  var text: String { JSONValue.object(members).line }

  var json: JSONValue { .object(members) }

  func forEach(_ body: (_ key: String, Value) throws -> Void) rethrows {
    for member in members.members {
      for value in member.value.array ?? [] {
        if let word = value.string {
          try body(member.key, .word(word))
        } else {
          try body(member.key, .number(value.double ?? .infinity))
        }
      }
    }
  }
}

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

  /// The version of the tables. Databases with another version are refused.
  static let version = 1

  /// The version of the stored facts. Documents with facts of another version are read again.
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
      // Deleted rows need not be overwritten. The cache holds a batch, so that readers go on until it is committed.
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
