public import ParticlesCore

/// An open flat package with random access to entries and contents.
///
/// A lookup reads one page of the tree; contents are read block by block. Everything is read from the
/// generation that was current when the package was opened, and every frame is checked before use.
/// May be used from several threads.
public final class ContainerReader: Sendable {
  /// Flaws that do not prevent reading: ``ParticlesCore/Rule/torn`` for an unfinished save after the last
  /// finished one.
  public let warnings: [Diagnostic]

  let source: ByteSource
  let limits: Limits
  let last: Generation
  let stream: StreamReader

  /// Frames of the index of earlier generations that have to be checked with the tree; nil if none have.
  let superseded: [FrameReference]?

  /// How much of the end of the file is read at once: it has most of what opening needs.
  private static let tailSize = 32 << 10

  /// Opens a package. Reads its last 32 KiB, its first 16 bytes, and its root if that begins before
  /// the last 32 KiB. Of a generation that was appended, reads the heads of its frames, too; of a file
  /// that ends with an unfinished save, those of all frames.
  /// - Parameters:
  ///   - source: the file.
  ///   - limits: what reading the package may cost.
  ///   - scope: how much of the file has to be sound. The other cases read the heads of all frames, and the
  ///     block tables.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container` or `limit`, for example
  ///   ``ParticlesCore/Rule/signature``, ``ParticlesCore/Rule/containerVersion`` or
  ///   ``ParticlesCore/Rule/truncated``; errors of the source.
  public convenience init(
    _ source: ByteSource, limits: Limits = .standard, scope: Scope = .lastGeneration
  ) throws {
    let source = try source.cachingEnd(min(source.size, Self.tailSize))
    let last = try locating(Location(file: source.name)) {
      try source.withBytes(at: 0, count: min(source.size, Layout.headerSize), Header.check)
      return scope == .lastGeneration
        ? try Generation(lastOf: source, limits: limits)
        : try Generation(walkingThrough: source, limits: limits)
    }
    try self.init(source, limits: limits, last, scope: scope)
  }

  /// Opens the generation that was just appended to the file of a reader, whose stream it continues.
  /// - Parameters:
  ///   - source: the file with its new size.
  ///   - names: the paths of the files that were written, and their offsets.
  convenience init(
    _ source: ByteSource, appendedTo reader: ContainerReader, names: [StreamReader.Name]
  ) throws {
    let last = try locating(Location(file: source.name)) {
      // The last footer before it is read, too.
      let appended = source.size - reader.footer.position
      return try Generation(
        lastOf: source.cachingEnd(min(appended, Self.tailSize)), limits: .none)
    }
    try self.init(source, limits: .none, last, reader.stream)
    stream.extend(last.ownBlocks, names: names, in: source)
  }

  /// Opens the same generation after the bytes after its footer were cut off.
  convenience init(withoutTail source: ByteSource, of reader: ContainerReader) throws {
    try self.init(source, limits: .none, reader.last, reader.stream)
    stream.extend([], names: [], in: source)
  }

  /// Opens a generation, which need not be the last one.
  /// - Parameters:
  ///   - known: a stream that the contents are read from; nil for one of its own.
  ///   - scope: how much has to be sound; needs a walk through all frames, unless it is the last
  ///     generation.
  init(
    _ source: ByteSource, limits: Limits, _ generation: Generation, _ known: StreamReader? = nil,
    scope: Scope = .lastGeneration
  ) throws {
    self.source = source
    self.limits = limits
    var listed: [Block]?
    if scope != .lastGeneration, let walk = generation.walk {
      listed = try locating(Location(file: source.name)) {
        try Self.check(generation, against: walk, source, limits)
      }
      superseded = scope == .everyFrame ? Self.superseded(generation, in: walk) : nil
      last = generation.withoutWalk
    } else {
      superseded = nil
      last = generation
    }
    warnings = try locating(Location(file: source.name)) {
      let footer = generation.footer
      var warnings: [Diagnostic] = []
      if try footer.end < source.size && !Self.isBeingAppendedTo(source) {
        warnings.append(
          Diagnostic(
            .torn, at: Location(file: source.name, position: .offset(footer.end)),
            found: "\(source.size - footer.end) bytes"))
      }
      return warnings
    }
    let root = generation.root
    stream =
      known
      ?? StreamReader(
        source, blocks: { [listed] in try listed ?? Self.blocks(root, source, limits) },
        names: { Self.names(root, source, limits) })
  }

