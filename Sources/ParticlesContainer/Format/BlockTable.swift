internal import ParticlesCore

/// A block of the stream of contents, and where it stands.
package struct Block: Sendable, Hashable {
  /// Where its bytes begin in the stream.
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
  /// Throws unless this is the head of a block that a table tells of.
  func check(against block: Block) throws {
    guard kind == .data, place == block.offset, rawLength == block.rawLength,
      frameLength == block.frame.length
    else {
      throw Diagnostic(
        .frame, at: .offset(block.frame.position), "a frame is not the one referred to",
        expected: "\(FrameKind.data.name) of \(block.rawLength) bytes for \(block.offset)",
        found: "\(kind.name) of \(rawLength) bytes for \(place)")
    }
  }
}

/// The lengths of the blocks of a generation. They stand without gaps before the table, and follow
/// each other without gaps in the stream; so lengths are all that there is to say.
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
  ///   - offset: where its blocks begin in the stream.
  ///   - lowest: the position before which none of its blocks can stand.
  package static func decode(
    _ payload: [UInt8], _ table: Root.Table, streamOffset offset: Int, after lowest: Int
  ) throws -> [Block] {
    try IndexReader.reading(payload, at: table.frame.position) { reader in
      // Each block takes its share of the file, so tables cannot make more of them than fit.
      let room = table.frame.position - lowest
      guard room >= 0 else {
        throw reader.failure("order of the tables", expected: "a table behind byte \(lowest)")
      }
      var blocks: [Block] = []
      blocks.reserveCapacity(min(payload.count / 5, room / Layout.frameHeaderSize) + 1)
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
        guard stored <= room else { throw reader.failure("blocks that do not fit into the file") }
      }
      let start = table.frame.position - stored
      guard end - offset == table.bytes else {
        throw reader.failure(
          "sum of the lengths", expected: "\(table.bytes) bytes of the stream",
          found: "\(end - offset)")
      }
      for index in blocks.indices { blocks[index].frame.position += start }
      return blocks
    }
  }
}
