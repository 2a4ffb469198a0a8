public import ParticlesCore
internal import Synchronization

/// An open flat package: finds entries and reads their contents without reading anything else.
///
/// Opening reads the end of the file; a lookup reads one page of the tree; contents are read block
/// by block. All of it comes from the generation that was committed when the package was opened,
/// and every byte is checked before it is used. May be used from several threads.
public final class ContainerReader: BlockStore {
  /// What could be read but is not as it should be: an unfinished save behind the last finished
  /// one, for example.
  public let warnings: [Diagnostic]

  let source: ByteSource
  let limits: Limits
  let footer: Footer
  let root: Root

  private let tail: Tail
  private let state = Mutex(State())

  /// The last bytes of the file, which most of what opening needs stands in.
  private struct Tail: Sendable {
    static let size = 32 << 10
    var offset: Int
    var bytes: [UInt8]
  }

  private struct State {
    let inflate = Inflate()
    var blocks: [Block]?
    var lastBlock: (index: Int, bytes: [UInt8])?
    var lastPage: (index: Int, entries: [Entry])?
  }

  /// Opens a package.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container` or `limit`, or what reading
  ///   the source throws.
  public init(_ source: ByteSource, limits: Limits = .standard) throws {
    self.source = source
    self.limits = limits
    (tail, footer, root, warnings) = try locating(Location(file: source.name)) {
      let tailSize = min(source.size, Tail.size)
      let tail = Tail(
        offset: source.size - tailSize,
        bytes: try source.bytes(at: source.size - tailSize, count: tailSize))
      let headSize = min(source.size, Layout.headerSize)
      try Header.check(try Self.bytes(source, tail, at: 0, count: headSize))
      let footer = try Self.lastFooter(source, tail)
      let reference = FrameReference(position: footer.root, length: footer.position - footer.root)
      let frame = try Self.bytes(source, tail, at: reference.position, count: reference.length)
      let payload = try Frame(frame, reference, .root, place: reference.position)
        .unpacked(Inflate())
      let root = try Root(decoding: payload, at: footer.root, limits: limits)
      var warnings: [Diagnostic] = []
      if footer.end < source.size {
        warnings.append(
          Diagnostic(
            .torn, at: Location(file: source.name, position: .offset(footer.end)),
            found: "\(source.size - footer.end) bytes"))
      }
      return (tail, footer, root, warnings)
    }
  }

  /// How many generations the package has gone through; 1 unless it was saved by appending.
  public var generation: Int { footer.generation }

  /// How many entries there are.
  public var entryCount: Int { root.pages.reduce(0) { $0 + $1.entries } }

  /// The size of the file in bytes.
  public var fileSize: Int { source.size }

  /// How many bytes the stream of contents has, those of replaced files included.
  var streamSize: Int { root.tables.reduce(0) { $0 + $1.bytes } }

  // MARK: Bytes

  private static func bytes(
    _ source: ByteSource, _ tail: Tail, at offset: Int, count: Int
  ) throws -> [UInt8] {
    if offset >= tail.offset {
      let start = offset - tail.offset
      return Array(tail.bytes[start..<start + count])
    }
    return try source.bytes(at: offset, count: count)
  }

  /// The footer that ends the file, or the last one in it if something unfinished follows.
  private static func lastFooter(_ source: ByteSource, _ tail: Tail) throws -> Footer {
    let size = Layout.footerSize
    let last = source.size - size
    if last >= Layout.headerSize,
      let footer = try? Footer(decoding: bytes(source, tail, at: last, count: size), at: last)
    {
      return footer
    }
    var end = source.size
    while end >= Layout.headerSize + size {
      // Windows overlap by a footer, so that none is cut in two.
      let start = max(Layout.headerSize, end - (1 << 20))
      let window = try source.bytes(at: start, count: end - start)
      for index in stride(from: window.count - size, through: 0, by: -1)
      where window[index] == UInt8(ascii: "D") {
        let candidate = Array(window[index..<index + size])
        if let footer = try? Footer(decoding: candidate, at: start + index) { return footer }
      }
      if start == Layout.headerSize { break }
      end = start + size - 1
    }
    throw Diagnostic(
      .truncated, at: .offset(source.size), expected: "the footer of a finished save",
      found: "the end of the file")
  }

  func frame(
    _ reference: FrameReference, _ kind: FrameKind, place: Int
  ) throws -> Frame {
    let bytes = try Self.bytes(source, tail, at: reference.position, count: reference.length)
    return try Frame(bytes, reference, kind, place: place)
  }

  // MARK: Tree

