internal import ParticlesContainer
internal import ParticlesCore

/// Decompresses the contents of entries on demand. It keeps the state and the last pieces of a few
/// entries, so that sequential reads, also by several threads, need one pass and little memory.
/// Reading further back restarts the decompression. The checksum is verified at the end.
///
/// Thread-safe; calls are serialised.
final class ZIPUnpacker: Sendable {
  /// The maximum number of open entries.
  private static let openLimit = 4

  private let source: ByteSource
  private let turn = Lock(())
  // Protected by `turn`. The most recently used entry is the last.
  nonisolated(unsafe) private var open: [Progress] = []

  init(_ source: ByteSource) { self.source = source }

  /// Fills a buffer with the contents at `offset`. The range must be inside the contents.
  func read(
    _ entry: ZIPEntry, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    try turn.withLock { _ in
      try locating(Location(file: source.name, entry: entry.path)) {
        var done = 0
        while done < buffer.count {
          let (index, start) = (offset + done).quotientAndRemainder(dividingBy: Progress.pieceSize)
          let piece = try piece(index, of: entry)[start...].prefix(buffer.count - done)
          UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: piece)
          done += piece.count
        }
      }
    }
  }

  private func piece(_ index: Int, of entry: ZIPEntry) throws -> [UInt8] {
    let known = open.firstIndex { $0.entry.contents == entry.contents }.map { open.remove(at: $0) }
    let progress =
      known.flatMap { $0.canReach(index) ? $0 : nil } ?? Progress(entry, source)
    let piece = try progress.piece(index)
    // Kept only without an error, so that a damaged entry fails at every read.
    if open.count == Self.openLimit { open.removeFirst() }
    open.append(progress)
    return piece
  }

  /// Verifies an entry without contents.
  func check(_ entry: ZIPEntry) throws {
    try locating(Location(file: source.name, entry: entry.path)) {
      try Progress(entry, source).finish()
    }
  }

  /// The state of the decompression of an entry.
  private final class Progress {
    static let pieceSize = 512 << 10
    /// The maximum distance of threads, in pieces.
    private static let keptLimit = 32

    let entry: ZIPEntry
    private var position = 0
    private var next = 0
    private var kept: [Int: [UInt8]] = [:]
    private let source: ByteSource
    private let stream: InflateStream?
    private var checksum: UInt32 = 0

    init(_ entry: ZIPEntry, _ source: ByteSource) {
      self.entry = entry
      self.source = source
      var taken = 0
      stream =
        entry.method == ZIP.stored
        ? nil
        : InflateStream(.deflate, rule: .zip) { buffer in
          let count = min(buffer.count, entry.packedSize - taken)
          try source.read(
            at: entry.contents + taken,
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
          taken += count
          return count
        }
    }

    func canReach(_ index: Int) -> Bool { index >= next || kept[index] != nil }

    /// Returns a piece for which ``canReach(_:)`` is true. All but the last have the full size.
    func piece(_ index: Int) throws -> [UInt8] {
      if let piece = kept[index] { return piece }
      while true {
        let piece = try [UInt8](
          unsafeUninitializedCapacity: min(Self.pieceSize, entry.size - position)
        ) { buffer, count in
          count = min(Self.pieceSize, entry.size - position)
          try read(
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
          )
        }
        if position == entry.size { try finish() }
        kept[next] = piece
        kept[next - Self.keptLimit] = nil
        next += 1
        if next > index { return piece }
      }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) throws {
      if let stream {
        let count = try stream.read(into: buffer)
        guard count == buffer.count else { throw wrongSize(found: "\(position + count)") }
      } else {
        try source.read(at: entry.contents + position, into: buffer)
      }
      checksum = CRC32.checksum(UnsafeRawBufferPointer(buffer), seed: checksum)
      position += buffer.count
    }

    /// Verifies that the stream ends here, and the checksum.
    func finish() throws {
      if let stream {
        var extra: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &extra) { try stream.read(into: $0) }
        guard count == 0 else { throw wrongSize(found: "more") }
        guard stream.consumed == entry.packedSize else {
          throw Diagnostic(
            .zipContents, "packed bytes", expected: "\(entry.packedSize)",
            found: "\(stream.consumed)")
        }
      }
      guard checksum == entry.checksum else {
        throw Diagnostic(
          .zipContents, "CRC-32", expected: entry.checksum.hex, found: checksum.hex)
      }
    }

    private func wrongSize(found: String) -> Diagnostic {
      Diagnostic(.zipContents, "bytes", expected: "\(entry.size)", found: found)
    }
  }
}
