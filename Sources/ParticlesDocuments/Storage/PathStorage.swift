public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
internal import ParticlesSystem

/// A document at a path: a flat package, a directory package, or a plain file.
///
/// It follows its file through renames by other programs. All storages of a process for one file share their state.
/// See ``shared(_:creating:)``. Between calls a storage needs no descriptor. The system keeps a file that was read as
/// long as its contents are in use, even after it was replaced or deleted.
public final class PathStorage: DocumentStorage {
  private struct State: Sendable {
    var path: String
    var revision = 0
    /// The package. Nil for a plain file, and before anything was read or written.
    var container: Container?
    /// A plain file, as it was read or written.
    var file: PlainFile?
    /// Follows the file through renames.
    var follower: Follower?
    var contents: FileNode?
    /// The form of the last package at the path.
    var form: Container.Form?
    /// The state of the contents of another program that will be replaced.
    var foreign: FileState?
  }

  /// The state of a plain file.
  private struct PlainFile: Sendable {
    var state: FileState
    var digest: ContentDigest
  }

  private let state: Lock<State>
  /// The path alone, available during a write.
  private let present: Lock<String>

  /// The form of a new package. Existing packages keep their form.
  public let form: Container.Form

  /// Creates the storage of a path. Nothing is read.
  /// - Parameters:
  ///   - path: the path of a file or folder, which need not exist. A symbolic link is followed.
  ///   - form: the form of a package that is created.
  public init(_ path: String, creating form: Container.Form = .flat) {
    state = Lock(State(path: path))
    present = Lock(path)
    self.form = form
  }

  /// The current path.
  public var path: String? { place }

  private var place: String { present.withLock(\.self) }

  /// Creates the storage of an open package at a path, without reading it again.
  package convenience init(_ path: String, opened container: Container) {
    self.init(path)
    state.withLock { state in
      (state.container, state.contents, state.revision) = (container, container.root, 1)
    }
  }

  // MARK: Sharing

  private struct Weak: Sendable { weak var storage: PathStorage? }

  private static let open = Lock<[FileIdentity: Weak]>([:])

  /// Returns the storage that this process has for the file at a path, or a new one.
  public static func shared(_ path: String, creating form: Container.Form = .flat) -> PathStorage {
    let identity = (try? Files.status(path))??.state.identity
    return open.withLock { open in
      if open.count > 64, open.count & (open.count - 1) == 0 {
        open = open.filter { $0.value.storage != nil }
      }
      if let identity, let known = open[identity]?.storage,
        (try? VersionStore.absolute(known.place)) == (try? VersionStore.absolute(path))
      {
        return known
      }
      let new = PathStorage(path, creating: form)
      if let identity { open[identity] = Weak(storage: new) }
      return new
    }
  }

  /// Follows the file that is at the path now.
  private func follow(_ state: inout State) throws {
    let old = state.follower
    guard let identity = try Files.status(state.path)?.state.identity else { return }
    // Files in a folder may have been replaced.
    if let old, old.identity == identity, old.path != nil { return }
    state.follower = try Follower(state.path)
    Self.open.withLock { open in
      if let old, old.identity != identity { open[old.identity] = nil }
      if open[identity]?.storage == nil { open[identity] = Weak(storage: self) }
    }
  }

  // MARK: Reading

