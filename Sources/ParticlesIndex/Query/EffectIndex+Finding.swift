package import ParticlesCore
internal import ParticlesDatabase

/// A document that a query has found.
package struct IndexMatch: Sendable, Hashable {
  /// Its absolute path.
  package var path: String
  /// How different it looks from the effect of the query; nil without one.
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
  ///   - folders: absolute paths of folders without links; empty for all documents.
  ///   - limit: the greatest number of documents; nil for all.
  ///   - look: the vector of the effect that documents have to look like, by the path in the query.
  /// - Returns: the documents in the order of their paths, or the nearest first; and the number without the limit.
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
    // All documents are read below in any case, but some of them only with a limit.
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

  /// The vector of the document at a path, if the file has not changed; nil if it has none.
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

  /// All documents.
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

  /// The documents of a set, the nearest first; those that another term has found come last.
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
