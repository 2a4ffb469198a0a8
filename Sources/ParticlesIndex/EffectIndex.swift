package import ParticlesCore
internal import ParticlesDatabase
package import ParticlesSystem

/// A database of trees of effects, searched by queries. An update takes time proportional to the number of changes.
///
/// Several programs may use it at once. After a crash of a program, it has the state of the last batch.
package final class EffectIndex: Sendable {
  /// The absolute path of the file.
  package let path: String

  // Used by one thread at a time, which holds the gate.
  private let database: SQLite
  private let gate = Lock<Int>(0)

  /// A user's file: `particles/index.sqlite` below the cache folder, as the index can be made again. Nil without a home
  /// folder.
  package static func standardPath(_ directories: BaseDirectories) -> String? {
    directories.cacheHome.map { Files.joined($0, "particles/index.sqlite") }
  }

  /// Opens an index.
  /// - Parameters:
  ///   - path: the file.
  ///   - isWriting: whether it is made if there is none, together with its folders.
  /// - Throws: ``ParticlesCore/Rule/indexMissing``, ``ParticlesCore/Rule/indexForeign``,
  ///   ``ParticlesCore/Rule/indexVersion``, ``ParticlesCore/Rule/indexDamaged``, or errors of the file system. An
  ///   existing file is unchanged then.
  package init(_ path: String, writing isWriting: Bool = false) throws {
    let place = Location(file: path)
    if isWriting { try Files.makeDirectories(Files.folder(of: path)) }
    switch try Files.status(path)?.kind {
    case .file: break
    case nil where isWriting: break
    case nil: throw Diagnostic(.indexMissing, at: place)
    case let kind:
      throw Diagnostic(
        .indexForeign, at: place, expected: "a file",
        found: kind == .directory ? "a folder" : "a device")
    }
    // A new file has no path that could be resolved.
    let folder = try Files.resolve(Files.folder(of: path))
    self.path =
      try (Files.status(path)?.kind).map { _ in try Files.resolve(path) }
      ?? Files.joined(folder, Files.lastComponent(of: path))
    database = try SQLite(self.path, .index, isWriting ? .creating : .writing)
    try IndexSchema.prepare(database, writing: isWriting)
    if isWriting, database.isReadOnly {
      throw Diagnostic(.fileReadOnly, at: place, hint: "name another file with --database")
    }
  }

  /// Lends the database to one thread.
  func using<Result: Sendable>(_ body: (SQLite) throws -> Result) rethrows -> Result {
    try gate.withLock { _ in try body(database) }
  }

  /// Runs changes in one transaction. Nothing is changed if `body` throws.
  func changing(_ body: (SQLite) throws -> Void) throws {
    try using { database in
      try database.execute("BEGIN IMMEDIATE")
      do {
        try body(database)
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw error
      }
    }
  }

  // MARK: Folders

  /// The folders that are indexed, in the order of their paths.
  package func folders() throws -> [String] {
    try using { database in
      var paths: [String] = []
      try database.run("SELECT path FROM folders ORDER BY path") { row in
        paths.append(row.text(0))
        return true
      }
      return paths
    }
  }

  /// Whether a folder is indexed, or inside an indexed folder.
  /// - Parameter folder: an absolute path without links.
  package func covers(_ folder: String) throws -> Bool {
    let key = PathKey(folder)
    return try folders().contains { key == PathKey($0) || key.isInside($0) }
  }

  /// Removes a folder and the facts about its documents.
  /// - Returns: the number of removed documents, or nil if the folder is not indexed.
  package func forget(_ folder: String) throws -> Int? {
    guard try folders().contains(where: { PathKey($0) == PathKey(folder) }) else { return nil }
    // Documents of other folders in or around it stay.
    let others = try folders().filter { PathKey($0) != PathKey(folder) }
    let gone = try snapshot(of: [folder])
    var count = 0
    try changing { database in
      let rows = IndexRows(database)
      for key in gone.documents.keys where !others.contains(where: key.isInside) {
        guard let row = try rows.identifier(at: key.path) else { continue }
        try rows.remove(row)
        count += 1
      }
      for key in gone.others.keys where !others.contains(where: key.isInside) {
        try database.run("DELETE FROM others WHERE path = ?", [.text(key.path)])
      }
      try database.run("DELETE FROM folders WHERE path = ?", [.text(folder)])
    }
    return count
  }

  /// The beginning of all paths in a folder, and the first path behind them: `0` follows `/`.
  static func prefix(of folder: String) -> String { folder == "/" ? "/" : "\(folder)/" }

  static func end(of folder: String) -> String { folder == "/" ? "0" : "\(folder)0" }
}

