internal import ParticlesCore

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout: the
/// same tree gives the same bytes, whatever the number of threads.
struct ContainerWriter {
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position = 0

  /// Writes `root`, which has to be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written; later
  ///   what reading the contents throws, and what `sink` throws.
  static func write(
    _ root: FileNode, options: PackingOptions = PackingOptions(),
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withoutActuallyEscaping(sink) { sink in
      var writer = ContainerWriter(
        sink: sink, options: options, compressor: PayloadCompressor(level: options.level))
      try writer.write(root)
    }
  }

  private mutating func write(_ tree: FileNode) throws {
    let (entries, files) = try Self.plan(tree)
    try emit(Header.encode())
    var root = Root()
    for page in TreePage.split(entries[...]) {
      let frame = try emit(.tree, compressor.compress(TreePage.encode(page)))
      root.pages.append(.init(firstPath: page.first?.path ?? "", frame: frame, entries: page.count))
    }
    let blocks = try emitBlocks(files)
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compress(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end))
    }
    let rootPosition = try emit(.root, compressor.compress(root.encode())).position
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
    let plan = PlannedBlock.plan(files)
    let options = options
    let work = SharedWork(total: plan.reduce(0) { $0 + $1.rawLength }, options.work)
    var blocks: [Block] = []
    blocks.reserveCapacity(plan.count)
    try Parallel.ordered(
      plan.count, threads: work.threads, state: { BlockPacker(level: options.level) },
      work: { index, packer in
        try work.checkCancellation()
        if options.reusesBlocks, let payload = try plan[index].storedPayload(of: files) {
          return payload
        }
        return try packer.pack(plan[index], of: files)
      },
      emit: { payload in
        let offset = blocks.last?.end ?? 0
        let frame = try emit(.data, payload, place: offset)
        blocks.append(Block(offset: offset, rawLength: payload.rawLength, frame: frame))
        work.report(blocks.last?.end ?? 0)
      })
    return blocks
  }

  @discardableResult
  private mutating func emit(
    _ kind: FrameKind, _ payload: Payload, place: Int? = nil
  ) throws -> FrameReference {
    let head = try FrameHeader(kind, payload, place: place ?? position)
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

/// What a thread needs to make payloads of planned blocks.
final class BlockPacker {
  let compressor: PayloadCompressor
  private let buffer = WorkBuffer(capacity: Layout.packSize)

  init(level: CompressionLevel) { compressor = PayloadCompressor(level: level) }

  /// Reads a block and compresses it.
  func pack(_ block: PlannedBlock, of files: [StreamFile]) throws -> Payload {
    let raw = buffer[block.rawLength]
    try block.read(from: files, into: raw)
    return compressor.compressBlock(UnsafeRawBufferPointer(raw))
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
      kind, rawLength: payload.rawLength, storedLength: payload.stored.count,
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
