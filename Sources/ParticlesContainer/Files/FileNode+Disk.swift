public import ParticlesCore
internal import Synchronization

extension FileNode {
  /// Reads a directory of the file system: names and kinds now, contents when asked for.
  ///
  /// Links are kept as links and never followed. Names are taken in normalisation form C. A file
  /// that is changed before its contents are read makes reading them throw
  /// ``ParticlesCore/Rule/fileChanged``.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `tree`, `file` or `limit`;
  ///   ``ParticlesCore/Rule/special`` if there is a device, socket or pipe.
  public init(readingDirectory path: String, limits: Limits = .standard) throws {
    self = try Self.reading(directory: path, limits: limits).node
  }

  /// Reads a directory, and tells in what state everything in it was found.
  static func reading(
    directory path: String, limits: Limits
  ) throws -> (node: FileNode, states: [String: FileStatus]) {
    let budget = Budget(limits: limits)
    let node = try Self.directory(path, entry: "", depth: 0, budget, inThreads: true)
    return (node, budget.states)
  }

  /// What has been found so far, by any thread.
  private final class Budget: Sendable {
    let limits: Limits
    private let found = Mutex((entries: 0, bytes: 0))
    private let stateOfEntry = Mutex<[String: FileStatus]>([:])

    init(limits: Limits) { self.limits = limits }

    /// The state of each entry by its path.
    var states: [String: FileStatus] { stateOfEntry.withLock(\.self) }

    func record(_ status: FileStatus, of entry: String) {
      stateOfEntry.withLock { $0[entry] = status }
    }

    func add(entries: Int = 0, bytes: Int = 0, at path: String) throws {
      let found = found.withLock { found in
        found.entries += entries
        found.bytes += bytes
        return found
      }
      try limits.check(found.entries, \.entries, "entries", at: Location(file: path))
      try limits.check(
        found.bytes, \.totalBytes, "bytes of all entries", at: Location(file: path))
    }
  }

  private static func directory(
    _ path: String, entry: String, depth: Int, _ budget: Budget, inThreads: Bool
  ) throws -> FileNode {
    try budget.limits.check(
      depth, \.depth, "components of a path", at: Location(file: path))
    let names = try Files.list(path)
    try budget.add(entries: names.count, at: path)
    let nodes = Mutex([FileNode?](repeating: nil, count: names.count))
    // Looking at files one by one is quick; folders are worth a thread each.
    var folders: [Int] = []
    for (index, name) in names.enumerated() {
      let childPath = Files.joined(path, name)
      let childEntry = entry.isEmpty ? name : "\(entry)/\(name)"
      if let node = try leaf(childPath, entry: childEntry, budget) {
        nodes.withLock { $0[index] = node }
      } else {
        folders.append(index)
      }
    }
    let split = inThreads && folders.count > 1
    try Parallel.forEach(
      folders.count, threads: split ? Parallel.defaultThreads : 1, state: {}
    ) { [folders] number, _ in
      let index = folders[number]
      let name = names[index]
      let node = try Self.directory(
        Files.joined(path, name), entry: entry.isEmpty ? name : "\(entry)/\(name)",
        depth: depth + 1, budget, inThreads: inThreads && !split)
      nodes.withLock { $0[index] = node }
    }
    var directory = Directory()
    for (name, node) in zip(names, nodes.withLock(\.self)) {
      guard let node else { continue }
      try locating(Location(file: Files.joined(path, name))) {
        try directory.insert(node, named: name)
      }
    }
    return FileNode(storage: .directory(directory))
  }

  /// Anything but a folder, for which it returns nil.
  private static func leaf(_ path: String, entry: String, _ budget: Budget) throws -> FileNode? {
    guard let status = try Files.status(path, followingLinks: false) else {
      throw Diagnostic(.fileChanged, at: Location(file: path), "it is gone")
    }
    budget.record(status, of: entry)
    switch status.kind {
    case .directory:
      return nil
    case .symbolicLink:
      let destination = try Files.destination(ofLink: path)
      try locating(Location(file: path)) { try EntryPath.check(link: destination, from: entry) }
      return FileNode(symbolicLinkWithDestination: destination)
    case .file:
      try budget.limits.check(
        status.size, \.entryBytes, "bytes of an entry", at: Location(file: path))
      try budget.add(bytes: status.size, at: path)
      return FileNode(
        regularFileWithContents: .file(path, status), isExecutable: status.isExecutable)
    case .other:
      throw Diagnostic(.special, at: Location(file: path))
    }
  }

  /// Writes this directory as a directory of the file system, whole or not at all.
  ///
  /// It is built beside its place under another name, and moved or swapped in when everything has
  /// reached the disk.
  /// - Parameters:
  ///   - path: where to; the folder that will hold it must exist.
  ///   - replacing: whether a directory that stands there may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk; if not, a loss of
  ///     power soon afterwards may leave a directory with files cut short.
  ///   - options: threads and progress.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`; the same faults
  ///   of names and links as writing the flat form; what reading the contents throws;
  ///   `CancellationError` if the current task is cancelled.
  public func write(
    toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    options: WorkOptions = WorkOptions()
  ) throws {
    guard isDirectory else {
      throw Diagnostic(.parent, "the root of a package has to be a directory")
    }
    try SafeSave.directory(path, replacing: replacing) { temporary in
      let folder = try FolderWriter(temporary)
      try TreeWriter(self).write(to: folder, options)
      if synchronizing { try folder.synchronize() }
    }
  }

  /// Writes what is in this directory below a folder, which may exist and hold other things.
  ///
  /// Folders on the way must be real ones: a symbolic link that stands there is never followed. What
  /// was written before an error stays, and the last file may be cut short.
  /// - Parameters:
  ///   - folder: the folder, which is made if it does not exist; the one that holds it must exist.
  ///   - replacing: whether files and links that are there may be replaced. Folders never are.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` and others of the family `file`;
  ///   ``ParticlesCore/Rule/link``; what reading the contents throws.
  public func extract(into folder: String, replacing: Bool = false) throws {
    if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
    let target = try FolderWriter(folder)
    try forEachDescendant { entry, node in
      let old = try target.status(entry)
      let location = Location(file: Files.joined(folder, entry))
      if case .directory = node.storage {
        guard let old else { return try target.makeDirectory(entry) }
        guard old.kind == .directory else {
          throw Diagnostic(.fileExists, at: location, "it is no folder")
        }
        return
      }
      guard let old else { return try Self.create(node, at: entry, in: target) }
      guard replacing, old.kind != .directory else { throw Diagnostic(.fileExists, at: location) }
      try target.replace(entry) { try Self.create(node, at: $0, in: target) }
    }
  }

  private static func create(_ node: FileNode, at entry: String, in folder: FolderWriter) throws {
    if let destination = node.symbolicLinkDestination {
      try EntryPath.check(link: destination, from: entry)
      try folder.makeLink(entry, to: destination)
    } else if let contents = node.contents {
      let file = try folder.createFile(entry, executable: node.isExecutable)
      try contents.forEachPiece { try file.write($0) }
    }
  }
}

extension FileContents {
  /// The contents of a file that has been found in a certain state.
  fileprivate static func file(_ path: String, _ status: FileStatus) -> FileContents {
    FileContents(size: status.size) { offset, buffer in
      let file = try OpenFile(reading: path)
      try file.read(at: offset, into: buffer)
      // In the state in which it was found, still: then it was so all the time.
      guard try file.status().isSameState(as: status) else {
        throw Diagnostic(.fileChanged, at: Location(file: path))
      }
    }
  }
}
