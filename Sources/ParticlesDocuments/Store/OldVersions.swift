internal import ParticlesContainer
internal import ParticlesCore

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

  /// The edits; none if their list is damaged.
  func trail() throws -> EditTrail { try readTrail() ?? EditTrail() }

  private func readTrail() throws -> EditTrail? {
    guard try Files.status(path("undo.json")) != nil else { return EditTrail() }
    guard let object = try object("undo.json"), let position = object["position"]?.int,
      let list = object["steps"]?.array, (0...list.count).contains(position)
    else { return nil }
    let steps = list.compactMap { step -> EditTrail.Step? in
      guard let name = step.object?["name"]?.string, let changes = step.object?["changes"] else {
        return nil
      }
      return EditTrail.Step(id: 0, name: name, changes: changes.denseText)
    }
    return steps.count == list.count ? EditTrail(steps: steps, position: position) : nil
  }

  /// Whether all lists can be read.
  func isSound() throws -> Bool {
    try lines().allSatisfy { $0.version != nil || $0.isTorn } && readTrail() != nil
  }

  /// The greatest number of a version that was deleted; 0 if it is not known.
  func lastNumber() throws -> Int {
    try Files.readRegular(path("number")).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  /// The time of a file, in seconds since 1970; nil without the file.
  func time(_ name: String) throws -> Double? { try Files.status(path(name))?.state.modified }

  /// When the versions were set aside, because another document got the path: the number in the name of the folder.
  var setAside: Double? {
    let parts = Files.lastComponent(of: folder).split(separator: "-")
    return parts.count > 1 ? Double(parts[1]) : nil
  }

  // MARK: Contents

  /// Contents; nil if they are missing or damaged.
  func bytes(_ digest: String) -> [UInt8]? {
    guard let bytes = try? contents(digest)?.bytes(), SHA256.digest(bytes).description == digest
    else { return nil }
    return bytes
  }

  /// Contents, whose digest is not compared; nil if there are none.
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
