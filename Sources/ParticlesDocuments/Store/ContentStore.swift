internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase

/// Reads contents of the store by their digests.
struct ContentStore: Sendable {
  let store: UserStore

  init(_ store: UserStore) { self.store = store }

  /// Contents that are unpacked on access, also after their versions were deleted. Large contents are checked by the
  /// checksums of their blocks, not by their digest.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing, or if the package of large contents is
  ///   damaged. ``ParticlesCore/Rule/limit``.
  func contents(_ digest: String, limits: Limits) throws -> FileContents {
    // A document needs large contents until it is saved, also after their version was deleted. Others are read now.
    nonisolated(unsafe) var program: ProgramLock?
    let found = try store.read { database in
      let rows = StoredContentRows(database: database)
      let row = try rows.row(digest)
      if let row, row.bytes == nil, !database.isReadOnly {
        program = try? ProgramLock.current(in: store.dataFolder)
        if let name = program?.name { try rows.hold(row.id, by: name) }
      }
      return row
    }
    guard let row = found ?? nil else { throw StoredContentRows.missing(store.path) }
    return try contents(row, digest, limits: limits, holding: program)
  }

  /// - Parameter program: the lock of this program, kept as long as the contents.
  func contents(
    _ row: StoredContentRows.Row, _ digest: String, limits: Limits,
    holding program: ProgramLock? = nil
  ) throws -> FileContents {
    let (store, path) = (store, store.path)
    guard row.bytes == nil else {
      return FileContents(size: row.size) { offset, buffer in
        guard let bytes = StoredContentRows.unpacked(row, digest) else {
          throw StoredContentRows.damaged(path)
        }
        buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
      }
    }
    try limits.check(row.stored, \.fileBytes, "bytes of a file")
    return try StoredContentRows.package(row, named: path, limits: limits) { piece in
      try withExtendedLifetime(program) {
        try store.read { try StoredContentRows(database: $0).piece(row.id, piece) } ?? nil
      }
    }
  }

  /// A list of files.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if it is missing or damaged.
  func bytes(ofList digest: String) throws -> [UInt8] {
    guard
      let bytes = try store.read({ try StoredContentRows(database: $0).bytes(ofList: digest) })
    else { throw StoredContentRows.missing(store.path) }
    return bytes
  }

  /// Reads contents completely.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing or damaged.
  func verify(_ digest: String) throws {
    guard try contents(digest, limits: .none).sha256() == digest else {
      throw StoredContentRows.damaged(store.path)
    }
  }

  // MARK: Room

  /// Removes contents that an owner does not need, unless it has changed since they were listed.
  /// - Parameters:
  ///   - owner: the number of the document, or the negated number of an entry of the recovery journal.
  ///   - change: changes the owner within the transaction, and returns its needed digests. Nil removes nothing.
  func keep(of owner: Int, only change: (SQLite) throws -> Set<String>?) throws {
    let dropped = try store.write { database -> [Int] in
      guard let needed = try change(database) else { return [] }
      return try StoredContentRows(database: database).drop(allBut: needed, of: owner)
    }
    try remove(dropped)
  }

  /// Removes contents without an owner, a few in each transaction.
  func remove(_ contents: [Int]) throws {
    var rest = contents[...]
    while !rest.isEmpty {
      try store.write { database in
        let rows = StoredContentRows(database: database)
        var room = 8 << 20
        while room > 0, let id = rest.popFirst() {
          guard try !rows.isNeeded(id, in: store.dataFolder) else { continue }
          room -=
            try database.integer("SELECT stored FROM contents WHERE id = ?", [.integer(id)]) ?? 0
          room -= 4096
          try rows.remove(id)
        }
      }
    }
    if !contents.isEmpty { try giveBackRoom() }
  }

  /// Removes leftovers of programs that ended while they wrote.
  func removeLeftovers() throws {
    try removeHolds()
    let left = try store.read { database -> [Int] in
      var found: [Int] = []
      try database.run("SELECT id FROM contents EXCEPT SELECT content FROM uses") {
        found.append($0.integer(0))
        return true
      }
      return found
    }
    try remove(left ?? [])
  }

  /// Removes the notes of programs that have ended.
  private func removeHolds() throws {
    let ended = try store.read { database -> [String] in
      var programs: [String] = []
      try database.run("SELECT DISTINCT program FROM holds") {
        programs.append($0.text(0))
        return true
      }
      return programs.filter { !ProgramLock.isHeld($0, in: store.dataFolder) }
    }
    for program in ended ?? [] {
      try store.write { try $0.run("DELETE FROM holds WHERE program = ?", [.text(program)]) }
    }
  }

