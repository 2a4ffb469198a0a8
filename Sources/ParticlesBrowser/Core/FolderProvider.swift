internal import ParticlesCore
internal import ParticlesDocuments

/// The folders of this machine: those that are named, and if wanted the well-known ones of the user and the volumes.
///
/// Nothing outside of them is read or changed, also not through symbolic links, and not by exchanging a folder for a
/// link at the right moment: the calls of its threads are made relative to folders that are open, see ``places``.
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

  /// Adds a folder to the roots.
  func addRoot(_ folder: String) {
    guard let place = Self.real(folder), !folders.contains(place) else { return }
    folders.append(place)
    named[place] = place
    _ = roots()
  }

  // MARK: Roots

  /// The named folders, those of the user, and volumes.
  public func roots() -> [ProviderRoot] {
    let roots = Self.roots(folders, hasUserFolders ? environment : nil)
    // Folders that did not exist before.
    for folder in folders where named[folder] == nil { named[folder] = Self.real(folder) }
    let real = roots.map { Self.place($0.path, named) }
    resolved = real.map(\.real)
    places.set(real)
    return roots
  }

  /// - Parameter environment: that of the user whose folders are roots, too.
  private static func roots(
    _ folders: [String], _ environment: BrowserEnvironment?
  ) -> [ProviderRoot] {
    var roots = folders.map {
      ProviderRoot(path: $0, name: Files.lastComponent(of: $0), kind: .folder)
    }
    if let environment { roots += UserFolders(environment).roots + volumes() }
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
      // On a file system that does not distinguish case, the other name may be that of the same file.
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
  /// The folder and the bytes of a name that is not UTF-8; nil for other names.
  fileprivate static func split(_ path: String) -> (folder: String, bytes: [UInt8])? {
    let name = Files.lastComponent(of: path)
    guard isRaw(name), let bytes = bytes(name) else { return nil }
    return (Files.folder(of: path), bytes)
  }
}
