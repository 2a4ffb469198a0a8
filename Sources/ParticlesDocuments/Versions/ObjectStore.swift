internal import ParticlesContainer
internal import ParticlesCore

/// Contents by their SHA-256 digests, compressed, in a folder. Equal contents are stored once, also those of
/// several documents: their folders have hard links to one file, of which the pool has another one.
struct ObjectStore: Sendable {
  /// The folder of the contents of a document.
  let folder: String
  /// The folder of the contents of all documents.
  let pool: String

  private func path(_ digest: String, in folder: String) -> String {
    Files.joined(folder, "\(digest.prefix(2))/\(digest.dropFirst(2))")
  }

  private func path(_ digest: String) -> String { path(digest, in: folder) }

  func contains(_ digest: String) -> Bool { (try? Files.status(path(digest))) != .some(nil) }

  /// Stores contents, piece by piece, and returns their digest. Compressed blocks of an open package are
  /// copied.
  func add(_ contents: FileContents, durably isDurable: Bool) throws -> String {
    var hash = SHA256()
    try contents.forEachPiece { hash.update($0) }
    let digest = hash.finalize().description
    let (path, shared) = (path(digest), path(digest, in: pool))
    if try Files.status(path) != nil { return digest }
    try Files.makeDirectories(Files.folder(of: path))
    if isIntact(digest, contents.size), (try? Files.share(shared, as: path)) != nil {
      return digest
    }
    try write(contents, to: path, durably: isDurable)
    // Without hard links, each document has contents of its own.
    try? Files.makeDirectories(Files.folder(of: shared))
    try? Files.removeAll(shared)
    try? Files.share(path, as: shared)
    return digest
  }

  /// Whether the pool has contents, with all their bytes.
  private func isIntact(_ digest: String, _ size: Int) -> Bool {
    let shared = path(digest, in: pool)
    guard (try? Files.status(shared)) != .some(nil),
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
    try package.encode(PackingOptions(reusesBlocks: true)) { try file.write($0) }
    try Files.rename(temporary, path)
  }

  /// Returns stored bytes.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are missing or damaged.
  func bytes(_ digest: String, limits: Limits = .standard) throws -> [UInt8] {
    let path = path(digest)
    func damaged(_ text: String) -> Diagnostic {
      Diagnostic(.fileVersion, at: Location(file: path), text)
    }
    guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit),
      let packed = try? Files.read(path, limits: limits)
    else { throw damaged("its contents are missing") }
    guard let bytes = try PackedObject.decode(packed, limits: limits),
      SHA256.digest(bytes).description == digest
    else { throw damaged("its contents are damaged") }
    return bytes
  }

  /// Returns stored contents, which are read on access. Their digest is not compared.
  func contents(_ digest: String, limits: Limits) throws -> FileContents {
    let path = path(digest)
    do {
      let root = try Container(contentsOf: path, limits: limits).root
      if let contents = root[PackedObject.name]?.contents { return contents }
    } catch let fault as Diagnostic where fault.rule == .limit {
      throw fault
    } catch {}
    throw Diagnostic(.fileVersion, at: Location(file: path), "its contents are damaged")
  }

  /// The digests and sizes of all objects.
  func all() throws -> [(digest: String, size: Int)] {
    guard try Files.status(folder) != nil else { return [] }
    return try Files.list(folder).flatMap { first in
      try Files.list(Files.joined(folder, first)).compactMap { rest in
        guard rest.utf8.count == 62, first.utf8.count == 2 else { return nil }
        return (first + rest, try Files.status(path(first + rest))?.size ?? 0)
      }
    }
  }

  /// Removes contents; from the pool, too, if no other document has them.
  func remove(_ digest: String) throws {
    try Files.removeAll(path(digest))
    let shared = path(digest, in: pool)
    // A document that links to it right now keeps its own name.
    if try Files.status(shared)?.links == 1 { try? Files.removeAll(shared) }
  }
}

/// An object in the store: a flat package with one file, which is compressed and checked.
private enum PackedObject {
  static let name = "contents"

  static func package(_ contents: FileContents) throws -> Container {
    let node = FileNode(regularFileWithContents: contents)
    return Container(root: try FileNode(directoryWithFileNodes: [name: node]))
  }

  static func decode(_ bytes: [UInt8], limits: Limits) throws -> [UInt8]? {
    do {
      return try Container(decoding: bytes, limits: limits).root[name]?.regularFileContents()
    } catch let fault as Diagnostic where fault.rule == .limit {
      throw fault
    } catch {
      return nil
    }
  }
}
