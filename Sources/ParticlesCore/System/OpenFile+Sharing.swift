/// Copies between files that share blocks where the file system supports it (reflinks).
extension OpenFile {
  /// The block size of such file systems, or a multiple of it.
  private static let blockSize = 4096
  private static let pieceSize = 256 << 10

  /// Whether this file, which must be empty, can share blocks with another.
  package func canShare(blocksOf other: OpenFile) throws -> Bool {
    // One that is kept without a name has no status.
    guard let size = try? other.status().size, size >= Self.blockSize,
      share(0..<Self.blockSize, of: other, at: 0)
    else { return false }
    try truncate(to: 0)
    return true
  }

  /// Copies a range of another file to a position. Whole blocks are shared if they are aligned
  /// alike in both files; other bytes are copied.
  /// - Throws: ``Rule/fileChanged`` if the other file is too short.
  package func write(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let first = (range.lowerBound + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    let last = range.upperBound / Self.blockSize * Self.blockSize
    let distance = position - range.lowerBound
    guard first < last, distance.isMultiple(of: Self.blockSize),
      share(first..<last, of: other, at: first + distance)
    else { return try copy(range, of: other, at: position) }
    try copy(range.lowerBound..<first, of: other, at: position)
    try copy(last..<range.upperBound, of: other, at: last + distance)
  }

  private func share(_ range: Range<Int>, of other: OpenFile, at position: Int) -> Bool {
    // A file that is parked meanwhile and has no name any more is copied.
    let code = try? other.withDescriptor { from in
      try withDescriptor { SystemCalls.share(from, range, with: $0, at: position) }
    }
    return code == 0
  }

  private func copy(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let buffer = WorkBuffer()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
      let piece = buffer[min(Self.pieceSize, range.upperBound - start)]
      try other.read(at: start, into: piece)
      try write(UnsafeRawBufferPointer(piece), at: position + start - range.lowerBound)
    }
  }
}
