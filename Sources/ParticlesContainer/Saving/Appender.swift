internal import ParticlesCore

/// The operations on the file that a generation is appended to; tests replace them.
package struct AppendTarget {
  /// Writes bytes at a position.
  package var write: (UnsafeRawBufferPointer, _ position: Int) throws -> Void
  /// Truncates the file to a size.
  package var truncate: (_ size: Int) throws -> Void
  /// Waits until everything has reached the disk.
  package var synchronize: () throws -> Void

  package init(
    write: @escaping (UnsafeRawBufferPointer, _ position: Int) throws -> Void,
    truncate: @escaping (_ size: Int) throws -> Void, synchronize: @escaping () throws -> Void
  ) {
    self.write = write
    self.truncate = truncate
    self.synchronize = synchronize
  }
}

/// Appends a generation to a flat package: changed pages and blocks, a root that refers to them and
/// to the unchanged ones, and a footer that commits them.
package struct Appender {
  private let reader: ContainerReader
  private let target: AppendTarget
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position: Int
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - synchronizing: whether to wait for the disk before the footer is written, and after. If
  ///     not, a loss of power may damage the package.
  /// - Returns: the size of the file in bytes.
  package static func append(
    _ changes: TreeChanges, to reader: ContainerReader, _ target: AppendTarget,
    _ options: PackingOptions = PackingOptions(), synchronizing: Bool
  ) throws -> Int {
    var appender = Appender(reader: reader, target: target, options)
    return try appender.append(changes, synchronizing: synchronizing)
  }

  private init(reader: ContainerReader, target: AppendTarget, _ options: PackingOptions) {
    self.reader = reader
    self.target = target
    self.options = options
    compressor = PayloadCompressor(level: options.level)
    position = reader.footer.end
  }

  private mutating func append(_ changes: TreeChanges, synchronizing: Bool) throws -> Int {
    // Removes an unfinished save after the last finished one.
    if reader.source.size > position { try target.truncate(position) }
    if changes.isEmpty {
      if synchronizing { try target.synchronize() }
      return position
    }
    let (entries, files) = try plan(changes)
    let edits = try PageEdits(reader, written: entries, removed: changes.removed)
    var root = Root()
    for page in edits.pages {
      switch page {
      case .kept(let page): root.pages.append(page)
      case .new(let page):
        root.pages.append(.init(page, try emit(.tree, compressor.compressIndex(page.bytes))))
      }
    }
    root.tables = reader.root.tables
    let blocks = try emitBlocks(files)
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compressIndex(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end - reader.streamSize))
    }
    let rootPosition = try emit(.root, compressor.compressIndex(root.encode())).position
    try flush()
    // The footer commits everything before it, which has to be on the disk first.
    if synchronizing { try target.synchronize() }
    let footer = Footer(
      position: position, generation: reader.generation + 1, root: rootPosition,
      previous: reader.footer.position)
    try emit(footer.encode())
    try flush()
    if synchronizing { try target.synchronize() }
    return position
  }

  /// Returns the entries with their offsets: new contents are appended to the stream.
  private func plan(_ changes: TreeChanges) throws -> ([Entry], [StreamFile]) {
    var files: [StreamFile] = []
    var end = reader.streamSize
    let entries = try changes.written.map { path, node in
      var entry = try Entry(path: path, node: node)
      if let file = node.contents, file.size > 0 {
        entry.offset = end
        end += file.size
        files.append(StreamFile(file, path: Array(path.utf8)))
      }
      return entry
    }
    return (entries, files)
  }

  private mutating func emitBlocks(_ files: [StreamFile]) throws -> [Block] {
    var blocks: [Block] = []
    let place = reader.streamSize
    try BlockPacker.pack(files, at: place, options) { packed in
      blocks.append(packed, at: position, from: place)
      for case .memory(let bytes) in packed.pieces { try emit(bytes) }
    }
    return blocks
  }

  private mutating func emit(_ kind: FrameKind, _ payload: Payload) throws -> FrameReference {
    let head = try FrameHeader(kind, payload, place: position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes + payload.stored)
    return reference
  }

  private mutating func emit(_ bytes: some Collection<UInt8>) throws {
    pending += bytes
    position += bytes.count
    if pending.count >= Layout.blockSize { try flush() }
  }

  private mutating func flush() throws {
    try pending.withUnsafeBytes { try target.write($0, position - pending.count) }
    pending.removeAll(keepingCapacity: true)
  }
}