  /// Reads the contents. They are not read again while the file does not change.
  public func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    try state.withLock { state in
      if let contents = state.contents, condition(&state) == .unchanged {
        return StoredContents(contents, revision: state.revision)
      }
      progress(0, 1)
      let status = try SafeSave.status(of: state.path)
      guard let status else { throw Diagnostic(.fileNotFound, at: Location(file: state.path)) }
      let isFlat = try status.kind == .file && Self.isFlatPackage(state.path)
      if isFlat || status.kind == .directory {
        let container = try Container(contentsOf: state.path, limits: limits)
        (state.container, state.file, state.contents) = (container, nil, container.root)
        state.form = container.form
      } else {
        let file = try OpenFile(readingAtOnce: state.path)
        let before = try file.status()
        let bytes = try Self.bytes(of: file, before.size, limits, progress)
        guard try file.status().state == before.state else {
          throw Diagnostic(.fileChanged, at: Location(file: state.path))
        }
        state.container = nil
        state.file = PlainFile(state: before.state, digest: SHA256.digest(bytes))
        state.contents = FileNode(
          regularFileWithContents: bytes, isExecutable: status.isExecutable)
      }
      state.revision += 1
      try follow(&state)
      state.container?.rest()
      return StoredContents(state.contents ?? .emptyDirectory, revision: state.revision)
    }
  }

  /// Reads a file of about `size` bytes.
  private static func bytes(
    of file: OpenFile, _ size: Int, _ limits: Limits, _ progress: DocumentProgress.Report
  ) throws -> [UInt8] {
    try limits.check(size, \.fileBytes, "bytes to be read", at: Location(file: file.path))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while true {
      try Task.checkCancellation()
      let piece = try file.readPiece(1 << 20)
      if piece.isEmpty { return bytes }
      bytes += piece
      try limits.check(
        bytes.count, \.fileBytes, "bytes to be read", at: Location(file: file.path))
      progress(bytes.count, max(size, bytes.count))
    }
  }

  /// The undecoded contents at the path, or nil if there is nothing.
  func present(limits: Limits) throws -> FileNode? {
    try state.withLock { state in
      guard let status = try SafeSave.status(of: state.path) else { return nil }
      state.foreign = status.state
      if status.kind == .directory {
        return try FileNode(readingDirectory: state.path, limits: limits)
      }
      let file = try OpenFile(readingAtOnce: state.path)
      let bytes = try Self.bytes(of: file, status.size, limits, { _, _ in })
      return FileNode(regularFileWithContents: bytes, isExecutable: status.isExecutable)
    }
  }

  private static func isFlatPackage(_ path: String) throws -> Bool {
    try ByteSource.file(path).isFlatPackage
  }

  /// Remembers the contents, so that another time of the file is no change.
  func remember() throws { try state.withLock { try $0.container?.rememberContents() } }

  // MARK: Writing

  /// Writes the contents in the form of the file that is there.
  public func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    try state.withLock { state in
      var stored = StoredContents(contents, revision: state.revision + 1)
      if options.isOverwriting {
        try overwrite(contents, &state, options)
      } else if revision == nil {
        try create(contents, &state, options)
      } else {
        guard revision == state.revision else {
          throw Diagnostic(.fileChanged, at: Location(file: state.path))
        }
        (stored.mode, stored.diagnostics) = try replace(contents, &state, options)
      }
      state.revision += 1
      try follow(&state)
      state.container?.rest()
      if let contents = state.contents { stored.contents = contents }
      return stored
    }
  }

  /// Checks whether the file can be written where it is.
  public func check(_ options: StorageOptions) throws {
    try state.withLock { state in
      if let container = state.container {
        _ = try SavePlan(state.path, of: container, options)
      } else {
        try check(file: state.path, options)
      }
    }
  }

  private func check(file path: String, _ options: StorageOptions) throws {
    let place = try Files.target(of: path)
    guard let status = try Files.status(place) else { return }
    guard !status.isReadOnly || options.isForced else {
      throw Diagnostic(.fileReadOnly, at: Location(file: path))
    }
    guard Files.canCreate(in: Files.folder(of: place)) else {
      throw SavePlan.unwritable(Files.folder(of: place))
    }
  }

  private func create(
    _ contents: FileNode, _ state: inout State, _ options: StorageOptions
  ) throws {
    let path = state.path
    try options.writeBeside(path, else: .fileExists) { try Files.status(path) == nil }
    if contents.isDirectory {
      var container = Container(root: contents)
      try container.save(to: path, as: state.form ?? form, options: Self.packing(options))
      (state.container, state.file, state.contents) = (container, nil, container.root)
      state.form = container.form
    } else {
      try write(file: contents, &state, replacing: false, options)
    }
  }

  /// Replaces contents of another program, if they are as ``present(limits:)`` has seen them.
  private func overwrite(
    _ contents: FileNode, _ state: inout State, _ options: StorageOptions
  ) throws {
    let path = state.path
    guard let status = try SafeSave.status(of: path) else {
      return try create(contents, &state, options)
    }
    let isFolder = contents.isDirectory && (state.form ?? form) == .directory
    guard isFolder == (status.kind == .directory) else {
      throw Diagnostic(
        .fileExists, at: Location(file: path), "it is \(isFolder ? "a file" : "a folder")")
    }
    let confirm = SafeSave.unchanged(path, since: state.foreign)
    guard contents.isDirectory else {
      state.file = nil
      return try write(file: contents, &state, replacing: true, options, confirm: confirm)
    }
    try check(file: path, options)
    var container = Container(root: contents)
    try container.save(
      to: path, as: state.form ?? form, replacing: true, options: Self.packing(options),
      confirm: {
        try confirm()
        try options.beside?()
      })
    (state.container, state.file, state.contents) = (container, nil, container.root)
    state.form = container.form
  }

  private func replace(
    _ contents: FileNode, _ state: inout State, _ options: StorageOptions
  ) throws -> (SaveMode?, [Diagnostic]) {
    guard var container = state.container else {
      try write(file: contents, &state, replacing: true, options)
      return (nil, [])
    }
    guard contents.isDirectory else { throw FileNode.notDirectory }
    try options.writeBeside(state.path, else: .fileChanged) { container.isUnchanged }
    container.root = contents
    let plan = try SavePlan(state.path, of: container, options)
    let mode = try container.save(
      mode: plan.mode, work: WorkOptions(progress: options.progress),
      synchronizing: options.isDurable,
      until: options.deadline ?? Deadline(seconds: options.timeout))
    state.container = container
    state.contents = container.root
    return (mode, try plan.changesOfFile())
  }

  private func write(
    file node: FileNode, _ state: inout State, replacing: Bool, _ options: StorageOptions,
    confirm: () throws -> Void = {}
  ) throws {
    let path = state.path
    guard let bytes = try node.regularFileContents() else { throw FileNode.notDirectory }
    if replacing { try check(file: path, options) }
    try Task.checkCancellation()
    let known = state.file
    let written = try SafeSave.file(
      path, replacing: replacing, executable: node.isExecutable,
      until: options.deadline ?? Deadline(seconds: options.timeout),
      { file in
        try bytes.withUnsafeBytes { bytes in
          for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            try Task.checkCancellation()
            let end = min(start + 1 << 20, bytes.count)
            try file.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            options.progress(end, bytes.count)
          }
        }
        file.noteCompletion()
        return file
      },
      confirm: {
        try confirm()
        if let known, try !Self.isSame(known, path) {
          throw Diagnostic(.fileChanged, at: Location(file: path))
        }
        if replacing { try options.beside?() }
      })
    state.container = nil
    state.file = PlainFile(
      state: try written.completed ?? written.status().state, digest: SHA256.digest(bytes))
    state.contents = node
  }

  private static func packing(_ options: StorageOptions) -> PackingOptions {
    PackingOptions(reusesBlocks: true, work: WorkOptions(progress: options.progress))
  }

  // MARK: Looking

  /// Compares the file with the last read or written contents.
  public func inspect() -> StorageCondition { state.withLock { condition(&$0) } }

  private func condition(_ state: inout State) -> StorageCondition {
    let status = try? Files.status(state.path)
    let followed = state.follower?.identity
    if status == nil || status?.state.identity != followed,
      let path = state.follower?.path, path != state.path,
      // A save renames the replaced file to a hidden `.tmp` name, and then deletes it.
      !Files.lastComponent(of: path).hasPrefix(".") || !path.hasSuffix(".tmp"),
      // A document that was moved to the trash is gone from where it was, and is not saved there.
      !Trash.holds(path)
    {
      return .moved(to: path)
    }
    guard status != nil else { return .missing }
    if let file = state.file {
      return (try? Self.isSame(file, state.path)) == true ? .unchanged : .changed
    }
    guard let container = state.container else { return .changed }
    return container.isUnchanged ? .unchanged : .changed
  }

  /// Whether the bytes of a plain file are unchanged. Its time may be too coarse, or differ without a change.
  private static func isSame(_ file: PlainFile, _ path: String) throws -> Bool {
    guard let now = try Files.status(path), now.kind == .file else { return false }
    if now.state == file.state { return true }
    return SHA256.digest(try Files.read(path, limits: .none)) == file.digest
  }

  /// Changes the path, after another program has moved the file.
  func relocate(to path: String) throws {
    try state.withLock { state in
      state.path = path
      present.withLock { $0 = path }
      guard let container = state.container else { return }
      state.container = try container.relocated(to: path)
      state.contents = state.container?.root
    }
  }

  // MARK: Places

  /// Renames the file. Never overwrites.
  public func move(to path: String) throws {
    let old = place
    guard try Files.status(old) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: old))
    }
    try Files.moveExclusively(old, path)
    try relocate(to: path)
  }

  /// Deletes the file or folder.
  public func delete() throws { try Files.removeAll(place) }
}

