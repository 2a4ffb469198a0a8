package import ParticlesCore

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout. The bytes
/// do not depend on the number of threads.
package struct ContainerWriter {
  private let sink: PackageSink
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position = 0

  /// Writes `root`, which must be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written. Later, errors of reading the
  ///   contents and of the sink.
  package static func write(_ root: FileNode, options: PackingOptions, to sink: PackageSink)
    throws(Failure)
  {
    var writer = ContainerWriter(
      sink: sink, options: options, compressor: PayloadCompressor(level: options.level))
    try writer.write(root)
  }

  private mutating func write(_ tree: FileNode) throws(Failure) {
    let plan = try TreePlan(tree)
    try emit(Header.encode()[...])
    var root = Root()
    for page in plan.pages {
      root.pages.append(.init(page, try emit(.tree, compressor.compressIndex(page.bytes))))
    }
    var blocks: [Block] = []
    try BlockPacker.pack(plan.files, options, in: sink.shared?.file) { packed throws(Failure) in
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

  private mutating func emit(_ kind: FrameKind, _ payload: Payload) throws(Failure)
    -> FrameReference
  {
    let head = try FrameHeader(kind, payload, place: position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes[...])
    try emit(payload.stored[...])
    return reference
  }

  private mutating func emit(_ piece: PackedBlocks.Piece) throws(Failure) {
    switch piece {
    case .memory(let bytes): try emit(bytes)
    case .file(let range):
      try sink.shared?.append(range)
      position += range.count
    }
  }

  private mutating func emit(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    try bytes.withBytes(sink.write)
    position += bytes.count
  }
}

extension FrameHeader {
  /// Creates the head of a frame. Throws if the payload is longer than the format allows.
  init(_ kind: FrameKind, _ payload: Payload, place: Int) throws(Failure) {
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
  package init(path: String, node: FileNode) throws(Failure) {
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

/// The pages and the stream of a tree in a package of one generation.
struct TreePlan {
  private(set) var pages: [TreePage] = []
  private(set) var files: [StreamFile] = []

  private var writer = TreePageWriter()
  private var path = SuccessivePath()
  private var end = 0

  /// - Throws: ``Rule/parent`` if `root` is not a directory, and faults of names and links.
  init(_ root: FileNode) throws(Failure) {
    guard case .directory(let directory) = root.storage else { throw FileNode.rootFault }
    try add(directory, at: 0)
    pages = writer.finish()
  }

  /// Adds the children of a directory.
  /// - Parameter start: the offset of their names in a path.
  private mutating func add(_ directory: FileNode.Directory, at start: Int) throws(Failure) {
    for child in directory.children {
      path.replace(from: start, with: child.name)
      // Every name in a directory is valid, so only a long path can break a rule.
      if path.bytes.count >= 2 * Limits.standard.depth {
        try EntryPath.check(path.bytes, limits: .standard, at: .entry(path.text))
      }
      switch child.node.storage {
      case .directory(let directory):
        writer.append(path, .directory, size: 0, offset: 0)
        try add(directory, at: path.bytes.count + 1)
      case .file(let contents, let isExecutable):
        writer.append(
          path, .file(isExecutable: isExecutable), size: contents.size, offset: end)
        guard contents.size > 0 else { continue }
        files.append(StreamFile(contents, path: path.bytes))
        end += contents.size
      case .link(let destination):
        try EntryPath.check(link: destination, from: path.text)
        writer.append(path, .symbolicLink(destination), size: 0, offset: 0)
      }
    }
  }
}

extension FileNode {
  /// Returns this tree with contents in a stream at the offsets of a ``TreePlan``.
  /// - Parameter end: the offset of the first contents, and afterwards the end of the last contents.
  package func stored(in stream: StreamReader, from end: inout Int) -> FileNode {
    switch storage {
    case .link: return self
    case .directory(let directory):
      return FileNode(storage: .directory(directory.mapped { $0.stored(in: stream, from: &end) }))
    case .file(let contents, let isExecutable):
      defer { end += contents.size }
      let stored = FileContents(size: contents.size, origin: .init(stream: stream, offset: end))
      contents.remember(savedAs: stored)
      return FileNode(regularFileWithContents: stored, isExecutable: isExecutable)
    }
  }
}

/// The destination of a package that is written front to back.
package struct PackageSink {
  /// Writes the next bytes, valid during the call only.
  package let write: (UnsafeRawBufferPointer) throws(Failure) -> Void

  /// A file that blocks can be shared with, and a closure that appends one of its ranges. Nil if all bytes have to be
  /// written.
  package var shared: (file: ForeignFile, append: (Range<Int>) throws(Failure) -> Void)?

  package init(
    write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void,
    shared: (file: ForeignFile, append: (Range<Int>) throws(Failure) -> Void)? = nil
  ) {
    (self.write, self.shared) = (write, shared)
  }
}
