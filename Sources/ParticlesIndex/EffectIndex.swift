package import ParticlesCore
internal import ParticlesDatabase

/// A database of a tree of effects: brought up to date in time proportional to what has changed, and asked by queries.
///
/// Several programs may use it at the same time. A program that dies leaves the state of its last batch.
package final class EffectIndex: Sendable {
  /// The absolute path of the file.
  package let path: String

  // Used by one thread at a time, which holds the gate.
  private let database: SQLite
  private let gate = Lock<Int>(0)

  /// The file of a user: `particles/index.sqlite` below the cache folder, as the index can be made again; nil without a
  /// home folder.
  package static func standardPath(_ directories: BaseDirectories) -> String? {
    directories.cacheHome.map { Files.joined($0, "particles/index.sqlite") }
  }

  /// Opens an index.
  /// - Parameters:
  ///   - path: the file.
  ///   - isWriting: whether it is made if there is none, together with its folders.
  /// - Throws: ``ParticlesCore/Rule/indexMissing``, ``ParticlesCore/Rule/indexForeign``,
  ///   ``ParticlesCore/Rule/indexVersion``, ``ParticlesCore/Rule/indexDamaged``; errors of the file system.
  ///   A file that was there is as it was.
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

  /// Whether a folder is one of those that are indexed, or inside one.
  /// - Parameter folder: an absolute path without links.
  package func covers(_ folder: String) throws -> Bool {
    let key = PathKey(folder)
    return try folders().contains { key == PathKey($0) || key.isInside($0) }
  }

  /// The number of documents in all folders.
  package func count() throws -> Int {
    try using { database in
      var count = 0
      try database.run("SELECT count(*) FROM documents") { row in
        count = row.integer(0)
        return false
      }
      return count
    }
  }

  /// Removes a folder and what is known of its documents.
  /// - Returns: how many documents; nil if the folder is not indexed.
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
