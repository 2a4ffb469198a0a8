internal import ParticlesCore
internal import Synchronization

/// The stream of contents of a flat package: reads any part of it, block by block.
final class StreamReader: BlockStore {
  let source: ByteSource
  var name: String? { source.name }

  private let load: @Sendable () throws -> [Block]
  private let state = Mutex(State())

  private struct State {
    let inflate = Inflate()
    var blocks: [Block]?
    /// Small files share blocks, and are mostly read one after the other.
    var last: (index: Int, bytes: [UInt8])?
  }

  /// - Parameter blocks: finds the blocks, in the order of the stream; called once, when they are
  ///   needed.
  init(_ source: ByteSource, blocks: @escaping @Sendable () throws -> [Block]) {
    self.source = source
    load = blocks
  }

  /// All blocks, in the order of the stream.
  func blocks() throws -> [Block] { try state.withLock { try blocks(&$0) } }

  private func blocks(_ state: inout State) throws -> [Block] {
    if let blocks = state.blocks { return blocks }
    let blocks = try load()
    state.blocks = blocks
    return blocks
  }

  func read(stream start: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    try state.withLock { state in
      let blocks = try blocks(&state)
      let end = start + buffer.count
      var index = blocks.partitioningIndex { $0.end > start }
      var offset = start
      while offset < end {
        guard index < blocks.count, blocks[index].offset <= offset else {
          throw Diagnostic(
            .extent, expected: "bytes that a block holds", found: "byte \(offset) of the stream")
        }
        let block = blocks[index]
        let count = min(block.end, end) - offset
        let target = UnsafeMutableRawBufferPointer(
          rebasing: buffer[(offset - start)..<(offset - start + count)])
        if count == block.rawLength {
          try frame(of: block).unpack(state.inflate, into: target)
        } else {
          let from = offset - block.offset
          target.copyBytes(from: try bytes(of: block, index, &state)[from..<from + count])
        }
        offset += count
        index += 1
      }
    }
  }

  func payload(exactly range: Range<Int>, in shared: OpenFile?) throws -> Payload? {
    let blocks = try blocks()
    let index = blocks.partitioningIndex { $0.offset >= range.lowerBound }
    guard index < blocks.count, blocks[index].offset == range.lowerBound,
      blocks[index].rawLength == range.count
    else { return nil }
    let frame = blocks[index].frame
    let head = try FrameHeader(
      source.bytes(at: frame.position, count: Layout.frameHeaderSize), at: frame.position)
    let stored = try source.bytes(
      at: frame.position + Layout.frameHeaderSize, count: frame.length - Layout.frameHeaderSize)
    let checksum = CRC32.checksum(stored)
    guard head.kind == .data, head.place == range.lowerBound, head.rawLength == range.count,
      head.frameLength == frame.length, head.checksum(withPayload: checksum) == head.checksum
    else {
      throw Diagnostic(
        .checksum, at: .offset(frame.position), "a block that was to be copied",
        expected: head.checksum.hex, found: head.checksum(withPayload: checksum).hex)
    }
    let stays = shared != nil && source.file === shared
    return Payload(
      stored: stays ? .file(frame, place: head.place) : .memory(stored), count: stored.count,
      rawLength: range.count, checksum: checksum)
  }

  private func frame(of block: Block) throws -> Frame {
    let bytes = try source.bytes(at: block.frame.position, count: block.frame.length)
    return try Frame(bytes, block.frame, .data, place: block.offset)
  }

  private func bytes(of block: Block, _ index: Int, _ state: inout State) throws -> [UInt8] {
    if let last = state.last, last.index == index { return last.bytes }
    let frame = try frame(of: block)
    guard frame.head.rawLength == block.rawLength else {
      throw Diagnostic(
        .frame, at: .offset(block.frame.position), "unpacked length of a block",
        expected: "\(block.rawLength)", found: "\(frame.head.rawLength)")
    }
    let bytes = try frame.unpacked(state.inflate)
    state.last = (index, bytes)
    return bytes
  }
}
