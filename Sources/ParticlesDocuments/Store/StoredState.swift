internal import ParticlesContainer
package import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// A JSON value in the store of the user that several programs read and change: settings, a session, a list of
/// documents.
///
/// A damaged value is renamed to `NAME.damaged`, and the program begins with nothing.
package struct StoredState: Sendable {
  private let name: String
  private let store: UserStore
  /// The file in which earlier versions of this program kept the value, or nil.
  private let file: String?

  /// - Parameters:
  ///   - name: the name of the value, unique in the store.
  ///   - file: the path of the file in which earlier versions of this program kept it.
  package init(_ name: String, in store: UserStore, insteadOf file: String? = nil) {
    (self.name, self.store, self.file) = (name, store, file)
  }

  /// The value, or nil if there is none.
  /// - Throws: the errors of the store.
  package func read() throws -> JSONValue? {
    if let text = try store.read({ try text(in: $0) }) ?? nil {
      if let value = try? JSONParser.parse(Array(text.utf8)) { return value }
      try store.write(setAside)
      return nil
    }
    return try takeOver()
  }

  private func text(in database: SQLite) throws -> String? {
    var text: String?
    try database.run("SELECT value FROM states WHERE name = ?", [.text(name)]) {
      text = $0.text(0)
      return false
    }
    return text
  }

  private func setAside(in database: SQLite) throws {
    try database.run(
      "UPDATE OR REPLACE states SET name = ? WHERE name = ?",
      [.text("\(name).damaged"), .text(name)])
  }

  /// Changes the value, while no other program does.
  /// - Parameter change: gets the value, nil if there is none. Returns the new value, or nil to keep the old value.
  ///   It must not use the store.
  /// - Throws: the errors of the store and of `change`.
  package func change(_ change: (JSONValue?) throws -> JSONValue?) throws {
    _ = try read()
    try store.write { database in
      let old = try text(in: database).flatMap { try? JSONParser.parse(Array($0.utf8)) }
      if let new = try change(old) { try write(new, in: database) }
    }
  }

  package func write(_ value: JSONValue) throws {
    try store.write { try write(value, in: $0) }
  }

  private func write(_ value: JSONValue, in database: SQLite) throws {
    try database.run(
      "INSERT OR REPLACE INTO states VALUES(?, ?)", [.text(name), .text(value.denseText)])
  }

  /// Moves the value of the file of earlier versions into the store. A file that is no JSON stays.
  private func takeOver() throws -> JSONValue? {
    guard let file, let bytes = try Files.readRegular(file),
      let value = try? JSONParser.parse(bytes)
    else { return nil }
    try store.write(durably: true) { database in
      if try text(in: database) == nil { try write(value, in: database) }
    }
    for path in [file, "\(file).lock"] where try Files.status(path) != nil {
      try Files.removeAll(path)
    }
    return value
  }
}

/// The contents of files in the database of a user, by their SHA-256 digests. Used within a transaction or a read.
///
/// Small contents are a zlib stream in one row, or the bytes themselves if the stream is not shorter. Large contents
/// are a flat package with one entry. It is stored in pieces, so that programs wait only briefly for each other. An
/// owner is a document or an entry of the recovery journal. It has a row for each of the contents that it may need.
struct StoredContentRows {
  /// The greatest size of small contents, and of small lists of files, in bytes.
  static let (largestContents, largestList) = (256 << 10, 1 << 20)

  /// The size of a piece, in bytes.
  static let piece = 256 << 10

  /// The name of the entry in the package of large contents.
  static let entry = "contents"

  let database: SQLite

  /// A row.
  struct Row {
    var id: Int
    var size: Int
    /// The number of bytes that are stored.
    var stored: Int
    /// The stored bytes of small contents.
    var bytes: [UInt8]?
  }

