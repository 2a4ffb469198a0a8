package import ParticlesCore

/// The kind of a frame. The number is its tag: four letters read as a little-endian integer.
package enum FrameKind: UInt32, Sendable, CaseIterable {
  /// `TREE`: entries.
  case tree = 0x4545_5254
  /// `DATA`: a block of the stream of contents.
  case data = 0x4154_4144
  /// `BLKS`: the lengths of the blocks of a generation.
  case blocks = 0x534B_4C42
  /// `ROOT`: which pages and tables make up the package now.
  case root = 0x544F_4F52
  /// `DONE`: the footer, which commits a generation.
  case done = 0x454E_4F44

  /// The largest unpacked payload in bytes.
  var limit: Int {
    switch self {
    case .tree, .data: Layout.pageLimit
    case .blocks, .root: Layout.indexLimit
    case .done: Layout.footerPayloadSize
    }
  }

  /// The kinds that may follow. A generation has pages, blocks, their table if there are any, root and footer. The
  /// first frame of a file has the rule of a frame after a footer.
  var followers: [FrameKind] {
    switch self {
    case .done, .tree: [.tree, .data, .root]
    case .data: [.data, .blocks]
    case .blocks: [.root]
    case .root: [.done]
    }
  }

  /// The tag as text.
  package var name: String {
    String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) }, as: UTF8.self)
  }
}

/// The head of a frame: the 24 bytes before each payload.
package struct FrameHeader: Sendable, Hashable {
  package var kind: FrameKind
  /// The length of the payload when unpacked.
  package var rawLength: Int
  /// The length of the payload in the file. A payload is compressed if this is less.
  package var storedLength: Int
  /// For blocks, their offset in the stream of contents. For other frames, their position in the file.
  package var place: Int
  /// CRC-32 of the fields above and the stored payload.
  package var checksum: UInt32

  /// The length of the frame, head and payload.
  package var frameLength: Int { Layout.frameHeaderSize + storedLength }

  package var isCompressed: Bool { storedLength < rawLength }

  /// Decodes a head and checks all but the checksum, which covers the payload too.
  /// - Parameter offset: the position of the frame in the file.
  package init(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    self = try bytes.withBytes { bytes throws(Failure) in try FrameHeader(bytes, at: offset) }
  }

  /// Decodes a head and checks all but the checksum, which covers the payload too.
  /// - Parameters:
  ///   - bytes: begin with the head.
  ///   - offset: the position of the frame in the file.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
    guard bytes.count >= Layout.frameHeaderSize else {
      throw Diagnostic(
        .truncated, at: .offset(offset), "too few bytes", expected: "\(Layout.frameHeaderSize)",
        found: "\(bytes.count)")
    }
    let tag: UInt32 = bytes.number(at: 0)
    rawLength = Int(clamping: bytes.number(at: 4) as UInt32)
    storedLength = Int(clamping: bytes.number(at: 8) as UInt32)
    let place: UInt64 = bytes.number(at: 12)
    checksum = bytes.number(at: 20)

    guard let kind = FrameKind(rawValue: tag) else {
      let tags = FrameKind.allCases.map { $0.name }.joined(separator: ", ")
      throw Diagnostic(
        .frame, at: .offset(offset), "tag", expected: "one of \(tags)", found: tag.hex)
    }
    guard rawLength > 0, rawLength <= kind.limit else {
      throw Diagnostic(
        .frame, at: .offset(offset + 4), "unpacked length of a \(kind.name) frame",
        expected: "1 to \(kind.limit)", found: "\(rawLength)")
    }
    // Deflate cannot pack tighter than this.
    guard storedLength > 0, storedLength <= rawLength,
      (rawLength - 64 + Layout.packingLimit - 1) / Layout.packingLimit <= storedLength
    else {
      throw Diagnostic(
        .frame, at: .offset(offset + 8), "stored length of a \(kind.name) frame",
        expected: "\(max(1, (rawLength - 64) / Layout.packingLimit)) to \(rawLength)",
        found: "\(storedLength)")
    }
    guard let place = Int(exactly: place) else {
      throw Diagnostic(.frame, at: .offset(offset + 12), "place", found: place.hex)
    }
    self.kind = kind
    self.place = place
  }

  /// Throws unless a frame with this head may be at a position of the file. All readers that follow frames in order use
  /// this check, so that they agree on which files they accept.
  /// - Parameters:
  ///   - previous: the kind of the frame before, or ``FrameKind/done`` for the first frame of the file.
  ///   - position: where the frame begins in the file.
  ///   - streamEnd: where the last block before it ends in the stream, or nil if that is unknown, and a block may have
  ///     any place.
  package func check(after previous: FrameKind, at position: Int, streamEnd: Int?) throws(Failure) {
    let allowed = previous.followers
    guard allowed.contains(kind) else {
      throw Diagnostic(
        .coverage, at: .offset(position), "order of frames",
        expected: allowed.map { $0.name }.joined(separator: " or "), found: kind.name)
    }
    let due = kind == .data ? streamEnd ?? place : position
    guard place == due, place <= Int.max - rawLength else {
      throw Diagnostic(
        .frame, at: .offset(position), "place of a \(kind.name) frame", expected: "\(due)",
        found: "\(place)")
    }
  }

  /// Throws unless the checksum matches this head and `payload`.
  package func check(payload: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
    let actual = CRC32.checksum(payload, seed: withFields { CRC32.checksum($0) })
    guard actual == checksum else {
      throw Diagnostic(
        .checksum, at: .offset(offset), "\(kind.name) frame", expected: checksum.hex,
        found: actual.hex)
    }
  }

  /// Calls `body` with the bytes of the head without its checksum. Runs once per frame, so it
  /// allocates nothing.
  private func withFields<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: Layout.frameHeaderSize - 4, alignment: 1) { fields in
      fields.storeBytes(of: kind.rawValue.littleEndian, as: UInt32.self)
      fields.storeBytes(of: UInt32(rawLength).littleEndian, toByteOffset: 4, as: UInt32.self)
      fields.storeBytes(of: UInt32(storedLength).littleEndian, toByteOffset: 8, as: UInt32.self)
      fields.storeBytes(of: UInt64(place).littleEndian, toByteOffset: 12, as: UInt64.self)
      return body(UnsafeRawBufferPointer(fields))
    }
  }
}

