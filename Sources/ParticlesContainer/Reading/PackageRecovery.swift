public import ParticlesCore

extension Container {
  /// The recoverable part of a flat package that is damaged or cut short: every entry whose contents
  /// are completely in intact blocks.
  public struct Recovery: Sendable {
    /// The recovered tree. Contents are read on access.
    public let root: FileNode

    /// The faults of the file, followed by diagnostics of ``ParticlesCore/Rule/unrecovered``. There is one for each
    /// damaged page of the tree and each damaged block, with its position. There is one for each entry that was not
    /// recovered, with its path as the entry of its location. The entries of a damaged page are unknown. Empty if the
    /// file is sound.
    public let diagnostics: [Diagnostic]

    /// Returns whether contents pass a check of their own. The bytes were read from a block that is damaged somewhere.
    public typealias Confirmation = (_ path: String, _ bytes: [UInt8]) throws(Failure) -> Bool

    /// Reads all of a file and recovers its tree.
    ///
    /// Recovers the last generation whose root is intact.
    /// Without any, as in a file that was cut, recovers the first generation as far as frames follow each
    /// other. A directory whose entry was on a damaged page is created for its recovered children.
    /// - Parameters:
    ///   - source: the file.
    ///   - limits: what reading the package may cost.
    ///   - confirm: decides on contents in a damaged block, as far as it can be decompressed. By default, such
    ///     contents are lost.
    /// - Throws: ``ParticlesCore/Rule/signature``, ``ParticlesCore/Rule/containerVersion``,
    ///   ``ParticlesCore/Rule/limit``, and errors of `confirm` and the source that are not diagnostics. Parts that the
    ///   disk cannot read are treated as damaged.
    public init(
      _ source: ByteSource, limits: Limits = .standard,
      confirming confirm: Confirmation = { _, _ in false }
    ) throws(Failure) {
      (root, diagnostics) = try locating(Location(file: source.name)) { () throws(Failure) in
        let (reader, faults) = try Self.open(source, limits)
        if let reader, faults.isEmpty { return (try reader.tree(), []) }
        var remains = ReadableIndex(limits)
        if let reader { try remains.read(reader) } else { try remains.walk(source) }
        return try Self.rescue(remains, source, faults, limits, confirm)
      }
    }

    /// Returns the last generation whose root is intact, and the faults of the file.
    private static func open(
      _ source: ByteSource, _ limits: Limits
    ) throws(Failure) -> (ContainerReader?, [Diagnostic]) {
      var faults: [Diagnostic] = []
      guard let reader = try lastGeneration(of: source, limits, &faults) else {
        return (nil, faults)
      }
      do throws(Failure) {
        faults += try reader.verify(.full, earlier: nil)
      } catch {
        guard let fault = Diagnostic.of(error) else { throw error }
        faults.append(fault)
      }
      return (reader, faults)
    }

    /// Returns the result of `body`, or nil if `body` reads something damaged or unreadable.
    static func attempt<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
      do throws(Failure) {
        return try body()
      } catch {
        guard let fault = Diagnostic.of(error), fault.rule != .limit else { throw error }
        return nil
      }
    }

    /// Returns the last generation whose root is intact, even if the header is damaged, or nil if none.
    private static func lastGeneration(
      of source: ByteSource, _ limits: Limits, _ faults: inout [Diagnostic]
    ) throws(Failure) -> ContainerReader? {
      do throws(Failure) {
        return try ContainerReader(source, limits: limits)
      } catch {
        guard let fault = Diagnostic.of(error),
          ![.signature, .containerVersion, .limit].contains(fault.rule)
        else { throw error }
        faults.append(fault)
      }
      var next = try attempt { () throws(Failure) in try lastFooter(of: source) } ?? nil
      while let footer = next {
        let reader = try attempt { () throws(Failure) in
          try ContainerReader(source, limits: limits, Generation(footer, of: source, limits))
        }
        if let reader { return reader }
        next =
          footer.previous < footer.position
          ? try attempt { () throws(Failure) in
            try Generation.intactFooter(at: footer.previous, of: source)
          } ?? nil
          : nil
      }
      return nil
    }

