internal import ParticlesCore

extension StreamReader {
  /// Contents of a stream that are in another one, too, since the file of the package was replaced.
  struct Part: Sendable {
    /// Where they are in this stream.
    var range: Range<Int>
    /// Where they are in the other one.
    var offset: Int
  }

  /// Where bytes of a stream are read from.
  struct Place {
    var stream: StreamReader
    var offset: Int
    /// How many of the bytes are there, one after the other.
    var count: Int
  }

  /// Returns where bytes from an offset on are now: in the last stream that they were written to.
  func place(of offset: Int, count: Int) -> Place {
    var place = Place(stream: self, offset: offset, count: count)
    // One stream after the other, not within each other: there may be thousands.
    while let next = place.stream.nextPlace(of: &place) { place = next }
    return place
  }

  /// Returns where bytes are in the next stream; nil if they are in none. Shortens the count to those that
  /// have the same answer.
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
  /// - Parameter copies: where contents were in this stream, and where they are in the other one.
  func succeed(by stream: StreamReader, _ copies: [(old: Range<Int>, new: Int)]) {
    var parts: [Part] = []
    for (old, new) in copies.sorted(by: { $0.old.lowerBound < $1.old.lowerBound }) {
      if let last = parts.last {
        // The same contents in several files of the tree.
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
        // Parts that touch each other in this stream may be apart in the other one.
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

  /// Adds the stream of a file that was just replaced, and closes the one before it.
  func add(_ stream: StreamReader) {
    // Released after the lock: the end of a stream may be that of others.
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

    /// The bytes so far, and later ones if they are in the same place.
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
