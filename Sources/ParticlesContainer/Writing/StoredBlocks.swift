internal import ParticlesCore

/// Blocks that are contiguous in the stream and in the file of a package, to be copied to another.
struct StoredBlocks: Sendable {
  /// The most bytes that are copied at a time: few system calls, little memory.
  static let limit = 128 << 10

  private let stream: StreamReader
  /// The bytes that hold the blocks: those of the stream may be moved meanwhile.
  private let source: ByteSource
  private var blocks: [Block]
  /// Their offset in the other stream minus that in this one.
  private let shift: Int

  /// - Parameter place: the offset of the block in the other stream.
  init(_ block: Block, of stream: StreamReader, _ source: ByteSource, at place: Int) {
    self.stream = stream
    self.source = source
    blocks = [block]
    shift = place - block.offset
  }

  /// Appends a block if it is contiguous and the size stays below ``limit``.
  /// - Returns: whether it was added.
  mutating func append(
    _ block: Block, of stream: StreamReader, _ source: ByteSource, at place: Int
  ) -> Bool {
    guard let last = blocks.last, stream === self.stream, source.isSame(as: self.source),
      block.offset == last.end,
      place - block.offset == shift, block.frame.position == last.frame.end,
      block.frame.end - blocks[0].frame.position <= Self.limit
    else { return false }
    blocks.append(block)
    return true
  }

  /// Returns the blocks as frames of the other package. Checks their checksums.
  /// - Parameter shared: the file whose blocks are shared instead of copied.
  func packed(in shared: OpenFile?, _ pool: BytePool) throws -> PackedBlocks {
    let range = blocks[0].frame.position..<blocks[blocks.count - 1].frame.end
    var bytes = pool.take(range.count)
    try bytes.withUnsafeMutableBytes {
      let frames = UnsafeMutableRawBufferPointer(rebasing: $0[..<range.count])
      try source.read(at: range.lowerBound, into: frames)
    }
    let stays = shared != nil && source.file === shared
    var packed = PackedBlocks()
    for block in blocks {
      packed.lengths.append((block.rawLength, block.frame.length))
      let start = block.frame.position - range.lowerBound
      let head = try bytes.withUnsafeBytes {
        try check(block, UnsafeRawBufferPointer(rebasing: $0[start..<start + block.frame.length]))
      }
      // At the same offset in the stream the head does not change.
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

  /// Returns the head of a frame after checking it against the table.
  private func check(_ block: Block, _ frame: UnsafeRawBufferPointer) throws -> FrameHeader {
    try locating(stream.location(of: block.offset)) {
      try Frame(frame, at: block.frame.position) { try $0.check(against: block) }.head
    }
  }
}
