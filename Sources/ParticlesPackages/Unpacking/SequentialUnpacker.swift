public import ParticlesCore
public import ParticlesContainer
internal import ParticlesSystem

extension Container {
  /// Unpacks a flat package as it arrives, for example from a pipe, without storing it.
  ///
  /// The directory appears at its path when the bytes have ended and all checks have passed. Accepts the
  /// packages that ``ContainerReader/unpack(toDirectory:replacing:synchronizing:work:)`` accepts. Of a package
  /// that was saved by appending, it keeps the later generations in a temporary file, and the contents are
  /// written a second time. An unfinished save after the last generation is ignored and reported.
  /// - Parameters:
  ///   - name: the name of the source, for messages.
  ///   - path: the path of the new directory. Its parent must exist.
  ///   - replacing: whether an existing directory may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk. If not, a loss of power soon afterwards
  ///     may truncate files.
  ///   - limits: what reading the package may cost.
  ///   - warn: called with ``ParticlesCore/Rule/torn`` if an unfinished save was found and ignored.
  ///   - read: returns the next bytes, at least one and at most as many as asked for, or none at the end. It is called
  ///     on the thread of the caller. To stop the work, throw.
  /// - Returns: the number of regular files.
  /// - Throws: the errors of opening a package and reading contents, ``ParticlesCore/Rule/fileExists`` and others of
  ///   the family `file`, and errors of `read`.
  @discardableResult
  public static func unpack(
    name: String, toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    limits: Limits = .standard, warn: (Diagnostic) -> Void = { _ in },
    read: @escaping (_ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Int {
    var files = 0
    try SafeSave.directory(path, replacing: replacing) { temporary in
      let folder = try FolderWriter(temporary)
      try locating(Location(file: name)) {
        var unpacker = SequentialUnpacker(
          folder: folder, at: temporary, limits: limits, read: read)
        files = try unpacker.run()
        if let warning = unpacker.warning { warn(warning.inside(Location(file: name))) }
      }
      if synchronizing { try folder.synchronize() }
    }
    return files
  }
}

/// Reads the frames of the first generation in order, and writes files as their bytes arrive.
///
/// Only the end of the bytes shows which root is the last one. Until then, a fault in a page or root is kept:
/// it counts only if no other generation follows. If one follows, the package is read again: the index and the
/// later generations from ``KeptBytes``, the first contents from the files that were written.
private struct SequentialUnpacker: ~Copyable {
  let folder: FolderWriter
  let path: String
  let limits: Limits
  let read: (Int) throws(Failure) -> [UInt8]

  /// The unfinished save that was ignored.
  private(set) var warning: Diagnostic?

  /// The first fault in the contents of a page or root. After it, no page is decoded.
  private var fault: Diagnostic?
  /// Everything that another generation would need: the index of the first one, the heads of its blocks, the
  /// blocks with bytes that are in no file, and all bytes after its footer.
  private var kept = KeptBytes()
  /// The indices of the blocks of which the head alone is kept.
  private var writtenBlocks: [Int] = []

  private var position = 0
  private var previous: FrameKind = .done
  private var rootPosition = 0
  private var entries: [Entry] = []
  private var tree: TreePageReader
  private var check = TreeCheck()
  private var root = Root()
  private var blocks: [Block] = []

  /// Files that are not completely written yet, in the order of the stream.
  private var waiting: ArraySlice<Entry> = []
  private var open: OpenFile?

  init(
    folder: FolderWriter, at path: String, limits: Limits,
    read: @escaping (Int) throws(Failure) -> [UInt8]
  ) {
    self.folder = folder
    self.path = path
    self.limits = limits
    self.read = read
    tree = TreePageReader(limits: limits)
  }

  /// Unpacks everything.
  /// - Returns: the number of regular files.
  mutating func run() throws(Failure) -> Int {
    let header = try readBytes(Layout.headerSize)
    try Header.check(header)
    try kept.keep(header, at: 0)
    var files = 0
    var isInTree = true
    repeat {
      let start = position
      let bytes = try nextFrame()
      try bytes.withUnsafeBytes {
        let frame = try Frame($0, at: start)
        if frame.head.kind != .tree, isInTree {
          isInTree = false
          try beginContents()
        }
        switch frame.head.kind {
        case .tree: try takePage(frame, at: start)
        case .data:
          let isWritten = try takeBlock(frame, at: start)
          try kept.keep(isWritten ? Array(bytes[..<Layout.frameHeaderSize]) : bytes, at: start)
          return
        case .blocks: try takeTable(frame, at: start)
        case .root: try takeRoot(frame, at: start)
        case .done: break
        }
        try kept.keep(bytes, at: start)
        if frame.head.kind == .done {
          files = try finish(try Footer(decoding: bytes, at: start))
        }
      }
    } while previous != .done
    return files
  }

  // MARK: Bytes

  private mutating func readBytes(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try read(count - bytes.count)
      guard !more.isEmpty else {
        throw Diagnostic(
          .truncated, at: .offset(position + bytes.count),
          expected: "\(count - bytes.count) more bytes", found: "the end")
      }
      bytes += more
    }
    position += count
    return bytes
  }

  /// Returns head and payload of the next frame.
  private mutating func nextFrame() throws(Failure) -> [UInt8] {
    let start = position
    let bytes = try readBytes(Layout.frameHeaderSize)
    let head = try FrameHeader(bytes, at: start)
    try head.check(after: previous, at: start, streamEnd: blocks.last?.end ?? 0)
    previous = head.kind
    return try bytes + readBytes(head.storedLength)
  }

  // MARK: Frames

  private mutating func takePage(_ frame: Frame, at start: Int) throws(Failure) {
    let first = entries.count
    let payload = try frame.unpacked()
    guard fault == nil else { return }
    do {
      try tree.forEachEntry(of: payload, at: start) { entry in
        try check.check(entry)
        entries.append(entry.entry)
        try limits.check(entries.count, { $0.entries }, "entries")
      }
    } catch let found as Diagnostic {
      fault = found
      return
    }
    root.pages.append(
      .init(
        firstPath: entries[first].path,
        frame: .init(position: start, length: frame.head.frameLength),
        entries: entries.count - first))
  }

  /// Creates folders and empty files, once the tree is known.
  private mutating func beginContents() throws(Failure) {
    do {
      if let fault { throw fault }
      try check.finish(streamSize: .max, fileSize: nil, limits: limits)
      try limits.checkAmplification(
        entries: entries.count, from: root.pages.reduce(0) { $0 + $1.frame.length }, of: "pages")
    } catch let found as Diagnostic {
      // Nothing is written, and all blocks are kept.
      fault = found
      entries = []
      return
    }
    for entry in entries {
      switch entry.kind {
      case .directory: try folder.makeDirectory(entry.path)
      case .file(let isExecutable) where entry.size == 0:
        _ = try folder.createFile(entry.path, executable: isExecutable)
      default: break
      }
    }
    waiting = entries.filter { $0.size > 0 }.sorted { $0.offset < $1.offset }[...]
  }

  /// Writes the parts of files that are in a block.
  /// - Returns: whether that is all of the block.
  private mutating func takeBlock(_ frame: Frame, at start: Int) throws(Failure) -> Bool {
    let offset = blocks.last?.end ?? 0
    let block = Block(
      offset: offset, rawLength: frame.head.rawLength,
      frame: .init(position: start, length: frame.head.frameLength))
    blocks.append(block)
    // Each takes at least two bytes of the table.
    try limits.check(2 * blocks.count, { $0.indexBytes }, "bytes of the table of blocks")
    try limits.checkAmplification(bytes: block.end, from: position, of: "a package")
    let bytes = try frame.unpacked()
    var count = 0
    while let entry = waiting.first, entry.offset < block.end {
      let end = min(entry.offset + entry.size, block.end)
      let piece = bytes[(max(entry.offset, offset) - offset)..<(end - offset)]
      count += piece.count
      if open == nil {
        open = try folder.createFile(
          entry.path, executable: entry.kind == .file(isExecutable: true))
      }
      try piece.withUnsafeBytes { try open?.write($0) }
      guard end == entry.offset + entry.size else { break }
      waiting.removeFirst()
      open = nil
    }
    guard count == block.rawLength else { return false }
    writtenBlocks.append(blocks.count - 1)
    return true
  }

  private mutating func takeTable(_ frame: Frame, at start: Int) throws(Failure) {
    let table = Root.Table(
      frame: .init(position: start, length: frame.head.frameLength), bytes: blocks.last?.end ?? 0)
    var told: [Block] = []
    // Every later root lists the table, too: a fault in it always counts.
    try frame.withPayload {
      try limits.check($0.count, { $0.indexBytes }, "bytes of the tables of blocks")
      try BlockTable.decode($0, table, after: Layout.headerSize, into: &told)
    }
    guard told == blocks else {
      throw Diagnostic(.index, at: .offset(start), "the table does not list the blocks before it")
    }
    root.tables.append(table)
  }

  private mutating func takeRoot(_ frame: Frame, at start: Int) throws(Failure) {
    rootPosition = start
    try frame.withPayload { payload in
      guard fault == nil else { return }
      do {
        guard try Root(decoding: payload, at: start, limits: limits) == root, waiting.isEmpty else {
          throw Diagnostic(
            .index, at: .offset(start), "the root does not list the frames before it")
        }
      } catch let found as Diagnostic {
        fault = found
      }
    }
  }

  /// Reads to the end of the bytes, and completes the tree of the last generation.
  /// - Returns: the number of regular files.
  private mutating func finish(_ footer: Footer) throws(Failure) -> Int {
    try footer.check(after: nil)
    try footer.check(root: rootPosition)
    open = nil
    var tail = TrailingBytes(after: footer, streamSize: blocks.last?.end ?? 0)
    while case let more = try read(TrailingBytes.pieceSize), !more.isEmpty {
      tail.append(more)
      if tail.mayHaveGeneration { try kept.keep(more, at: position) }
      position += more.count
    }
    if tail.hasGeneration { return try unpackLastGeneration() }
    if let fault { throw fault }
    warning = try tail.finish()
    for entry in entries {
      if case .symbolicLink(let destination) = entry.kind {
        try folder.makeLink(entry.path, to: destination)
      }
    }
    return entries.count { $0.isFile }
  }

  // MARK: Later generations

  /// Unpacks a package of several generations, as one in a file is unpacked.
  private mutating func unpackLastGeneration() throws(Failure) -> Int {
    let size = position
    let restored = try restoreBlocks()
    for name in try Files.list(path) { try Files.removeAll(Files.joined(path, name)) }
    let source = try kept.source(size: size)
    let generation = try Generation(walkingThrough: source, limits: limits)
    let all = restored + generation.blocks.dropFirst(blocks.count)
    let stream = StreamReader(
      try kept.source(size: position), blocks: { all },
      names: { [limits, root = generation.root] in ContainerReader.names(root, source, limits) })
    let reader = try ContainerReader(source, limits: limits, generation, stream, scope: .everyFrame)
    let writer = try TreeWriter(reader)
    try writer.write(to: folder, .init())
    warning = reader.warnings.first
    return writer.fileCount
  }

  /// Returns the blocks of the first generation. Blocks that are in files only are kept now, behind everything else and
  /// without compression.
  private mutating func restoreBlocks() throws(Failure) -> [Block] {
    var restored = blocks
    var files = entries.filter { $0.size > 0 }.sorted { $0.offset < $1.offset }[...]
    var open: OpenFile?
    for index in writtenBlocks {
      let block = blocks[index]
      var bytes: [UInt8] = []
      while bytes.count < block.rawLength, let file = files.first {
        let start = block.offset + bytes.count
        let end = min(file.offset + file.size, block.end)
        if start < end {
          let source = try open ?? OpenFile(reading: Files.joined(path, file.path))
          open = source
          bytes += try [UInt8](unsafeUninitializedCapacity: end - start) { buffer, count in
            try source.read(at: start - file.offset, into: UnsafeMutableRawBufferPointer(buffer))
            count = end - start
          }
        }
        if end < file.offset + file.size { break }
        files.removeFirst()
        open = nil
      }
      let head = FrameHeader(
        .data, rawLength: bytes.count, payload: bytes, place: block.offset)
      restored[index].frame = FrameReference(position: position, length: head.frameLength)
      try kept.keep(head.bytes + bytes, at: position)
      position += head.frameLength
    }
    return restored
  }
}

/// Bytes that are kept at their positions: in memory up to 256 KiB, more in a temporary file. Gaps between
/// them read as zeros.
struct KeptBytes: ~Copyable {
  private static let memory = 256 << 10
  /// The memory of a part besides its bytes.
  private static let partSize = 48

  /// The parts in memory.
  private var parts: [(position: Int, bytes: [UInt8])] = []
  private var size = 0
  private var file: OpenFile?

  /// Keeps bytes. Positions ascend.
  mutating func keep(_ bytes: [UInt8], at position: Int) throws(Failure) {
    parts.append((position, bytes))
    size += bytes.count + Self.partSize
    if size > Self.memory { _ = try store() }
  }

  /// Returns the bytes before a position, up to which some are kept.
  mutating func source(size: Int) throws(Failure) -> ByteSource {
    let file = try store()
    return ByteSource(size: size) { try file.read(at: $0, into: $1) }
  }

  /// Moves everything to the file.
  private mutating func store() throws(Failure) -> OpenFile {
    let file = try self.file ?? Files.createAnonymous()
    var start = 0
    var run: [UInt8] = []
    for part in parts {
      // Parts that touch each other are written at once.
      if start + run.count != part.position {
        try run.withUnsafeBytes { try file.write($0, at: start) }
        (start, run) = (part.position, [])
      }
      run += part.bytes
    }
    try run.withUnsafeBytes { try file.write($0, at: start) }
    (parts, size) = ([], 0)
    self.file = file
    return file
  }
}
