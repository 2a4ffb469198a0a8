/// Bytes of one file that become those of another without being copied, where the file system can
/// let files share its blocks.
extension OpenFile {
  /// What such file systems share is blocks of this size, or a part of it.
  private static let blockSize = 4096
  private static let pieceSize = 256 << 10

  /// Whether this file, which has to be empty, can share blocks with another.
  package func canShare(blocksOf other: OpenFile) throws -> Bool {
    guard try other.status().size >= Self.blockSize,
      SystemCalls.share(other.descriptor, 0..<Self.blockSize, with: descriptor, at: 0) == 0
    else { return false }
    try truncate(to: 0)
    return true
  }

  /// Writes bytes of another file at a position. Whole blocks are shared where both files have them
  /// at the same places; everything else is copied.
  /// - Throws: ``Rule/fileChanged`` if the other file ends before.
  package func write(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let first = (range.lowerBound + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    let last = range.upperBound / Self.blockSize * Self.blockSize
    let distance = position - range.lowerBound
    guard first < last, distance.isMultiple(of: Self.blockSize),
      SystemCalls.share(other.descriptor, first..<last, with: descriptor, at: first + distance) == 0
    else { return try copy(range, of: other, at: position) }
    try copy(range.lowerBound..<first, of: other, at: position)
    try copy(last..<range.upperBound, of: other, at: last + distance)
  }

  private func copy(_ range: Range<Int>, of other: OpenFile, at position: Int) throws {
    let buffer = WorkBuffer(capacity: min(range.count, Self.pieceSize))
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceSize) {
      let piece = buffer[min(Self.pieceSize, range.upperBound - start)]
      try other.read(at: start, into: piece)
      try write(UnsafeRawBufferPointer(piece), at: position + start - range.lowerBound)
    }
  }
}
