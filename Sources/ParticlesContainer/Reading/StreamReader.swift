internal import ParticlesCore

/// Reads any part of the stream of contents of a flat package, block by block.
///
/// When the file of a package is replaced, contents that are also in the new file are read from the new stream. Other
/// contents are read from the old file or a spool.
final class StreamReader: Sendable {
  let state: Lock<State>

  /// Identifies the stream where that must not be kept open. A weak reference would make all references to
  /// the stream slower, and a package has one for each file.
  final class Identity: Sendable {}

  let identity = Identity()

  /// The path of a file, for messages, and the offset of its contents in the stream.
  typealias Name = (offset: Int, path: String)

  struct State {
    var source: ByteSource
    /// Returns the blocks, or nil if they are known, or were moved.
    var load: (@Sendable () throws -> [Block])?
    var loadNames: (@Sendable () -> [Name])?
    var blocks: [Block]?
    var names: [Name]?
    /// Blocks and names that were appended since.
    var moreBlocks: [Block] = []
    var moreNames: [Name] = []
    /// The last block: small files share blocks and are mostly read in order.
    var last: (index: Int, bytes: [UInt8])?
    /// The stream of the file that replaced this file, and the contents that are also there, ascending.
    var successor: StreamReader?
    var parts: [Part] = []
    /// Whether the blocks that are left are in a spool.
    var isMoved = false
  }

  /// - Parameters:
  ///   - blocks: returns the blocks in the order of the stream. Called once, on first use.
  ///   - names: returns the paths of the files that are not empty, in any order. Called once, when a message needs a
  ///     name.
  init(
    _ source: ByteSource, blocks: @escaping @Sendable () throws -> [Block],
    names: @escaping @Sendable () -> [Name] = { [] }
  ) {
    state = Lock(State(source: source, load: blocks, loadNames: names))
  }

  deinit {
    // A loop instead of recursion: a chain of thousands would need too much of the stack.
    var next = takeSuccessor()
    while var stream = next.take(), isKnownUniquelyReferenced(&stream) {
      next = stream.takeSuccessor()
    }
  }

  private func takeSuccessor() -> StreamReader? { state.withLock { $0.successor.take() } }

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

  /// Returns all blocks in the order of the stream, and the bytes that hold them, or nil if a part of the stream is
  /// elsewhere.
  func blocks() throws -> (blocks: [Block], source: ByteSource)? {
    try state.withLock { state in
      state.isMoved ? nil : (try state.loadedBlocks(), state.source)
    }
  }

