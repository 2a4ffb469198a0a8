internal import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

/// A place that has documents: folders of this machine, volumes, a server, a database of an application.
///
/// Paths belong to the provider: absolute, with `/` between names. Methods are called from any task, also concurrently,
/// and may wait. A document is opened by its file on this machine, see ``localFile(of:)``.
public protocol BrowserProvider: AnyObject, Sendable {
  /// The identifier, unique among the providers of a browser, such as `files`.
  var identifier: String { get }

  /// Whether it can be used now.
  var state: ProviderState { get }

  /// The folders that it begins with, in the order of lists.
  func roots() async throws -> [ProviderRoot]

  /// The entries of a folder, in any order. An entry that cannot be read has a ``ProviderEntry/problem``, and the
  /// listing goes on.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` and others of the family `file`.
  func entries(in folder: String) async throws -> ProviderFolder

  /// The entry at a path, or nil.
  func entry(at path: String) async throws -> ProviderEntry?

  /// The path on this machine of an entry's file or folder. Remote contents are fetched first. ``store(_:at:)`` gets
  /// later saves of that file.
  func localFile(of path: String) async throws -> String

  /// Stores a document after a save of its local file. The browser repeats the call after each save until it succeeds.
  /// The document has unsaved changes until then. Providers whose local files are their entries do nothing.
  /// - Parameters:
  ///   - file: the path on this machine, as ``localFile(of:)`` gave it.
  ///   - path: the path of the entry to replace.
  /// - Throws: errors of the family `file`, such as ``ParticlesCore/Rule/fileUnwritable``. The entry is as before then.
  func store(_ file: String, at path: String) async throws

  /// Adds a file or folder of this machine to a folder. Nothing is replaced.
  /// - Parameters:
  ///   - file: the path on this machine.
  ///   - folder: the path of the folder.
  ///   - name: the name in it.
  ///   - isMoving: whether the file leaves its place, after the copy was compared.
  /// - Returns: the new path.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if the name is in use, or others of the family `file`. Nothing is
  ///   added then, and the file stays.
  func add(
    _ file: String, to folder: String, named name: String, moving isMoving: Bool
  ) async throws -> String

  /// Moves or renames an entry, also from the trash. No entry is replaced.
  /// - Returns: the new path.
  /// - Throws: the errors of ``add(_:to:named:moving:)``. The entry stays then.
  func move(_ path: String, to folder: String, named name: String) async throws -> String

  /// Removes an entry.
  /// - Parameter isPermanent: whether it is deleted. Otherwise, it is kept where ``move(_:to:named:)`` finds it.
  /// - Returns: the path of the entry in the trash, or nil if it was deleted.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if there is no trash for it, or others of the family `file`.
  func remove(_ path: String, permanently isPermanent: Bool) async throws -> String?

  /// Calls `change` when something happens in a folder, or to the provider, until the result is released.
  /// - Parameter folder: the path of the folder, or nil for the provider itself.
  /// - Returns: an object that keeps the watch, or nil. Without a watch, the folder is listed at intervals.
  func watch(
    _ folder: String?, _ change: @escaping @Sendable (ProviderChange) -> Void
  ) async throws -> (any AnyObject & Sendable)?
}

/// Whether a provider can be used.
public enum ProviderState: Sendable, Hashable {
  /// It can.
  case available
  /// It is unavailable for now, for this reason, in words. Its open documents stay.
  case unavailable(String)
  /// It has gone: unsaved contents of its open documents go into the recovery journal.
  case gone
  /// It belongs to another user or machine now, with this identity. The browser lists it again and drops all earlier
  /// entries.
  case replaced(String)
}

/// A change at a provider.
public enum ProviderChange: Sendable, Hashable {
  /// Entries with these names were added, changed, renamed or removed. Nil if the names are not known.
  case entries(Set<String>?)
  /// Another state.
  case state(ProviderState)
  /// Other roots.
  case roots
}

/// A folder that a provider begins with.
public struct ProviderRoot: Sendable, Hashable {
  /// The kinds of such folders.
  public enum Kind: String, Sendable, CaseIterable {
    /// The user's home folder, and well-known ones in it.
    case home, desktop, documents, downloads, pictures, templates, publicShare
    /// A mounted volume.
    case volume
    /// A folder that was named when the browser was started.
    case folder
    /// A ZIP or tar archive.
    case archive
    /// A provider of an application.
    case other
  }

  /// The path.
  public var path: String
  /// The name to show.
  public var name: String
  /// The kind.
  public var kind: Kind

  /// Creates a root.
  public init(path: String, name: String, kind: Kind) {
    (self.path, self.name, self.kind) = (path, name, kind)
  }
}

