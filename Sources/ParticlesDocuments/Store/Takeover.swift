internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDatabase

/// Takes over what earlier versions of this program kept in folders beside the store, each folder once: `particles/versions` and
/// `particles/recovery`. A folder is removed when its contents have reached the disk.
struct Takeover {
  private let store: UserStore
  private let folder: String

  init(_ store: UserStore) {
    self.store = store
    folder = Files.joined(store.dataFolder, "particles/versions")
  }

  // MARK: Versions

  /// Takes over the document that was at a path, and the one whose file is there now.
  /// - Throws: the first fault of a folder that cannot be read; errors of the store.
  func documents(at place: String) throws {
    guard try Files.status(folder) != nil else { return }
    try document(named: VersionStore.keyed(place))
    guard let file = try Files.status(place)?.state.identity.description,
      let key = try? Files.readRegular(Files.joined(folder, "by-file/\(file)"))
    else { return }
    let name = String(decoding: key, as: UTF8.self)
    if Self.isKey(name) { try document(named: name) }
  }

  private static func isKey(_ name: String) -> Bool {
    name.utf8.count == 32 && name.allSatisfy(\.isHexDigit)
  }

  /// Takes over all documents. Folders that cannot be read stay.
  func allDocuments() throws {
    guard try Files.status(folder) != nil else { return }
    var isComplete = true
    for name in try Files.list(folder, passingOver: { _ in })
    where Self.isKey(String(name.prefix { $0 != "-" })) {
      do {
        try document(named: name)
      } catch let fault as Diagnostic where fault.location.file?.hasPrefix(folder) == true {
        isComplete = false
      }
    }
    // Contents that several documents shared, and names of files.
    if isComplete { try? Files.removeAll(folder) }
  }

  private func document(named name: String) throws {
    let old = OldVersions(Files.joined(folder, name))
    guard try Files.status(old.folder) != nil else { return }
    try old.whileLocked {
      let isKnown = try store.read { database in
        try database.integer("SELECT 1 FROM documents WHERE origin = ?", [.text(name)]) != nil
      }
      if isKnown != true { try add(old, named: name) }
      // A list that cannot be read may be mended by hand.
      if try old.isSound() {
        try Files.removeAll(old.folder)
      } else {
        try Files.rename(old.folder, "\(old.folder).damaged")
      }
    }
  }

  private func add(_ old: OldVersions, named name: String) throws {
    let (versions, trail, document) = try (old.versions(), old.trail(), old.document())
    let id = try store.write { try DocumentRow.add(nil, in: $0) }
    try ContentBatch.add(to: store, of: id, durably: true) { batch in
      for listing in Set(versions.map(\.tree)) {
        guard let list = old.bytes(listing) else { continue }
        _ = try batch.add(FileContents(list), isList: true)
        for digest in (try? StoredTree.contents(of: list, listing)) ?? [] where digest != listing {
          try add(digest, of: old, to: batch)
        }
      }
      for digest in trail.contents { try add(digest, of: old, to: batch) }
      return { database in
        let isTaken = try document.path.map { try DocumentRow.at($0, in: database) != nil } ?? true
        let aside = old.setAside ?? (isTaken ? WallClock.seconds : nil)
        let last = try max(old.lastNumber(), versions.map(\.number).max() ?? 0)
        func text(_ text: String?) -> SQLite.Value { text.map { .text($0) } ?? .null }
        func number(_ number: Double?) -> SQLite.Value { number.map { .real($0) } ?? .null }
        try database.run(
          """
          UPDATE documents SET path = ?, file = ?, born = ?, ended = ?, missing = ?, aside = ?,
            last = ?, origin = ? WHERE id = ?
          """,
          [
            text(document.path), text(document.identity.file), text(document.identity.born),
            number(try old.time("ended")), number(try old.time("missing")), number(aside),
            .integer(last), .text(name), .integer(id),
          ])
        for version in versions { try version.add(to: id, in: database) }
        // The numbers of versions that were deleted are not used again.
        try database.run(
          "UPDATE documents SET last = ? WHERE id = ?", [.integer(last), .integer(id)])
        for (index, step) in trail.steps.enumerated() {
          try step.add(to: id, undone: index >= trail.position, in: database)
        }
      }
    }
  }

  /// Adds contents; those that are missing or damaged stay missing.
  private func add(_ digest: String, of old: OldVersions, to batch: ContentBatch) throws {
    guard try !batch.use(digest), let contents = old.contents(digest),
      (try? contents.sha256()) == digest
    else { return }
    _ = try batch.add(contents)
  }

  // MARK: Unsaved contents

  /// Takes over the entries of the recovery journal of programs that have ended. The folder of an entry that cannot be read stays
  /// under another name, which the entry has.
  func recovery() throws {
    let all = Files.joined(store.dataFolder, "particles/recovery")
    guard try Files.status(all) != nil else { return }
    for name in try Files.list(all, passingOver: { _ in })
    where !name.hasPrefix(".") && !name.hasSuffix(".damaged") {
      let folder = Files.joined(all, name)
      do {
        try entry(folder)
      } catch let fault as Diagnostic where fault.location.file?.hasPrefix(folder) == true {
        try Files.renameExclusively(folder, "\(folder).damaged")
        try store.write { database in
          try database.run(
            """
            INSERT OR IGNORE INTO recovery(path, name, program, seconds, holds, size, folder)
            VALUES('', ?, 'program', ?, '', 0, ?)
            """, [.text(name), .real(WallClock.seconds), .text("\(folder).damaged")])
        }
      }
    }
    if try Files.list(all, passingOver: { _ in }).isEmpty { try Files.removeEmptyDirectory(all) }
  }

  private func entry(_ folder: String) throws {
    let place = Files.joined(folder, "document.json")
    let description = try OpenFile(readingRegular: place)
    let bytes = try description.readToEnd(limits: .standard)
    let object = try locating(Location(file: place)) { try JSONParser.parse(bytes).object }
    // Programs of the earliest versions hold the lock of the description.
    let isInUse =
      object?["lock"]?.string.map { ProgramLock.isHeld($0, in: store.dataFolder) }
      ?? !description.tryShare()
    if isInUse { return }
    let contents = Files.joined(folder, "contents.particles")
    if let status = try Files.status(contents) {
      let path = object?["path"]?.string ?? ""
      let name = Files.lastComponent(of: folder).split(separator: "-").last.map(String.init) ?? ""
      let isKnown = try store.read { database in
        try database.integer(
          "SELECT 1 FROM recovery WHERE path = ? AND name = ?", [.text(path), .text(name)]) != nil
      }
      if isKnown != true {
        var root = try Container(contentsOf: contents).root
        // The contents of a document that is one file.
        if let only = root.children, only.count == 1, only[0].name == "contents" {
          root = only[0].node
        }
        let journal = try RecoveryJournal(
          of: path, in: store.dataFolder, named: name, program: object?["program"]?.string,
          seconds: status.state.modified)
        let held = object?["holds"]?.array?.compactMap(\.string) ?? []
        try journal.keep(
          root, madeOf: object?["base"]?.string, holding: held.filter { !$0.contains(" ") },
          durably: true)
      }
    }
    try Files.removeAll(folder)
  }
}
