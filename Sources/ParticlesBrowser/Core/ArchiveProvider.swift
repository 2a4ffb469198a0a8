internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats

/// The files in a ZIP or tar archive, to be looked at and copied out. Nothing in it is changed.
public actor ArchiveProvider: BrowserProvider {
  private let queue = FileQueue()
  /// A thread of its own, on which it may wait for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// The identifier: `archive:` and the path.
  public nonisolated let identifier: String
  /// Always available: the archive was read.
  public nonisolated var state: ProviderState { .available }

  private let path: String
  private let tree: FileNode
  private let modified: Double?
  /// The files that were opened, on this machine; they end with the provider.
  private let folder: TemporaryFolder
  private var files: [String: String] = [:]

  /// Reads the list of an archive.
  /// - Parameters:
  ///   - path: the path of the archive.
  ///   - limits: what reading may cost.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` for another file; the errors of damaged archives.
  public init(_ path: String, limits: Limits = .standard) throws {
    let source = try ByteSource.file(path)
    let head = try OpenFile(readingRegular: path).readPiece(4096)
    let name = Files.lastComponent(of: path)
    let format = FormatRegistry.standard.formats.first { $0.isArchive && $0.recognise(head, name) }
    guard let format, case .files(let unpack, _) = format.content else {
      throw Diagnostic(.unknownFormat, at: Location(file: path), expected: "a ZIP or tar archive")
    }
    tree = try unpack(source, limits).root
    self.path = path
    identifier = Self.identifier(of: path)
    modified = try Files.status(path)?.state.modified
    folder = try TemporaryFolder()
  }

  /// The identifier of the provider of an archive.
  static func identifier(of path: String) -> String { "archive:\(path)" }

  /// Whether the archive is itself a document: a package with a `document.json`.
  package nonisolated var isDocument: Bool { tree["document.json"] != nil }

  /// The archive itself.
  public func roots() -> [ProviderRoot] {
    [ProviderRoot(path: "/", name: Files.lastComponent(of: path), kind: .archive)]
  }

  private func node(_ path: String) -> FileNode? {
    path == "/" ? tree : tree[String(path.dropFirst())]
  }

  private func entry(_ path: String, _ node: FileNode) -> ProviderEntry {
    let isPackage =
      node.isDirectory
      && (Files.pathExtension(of: path) == "particles" || node["document.json"] != nil)
    let kind: ProviderEntry.Kind =
      node.isSymbolicLink ? .link : isPackage ? .package : node.isDirectory ? .folder : .file
    var entry = ProviderEntry(
      path: path, name: path == "/" ? "/" : Files.lastComponent(of: path), kind: kind,
      identity: path)
    entry.size = node.contents?.size
    (entry.modified, entry.isWritable) = (modified, false)
    return entry
  }

  /// The entries of a folder in the archive.
  public func entries(in folder: String) throws -> ProviderFolder {
    guard let children = node(folder)?.children else {
      throw Diagnostic(.fileNotFound, at: Location(file: path, entry: folder))
    }
    return ProviderFolder(
      children.map { entry(Files.joined(folder, $0.name), $0.node) }, isWritable: false)
  }

  /// The entry at a path in the archive.
  public func entry(at path: String) -> ProviderEntry? { node(path).map { entry(path, $0) } }

  /// A copy on this machine.
  public func localFile(of path: String) throws -> String {
    if let known = files[path] { return known }
    guard let node = node(path), !node.isSymbolicLink else {
      throw Diagnostic(.fileNotFound, at: Location(file: self.path, entry: path))
    }
    // A folder for each, so that names stay as they are.
    let place = Files.joined(folder.path, "\(files.count)")
    try Files.makeDirectory(place, mode: 0o700)
    let file = Files.joined(place, Files.lastComponent(of: path))
    if let contents = node.contents {
      // A copy of it gets these permissions. Here, the folder is private.
      let new = try OpenFile(creating: file, mode: node.isExecutable ? 0o777 : 0o666)
      try contents.forEachPiece { try new.write(Array($0)) }
    } else {
      try node.write(toDirectory: file)
    }
    files[path] = file
    return file
  }

  private var readOnly: Diagnostic {
    Diagnostic(
      .fileReadOnly, at: Location(file: path), "files in archives are not changed",
      hint: "copy them to a folder first")
  }

  /// Refused. Its documents are only viewed.
  public func store(_ file: String, at path: String) throws { throw readOnly }

  /// Refused.
  public func add(
    _ file: String, to folder: String, named name: String, moving isMoving: Bool
  ) throws -> String { throw readOnly }

  /// Refused.
  public func move(_ path: String, to folder: String, named name: String) throws -> String {
    throw readOnly
  }

  /// Refused.
  public func remove(_ path: String, permanently isPermanent: Bool) throws -> String? {
    throw readOnly
  }

  /// Nothing changes in it.
  public func watch(
    _ folder: String?, _ change: @escaping @Sendable (ProviderChange) -> Void
  ) -> (any AnyObject & Sendable)? { folder == nil ? nil : FolderOfArchive() }
}

/// The watch of a folder that never changes, so that it is not read again.
private final class FolderOfArchive: Sendable {}