    /// The footer of the last generation that was committed, as far as that can be told. That is the last footer of a
    /// walk through the frames, or after damaged frames the last intact footer in the rest of the file.
    private static func lastFooter(of source: ByteSource) throws(Failure) -> Footer? {
      var walk = FrameWalk(source)
      let stop: FrameWalk.Stop?
      do throws(Failure) {
        stop = try walk.run(to: source.size)
      } catch {
        guard Diagnostic.of(error)?.rule == .frame else { throw error }
        return try Generation.search(from: Layout.headerSize, of: source)
      }
      switch stop {
      case .fault(_, let position):
        return try Generation.search(from: position, of: source) ?? walk.footer
      case .cut where walk.footer == nil:
        return try Generation.search(from: Layout.headerSize, of: source)
      case .cut, nil: return walk.footer
      }
    }

    private static func rescue(
      _ remains: ReadableIndex, _ source: ByteSource, _ faults: [Diagnostic], _ limits: Limits,
      _ confirm: Confirmation
    ) throws(Failure) -> (FileNode, [Diagnostic]) {
      let blocks = try RescuedBlocks(remains.blocks, source, limits)
      let names: @Sendable () -> [StreamReader.Name] = { [entries = remains.entries] in
        entries.filter { $0.size > 0 }.map { ($0.offset, $0.path) }
      }
      let stream = StreamReader(source, blocks: { blocks.intact }, names: names)
      let doubtful = StreamReader(blocks.source, blocks: { blocks.readable }, names: names)
      let overlapping = Self.overlapping(remains.entries)
      var tree = RescuedTree(makesDirectories: !remains.lostPages.isEmpty)
      var bytes = 0
      var lost: [(entry: Entry, Diagnostic)] = []
      for (index, entry) in remains.entries.enumerated() {
        let range = entry.offset..<entry.offset + entry.size
        let isIntact = isWhole(range, in: blocks.intact)
        let isDoubtful = !isIntact && isWhole(range, in: blocks.readable)
        let contents = FileContents(
          size: entry.size,
          origin: .init(stream: isDoubtful ? doubtful : stream, offset: entry.offset))
        var isSound = overlapping[index] == nil && isIntact
        if isDoubtful, overlapping[index] == nil {
          isSound = try isConfirmed(entry, contents, limits, confirm)
        }
        guard isSound, tree.append(entry, contents)
        else {
          let reason =
            overlapping[index].map { "its contents overlap those of '\($0)'" }
            ?? (isDoubtful ? "its block is damaged, and nothing tells whether its bytes are" : nil)
          let fault = Diagnostic(
            .unrecovered, at: .entry(entry.path), reason, found: "\(entry.size) bytes")
          lost.append((entry, fault))
          continue
        }
        // The bounds of a sound tree apply.
        bytes += entry.size
        try limits.check(bytes, { $0.totalBytes }, "bytes of all entries")
        try limits.checkAmplification(bytes: bytes, from: source.size, of: "a package")
      }
      let damaged = blocks.damaged.lazy.compactMap { lostBlock($0, lost.map { $0.entry }) }
      let all = faults + remains.lostPages + damaged + lost.map { $0.1 }
      return (tree.finish(), all.map { $0.inside(Location(file: source.name)) })
    }

    /// Whether contents that may be damaged pass a check of their own.
    private static func isConfirmed(
      _ entry: Entry, _ contents: FileContents, _ limits: Limits, _ confirm: Confirmation
    ) throws(Failure) -> Bool {
      guard entry.size <= limits.fileBytes,
        let bytes = try attempt({ () throws(Failure) in try contents.bytes() })
      else { return false }
      return try confirm(entry.path, bytes)
    }

    /// The entries whose contents overlap an earlier entry, by their indices, with the path of that entry. The entry
    /// that begins first keeps its contents.
    private static func overlapping(_ entries: [Entry]) -> [Int: String] {
      var result: [Int: String] = [:]
      let files = entries.indices.filter { entries[$0].size > 0 }
        .sorted { (entries[$0].offset, $0) < (entries[$1].offset, $1) }
      var last: Entry?
      for index in files {
        if let last, entries[index].offset < last.offset + last.size {
          result[index] = last.path
        } else {
          last = entries[index]
        }
      }
      return result
    }