  func read(stream start: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < buffer.count {
      let place = place(of: start + done, count: buffer.count - done)
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + place.count])
      try place.stream.readOwn(place.offset, into: target)
      done += place.count
    }
  }

  /// Reads bytes from the blocks of this stream.
  private func readOwn(_ start: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    try state.withLock { state in
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
            try $0.unpack(into: target)
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

  /// Returns the block that holds exactly these bytes of the stream, and the bytes that hold it, or nil if there is
  /// none.
  func block(exactly range: Range<Int>) throws -> (block: Block, source: ByteSource)? {
    try state.withLock { state in
      let blocks = try state.loadedBlocks()
      let index = blocks.partitioningIndex { $0.offset >= range.lowerBound }
      guard index < blocks.count, blocks[index].offset == range.lowerBound,
        blocks[index].rawLength == range.count
      else { return nil }
      return (blocks[index], state.source)
    }
  }
}

extension StreamReader.State {
  /// Returns the blocks. Loads them once.
  mutating func loadedBlocks() throws -> [Block] {
    if let blocks { return blocks }
    let blocks = try (load?() ?? []) + moreBlocks
    self.blocks = blocks
    load = nil
    return blocks
  }

  fileprivate mutating func bytes(of block: Block, _ index: Int) throws -> [UInt8] {
    if let last, last.index == index { return last.bytes }
    let bytes = try source.withFrame(block.frame, .data, place: block.offset) { frame in
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

extension StreamReader {
  /// Contents of a stream that are in its successor, too, since the file of the package was replaced.
  struct Part: Sendable {
    /// Where they are in this stream.
    var range: Range<Int>
    /// Where they are in the successor.
    var offset: Int
  }

  /// Where bytes of a stream are read from.
  struct Place {
    var stream: StreamReader
    var offset: Int
    /// How many of the bytes are there, contiguously.
    var count: Int
  }

  /// Returns where bytes from an offset on are now: in the last stream that they were written to.
  func place(of offset: Int, count: Int) -> Place {
    var place = Place(stream: self, offset: offset, count: count)
    // A loop instead of recursion: there may be thousands of streams.
    while let next = place.stream.nextPlace(of: &place) { place = next }
    return place
  }

  /// Returns where bytes are in the next stream, or nil if they are in none. Shortens the count to the bytes that share
  /// this answer.
  private func nextPlace(of place: inout Place) -> Place? {
    state.withLock { state in
      let offset = place.offset
      let index = state.parts.partitioningIndex { $0.range.upperBound > offset }
      guard index < state.parts.count, let stream = state.successor else { return nil }
      let part = state.parts[index]
      guard part.range.lowerBound <= offset else {
        place.count = min(place.count, part.range.lowerBound - offset)
        return nil
      }
      return Place(
        stream: stream, offset: part.offset + offset - part.range.lowerBound,
        count: min(place.count, part.range.upperBound - offset))
    }
  }

  /// Lets contents be read from another stream, to which they were copied.
  /// - Parameter copies: where contents were in this stream, and where they are in `stream`.
  func succeed(by stream: StreamReader, _ copies: [(old: Range<Int>, new: Int)]) {
    var parts: [Part] = []
    for (old, new) in copies.sorted(by: { $0.old.lowerBound < $1.old.lowerBound }) {
      if let last = parts.last {
        // Several files of the tree share these contents.
        if old.lowerBound < last.range.upperBound { continue }
        if old.lowerBound == last.range.upperBound, new == last.offset + last.range.count {
          parts[parts.count - 1].range = last.range.lowerBound..<old.upperBound
          continue
        }
      }
      parts.append(Part(range: old, offset: new))
    }
    if !parts.isEmpty { state.withLock { ($0.parts, $0.successor) = (parts, stream) } }
  }

  /// Copies blocks whose contents are in no other stream to a spool, and closes the file.
  func move(to spool: KeptStreams.Spool) throws {
    try state.withLock { state in
      guard !state.isMoved else { return }
      var kept: [Block] = []
      var part = 0
      for block in try state.loadedBlocks() {
        while part < state.parts.count, state.parts[part].range.upperBound <= block.offset {
          part += 1
        }
        // Parts that touch each other in this stream may be apart in the successor.
        var covered = block.offset
        var next = part
        while next < state.parts.count, state.parts[next].range.lowerBound <= covered,
          covered < block.end
        {
          covered = state.parts[next].range.upperBound
          next += 1
        }
        if covered >= block.end { continue }
        var copy = block
        copy.frame.position = try spool.append(
          state.source.bytes(at: block.frame.position, count: block.frame.length))
        kept.append(copy)
      }
      state.source = try spool.source()
      state.blocks = kept
      // They keep the old file open.
      (state.load, state.loadNames, state.last) = (nil, nil, nil)
      if state.names == nil { state.names = [] }
      state.isMoved = true
    }
  }
}

/// Streams of files that were replaced, and whose contents are still in use: of a package that is saved
/// thousands of times, only the last two files are open. What earlier ones alone have is kept in a spool.
final class KeptStreams: Sendable {
  private struct Weak: Sendable { weak var stream: StreamReader? }

  private let state = Lock<(streams: [Weak], spool: Spool)>(([], Spool()))

  /// Adds the stream of a file that was just replaced, and closes the previous stream.
  func add(_ stream: StreamReader) {
    // Released after the lock: the end of a stream may end further streams.
    var released: [StreamReader] = []
    state.withLock { state in
      released = state.streams.compactMap(\.stream)
      // If there is no room for the copy, the file stays open.
      for old in released { try? old.move(to: state.spool) }
      state.streams = [Weak(stream: stream)]
    }
    released = []
  }

  /// Bytes that were appended: in memory, or in a temporary file if they are many.
  final class Spool: Sendable {
    private static let memory = 256 << 10
    private let state = Lock<(bytes: [UInt8], file: OpenFile?, size: Int)>(([], nil, 0))

    /// Appends bytes and returns their position.
    func append(_ bytes: [UInt8]) throws -> Int {
      try state.withLock { state in
        if state.file == nil, state.bytes.count + bytes.count > Self.memory {
          let file = try Files.createAnonymous()
          try state.bytes.withUnsafeBytes { try file.write($0, at: 0) }
          (state.bytes, state.file) = ([], file)
        }
        let position = state.size
        if let file = state.file {
          try bytes.withUnsafeBytes { try file.write($0, at: position) }
        } else {
          state.bytes += bytes
        }
        state.size += bytes.count
        return position
      }
    }

    /// The bytes so far.
    func source() throws -> ByteSource {
      state.withLock { state in
        if let file = state.file { return .file(file, size: state.size) }
        return ByteSource(size: state.size) { offset, buffer in
          try self.read(at: offset, into: buffer)
        }
      }
    }

    private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
      try state.withLock { state in
        if let file = state.file { return try file.read(at: offset, into: buffer) }
        buffer.copyBytes(from: state.bytes[offset..<offset + buffer.count])
      }
    }
  }
}

/// Reads and unpacks frames in buffers that it reuses. Each thread has its own.
final class BlockUnpacker {
  private let frame = WorkBuffer()
  private let raw = WorkBuffer()

  /// Returns the bytes of a block, valid until the next call. Checks the checksum.
  func unpack(_ block: Block, from source: ByteSource) throws -> UnsafeRawBufferPointer {
    let frame = try read(block.frame, from: source)
    try frame.head.check(against: block)
    return try unpack(frame)
  }

  /// Reads a frame and checks its checksum.
  func read(_ reference: FrameReference, from source: ByteSource) throws -> Frame {
    let bytes = frame[reference.length]
    try source.read(at: reference.position, into: bytes)
    return try Frame(UnsafeRawBufferPointer(bytes), at: reference.position) { head in
      guard head.frameLength == reference.length else {
        throw Diagnostic(
          .frame, at: .offset(reference.position), "length of a frame",
          expected: "\(reference.length)", found: "\(head.frameLength)")
      }
    }
  }

  /// Returns the unpacked payload, valid until the next call.
  func unpack(_ frame: Frame) throws -> UnsafeRawBufferPointer {
    guard frame.head.isCompressed else { return frame.stored }
    let output = raw[frame.head.rawLength]
    try frame.unpack(into: output)
    return UnsafeRawBufferPointer(output)
  }
}
