internal import CParticlesSQLite
internal import ParticlesCore

/// A connection to a database. All calls of it are by one thread at a time: the callers hold a lock.
///
/// SQLite is not touched before the first connection is opened, so that no other command pays for it.
final class SQLite {
  /// The path, absolute: SQLite would take one that begins with `file:` for an address.
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a database.
  /// - Parameters:
  ///   - path: the absolute path.
  ///   - isWriting: whether it is created if it is missing.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` or ``ParticlesCore/Rule/fileUnwritable``.
  init(_ path: String, writing isWriting: Bool) throws {
    self.path = path
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | (isWriting ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let reason = Self.text(handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
      sqlite3_close_v2(handle)
      throw Diagnostic(
        isWriting ? .fileUnwritable : .fileUnreadable, at: Location(file: path), reason,
        hint: "name another file with --database")
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.patience)
  }

  /// For how many milliseconds a connection waits for another program.
  private static let patience: CInt = 10_000

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether the file is only read, because it is protected.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The number of the row that was inserted last.
  var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Whether a transaction has begun.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// A value of a row.
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// Runs statements without values.
  func execute(_ script: String) throws { try check(sqlite3_exec(handle, script, nil, nil, nil)) }

  /// Runs a statement, and reads its rows.
  /// - Parameters:
  ///   - text: one statement, which is kept prepared.
  ///   - values: its values, in the order of the question marks.
  ///   - body: reads a row; false ends the reading.
  func run(_ text: String, _ values: [Value] = [], _ body: (Row) throws -> Bool = { _ in true })
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

  /// Adds the whole numbers of the first column to a set. It is what large answers consist of.
  func collect(_ text: String, _ values: [Value], into set: inout IdentifierSet) throws {
    try run(text, values) { row in
      try set.insert(row.integer(0), at: path)
      return true
    }
  }

  /// The present row of a statement.
  struct Row {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int) -> Bool {
      sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(statement, CInt(column))) }

    func real(_ column: Int) -> Double { sqlite3_column_double(statement, CInt(column)) }

    func text(_ column: Int) -> String {
      guard let start = sqlite3_column_text(statement, CInt(column)) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, CInt(column)))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text; nil for null.
    func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// Lends the bytes of a column.
    func withBlob<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
      -> Result
    {
      let start = sqlite3_column_blob(statement, CInt(column))
      let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, CInt(column)))
      return try body(UnsafeRawBufferPointer(start: start, count: count))
    }
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
        sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), copying)
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
    switch code & 0xFF {
    case SQLITE_NOTADB:
      return Diagnostic(.indexForeign, at: place, expected: "an index", found: "another file")
    case SQLITE_CORRUPT: return Diagnostic(.indexDamaged, at: place, reason)
    // A table or a column that is not there.
    case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
      return Diagnostic(.indexDamaged, at: place, reason)
    case SQLITE_BUSY, SQLITE_LOCKED:
      return Diagnostic(
        .fileBusy, at: place, hint: "try again when the other program has updated the index")
    case SQLITE_FULL:
      return Diagnostic(
        .fileUnwritable, at: place, reason,
        hint: "free space, or name a file on another volume with --database")
    case SQLITE_READONLY: return Diagnostic(.fileUnwritable, at: place, reason)
    default: return Diagnostic(.fileUnreadable, at: place, reason)
    }
  }

  private static func text(_ bytes: UnsafePointer<CChar>?) -> String {
    bytes.map { String(cString: $0) } ?? "unknown error"
  }
}
