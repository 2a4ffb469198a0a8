public import ParticlesCore

/// An open flat package with random access to entries and contents.
///
/// A lookup reads one page of the tree, and contents are read block by block. Everything is read from the generation
/// that was current when the package was opened, and every frame is checked before use. May be used from several
/// threads.
public final class ContainerReader: Sendable {
  /// Flaws that do not prevent reading: ``ParticlesCore/Rule/torn`` for an unfinished save after the last
  /// finished one.
  public let warnings: [Diagnostic]

  package let source: ByteSource
  let limits: Limits
  let last: Generation
  package let stream: StreamReader

  /// Frames of the index of earlier generations that have to be checked with the tree, or nil if none have.
  let superseded: [FrameReference]?

  /// How much of the end of the file is read at once: it has most of what opening needs.
  private static let tailSize = 32 << 10

  /// Opens a package. Reads its last 32 KiB, its first 16 bytes, and its root if that begins before the last 32 KiB.
  /// For an appended generation, reads the heads of its frames, too. For a file that ends with an unfinished save,
  /// reads the heads of all frames.
  /// - Parameters:
  ///   - source: the file.
  ///   - limits: what reading the package may cost.
  ///   - scope: how much of the file has to be sound. Scopes beyond the default read the heads of all frames, and the
  ///     block tables.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container` or `limit`, for example
  ///   ``ParticlesCore/Rule/signature``, ``ParticlesCore/Rule/containerVersion`` or ``ParticlesCore/Rule/truncated``,
  ///   and errors of the source.
  public convenience init(
    _ source: ByteSource, limits: Limits = .standard, scope: Scope = .lastGeneration
  ) throws(Failure) {
    let source = try source.cachingEnd(min(source.size, Self.tailSize))
    let last = try locating(Location(file: source.name)) { () throws(Failure) in
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
  package convenience init(
    _ source: ByteSource, appendedTo reader: ContainerReader, names: [StreamReader.Name]
  ) throws(Failure) {
    let last = try locating(Location(file: source.name)) { () throws(Failure) in
      // The last footer before it is read, too.
      let appended = source.size - reader.footer.position
      return try Generation(
        lastOf: source.cachingEnd(min(appended, Self.tailSize)), limits: .none)
    }
    try self.init(source, limits: .none, last, reader.stream)
    stream.extend(last.ownBlocks, names: names, in: source)
  }

  /// Opens the generation of a reader again, after the bytes behind its footer were cut off.
  package convenience init(withoutTail source: ByteSource, of reader: ContainerReader)
    throws(Failure)
  {
    try self.init(source, limits: .none, reader.last, reader.stream)
    stream.extend([], names: [], in: source)
  }

  /// Opens a generation, which need not be the last one.
  /// - Parameters:
  ///   - known: a stream that the contents are read from. Nil makes a new stream.
  ///   - scope: how much has to be sound. Unless it is the last generation, a walk through all frames is needed.
  package init(
    _ source: ByteSource, limits: Limits, _ generation: Generation, _ known: StreamReader? = nil,
    scope: Scope = .lastGeneration
  ) throws(Failure) {
    self.source = source
    self.limits = limits
    var listed: [Block]?
    if scope != .lastGeneration, let walk = generation.walk {
      listed = try locating(Location(file: source.name)) { () throws(Failure) in
        try Self.check(generation, against: walk, source, limits)
      }
      superseded = scope == .everyFrame ? Self.superseded(generation, in: walk) : nil
      last = generation.withoutWalk
    } else {
      superseded = nil
      last = generation
    }
    warnings = try locating(Location(file: source.name)) { () throws(Failure) in
      let footer = generation.footer
      var warnings: [Diagnostic] = []
      if footer.end < source.size, try !Self.isBeingAppendedTo(source) {
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
        source,
        blocks: { [listed] () throws(Failure) in
          if let listed { return listed }
          return try Self.blocks(root, source, limits)
        },
        names: { Self.names(root, source, limits) })
  }

  /// Whether another program is appending to the file, or has finished since the size was read: then
  /// the bytes after the footer are no unfinished save.
  private static func isBeingAppendedTo(_ source: ByteSource) throws(Failure) -> Bool {
    guard let file = source.file else { return false }
    return try file.isGrowing(beyond: source.size)
  }

  package var footer: Footer { last.footer }
  var root: Root { last.root }

  /// The number of generations, 1 unless the package was saved by appending.
  public var generation: Int { footer.generation }

  /// The number of entries, directories and links included.
  public var entryCount: Int { root.pages.reduce(0) { $0 + $1.entries } }

  /// The size of the file in bytes.
  public var fileSize: Int { source.size }

  /// The length of the stream of contents in bytes, replaced files included.
  package var streamSize: Int { root.tables.reduce(0) { $0 + $1.bytes } }

  // MARK: Tree

  /// Returns the entry at a path, or nil if there is none. The root has no entry, and links are not followed.
  ///
  /// Reads one page of the tree, of at most 256 entries if the package was written by this library. Does not check the
  /// tree as a whole, which ``entries()`` does.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`, and errors of the source.
  public func entry(_ path: String) throws(Failure) -> Container.Entry? {
    let path = Array(UnicodeForms.composed(path).utf8)
    return try path.withUnsafeBufferPointer { wanted throws(Failure) in
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
  func page(_ index: Int) throws(Failure) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(root.pages[index].entries, Layout.pageEntries))
    try forEachEntry(ofPage: index) { entries.append($0.entry) }
    return entries
  }

  /// Calls `body` with each entry of a page, checked against the root.
  func forEachEntry(
    ofPage index: Int, _ body: (borrowing RawEntry) throws(Failure) -> Void
  ) throws(Failure) {
    try locating(Location(file: source.name)) { () throws(Failure) in
      let page = root.pages[index]
      var reader = TreePageReader(limits: limits)
      try source.withPayload(of: page.frame, .tree) { payload throws(Failure) in
        try reader.forEachEntry(of: payload, page, body)
      }
    }
  }

  // MARK: Contents

  /// Returns the contents of a regular file, read on access. Empty for other kinds.
  /// - Parameter entry: an entry of this reader. With an entry of another reader, contents are wrong or reading throws.
  public func contents(of entry: Container.Entry) -> FileContents {
    FileContents(size: entry.size, origin: .init(stream: stream, offset: entry.offset))
  }

  /// Returns all blocks in the order of the stream.
  func blocks() throws(Failure) -> [Block] {
    try locating(Location(file: source.name)) { () throws(Failure) in try stream.blocks().blocks }
  }

  static func blocks(
    _ root: Root, _ source: ByteSource, _ limits: Limits
  ) throws(Failure) -> [Block] {
    var blocks: [Block] = []
    var bytes = 0
    // The blocks of a generation follow its pages, or the table of an earlier generation.
    var lowest = Layout.headerSize
    for table in root.tables {
      try source.withPayload(of: table.frame, .blocks) { payload throws(Failure) in
        bytes += payload.count
        try limits.check(bytes, { $0.indexBytes }, "bytes of the tables of blocks")
        try BlockTable.decode(payload, table, after: lowest, into: &blocks)
      }
      lowest = table.frame.end
    }
    return blocks
  }
}

extension ContainerReader {
  /// How much of a file has to be sound for its package to open, as `Spec/container.md#acceptance` states.
  /// Everything that is read is always checked.
  public enum Scope: Sendable, Hashable {
    /// The last generation, as far as it is read: for lists and single entries.
    case lastGeneration
    /// The heads of all frames and the footers of all generations, and the block tables, which must
    /// agree with the heads.
    case allGenerations
    /// As `allGenerations`, and the payloads of frames that the last generation does not need. Its own payloads are
    /// checked when they are read. For programs that copy a package. Only ``ContainerReader/verify(_:work:)`` checks
    /// the contents of the pages and roots of earlier generations.
    case everyFrame
  }

  /// Throws unless the index agrees with a walk through all frames.
  /// - Returns: the blocks that the tables list.
  static func check(
    _ generation: Generation, against walk: FrameWalk, _ source: ByteSource, _ limits: Limits
  ) throws(Failure) -> [Block] {
    let (footer, root) = (generation.footer, generation.root)
    try generation.check(against: walk)
    let told = try blocks(root, source, limits)
    // The walk may have gone on into an unfinished save.
    let found = walk.blocks.prefix { $0.frame.position < footer.position }
    for (told, found) in zip(told, found) where told != found {
      throw Diagnostic(
        .index, at: .offset(found.frame.position), "not the block that the table lists",
        expected: "\(told.rawLength) bytes in \(told.frame.length)",
        found: "\(found.rawLength) in \(found.frame.length)")
    }
    guard told.count == found.count else {
      throw Diagnostic(
        .index, at: .offset(footer.root), "number of blocks in the tables",
        expected: "\(found.count)", found: "\(told.count)")
    }
    func isFrame(_ reference: FrameReference, _ kind: FrameKind) -> Bool {
      let index = walk.frames.partitioningIndex { $0.reference.position >= reference.position }
      guard index < walk.frames.count else { return false }
      return walk.frames[index].reference == reference && walk.frames[index].kind == kind
    }
    let references =
      root.pages.map { ($0.frame, FrameKind.tree) } + root.tables.map { ($0.frame, .blocks) }
    for (reference, kind) in references where !isFrame(reference, kind) {
      throw Diagnostic(
        .index, at: .offset(reference.position), "the root refers to no page or table")
    }
    return told
  }

  /// Returns the frames of a walk that belong to the index of earlier generations only.
  static func superseded(_ generation: Generation, in walk: FrameWalk) -> [FrameReference] {
    let used = Set(generation.root.pages.map { $0.frame.position })
    let footer = generation.footer
    return walk.frames.compactMap { frame in
      let position = frame.reference.position
      guard position < footer.root else { return nil }
      switch frame.kind {
      case .tree: return used.contains(position) ? nil : frame.reference
      case .root: return frame.reference
      // Tables are all read, and the walk has checked the footers. Blocks are found by their contents.
      case .blocks, .done, .data: return nil
      }
    }
  }

  /// Throws unless frames that nothing of the last generation needs are sound.
  /// - Parameter extents: the parts of the stream that are contents, in ascending order.
  func checkSuperseded(besides extents: [TreeCheck.Extent]) throws(Failure) {
    guard let index = superseded else { return }
    let unpacker = BlockUnpacker()
    for frame in index { _ = try unpacker.unpack(try unpacker.read(frame, from: source)) }
    var next = 0
    // The blocks of a package that came from a pipe may be in another place.
    let (all, place) = try stream.blocks()
    for block in all {
      while next < extents.count, extents[next].end <= block.offset { next += 1 }
      if next < extents.count, extents[next].start < block.end { continue }
      _ = try unpacker.unpack(block, from: place)
    }
  }
}

extension Container {
  /// Checks every frame of the flat package that this was opened from, for programs that read a part of the package and
  /// write another file. Does nothing for other packages.
  /// - Throws: the first fault, and the errors of ``ContainerReader/verify(_:work:)``.
  package func checkEveryFrame() throws(Failure) {
    let findings = try reader?.verify(.full, earlier: nil)
    if let fault = findings?.first(where: { $0.severity == .error }) { throw fault }
  }
}

extension ContainerReader {
  /// Returns all entries in canonical order. Checks order, parents, names that differ in case only,
  /// overlap of contents, and sizes against the limits. Reads all pages of the tree and no contents.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`, and errors of the source.
  public func entries() throws(Failure) -> [Container.Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(entryCount, limits.entries))
    try forEachEntry { entries.append($0.entry) }
    return entries
  }

  /// Returns the root directory, checked as by ``entries()``. Contents are read on access.
  /// - Throws: the errors of ``entries()``.
  public func tree() throws(Failure) -> FileNode {
    var builder = TreeBuilder()
    try forEachEntry { entry in
      builder.append(entry.kind, named: entry.name, at: entry.nameStart) {
        FileContents(size: entry.size, origin: .init(stream: stream, offset: entry.offset))
      }
    }
    return builder.finish()
  }

  /// Calls `body` with each entry of the index. Checks as ``entries()`` does.
  package func forEachEntry(_ body: (borrowing RawEntry) throws(Failure) -> Void) throws(Failure) {
    try locating(Location(file: source.name)) { () throws(Failure) in
      do throws(Failure) {
        var check = TreeCheck()
        try forEachRawEntry { entry throws(Failure) in
          try check.check(entry)
          try body(entry)
        }
        try check.finish(streamSize: streamSize, fileSize: source.size, limits: limits)
        try checkSuperseded(besides: check.extents)
      } catch {
        throw Diagnostic.of(error)?.rule == .twins ? try twins() : error
      }
    }
  }

  /// Calls `body` with each entry. Checks pages, but not the tree as a whole.
  private func forEachRawEntry(
    _ body: (borrowing RawEntry) throws(Failure) -> Void
  ) throws(Failure) {
    try Self.forEachRawEntry(root, source, limits, body)
  }

  private static func forEachRawEntry(
    _ root: Root, _ source: ByteSource, _ limits: Limits,
    _ body: (borrowing RawEntry) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = TreePageReader(limits: limits)
    for page in root.pages {
      try source.withPayload(of: page.frame, .tree) { payload throws(Failure) in
        try reader.forEachEntry(of: payload, page, body)
      }
    }
  }

  /// Returns the paths of files that are not empty, for messages, because nodes have no paths. Stops at
  /// the first page that cannot be read.
  package static func names(_ root: Root, _ source: ByteSource, _ limits: Limits) -> [StreamReader
    .Name]
  {
    var names: [StreamReader.Name] = []
    try? forEachRawEntry(root, source, limits) { entry in
      if entry.size > 0 { names.append((entry.offset, entry.pathText)) }
    }
    return names
  }

  /// Finds the names of the twins that the hashes revealed.
  private func twins() throws(Failure) -> Diagnostic {
    var names: [String: String] = [:]
    var diagnostic = Diagnostic(.twins)
    try forEachRawEntry { entry in
      let path = entry.pathText
      let folded = UnicodeForms.folded(path)
      if let twin = names[folded], EntryPath.parent(of: twin) == EntryPath.parent(of: path) {
        diagnostic = Diagnostic(
          .twins, at: .entry(path), found: "'\(EntryPath.name(of: twin))' beside it")
      }
      names[folded] = path
    }
    return diagnostic
  }
}

/// Builds a tree from checked entries in canonical order.
package struct TreeBuilder {
  package init() {}

  /// The directories that the next entry may be in, each with the length of its path.
  private var open: [(length: Int, name: String, directory: FileNode.Directory)] = [
    (0, "", .init())
  ]

  package mutating func append(_ entry: Entry, contents: FileContents) {
    let name = String(EntryPath.name(of: entry.path))
    append(entry.kind, named: name, at: entry.path.utf8.count - name.utf8.count) { contents }
  }

  /// Appends an entry.
  /// - Parameter start: the offset of its name in its path.
  mutating func append(
    _ kind: Entry.Kind, named name: String, at start: Int, contents: () -> FileContents
  ) {
    while open.count > 1, open[open.count - 1].length >= start { closeLast() }
    switch kind {
    case .directory:
      open.append((start + name.utf8.count, name, .init()))
    case .file(let isExecutable):
      open[open.count - 1].directory.append(
        FileNode(regularFileWithContents: contents(), isExecutable: isExecutable), named: name)
    case .symbolicLink(let destination):
      open[open.count - 1].directory.append(
        FileNode(symbolicLinkWithDestination: destination), named: name)
    }
  }

  /// Returns the root after the last entry.
  package mutating func finish() -> FileNode {
    while open.count > 1 { closeLast() }
    return FileNode(storage: .directory(open[0].directory))
  }

  private mutating func closeLast() {
    let (_, name, directory) = open.removeLast()
    open[open.count - 1].directory.append(
      FileNode(storage: .directory(directory)), named: name)
  }
}

extension ContainerReader {
  /// How thoroughly to verify.
  public enum Depth: Sendable {
    /// Every checksum, every position and length, the whole index.
    case quick
    /// The quick checks, and every payload unpacked.
    case full
  }

  /// Checks every byte of the package and returns all findings, ``warnings`` included, or an empty array.
  ///
  /// Follows the heads of the frames from the header to the footer, so that every byte belongs to exactly one frame.
  /// Checks each frame, with several threads. Then checks the index against the frames, also in earlier generations. A
  /// reader ignores the pages and roots of earlier generations, so a package with findings there may be readable.
  /// - Throws: errors of the source, ``ParticlesCore/Rule/limit`` if the package could not be checked, and
  ///   `CancellationError` if the current task is cancelled.
  public func verify(
    _ depth: Depth = .full, work: Container.WorkOptions = .init()
  ) throws(Failure) -> [Diagnostic] {
    try verify(depth, earlier: .error, work: work)
  }

  /// Checks as ``verify(_:work:)`` does.
  /// - Parameter earlier: the severity of faults in the index of earlier generations, which no reader needs. Nil leaves
  ///   them out.
  package func verify(
    _ depth: Depth = .full, earlier: Diagnostic.Severity?, work: Container.WorkOptions = .init()
  ) throws(Failure) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var walk = FrameWalk(source)
    func noting(_ body: () throws(Failure) -> Void) throws(Failure) {
      do throws(Failure) {
        try body()
      } catch {
        guard let fault = Diagnostic.of(error), Self.isOfFile(fault) else { throw error }
        findings.append(fault)
      }
    }
    try noting { () throws(Failure) in
      if let stop = try walk.run(to: footer.end) { throw stop.diagnostic }
      guard walk.footer == footer else {
        throw Diagnostic(
          .coverage, at: .offset(footer.position), expected: "generation \(footer.generation)",
          found: "\(walk.footer?.generation ?? 0) finished ones")
      }
    }
    let damaged = try check(walk.frames, unpacking: depth == .full, work)
    if !damaged.isEmpty {
      // After a damaged head the walk is out of step: its finding is a consequence, not another fault.
      findings = damaged
    } else if findings.isEmpty {
      try noting { () throws(Failure) in
        try forEachEntry { _ in }
        _ = try Self.check(last, against: walk, source, limits)
      }
      if let earlier, findings.isEmpty {
        var history = History(self, walk)
        for var fault in try history.faults() {
          fault.severity = earlier
          findings.append(fault)
        }
      }
    }
    return warnings + findings.map { $0.inside(Location(file: source.name)) }
  }

  /// Whether a diagnostic is about the package, and not about the system or the limits of the caller.
  private static func isOfFile(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.rule.family != "file" && diagnostic.rule != .limit
  }

  /// Returns the faults inside frames, in the order of their positions.
  private func check(
    _ frames: [FrameWalk.Frame], unpacking: Bool, _ options: WorkOptions
  ) throws(Failure) -> [Diagnostic] {
    let work = SharedWork(total: frames.reduce(0) { $0 + $1.reference.length }, options)
    let source = source
    let findings = Lock<[(position: Int, Diagnostic)]>([])
    let done = Lock(0)
    try Parallel.forEach(frames.count, threads: work.threads, state: { BlockUnpacker() }) {
      index, unpacker throws(Failure) in
      try work.checkCancellation()
      let frame = frames[index]
      do throws(Failure) {
        let read = try unpacker.read(frame.reference, from: source)
        if unpacking { _ = try unpacker.unpack(read) }
      } catch {
        guard let fault = Diagnostic.of(error), Self.isOfFile(fault) else { throw error }
        findings.withLock { $0.append((frame.reference.position, fault)) }
      }
      done.withLock {
        $0 += frame.reference.length
        work.report($0)
      }
    }
    try work.checkCancellation()
    return findings.withLock { $0.sorted { $0.position < $1.position }.map { $0.1 } }
  }
}
