internal import ParticlesCore

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
  func check(against block: Block) throws {
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

/// The lengths of the blocks of a generation. The blocks are contiguous in the file, ending where the
/// table begins, and contiguous in the stream; so their lengths determine their positions.
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
  ///   - blocks: those before it in the stream; the blocks of the table are appended.
  package static func decode(
    _ payload: some Collection<UInt8>, _ table: Root.Table, after lowest: Int,
    into blocks: inout [Block]
  ) throws {
    try IndexReader.reading(payload, at: table.frame.position) { reader in
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
        end += rawLength
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
