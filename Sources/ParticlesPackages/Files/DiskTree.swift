internal import ParticlesCore
package import ParticlesContainer
internal import ParticlesSystem

/// Reads a directory of the file system. Several threads read sibling folders.
final class TreeReader: Sendable {
  private let limits: Limits
  /// A folder that is listed before it is renamed, and its path afterwards. Nil for a folder that stays.
  private let renaming: (from: String, to: String)?
  /// The totals of all threads so far.
  private let found = Lock((entries: 0, bytes: 0))

  private init(_ limits: Limits, renaming: (from: String, to: String)? = nil) {
    (self.limits, self.renaming) = (limits, renaming)
  }

  /// Reads the tree at a path. A symbolic link at the path is followed, but links in the tree are not.
  static func read(_ path: String, limits: Limits) throws(Failure) -> FileNode {
    try TreeReader(limits).read(FolderReader(path), entry: "", depth: 0, inThreads: true)
  }

  /// Reads the tree at a path that will be renamed. Its files are read from the new path.
  static func read(_ path: String, renamedTo new: String) throws(Failure) -> FileNode {
    try TreeReader(.none, renaming: (path, new))
      .read(FolderReader(path), entry: "", depth: 0, inThreads: true)
  }

  /// The path of a folder after the renaming.
  private func place(_ folder: String) -> String {
    guard let renaming else { return folder }
    let rest = folder.utf8.dropFirst(renaming.from.utf8.count)
    return renaming.to + String(decoding: rest, as: UTF8.self)
  }

  private func read(
    _ folder: FolderReader, entry: String, depth: Int, inThreads: Bool
  ) throws(Failure) -> FileNode {
    let names = try folder.names()
    if names.isEmpty { return .emptyDirectory }
    try limits.check(
      depth + 1, { $0.depth }, "components of a path", at: Location(file: folder.path))
    try add(entries: names.count, at: folder.path)
    @Sendable func path(_ name: String) -> String {
      Files.joined(entry, UnicodeForms.composed(name))
    }
    // A folder is worth a thread, a file is not.
    let place = place(folder.path)
    var nodes = try names.map { try leaf($0, in: folder, at: place, entry: path($0)) }
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

  private func add(entries: Int = 0, bytes: Int = 0, at path: @autoclosure () -> String)
    throws(Failure)
  {
    let found = found.withLock { found in
      found.entries += entries
      found.bytes += bytes
      return found
    }
    try limits.check(found.entries, { $0.entries }, "entries", at: Location(file: path()))
    try limits.check(
      found.bytes, { $0.totalBytes }, "bytes of all entries", at: Location(file: path()))
  }

  /// Reads a file or link. Returns nil for a folder.
  private func leaf(
    _ name: String, in folder: FolderReader, at place: String, entry: @autoclosure () -> String
  ) throws(Failure) -> FileNode? {
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
      try limits.check(status.size, { $0.entryBytes }, "bytes of an entry", at: location())
      try add(bytes: status.size, at: Files.joined(folder.path, name))
      let file = FoundFile(
        folder: place, name: name, size: status.size, state: status.state)
      return FileNode(
        regularFileWithContents: FileContents(size: status.size, of: file),
        isExecutable: status.isExecutable)
    case .other:
      throw Diagnostic(.special, at: location())
    }
  }
}