  /// The entry at a path, or nil if there is none.
  public func entry(_ path: String) throws -> Entry? {
    let path = UnicodeForms.composed(path)
    let behind = root.pages.partitioningIndex { EntryPath.precedes(path.utf8, $0.firstPath.utf8) }
    guard behind > 0 else { return nil }
    let entries = try page(behind - 1)
    let index = entries.partitioningIndex { !EntryPath.precedes($0.path.utf8, path.utf8) }
    return index < entries.count && entries[index].path == path ? entries[index] : nil
  }

  /// The entries of a page, checked against what the root says of it.
  func page(_ index: Int) throws -> [Entry] {
    try locating(Location(file: source.name)) {
      try state.withLock { state in
        if let page = state.lastPage, page.index == index { return page.entries }
        let page = root.pages[index]
        let payload = try frame(page.frame, .tree, place: page.frame.position)
          .unpacked(state.inflate)
        let entries = try TreePage.decode(payload, at: page.frame.position, limits: limits)
        guard entries.count == page.entries, entries.first?.path == page.firstPath else {
          throw pageMismatch(
            page, found: "\(entries.count) from '\(entries.first?.path ?? "")' on")
        }
        state.lastPage = (index, entries)
        return entries
      }
    }
  }

  func pageMismatch(_ page: Root.Page, found: String) -> Diagnostic {
    Diagnostic(
      .index, at: .offset(page.frame.position), "a tree page is not the one referred to",
      expected: "\(page.entries) entries from '\(page.firstPath)' on", found: found)
  }

  // MARK: Contents

  /// The contents of a regular file, to be read when asked for.
  public func contents(of entry: Entry) -> FileContents {
    FileContents(
      size: entry.size,
      origin: .init(
        store: self, offset: entry.offset,
        location: Location(file: source.name, entry: entry.path)))
  }

  /// All blocks, in the order of the stream.
  func blocks() throws -> [Block] {
    try locating(Location(file: source.name)) { try state.withLock { try blocks(&$0) } }
  }

  private func blocks(_ state: inout State) throws -> [Block] {
    if let blocks = state.blocks { return blocks }
    var blocks: [Block] = []
    var offset = 0
    for table in root.tables {
      let payload = try frame(table.frame, .blocks, place: table.frame.position)
        .unpacked(state.inflate)
      blocks += try BlockTable.decode(payload, table, streamOffset: offset)
      offset += table.bytes
    }
    state.blocks = blocks
    return blocks
  }

  /// Fills `buffer` with the bytes of the stream from `start` on.
  package func read(stream start: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    try state.withLock { state in
      let blocks = try blocks(&state)
      let end = start + buffer.count
      guard end <= blocks.last?.end ?? 0 else {
        throw Diagnostic(
          .extent, expected: "at most \(blocks.last?.end ?? 0)", found: "bytes up to \(end)")
      }
      var index = blocks.partitioningIndex { $0.end > start }
      var offset = start
      while offset < end {
        let block = blocks[index]
        let count = min(block.end, end) - offset
        let target = UnsafeMutableRawBufferPointer(
          rebasing: buffer[(offset - start)..<(offset - start + count)])
        if count == block.rawLength {
          try frame(block.frame, .data, place: block.offset).unpack(state.inflate, into: target)
        } else {
          let from = offset - block.offset
          target.copyBytes(from: try bytes(of: block, index, &state)[from..<from + count])
        }
        offset += count
        index += 1
      }
    }
  }

  /// See ``BlockStore``. The checksum of the block is checked.
  package func payload(exactly range: Range<Int>) throws -> [UInt8]? {
    let blocks = try blocks()
    let index = blocks.partitioningIndex { $0.offset >= range.lowerBound }
    guard index < blocks.count, blocks[index].offset == range.lowerBound,
      blocks[index].rawLength == range.count
    else { return nil }
    return try locating(Location(file: source.name)) {
      try frame(blocks[index].frame, .data, place: range.lowerBound).stored
    }
  }

  /// A block unpacked; the last one is kept, since small files share blocks.
  private func bytes(of block: Block, _ index: Int, _ state: inout State) throws -> [UInt8] {
    if let last = state.lastBlock, last.index == index { return last.bytes }
    let frame = try frame(block.frame, .data, place: block.offset)
    guard frame.head.rawLength == block.rawLength else {
      throw Diagnostic(
        .frame, at: .offset(block.frame.position), "unpacked length of a block",
        expected: "\(block.rawLength)", found: "\(frame.head.rawLength)")
    }
    let bytes = try frame.unpacked(state.inflate)
    state.lastBlock = (index, bytes)
    return bytes
  }
}