  /// Nil for anything but 64 hexadecimal digits.
  static func key(_ digest: String) -> [UInt8]? {
    let digits = Array(digest.utf8)
    guard digits.count == 2 * ContentDigest.size else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The row of contents, or nil if there are none.
  func row(_ digest: String) throws -> Row? {
    guard let key = Self.key(digest) else { return nil }
    var found: Row?
    try database.run("SELECT id, size, stored, bytes FROM contents WHERE digest = ?", [.blob(key)])
    {
      found = Row(
        id: $0.integer(0), size: $0.integer(1), stored: $0.integer(2),
        bytes: $0.isNull(3) ? nil : $0.bytes(3))
      return false
    }
    guard let found, found.size >= 0, found.stored >= 0 else { return nil }
    return found
  }

  func id(_ digest: String) throws -> Int? {
    guard let key = Self.key(digest) else { return nil }
    return try database.integer("SELECT id FROM contents WHERE digest = ?", [.blob(key)])
  }

  /// Small contents, or nil if they are damaged.
  static func unpacked(_ row: Row, _ digest: String) -> [UInt8]? {
    guard let stored = row.bytes, row.size <= max(largestContents, largestList),
      let bytes = unpacked(stored[...], size: row.size)
    else { return nil }
    return SHA256.digest(bytes).description == digest ? bytes : nil
  }

  /// The bytes of a zlib stream, or the stored bytes themselves if there are `size` of these. Nil if damaged.
  static func unpacked(_ stored: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    guard stored.count != size else { return Array(stored) }
    var isSound = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isSound = stored.withUnsafeBytes {
        Inflate.zlib($0, into: UnsafeMutableRawBufferPointer(buffer))
      }
      count = isSound ? size : 0
    }
    return isSound ? bytes : nil
  }

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    // A stream as long as the contents would be taken for the contents.
    bytes.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: bytes.count - 1) } ?? bytes
  }

  /// A list of files.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if the list is missing or damaged.
  func bytes(ofList digest: String) throws -> [UInt8] {
    guard let row = try row(digest) else { throw Self.missing(database.path) }
    if row.bytes == nil {
      return try Self.package(row, named: database.path) { piece in
        try self.piece(row.id, piece)
      }.bytes()
    }
    guard let bytes = Self.unpacked(row, digest) else { throw Self.damaged(database.path) }
    return bytes
  }

  // MARK: Pieces

  private static func number(_ content: Int, _ piece: Int) -> Int { content << 24 | piece }

  func piece(_ content: Int, _ piece: Int) throws -> [UInt8]? {
    var bytes: [UInt8]?
    try database.run(
      "SELECT bytes FROM pieces WHERE id = ?", [.integer(Self.number(content, piece))]
    ) {
      bytes = $0.bytes(0)
      return false
    }
    return bytes
  }

  func add(_ piece: Int, of content: Int, _ bytes: [UInt8]) throws {
    try database.run(
      "INSERT INTO pieces VALUES(?, ?)", [.integer(Self.number(content, piece)), .blob(bytes)])
  }

  /// Large contents, read piece by piece on access.
  /// - Parameters:
  ///   - name: the name of the database, for messages.
  ///   - read: returns a piece, or nil if there is none.
  static func package(
    _ row: Row, named name: String, limits: Limits = .none,
    _ read: @escaping (Int) throws -> [UInt8]?
  ) throws -> FileContents {
    nonisolated(unsafe) let read = read
    let last = Lock<(number: Int, bytes: [UInt8])?>(nil)
    let source = ByteSource(size: row.stored, name: name) { offset, buffer in
      var done = 0
      while done < buffer.count {
        let place = offset + done
        let number = place / piece
        let bytes = try last.withLock { last in
          if let known = last, known.number == number { return known.bytes }
          guard let bytes = try read(number) else { throw missing(name) }
          last = (number, bytes)
          return bytes
        }
        let start = place - number * piece
        let count = min(bytes.count - start, buffer.count - done)
        guard count > 0 else { throw damaged(name) }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
        target.copyBytes(from: bytes[start..<start + count])
        done += count
      }
    }
    do {
      let contents = try Container(decoding: source, limits: limits).root[entry]?.contents
      guard let contents, contents.size == row.size else { throw damaged(name) }
      return contents
    } catch let fault as Diagnostic where fault.rule == .limit {
      throw fault
    } catch {
      throw damaged(name)
    }
  }

  static func missing(_ path: String) -> Diagnostic {
    Diagnostic(.fileVersion, at: Location(file: path), "its contents are missing")
  }

  static func damaged(_ path: String) -> Diagnostic {
    Diagnostic(.fileVersion, at: Location(file: path), "its contents are damaged")
  }

  // MARK: Owners

  /// The contents of an owner: their rows, digests, and sizes as they are stored.
  func contents(of owner: Int) throws -> [(id: Int, digest: String, stored: Int)] {
    var found: [(id: Int, digest: String, stored: Int)] = []
    try database.run(
      """
      SELECT contents.id, digest, stored FROM uses JOIN contents ON contents.id = content
      WHERE owner = ?
      """, [.integer(owner)]
    ) { row in
      found.append((row.integer(0), row.withBlob(1) { $0.hexDigits }, row.integer(2)))
      return true
    }
    return found
  }

  /// Notes that an owner needs contents.
  func use(_ content: Int, by owner: Int) throws {
    try database.run(
      "INSERT OR IGNORE INTO uses VALUES(?, ?)", [.integer(owner), .integer(content)])
  }

  /// Records that an owner needs only the contents with these digests.
  /// - Returns: the rows that the owner does not need any more.
  func drop(allBut needed: Set<String>, of owner: Int) throws -> [Int] {
    let superfluous = try contents(of: owner).filter { !needed.contains($0.digest) }.map(\.id)
    for content in superfluous {
      try database.run(
        "DELETE FROM uses WHERE owner = ? AND content = ?", [.integer(owner), .integer(content)])
    }
    return superfluous
  }

  /// Notes that a program needs contents as long as it runs.
  func hold(_ content: Int, by program: String) throws {
    try database.run(
      "INSERT OR IGNORE INTO holds VALUES(?, ?)", [.integer(content), .text(program)])
  }

  /// Whether an owner, or a program that runs, needs contents.
  func isNeeded(_ content: Int, in dataFolder: String) throws -> Bool {
    if try database.integer("SELECT 1 FROM uses WHERE content = ? LIMIT 1", [.integer(content)])
      != nil
    {
      return true
    }
    var programs: [String] = []
    try database.run("SELECT program FROM holds WHERE content = ?", [.integer(content)]) {
      programs.append($0.text(0))
      return true
    }
    return programs.contains { ProgramLock.isHeld($0, in: dataFolder) }
  }

  func remove(_ content: Int) throws {
    let pieces = Self.number(content, 0)..<Self.number(content + 1, 0)
    try database.run(
      "DELETE FROM pieces WHERE id >= ? AND id < ?",
      [.integer(pieces.lowerBound), .integer(pieces.upperBound)])
    try database.run("DELETE FROM holds WHERE content = ?", [.integer(content)])
    try database.run("DELETE FROM contents WHERE id = ?", [.integer(content)])
  }
}

extension FileContents {
  /// The SHA-256 digest of the contents. Reads them piece by piece.
  func sha256() throws -> String {
    var hash = SHA256()
    try forEachPiece { hash.update($0) }
    return hash.finalize().description
  }
}
