internal import ParticlesContainer
internal import ParticlesCore

/// Contents by their SHA-256 digests, compressed. Small ones are in one file; each large one is a file in a
/// folder. Equal large contents of several documents are stored once: their folders have hard links to one
/// file, of which the pool has another one.
struct ObjectStore: Sendable {
  /// The folder of the large contents of a document.
  let folder: String
  /// The folder of the large contents of all documents.
  let pool: String
  /// The small contents of the document.
  let pack: ObjectPack

  private func path(_ digest: String, in folder: String) -> String {
    Files.joined(folder, "\(digest.prefix(2))/\(digest.dropFirst(2))")
  }

  private func path(_ digest: String) -> String { path(digest, in: folder) }

  /// Whether there are contents. Their bytes are not looked at.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if something else is in the place of a file.
  func contains(_ digest: String) throws -> Bool {
    if try pack.contains(digest) { return true }
    return try Files.regularSize(path(digest)) != nil
  }

  /// Stores contents, piece by piece, and returns their digest. Compressed blocks of an open package are
  /// copied.
  /// - Parameter isList: whether it is a list of files, which no other document has.
  func add(
    _ contents: FileContents, isList: Bool = false, durably isDurable: Bool
  ) throws -> String {
    let (large, limit) =
      isList
      ? (ObjectPack.largestList, ObjectPack.largestList)
      : (ObjectPack.largestContents, ObjectPack.largestStored)
    if contents.size <= large {
      let bytes = try contents.bytes()
      let digest = SHA256.digest(bytes)
      // Damaged contents are stored again.
      if try isIntact(digest.description) { return digest.description }
      if let packed = ObjectPack.packed(bytes, limit: limit) {
        try pack.append(packed, size: bytes.count, digest, durably: isDurable)
        return digest.description
      }
      return try add(large: contents, digest.description, durably: isDurable)
    }
    var hash = SHA256()
    try contents.forEachPiece { hash.update($0) }
    return try add(large: contents, hash.finalize().description, durably: isDurable)
  }

  /// Whether there are contents with all their bytes; of large ones, whether there is a file.
  private func isIntact(_ digest: String) throws -> Bool {
    do {
      if try pack.bytes(digest) != nil { return true }
    } catch Rule.fileVersion {
      return false
    }
    return try Files.regularSize(path(digest)) != nil
  }

  private func add(
    large contents: FileContents, _ digest: String, durably isDurable: Bool
  ) throws -> String {
    let (path, shared) = (path(digest), path(digest, in: pool))
    if try Files.regularSize(path) != nil { return digest }
    try Files.makeDirectories(Files.folder(of: path))
    if isShared(digest, contents.size), (try? Files.share(shared, as: path)) != nil {
      return digest
    }
    try write(contents, to: path, durably: isDurable)
    // Without hard links, each document has contents of its own.
    try? Files.makeDirectories(Files.folder(of: shared))
    if (try? Files.regularSize(shared)) != nil { try? Files.removeAll(shared) }
    try? Files.share(path, as: shared)
    return digest
  }

  /// Whether the pool has contents, with all their bytes.
  private func isShared(_ digest: String, _ size: Int) -> Bool {
    let shared = path(digest, in: pool)
    guard (try? Files.regularSize(shared)) != nil,
      let root = try? Container(contentsOf: shared, limits: .none).root,
      let contents = root[PackedObject.name]?.contents, contents.size == size
    else { return false }
    var hash = SHA256()
    guard (try? contents.forEachPiece { hash.update($0) }) != nil else { return false }
    return hash.finalize().description == digest
  }

  private func write(
    _ contents: FileContents, to path: String, durably isDurable: Bool
  ) throws {
    let package = try PackedObject.package(contents)
    if isDurable {
      return try package.write(
        to: path, as: .flat, replacing: true, options: PackingOptions(reusesBlocks: true))
    }
    // Renamed when it is complete, so that a name never refers to a part of the contents.
    let temporary = Files.temporaryName(beside: path)
    let file = try OpenFile(creating: temporary, mode: 0o600)
    do {
      try package.encode(PackingOptions(reusesBlocks: true)) { try file.write($0) }
      try Files.rename(temporary, path)
    } catch {
      try? Files.removeAll(temporary)
      throw error
    }
  }