    /// The diagnostic of a damaged block with the entries that have contents in it, or nil if none has.
    private static func lostBlock(_ block: Block, _ entries: [Entry]) -> Diagnostic? {
      let names = entries.lazy
        .filter { $0.size > 0 && $0.offset < block.end && block.offset < $0.offset + $0.size }
        .map { "'\($0.path)'" }
      let shown = Array(names.prefix(6))
      guard !shown.isEmpty else { return nil }
      let list = shown.prefix(5).joined(separator: ", ") + (shown.count > 5 ? ", …" : "")
      return Diagnostic(
        .unrecovered, at: .offset(block.frame.position),
        "a block of \(block.rawLength) bytes with contents of \(list)")
    }

    /// Whether the blocks contain every byte of a range.
    private static func isWhole(_ range: Range<Int>, in blocks: [Block]) -> Bool {
      var position = range.lowerBound
      var index = blocks.partitioningIndex { $0.end > position }
      while position < range.upperBound {
        guard index < blocks.count, blocks[index].offset <= position else { return false }
        position = blocks[index].end
        index += 1
      }
      return true
    }
  }
}

/// The readable part of the index of a damaged package.
struct ReadableIndex {
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
  mutating func read(_ reader: ContainerReader) throws(Failure) {
    for (index, page) in reader.root.pages.enumerated() {
      try addPage(page.frame, "\(page.entries) entries") { () throws(Failure) in
        try reader.page(index)
      }
    }
    if let blocks = try Recovery.attempt({ () throws(Failure) in try reader.blocks() }) {
      self.blocks = blocks
    } else {
      // Without the tables, the heads of the blocks state their places.
      var walk = FrameWalk(reader.source)
      _ = try Recovery.attempt { () throws(Failure) in try walk.run(to: reader.source.size) }
      blocks = walk.blocks
    }
  }

  /// Reads the first generation, as far as frames follow each other.
  mutating func walk(_ source: ByteSource) throws(Failure) {
    var walk = FrameWalk(source)
    _ = try Recovery.attempt { () throws(Failure) in try walk.run(to: source.size) }
    for frame in walk.frames.prefix(while: { $0.kind == .tree }) {
      let position = frame.reference.position
      try addPage(frame.reference, "entries") { [limits] () throws(Failure) in
        try source.withPayload(of: frame.reference, .tree) { payload throws(Failure) in
          try TreePage.decode(payload, at: position, limits: limits)
        }
      }
    }
    blocks = walk.blocks
  }

  private mutating func addPage(
    _ frame: FrameReference, _ what: String, _ read: () throws(Failure) -> [Entry]
  ) throws(Failure) {
    pageBytes += frame.length
    guard let page = try Recovery.attempt(read) else {
      return lostPages.append(
        Diagnostic(.unrecovered, at: .offset(frame.position), "\(what) on a page of the tree"))
    }
    entries += page
    try limits.check(entries.count, { $0.entries }, "entries")
    try limits.checkAmplification(entries: entries.count, from: pageBytes, of: "pages")
    pathBytes += page.reduce(0) { $0 + $1.path.utf8.count }
    try limits.check(pathBytes, { $0.indexBytes }, "bytes of all paths")
  }
}

/// The blocks of a damaged package.
struct RescuedBlocks {
  /// The intact blocks, in the order of the stream.
  private(set) var intact: [Block] = []
  private(set) var damaged: [Block] = []
  /// The blocks that can be read from ``source``: intact blocks, damaged blocks that are not compressed, and damaged
  /// blocks as far as they can be decompressed.
  private(set) var readable: [Block] = []
  /// The file, with frames behind its end for what damaged blocks hold.
  private(set) var source: ByteSource

  init(_ blocks: [Block], _ source: ByteSource, _ limits: Limits) throws(Failure) {
    let unpacker = BlockUnpacker()
    var frames: [UInt8] = []
    for block in blocks {
      if try Recovery.attempt({ () throws(Failure) in try unpacker.unpack(block, from: source) })
        != nil
      {
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
  private static func remains(of block: Block, in source: ByteSource) throws(Failure) -> [UInt8]? {
    let start = block.frame.position + Layout.frameHeaderSize
    let stored = block.frame.length - Layout.frameHeaderSize
    let read = try Recovery.attempt { () throws(Failure) in
      try source.bytes(at: start, count: stored)
    }
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
      let piece = try Recovery.attempt { () throws(Failure) in
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized throws(Failure) in
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
  mutating func append(_ entry: Entry, _ contents: FileContents) -> Bool {
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
