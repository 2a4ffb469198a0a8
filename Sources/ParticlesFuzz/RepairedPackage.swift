internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesSystem

/// Repairs an input that resembles a flat package, so that the reader does not stop at its first
/// checksum.
///
/// The frames of the input are copied one by one, as far as their lengths allow, with correct
/// checksums. The bits of the original checksum select further repairs of the frame. Usually none is
/// selected, so that a package with one fault is sound everywhere else.
struct RepairedPackage {
  /// The repairs of a frame, selected by the bits of its checksum.
  private struct Repairs: OptionSet {
    let rawValue: UInt32
    /// Tables, roots and footers are not copied but generated from the preceding frames.
    static let index = Repairs(rawValue: 1)
    /// The payload is compressed if it becomes shorter.
    static let compression = Repairs(rawValue: 2)
    /// The offset is copied from the input. Otherwise, it is corrected.
    static let keepsPlace = Repairs(rawValue: 4)
    /// The unpacked length is copied from the input. Otherwise, it is corrected.
    static let keepsRawLength = Repairs(rawValue: 8)
  }

  /// The package.
  private(set) var bytes: [UInt8]

  private var root = Root()
  private var blocks: [Block] = []
  private var streamEnd = 0
  private var previous: FrameKind = .done
  private var rootPosition = 0
  private var footer = (generation: 0, position: 0)
  private var startsGeneration = true

  init(_ input: [UInt8]) {
    var writer = ByteWriter()
    writer.write(Layout.signature)
    writer.write([Layout.versionToRead, Layout.versionToWrite, 0])
    writer.u32(CRC32.checksum(writer.bytes))
    bytes = writer.bytes
    var reader = ByteReader(input, rule: .truncated)
    try? reader.seek(to: min(Layout.headerSize, input.count))
    while (try? copyFrame(&reader)) != nil {}
    if previous != .done { finish() }
  }

  /// Copies a frame of the input. Throws where there is none left.
  private mutating func copyFrame(_ reader: inout ByteReader) throws {
    let tag = try reader.u32()
    let kinds = FrameKind.allCases
    let kind = FrameKind(rawValue: tag) ?? kinds[Int(tag & 0xFF) % kinds.count]
    let rawLength = Int(try reader.u32())
    let storedLength = Int(try reader.u32())
    let place = Int(clamping: try reader.littleEndian(8))
    let repairs = Repairs(rawValue: try reader.u32())
    let payload = Array(try reader.read(min(storedLength, reader.remaining)))
    if repairs.contains(.index), [.blocks, .root, .done].contains(kind) { return make(kind) }
    write(
      kind, payload, rawLength: repairs.contains(.keepsRawLength) ? rawLength : nil,
      place: repairs.contains(.keepsPlace) ? place : nil,
      compressing: repairs.contains(.compression))
  }

  private mutating func write(
    _ kind: FrameKind, _ payload: [UInt8], rawLength: Int? = nil, place: Int? = nil,
    compressing: Bool = false
  ) {
    let packed = payload.withUnsafeBytes { Deflate(level: 1).zlib($0, limit: payload.count - 1) }
    let stored = compressing ? packed ?? payload : payload
    let head = FrameHeader(
      kind, rawLength: rawLength ?? payload.count, payload: stored,
      place: place ?? (kind == .data ? streamEnd : bytes.count))
    let frame = FrameReference(position: bytes.count, length: head.frameLength)
    bytes += head.bytes + stored
    remember(head, payload, frame)
  }

  private mutating func remember(
    _ head: FrameHeader, _ payload: [UInt8], _ frame: FrameReference
  ) {
    switch head.kind {
    case .tree:
      // Pages of a generation replace the pages of the previous generation. A generation may have none.
      if startsGeneration { root.pages = [] }
      startsGeneration = false
      root.pages.append(page(payload, frame))
    case .data:
      blocks.append(Block(offset: streamEnd, rawLength: head.rawLength, frame: frame))
      streamEnd += head.rawLength
    case .blocks:
      let length = blocks.reduce(0) { $0 + $1.rawLength }
      if length > 0 { root.tables.append(.init(frame: frame, bytes: length)) }
      blocks = []
    case .root: rootPosition = frame.position
    case .done:
      footer = (footer.generation + 1, frame.position)
      startsGeneration = true
    }
    previous = head.kind
  }

  /// The entry of a root for a page: the range of its paths, as far as the page can be read.
  private func page(_ payload: [UInt8], _ frame: FrameReference) -> Root.Page {
    var page = Root.Page(firstPath: "a", frame: frame, entries: 0)
    var reader = TreePageReader(limits: .standard)
    try? reader.forEachEntry(of: payload, at: 0) { entry in
      if page.entries == 0 { page.firstPath = entry.pathText }
      page.entries += 1
    }
    page.entries = max(1, page.entries)
    return page
  }

  /// Writes a correct frame of the index.
  private mutating func make(_ kind: FrameKind) {
    switch kind {
    case .blocks: write(.blocks, BlockTable.encode(blocks))
    case .root: write(.root, root.encode())
    default:
      if previous != .root { make(.root) }
      let end = Footer(
        position: bytes.count, generation: footer.generation + 1, root: rootPosition,
        previous: footer.position)
      write(.done, Array(end.encode().dropFirst(Layout.frameHeaderSize)))
    }
  }

  /// Completes the package, wherever the input ends.
  private mutating func finish() {
    if !blocks.isEmpty { make(.blocks) }
    make(.done)
  }
}