/// The files of the folders that are indexed, as a search has found them.
package struct IndexedFiles: Sendable {
  /// The folders, absolute paths without links.
  package var folders: [String]
  package var documents: [String]
  /// The files that are no documents.
  package var others: [String]
  /// Folders that cannot be listed: the rows of files in them stay.
  package var unlisted: [String]

  package init(
    folders: [String], documents: [String], others: [String], unlisted: [String] = []
  ) {
    (self.folders, self.documents, self.others) = (folders, documents, others)
    self.unlisted = unlisted
  }
}

/// The result of an update.
package struct IndexChanges: Sendable, Hashable {
  /// The documents that were read.
  package var read = 0
  /// The documents that were not read, because they have not changed.
  package var unchanged = 0
  /// The documents with another path, some of which were read.
  package var moved = 0
  /// The documents that are gone.
  package var removed = 0
  /// Files that were taken for documents until they were opened.
  package var unknown: [String] = []
}

extension EffectIndex {
  /// Brings the index up to date. Changes are written in batches. After each batch, the index is consistent. While
  /// documents are read, no lock is held.
  /// - Parameters:
  ///   - files: the present files.
  ///   - old: the state before the files were searched.
  ///   - willRead: called once with the number of documents that will be read.
  ///   - read: reads a document, on any thread. Returns nil if the file is no document.
  ///   - didRead: called after each document.
  /// - Throws: errors of the database. Batches that were written stay.
  package func update(
    _ files: IndexedFiles, since old: IndexSnapshot, willRead: (Int) -> Void = { _ in },
    read: @Sendable (_ path: String) throws -> IndexedDocument?,
    didRead: (_ path: String) -> Void = { _ in }
  ) throws -> IndexChanges {
    var update = Update(self, files, old)
    try update.sort()
    let work = update.work
    willRead(work.count)
    // Looks of documents that wait to be written.
    let looks = Lock<[String: IndexedLook]>([:])
    try Parallel.ordered(work.count, state: {}) { index, _ -> Reading in
      let (path, state) = work[index]
      guard let document = try read(path) else { return Reading() }
      let known = try document.digest.flatMap { digest in
        try looks.withLock { $0[digest] } ?? using { try IndexRows($0).look(ofDigest: digest) }
      }
      let look = known ?? document.look()
      if let look, let digest = document.digest {
        looks.withLock { looks in
          if looks.count >= 8 * Update.mostOfBatch { looks = [:] }
          looks[digest] = look
        }
      }
      return Reading(document: document, look: look, state: state)
    } emit: { reading in
      didRead(try update.record(reading))
    }
    try update.finish()
    return update.changes
  }

  /// The result of reading a file. `document` is nil if the file is none.
  private struct Reading: Sendable {
    var document: IndexedDocument?
    var look: IndexedLook?
    var state: IndexedState?
  }

  /// An update that is going on.
  private struct Update {
    let index: EffectIndex
    let files: IndexedFiles
    let old: IndexSnapshot
    var changes = IndexChanges()
    /// The documents to read.
    var work: [(path: String, state: IndexedState?)] = []
    private var next = 0
    private var others: [String]
    private let unlisted: Set<PathKey>
    /// The documents that are not where they were.
    private var vanished: [PathKey: IndexSnapshot.Row]
    /// Those by their digests, once they are asked for.
    private var vanishedDigests: [String: [PathKey]]?
    /// The changes that wait to be written.
    private var batch: [(IndexRows) throws -> Void] = []
    private var began = 0.0

    /// After so many changes, or so many seconds, a batch is written.
    static let (mostOfBatch, secondsOfBatch) = (500, 1.0)