  /// Makes the database smaller if many of its pages are free, a megabyte in each transaction.
  private func giveBackRoom() throws {
    while true {
      let isDone = try store.read { database -> Bool in
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        let all = try database.integer("PRAGMA page_count") ?? 0
        guard free > max(all / 10, 64) else { return true }
        try database.execute("PRAGMA incremental_vacuum(256)")
        return false
      }
      if isDone ?? true { return }
    }
  }

  /// The room that is in use, in bytes.
  func room() throws -> Int {
    try store.read { database in
      func number(_ name: String) throws -> Int { try database.integer("PRAGMA \(name)") ?? 0 }
      return try (number("page_count") - number("freelist_count")) * number("page_size")
    } ?? 0
  }
}

/// Contents that an owner adds to the store, and existing contents that it needs. Large amounts are written early, in
/// separate transactions. The rest is written by the transaction that needs it.
final class ContentBatch {
  private let store: UserStore
  private let owner: Int
  /// Contents that are not written yet, by digest.
  private var pending: [String: (size: Int, bytes: [UInt8])] = [:]
  private var pendingBytes = 0
  /// The digests of all contents that are needed.
  private var needed: Set<String> = []
  /// Contents that were written early, and the program that holds them until they have an owner.
  private var early: [Int] = []
  private var program: ProgramLock?

  /// Whether contents that were known have been removed meanwhile: everything is read and added again.
  let isRepeated: Bool

  /// From how many bytes on contents are written early.
  private static let most = 1 << 20

  private init(_ store: UserStore, _ owner: Int, repeated isRepeated: Bool) {
    (self.store, self.owner, self.isRepeated) = (store, owner, isRepeated)
  }

  private struct Removed: Error {}

  /// Adds contents, and then changes the database in one transaction.
  /// - Parameters:
  ///   - owner: the number of the document, or the negative one of the entry of the recovery journal.
  ///   - isDurable: whether to wait until the changes have reached the disk.
  ///   - prepare: adds contents, and returns the change that needs them. It is called again if another program has removed
  ///     contents that were there.
  static func add<Result>(
    to store: UserStore, of owner: Int, durably isDurable: Bool = false,
    _ prepare: (ContentBatch) throws -> (SQLite) throws -> Result
  ) throws -> Result {
    var attempts = 0
    while true {
      let batch = ContentBatch(store, owner, repeated: attempts > 0)
      let change = try prepare(batch)
      do {
        return try store.write(durably: isDurable) { database in
          try batch.finish(StoredContentRows(database: database))
          return try change(database)
        }
      } catch is Removed where attempts < 3 {
        attempts += 1
      } catch is Removed {
        throw store.busyFault
      }
    }
  }

  private func finish(_ rows: StoredContentRows) throws {
    for (digest, contents) in pending { try insert(digest, contents, rows) }
    for digest in needed {
      guard let id = try rows.id(digest) else { throw Removed() }
      try rows.use(id, by: owner)
    }
    for id in early {
      try rows.database.run(
        "DELETE FROM holds WHERE content = ? AND program = ?", [.integer(id), .text(held())])
    }
  }

  /// Writes small contents, also over damaged contents.
  private func insert(
    _ digest: String, _ contents: (size: Int, bytes: [UInt8]), _ rows: StoredContentRows
  ) throws {
    try rows.database.run(
      """
      INSERT INTO contents(digest, size, stored, bytes) VALUES(?, ?, ?, ?)
      ON CONFLICT(digest) DO UPDATE
      SET size = excluded.size, stored = excluded.stored, bytes = excluded.bytes
      """,
      [
        .blob(StoredContentRows.key(digest) ?? []), .integer(contents.size),
        .integer(contents.bytes.count), .blob(contents.bytes),
      ])
  }

  // MARK: Adding

  /// Needs contents that are there.
  /// - Returns: whether they are.
  func use(_ digest: String) throws -> Bool {
    guard !needed.contains(digest) else { return true }
    guard try store.read({ try StoredContentRows(database: $0).id(digest) }) ?? nil != nil else {
      return false
    }
    needed.insert(digest)
    return true
  }