extension FileNode {
  /// The fault of contents whose kind differs from the file at the path.
  static var notDirectory: Diagnostic {
    Diagnostic(.parent, "contents that are a package cannot become a plain file, nor the reverse")
  }
}

/// Renaming and copying of documents. Nothing that exists is overwritten.
extension Files {
  /// Moves a file or folder. On another file system it is copied, the copy is compared, and the original
  /// is removed.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if there is something at the new path.
  static func moveExclusively(_ old: String, _ new: String) throws {
    let folder = Files.folder(of: new)
    guard let target = try status(folder) else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: new), hint: "create the folder '\(folder)' first")
    }
    // A link itself is moved, not its target.
    let source = try status(old, followingLinks: false)
    if source?.kind == .symbolicLink { return try moveLink(old, new) }
    if source?.state.identity.device == target.state.identity.device {
      return try renameExclusively(old, new)
    }
    try copyExclusively(old, new, keepingTimes: true)
    try removeAll(old)
  }

  /// Moves a symbolic link. A relative link that moves to another folder gets a new text, so that its target stays.
  private static func moveLink(_ old: String, _ new: String) throws {
    let destination = try destination(ofLink: old)
    let (from, to) = (try resolve(folder(of: old)), try resolve(folder(of: new)))
    let isRenamed = try status(from)?.state.identity.device == status(to)?.state.identity.device
    if isRenamed, from == to || destination.hasPrefix("/") {
      return try renameExclusively(old, new)
    }
    var text = destination
    if !destination.hasPrefix("/") {
      // Without the links in the names of folders, `..` is the folder that it looks like.
      let place = joined(from, destination)
      text = relativePath(joined(try resolve(folder(of: place)), lastComponent(of: place)), in: to)
    }
    do {
      try makeLink(new, to: text)
    } catch Rule.fileExists {
      throw Diagnostic(.fileExists, at: Location(file: new))
    }
    do {
      try removeAll(old)
    } catch {
      try? removeAll(new)
      throw error
    }
  }

  /// An absolute path, relative to an absolute folder. Both have no links and no `..` in their folders.
  private static func relativePath(_ path: String, in folder: String) -> String {
    let (names, base) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(names.dropLast(), base).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: base.count - common)
    return (up + names[common...].map(String.init)).joined(separator: "/")
  }

  /// Copies a document to a path where nothing is, and compares the copy. It gets its name when it is complete, with
  /// the permissions of the document, and with its owner and extended attributes as far as that is permitted.
  /// - Parameter keepsTimes: whether the times of the last changes are kept.
  static func copyExclusively(
    _ old: String, _ new: String, keepingTimes keepsTimes: Bool = false
  ) throws {
    SafeSave.removeLeftovers(inFolder: folder(of: new))
    if try status(old)?.kind == .directory {
      return try copyDirectory(old, new, keepingTimes: keepsTimes)
    }
    let source = try OpenFile(readingRegular: old)
    let status = try source.status()
    func fill(_ copy: OpenFile) throws {
      try copy.write(0..<status.size, of: source, at: 0)
      guard try source.hasBytes(of: copy, status.size), try source.status().state == status.state
      else { throw Diagnostic(.fileChanged, at: Location(file: old)) }
      try copy.succeed(source, keepingTime: keepsTimes)
    }
    if let copy = OpenFile(unnamedFor: new, mode: 0o600) {
      // Checked again when it gets its name.
      guard try Files.status(new, followingLinks: false) == nil else {
        throw Diagnostic(.fileExists, at: Location(file: new))
      }
      try fill(copy)
      if try copy.link() { return }
    }
    try SafeSave.file(new, replacing: false, private: true, fill)
  }

  private static func copyDirectory(
    _ old: String, _ new: String, keepingTimes keepsTimes: Bool
  ) throws {
    let tree = try FileNode(readingDirectory: old)
    try tree.write(toDirectory: new) { temporary in
      guard try FileNode(readingDirectory: temporary).matchesContents(of: tree) else {
        throw Diagnostic(.fileUnwritable, at: Location(file: new), "the copy differs")
      }
      // Names in a tree are composed.
      try FolderReader(temporary, writing: true).succeed(
        FolderReader(old), keepingTimes: keepsTimes, naming: UnicodeForms.composed)
    }
  }
}

