internal import ParticlesContainer
internal import ParticlesCore

/// The versions of one document: a list, of which each line has a checksum, and their contents.
struct VersionShelf: Sendable {
  let folder: String
  let objects: ObjectStore

  init(_ folder: String) {
    self.folder = folder
    objects = ObjectStore(
      folder: Files.joined(folder, "objects"),
      pool: Files.joined(Files.folder(of: folder), "objects"),
      pack: ObjectPack(Files.joined(folder, "objects.pack")))
  }

  private var list: String { Files.joined(folder, "versions.jsonl") }
  private var identity: String { Files.joined(folder, "document.json") }
  var trail: String { Files.joined(folder, "undo.json") }
  private var end: String { Files.joined(folder, "ended") }
  private var missing: String { Files.joined(folder, "missing") }
  private var lastNumber: String { Files.joined(folder, "number") }

  /// Runs `body` while no other program changes the shelf.
  /// - Parameter deadline: until when to wait for other programs.
  /// - Returns: nil if the folder was renamed or removed meanwhile; nothing was done then.
  func whileLocked<Result>(
    until deadline: Deadline = .standard, _ body: () throws -> Result
  ) throws -> Result? {
    let path = Files.joined(folder, "lock")
    let file: OpenFile
    do {
      if try Files.status(path) == nil { try? Files.create(path, []) }
      file = try OpenFile(updatingRegular: path)
    } catch Rule.fileNotFound where (try? Files.status(folder)) == .some(nil) {
      return nil
    }
    _ = try file.lock(until: deadline)
    defer { file.unlock() }
    guard try Files.status(path)?.state.identity == file.status().state.identity else { return nil }
    return try body()
  }

  // MARK: Identity

  /// The document when it was last saved; nil if that is not known.
  func document() -> Identity? {
    guard let bytes = try? Files.readRegular(identity),
      let object = (try? JSONParser.parse(bytes))?.object
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
  /// - Returns: whether another file is at the path than the one that was known.
  @discardableResult
  func identify(_ path: String) throws -> Bool {
    let (old, new) = (document(), try Identity(path))
    if old == new { return false }
    var object: JSONObject = [:]
    object["path"] = new.path.map(JSONValue.string)
    object["file"] = new.file.map(JSONValue.string)
    object["born"] = new.born.map(JSONValue.string)
    try Self.replace(identity, JSONValue.object(object).bytes)
    let links = Files.joined(Files.folder(of: folder), "by-file")
    if let known = old?.file, known != new.file, !known.contains("/") {
      try? Files.removeAll(Files.joined(links, known))
    }
    guard let file = new.file else { return false }
    try Files.makeDirectories(links)
    try Self.replace(Files.joined(links, file), Array(Files.lastComponent(of: folder).utf8))
    return old?.file != nil && old?.path == new.path
  }

  /// Whether the document was deleted by one of our programs.
  var hasEnded: Bool {
    get throws { try Files.status(end) != nil }
  }

  /// Notes that the document was deleted; or that it is there again.
  func mark(ended hasEnded: Bool) throws {
    if hasEnded { try Self.replace(end, []) } else { try Files.removeAll(end) }
  }

  /// Since when the document has been gone, in seconds since 1970; nil if it is there. For a document that
  /// another program has deleted, the time is counted from the first call that finds it missing.
  /// - Parameter isNoting: whether that time is written down.
  func goneTime(now: Double, noting isNoting: Bool = false) throws -> Double? {
    if let setAside = Self.setAsideTime(Files.lastComponent(of: folder)) { return setAside }
    if let end = try Files.status(end) { return end.state.modified }
    guard let path = document()?.path else {
      // Without versions, it is what an interrupted first edit has left; with some, it is damaged.
      return try versions().isEmpty ? Files.status(folder)?.state.modified : nil
    }
    let known = try Files.status(missing)
    if try Files.status(path, followingLinks: false) != nil {
      if isNoting, known != nil { try Files.removeAll(missing) }
      return nil
    }
    if isNoting, known == nil { try Self.replace(missing, []) }
    return known?.state.modified ?? now
  }

  /// When the versions of a document were set aside, because another one got its path: the number in the
  /// name of the folder; nil for others.
  private static func setAsideTime(_ name: String) -> Double? {
    let parts = name.split(separator: "-")
    return parts.count > 1 ? Double(parts[1]) : nil
  }

  /// Whether files are those of the newest version that the document was saved as.
  func isLastState(_ tree: FileNode, limits: Limits) throws -> Bool {
    guard let last = try versions().last(where: \.isSavedState) else { return false }
    return try StoredTree.matches(tree, last.tree, in: objects, limits: limits)
  }

  /// Replaces a small file, without waiting for the disk.
  static func replace(_ path: String, _ bytes: [UInt8]) throws {
    let temporary = Files.temporaryName(beside: path)
    try Files.create(temporary, bytes)
    do {
      try Files.rename(temporary, path)
    } catch {
      try? Files.removeAll(temporary)
      throw error
    }
  }

  // MARK: List

  /// A line of the list.
  private struct Line {
    var text: Substring
    var version: DocumentVersion?
    /// Whether it is what an interrupted write has left: no version was kept.
    var isTorn: Bool { version == nil && text.utf8.last != UInt8(ascii: "}") }
  }

  private func lines() throws -> [Line] {
    let bytes = try reporting { try Files.readRegular(list, limits: .none) } ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      Line(text: $0, version: Self.version($0))
    }
  }