  /// Returns stored bytes, whose digest is compared.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing or damaged; ``ParticlesCore/Rule/limit``.
  func bytes(_ digest: String, limits: Limits = .standard) throws -> [UInt8] {
    let contents = try contents(digest, limits: limits)
    guard contents.size > Self.large else { return try contents.bytes() }
    if let size = try Files.regularSize(path(digest)) {
      try limits.check(size, \.fileBytes, "bytes of a file")
    }
    return try Self.compared(digest, at: path(digest)) { try contents.bytes() }
  }

  /// Returns the result of `read` if the digest of the bytes is this one.
  private static func compared(
    _ digest: String, at path: String, _ read: () throws -> [UInt8]
  ) throws -> [UInt8] {
    try readable(at: path) {
      let bytes = try read()
      return SHA256.digest(bytes).description == digest ? bytes : nil
    }
  }

  /// Returns the result of `read`; nil, and all faults but those of limits, are damage.
  private static func readable<Result>(
    at path: String, _ read: () throws -> Result?
  ) throws -> Result {
    do {
      if let result = try read() { return result }
    } catch let fault as Diagnostic where fault.rule == .limit {
      throw fault
    } catch {}
    throw Diagnostic(.fileVersion, at: Location(file: path), "its contents are damaged")
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 2 * ContentDigest.size && text.allSatisfy(\.isHexDigit)
  }

  /// Returns stored contents, which are read on access, also after the versions were moved or deleted: an open
  /// document needs them until it is saved. The digest of large ones is not compared; the checksums of their
  /// blocks are.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing.
  func contents(_ digest: String, limits: Limits) throws -> FileContents {
    if let contents = try pack.contents(digest) { return contents }
    let path = path(digest)
    guard Self.isDigest(digest), try Files.regularSize(path) != nil else {
      throw Diagnostic(.fileVersion, at: Location(file: path), "its contents are missing")
    }
    let contents = try Self.readable(at: path) {
      try Container(contentsOf: path, limits: limits).root[PackedObject.name]?.contents
    }
    if contents.size > Self.large { return contents }
    return FileContents(
      size: contents.size,
      whole: {
        try Self.compared(digest, at: path) { try contents.bytes() }
      })
  }

  /// The size from which contents are not read as a whole, but block by block.
  private static let large = 4 << 20

  /// Reads stored contents completely.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing or damaged.
  func verify(_ digest: String) throws {
    var hash = SHA256()
    try contents(digest, limits: .none).forEachPiece { hash.update($0) }
    guard hash.finalize().description == digest else {
      throw Diagnostic(.fileVersion, at: Location(file: path(digest)), "its contents are damaged")
    }
  }

  // MARK: Room

  /// The digests of all contents, and the room that each needs, in bytes.
  func all() throws -> [String: Int] {
    var sizes = Dictionary(uniqueKeysWithValues: try pack.all().map { ($0.digest, $0.size) })
    for object in try files() { sizes[object.digest] = object.size }
    return sizes
  }

  private func files() throws -> [(digest: String, size: Int)] {
    guard try Files.status(folder) != nil else { return [] }
    return try Files.list(folder).flatMap { first in
      guard first.utf8.count == 2 else { return [(String, Int)]() }
      return try Files.list(Files.joined(folder, first)).compactMap { rest in
        guard Self.isDigest(first + rest) else { return nil }
        return (first + rest, try Files.status(path(first + rest))?.size ?? 0)
      }
    }
  }

  /// Removes all other contents; from the pool, too, what no other document has.
  func keep(only needed: Set<String>) throws {
    try pack.keep(only: needed)
    for object in try files() where !needed.contains(object.digest) {
      try Files.removeAll(path(object.digest))
      let shared = path(object.digest, in: pool)
      // A document that links to it right now keeps its own name.
      if try Files.status(shared)?.links == 1 { try? Files.removeAll(shared) }
    }
  }
}

/// An object in the store: a flat package with one file, which is compressed and checked.
private enum PackedObject {
  static let name = "contents"

  static func package(_ contents: FileContents) throws -> Container {
    let node = FileNode(regularFileWithContents: contents)
    return Container(root: try FileNode(directoryWithFileNodes: [name: node]))
  }
}