/// The entries of a folder.
public struct ProviderFolder: Sendable {
  /// The entries.
  public var entries: [ProviderEntry]
  /// Whether entries can be added and removed.
  public var isWritable: Bool

  /// Creates a folder.
  public init(_ entries: [ProviderEntry], isWritable: Bool = true) {
    (self.entries, self.isWritable) = (entries, isWritable)
  }
}

/// An entry of a folder.
public struct ProviderEntry: Sendable, Hashable {
  /// The kinds of entries.
  public enum Kind: String, Sendable, CaseIterable {
    /// A file.
    case file
    /// A folder that is browsed.
    case folder
    /// A folder that is one document.
    case package
    /// A symbolic link that leads nowhere.
    case link
    /// A pipe, socket or device.
    case special
  }

  /// Where the contents of an entry are.
  public enum State: String, Sendable, CaseIterable {
    /// On this machine.
    case local
    /// The contents are elsewhere. Opening fetches them.
    case remote
    /// On this machine, and not stored by the provider yet.
    case pending
    /// Nowhere.
    case missing
  }

  /// The path.
  public var path: String
  /// The name.
  public var name: String
  /// The identity, which a rename keeps. Nil if the provider has none: the path then identifies the entry.
  public var identity: String?
  /// The kind. A symbolic link has the kind of its target.
  public var kind: Kind
  /// Whether it is a symbolic link.
  public var isLink = false
  /// The size of a file in bytes. Nil for other entries.
  public var size: Int?
  /// When it was changed, in seconds since 1970, or nil if unknown.
  public var modified: Double?
  /// When it was created, in seconds since 1970, or nil if unknown.
  public var created: Double?
  /// Whether its contents can be written.
  public var isWritable = true
  /// Where its contents are.
  public var state = State.local
  /// Why it cannot be read, or nil if no problem is known.
  public var problem: Diagnostic?

  /// Creates an entry.
  public init(path: String, name: String, kind: Kind, identity: String? = nil) {
    (self.path, self.name, self.kind, self.identity) = (path, name, kind, identity)
  }
}