extension OpenFile {
  /// The number of bytes that are compared at once.
  private static let piece = 1 << 20

  /// Whether another file has equal bytes. Holds two pieces in memory at a time.
  fileprivate func hasBytes(of other: OpenFile, _ size: Int) throws -> Bool {
    guard try other.status().size == size else { return false }
    for start in stride(from: 0, to: size, by: Self.piece) {
      let count = min(Self.piece, size - start)
      guard try bytes(at: start, count) == other.bytes(at: start, count) else { return false }
    }
    return true
  }

  private func bytes(at offset: Int, _ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      initialized = count
    }
  }
}

/// Finds a file or folder again after another program has renamed it, without a descriptor.
///
/// A folder is found by files in it: the system tells the path of a file that is kept, not of a folder.
struct Follower: Sendable {
  /// The identity of the file or folder.
  let identity: FileIdentity

  /// Files that are kept, with their paths in the folder. The path is empty for the file itself.
  private let kept: [(file: OpenFile, entry: String)]

  /// How many files of a folder are kept: more than one, because another program may replace a file.
  private static let limit = 2

  /// How many folders without files are kept open.
  private static let folderLimit = 16

  private struct Weak: Sendable { weak var file: OpenFile? }

  private static let folders = Lock<[Weak]>([])

  /// - Returns: nil if there is nothing at the path.
  init?(_ path: String) throws {
    guard let status = try Files.status(path) else { return nil }
    identity = status.state.identity
    guard status.kind == .directory else {
      // A file that cannot be opened cannot be followed. It is found by its path.
      kept = ((try? OpenFile.following(path)).map { [($0, "")] } ?? [])
      for (file, _) in kept { file.park() }
      return
    }
    var files: [(OpenFile, String)] = []
    for entry in Self.entries(of: path) where files.count < Self.limit {
      guard let file = try? OpenFile.following(Files.joined(path, entry)) else { continue }
      file.park()
      if file.isParked { files.append((file, entry)) }
    }
    if files.isEmpty, let folder = Self.folder(path) { files = [(folder, "")] }
    kept = files
  }

