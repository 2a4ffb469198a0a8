internal import ParticlesCore

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout: the
/// same tree gives the same bytes.
struct ContainerWriter {
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let compressor = PayloadCompressor()
  private var position = 0

  private init(sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

  /// Writes `root`, which has to be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written; later
  ///   what reading the contents throws, and what `sink` throws.
  static func write(
    _ root: FileNode, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) { sink in
      var writer = ContainerWriter(sink: sink)
      try writer.write(root)
    }
  }

  private mutating func write(_ tree: FileNode) throws {
    let (entries, contents) = try Self.plan(tree)
    try emit(Header.encode())
    var root = Root()
    for page in Self.pages(of: entries) {
      let frame = try emit(.tree, compressor.compress(TreePage.encode(page)))
      root.pages.append(.init(firstPath: page.first?.path ?? "", frame: frame, entries: page.count))
    }
    let blocks = try emitBlocks(contents)
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compress(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end))
    }
    let rootPosition = try emit(.root, compressor.compress(root.encode())).position
    let footer = Footer(position: position, generation: 1, root: rootPosition, previous: 0)
    try emit(footer.encode())
  }

  /// The entries in canonical order with their places in the stream, and the contents in its order.
  private static func plan(_ root: FileNode) throws -> ([Entry], [FileContents]) {
    guard root.isDirectory else {
      throw Diagnostic(.parent, "the root of a package has to be a directory")
    }
    var entries: [Entry] = []
    var contents: [FileContents] = []
    var end = 0
    try root.forEachDescendant { path, node in
      _ = try EntryPath.validated(Array(path.utf8), limits: .standard, at: .entry(path))
      switch node.storage {
      case .directory:
        entries.append(Entry(path: path, kind: .directory))
      case .link(let destination):
        try EntryPath.check(link: destination, from: path)
        entries.append(Entry(path: path, kind: .symbolicLink(destination)))
      case .file(let file, let isExecutable):
        var entry = Entry(path: path, kind: .file(isExecutable: isExecutable), size: file.size)
        if file.size > 0 {
          entry.offset = end
          end += file.size
          contents.append(file)
        }
        entries.append(entry)
      }
    }
    return (entries, contents)
  }

  /// A new page begins where one has enough entries, or enough bytes of paths.
  private static func pages(of entries: [Entry]) -> [ArraySlice<Entry>] {
    var pages: [ArraySlice<Entry>] = []
    var start = 0
    var bytes = 0
    for (index, entry) in entries.enumerated() {
      if index - start >= Layout.pageEntries || bytes >= Layout.pageBytes {
        pages.append(entries[start..<index])
        start = index
        bytes = 0
      }
      bytes += entry.path.utf8.count
      if case .symbolicLink(let destination) = entry.kind { bytes += destination.utf8.count }
    }
    if start < entries.count { pages.append(entries[start...]) }
    return pages
  }

  private mutating func emitBlocks(_ contents: [FileContents]) throws -> [Block] {
    var blocks: [Block] = []
    try BlockPlan.forEachBlock(of: contents) { raw in
      let offset = blocks.last?.end ?? 0
      let frame = try emit(.data, compressor.compressBlock(raw), place: offset)
      blocks.append(Block(offset: offset, rawLength: raw.count, frame: frame))
    }
    return blocks
  }

  @discardableResult
  private mutating func emit(
    _ kind: FrameKind, _ payload: PayloadCompressor.Payload, place: Int? = nil
  ) throws -> FrameReference {
    guard payload.rawLength <= kind.limit else {
      throw Diagnostic(
        .limit, "bytes of a \(kind.name) frame", expected: "at most \(kind.limit)",
        found: "\(payload.rawLength)")
    }
    let head = FrameHeader(
      kind, rawLength: payload.rawLength, payload: payload.stored, place: place ?? position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes)
    try emit(payload.stored)
    return reference
  }

  private mutating func emit(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes(sink)
    position += bytes.count
  }
}

/// How contents are cut into blocks.
enum BlockPlan {
  /// Calls `body` with the blocks in order: large files in blocks of their own, small ones
  /// together.
  static func forEachBlock(
    of contents: [FileContents], _ body: ([UInt8]) throws -> Void
  ) throws {
    var pack: [UInt8] = []
    func flush() throws {
      if !pack.isEmpty { try body(pack) }
      pack.removeAll(keepingCapacity: true)
    }
    for file in contents {
      if file.size >= Layout.packSize {
        try flush()
        try file.forEachPiece { try body(Array($0)) }
      } else {
        if pack.count + file.size > Layout.packSize { try flush() }
        pack += try file.bytes()
      }
    }
    try flush()
  }
}
