internal import ParticlesCore

/// The kind of a frame; the number is its tag, four letters read as a little-endian integer.
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

  /// The kinds that may follow. A generation is: pages, blocks, their table if there are any, root,
  /// footer. The first frame of a file has the same rule as one after a footer.
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
  /// For blocks, their offset in the stream of contents; for all others, the position of the frame
  /// in the file.
  package var place: Int
  /// CRC-32 of the fields above and the stored payload.
  package var checksum: UInt32

  /// The length of the frame, head and payload.
  package var frameLength: Int { Layout.frameHeaderSize + storedLength }

  package var isCompressed: Bool { storedLength < rawLength }

  /// Decodes a head and checks all but the checksum, which covers the payload too.
  /// - Parameter offset: the position of the frame in the file.
  package init(_ bytes: [UInt8], at offset: Int) throws {
    self = try bytes.withUnsafeBytes { try FrameHeader($0, at: offset) }
  }

  /// Decodes a head and checks all but the checksum, which covers the payload too.
  /// - Parameters:
  ///   - bytes: begin with the head.
  ///   - offset: the position of the frame in the file.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
    guard bytes.count >= Layout.frameHeaderSize else {
      throw Diagnostic(
        .truncated, at: .offset(offset), "too few bytes", expected: "\(Layout.frameHeaderSize)",
        found: "\(bytes.count)")
    }
    let tag: UInt32 = bytes.number(at: 0)
    rawLength = Int(bytes.number(at: 4) as UInt32)
    storedLength = Int(bytes.number(at: 8) as UInt32)
    let place: UInt64 = bytes.number(at: 12)
    checksum = bytes.number(at: 20)

    guard let kind = FrameKind(rawValue: tag) else {
      let tags = FrameKind.allCases.map(\.name).joined(separator: ", ")
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
      rawLength <= storedLength * Layout.packingLimit + 64
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

  /// Throws unless a frame with this head may be at a position of the file. All readers that follow the
  /// frames from one to the next use this check, so that they accept the same files.
  /// - Parameters:
  ///   - previous: the kind of the frame before; ``FrameKind/done`` for the first frame of the file.
  ///   - position: where the frame begins in the file.
  ///   - streamEnd: where the last block before it ends in the stream; nil if that is unknown, and a
  ///     block may have any place.
  package func check(after previous: FrameKind, at position: Int, streamEnd: Int?) throws {
    let allowed = previous.followers
    guard allowed.contains(kind) else {
      throw Diagnostic(
        .coverage, at: .offset(position), "order of frames",
        expected: allowed.map(\.name).joined(separator: " or "), found: kind.name)
    }
    let due = kind == .data ? streamEnd ?? place : position
    guard place == due, place <= Int.max - rawLength else {
      throw Diagnostic(
        .frame, at: .offset(position), "place of a \(kind.name) frame", expected: "\(due)",
        found: "\(place)")
    }
  }

  /// Throws unless the checksum is that of this head and `payload`.
  package func check(payload: UnsafeRawBufferPointer, at offset: Int) throws {
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
      fields.storeBytes(of: place.littleEndian, toByteOffset: 12, as: Int.self)
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

  /// Returns the head of the same frame for another place, computed without the payload.
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