/// The folders of this machine: named folders, and optionally the well-known folders of the user and the volumes.
///
/// Nothing outside these folders is read or changed, also not through symbolic links, and not by exchanging a folder
/// for a link at the right moment. Its threads make all calls relative to open folders, see ``places``.
public actor FolderProvider: BrowserProvider {
  private let queue: FileQueue
  /// Its own threads, on which it may wait for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// The identifier, `files` by default.
  public nonisolated let identifier: String
  /// Always available.
  public nonisolated var state: ProviderState { .available }

  private var folders: [String]
  private let hasUserFolders: Bool
  private let environment: BrowserEnvironment
  /// The trash that removed entries go to.
  nonisolated let trash: Trash
  private let versions: VersionStore?
  /// The roots, which its calls do not leave.
  nonisolated let places: Places
  /// The named folders without links, as they were when they were named.
  private var named: [String: String]
  /// The roots without links, for comparisons.
  private var resolved: [String]

  /// Creates a provider.
  /// - Parameters:
  ///   - folders: the paths of folders.
  ///   - hasUserFolders: whether the home folder, the folders of `user-dirs.dirs` and volumes are roots, too.
  ///   - identifier: the identifier.
  ///   - environment: the user's folders, trash and versions.
  public init(
    _ folders: [String], includingUserFolders hasUserFolders: Bool = false,
    identifier: String = "files", environment: BrowserEnvironment = BrowserEnvironment()
  ) {
    var named: [String: String] = [:]
    let paths = folders.map { folder in
      let place = try? Files.resolve(folder)
      named[place ?? folder] = place
      return place ?? folder
    }
    let roots = Self.roots(paths, hasUserFolders ? environment : nil)
    let real = roots.map { Self.place($0.path, named) }
    (self.folders, self.named, resolved) = (paths, named, real.map(\.real))
    self.hasUserFolders = hasUserFolders
    self.identifier = identifier
    self.environment = environment
    trash = Trash(environment: environment.variables)
    versions = environment.directories.dataHome.map { VersionStore(dataFolder: $0) }
    places = Places(own: environment.ownFolders)
    places.set(real)
    queue = FileQueue(within: places)
  }

  func addRoot(_ folder: String) {
    guard let place = Self.real(folder), !folders.contains(place) else { return }
    folders.append(place)
    named[place] = place
    _ = roots()
  }

  // MARK: Roots

  /// The named folders, the user's folders, and volumes.
  public func roots() -> [ProviderRoot] {
    let roots = Self.roots(folders, hasUserFolders ? environment : nil)
    // Folders that did not exist before.
    for folder in folders where named[folder] == nil { named[folder] = Self.real(folder) }
    let real = roots.map { Self.place($0.path, named) }
    resolved = real.map(\.real)
    places.set(real)
    return roots
  }

  /// - Parameter environment: the environment of the user whose folders are added, or nil.
  private static func roots(
    _ folders: [String], _ environment: BrowserEnvironment?
  ) -> [ProviderRoot] {
    var roots = folders.map {
      ProviderRoot(path: $0, name: Files.lastComponent(of: $0), kind: .folder)
    }
    if let environment { roots += UserFolders(environment).roots + volumes() }
    // By convention, the home folder again marks a folder that the user does not want.
    var seen: Set<String> = []
    return roots.filter { seen.insert($0.path).inserted }
  }

  /// A root with its path without links. A named folder that has become a link since is not followed.
  private static func place(
    _ path: String, _ named: [String: String]
  ) -> (path: String, real: String) {
    (path, named[path] ?? real(path) ?? path)
  }

  private static func real(_ path: String) -> String? {
    // It may be in no place yet.
    Places.run(within: nil) { try? Files.resolve(path) }
  }

  private static func volumes() -> [ProviderRoot] {
    MountPoint.all().filter(\.isVolume).map {
      ProviderRoot(path: $0.path, name: Files.lastComponent(of: $0.path), kind: .volume)
    }
  }

  /// Whether a path is in one of the roots when all links are resolved.
  func isInside(_ path: String, followingLinks: Bool = true) -> Bool {
    let resolved =
      followingLinks
      ? try? Files.resolve(path)
      : (try? Files.resolve(Files.folder(of: path))).map {
        Files.joined($0, Files.lastComponent(of: path))
      }
    guard let resolved else { return false }
    return self.resolved.contains { root in
      resolved == root || resolved.hasPrefix(root == "/" ? "/" : "\(root)/")
    }
  }

  private func check(_ path: String, followingLinks: Bool = true) throws {
    guard isInside(path, followingLinks: followingLinks) else {
      // From here, nothing can be seen outside.
      let found = Places.run(within: nil) { (try? Files.status(path)) ?? nil }
      throw found == nil
        ? Diagnostic(.fileNotFound, at: Location(file: path)) : Files.outside(path)
    }
  }

  // MARK: Reading

  /// The entries of a folder.
  public func entries(in folder: String) throws -> ProviderFolder {
    try check(folder)
    let listing = try FolderListing(folder)
    return ProviderFolder(
      listing.entries.map { ProviderEntry($0, in: folder) }, isWritable: listing.isWritable)
  }

  /// The entry at a path.
  public func entry(at path: String) throws -> ProviderEntry? {
    guard let (folder, bytes) = RawPath.split(path) else {
      guard isInside(path, followingLinks: false) else { return nil }
      return try FolderListing.entry(at: path).map { ProviderEntry($0, in: Files.folder(of: path)) }
    }
    try check(folder)
    return try FolderListing(folder).entries.first { $0.bytes == bytes }
      .map { ProviderEntry($0, in: folder) }
  }

  /// Nothing is to be done: the local file is the entry.
  public func store(_ file: String, at path: String) {}

  /// The path itself.
  public func localFile(of path: String) throws -> String {
    if RawPath.split(path) != nil {
      throw Diagnostic(
        .name, at: Location(file: path), expected: "UTF-8", hint: "give it another name")
    }
    try check(path)
    return path
  }

  /// Adds facts that take a system call for each entry: the time of creation, and whether it can be written.
  func refined(_ entry: ProviderEntry) -> ProviderEntry {
    var entry = entry
    entry.created = Files.created(entry.path)
    entry.isWritable =
      entry.kind == .file ? Files.isWritable(entry.path) : Files.canCreate(in: entry.path)
    return entry
  }

  func refined(_ entries: [ProviderEntry]) -> [ProviderEntry] { entries.map(refined) }

  // MARK: Changing

  /// Copies or moves a file of this machine into a folder.
  public func add(
    _ file: String, to folder: String, named name: String, moving isMoving: Bool
  ) throws -> String {
    try check(folder)
    let target = try Self.target(name, in: folder)
    guard try Files.status(file, followingLinks: false) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: file))
    }
    try Self.checkNotInside(file, target)
    if isMoving {
      try DocumentPlaces.move(file, to: target, versions: versions)
    } else {
      try DocumentPlaces.copy(file, to: target)
    }
    return target
  }

  /// Moves or renames an entry, or takes it out of the trash.
  public func move(_ path: String, to folder: String, named name: String) throws -> String {
    try check(folder)
    let target = try Self.target(name, in: folder)
    if let (old, bytes) = RawPath.split(path) {
      try check(old)
      try FolderReader(old).rename(bytes, to: name)
      guard old != folder else { return target }
      return try move(Files.joined(old, name), to: folder, named: name)
    }
    if let item = trash.item(at: path) {
      guard try Files.status(target, followingLinks: false) == nil else {
        throw Diagnostic(.fileExists, at: Location(file: target))
      }
      return try trash.restore(item, to: target)
    }
    try check(path, followingLinks: false)
    try Self.checkNotInside(path, target)
    if path == target { return target }
    do {
      try DocumentPlaces.move(path, to: target, versions: versions)
    } catch let fault as Diagnostic where fault.rule == .fileExists {
      // On a file system that does not distinguish case, both names may belong to one file.
      guard path.lowercased() == target.lowercased(),
        let old = try Files.status(path, followingLinks: false),
        try Files.status(target, followingLinks: false)?.state.isSameFile(as: old.state) == true
      else { throw fault }
      let between = Files.temporaryName(beside: target)
      try Files.renameExclusively(path, between)
      try Files.renameExclusively(between, target)
    }
    return target
  }

  /// Moves an entry to a path outside of the folders, from which it was moved into them. Nothing is replaced.
  func giveBack(_ path: String, to target: String) throws {
    try check(path, followingLinks: false)
    try DocumentPlaces.move(path, to: target, versions: versions)
  }

  /// Moves an entry to the trash of its volume, or deletes it.
  public func remove(_ path: String, permanently isPermanent: Bool) throws -> String? {
    var path = path
    if let (folder, bytes) = RawPath.split(path) {
      try check(folder)
      // The trash needs a name that can be written down.
      let name = try DocumentNames.free(
        beside: Files.joined(
          folder, bytes.escapingInvalidUTF8.split(separator: "\\").joined(separator: "_")))
      try FolderReader(folder).rename(bytes, to: Files.lastComponent(of: name))
      path = name
    } else if let item = trash.item(at: path) {
      guard isPermanent else { return path }
      try trash.delete(item)
      return nil
    }
    try check(path, followingLinks: false)
    guard isPermanent else { return try trash.put(path).path }
    try Files.removeAll(path)
    return nil
  }

  /// Watches a folder, or the volumes.
  public func watch(
    _ folder: String?, _ change: @escaping @Sendable (ProviderChange) -> Void
  ) throws -> (any AnyObject & Sendable)? {
    guard let folder else {
      guard hasUserFolders else { return nil }
      return try MountWatch { change(.roots) }
    }
    return try FolderWatch([folder], names: { change(.entries($0)) })
  }

  // MARK: Names

  private static func target(_ name: String, in folder: String) throws -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0)
    else {
      throw Diagnostic(
        .name, "'\(name)'", expected: "a name without folders", hint: "choose another name")
    }
    guard name.utf8.count <= 255 else {
      throw Diagnostic(
        .name, "'\(name.excerpt)…'", expected: "at most 255 bytes", hint: "choose another name")
    }
    return Files.joined(folder, name)
  }

  private static func checkNotInside(_ path: String, _ target: String) throws {
    guard try Files.status(path, followingLinks: false)?.kind == .directory else { return }
    let (place, folder) = (try Files.resolve(path), try Files.resolve(Files.folder(of: target)))
    guard "\(folder)/".hasPrefix("\(place)/") else { return }
    throw Diagnostic(
      .fileUnwritable, at: Location(file: target), "a folder cannot be in itself")
  }
}