    init(_ index: EffectIndex, _ files: IndexedFiles, _ old: IndexSnapshot) {
      (self.index, self.files, self.old, others) = (index, files, old, files.others)
      vanished = old.documents
      for path in files.documents { vanished[PathKey(path)] = nil }
      unlisted = Set(files.unlisted.map(PathKey.init))
      vanished = vanished.filter { !isUnlisted($0.key) }
    }

    /// Whether a file is in a folder that cannot be listed.
    private func isUnlisted(_ key: PathKey) -> Bool {
      guard !unlisted.isEmpty else { return false }
      var folder = Files.folder(of: key.path)
      while !unlisted.contains(PathKey(folder)) {
        if folder.utf8.count <= 1 { return false }
        folder = Files.folder(of: folder)
      }
      return true
    }

    /// Finds the changes. Renamed documents are not read again if their contents cannot depend on other files:
    /// packages, and files that stay in their folders.
    mutating func sort() throws {
      let gone = Dictionary(
        vanished.map { ($0.value.state, $0.key) }, uniquingKeysWith: { first, _ in first })
      for path in files.documents {
        let state = IndexedState(path, now: old.now)
        if let state, let known = old.documents[PathKey(path)] {
          guard !known.state.isSame(as: state) else {
            changes.unchanged += 1
            continue
          }
        } else if let state, state.modified != 0, let from = gone[state], let row = vanished[from],
          row.format == "particles"
            || PathKey(Files.folder(of: from.path)) == PathKey(Files.folder(of: path))
        {
          vanished[from] = nil
          changes.moved += 1
          try change { rows in
            // By its path: another program may have changed it meanwhile.
            guard let row = try rows.identifier(at: from.path) else { return }
            if try rows.identifier(at: path) == nil {
              try rows.move(row, to: path)
            } else {
              try rows.remove(row)
            }
          }
          continue
        }
        work.append((path, state))
      }
      try write()
    }

    /// Notes a document that was read.
    /// - Returns: its path.
    mutating func record(_ reading: Reading) throws -> String {
      let path = work[next].path
      next += 1
      guard let document = reading.document else {
        changes.unknown.append(path)
        others.append(path)
        let key = PathKey(path)
        if let row = old.documents[key] { vanished[key] = row }
        return path
      }
      changes.read += 1
      // A file that cannot be looked at is read again next time.
      let state =
        reading.state ?? IndexedState(size: 0, modified: 0, device: 0, node: 0, entries: 0)
      let kept = try document.digest.flatMap { digest in try self.kept(digest, path) }
      let now = old.now
      try change { rows in
        let row = try rows.identifier(at: path)
        let left = try kept.flatMap { try rows.identifier(at: $0.path) }
        // If another program has written the document meanwhile, the row of the old path has no document any more.
        if row != nil, let left { try rows.remove(left) }
        try rows.write(document, at: path, state, old: row ?? left, reading.look, now: now)
      }
      if let kept {
        vanished[kept] = nil
        changes.moved += 1
      }
      return path
    }

    /// A vanished document with this digest: the file was moved.
    private mutating func kept(_ digest: String, _ path: String) throws -> PathKey? {
      guard old.documents[PathKey(path)] == nil, !vanished.isEmpty else { return nil }
      if vanishedDigests == nil {
        let keys = vanished.keys
        vanishedDigests = try index.using { database in
          var found: [String: [PathKey]] = [:]
          for key in keys {
            try database.run("SELECT digest FROM documents WHERE path = ?", [.text(key.path)]) {
              row in
              row.optionalText(0).map { found[$0, default: []].append(key) }
              return false
            }
          }
          return found
        }
      }
      while let key = vanishedDigests?[digest]?.popLast() {
        if vanished[key] != nil { return key }
      }
      return nil
    }

