package import ParticlesCore
internal import ParticlesDatabase
package import ParticlesFormats
internal import ParticlesModel
internal import ParticlesSystem

/// The edits of open documents that their files may not have yet, and how edits ended, in the store of the user. See
/// "Journal" in `Spec/editing.md`. If a program is killed, the next program that opens the document makes them again.
package final class EditJournal: Sendable {
  /// An edit.
  package struct Row: Sendable {
    /// The identity that its page has given it.
    package var id: String
    package var window: String
    /// The name of the edit in menus.
    package var name: String
    /// The kind. For undo and redo, with the number of edits.
    package var kind: String
    /// The number of the last part of a gesture, or nil for a single edit.
    package var tick: Int?
    /// Whether it is a gesture that goes on.
    package var isOpen: Bool
    /// The revision that it led to.
    package var revision: Int
    /// The changes that it has made. Nil for none, and for changes that the file already has.
    package var patch: JSONValue?
    /// The digest of the document after it, or nil if unknown.
    package var digest: String?
    /// The status and the fault of a refusal, or nil if the edit was made.
    package var refusal: (status: Int, fault: JSONValue)?

    package init(
      id: String, window: String, name: String, kind: String, tick: Int?, isOpen: Bool,
      revision: Int, patch: JSONValue?, digest: String?, refusal: (status: Int, fault: JSONValue)?
    ) {
      (self.id, self.window, self.name, self.kind) = (id, window, name, kind)
      (self.tick, self.isOpen, self.revision) = (tick, isOpen, revision)
      (self.patch, self.digest, self.refusal) = (patch, digest, refusal)
    }
  }

  private let store: UserStore
  private let lock: ProgramLock
  /// Where the open documents are, by their numbers.
  private let open = Lock<[Int: (path: String, identity: String?)]>([:])

  /// The identities that are kept, and for how many seconds.
  private static let (most, longest) = (10_000, 86_400.0)

  /// Creates the journal in a data folder.
  /// - Throws: errors of the lock of the program.
  package init(dataFolder: String) throws {
    store = UserStore.of(dataFolder: dataFolder)
    lock = try ProgramLock.current(in: dataFolder)
  }

  // MARK: Documents

  /// Begins the journal of a document that is opened.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - identity: the identity of its file, or nil if unknown.
  /// - Returns: the number of the document in the journal, and the edits that ended programs have left, in order.
  ///   Open gestures come last.
  package func begin(_ path: String, identity: String?) throws -> (document: Int, left: [Row]) {
    try store.write { database in
      var old: [(number: Int, path: String, identity: String?)] = []
      try database.run(
        "SELECT id, lock, path, identity FROM edited WHERE path = ? OR identity = ? ORDER BY id",
        [.text(path), identity.map { .text($0) } ?? .null]
      ) { row in
        let name = row.text(1)
        if name != lock.name, !ProgramLock.isHeld(name, in: store.dataFolder) {
          old.append((row.integer(0), row.text(2), row.optionalText(3)))
        }
        return true
      }
      // Random, not counted: if the database is replaced, a counted number could belong to a different document.
      let document = Int.random(in: 1...Int.max)
      try add(document, path, identity, to: database)
      for (number, place, known) in old {
        // Its file was renamed, and a different file has this path now.
        if place == path, let known, known != identity, Self.isBeside(path, known) { continue }
        try database.run(
          "UPDATE made SET document = ? WHERE document = ?",
          [.integer(document), .integer(number)])
        try database.run("DELETE FROM edited WHERE id = ?", [.integer(number)])
      }
      try prune(database)
      var left: [Row] = []
      try database.run(
        "SELECT \(Self.columns) FROM made WHERE document = ? AND patch IS NOT NULL ORDER BY open, sequence",
        [.integer(document)]
      ) { row in
        left.append(Self.row(row))
        return true
      }
      return (document, left)
    }
  }

  private func add(
    _ document: Int, _ path: String, _ identity: String?, to database: SQLite
  ) throws {
    open.withLock { $0[document] = (path, identity) }
    try database.run(
      "INSERT INTO edited (id, path, identity, lock) VALUES (?, ?, ?, ?)",
      [
        .integer(document), .text(path), identity.map { .text($0) } ?? .null, .text(lock.name),
      ])
  }

  /// Ends the journal of a document that is closed: its edits are in the file or in the recovery journal.
  package func end(_ document: Int) throws {
    open.withLock { $0[document] = nil }
    try store.write { database in
      try database.run(
        "UPDATE made SET patch = NULL, open = 0 WHERE document = ?", [.integer(document)])
      try database.run("DELETE FROM edited WHERE id = ?", [.integer(document)])
    }
  }

  /// Notes that the file of a document has all edits.
  package func saved(_ document: Int, _ path: String, identity: String?) throws {
    open.withLock { $0[document] = (path, identity) }
    try store.write { database in
      try database.run(
        "UPDATE made SET patch = NULL WHERE document = ? AND patch IS NOT NULL AND open = 0",
        [.integer(document)])
      // A save may have replaced the file.
      try database.run(
        "UPDATE edited SET path = ?, identity = ? WHERE id = ?",
        [.text(path), identity.map { .text($0) } ?? .null, .integer(document)])
    }
  }

  /// Whether another file in the folder of a document has an identity.
  private static func isBeside(_ path: String, _ identity: String) -> Bool {
    let (folder, own) = (Files.folder(of: path), Files.lastComponent(of: path))
    let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
    return names.prefix(most).contains {
      $0 != own && FolderListing.stamp(of: Files.joined(folder, $0)) == identity
    }
  }

  private func prune(_ database: SQLite) throws {
    try database.run(
      "DELETE FROM made WHERE patch IS NULL AND seconds < ?",
      [.real(WallClock.seconds - Self.longest)])
    try database.run(
      """
      DELETE FROM made WHERE patch IS NULL AND sequence <= (
        SELECT sequence FROM made ORDER BY sequence DESC LIMIT 1 OFFSET \(Self.most))
      """)
  }

  // MARK: Edits

  /// The columns of a row, in the order in which they are read.
  private static let columns =
    "id, window, name, kind, tick, open, revision, patch, digest, status, fault"

  private static func row(_ row: SQLite.Row) -> Row {
    func json(_ column: Int) -> JSONValue? {
      row.optionalText(column).flatMap { try? JSONParser.parse(Array($0.utf8)) }
    }
    return Row(
      id: row.text(0), window: row.text(1), name: row.text(2), kind: row.text(3),
      tick: row.isNull(4) ? nil : row.integer(4), isOpen: row.integer(5) == 1,
      revision: row.integer(6), patch: json(7), digest: row.optionalText(8),
      refusal: row.isNull(9) ? nil : (row.integer(9), json(10) ?? .null))
  }

  /// An edit, or nil if there is none of this identity.
  package func row(_ id: String) throws -> Row? {
    try store.read { database in
      var found: Row?
      try database.run("SELECT \(Self.columns) FROM made WHERE id = ?", [.text(id)]) {
        found = Self.row($0)
        return false
      }
      return found
    } ?? nil
  }

  /// Writes an edit. Replaces the edit with its identity. A gesture that ends moves to the end.
  package func note(_ row: Row, of document: Int) throws {
    func text(_ value: String?) -> SQLite.Value { value.map { .text($0) } ?? .null }
    let values: [SQLite.Value] = [
      .text(row.id), .integer(document), .text(row.window), .text(row.name), .text(row.kind),
      row.tick.map { .integer($0) } ?? .null, .integer(row.isOpen ? 1 : 0), .integer(row.revision),
      text(row.patch?.denseText), text(row.digest),
      row.refusal.map { .integer($0.status) } ?? .null, text(row.refusal?.fault.denseText),
      .real(WallClock.seconds),
    ]
    try store.write { database in
      if try database.integer("SELECT 1 FROM edited WHERE id = ?", [.integer(document)]) == nil,
        let place = open.withLock({ $0[document] })
      {
        try add(document, place.path, place.identity, to: database)
      }
      try database.run(
        """
        INSERT OR REPLACE INTO made
        (id, document, window, name, kind, tick, open, revision, patch, digest, status, fault, seconds)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
    }
  }

  package func end(gesture id: String) throws {
    try store.write { try $0.run("UPDATE made SET open = 0 WHERE id = ?", [.text(id)]) }
  }

  /// Waits until all edits have reached the disk.
  package func flush() throws { try store.flush() }
}

/// A file of another format after an edit of the effect that was imported from it: only edited values differ, one
/// line for each value in a text file.
///
///     let opened = try OpenedEffect(path: "fire.pex")
///     var editor = try EffectEditor(opened.package)
///     try editor.set("emitters[0].emission.rate", to: "120")
///     let edited = try EditedFile(
///       editor.package, changes: editor.changes, editedFrom: opened, fileName: "fire.pex")
package struct EditedFile: Sendable {
  /// The new contents of the file.
  package let bytes: [UInt8]

  /// The capacities that follow from edited rates: extra changes of the file besides the edit. Engines of formats
  /// with ``ParticlesFormats/Capabilities/derivesRate`` divide the capacity by the lifetime to get the rate.
  package let capacities: [EffectEditor.Change]

  /// Whether a rate was edited, and its format writes it as a whole number of particles.
  package let roundsRate: Bool

  /// The images that the edit has added or replaced, by the names that the file has for them.
  package let images: [String: [UInt8]]

  /// The images of ``images`` as they were before, as far as there were any.
  package let replaced: [String: [UInt8]]

  /// All images that are beside the file.
  package let allImages: [String: [UInt8]]

  /// Other files with values of the effect that the edit changes, by the names that the file has for them.
  package let others: [String: [UInt8]]

  /// The changes of the edits by the format: lines of a loss report. Earlier differences between the file and its
  /// document are not included.
  package let losses: [Diagnostic]

  /// The losses of edited properties that the format has no room for at all.
  package let dropped: [Diagnostic]

  /// Writes the edited effect into the file that it was imported from.
  /// - Parameters:
  ///   - package: the package of the import after the edit.
  ///   - changes: the properties that were edited.
  ///   - opened: the imported file.
  ///   - fileName: the name of the file, without folders.
  ///   - shared: what happens to values of other files, which other effects may share. Nil refuses to change them.
  ///   - formats: the formats of possible sources.
  ///   - limits: the limits for reading and writing.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the file is a package or of a format that cannot be written,
  ///   or if its format needs another file for an emitter. Errors of
  ///   ``ParticlesFormats/ParticleFormat/export(_:_:)``.
  package init(
    _ package: EffectPackage, changes: [EffectEditor.Change], editedFrom opened: OpenedEffect,
    fileName: String, shared: EncodingContext.SharedValues? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws {
    guard case .imported(let format) = opened.kind, format.canWrite else {
      throw Diagnostic(
        .fileUnwritable, "\(opened.kindName) is a format that can only be read",
        hint: "write a package with --output, which takes every edit")
    }
    func export(_ package: EffectPackage) throws -> Exported {
      try package.exported(
        as: format, fileName: fileName, inPlace: true, shared: shared, among: formats,
        limits: limits)
    }
    let before = try export(opened.package)
    var (package, capacities) = (package, [EffectEditor.Change]())
    if format.capabilities?.derivesRate == true {
      capacities = try package.followRates(from: opened.package) { package in
        let bytes = try export(package).parts.first?.bytes
        let context = DecodingContext(fileName: fileName, limits: limits)
        return try bytes.map { try format.decode($0, context).system }
      }
    }
    self.capacities = capacities
    roundsRate =
      format.capabilities?.derivesRate == true
      && changes.contains { $0.key.hasSuffix(".emission.rate") }
    let after = try export(package)
    // An effect of many files was imported from a single file.
    guard after.parts.count <= max(before.parts.count, 1), let part = after.parts.first else {
      throw Diagnostic(
        .fileUnwritable, "a \(format.title) holds one emitter",
        expected: "one file", found: "\(after.parts.count) files, one for each emitter",
        hint: "write a package with --output, and convert that")
    }
    bytes = part.bytes
    // Images that did not change are where the file names them.
    allImages = after.beside
    others = after.others
    images = after.beside.filter { before.beside[$0.key] != $0.value }
    replaced = before.beside.filter {
      after.beside[$0.key] != nil && after.beside[$0.key] != $0.value
    }
    let known = Set(before.losses.map(\.message))
    losses = after.losses.filter { !known.contains($0.message) }
    dropped = losses.filter { line in
      line.rule == .lost && line.lossLevel > .info
        && changes.contains { Self.overlap($0.key, line.loss?.path ?? "") }
    }
  }

  /// Whether two keys name one property, or nested properties.
  private static func overlap(_ a: String, _ b: String) -> Bool {
    let (short, long) = a.utf8.count < b.utf8.count ? (a, b) : (b, a)
    guard !short.isEmpty, long.hasPrefix(short) else { return false }
    let next = long.dropFirst(short.count).first
    return next == nil || next == "." || next == "["
  }
}

extension EffectPackage {
  /// Sets the capacities of the emitters whose rate was edited, for a format without rates. A capacity that was
  /// edited, too, is kept.
  /// - Parameters:
  ///   - old: the package before the edit.
  ///   - written: returns an effect as the file of the format holds it. Without a capacity, the format writes the
  ///     capacity that gives the rate.
  /// - Returns: the changes.
  fileprivate mutating func followRates(
    from old: EffectPackage, written: (EffectPackage) throws -> ParticleSystem?
  ) throws -> [EffectEditor.Change] {
    let before = try old.system()
    var system = try system()
    guard before.emitters.count == system.emitters.count else { return [] }
    let edited = system.emitters.indices.filter { index in
      let (old, new) = (before.emitters[index].emission, system.emitters[index].emission)
      return old.rate != new.rate && new.rate.mean > 0 && new.maxAlive != nil
        && old.maxAlive == new.maxAlive
    }
    guard !edited.isEmpty else { return [] }
    var free = system
    for index in edited { free.emitters[index].emission.maxAlive = nil }
    var copy = self
    try copy.setSystem(free)
    guard let read = try written(copy), read.emitters.count == system.emitters.count else {
      return []
    }
    var changes: [EffectEditor.Change] = []
    for index in edited {
      let old = system.emitters[index].emission.maxAlive
      guard let new = read.emitters[index].emission.maxAlive, new != old else { continue }
      system.emitters[index].emission.maxAlive = new
      changes.append(
        EffectEditor.Change(
          key: "emitters[\(index)].emission.maxAlive", old: old.map(JSONValue.int),
          new: .int(new)))
    }
    if !changes.isEmpty { try setSystem(system) }
    return changes
  }
}