extension ProviderEntry {
  init(_ entry: FolderListing.Entry, in folder: String) {
    let kind: Kind =
      switch entry.kind {
      case .file: .file
      case .folder: .folder
      case .package: .package
      case .link: .link
      case .special: .special
      }
    let path = Files.joined(folder, entry.bytes.map { RawPath.text($0) } ?? entry.name)
    self.init(path: path, name: entry.name, kind: kind, identity: entry.identity)
    isLink = entry.isLink
    size = entry.size
    modified = entry.modified
    problem = entry.problem
  }
}

extension RawPath {
  /// The folder and the bytes of a name that is not UTF-8. Nil for other names.
  fileprivate static func split(_ path: String) -> (folder: String, bytes: [UInt8])? {
    let name = Files.lastComponent(of: path)
    guard isRaw(name), let bytes = bytes(name) else { return nil }
    return (Files.folder(of: path), bytes)
  }
}

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
  /// Opened files, on this machine. They are removed with the provider.
  private let folder: TemporaryFolder
  private var files: [String: String] = [:]

  /// Reads the list of an archive.
  /// - Parameters:
  ///   - path: the path of the archive.
  ///   - limits: what reading may cost.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` if the file is no archive, and errors of damaged archives.
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
      // Copies of the file get these permissions. Here, the folder is private.
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
