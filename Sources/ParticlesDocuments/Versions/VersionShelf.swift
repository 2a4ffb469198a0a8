internal import ParticlesContainer
internal import ParticlesCore

/// The versions of one document: a list, of which each line has a checksum, and their contents.
struct VersionShelf: Sendable {
  let folder: String

  init(_ folder: String) { self.folder = folder }

  var objects: ObjectStore {
    ObjectStore(
      folder: Files.joined(folder, "objects"),
      pool: Files.joined(Files.folder(of: folder), "objects"))
  }

  private var list: String { Files.joined(folder, "versions.jsonl") }
  private var identity: String { Files.joined(folder, "document.json") }
  var trail: String { Files.joined(folder, "undo.json") }
  private var end: String { Files.joined(folder, "ended") }

  /// Runs `body` while no other program changes the list.
  func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    let path = Files.joined(folder, "lock")
    if try Files.status(path) == nil { try? Files.create(path, []) }
    let file = try OpenFile(updating: path)
    _ = try file.lock()
    defer { file.unlock() }
    return try body()
  }

  // MARK: Identity

  /// The document when it was last saved; nil if that is not known.
  func document() -> Identity? {
    guard let object = (try? Files.read(identity)).flatMap({ try? JSONParser.parse($0).object })
    else { return nil }
    return Identity(
      path: object["path"]?.string, file: object["file"]?.string, born: object["born"]?.string)
  }

  /// Where a document is, and which file it is.
  struct Identity: Hashable {
    /// The absolute path.
    var path: String?
    /// The device and the number of the file there. Numbers of deleted files are used again.
    var file: String?
    /// When the file was created; nil if the file system does not keep that.
    var born: String?

    init(path: String?, file: String?, born: String?) {
      (self.path, self.file, self.born) = (path, file, born)
    }

    init(_ path: String) throws {
      self.path = try VersionStore.absolute(path)
      file = try Files.status(path)?.state.identity.description
      born = file == nil ? nil : Files.birth(of: path)
    }

    /// Whether it is certain that both are the same file.
    func isSameFile(as other: Identity) -> Bool {
      file != nil && born != nil && file == other.file && born == other.born
    }
  }

  /// Remembers the path and the identity of the document.
  func identify(_ path: String) throws {
    let (old, new) = (document(), try Identity(path))
    if old == new { return }
    var object: JSONObject = [:]
    object["path"] = new.path.map(JSONValue.string)
    object["file"] = new.file.map(JSONValue.string)
    object["born"] = new.born.map(JSONValue.string)
    try replace(identity, JSONValue.object(object).bytes)
    let links = Files.joined(Files.folder(of: folder), "by-file")
    if let known = old?.file, known != new.file, !known.contains("/") {
      try? Files.removeAll(Files.joined(links, known))
    }
    guard let file = new.file else { return }
    try Files.makeDirectories(links)
    try replace(Files.joined(links, file), Array(Files.lastComponent(of: folder).utf8))
  }

  /// Whether the document was deleted by one of our programs.
  var hasEnded: Bool {
    get throws { try Files.status(end) != nil }
  }

  /// Notes that the document was deleted; or that it is there again.
  func mark(ended hasEnded: Bool) throws {
    if hasEnded { try replace(end, []) } else { try Files.removeAll(end) }
  }

  /// Whether files are those of the newest version that the document was saved as.
  func isLastState(_ tree: FileNode, limits: Limits) throws -> Bool {
    guard let last = try versions().last(where: \.isSavedState) else { return false }
    return try StoredTree.matches(tree, last.tree, in: objects, limits: limits)
  }

  /// Replaces a small file, without waiting for the disk.
  func replace(_ path: String, _ bytes: [UInt8]) throws {
    let temporary = Files.temporaryName(beside: path)
    try Files.create(temporary, bytes)
    try Files.rename(temporary, path)
  }

  // MARK: List

  /// The versions, the oldest first. Lines that are damaged, as an interrupted write leaves them, do not
  /// count.
  func versions() throws -> [DocumentVersion] {
    guard try Files.status(list) != nil else { return [] }
    let text = String(decoding: try Files.read(list, limits: .none), as: UTF8.self)
    return text.split(separator: "\n").compactMap(Self.version)
  }

  private static func version(_ line: Substring) -> DocumentVersion? {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, String(CRC32.checksum(parts[1].utf8), radix: 16) == parts[0],
      let json = try? JSONParser.parse(Array(parts[1].utf8))
    else { return nil }
    return DocumentVersion(json)
  }

  private static func line(_ version: DocumentVersion) -> String {
    let text = version.json.denseText
    return "\(String(CRC32.checksum(text.utf8), radix: 16)) \(text)\n"
  }

  func append(_ version: DocumentVersion, durably isDurable: Bool) throws {
    if try Files.status(list) == nil { try Files.create(list, []) }
    let file = try OpenFile(updating: list)
    let size = try file.status().size
    // After a line that was cut off, the new one begins on a line of its own.
    let text = (size > 0 ? "\n" : "") + Self.line(version)
    try Array(text.utf8).withUnsafeBytes { try file.write($0, at: size) }
    if isDurable { try file.synchronize() }
  }

  /// Removes versions from the list; their contents stay until ``collect()``.
  func remove(_ numbers: Set<Int>) throws {
    let rest = try versions().filter { !numbers.contains($0.number) }
    try replace(list, Array(rest.map(Self.line).joined().utf8))
  }

  // MARK: Room

  /// Removes contents that nothing needs.
  func collect() throws {
    var needed: Set<String> = []
    needed.formUnion(EditTrail(self).objects)
    for listing in try versions().map(\.tree) {
      needed.formUnion((try? StoredTree.objects(of: listing, in: objects)) ?? [listing])
    }
    for object in try objects.all() where !needed.contains(object.digest) {
      try objects.remove(object.digest)
    }
  }

  /// Removes the versions that the limits do not keep, and returns their number.
  @discardableResult
  func prune(_ limits: VersionLimits, now: Double) throws -> Int {
    let all = try versions()
    var dropped = limits.superfluous(all, now: now)
    try remove(dropped)
    try collect()
    var room = try objects.all().reduce(0) { $0 + $1.size }
    // The oldest first; the newest stays.
    for version in all.dropLast()
    where room > limits.bytes && version.isDiscardable && !dropped.contains(version.number) {
      try remove([version.number])
      try collect()
      dropped.insert(version.number)
      room = try objects.all().reduce(0) { $0 + $1.size }
    }
    return dropped.count
  }
}
