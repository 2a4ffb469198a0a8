internal import ParticlesContainer
internal import ParticlesCore
internal import Synchronization

/// Unpacks the contents of entries. It remembers how far it has come in one of them, so that
/// reading one after the other from front to back takes one pass and little memory; going back
/// means to begin anew. The checksum shows when the end is reached.
///
/// Threads take turns.
final class ZIPUnpacker: Sendable {
  private let source: ByteSource
  private let turn = Mutex(())
  // Only touched by whoever has the turn.
  nonisolated(unsafe) private var progress: Progress?

  init(_ source: ByteSource) { self.source = source }

  /// Fills a buffer with the contents from `offset` on, which must be there.
  func read(
    _ entry: ZIPEntry, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    try turn.withLock { _ in
      let current = progress.take()
      let usable = current.flatMap {
        $0.entry.contents == entry.contents && $0.position <= offset ? $0 : nil
      }
      let next = usable ?? Progress(entry, source)
      // Kept only if all goes well: a fault shows again whenever it is met.
      try locating(Location(file: source.name, entry: entry.path)) {
        try next.skip(to: offset)
        try next.read(buffer)
        if next.position == entry.size { try next.finish() } else { progress = next }
      }
    }
  }

  /// Unpacks an entry to see whether it is sound.
  func check(_ entry: ZIPEntry) throws {
    try locating(Location(file: source.name, entry: entry.path)) {
      let progress = Progress(entry, source)
      try progress.skip(to: entry.size)
      try progress.finish()
    }
  }

  /// How far the unpacking of an entry has come.
  private final class Progress {
    let entry: ZIPEntry
    private(set) var position = 0
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

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws {
      if let stream {
        let count = try stream.read(into: buffer)
        guard count == buffer.count else {
          throw wrongSize(found: "\(position + count)")
        }
      } else {
        try source.read(at: entry.contents + position, into: buffer)
      }
      checksum = CRC32.checksum(UnsafeRawBufferPointer(buffer), seed: checksum)
      position += buffer.count
    }

    func skip(to offset: Int) throws {
      guard position < offset else { return }
      let scrap = UnsafeMutableRawBufferPointer.allocate(
        byteCount: min(offset - position, InflateStream.pieceSize), alignment: 1)
      defer { scrap.deallocate() }
      while position < offset {
        let count = min(scrap.count, offset - position)
        try read(UnsafeMutableRawBufferPointer(rebasing: scrap[..<count]))
      }
    }

    /// Checks that nothing follows, and the checksum.
    func finish() throws {
      if let stream {
        var extra: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &extra) { try stream.read(into: $0) }
        guard count == 0 else { throw wrongSize(found: "more") }
        guard stream.consumed == entry.packedSize else {
          throw Diagnostic(
            .contents, "packed bytes", expected: "\(entry.packedSize)", found: "\(stream.consumed)")
        }
      }
      guard checksum == entry.checksum else {
        throw Diagnostic(
          .contents, "CRC-32", expected: entry.checksum.hex, found: checksum.hex)
      }
    }

    private func wrongSize(found: String) -> Diagnostic {
      Diagnostic(.contents, "bytes", expected: "\(entry.size)", found: found)
    }
  }
}
