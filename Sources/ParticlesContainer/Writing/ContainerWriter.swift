internal import ParticlesCore

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout. The bytes
/// do not depend on the number of threads.
struct ContainerWriter {
  private let sink: PackageSink
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position = 0

  /// Writes `root`, which must be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written; later
  ///   errors of reading the contents and of the sink.
  static func write(_ root: FileNode, options: PackingOptions, to sink: PackageSink) throws {
    var writer = ContainerWriter(
      sink: sink, options: options, compressor: PayloadCompressor(level: options.level))
    try writer.write(root)
  }

  private mutating func write(_ tree: FileNode) throws {
    let plan = try TreePlan(tree)
    try emit(Header.encode()[...])
    var root = Root()
    for page in plan.pages {
      root.pages.append(.init(page, try emit(.tree, compressor.compressIndex(page.bytes))))
    }
    var blocks: [Block] = []
    try BlockPacker.pack(plan.files, options, in: sink.shared?.file) { packed in
      blocks.append(packed, at: position)
      for piece in packed.pieces { try emit(piece) }
    }
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compressIndex(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end))
    }
    let rootPosition = try emit(.root, compressor.compressIndex(root.encode())).position
    let footer = Footer(position: position, generation: 1, root: rootPosition, previous: 0)
    try emit(footer.encode()[...])
  }

  private mutating func emit(_ kind: FrameKind, _ payload: Payload) throws -> FrameReference {
    let head = try FrameHeader(kind, payload, place: position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes[...])
    try emit(payload.stored[...])
    return reference
  }

  private mutating func emit(_ piece: PackedBlocks.Piece) throws {
    switch piece {
    case .memory(let bytes): try emit(bytes)
    case .file(let range):
      try sink.shared?.take(range)
      position += range.count
    }
  }

  private mutating func emit(_ bytes: ArraySlice<UInt8>) throws {
    try bytes.withUnsafeBytes(sink.write)
    position += bytes.count
  }
}

extension FrameHeader {
  /// Creates the head of a frame; throws if the payload is longer than the format allows.
  init(_ kind: FrameKind, _ payload: Payload, place: Int) throws {
    guard payload.rawLength <= kind.limit else {
      throw Diagnostic(
        .limit, "bytes of a \(kind.name) frame", expected: "at most \(kind.limit)",
        found: "\(payload.rawLength)")
    }
    self.init(
      kind, rawLength: payload.rawLength, storedLength: payload.stored.count,
      payloadChecksum: payload.checksum, place: place)
  }
}

extension Entry {
  /// Creates the entry of a node, without the offset of its contents.
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
