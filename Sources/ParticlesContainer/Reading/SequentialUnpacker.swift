public import ParticlesCore

extension Container {
  /// Unpacks a flat package as it arrives, for example from a pipe, without storing it.
  ///
  /// The directory appears at its path when the footer has arrived and all checks have passed. A
  /// package that was saved by appending cannot be unpacked this way; an unfinished save after the
  /// first generation is ignored and reported.
  /// - Parameters:
  ///   - name: the name of the source, for messages.
  ///   - path: the path of the new directory; its parent must exist.
  ///   - replacing: whether an existing directory may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk; if not, a loss of
  ///     power soon afterwards may truncate files.
  ///   - limits: what reading the package may cost.
  ///   - warn: called with ``ParticlesCore/Rule/torn`` if an unfinished save was found and ignored.
  ///   - read: returns the next bytes, at least one and at most as many as asked for; none at the end.
  ///     It is called on the thread of the caller. To stop the work, throw.
  /// - Returns: the number of regular files.
  /// - Throws: the errors of opening a package and reading contents;
  ///   ``ParticlesCore/Rule/generations``; ``ParticlesCore/Rule/fileExists`` and others of the family
  ///   `file`; errors of `read`.
  @discardableResult
  public static func unpack(
    name: String, toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    limits: Limits = .standard, warn: (Diagnostic) -> Void = { _ in },
    read: @escaping (_ count: Int) throws -> [UInt8]
  ) throws -> Int {
    var files = 0
    try SafeSave.directory(path, replacing: replacing) { temporary in
      let folder = try FolderWriter(temporary)
      try locating(Location(file: name)) {
        var unpacker = SequentialUnpacker(folder: folder, limits: limits, read: read)
        files = try unpacker.run()
        if let warning = unpacker.warning { warn(warning.inside(Location(file: name))) }
      }
      if synchronizing { try folder.synchronize() }
    }
    return files
  }
}

/// Reads frame after frame and writes files as their bytes arrive.
private struct SequentialUnpacker: ~Copyable {
  let folder: FolderWriter
  let limits: Limits
  let read: (Int) throws -> [UInt8]

  /// The unfinished save that was ignored.
  private(set) var warning: Diagnostic?

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

  init(folder: FolderWriter, limits: Limits, read: @escaping (Int) throws -> [UInt8]) {
    self.folder = folder
    self.limits = limits
    self.read = read
    tree = TreePageReader(limits: limits)
  }

  mutating func run() throws -> Int {
    try Header.check(try take(Layout.headerSize))
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
        case .data: try takeBlock(frame, at: start)
        case .blocks: try takeTable(frame, at: start)
        case .root: try takeRoot(frame, at: start)
        case .done: try finish(try Footer(decoding: bytes, at: start))
        }
      }
    } while previous != .done
    return entries.count(where: \.isFile)
  }

  // MARK: Bytes

  private mutating func take(_ count: Int) throws -> [UInt8] {
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
  private mutating func nextFrame() throws -> [UInt8] {
    let start = position
    let bytes = try take(Layout.frameHeaderSize)
    let head = try FrameHeader(bytes, at: start)
    try head.check(after: previous, at: start, streamEnd: blocks.last?.end ?? 0)
    previous = head.kind
    return try bytes + take(head.storedLength)
  }

  // MARK: Frames

  private mutating func takePage(_ frame: Frame, at start: Int) throws {
    let first = entries.count
    try tree.forEachEntry(of: frame.unpacked(), at: start) { entry in
      try check.check(entry)
      entries.append(entry.entry)
      try limits.check(entries.count, \.entries, "entries")
    }
    root.pages.append(
      .init(
        firstPath: entries[first].path,
        frame: .init(position: start, length: frame.head.frameLength),
        entries: entries.count - first))
  }

  /// Creates folders and empty files, once the tree is known.
  private mutating func beginContents() throws {
    try check.finish(streamSize: .max, fileSize: nil, limits: limits)
    try limits.checkAmplification(
      entries: entries.count, from: root.pages.reduce(0) { $0 + $1.frame.length }, of: "pages")
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

  private mutating func takeBlock(_ frame: Frame, at start: Int) throws {
    let offset = blocks.last?.end ?? 0
    let block = Block(
      offset: offset, rawLength: frame.head.rawLength,
      frame: .init(position: start, length: frame.head.frameLength))
    blocks.append(block)
    // Each takes at least two bytes of the table.
    try limits.check(2 * blocks.count, \.indexBytes, "bytes of the table of blocks")
    try limits.checkAmplification(bytes: block.end, from: position, of: "a package")
    let bytes = try frame.unpacked()
    while let entry = waiting.first, entry.offset < block.end {
      let end = min(entry.offset + entry.size, block.end)
      let piece = bytes[(max(entry.offset, offset) - offset)..<(end - offset)]
      if open == nil {
        open = try folder.createFile(
          entry.path, executable: entry.kind == .file(isExecutable: true))
      }
      try piece.withUnsafeBytes { try open?.write($0) }
      guard end == entry.offset + entry.size else { break }
      waiting.removeFirst()
      open = nil
    }
  }

  private mutating func takeTable(_ frame: Frame, at start: Int) throws {
    let table = Root.Table(
      frame: .init(position: start, length: frame.head.frameLength), bytes: blocks.last?.end ?? 0)
    var told: [Block] = []
    try frame.withPayload {
      try BlockTable.decode($0, table, after: Layout.headerSize, into: &told)
    }
    guard told == blocks else {
      throw Diagnostic(.index, at: .offset(start), "the table does not list the blocks before it")
    }
    root.tables.append(table)
  }

  private mutating func takeRoot(_ frame: Frame, at start: Int) throws {
    let told = try frame.withPayload { try Root(decoding: $0, at: start, limits: limits) }
    guard told == root, waiting.isEmpty else {
      throw Diagnostic(.index, at: .offset(start), "the root does not list the frames before it")
    }
    rootPosition = start
  }

  private mutating func finish(_ footer: Footer) throws {
    try footer.check(after: nil)
    try footer.check(root: rootPosition)
    for entry in entries {
      if case .symbolicLink(let destination) = entry.kind {
        try folder.makeLink(entry.path, to: destination)
      }
    }
    var tail = Tail(after: footer, streamSize: blocks.last?.end ?? 0)
    while case let more = try read(Tail.pieceSize), !more.isEmpty { try tail.append(more) }
    warning = try tail.finish()
  }
}
