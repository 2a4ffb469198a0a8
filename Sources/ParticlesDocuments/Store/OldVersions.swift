internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesDatabase
internal import ParticlesSystem

/// Reads the folder of a document in which earlier versions of this program kept its versions and edits: "Folders of earlier
/// versions" in `Spec/documents.md`.
final class OldVersions {
  let folder: String
  private var records: [String: (stored: Range<Int>, size: Int)]?
  private var pack: [UInt8] = []

  init(_ folder: String) { self.folder = folder }

  private func path(_ name: String) -> String { Files.joined(folder, name) }

  /// Runs `body` while no program of an earlier version changes the folder.
  func whileLocked(_ body: () throws -> Void) throws {
    if try Files.status(path("lock")) == nil { try? Files.create(path("lock"), []) }
    let file = try OpenFile(updatingRegular: path("lock"))
    _ = try file.lock()
    defer { file.unlock() }
    // Another program may have taken it over meanwhile.
    guard try Files.status(path("lock"))?.state.identity == file.status().state.identity else {
      return
    }
    try body()
  }

  // MARK: Lists

  private func object(_ name: String) throws -> JSONObject? {
    try Files.readRegular(path(name), limits: .none).flatMap { try? JSONParser.parse($0).object }
  }

  /// The path of the document when it was last saved, and which file it was.
  func document() throws -> (path: String?, identity: DocumentRow.Identity) {
    let object = try object("document.json")
    return (
      object?["path"]?.string,
      DocumentRow.Identity(file: object?["file"]?.string, born: object?["born"]?.string)
    )
  }

  private func lines() throws -> [(version: DocumentVersion?, isTorn: Bool)] {
    let bytes = try Files.readRegular(path("versions.jsonl"), limits: .none) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      var version: DocumentVersion?
      if parts.count == 2,
        String(CRC32.checksum(parts[1]), radix: 16) == String(decoding: parts[0], as: UTF8.self)
      {
        version = (try? JSONParser.parse(Array(parts[1])).object).flatMap(
          DocumentVersion.init(old:))
      }
      // An interrupted write has left it: no version was kept.
      return (version, version == nil && line.last != UInt8(ascii: "}"))
    }
  }

  /// The versions, the oldest first. Damaged lines are left out.
  func versions() throws -> [DocumentVersion] { try lines().compactMap(\.version) }

  /// The edits. None if their list is damaged.
  func trail() throws -> RecentEdits { try readTrail() ?? RecentEdits() }

  private func readTrail() throws -> RecentEdits? {
    guard try Files.status(path("undo.json")) != nil else { return RecentEdits() }
    guard let object = try object("undo.json"), let position = object["position"]?.int,
      let list = object["steps"]?.array, (0...list.count).contains(position)
    else { return nil }
    let steps = list.compactMap { step -> RecentEdits.Step? in
      guard let name = step.object?["name"]?.string, let changes = step.object?["changes"] else {
        return nil
      }
      return RecentEdits.Step(id: 0, name: name, changes: changes.denseText)
    }
    return steps.count == list.count ? RecentEdits(steps: steps, position: position) : nil
  }

  /// Whether all lists can be read.
  func isSound() throws -> Bool {
    try lines().allSatisfy { $0.version != nil || $0.isTorn } && readTrail() != nil
  }

  /// The greatest number of a version that was deleted, or 0 if unknown.
  func lastNumber() throws -> Int {
    try Files.readRegular(path("number")).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  /// The time of a file, in seconds since 1970. Nil without the file.
  func time(_ name: String) throws -> Double? { try Files.status(path(name))?.state.modified }

  /// When the versions were set aside, because another document got the path: the number in the name of the folder.
  var setAside: Double? {
    let parts = Files.lastComponent(of: folder).split(separator: "-")
    return parts.count > 1 ? Double(parts[1]) : nil
  }

  // MARK: Contents

  /// Contents, or nil if they are missing or damaged.
  func bytes(_ digest: String) -> [UInt8]? {
    guard let bytes = try? contents(digest)?.bytes(), SHA256.digest(bytes).description == digest
    else { return nil }
    return bytes
  }

  /// Contents without a check of their digest, or nil if there are none.
  func contents(_ digest: String) -> FileContents? {
    guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else { return nil }
    if records == nil { records = readPack() }
    if let record = records?[digest] {
      return StoredContentRows.unpacked(pack[record.stored], size: record.size)
        .map { FileContents($0) }
    }
    let place = path("objects/\(digest.prefix(2))/\(digest.dropFirst(2))")
    guard (try? Files.regularSize(place)) ?? nil != nil else { return nil }
    return try? Container(contentsOf: place, limits: .none).root["contents"]?.contents
  }

  /// The records of small contents: a header of 48 bytes, and the stored bytes. Other bytes are passed over.
  private func readPack() -> [String: (stored: Range<Int>, size: Int)] {
    pack = (try? Files.readRegular(path("objects.pack"), limits: .none)) ?? []
    var found: [String: (stored: Range<Int>, size: Int)] = [:]
    var position = 0
    while position + 48 <= pack.count {
      let header = pack[position..<position + 48]
      var (stored, size, checksum) = (0, 0, 0)
      header.withUnsafeBytes { header in
        func number(_ offset: Int) -> Int {
          Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        (stored, size, checksum) = (number(4), number(8), number(44))
      }
      let start = position + 48
      guard header.starts(with: [0x89, 0x6F, 0x62, 0x6A]), stored <= size, size <= 1 << 20,
        checksum == Int(CRC32.checksum(header.prefix(44))), stored <= pack.count - start
      else {
        position = pack[(position + 1)...].firstIndex(of: 0x89) ?? pack.count
        continue
      }
      let digest = header.dropFirst(12).prefix(32).withUnsafeBytes { $0.hexDigits }
      found[digest] = (start..<start + stored, size)
      position = start + stored
    }
    return found
  }
}

extension DocumentVersion {
  /// Nil if a member is missing.
  fileprivate init?(old object: JSONObject) {
    guard let number = object["number"]?.int,
      let kind = object["kind"]?.string.flatMap(Kind.init), let tree = object["tree"]?.string,
      StoredContentRows.key(tree) != nil, let seconds = object["seconds"]?.double,
      let size = object["size"]?.int
    else { return nil }
    self.init(
      number: number, kind: kind, seconds: seconds, comment: object["comment"]?.string,
      size: size, tree: tree, program: object["program"]?.string ?? "",
      host: object["host"]?.string ?? "")
  }
}

/// Takes over the contents that earlier versions of this program kept in folders beside the store, each folder once:
/// `particles/versions` and `particles/recovery`. A folder is removed when its contents have reached the disk.
struct Takeover {
  private let store: UserStore
  private let folder: String

  init(_ store: UserStore) {
    self.store = store
    folder = Files.joined(store.dataFolder, "particles/versions")
  }

  // MARK: Versions

  /// Takes over the document that was at a path, and the document whose file is there now.
  /// - Throws: the first fault of a folder that cannot be read, or errors of the store.
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

  /// Adds contents. Missing or damaged contents are skipped.
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