/// A file of the file system and its state when it was listed. Trees share it, so that they follow it when a save moves
/// or replaces it.
///
/// Not internal: of a subclass that is less visible than its superclass in another module, Swift 6.3 makes an
/// initializer that calls itself.
package final class FoundFile: ForeignContents, @unchecked Sendable {
  private enum Place: Sendable {
    /// In a folder, in the state in which it was found. Files of a folder share the folder's path.
    case folder(String, name: String)
    /// A copy at an offset of a temporary file.
    case spool(OpenFile, offset: Int)
  }

  private let size: Int
  private let found: Lock<(place: Place, state: FileState)>
  private let digest = Lock<ContentDigest?>(nil)
  /// The file itself, kept without a descriptor. It outlives its name.
  private let kept = Lock<OpenFile?>(nil)
  /// Whether the kept file had the remembered contents after it had lost its name.
  private let isVerified = Lock(false)

  init(folder: String, name: String, size: Int, state: FileState) {
    self.size = size
    found = Lock((.folder(folder, name: name), state))
  }

  var state: FileState { found.withLock { $0.state } }

  /// Fills `buffer` with the bytes from `offset` on.
  package override func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) {
    let (place, state) = found.withLock({ $0 })
    switch place {
    case .spool(let file, let start): try file.read(at: start + offset, into: buffer)
    case .folder(let folder, let name):
      let path = Files.joined(folder, name)
      let kept = kept.withLock({ $0 })
      if let kept, try Files.status(path, followingLinks: false)?.state.identity != kept.identity {
        // Another program has deleted or replaced it.
        return try read(kept, at: offset, into: buffer)
      }
      let file = try OpenFile(readingAtOnce: path)
      let changed = Diagnostic(.fileChanged, at: Location(file: file.path))
      guard try file.status().kind == .file else { throw changed }
      try file.read(at: offset, into: buffer)
      // Compared after reading: an unchanged state now means an unchanged state during reading.
      guard try file.status().state == state else { throw changed }
    }
  }

  /// Reads from a kept file without a name, whose state cannot be compared.
  private func read(
    _ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) {
    if !isVerified.withLock({ $0 }) {
      var hash = SHA256()
      try withUnsafeTemporaryAllocation(byteCount: Layout.blockSize, alignment: 16) { block in
        for position in stride(from: 0, to: size, by: block.count) {
          let count = min(size - position, block.count)
          let piece = UnsafeMutableRawBufferPointer(rebasing: block[..<count])
          try file.read(at: position, into: piece)
          hash.update(UnsafeRawBufferPointer(piece))
        }
      }
      guard digest.withLock({ $0 }) == hash.finalize() else {
        throw Diagnostic(.fileChanged, at: Location(file: file.path))
      }
      isVerified.withLock { $0 = true }
    }
    try file.read(at: offset, into: buffer)
  }

  /// Keeps the file, so that its contents can be read after another program has deleted or replaced it.
  private func keepFile() {
    let (place, state) = found.withLock({ $0 })
    guard case .folder(let folder, let name) = place, kept.withLock({ $0 }) == nil,
      let file = try? OpenFile(readingAtOnce: Files.joined(folder, name)),
      let status = try? file.status(), status.kind == .file, status.state == state
    else { return }
    file.makeParkable()
    file.park()
    // A descriptor for each file would be too many.
    if file.isParked { kept.withLock { $0 = file } }
  }

  /// Reads from another file with equal bytes from now on.
  func move(to other: FoundFile) {
    let new = other.found.withLock({ $0 })
    if !new.state.isSameFile(as: state) { kept.withLock { $0 = nil } }
    isVerified.withLock { $0 = false }
    found.withLock { $0 = new }
  }

  /// Remembers the contents, and keeps the file.
  func remember() throws(Failure) {
    defer { keepFile() }
    guard digest.withLock({ $0 }) == nil else { return }
    let sum = try sum()
    digest.withLock { $0 = sum }
  }

  /// If another file has the remembered contents, reads from it from now on.
  /// - Returns: whether it has.
  func adoptIfEqual(_ other: FoundFile) throws(Failure) -> Bool {
    guard size == other.size, let digest = digest.withLock({ $0 }), try other.sum() == digest else {
      return false
    }
    move(to: other)
    return true
  }

  private func sum() throws(Failure) -> ContentDigest {
    var hash = SHA256()
    try FileContents(size: size, of: self).forEachPiece { hash.update($0) }
    return hash.finalize()
  }

  /// Copies the bytes to the end of a temporary file, and reads from there from now on.
  func keep(in spool: OpenFile) throws(Failure) {
    let start = try spool.status().size
    if case .spool = found.withLock({ $0.place }) { return }
    var offset = 0
    while offset < size {
      let count = min(size - offset, Layout.blockSize)
      let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        initialized = count
      }
      try bytes.withUnsafeBytes { try spool.write($0, at: start + offset) }
      offset += count
    }
    found.withLock { $0.place = .spool(spool, offset: start) }
  }
}

extension FileContents {
  /// The file on a disk that the bytes are read from, or nil for other contents.
  var foundFile: FoundFile? { file as? FoundFile }
}
