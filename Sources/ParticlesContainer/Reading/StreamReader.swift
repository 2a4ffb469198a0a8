package import ParticlesCore

/// Reads any part of the stream of contents of a flat package, block by block.
///
/// It reads the file that it was opened with, also after a save has replaced that.
package final class StreamReader: Sendable {
  private let state: Lock<State>

  /// Identifies the stream where that must not be kept open. A weak reference would make all references to
  /// the stream slower, and a package has one for each file.
  final class Identity: Sendable {}

  let identity = Identity()

  /// The path of a file, for messages, and the offset of its contents in the stream.
  package typealias Name = (offset: Int, path: String)

  struct State {
    var source: ByteSource
    /// Returns the blocks, or nil if they are known.
    var load: (@Sendable () throws(Failure) -> [Block])?
    var loadNames: (@Sendable () -> [Name])?
    var blocks: [Block]?
    var names: [Name]?
    /// Blocks and names that were appended since.
    var moreBlocks: [Block] = []
    var moreNames: [Name] = []
    /// The last block: small files share blocks and are mostly read in order.
    var last: (index: Int, bytes: [UInt8])?
  }

  /// - Parameters:
  ///   - blocks: returns the blocks in the order of the stream. Called once, on first use.
  ///   - names: returns the paths of the files that are not empty, in any order. Called once, when a message needs a
  ///     name.
  package init(
    _ source: ByteSource,
    blocks: @escaping @Sendable () throws(Failure) -> [Block],
    names: @escaping @Sendable () -> [Name] = { [] }
  ) {
    state = Lock(State(source: source, load: blocks, loadNames: names))
  }

  /// The bytes that hold the blocks.
  var source: ByteSource { state.withLock { $0.source } }

  /// Continues the stream with blocks that were appended to its file.
  /// - Parameters:
  ///   - blocks: the new blocks, in the order of the stream.
  ///   - names: the paths of their files, and their offsets.
  ///   - source: the file with its new size.
  func extend(_ blocks: [Block], names: [Name], in source: ByteSource) {
    state.withLock { state in
      state.source = source
      state.moreBlocks += blocks
      state.moreNames += names
      state.blocks? += blocks
      state.names = nil
    }
  }

  /// Returns the location of the file that a byte of the stream belongs to, for messages.
  func location(of offset: Int) -> Location {
    let (file, name): (String?, String?) = state.withLock { state in
      let names =
        state.names
        ?? ((state.loadNames?() ?? []) + state.moreNames).sorted { $0.offset < $1.offset }
      state.names = names
      let behind = names.partitioningIndex { $0.offset > offset }
      return (state.source.name, behind > 0 ? names[behind - 1].path : nil)
    }
    return Location(file: file, entry: name)
  }

  /// Returns all blocks in the order of the stream, and the bytes that hold them.
  package func blocks() throws(Failure) -> (blocks: [Block], source: ByteSource) {
    try state.withLock { state throws(Failure) in (try state.loadedBlocks(), state.source) }
  }

  /// Fills `buffer` with the bytes of the stream from an offset on.
  func read(stream start: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    try state.withLock { state throws(Failure) in
      let blocks = try state.loadedBlocks()
      let end = start + buffer.count
      var index = blocks.partitioningIndex { $0.end > start }
      var offset = start
      while offset < end {
        guard index < blocks.count, blocks[index].offset <= offset else {
          throw Diagnostic(
            .extent, expected: "bytes in a block", found: "byte \(offset) of the stream")
        }
        let block = blocks[index]
        let count = min(block.end, end) - offset
        let target = UnsafeMutableRawBufferPointer(
          rebasing: buffer[(offset - start)..<(offset - start + count)])
        if count == block.rawLength {
          try state.source.withFrame(block.frame, .data, place: block.offset) {
            frame throws(Failure) in
            try frame.unpack(into: target)
          }
        } else {
          let from = offset - block.offset
          target.copyBytes(from: try state.bytes(of: block, index)[from..<from + count])
        }
        offset += count
        index += 1
      }
    }
  }

  /// Returns the block that holds exactly these bytes of the stream, or nil if there is none.
  func block(exactly range: Range<Int>) throws(Failure) -> Block? {
    try state.withLock { state throws(Failure) in
      let blocks = try state.loadedBlocks()
      let index = blocks.partitioningIndex { $0.offset >= range.lowerBound }
      guard index < blocks.count, blocks[index].offset == range.lowerBound,
        blocks[index].rawLength == range.count
      else { return nil }
      return blocks[index]
    }
  }
}

extension StreamReader.State {
  /// Returns the blocks. Loads them once.
  mutating func loadedBlocks() throws(Failure) -> [Block] {
    if let blocks { return blocks }
    let blocks = try (load?() ?? []) + moreBlocks
    self.blocks = blocks
    load = nil
    return blocks
  }

  fileprivate mutating func bytes(of block: Block, _ index: Int) throws(Failure) -> [UInt8] {
    if let last, last.index == index { return last.bytes }
    let bytes = try source.withFrame(block.frame, .data, place: block.offset) {
      frame throws(Failure) in
      guard frame.head.rawLength == block.rawLength else {
        throw Diagnostic(
          .frame, at: .offset(block.frame.position), "unpacked length of a block",
          expected: "\(block.rawLength)", found: "\(frame.head.rawLength)")
      }
      return try frame.unpacked()
    }
    last = (index, bytes)
    return bytes
  }
}

/// Reads and unpacks frames in buffers that it reuses. Each thread has its own.
package final class BlockUnpacker {
  package init() {}

  private let frame = WorkBuffer()
  private let raw = WorkBuffer()

  /// Returns the bytes of a block, valid until the next call. Checks the checksum.
  package func unpack(_ block: Block, from source: ByteSource) throws(Failure)
    -> UnsafeRawBufferPointer
  {
    let frame = try read(block.frame, from: source)
    try frame.head.check(against: block)
    return try unpack(frame)
  }

  /// Reads a frame and checks its checksum.
  func read(_ reference: FrameReference, from source: ByteSource) throws(Failure) -> Frame {
    let bytes = frame[reference.length]
    try source.read(at: reference.position, into: bytes)
    return try Frame(UnsafeRawBufferPointer(bytes), at: reference.position) {
      head throws(Failure) in
      guard head.frameLength == reference.length else {
        throw Diagnostic(
          .frame, at: .offset(reference.position), "length of a frame",
          expected: "\(reference.length)", found: "\(head.frameLength)")
      }
    }
  }

  /// Returns the unpacked payload, valid until the next call.
  func unpack(_ frame: Frame) throws(Failure) -> UnsafeRawBufferPointer {
    guard frame.head.isCompressed else { return frame.stored }
    let output = raw[frame.head.rawLength]
    try frame.unpack(into: output)
    return UnsafeRawBufferPointer(output)
  }
}