  /// The versions, the oldest first. Lines that are damaged do not count.
  /// - Throws: ``ParticlesCore/Rule/fileStore`` if the list cannot be read at all.
  func versions() throws -> [DocumentVersion] { try lines().compactMap(\.version) }

  /// Damage in the lists of versions and edits.
  func faults() -> [Diagnostic] {
    var faults: [Diagnostic] = []
    do {
      for (index, line) in try lines().enumerated() where line.version == nil && !line.isTorn {
        faults.append(
          Diagnostic(.fileStore, at: Location(file: list), "line \(index + 1) of the list"))
      }
    } catch {
      faults.append(fault(error, list))
    }
    do { _ = try EditTrail(self) } catch { faults.append(fault(error, trail)) }
    return faults
  }

  /// An error as a diagnostic.
  private func fault(_ error: any Error, _ path: String) -> Diagnostic {
    error as? Diagnostic ?? Diagnostic(.fileStore, at: Location(file: path), "\(error)")
  }

  /// Runs `body`, which reads a list. Anything else in the place of the list is damage.
  func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let fault as Diagnostic where fault.rule == .fileUnreadable && fault.found != nil {
      throw Diagnostic(
        .fileStore, at: fault.location, expected: fault.expected, found: fault.found)
    }
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
    let file = try OpenFile(updatingRegular: list)
    let size = try file.status().size
    // After a line that was cut off, the new one begins on a line of its own.
    let text = (size > 0 ? "\n" : "") + Self.line(version)
    do {
      try Array(text.utf8).withUnsafeBytes { try file.write($0, at: size) }
      if isDurable { try file.synchronize() }
    } catch {
      try? file.truncate(to: size)
      throw error
    }
  }

  /// The number of the next version, which no version has had.
  func nextNumber(after versions: [DocumentVersion]) throws -> Int {
    let deleted = try Files.readRegular(lastNumber).flatMap { bytes in
      Int(String(decoding: bytes, as: UTF8.self))
    }
    return max(versions.map(\.number).max() ?? 0, deleted ?? 0) + 1
  }

  /// Removes versions from the list; their contents stay until ``collect()``.
  /// - Parameter isDropping: whether damaged lines are removed, too.
  func remove(_ numbers: Set<Int>, damaged isDropping: Bool = false) throws {
    let versions = try versions()
    if let last = versions.map(\.number).max(), numbers.contains(last) {
      try Self.replace(lastNumber, Array("\(last)".utf8))
    }
    let rest = try lines().filter { line in
      line.version.map { !numbers.contains($0.number) } ?? (!line.isTorn && !isDropping)
    }
    try Self.replace(list, Array(rest.map { "\($0.text)\n" }.joined().utf8))
  }

  /// Removes a list that something else is in the place of.
  func removeUnreadableLists() throws {
    if (try? lines()) == nil { try Files.removeAll(list) }
    if (try? EditTrail(self)) == nil { try Files.removeAll(trail) }
  }
}