  /// Whether another program is appending to the file, or has finished since the size was read: then
  /// the bytes after the footer are no unfinished save.
  private static func isBeingAppendedTo(_ source: ByteSource) throws -> Bool {
    guard let file = source.file else { return false }
    guard file.tryLock() else { return true }
    file.unlock()
    return try file.status().size != source.size
  }

  var footer: Footer { last.footer }
  var root: Root { last.root }

  /// The number of generations; 1 unless the package was saved by appending.
  public var generation: Int { footer.generation }

  /// The number of entries, directories and links included.
  public var entryCount: Int { root.pages.reduce(0) { $0 + $1.entries } }

  /// The size of the file in bytes.
  public var fileSize: Int { source.size }

  /// The length of the stream of contents in bytes, that of replaced files included.
  var streamSize: Int { root.tables.reduce(0) { $0 + $1.bytes } }

  // MARK: Tree

  /// Returns the entry at a path; nil if there is none. The root has no entry, and links are not
  /// followed.
  ///
  /// Reads one page of the tree, of at most 256 entries if the package was written by this library.
  /// Does not check the tree as a whole; ``entries()`` does.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`; errors of
  ///   the source.
  public func entry(_ path: String) throws -> Container.Entry? {
    var path = UnicodeForms.composed(path)
    return try path.withUTF8 { wanted in
      let behind = root.pages.partitioningIndex { EntryPath.precedes(wanted, $0.firstPath.utf8) }
      guard behind > 0 else { return nil }
      var found: Entry?
      // How many bytes the path before has in common with the wanted one: only paths that share as many
      // with that before can have more.
      var same = 0
      try forEachEntry(ofPage: behind - 1) { entry in
        guard entry.shared <= same else { return }
        let path = entry.path
        same = entry.shared
        while same < min(path.count, wanted.count), path[same] == wanted[same] { same += 1 }
        if same == wanted.count, same == path.count { found = entry.entry }
      }
      return found
    }
  }

  /// Returns the entries of a page, checked against the root.
  func page(_ index: Int) throws -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(root.pages[index].entries, Layout.pageEntries))
    try forEachEntry(ofPage: index) { entries.append($0.entry) }
    return entries
  }

  /// Calls `body` with each entry of a page, checked against the root.
  func forEachEntry(ofPage index: Int, _ body: (borrowing RawEntry) throws -> Void) throws {
    try locating(Location(file: source.name)) {
      let page = root.pages[index]
      var reader = TreePageReader(limits: limits)
      try source.withPayload(of: page.frame, .tree) { try reader.forEachEntry(of: $0, page, body) }
    }
  }

  // MARK: Contents

  /// Returns the contents of a regular file, which are read on access; empty for other kinds.
  /// - Parameter entry: an entry of this reader. For one of another reader, the contents are wrong or
  ///   throw when they are read.
  public func contents(of entry: Container.Entry) -> FileContents {
    FileContents(size: entry.size, origin: .init(stream: stream, offset: entry.offset))
  }

  /// Returns all blocks in the order of the stream.
  func blocks() throws -> [Block] {
    try locating(Location(file: source.name)) {
      try stream.blocks()?.blocks ?? Self.blocks(root, source, limits)
    }
  }

  static func blocks(
    _ root: Root, _ source: ByteSource, _ limits: Limits
  ) throws -> [Block] {
    var blocks: [Block] = []
    var bytes = 0
    // The blocks of a generation follow its pages, or the table of an earlier generation.
    var lowest = Layout.headerSize
    for table in root.tables {
      try source.withPayload(of: table.frame, .blocks) { payload in
        bytes += payload.count
        try limits.check(bytes, \.indexBytes, "bytes of the tables of blocks")
        try BlockTable.decode(payload, table, after: lowest, into: &blocks)
      }
      lowest = table.frame.end
    }
    return blocks
  }
}
