import ParticlesCore
import ParticlesDatabase

/// The database of what programs keep for a user, for tests that look into it or damage it, by a connection of their own.
package struct StoreDatabase: Sendable {
  package let path: String

  package init(dataFolder: String) { path = Files.joined(dataFolder, "particles/store.sqlite") }

  private static let kind = DatabaseKind(
    name: "the store", foreign: .fileStore, damaged: .fileStore, openingHint: "", busyHint: "",
    spaceHint: "", patience: 20_000)

  private func open() throws -> SQLite { try SQLite(path, Self.kind, .writing) }

  /// Runs statements.
  package func run(_ script: String) throws { try open().execute(script) }

  /// The first number of an answer.
  package func integer(_ query: String) throws -> Int? { try open().integer(query) }

  /// The first column of all rows of an answer.
  package func texts(_ query: String) throws -> [String] {
    var texts: [String] = []
    try open().run(query) {
      texts.append($0.text(0))
      return true
    }
    return texts
  }

  /// Copies the newest entry of the recovery journal, as a program leaves it that was killed.
  package func leaveEntry(named name: String) throws {
    try run(
      """
      BEGIN IMMEDIATE;
      INSERT INTO recovery(path, name, program, seconds, base, holds, size, tree)
        SELECT path, '\(name)', program, seconds, base, holds, size, tree FROM recovery
        ORDER BY id DESC LIMIT 1;
      INSERT INTO uses SELECT -(SELECT max(id) FROM recovery), content FROM uses
        WHERE owner = -(SELECT max(id) FROM recovery WHERE name <> '\(name)');
      COMMIT;
      """)
  }

  /// A lock that keeps other programs from changing anything, until it is released.
  package final class Hold {
    private let database: SQLite

    fileprivate init(_ database: SQLite) throws {
      self.database = database
      try database.execute("BEGIN IMMEDIATE")
    }

    package func release() throws { try database.execute("ROLLBACK") }
  }

  package func hold() throws -> Hold { try Hold(open()) }
}
