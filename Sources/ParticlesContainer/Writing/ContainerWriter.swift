internal import ParticlesCore

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout: the
/// same tree gives the same bytes, whatever the number of threads.
struct ContainerWriter {
  private let sink: PackageSink
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position = 0

  /// Writes `root`, which has to be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written; later
  ///   what reading the contents throws, and what the sink throws.
  static func write(_ root: FileNode, options: PackingOptions, to sink: PackageSink) throws {
    var writer = ContainerWriter(
      sink: sink, options: options, compressor: PayloadCompressor(level: options.level))
    try writer.write(root)
  }

  private mutating func write(_ tree: FileNode) throws {
    let (entries, files) = try Self.plan(tree)
    try emit(Header.encode())
    var root = Root()
    for page in TreePage.split(entries[...]) {
      let frame = try emit(.tree, compressor.compressIndex(TreePage.encode(page)))
      root.pages.append(.init(firstPath: page.first?.path ?? "", frame: frame, entries: page.count))
    }
    let blocks = try emitBlocks(files)
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compressIndex(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end))
    }
    let rootPosition = try emit(.root, compressor.compressIndex(root.encode())).position
    let footer = Footer(position: position, generation: 1, root: rootPosition, previous: 0)
    try emit(footer.encode())
  }

  /// The entries in canonical order with their places in the stream, and the contents in its order.
  static func plan(_ root: FileNode) throws -> ([Entry], [StreamFile]) {
    guard root.isDirectory else {
      throw Diagnostic(.parent, "the root of a package has to be a directory")
    }
    var entries: [Entry] = []
    var files: [StreamFile] = []
    var end = 0
    try root.forEachDescendant { path, node in
      var entry = try Entry(path: path, node: node)
      if let file = node.contents, file.size > 0 {
        entry.offset = end
        end += file.size
        files.append(StreamFile(file, path: path))
      }
      entries.append(entry)
    }
    return (entries, files)
  }

  private mutating func emitBlocks(_ files: [StreamFile]) throws -> [Block] {
    var blocks: [Block] = []
    try BlockPacker.pack(files, options, in: sink.shared?.file) { payload in
      let offset = blocks.last?.end ?? 0
      let frame = try emit(.data, payload, place: offset)
      blocks.append(Block(offset: offset, rawLength: payload.rawLength, frame: frame))
    }
    return blocks
  }

  @discardableResult
  private mutating func emit(
    _ kind: FrameKind, _ payload: Payload, place: Int? = nil
  ) throws -> FrameReference {
    let head = try FrameHeader(kind, payload, place: place ?? position)
    let reference = FrameReference(position: position, length: head.frameLength)
    switch payload.stored {
    case .memory(let bytes):
      try emit(head.bytes)
      try emit(bytes)
    case .file(let old, let place):
      // At the same place in the stream, the head is the same, too.
      let start = place == head.place ? old.position : old.position + Layout.frameHeaderSize
      if place != head.place { try emit(head.bytes) }
      try sink.shared?.take(start..<old.end)
      position = reference.end
    }
    return reference
  }

  private mutating func emit(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes(sink.write)
    position += bytes.count
  }
}

extension FrameHeader {
  /// The head of a frame with this payload, which must not be longer than the format allows.
  init(_ kind: FrameKind, _ payload: Payload, place: Int) throws {
    guard payload.rawLength <= kind.limit else {
      throw Diagnostic(
        .limit, "bytes of a \(kind.name) frame", expected: "at most \(kind.limit)",
        found: "\(payload.rawLength)")
    }
    self.init(
      kind, rawLength: payload.rawLength, storedLength: payload.count,
      payloadChecksum: payload.checksum, place: place)
  }
}

extension Entry {
  /// What the index says of a node, but for the place of its contents.
  /// - Throws: faults of the path or of the target of a link.
  init(path: String, node: FileNode) throws {
    try EntryPath.check(Array(path.utf8), limits: .standard, at: .entry(path))
    switch node.storage {
    case .directory: self.init(path: path, kind: .directory)
    case .file(let contents, let isExecutable):
      self.init(path: path, kind: .file(isExecutable: isExecutable), size: contents.size)
    case .link(let destination):
      try EntryPath.check(link: destination, from: path)
      self.init(path: path, kind: .symbolicLink(destination))
    }
  }
}
