internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase

/// Reads contents of the store by their digests.
struct ContentStore: Sendable {
  let store: UserStore

  init(_ store: UserStore) { self.store = store }

  /// Contents that are unpacked on access, also after the versions with them were deleted. The digest of large ones is not
  /// compared; the checksums of their blocks are.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing, or if the package of large ones is damaged;
  ///   ``ParticlesCore/Rule/limit``.
  func contents(_ digest: String, limits: Limits) throws -> FileContents {
    // A document needs large contents until it is saved, also after their version was deleted. Small ones are read now.
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

  /// - Parameter program: the lock of this program, which is kept as long as the contents are.
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

  /// Removes contents of an owner that are not among those needed, unless the owner has others since they were listed.
  /// - Parameters:
  ///   - owner: the number of the document, or the negative one of an entry of the recovery journal.
  ///   - change: changes the owner in the same transaction, and returns the digests that it needs; nil for no removal.
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

  /// Removes what programs have left that ended while they wrote.
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

  /// Makes the database smaller if much of it is empty, a megabyte in each transaction.
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