extension FrameHeader {
  /// Creates the head of a frame with this payload.
  package init(_ kind: FrameKind, rawLength: Int, payload: [UInt8], place: Int) {
    self.init(
      kind, rawLength: rawLength, storedLength: payload.count,
      payloadChecksum: CRC32.checksum(payload), place: place)
  }

  /// Creates the head of a frame from the lengths and the checksum of its payload.
  init(
    _ kind: FrameKind, rawLength: Int, storedLength: Int, payloadChecksum: UInt32, place: Int
  ) {
    self.kind = kind
    self.rawLength = rawLength
    self.storedLength = storedLength
    self.place = place
    checksum = 0
    checksum = CRC32.combine(
      withFields { CRC32.checksum($0) }, payloadChecksum, count: storedLength)
  }

  /// Returns the head of this frame for another place, computed without the payload.
  func moved(to place: Int) -> FrameHeader {
    var moved = self
    moved.place = place
    // CRC-32 is linear: the change caused by the fields does not depend on the payload.
    let change = withFields { CRC32.checksum($0) } ^ moved.withFields { CRC32.checksum($0) }
    moved.checksum = CRC32.combine(change, checksum, count: storedLength)
    return moved
  }

  /// The head as bytes of the file.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    withFields { writer.write($0) }
    writer.u32(checksum)
    return writer.bytes
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a little-endian number.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

/// A block of the stream of contents and its frame in the file.
package struct Block: Sendable, Hashable {
  /// The offset of its first byte in the stream.
  package var offset: Int
  package var rawLength: Int
  package var frame: FrameReference

  package var end: Int { offset + rawLength }

  package init(offset: Int, rawLength: Int, frame: FrameReference) {
    self.offset = offset
    self.rawLength = rawLength
    self.frame = frame
  }
}

extension FrameHeader {
  /// Throws unless this is the head of a block that a table lists.
  func check(against block: Block) throws(Failure) {
    guard kind == .data, place == block.offset, rawLength == block.rawLength,
      frameLength == block.frame.length
    else {
      throw Diagnostic(
        .frame, at: .offset(block.frame.position), "not the block that the table lists",
        expected: "\(FrameKind.data.name) of \(block.rawLength) bytes for \(block.offset)",
        found: "\(kind.name) of \(rawLength) bytes for \(place)")
    }
  }
}

/// The lengths of the blocks of a generation. The blocks are contiguous in the file, ending where the table begins, and
/// contiguous in the stream. So their lengths determine their positions.
package enum BlockTable {
  package static func encode(_ blocks: some Sequence<Block>) -> [UInt8] {
    var writer = ByteWriter()
    for block in blocks {
      writer.varint(block.rawLength)
      writer.varint(block.frame.length - Layout.frameHeaderSize)
    }
    return writer.bytes
  }

  /// - Parameters:
  ///   - table: the reference to the table: its blocks end where it begins.
  ///   - lowest: the lowest position that one of its blocks may have.
  ///   - blocks: the earlier blocks of the stream. The blocks of the table are appended.
  package static func decode(
    _ payload: some Collection<UInt8>, _ table: Root.Table, after lowest: Int,
    into blocks: inout [Block]
  ) throws(Failure) {
    try IndexReader.reading(payload, at: table.frame.position) { reader throws(Failure) in
      // The frames have to fit between the table before and this one: bounds their number.
      let room = table.frame.position - lowest
      guard room >= 0 else {
        throw reader.failure("order of the tables", expected: "a table after byte \(lowest)")
      }
      let first = blocks.count
      if first == 0 {
        blocks.reserveCapacity(min(payload.count / 4, room / Layout.frameHeaderSize) + 1)
      }
      let offset = blocks.last?.end ?? 0
      var end = offset
      var stored = 0
      while !reader.isAtEnd {
        let rawLength = try reader.varint()
        let storedLength = try reader.varint()
        guard rawLength > 0, rawLength <= Layout.pageLimit, storedLength > 0,
          storedLength <= rawLength
        else {
          throw reader.failure("lengths of a block", found: "\(rawLength) and \(storedLength)")
        }
        let length = Layout.frameHeaderSize + storedLength
        blocks.append(
          Block(
            offset: end, rawLength: rawLength, frame: .init(position: stored, length: length)))
        let (sum, isTooMuch) = end.addingReportingOverflow(rawLength)
        guard !isTooMuch else {
          throw reader.failure(
            "sum of the lengths", expected: "\(table.bytes) bytes of the stream", found: "more")
        }
        end = sum
        stored += length
        guard stored <= room else { throw reader.failure("the blocks do not fit before the table") }
      }
      let start = table.frame.position - stored
      guard end - offset == table.bytes else {
        throw reader.failure(
          "sum of the lengths", expected: "\(table.bytes) bytes of the stream",
          found: "\(end - offset)")
      }
      for index in first..<blocks.count { blocks[index].frame.position += start }
    }
  }
}

/// The footer of a generation: the record that commits the generation.
package struct Footer: Sendable, Hashable {
  package var position: Int
  /// 1 for the first generation of a file, one more for each later one.
  package var generation: Int
  /// The position of the root, which ends where the footer begins.
  package var root: Int
  /// The position of the previous footer, or 0 in the first generation.
  package var previous: Int

  package var end: Int { position + Layout.footerSize }

  /// The position of the first frame of the generation.
  var start: Int { previous > 0 ? previous + Layout.footerSize : Layout.headerSize }

  /// The first bytes of every footer: its tag and its lengths.
  static let beginning: [UInt8] = {
    var writer = ByteWriter()
    writer.u32(FrameKind.done.rawValue)
    for _ in 0..<2 { writer.u32(UInt32(Layout.footerPayloadSize)) }
    return writer.bytes
  }()

  package func encode() -> [UInt8] {
    var payload = ByteWriter()
    payload.size(generation)
    payload.size(root)
    payload.size(previous)
    let head = FrameHeader(
      .done, rawLength: payload.bytes.count, payload: payload.bytes, place: position)
    return head.bytes + payload.bytes
  }

  package init(position: Int, generation: Int, root: Int, previous: Int) {
    self.position = position
    self.generation = generation
    self.root = root
    self.previous = previous
  }

  /// Decodes a footer of ``Layout/footerSize`` bytes and checks it.
  /// - Throws: ``Rule/checksum`` or ``Rule/frame`` if it is not intact or contradicts itself.
  package init(decoding bytes: [UInt8], at position: Int) throws(Failure) {
    self = try bytes.withBytes { bytes throws(Failure) in try Footer(decoding: bytes, at: position)
    }
  }

  private init(decoding bytes: UnsafeRawBufferPointer, at position: Int) throws(Failure) {
    let frame = try Frame(bytes, at: position) { head throws(Failure) in
      guard head.kind == .done, head.storedLength == Layout.footerPayloadSize,
        bytes.count == Layout.footerSize, head.place == position
      else {
        throw Diagnostic(
          .frame, at: .offset(position),
          expected: "a \(FrameKind.done.name) frame at \(position)",
          found: "\(head.kind.name) at \(head.place)")
      }
    }
    generation = Int(clamping: frame.stored.number(at: 0) as UInt64)
    root = Int(clamping: frame.stored.number(at: 8) as UInt64)
    previous = Int(clamping: frame.stored.number(at: 16) as UInt64)
    self.position = position
  }

  /// Decodes an intact footer: a frame of the right kind, length and place with a right checksum. Otherwise nil. The
  /// footer may contradict itself or its neighbours.
  init?(intact bytes: UnsafeRawBufferPointer, at position: Int) {
    guard bytes.starts(with: Self.beginning),
      let footer = try? Footer(decoding: bytes, at: position)
    else { return nil }
    self = footer
  }

  /// Returns the last intact footer that is completely in `bytes`, wherever it begins, or nil if there is none.
  /// - Parameter start: the position of the first byte in the file.
  package static func last(in bytes: ArraySlice<UInt8>, at start: Int) -> Footer? {
    bytes.withBytes { bytes in
      for index in stride(from: bytes.count - Layout.footerSize, through: 0, by: -1)
      where bytes[index] == UInt8(ascii: "D") {
        let candidate = UnsafeRawBufferPointer(rebasing: bytes[index..<index + Layout.footerSize])
        if let footer = Footer(intact: candidate, at: start + index) { return footer }
      }
      return nil
    }
  }

  /// Throws unless the root is at a position, where the last `ROOT` frame before the footer begins.
  package func check(root found: Int) throws(Failure) {
    guard root == found else {
      throw Diagnostic(
        .frame, at: .offset(position), "footer", expected: "root \(found)", found: "root \(root)")
    }
  }

  /// Throws if the footer contradicts itself or the footer before it.
  /// - Parameter before: the footer of the previous generation, or nil if this is the first.
  package func check(after before: Footer?) throws(Failure) {
    let isRootInside = root >= before?.end ?? Layout.headerSize
    guard isRootInside, root < position - Layout.frameHeaderSize,
      generation == (before?.generation ?? 0) &+ 1, previous == before?.position ?? 0
    else {
      throw Diagnostic(
        .frame, at: .offset(position), "the footer contradicts the one before it",
        expected:
          "generation \((before?.generation ?? 0) &+ 1), previous \(before?.position ?? 0)",
        found: "generation \(generation), root \(root), previous \(previous)")
    }
  }
}

/// The constants of the format (`Spec/container.md`), sizes in bytes.
package enum Layout {
  /// The signature: a byte that is not ASCII, `PTCL`, and bytes that a transfer as text changes.
  package static let signature: [UInt8] = [0x89] + Array("PTCL".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]

  /// The newest version that this library reads, and that it states in new files.
  package static let versionToRead: UInt8 = 1
  /// The newest version that this library changes in place, and that it states in new files.
  package static let versionToWrite: UInt8 = 1

  package static let headerSize = 16
  package static let frameHeaderSize = 24
  package static let footerPayloadSize = 24
  package static let footerSize = frameHeaderSize + footerPayloadSize

  /// The largest unpacked tree page or block.
  package static let pageLimit = 1 << 20
  /// The largest unpacked block table or root.
  package static let indexLimit = 16 << 20

  /// The most bytes that one byte of deflate unpacks to.
  package static let packingLimit = 1032

  /// Files of at least this size get blocks of their own. Smaller files share blocks up to this size.
  package static let packSize = 64 << 10
  /// The size of the blocks of large files.
  package static let blockSize = 512 << 10
  /// The most entries that the writer puts on a tree page.
  package static let pageEntries = 256
  /// The size at which the writer begins a new tree page.
  package static let pageBytes = 16 << 10
}

/// The header of a flat package.
package enum Header {
  static func encode() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Layout.signature)
    writer.write([Layout.versionToRead, Layout.versionToWrite, 0])
    writer.u32(CRC32.checksum(writer.bytes))
    return writer.bytes
  }

  /// Whether these bytes, the first of a file, begin a flat package.
  static func isSignature(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Layout.signature)
  }

  package static func check(_ bytes: [UInt8]) throws(Failure) {
    try bytes.withBytes { bytes throws(Failure) in try check(bytes) }
  }

  static func check(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard isSignature(bytes) else {
      throw Diagnostic(
        .signature, at: .offset(0), expected: Layout.signature.hexDigits,
        found: bytes.isEmpty ? "nothing" : bytes.prefix(Layout.signature.count).hexDigits)
    }
    guard bytes.count >= Layout.headerSize else {
      throw Diagnostic(
        .truncated, at: .offset(bytes.count), "header", expected: "\(Layout.headerSize) bytes",
        found: "\(bytes.count)")
    }
    let versionToRead = bytes[Layout.signature.count]
    let stated: UInt32 = bytes.number(at: Layout.headerSize - 4)
    let checksum = CRC32.checksum(
      UnsafeRawBufferPointer(rebasing: bytes[..<(Layout.headerSize - 4)]))
    guard stated == checksum else {
      throw Diagnostic(
        .checksum, at: .offset(0), "header", expected: stated.hex, found: checksum.hex)
    }
    guard versionToRead <= Layout.versionToRead else {
      throw Diagnostic(
        .containerVersion, at: .offset(Layout.signature.count),
        expected: "version \(Layout.versionToRead) or less", found: "version \(versionToRead)")
    }
    guard bytes[Layout.headerSize - 5] == 0 else {
      throw Diagnostic(
        .frame, at: .offset(Layout.headerSize - 5), "header", expected: "a zero byte")
    }
  }
}