  /// Stores contents, and returns their digest.
  /// - Parameter isList: whether it is a list of files.
  func add(_ contents: FileContents, isList: Bool = false) throws -> String {
    let largest =
      isList ? StoredContentRows.largestList : StoredContentRows.largestContents
    guard contents.size <= largest else { return try add(large: contents) }
    let bytes = try contents.bytes()
    let digest = SHA256.digest(bytes).description
    if needed.contains(digest) { return digest }
    needed.insert(digest)
    let known = try store.read { try StoredContentRows(database: $0).row(digest) } ?? nil
    // Damaged contents are stored again.
    if let known, known.bytes == nil || StoredContentRows.unpacked(known, digest) != nil {
      return digest
    }
    let packed = StoredContentRows.packed(bytes)
    pending[digest] = (bytes.count, packed)
    pendingBytes += packed.count
    if pendingBytes > Self.most { try writeEarly() }
    return digest
  }

  /// Writes the pending contents. This program holds them until the owner needs them.
  private func writeEarly() throws {
    let program = try held()
    try store.write { database in
      let rows = StoredContentRows(database: database)
      for (digest, contents) in pending {
        try insert(digest, contents, rows)
        guard let id = try rows.id(digest) else { continue }
        try rows.hold(id, by: program)
        early.append(id)
      }
    }
    pending = [:]
    pendingBytes = 0
  }

  private func held() throws -> String {
    let lock = try program ?? ProgramLock.current(in: store.dataFolder)
    program = lock
    return lock.name
  }

  private func add(large contents: FileContents) throws -> String {
    let digest = try contents.sha256()
    if try !isOwned(digest), try !isIntact(digest) { try write(large: contents, digest) }
    needed.insert(digest)
    return digest
  }

  /// Whether the owner has contents. Their bytes are not looked at.
  private func isOwned(_ digest: String) throws -> Bool {
    try store.read { database in
      guard let id = try StoredContentRows(database: database).id(digest) else { return false }
      return try database.integer(
        "SELECT 1 FROM uses WHERE owner = ? AND content = ?", [.integer(owner), .integer(id)])
        != nil
    } ?? false
  }

  /// Whether there are large contents with all their pieces.
  private func isIntact(_ digest: String) throws -> Bool {
    guard let row = try store.read({ try StoredContentRows(database: $0).row(digest) }) ?? nil
    else {
      return false
    }
    let found = try? ContentStore(store).contents(row, digest, limits: .none).sha256()
    return found == digest
  }

  /// Writes the package of large contents in pieces, some in each transaction. They have no digest until they are complete.
  private func write(large contents: FileContents, _ digest: String) throws {
    let node = FileNode(regularFileWithContents: contents)
    let package = Container(
      root: try FileNode(directoryWithFileNodes: [StoredContentRows.entry: node]))
    let program = try held()
    let id = try store.write { database in
      try database.run("INSERT INTO contents(size, stored) VALUES(?, 0)", [.integer(contents.size)])
      try StoredContentRows(database: database).hold(database.lastRow, by: program)
      return database.lastRow
    }
    early.append(id)
    var (buffer, number, stored) = ([UInt8](), 0, 0)
    func write(all isEnd: Bool) throws {
      let count =
        isEnd ? buffer.count : buffer.count / StoredContentRows.piece * StoredContentRows.piece
      guard count > 0 else { return }
      try store.write { database in
        let rows = StoredContentRows(database: database)
        for start in stride(from: 0, to: count, by: StoredContentRows.piece) {
          let end = min(start + StoredContentRows.piece, count)
          try rows.add(number, of: id, Array(buffer[start..<end]))
          number += 1
        }
      }
      buffer.removeFirst(count)
      stored += count
    }
    // Compressed blocks of an open package are copied.
    try package.encode(PackingOptions(reusesBlocks: true)) { bytes in
      buffer += bytes
      if buffer.count >= Self.most { try write(all: false) }
    }
    try write(all: true)
    let key = StoredContentRows.key(digest) ?? []
    try store.write { database in
      // Replaces damaged contents, or contents of a faster program. Readers hold the old row.
      if let old = try StoredContentRows(database: database).id(digest) {
        try database.run("UPDATE contents SET digest = NULL WHERE id = ?", [.integer(old)])
        try database.run(
          "UPDATE uses SET content = ? WHERE content = ?", [.integer(id), .integer(old)])
      }
      try database.run(
        "UPDATE contents SET digest = ?, stored = ? WHERE id = ?",
        [.blob(key), .integer(stored), .integer(id)])
    }
  }
}