    /// Removes documents that are gone, and notes files that are no documents.
    mutating func finish() throws {
      for key in vanished.keys {
        try change { rows in
          if let row = try rows.identifier(at: key.path) { try rows.remove(row) }
        }
        changes.removed += 1
      }
      var unseen = old.others
      for path in others {
        guard let state = IndexedState(path, now: old.now) else { continue }
        if let known = unseen.removeValue(forKey: PathKey(path)), known.isSame(as: state) {
          continue
        }
        try change { try $0.writeOther(path, state) }
      }
      for key in unseen.keys where !isUnlisted(key) {
        try change {
          try $0.database.run("DELETE FROM others WHERE path = ?", [.text(key.path)])
        }
      }
      let now = old.now
      for folder in files.folders {
        try change {
          try $0.database.run(
            "INSERT OR REPLACE INTO folders VALUES(?, ?)", [.text(folder), .real(now)])
        }
      }
      try write()
    }

    /// Adds a change to the present batch.
    private mutating func change(_ body: @escaping (IndexRows) throws -> Void) throws {
      if batch.isEmpty { began = MonotonicClock.seconds }
      batch.append(body)
      if batch.count >= Self.mostOfBatch || MonotonicClock.seconds - began > Self.secondsOfBatch {
        try write()
      }
    }

    /// Writes the batch in a transaction of its own: a document that takes long is not read within it.
    private mutating func write() throws {
      guard !batch.isEmpty else { return }
      defer { batch = [] }
      let changes = batch
      try index.changing { database in
        let rows = IndexRows(database)
        for change in changes { try change(rows) }
      }
    }
  }
}

/// A document that a query has found.
package struct IndexMatch: Sendable, Hashable {
  package var path: String
  /// How different it looks from the effect of the query. Nil without such an effect.
  package var distance: Double?
}

extension EffectIndex {
  /// The greatest distance of effects that look alike.
  package static let nearest = 1.0
  /// So many effects are found by their look, also where fewer look alike.
  package static let fewest = 10

  /// Finds documents.
  /// - Parameters:
  ///   - query: the query.
  ///   - folders: absolute paths of folders without links. Empty for all documents.
  ///   - limit: the greatest number of documents, or nil for all.
  ///   - look: the vector of the effect that documents have to look like, by the path in the query.
  /// - Returns: the documents in the order of their paths, or the nearest first, and the number without the limit.
  package func find(
    _ query: IndexQuery, in folders: [String] = [], limit: Int? = nil,
    look: (String) throws -> [Float] = { _ in [] }
  ) throws -> (matches: [IndexMatch], total: Int) {
    var search = Search(index: self)
    if let file = query.similar { search.vector = try look(file) }
    let isNearest = query.rest != nil && !search.vector.isEmpty
    // All parts are answered from one state of the index, also while another program updates it.
    let begins = try using { database in
      guard !database.isInTransaction else { return false }
      try database.execute("BEGIN")
      return true
    }
    defer { if begins { using { if $0.isInTransaction { try? $0.execute("COMMIT") } } } }
    var found = try search.evaluate(query.expression)
    var inside = IdentifierSet()
    if !folders.isEmpty {
      for folder in folders { try search.add(folder: folder, to: &inside) }
      found.formIntersection(inside)
    }
    if isNearest, let rest = query.rest, found.count < Self.fewest {
      var others = try search.evaluate(rest)
      if !folders.isEmpty { others.formIntersection(inside) }
      found = try search.nearest(Self.fewest, in: others)
    }
    // Paths in order can leave numbers out. A limit or an order by look needs a list of numbers.
    if found.isComplement, limit != nil || query.similar != nil {
      found.formIntersection(try search.all())
    }
    let matches =
      query.similar == nil
      ? try paths(of: found, limit: limit) : try search.nearest(in: found, limit: limit)
    return (matches, limit == nil ? matches.count : found.count)
  }

  /// With fewer documents, their paths are looked up one by one, and not read in order.
  private static let few = 1_000

  private func paths(of found: IdentifierSet, limit: Int?) throws -> [IndexMatch] {
    try using { database in
      var matches: [IndexMatch] = []
      guard found.isComplement || found.count > Self.few else {
        try found.forEach { identifier in
          try database.run(
            "SELECT path FROM documents WHERE id = ?", [.integer(identifier)]
          ) { row in
            matches.append(IndexMatch(path: row.text(0), distance: nil))
            return false
          }
        }
        matches.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return Array(matches.prefix(limit ?? .max))
      }
      try database.run("SELECT id, path FROM documents ORDER BY path") { row in
        let identifier = row.integer(0)
        if found.contains(identifier) {
          if found.isComplement { try IdentifierSet.check(identifier, at: database.path) }
          matches.append(IndexMatch(path: row.text(1), distance: nil))
        }
        return matches.count < limit ?? .max
      }
      return Array(matches.prefix(limit ?? .max))
    }
  }