/// Eight bytes of text that are compared at once.
///
/// The high bit of each byte is cleared first, so that no carry reaches the next byte. Results are in
/// the high bit of each.
struct PackedText {
  private(set) var word: UInt64

  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Loads eight bytes from an address of any alignment.
  init(_ bytes: UnsafeRawPointer) { word = bytes.loadUnaligned(as: UInt64.self) }

  init(_ word: UInt64) { self.word = word }

  /// Keeps the first `count` bytes, fewer than eight, and replaces the remaining bytes by spaces.
  mutating func keep(_ count: Int) {
    let kept = UInt64(littleEndian: 1 &<< UInt64(8 * count) - 1)
    word = word & kept | 0x2020_2020_2020_2020 & ~kept
  }

  var isASCII: Bool { word & Self.high == 0 }

  /// The ASCII capital letters, as high bits.
  var capitals: UInt64 { atLeast("A") & ~atLeast("[") & ~word & Self.high }

  /// Whether any byte needs a closer look: a control character, a slash, a backslash, or a byte outside ASCII.
  var hasSpecial: Bool {
    let plain = atLeast(" ") & ~atLeast("\u{7F}") & ~equal("/") & ~equal("\\")
    return (~plain | word) & Self.high != 0
  }

  /// Which bytes, without their high bits, are at least a character.
  private func atLeast(_ character: Unicode.Scalar) -> UInt64 {
    word & ~Self.high &+ Self.all(0x80 - UInt8(character.value))
  }

  /// Which bytes, without their high bits, are a character.
  private func equal(_ character: Unicode.Scalar) -> UInt64 {
    Self.high &- (word & ~Self.high ^ Self.all(UInt8(character.value)))
  }

  private static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}
