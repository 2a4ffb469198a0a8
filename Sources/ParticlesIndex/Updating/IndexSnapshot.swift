internal import ParticlesCore
internal import ParticlesDatabase

/// The files of some folders that an index knows at one moment.
package struct IndexSnapshot: Sendable {
  struct Row: Sendable {
    var state: IndexedState
    var format: String?
  }

  var documents: [PathKey: Row] = [:]
  var others: [PathKey: IndexedState] = [:]
  /// When it was made, in seconds since 1970.
  let now = WallClock.seconds

  /// Whether a file that has not changed is a document; nil for a file that is new or has changed.
  /// - Parameter path: an absolute path.
  package func isDocument(_ path: String) -> Bool? {
    let key = PathKey(path)
    let known = documents[key]?.state ?? others[key]
    guard let known, let state = IndexedState(path, now: now), known.isSame(as: state) else {
      return nil
    }
    return documents[key] != nil
  }
}

extension EffectIndex {
  /// Reads what is known of the files in some folders. If the facts are of another version, all files have changed.
  package func snapshot(of folders: [String]) throws -> IndexSnapshot {
    try renewFacts()
    return try using { database in
      var snapshot = IndexSnapshot()
      for folder in folders {
        let range: [SQLite.Value] = [
          .text(Self.prefix(of: folder)), .text(Self.end(of: folder)),
        ]
        try database.run(
          """
          SELECT size, modified, device, node, entries, path, format FROM documents \
          WHERE path > ? AND path < ?
          """, range
        ) { row in
          snapshot.documents[PathKey(row.text(5))] = IndexSnapshot.Row(
            state: Self.state(row), format: row.optionalText(6))
          return true
        }
        try database.run(
          """
          SELECT size, modified, device, node, entries, path FROM others \
          WHERE path > ? AND path < ?
          """, range
        ) { row in
          snapshot.others[PathKey(row.text(5))] = Self.state(row)
          return true
        }
      }
      return snapshot
    }
  }

  /// The state that the document at a path had; nil if it is not there.
  func snapshot(at path: String) throws -> IndexedState? {
    try using { database in
      var state: IndexedState?
      try database.run(
        "SELECT size, modified, device, node, entries FROM documents WHERE path = ?", [.text(path)]
      ) { row in
        state = Self.state(row)
        return false
      }
      return state
    }
  }

  private static func state(_ row: SQLite.Row) -> IndexedState {
    IndexedState(
      size: row.integer(0), modified: row.integer(1), device: row.integer(2), node: row.integer(3),
      entries: row.integer(4))
  }

  /// Makes all documents be read again if their facts are of another version.
  private func renewFacts() throws {
    func isCurrent(_ database: SQLite) throws -> Bool {
      var found = 0
      try database.run("SELECT value FROM meta WHERE key = 'analysis'") { row in
        found = row.integer(0)
        return false
      }
      return found == IndexSchema.analysis
    }
    // Without a transaction that other programs would have to wait for.
    guard try !using(isCurrent) else { return }
    try changing { database in
      guard try !isCurrent(database) else { return }
      try database.execute(
        """
        UPDATE documents SET modified = 0, digest = NULL; DELETE FROM others;
        INSERT OR REPLACE INTO meta VALUES('analysis', \(IndexSchema.analysis));
        """)
    }
  }
}