  /// The vector of the document at a path. Nil if there is none, or if the file has changed.
  package func vector(at path: String) throws -> [Float]? {
    let state = try snapshot(at: path)
    guard let state, let now = IndexedState(path, now: WallClock.seconds), state.isSame(as: now)
    else { return nil }
    return try using { database in
      var vector: [Float]?
      try database.run(
        """
        SELECT vector FROM vectors JOIN documents ON documents.id = vectors.document \
        WHERE documents.path = ?
        """, [.text(path)]
      ) { row in
        vector = row.withBlob(0, IndexRows.vector)
        return false
      }
      return vector
    }
  }

  /// Everything that the index has of a document.
  package func description(of match: IndexMatch) throws -> JSONObject {
    try using { database in
      var object: JSONObject = ["path": .string(match.path)]
      try database.run(
        """
        SELECT format, name, digest, facts, problems FROM documents \
        JOIN details ON details.document = documents.id WHERE documents.path = ?
        """, [.text(match.path)]
      ) { row in
        for (column, key) in ["format", "name", "digest"].enumerated() {
          object[key] = row.optionalText(column).map(JSONValue.string)
        }
        object["facts"] = try IndexedFacts(row.text(3), at: database.path).json
        object["problems"] = try? JSONParser.parse(Array(row.text(4).utf8))
        return false
      }
      object["distance"] = match.distance.map(JSONValue.double)
      return object
    }
  }
}

/// The evaluation of a query: each part becomes a set of numbers of documents.
private struct Search {
  let index: EffectIndex
  var vector: [Float] = []
  private var distances: [Int: Double] = [:]
  init(index: EffectIndex) { self.index = index }

  mutating func evaluate(_ expression: IndexQuery.Expression) throws -> IdentifierSet {
    var set = IdentifierSet()
    switch expression {
    case .all(let parts):
      // Nothing is excluded from all documents.
      set.invert()
      for part in parts { set.formIntersection(try evaluate(part)) }
    case .any(let parts):
      for part in parts { set.formUnion(try evaluate(part)) }
    case .not(let part):
      set = try evaluate(part)
      set.invert()
    case .text(let columns, let text): try add(texts: text, columns, to: &set)
    case .word(let key, let word):
      try index.using { database in
        try database.collect(
          """
          SELECT document FROM words WHERE key = (SELECT id FROM keys WHERE name = ?) AND value = ?
          """, [.text(key), .text(word)], into: &set)
      }
    case .number(let key, let range): try add(numbers: range, of: key, to: &set)
    case .digest(let digits):
      try index.using { database in
        try database.collect(
          "SELECT id FROM documents WHERE digest >= ? AND digest < ?",
          [.text(digits), .text(digits + "g")], into: &set)
      }
    case .path(let text): try add(paths: text, to: &set)
    case .similar(let path): try add(similarTo: path, to: &set)
    }
    return set
  }

  func all() throws -> IdentifierSet {
    var set = IdentifierSet()
    try index.using { try $0.collect("SELECT id FROM documents", [], into: &set) }
    return set
  }

  private func add(texts text: String, _ columns: [String], to set: inout IdentifierSet) throws {
    let plain = IndexRows.plain(text)
    try index.using { database in
      // The table has all sequences of three characters.
      if plain.unicodeScalars.count >= 3 {
        // By scalars, because a quote with a combining mark is another character.
        let phrase = plain.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        let match = "{\(columns.joined(separator: " "))} : \"\(phrase)\""
        try database.collect(
          "SELECT rowid FROM texts WHERE texts MATCH ?", [.text(match)], into: &set)
      } else {
        let conditions = columns.map { "instr(\($0), ?1) > 0" }.joined(separator: " OR ")
        try database.collect(
          "SELECT rowid FROM texts WHERE \(conditions)", [.text(plain)], into: &set)
      }
    }
  }

