import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("SQLite")
struct SQLiteTests {
  static let kind = DatabaseKind(
    name: "a list of toys", foreign: .fileUnreadable, damaged: .limit,
    openingHint: "look elsewhere",
    busyHint: "wait for the other child", spaceHint: "tidy up", patience: 50)

  static func database(_ folder: Scratch, _ name: String = "toys") throws -> SQLite {
    try SQLite(folder.file(name), kind, .creating)
  }

  @Test("values come back as they were, empty ones and zero bytes among them")
  func values() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a, b, c, d, e)")
    try database.run(
      "INSERT INTO t VALUES(?, ?, ?, ?, ?)",
      [.null, .integer(.min), .real(-0.5), .text("a\0b é"), .blob([0, 255, 0])])
    try database.run(
      "INSERT INTO t VALUES(?, ?, ?, ?, ?)",
      [.integer(0), .integer(.max), .real(.infinity), .text(""), .blob([])])
    #expect(database.changes == 1)
    #expect(database.lastRow == 2)
    var rows = 0
    try database.run("SELECT * FROM t ORDER BY rowid") { row in
      if rows == 0 {
        #expect(row.isNull(0) && row.integer(1) == .min && row.real(2) == -0.5)
        #expect(row.text(3) == "a\0b é" && row.optionalText(0) == nil)
        #expect(row.withBlob(4) { Array($0) } == [0, 255, 0])
      } else {
        #expect(!row.isNull(3) && row.text(3) == "" && row.optionalText(3) == "")
        #expect(!row.isNull(4) && row.withBlob(4) { $0.isEmpty })
        #expect(row.integer(1) == .max && row.real(2) == .infinity)
      }
      rows += 1
      return true
    }
    #expect(rows == 2)
  }

  @Test("a statement that cannot be run, and one whose body throws, leave the connection usable")
  func statements() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a UNIQUE)")
    expectThrows(.limit) { try database.run("SELECT nothing FROM t") }
    expectThrows(.limit) { try database.run("SELEC") }
    expectThrows(.limit) { try database.run("") }
    try database.run("INSERT INTO t VALUES(?)", [.integer(1)])
    expectThrows(.limit) { try database.run("INSERT INTO t VALUES(?)", [.integer(1)]) }
    expectThrows(.fileUnreadable) { try database.run("SELECT a FROM t", [.integer(1)]) }
    struct Stop: Error {}
    #expect(throws: Stop.self) { try database.run("SELECT a FROM t") { _ in throw Stop() } }
    try database.run("INSERT INTO t VALUES(?)", [.integer(2)])
  }

  @Test("a transaction whose body throws changes nothing")
  func transactions() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a)")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try database.transaction {
        try database.run("INSERT INTO t VALUES(1)")
        #expect(database.isInTransaction)
        throw Stop()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try database.transaction { try database.run("INSERT INTO t VALUES(1)") }
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
    #expect(try database.integer("SELECT a FROM t WHERE a = ?", [.integer(3)]) == nil)
  }

  @Test("faults have the words and rules of the kind")
  func faults() throws {
    let folder = try Scratch()
    let first = try Self.database(folder)
    try first.execute("CREATE TABLE t(a)")
    let second = try Self.database(folder)
    try first.execute("BEGIN IMMEDIATE")
    let busy = #expect(throws: Diagnostic.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(busy?.rule == .fileBusy && busy?.hint == "wait for the other child")
    try first.execute("COMMIT")

    try Files.create(folder.file("text"), Array(repeating: 65, count: 5000))
    let foreign = try Self.database(folder, "text")
    let fault = #expect(throws: Diagnostic.self) { try foreign.execute("CREATE TABLE t(a)") }
    #expect(fault?.rule == .fileUnreadable && fault?.expected == "a list of toys")

    try Files.makeDirectories(folder.file("folder"))
    let folderFault = #expect(throws: Diagnostic.self) { try Self.database(folder, "folder") }
    #expect(folderFault?.rule == .fileUnwritable && folderFault?.hint == "look elsewhere")

    // A limit of pages is what a full disk is.
    try first.execute("PRAGMA max_page_count = 3")
    let full = #expect(throws: Diagnostic.self) {
      try first.run("INSERT INTO t VALUES(?)", [.blob([UInt8](repeating: 1, count: 100_000))])
    }
    #expect(full?.rule == .fileUnwritable && full?.hint == "tidy up")
    #expect(try first.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("a statement has only the values that it is given, and fails in any of its rows")
  func bindings() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a, b)")
    let insertion = "INSERT INTO t VALUES(?, ?)"
    try database.run(insertion, [.integer(1), .text("one")])
    try database.run(insertion, [.integer(.min)])
    #expect(try database.integer("SELECT count(*) FROM t WHERE b IS NULL") == 1)
    // The second row has no absolute value.
    #expect(throws: Diagnostic.self) { try database.run("SELECT abs(a) FROM t ORDER BY rowid") }
    try database.run("SELECT abs(a) FROM t ORDER BY rowid") { _ in false }
  }

  @Test("what a transaction has changed is there for other connections when it ends")
  func commits() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a)")
    let count = try database.transaction {
      try database.run("INSERT INTO t VALUES(1), (2)")
      return database.changes
    }
    #expect(count == 2 && !database.isInTransaction)
    let other = try SQLite(database.path, Self.kind, .reading)
    #expect(try other.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("a connection that only reads is told from one that writes")
  func access() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("CREATE TABLE t(a)")
    #expect(!database.isReadOnly)
    for access in [SQLite.Access.reading, .fixed] {
      let reader = try SQLite(database.path, Self.kind, access)
      #expect(reader.isReadOnly)
      expectThrows(.fileUnwritable) { try reader.run("INSERT INTO t VALUES(1)") }
      #expect(!reader.isDamaged)
    }
    #expect(try !SQLite(database.path, Self.kind, .writing).isReadOnly)
    expectThrows(.fileUnreadable) { try SQLite(folder.file("none"), Self.kind, .writing) }
    #expect(try Files.status(folder.file("none")) == nil)
  }

  @Test("flushes are for each transaction, or for the log alone")
  func flushes() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    for (isEach, level) in [(true, 2), (false, 1), (true, 2)] {
      try database.flush(each: isEach)
      #expect(try database.integer("PRAGMA synchronous") == level)
    }
  }

  @Test("certain damage is told from other faults")
  func damage() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    #expect(!database.isDamaged)
    try database.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES(1)")
    #expect(throws: Diagnostic.self) { try database.run("INSERT INTO t VALUES(1)") }
    #expect(!database.isDamaged)
    expectThrows(.limit) { try database.run("SELECT nothing FROM t") }
    #expect(database.isDamaged)

    // The type of the first page of the table is none.
    var bytes = try Files.read(database.path)
    let page = try #require(try database.integer("PRAGMA page_size"))
    bytes[page] = 99
    try Files.create(folder.file("damaged"), bytes)
    let damaged = try Self.database(folder, "damaged")
    let fault = #expect(throws: Diagnostic.self) { try damaged.integer("SELECT sum(a) FROM t") }
    #expect(fault?.rule == .limit && fault?.detail?.contains("malformed") == true)
    #expect(damaged.isDamaged)

    try Files.create(folder.file("text"), Array(repeating: 65, count: 5000))
    let foreign = try Self.database(folder, "text")
    #expect(throws: Diagnostic.self) { try foreign.integer("SELECT 1 FROM t") }
    #expect(foreign.isDamaged)
  }

  @Test("a call of the system that fails on a volume with space is no full disk")
  func systemFaults() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    try database.execute("PRAGMA journal_mode = DELETE; CREATE TABLE t(a)")
    let journal = database.path + "-journal"
    let fault = #expect(throws: Diagnostic.self) {
      try database.transaction {
        try database.run("INSERT INTO t VALUES(1)")
        // The end of the transaction removes the journal, which a folder cannot be removed as.
        try Files.removeAll(journal)
        try Files.makeDirectories(journal)
      }
    }
    #expect(fault?.rule == .fileUnreadable)
  }

  @Test("the file is closed with its connection")
  func closing() throws {
    let folder = try Scratch()
    let path = folder.file("toys")
    func descriptors() throws -> Int {
      try Files.list("/proc/self/fd").filter {
        (try? Files.destination(ofLink: "/proc/self/fd/\($0)")) == path
      }.count
    }
    do {
      let database = try Self.database(folder)
      try database.execute("CREATE TABLE t(a)")
      #expect(try descriptors() == 1)
    }
    #expect(try descriptors() == 0)
  }

  @Test("a value above the limit of SQLite is an error")
  func limits() throws {
    let folder = try Scratch()
    let database = try Self.database(folder)
    #expect(throws: Diagnostic.self) {
      try database.integer("SELECT length(zeroblob(2000000000))")
    }
    #expect(try database.integer("SELECT length(zeroblob(1000000))") == 1_000_000)
  }
}
