internal import CParticlesSQLite
internal import ParticlesCore

/// A connection to a database. One thread at a time calls it: the callers hold a lock, which the compiler does not see.
///
/// SQLite is not touched before the first connection is opened, so that no other command pays for
/// it.
package final class SQLite: @unchecked Sendable {
  /// The path, absolute: SQLite would take a path that begins with `file:` for an address.
  package let path: String
  private let kind: DatabaseKind
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// How a database is opened.
  package enum Access {
    /// For reading and writing. It is created if it is missing.
    case creating
    /// For reading and writing.
    case writing
    /// For reading, with its write-ahead log.
    case reading
    /// For reading, in a protected folder, where no program can change it. No log is looked for.
    case fixed
  }

  /// Opens a database.
  /// - Parameters:
  ///   - path: the absolute path.
  ///   - kind: the purpose of the database.
  ///   - access: how it is opened.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` or ``ParticlesCore/Rule/fileUnwritable``.
  package init(_ path: String, _ kind: DatabaseKind, _ access: Access) throws {
    self.path = path
    self.kind = kind
    var handle: OpaquePointer?
    let flags =
      switch access {
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .writing: SQLITE_OPEN_READWRITE
      case .reading: SQLITE_OPEN_READONLY
      case .fixed: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let address = access == .fixed ? FileURI.reference(path) + "?immutable=1" : path
    let code = sqlite3_open_v2(address, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let reason = Self.text(handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
      sqlite3_close_v2(handle)
      throw Diagnostic(
        access == .creating ? .fileUnwritable : .fileUnreadable, at: Location(file: path), reason,
        hint: kind.openingHint)
    }
    self.handle = handle
    _ = particles_sqlite_wait(handle, CInt(clamping: kind.patience))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Keeps the write-ahead log when the last connection is closed, instead of copying it into the
  /// database, which waits
  /// for the disk. The next connection reads the log.
  package func keepLog() { _ = particles_sqlite_keep_log(handle) }

  /// Whether the last fault was certain damage: pages that contradict each other, or no database.
  package private(set) var isDamaged = false

  /// Whether the file is only read, because it is protected.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// The number of the row that was inserted last.
  package var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// A value of a row.
  package enum Value {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// Runs statements without values.
  package func execute(_ script: String) throws {
    try check(sqlite3_exec(handle, script, nil, nil, nil))
  }

  /// Runs a statement, and reads its rows.
  /// - Parameters:
  ///   - text: one statement, kept prepared.
  ///   - values: its values, in the order of the question marks.
  ///   - body: reads a row. False ends the reading.
  package func run(
    _ text: String, _ values: [Value] = [], _ body: (Row) throws -> Bool = { _ in true }
  )
    throws
  {
    let statement = try prepared(text)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(Self.bind(value, to: statement, CInt(index + 1)))
    }
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else { return code == SQLITE_DONE ? () : try check(code) }
      guard try body(Row(statement: statement)) else { return }
    }
  }

  /// The first column of the first row of an answer. Nil without a row, and for null.
  package func integer(_ text: String, _ values: [Value] = []) throws -> Int? {
    var number: Int?
    try run(text, values) { row in
      number = row.isNull(0) ? nil : row.integer(0)
      return false
    }
    return number
  }

  /// Runs changes in one transaction, which other programs can read beside. Nothing is changed if
  /// `body` throws.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // Some faults have ended the transaction already.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The present row of a statement.
  package struct Row {
    fileprivate let statement: OpaquePointer

    package func isNull(_ column: Int) -> Bool {
      sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int {
      Int(sqlite3_column_int64(statement, CInt(column)))
    }

    package func real(_ column: Int) -> Double { sqlite3_column_double(statement, CInt(column)) }

    package func text(_ column: Int) -> String {
      guard let start = sqlite3_column_text(statement, CInt(column)) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, CInt(column)))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text, or nil for null.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    package func bytes(_ column: Int) -> [UInt8] { withBlob(column) { Array($0) } }

    /// Lends the bytes of a column.
    package func withBlob<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result)
      rethrows
      -> Result
    {
      let start = sqlite3_column_blob(statement, CInt(column))
      let count = Int(sqlite3_column_bytes(statement, CInt(column)))
      return try body(UnsafeRawBufferPointer(start: start, count: count))
    }
  }

  /// Flushes every transaction to the disk, or only those before the log is copied into the database.
  package func flush(each isEach: Bool) throws {
    try execute("PRAGMA synchronous = \(isEach ? "FULL" : "NORMAL")")
  }

  private func prepared(_ text: String) throws -> OpaquePointer {
    if let known = statements[text] { return known }
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, text, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    )
    guard let statement else { throw fault(SQLITE_ERROR) }
    statements[text] = statement
    return statement
  }

  private static func bind(_ value: Value, to statement: OpaquePointer, _ index: CInt) -> CInt {
    // The macro SQLITE_TRANSIENT, which makes SQLite copy the bytes.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(let text):
      var text = text
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // An empty text is no null.
          sqlite3_bind_text(
            statement, index, $0.baseAddress ?? Self.empty, CInt(bytes.count), copying)
        }
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        // Nor are empty bytes.
        sqlite3_bind_blob(
          statement, index, $0.baseAddress ?? UnsafeRawPointer(Self.empty), CInt($0.count), copying)
      }
    }
  }

  private nonisolated(unsafe) static let empty = {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    memory.initialize(to: 0)
    return UnsafePointer(memory)
  }()

  private func check(_ code: CInt) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else { throw fault(code) }
  }

  /// The error of a code. The database is kept in any case.
  private func fault(_ code: CInt) -> Diagnostic {
    let reason = Self.text(sqlite3_errmsg(handle))
    let place = Location(file: path)
    isDamaged = [SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR].contains(code & 0xFF)
    switch code & 0xFF {
    case SQLITE_NOTADB:
      return Diagnostic(kind.foreign, at: place, expected: kind.name, found: "another file")
    case SQLITE_CORRUPT: return Diagnostic(kind.damaged, at: place, reason)
    // A table or a column that is not there.
    case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
      return Diagnostic(kind.damaged, at: place, reason)
    case SQLITE_BUSY, SQLITE_LOCKED:
      return Diagnostic(.fileBusy, at: place, hint: kind.busyHint)
    case SQLITE_FULL, SQLITE_IOERR:
      let isFull = code & 0xFF == SQLITE_FULL || particles_sqlite_is_full(handle) != 0
      if isFull {
        return Diagnostic(
          .fileUnwritable, at: place, "no space left on device", hint: kind.spaceHint)
      }
      let cause = particles_sqlite_cause(handle).map { Self.text($0).lowercased() }
      return Diagnostic(.fileUnreadable, at: place, cause ?? reason)
    case SQLITE_READONLY: return Diagnostic(.fileUnwritable, at: place, reason)
    default: return Diagnostic(.fileUnreadable, at: place, reason)
    }
  }

  private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
    bytes.map { String(cString: $0) } ?? "unknown error"
  }
}
