public import ParticlesContainer
public import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// Unsaved contents of a document that were found after the end of a program.
public struct RecoveredContents: Sendable, Hashable {
  /// The path of the document. Empty for a draft without a path.
  public var path: String

  /// When the contents were kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept them.
  public var program: String

  /// The size of the stored contents, in bytes.
  public var size: Int

  /// Whether the program is still running and has the document open.
  public var isInUse: Bool

  /// The damage of the entry, or nil if it can be read.
  public var fault: Diagnostic?

  /// The digest of the stored contents that these were made of. Nil if it is unknown.
  var madeOf: String?

  /// The identifiers of older entries that these contents were continued from.
  var holds: [String] = []

  /// The name of the entry, unique in the data folder.
  public internal(set) var identifier: String

  /// The number of the row.
  let id: Int

  /// The digest of the list of the files.
  let tree: String?

  let dataFolder: String
}

/// The recovery journal of a user: unsaved contents that programs could not save where the documents are.
public struct RecoveryStore: Sendable {
  private let store: UserStore

  /// Creates the journal below a data folder, such as `~/.local/share`.
  public init(dataFolder: String) { store = UserStore.of(dataFolder: dataFolder) }

  /// Creates the journal of the user: below `XDG_DATA_HOME`, or `~/.local/share`.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if neither that nor `HOME` is set.
  public init(environment: [String: String]) throws {
    self.init(dataFolder: try UserStore.dataFolder(environment))
  }

  /// The entries, the newest first.
  /// - Parameter path: the path of a document, or nil for all documents.
  public func entries(of path: String? = nil) throws -> [RecoveredContents] {
    guard let path else { return try entries(where: "true") }
    return try entries(at: VersionStore.absolute(path))
  }

  /// The entries of the document at an absolute path, the newest first. An empty path selects the drafts.
  func entries(at place: String) throws -> [RecoveredContents] {
    try entries(where: "path = ?", [.text(place)])
  }

  private func entries(
    where condition: String, _ values: [SQLite.Value] = []
  ) throws -> [RecoveredContents] {
    try Takeover(store).recovery()
    let found = try store.read { database in
      var entries: [RecoveredContents] = []
      try database.run(
        """
        SELECT id, name, path, program, lock, seconds, base, holds, size, tree, folder
        FROM recovery WHERE (tree IS NOT NULL OR folder IS NOT NULL) AND \(condition)
        ORDER BY seconds DESC, id DESC
        """, values
      ) { row in
        var entry = RecoveredContents(
          path: row.text(2), seconds: row.real(5), program: row.text(3), size: row.integer(8),
          isInUse: row.optionalText(4).map { ProgramLock.isHeld($0, in: store.dataFolder) }
            ?? false, identifier: row.text(1), id: row.integer(0),
          tree: row.isNull(9) ? nil : row.withBlob(9) { $0.hexDigits },
          dataFolder: store.dataFolder)
        entry.fault = row.optionalText(10).map {
          Diagnostic(.fileStore, at: Location(file: $0), "unsaved contents of an earlier version")
        }
        entry.madeOf = row.optionalText(6)
        entry.holds = row.text(7).split(separator: " ").map(String.init)
        entries.append(entry)
        return true
      }
      return entries
    }
    return (found ?? []).map { entry in
      var entry = entry
      entry.fault = entry.fault ?? fault(of: entry)
      return entry
    }
  }

  /// The fault of an entry whose list of files cannot be read, else nil.
  private func fault(of entry: RecoveredContents) -> Diagnostic? {
    do {
      _ = try ContentStore(store).bytes(ofList: entry.tree ?? "")
      return nil
    } catch { return error as? Diagnostic }
  }

  /// Reads the contents of an entry.
  /// - Throws: the fault of the entry, or errors of reading.
  public func contents(
    of entry: RecoveredContents, limits: Limits = .standard
  ) throws -> FileNode {
    if let fault = entry.fault { throw fault }
    return try RecoveryJournal.contents(of: entry, limits: limits)
  }

  /// Removes an entry and the older entries that it was continued from.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` if its program is running.
  public func discard(_ entry: RecoveredContents) throws {
    // The program may have started or ended since the entries were listed.
    if try entries(where: "id = ?", [.integer(entry.id)]).first?.isInUse == true {
      throw Diagnostic(
        .fileBusy, at: Location(file: entry.path), "\(entry.program) has it open",
        hint: "save or close it there")
    }
    try RecoveryJournal.discard(entry)
  }
}

/// A journal of the unsaved contents of a document that cannot be saved in place, in the store of the user.
///
/// Each state replaces the state before. While a program runs, it holds one lock, which all of its entries name. An
/// entry whose lock is free is left over, and is offered for recovery.
final class RecoveryJournal: Sendable {
  private let store: UserStore
  private let path: String
  private let name: String
  private let program: String
  /// When the contents were kept, if that was not now, in seconds since 1970.
  private let seconds: Double?
  private let lock: ProgramLock

  private struct State {
    /// Whether there is a row.
    var isKept = false
    var memory: StoredTree.Memory?
    /// The digest of the stored contents that the kept contents were made of.
    var base: String?
  }

