/// Replaces ranges of a text. Bytes outside the replaced ranges are preserved.
package struct TextEdits: Sendable {
  /// The text before the edits.
  package let source: [UInt8]

  private var edits: [(range: Range<Int>, new: [UInt8])] = []

  /// Creates a text without edits.
  package init(_ source: [UInt8]) { self.source = source }

  /// Replaces a range of ``source``. An empty range inserts. Several insertions at one offset keep
  /// their order. Ranges must not overlap.
  package mutating func replace(_ range: Range<Int>, with new: some Sequence<UInt8>) {
    edits.append((range, Array(new)))
  }

  /// Inserts at an offset of ``source``.
  package mutating func insert(_ new: some Sequence<UInt8>, at offset: Int) {
    replace(offset..<offset, with: new)
  }

  /// The text after the edits.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count + edits.reduce(0) { $0 + $1.new.count })
    var position = 0
    // The sort is stable.
    for (range, new) in edits.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }) {
      result += source[position..<range.lowerBound]
      result += new
      position = range.upperBound
    }
    return result + source[position...]
  }

  /// Returns the range of white space before an offset, up to and including the last line break.
  /// This is the indentation of a line, or the gap to earlier text on the line.
  package func gap(before offset: Int) -> Range<Int> {
    var start = offset
    while start > 0, Self.isSpace(source[start - 1]) {
      start -= 1
      guard source[start] == 0x0A || source[start] == 0x0D else { continue }
      if source[start] == 0x0A, start > 0, source[start - 1] == 0x0D { start -= 1 }
      break
    }
    return start..<offset
  }

  /// Returns the offset of the first byte at or after an offset that is not white space.
  package func afterSpace(_ offset: Int) -> Int {
    source[offset...].firstIndex { !Self.isSpace($0) } ?? source.count
  }

  /// Whether a byte is white space of both XML and JSON.
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
