internal import ParticlesCore

/// Blocks of a package that follow each other in its stream and in its file, and that another
/// package takes as they are.
struct StoredBlocks: Sendable {
  /// Few calls of the system, and little memory.
  static let limit = 128 << 10

  private let stream: StreamReader
  private var blocks: [Block]
  /// How much further behind they begin in the other stream.
  private let shift: Int

  /// - Parameter place: where the block begins in the other stream.
  init(_ block: Block, of stream: StreamReader, at place: Int) {
    self.stream = stream
    blocks = [block]
    shift = place - block.offset
  }

  /// Adds a block if it follows, and is not too much.
  /// - Returns: whether it was added.
  mutating func append(_ block: Block, of stream: StreamReader, at place: Int) -> Bool {
    guard let last = blocks.last, stream === self.stream, block.offset == last.end,
      place - block.offset == shift, block.frame.position == last.frame.end,
      block.frame.end - blocks[0].frame.position <= Self.limit
    else { return false }
    blocks.append(block)
    return true
  }

  /// The blocks as frames for the other package. Their checksums have been found right.
  /// - Parameter shared: a file in which the bytes may stay.
  func packed(in shared: OpenFile?, _ pool: BytePool) throws -> PackedBlocks {
    let range = blocks[0].frame.position..<blocks[blocks.count - 1].frame.end
    var bytes = pool.take(range.count)
    try bytes.withUnsafeMutableBytes {
      let frames = UnsafeMutableRawBufferPointer(rebasing: $0[..<range.count])
      try stream.source.read(at: range.lowerBound, into: frames)
    }
    let stays = shared != nil && stream.source.file === shared
    var packed = PackedBlocks()
    for block in blocks {
      packed.lengths.append((block.rawLength, block.frame.length))
      let start = block.frame.position - range.lowerBound
      let head = try bytes.withUnsafeBytes {
        try check(block, UnsafeRawBufferPointer(rebasing: $0[start..<start + block.frame.length]))
      }
      // At the same place in the stream, the head is the same, too.
      if shift == 0 { continue }
      let moved = head.moved(to: block.offset + shift).bytes
      if stays {
        let payload = block.frame.position + moved.count..<block.frame.end
        packed.pieces += [.memory(moved[...]), .file(payload)]
      } else {
        bytes.replaceSubrange(start..<start + moved.count, with: moved)
      }
    }
    if stays {
      pool.giveBack(bytes)
      if shift == 0 { packed.pieces = [.file(range)] }
    } else {
      packed.pieces = [.memory(bytes[..<range.count])]
      packed.borrowed = bytes
    }
    return packed
  }

  /// The head of a frame that has been found to be what the table says of it.
  private func check(_ block: Block, _ frame: UnsafeRawBufferPointer) throws -> FrameHeader {
    try locating(stream.location(of: block.offset)) {
      let position = block.frame.position
      let head = try FrameHeader(Array(frame.prefix(Layout.frameHeaderSize)), at: position)
      try head.check(against: block)
      let payload = UnsafeRawBufferPointer(rebasing: frame[Layout.frameHeaderSize...])
      try head.check(payload: payload, at: position)
      return head
    }
  }
}