  private func add(
    numbers range: IndexQuery.NumberRange, of key: String, to set: inout IdentifierSet
  ) throws {
    let statement = """
      SELECT document FROM numbers WHERE key = (SELECT id FROM keys WHERE name = ?) \
      AND value \(range.includesLower ? ">=" : ">") ? AND value \(range.includesUpper ? "<=" : "<") ?
      """
    try index.using { database in
      try database.collect(
        statement, [.text(key), .real(range.lower), .real(range.upper)], into: &set)
    }
  }

  private func add(paths text: String, to set: inout IdentifierSet) throws {
    let isPattern = text.unicodeScalars.contains { $0 == "*" || $0 == "?" }
    // A bracket in a path is no class of characters.
    let pattern = "*" + text.unicodeScalars.map { $0 == "[" ? "[[]" : String($0) }.joined()
    try index.using { database in
      try database.collect(
        "SELECT id FROM documents WHERE "
          + (isPattern ? "lower(path) GLOB lower(?)" : "instr(lower(path), lower(?)) > 0"),
        [.text(isPattern ? pattern : text)], into: &set)
    }
  }

  func add(folder: String, to set: inout IdentifierSet) throws {
    try index.using { database in
      try database.collect(
        "SELECT id FROM documents WHERE path > ? AND path < ?",
        [.text(EffectIndex.prefix(of: folder)), .text(EffectIndex.end(of: folder))], into: &set)
    }
  }

  // MARK: Looks

  private mutating func add(similarTo path: String, to set: inout IdentifierSet) throws {
    let vector = vector
    guard !vector.isEmpty else { return }
    let most = Float(EffectIndex.nearest * EffectIndex.nearest)
    var found: [Int: Double] = [:]
    try index.using { database in
      try database.run("SELECT document, vector FROM vectors") { row in
        let square = row.withBlob(1) { IndexedLook.square($0, vector, within: most) }
        if let square {
          let identifier = row.integer(0)
          try set.insert(identifier, at: database.path)
          found[identifier] = Double(square).squareRoot()
        }
        return true
      }
    }
    distances = found
  }

  /// The documents of a set that are nearest, at any distance.
  mutating func nearest(_ count: Int, in set: IdentifierSet) throws -> IdentifierSet {
    var best: [(identifier: Int, square: Float)] = []
    try index.using { database in
      try database.run("SELECT document, vector FROM vectors") { row in
        let identifier = row.integer(0)
        guard set.contains(identifier) else { return true }
        let most = best.count < count ? Float.infinity : best[count - 1].square
        guard let square = row.withBlob(1, { IndexedLook.square($0, vector, within: most) }) else {
          return true
        }
        let place = best.firstIndex { $0.square > square } ?? best.count
        best.insert((identifier, square), at: place)
        if best.count > count { best.removeLast() }
        return true
      }
    }
    var found = IdentifierSet()
    for (identifier, square) in best {
      try found.insert(identifier, at: index.path)
      distances[identifier] = Double(square).squareRoot()
    }
    return found
  }

  /// The documents of a set, the nearest first. Documents found by other terms come last.
  func nearest(in set: IdentifierSet, limit: Int?) throws -> [IndexMatch] {
    var order: [(identifier: Int, distance: Double?)] = []
    set.forEach { order.append(($0, distances[$0])) }
    order.sort {
      ($0.distance ?? .infinity, $0.identifier) < ($1.distance ?? .infinity, $1.identifier)
    }
    let first = order.prefix(limit ?? .max)
    return try index.using { database in
      var matches: [IndexMatch] = []
      for (identifier, distance) in first {
        try database.run(
          "SELECT path FROM documents WHERE id = ?", [.integer(identifier)]
        ) { row in
          matches.append(IndexMatch(path: row.text(0), distance: distance))
          return false
        }
      }
      matches.sort { a, b in
        let (x, y) = (a.distance ?? .infinity, b.distance ?? .infinity)
        return x == y ? a.path.utf8.lexicographicallyPrecedes(b.path.utf8) : x < y
      }
      return matches
    }
  }
}
