internal import ParticlesCore

/// Reads a directory of the file system; sibling folders are read by several threads.
final class TreeReader: Sendable {
  private let limits: Limits
  /// The totals of all threads so far.
  private let found = Lock((entries: 0, bytes: 0))

  private init(_ limits: Limits) { self.limits = limits }

  /// Reads the tree at a path. A symbolic link at the path is followed, those in the tree are not.
  static func read(_ path: String, limits: Limits) throws -> FileNode {
    try TreeReader(limits).read(FolderReader(path), entry: "", depth: 0, inThreads: true)
  }

  private func read(
    _ folder: FolderReader, entry: String, depth: Int, inThreads: Bool
  ) throws -> FileNode {
    let names = try folder.names()
    if names.isEmpty { return .emptyDirectory }
    try limits.check(depth + 1, \.depth, "components of a path", at: Location(file: folder.path))
    try add(entries: names.count, at: folder.path)
    @Sendable func path(_ name: String) -> String {
      Files.joined(entry, UnicodeForms.composed(name))
    }
    // A folder is worth a thread, a file is not.
    var nodes = try names.map { try leaf($0, in: folder, entry: path($0)) }
    let folders = nodes.indices.filter { nodes[$0] == nil }
    let split = inThreads && folders.count > 1
    let read = Lock<[Int: FileNode]>([:])
    try Parallel.forEach(
      folders.count, threads: split ? Parallel.defaultThreads : 1, state: {}
    ) { number, _ in
      let index = folders[number]
      let node = try self.read(
        FolderReader(names[index], in: folder), entry: path(names[index]), depth: depth + 1,
        inThreads: inThreads && !split)
      read.withLock { $0[index] = node }
    }
    read.withLock { for (index, node) in $0 { nodes[index] = node } }
    var children: [FileNode.Child] = []
    children.reserveCapacity(names.count)
    for case (let name, let node?) in zip(names, nodes) {
      let composed = UnicodeForms.composed(name)
      try locating(Location(file: Files.joined(folder.path, name))) {
        try EntryPath.check(name: composed)
        if entry.utf8.count + 1 + composed.utf8.count > EntryPath.pathLimit {
          throw EntryPath.tooLong(Array(path(name).utf8))
        }
      }
      children.append(FileNode.Child(name: composed, node: node))
    }
    return try locating(Location(file: folder.path)) {
      FileNode(storage: .directory(try FileNode.Directory(children)))
    }
  }

  private func add(entries: Int = 0, bytes: Int = 0, at path: @autoclosure () -> String) throws {
    let found = found.withLock { found in
      found.entries += entries
      found.bytes += bytes
      return found
    }
    try limits.check(found.entries, \.entries, "entries", at: Location(file: path()))
    try limits.check(
      found.bytes, \.totalBytes, "bytes of all entries", at: Location(file: path()))
  }

  /// Reads a file or link; returns nil for a folder.
  private func leaf(
    _ name: String, in folder: FolderReader, entry: @autoclosure () -> String
  ) throws -> FileNode? {
    func location() -> Location { Location(file: Files.joined(folder.path, name)) }
    guard let status = try folder.status(name) else {
      throw Diagnostic(.fileChanged, at: location(), "it was removed")
    }
    switch status.kind {
    case .directory:
      return nil
    case .symbolicLink:
      let destination = try folder.destination(ofLink: name)
      try locating(location()) { try EntryPath.check(link: destination, from: entry()) }
      return FileNode(symbolicLinkWithDestination: destination)
    case .file:
      try limits.check(status.size, \.entryBytes, "bytes of an entry", at: location())
      try add(bytes: status.size, at: Files.joined(folder.path, name))
      let file = FoundFile(
        folder: folder.path, name: name, size: status.size, state: status.state)
      return FileNode(
        regularFileWithContents: FileContents(size: status.size, of: file),
        isExecutable: status.isExecutable)
    case .other:
      throw Diagnostic(.special, at: location())
    }
  }
}
