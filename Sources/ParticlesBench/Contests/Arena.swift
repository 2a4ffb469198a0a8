internal import ParticlesCore

/// The scratch folders of the contests on a shape: its files, and the packages made from them.
final class Arena {
  let shape: Shape
  let tool: String

  private let folder: String
  /// A folder on a disk, for synchronised saves; nil where none is measured.
  private let disk: String?
  private var sourceDigest = ""
  private(set) var fileCount = 0

  init(_ shape: Shape, in scratch: Scratch, disk: Scratch?, tool: String) throws {
    self.shape = shape
    self.tool = tool
    folder = Files.joined(scratch.path, shape.rawValue)
    self.disk = disk.map { Files.joined($0.path, shape.rawValue) }
    try Files.makeDirectory(folder)
    if let disk = self.disk { try Files.makeDirectory(disk) }
    for name in ["archives", "saves"] { try Files.makeDirectory(path(name)) }
    try writeSource()
    sourceDigest = try digest(of: source)
  }

  func path(_ name: String) -> String { Files.joined(folder, name) }

  /// The folder for the saves of an operation.
  func saves(_ operation: Operation) -> String {
    operation == .appendSynced ? disk ?? path("saves") : path("saves")
  }

  /// The files that are packed.
  var source: String { path("source") }

  /// The folder that packages are unpacked to.
  var output: String { path("output") }

  private func writeSource() throws {
    var made: Set<String> = []
    func makeFolder(_ path: String) throws {
      guard path != folder, made.insert(path).inserted else { return }
      try makeFolder(Files.folder(of: path))
      try Files.makeDirectory(path)
    }
    try shape.forEachFile { generated in
      try Interruption.check()
      let path = Files.joined(source, generated.path)
      try makeFolder(Files.folder(of: path))
      let file = try OpenFile(creating: path)
      try generated.forEachPiece { try $0.withUnsafeBytes(file.write) }
      fileCount += 1
    }
  }

  // MARK: Programs

  /// The process that a recipe describes.
  func process(
    _ recipe: Peer.Recipe, archive: String, folder: String = "", insideOf place: String? = nil
  ) -> ChildProcess {
    let words = Peer.words(
      of: recipe.command,
      [
        "tool": tool, "archive": archive, "folder": folder, "entry": shape.entry,
        "copy": path("saves/copy"), "document": path("document.particles"),
        "effect": path("effect.sks"),
      ])
    return ChildProcess(words: words, folder: recipe.isInside ? place ?? folder : nil)
  }

  /// The path of a peer's package, which is packed now if it does not exist.
  func archive(of peer: Peer) throws -> String {
    let path = archivePath(of: peer)
    if try Files.status(path) == nil, let recipe = peer.recipes[.pack] {
      _ = try process(recipe, archive: path, folder: source).run()
    }
    return path
  }

  func archivePath(of peer: Peer) -> String { path("archives/package.\(peer.fileExtension)") }

  // MARK: Checks

  /// Throws unless a folder or package holds the same tree as the source.
  func expectSource(in path: String) throws {
    guard try digest(of: path) == sourceDigest else {
      throw ChildProcess.Failure(text: "the tree in '\(path)' is not the one that was packed")
    }
  }

  private func digest(of path: String) throws -> String {
    // Another process, so that the memory of this one stays small.
    let output = try ChildProcess(words: [tool, "digest", path]).output()
    return String(decoding: output.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}

extension Files {
  /// Removes a file or folder if it exists.
  static func clear(_ path: String) throws {
    if try status(path, followingLinks: false) != nil { try removeAll(path) }
  }
}