  /// Regular files in a folder: files that are rarely replaced come first.
  private static func entries(of path: String) -> [String] {
    let names = ((try? Files.list(path, passingOver: { _ in })) ?? []).prefix(1000)
    var (files, folders): ([String], [String]) = ([], [])
    for name in names where !name.hasPrefix(".") {
      switch (try? Files.status(Files.joined(path, name), followingLinks: false))??.kind {
      case .file: files.append(name)
      case .directory where folders.count < 4: folders.append(name)
      default: break
      }
      if files.count > limit { break }
    }
    for folder in folders where files.count <= limit {
      let inner = Files.joined(path, folder)
      files += ((try? Files.list(inner, passingOver: { _ in })) ?? []).prefix(limit).filter {
        (try? Files.status(Files.joined(inner, $0), followingLinks: false))??.kind == .file
      }.map { Files.joined(folder, $0) }
    }
    let document = EffectPackage.documentPath
    return files.filter { $0 != document } + files.filter { $0 == document }
  }

  private static func folder(_ path: String) -> OpenFile? {
    folders.withLock { folders in
      folders.removeAll { $0.file == nil }
      guard folders.count < folderLimit, let folder = try? OpenFile.following(path) else {
        return nil
      }
      folders.append(Weak(file: folder))
      return folder
    }
  }

  /// The current path. Nil if the file was deleted, or cannot be found.
  var path: String? {
    for (file, entry) in kept {
      guard var path = file.currentPath else { continue }
      if !entry.isEmpty {
        guard path.hasSuffix("/\(entry)") else { continue }
        path.removeLast(entry.count + 1)
      }
      if (try? Files.status(path))??.state.identity == identity { return path }
    }
    return nil
  }
}
