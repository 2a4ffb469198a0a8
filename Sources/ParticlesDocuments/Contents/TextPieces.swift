internal import ParticlesPlatform

/// Bytes in pieces that copies share, so that a change costs what it changes.
struct TextPieces: Sendable, Equatable {
  private final class Piece: Sendable {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The size of new pieces, and the greatest one.
  private static let (size, largest) = (64 << 10, 128 << 10)

  private var pieces: [Piece] = []

  /// The number of bytes.
  private(set) var count = 0

  init(_ bytes: some RandomAccessCollection<UInt8>) {
    pieces = Self.cut(Array(bytes))
    count = bytes.count
  }

  /// All bytes.
  var bytes: [UInt8] { joined(pieces[...]) }

  private func joined(_ pieces: ArraySlice<Piece>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count })
    for piece in pieces { bytes += piece.bytes }
    return bytes
  }

  private static func cut(_ bytes: [UInt8]) -> [Piece] {
    if bytes.isEmpty { return [] }
    if bytes.count <= largest { return [Piece(bytes)] }
    return stride(from: 0, to: bytes.count, by: size).map {
      Piece(Array(bytes[$0..<min($0 + size, bytes.count)]))
    }
  }

  /// The byte at an offset.
  subscript(offset: Int) -> UInt8 {
    let (index, start) = place(of: offset)
    return pieces[index].bytes[offset - start]
  }

  /// The bytes of a range, which must be inside.
  subscript(range: Range<Int>) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    let (first, start) = place(of: range.lowerBound)
    let (last, end) = place(of: range.upperBound - 1)
    if first == last {
      return Array(pieces[first].bytes[range.lowerBound - start..<range.upperBound - start])
    }
    return pieces[first].bytes[(range.lowerBound - start)...]
      + joined(pieces[first + 1..<last]) + pieces[last].bytes[..<(range.upperBound - end)]
  }

  /// A range, made larger so that it begins and ends at the boundaries of characters.
  func boundaries(of range: Range<Int>) -> (start: Int, end: Int) {
    var (start, end) = (range.lowerBound, range.upperBound)
    func isInside(_ offset: Int) -> Bool {
      offset > 0 && offset < count && self[offset] & 0xC0 == 0x80
    }
    while isInside(start) { start -= 1 }
    while isInside(end) { end += 1 }
    return (start, end)
  }

  /// The piece with the byte at an offset, the last one for the end, and the offset of its first byte.
  private func place(of offset: Int) -> (index: Int, start: Int) {
    var start = 0
    for (index, piece) in pieces.enumerated() {
      let end = start + piece.bytes.count
      if offset < end || index == pieces.count - 1 { return (index, start) }
      start = end
    }
    return (0, 0)
  }

  /// Replaces a range, which must be inside.
  mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
    guard !pieces.isEmpty else {
      self = TextPieces(Array(new))
      return
    }
    let (first, start) = place(of: range.lowerBound)
    let (last, lastStart) = range.isEmpty ? (first, start) : place(of: range.upperBound - 1)
    var middle = Array(pieces[first].bytes[..<(range.lowerBound - start)])
    middle += new
    middle += pieces[last].bytes[(range.upperBound - lastStart)...]
    // Pieces do not become many small ones.
    var end = last + 1
    if middle.count < Self.size / 4, end < pieces.count {
      middle += pieces[end].bytes
      end += 1
    }
    pieces.replaceSubrange(first..<end, with: Self.cut(middle))
    count += new.count - range.count
  }

  /// Takes other bytes, and keeps the pieces at both ends that did not change.
  mutating func update(to new: UnsafeRawBufferPointer) {
    func isSame(_ piece: Piece, at offset: Int) -> Bool {
      guard let first = new.baseAddress, offset + piece.bytes.count <= new.count else {
        return false
      }
      return piece.bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map { memcmp($0, first + offset, bytes.count) == 0 } ?? true
      }
    }
    var (first, start) = (0, 0)
    while first < pieces.count, isSame(pieces[first], at: start) {
      start += pieces[first].bytes.count
      first += 1
    }
    var (last, end) = (pieces.count, new.count)
    while last > first, end - pieces[last - 1].bytes.count >= start,
      isSame(pieces[last - 1], at: end - pieces[last - 1].bytes.count)
    {
      last -= 1
      end -= pieces[last].bytes.count
    }
    if first == last, start == end { return }
    // The end of the piece before, so that a text that grows does not get a piece for each letter.
    if first > 0, first == last, pieces[first - 1].bytes.count < Self.size {
      first -= 1
      start -= pieces[first].bytes.count
    }
    pieces.replaceSubrange(first..<last, with: Self.cut(Array(new[start..<end])))
    count = new.count
  }

  static func == (a: TextPieces, b: TextPieces) -> Bool {
    guard a.count == b.count else { return false }
    let (first, ends) = a.common(b)
    return a.joined(first..<ends.0) == b.joined(first..<ends.1)
  }

  private func joined(_ range: Range<Int>) -> [UInt8] { joined(pieces[range]) }

  /// The pieces that both share: how many at the beginning, and where those at the end begin.
  private func common(_ other: TextPieces) -> (first: Int, ends: (Int, Int)) {
    var first = 0
    while first < min(pieces.count, other.pieces.count), pieces[first] === other.pieces[first] {
      first += 1
    }
    var ends = (pieces.count, other.pieces.count)
    while ends.0 > first, ends.1 > first, pieces[ends.0 - 1] === other.pieces[ends.1 - 1] {
      ends = (ends.0 - 1, ends.1 - 1)
    }
    return (first, ends)
  }

  /// The difference to other bytes. Pieces that both share are not compared.
  func splice(to other: TextPieces) -> ByteSplice {
    let (first, ends) = common(other)
    let start = pieces[..<first].reduce(0) { $0 + $1.bytes.count }
    return ByteSplice(
      from: joined(first..<ends.0), to: other.joined(first..<ends.1), startingAt: start)
  }

  /// The ranges in which other bytes differ, in ascending order. Pieces that both share are not compared; between
  /// two ranges is at least a character.
  func changes(to other: TextPieces) -> [(old: Range<Int>, new: Range<Int>)] {
    let (first, ends) = common(other)
    let start = pieces[..<first].reduce(0) { $0 + $1.bytes.count }
    var places: [ObjectIdentifier: (index: Int, start: Int)] = [:]
    var end = start
    for index in first..<ends.0 {
      places[ObjectIdentifier(pieces[index])] = (index, end)
      end += pieces[index].bytes.count
    }
    var changes: [(old: Range<Int>, new: Range<Int>)] = []
    var (old, new, newEnd, next) = (start, start, start, first)
    func close(at oldEnd: Int) {
      guard old < oldEnd || new < newEnd else { return }
      if let last = changes.last, new - last.new.upperBound < 4 {
        changes[changes.count - 1] = (
          last.old.lowerBound..<oldEnd, last.new.lowerBound..<newEnd
        )
      } else {
        changes.append((old..<oldEnd, new..<newEnd))
      }
    }
    for piece in other.pieces[first..<ends.1] {
      if let place = places[ObjectIdentifier(piece)], place.index >= next {
        close(at: place.start)
        old = place.start + piece.bytes.count
        new = newEnd + piece.bytes.count
        next = place.index + 1
      }
      newEnd += piece.bytes.count
    }
    close(at: end)
    return changes
  }
}