  private let state = Lock(State())

  /// Creates an entry, without contents.
  /// - Parameters:
  ///   - path: the absolute path of the document, or nil for a draft.
  ///   - name: the name of the entry, or nil for a new entry.
  ///   - program: the name of the program, or nil for this program.
  ///   - seconds: when the contents were kept, or nil for now.
  init(
    of path: String?, in dataFolder: String, named name: String? = nil, program: String? = nil,
    seconds: Double? = nil
  ) throws {
    self.path = path ?? ""
    self.name = name ?? String(UInt64.random(in: 0...UInt64.max), radix: 36)
    (self.program, self.seconds) = (program ?? RunningProcess.name, seconds)
    store = UserStore.of(dataFolder: dataFolder)
    lock = try ProgramLock.current(in: dataFolder)
  }

  /// An entry of a document that was not closed is offered while the program runs.
  deinit {
    guard state.withLock(\.isKept) else { return }
    try? store.write { database in
      try database.run(
        "UPDATE recovery SET lock = NULL WHERE path = ? AND name = ?", [.text(path), .text(name)])
    }
  }

  /// Keeps a state in place of the previous state.
  /// - Parameters:
  ///   - digest: the digest of the stored contents that the state was made of, or nil if unknown.
  ///   - entries: the identifiers of older entries that this entry continues. They stay in the journal.
  func keep(
    _ contents: FileNode, madeOf digest: String?, holding entries: [String], durably isDurable: Bool
  ) throws {
    let superfluous = try state.withLock { state in
      let id = try row()
      state.isKept = true
      let base = digest ?? state.base
      let time = seconds ?? WallClock.seconds
      nonisolated(unsafe) var tree = state.memory
      let dropped = try ContentBatch.add(to: store, of: -id, durably: isDurable) { batch in
        let now = try StoredTree.add(contents, to: batch, knowing: tree)
        tree = now
        return { database in
          let rows = StoredContentRows(database: database)
          let needed = Set(now.digests.values).union([now.listing])
          let dropped = try rows.drop(allBut: needed, of: -id)
          try database.run(
            """
            UPDATE recovery SET seconds = ?, base = ?, holds = ?, size = ?, tree = ? WHERE id = ?
            """,
            [
              .real(time), base.map { .text($0) } ?? .null,
              .text(entries.joined(separator: " ")), .integer(now.size),
              .blob(StoredContentRows.key(now.listing) ?? []), .integer(id),
            ])
          return dropped
        }
      }
      (state.memory, state.base) = (tree, base)
      return dropped
    }
    // The state is kept. The contents that it has replaced can wait.
    try store.telling { try? ContentStore(store).remove(superfluous) }
  }

  /// The number of the row. Inserts the row if it is missing, because the database may have been replaced.
  private func row() throws -> Int {
    if let known = try known() { return known }
    return try store.write { database in
      try database.run(
        """
        INSERT INTO recovery(name, path, program, lock, seconds, holds, size)
        VALUES(?, ?, ?, ?, ?, '', 0)
        """,
        [
          .text(name), .text(path), .text(program), .text(lock.name), .real(WallClock.seconds),
        ])
      return database.lastRow
    }
  }

  private func known() throws -> Int? {
    try store.read { database in
      try database.integer(
        "SELECT id FROM recovery WHERE path = ? AND name = ?", [.text(path), .text(name)])
    } ?? nil
  }

  /// Removes the entry: the contents were saved, or are not wanted.
  func discard() {
    let isKept = state.withLock { state in
      defer { state = State() }
      return state.isKept
    }
    if isKept, let id = (try? known()) ?? nil { try? Self.remove([id], from: store) }
  }

  /// The entries of a document that programs have left, the newest first.
  /// - Parameter path: the absolute path of the document, or nil for drafts.
  static func left(of path: String?, in dataFolder: String) throws -> [RecoveredContents] {
    try RecoveryStore(dataFolder: dataFolder).entries(at: path ?? "").filter {
      !$0.isInUse && $0.fault == nil
    }
  }

  static func contents(of entry: RecoveredContents, limits: Limits) throws -> FileNode {
    let store = UserStore.of(dataFolder: entry.dataFolder)
    return try StoredTree.tree(entry.tree ?? "", in: ContentStore(store), limits: limits)
  }

  /// Removes an entry and the older entries that it was continued from.
  static func discard(_ entry: RecoveredContents) throws {
    let store = UserStore.of(dataFolder: entry.dataFolder)
    let held = try store.read { database in
      try entry.holds.compactMap { name in
        try database.integer(
          "SELECT id FROM recovery WHERE path = ? AND name = ?", [.text(entry.path), .text(name)])
      }
    }
    try remove((held ?? []) + [entry.id], from: store)
  }

  private static func remove(_ ids: [Int], from store: UserStore) throws {
    let contents = try store.write { database in
      let rows = StoredContentRows(database: database)
      return try ids.flatMap { id in
        let contents = try rows.drop(allBut: [], of: -id)
        try database.run("DELETE FROM recovery WHERE id = ?", [.integer(id)])
        return contents
      }
    }
    try ContentStore(store).remove(contents)
  }
}
