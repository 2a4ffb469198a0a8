internal import ParticlesCore

/// The readable part of the index of a damaged package.
struct Remains {
  /// The entries of intact pages of the tree, in order.
  private(set) var entries: [Entry] = []
  /// A diagnostic for each damaged page.
  private(set) var lostPages: [Diagnostic] = []
  /// The blocks, intact or not, in the order of the stream.
  private(set) var blocks: [Block] = []

  private let limits: Limits
  private var pathBytes = 0
  private var pageBytes = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Reads the rest of a generation whose root is intact.
  mutating func take(_ reader: ContainerReader) throws {
    for (index, page) in reader.root.pages.enumerated() {
      try take(page.frame, "\(page.entries) entries") { try reader.page(index) }
    }
    if let blocks = try Recovery.attempt({ try reader.blocks() }) {
      self.blocks = blocks
    } else {
      // Without the tables, the heads of the blocks state their places.
      var walk = FrameWalk(reader.source)
      _ = try Recovery.attempt { try walk.run(to: reader.source.size) }
      blocks = walk.blocks
    }
  }

  /// Reads the first generation, as far as frames follow each other.
  mutating func walk(_ source: ByteSource) throws {
    var walk = FrameWalk(source)
    _ = try Recovery.attempt { try walk.run(to: source.size) }
    for frame in walk.frames.prefix(while: { $0.kind == .tree }) {
      let position = frame.reference.position
      try take(frame.reference, "entries") { [limits] in
        try source.withPayload(of: frame.reference, .tree) {
          try TreePage.decode($0, at: position, limits: limits)
        }
      }
    }
    blocks = walk.blocks
  }

  private mutating func take(
    _ frame: FrameReference, _ what: String, _ read: () throws -> [Entry]
  ) throws {
    pageBytes += frame.length
    guard let page = try Recovery.attempt(read) else {
      return lostPages.append(
        Diagnostic(.unrecovered, at: .offset(frame.position), "\(what) on a page of the tree"))
    }
    entries += page
    try limits.check(entries.count, \.entries, "entries")
    try limits.checkAmplification(entries: entries.count, from: pageBytes, of: "pages")
    pathBytes += page.reduce(0) { $0 + $1.path.utf8.count }
    try limits.check(pathBytes, \.indexBytes, "bytes of all paths")
  }
}

/// The blocks of a damaged package.
struct RescuedBlocks {
  /// Those that are intact, in the order of the stream.
  private(set) var intact: [Block] = []
  /// Those that are damaged.
  private(set) var damaged: [Block] = []
  /// Those that can be read from ``source``: the intact ones, damaged ones that are not compressed, and
  /// damaged ones as far as they can be decompressed.
  private(set) var readable: [Block] = []
  /// The file, with frames behind its end for what damaged blocks hold.
  private(set) var source: ByteSource

  init(_ blocks: [Block], _ source: ByteSource, _ limits: Limits) throws {
    let unpacker = BlockUnpacker()
    var frames: [UInt8] = []
    for block in blocks {
      if try Recovery.attempt({ try unpacker.unpack(block, from: source) }) != nil {
        intact.append(block)
        readable.append(block)
        continue
      }
      damaged.append(block)
      guard frames.count <= limits.fileBytes,
        let bytes = try Self.remains(of: block, in: source), !bytes.isEmpty
      else { continue }
      let head = FrameHeader(.data, rawLength: bytes.count, payload: bytes, place: block.offset)
      readable.append(
        Block(
          offset: block.offset, rawLength: bytes.count,
          frame: .init(position: source.size + frames.count, length: head.frameLength)))
      frames += head.bytes + bytes
    }
    self.source = source.followed(by: frames)
  }

  /// Returns the bytes of a damaged block, right or wrong, as far as they can be decompressed.
  private static func remains(of block: Block, in source: ByteSource) throws -> [UInt8]? {
    let start = block.frame.position + Layout.frameHeaderSize
    let stored = block.frame.length - Layout.frameHeaderSize
    let read = try Recovery.attempt { try source.bytes(at: start, count: stored) }
    guard let payload = read, stored < block.rawLength else { return read }
    var rest = payload[...]
    let stream = InflateStream(.automatic, rule: .payload) { buffer in
      let piece = rest.prefix(buffer.count)
      rest = rest.dropFirst(piece.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    // In pieces, because a piece with a fault is lost.
    var bytes: [UInt8] = []
    while bytes.count < block.rawLength, !stream.isAtEnd {
      let count = min(64, block.rawLength - bytes.count)
      let piece = try Recovery.attempt {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
          initialized = try stream.read(
            into: UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
        }
      }
      guard let piece else { break }
      bytes += piece
    }
    return bytes
  }
}

/// Builds a valid tree from recovered entries: in order, each entry in a directory, without twins.
struct RescuedTree {
  private var builder = TreeBuilder()
  private var directories: Set<Substring> = [""]
  private var names: Set<String> = []
  private var last = ""
  private let makesDirectories: Bool

  /// - Parameter makesDirectories: whether missing directories are created, because their entries may
  ///   have been on damaged pages.
  init(makesDirectories: Bool) { self.makesDirectories = makesDirectories }

  /// Appends an entry if the tree stays valid.
  /// - Returns: whether the entry was appended.
  mutating func take(_ entry: Entry, _ contents: FileContents) -> Bool {
    guard last.isEmpty || EntryPath.precedes(last.utf8, entry.path.utf8),
      isThere(EntryPath.parent(of: entry.path)),
      names.insert(UnicodeForms.folded(entry.path)).inserted
    else { return false }
    add(entry, contents)
    return true
  }

  /// Returns the root after the last entry.
  mutating func finish() -> FileNode { builder.finish() }

  /// Whether a directory exists. A missing one is created if its name is free.
  private mutating func isThere(_ directory: Substring) -> Bool {
    if directories.contains(directory) { return true }
    let path = String(directory)
    guard makesDirectories, isThere(EntryPath.parent(of: path)),
      names.insert(UnicodeForms.folded(path)).inserted
    else { return false }
    add(Entry(path: path, kind: .directory), FileContents([]))
    return true
  }

  private mutating func add(_ entry: Entry, _ contents: FileContents) {
    if entry.kind == .directory { directories.insert(entry.path[...]) }
    builder.append(entry, contents: contents)
    last = entry.path
  }
}
