public import ParticlesContainer
public import ParticlesCore
public import ParticlesEffects
internal import ParticlesPlatform

/// Plain text as the contents of a document: UTF-8, with or without a byte order mark.
///
/// Line breaks stay as they are. The text of another encoding is refused rather than damaged. Copies share equal
/// parts. An edit with ``replaceUTF8(_:with:)`` costs only the changed bytes. Setting ``text`` also costs a
/// comparison of all bytes.
public struct PlainText: DocumentContent {
  private var pieces: TextPieces
  /// The text in one piece. Made, or updated, when it is read. Copies with equal pieces share it.
  private var whole: Whole

  private final class Whole: Sendable {
    let known: Lock<Known?>
    init(_ known: Known?) { self.known = Lock(known) }
  }

  /// A text, and the pieces that it was made of.
  private struct Known {
    var text: String
    var pieces: TextPieces

    init(_ text: String, _ pieces: TextPieces) { (self.text, self.pieces) = (text, pieces) }

    init(decoding pieces: TextPieces) {
      self.init(String(decoding: pieces.bytes, as: UTF8.self), pieces)
    }

    /// Each change moves the text after it. With more changes, decoding everything costs less.
    private static let mostChanges = 16

    /// Changes the text where pieces differ, so that several distant edits cost only the changed text.
    mutating func update(to new: TextPieces) {
      let changes = pieces.changes(to: new)
      guard changes.count <= Self.mostChanges else {
        self = Known(decoding: new)
        return
      }
      pieces = new
      for (old, changed) in changes.reversed() {
        // Up to the boundaries of characters, since pieces may end inside of one.
        let (start, end) = new.boundaries(of: changed)
        let first = old.lowerBound + start - changed.lowerBound
        let last = old.upperBound + end - changed.upperBound
        let utf8 = text.utf8
        let range =
          utf8.index(
            utf8.startIndex, offsetBy: first)..<utf8.index(
            utf8.startIndex, offsetBy: last)
        text.replaceSubrange(range, with: String(decoding: new[start..<end], as: UTF8.self))
      }
    }
  }

  /// The text.
  public var text: String {
    get {
      whole.known.withLock { known in
        known?.update(to: pieces)
        if known == nil { known = Known(decoding: pieces) }
        return known?.text ?? ""
      }
    }
    set {
      var new = newValue
      replaceText(with: &new)
    }
    _modify {
      // The only reference, so that a change of a long text does not copy it.
      var known = whole.known.withLock { known in
        defer { known = nil }
        return known
      }
      known?.update(to: pieces)
      var new = known?.text ?? String(decoding: pieces.bytes, as: UTF8.self)
      known = nil
      defer { replaceText(with: &new) }
      yield &new
    }
  }

  private mutating func replaceText(with text: inout String) {
    text.withUTF8 { pieces.update(to: UnsafeRawBufferPointer($0)) }
    whole = Whole(Known(text, pieces))
  }

  /// Replaces bytes. The text is updated when it is read.
  private mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
    pieces.replace(range, with: new)
    // Copies keep theirs.
    if !isKnownUniquelyReferenced(&whole) { whole = Whole(whole.known.withLock { $0 }) }
  }

  /// Whether the file begins with a byte order mark, separate from the text. Default: false.
  public var hasMark: Bool

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Creates the contents.
  public init(_ text: String = "") { self.init(TextPieces(Array(text.utf8)), text, hasMark: false) }

  private init(_ pieces: TextPieces, _ text: String, hasMark: Bool) {
    self.pieces = pieces
    whole = Whole(Known(text, pieces))
    self.hasMark = hasMark
  }

  /// The number of bytes of the text in UTF-8, without a byte order mark.
  public var utf8Count: Int { pieces.count }

  /// Replaces a part of the text. The cost depends on the change, not on the length of the text.
  /// - Parameters:
  ///   - range: offsets in bytes of UTF-8, at the boundaries of characters.
  ///   - text: the new part.
  /// - Throws: ``ParticlesCore/Rule/fileText`` if the range is not inside the text, or begins or ends inside
  ///   a character. Nothing has changed then.
  public mutating func replaceUTF8(_ range: Range<Int>, with text: String) throws {
    for offset in [range.lowerBound, range.upperBound] {
      let isInside = offset >= 0 && offset <= pieces.count
      guard isInside, offset == pieces.count || pieces[offset] & 0xC0 != 0x80 else {
        throw Diagnostic(
          .fileText, "offset \(offset) of a text of \(pieces.count) bytes",
          expected: "the beginning of a character")
      }
    }
    replace(range, with: text.utf8)
  }

  /// Decodes a regular file.
  /// - Throws: ``ParticlesCore/Rule/fileText`` if it is not a file with UTF-8, or ``ParticlesCore/Rule/limit`` if it
  ///   is longer than ``ParticlesCore/Limits/fileBytes``.
  public init(contents: FileNode, limits: Limits) throws {
    guard let file = contents.contents else {
      throw Diagnostic(.fileText, expected: "a regular file", found: "a \(contents.kind.rawValue)")
    }
    try limits.check(file.size, \.fileBytes, "bytes of a text")
    let bytes = try file.bytes()
    let hasMark = bytes.starts(with: Self.mark)
    let body = hasMark ? bytes[Self.mark.count...] : bytes[...]
    guard let text = String(validating: body, as: UTF8.self) else {
      let hint = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      throw Diagnostic(
        .fileText, found: hint ? "UTF-16" : "other bytes", hint: "convert it with 'iconv -t UTF-8'")
    }
    self.init(TextPieces(body), text, hasMark: hasMark)
  }

  var bytes: [UInt8] { hasMark ? Self.mark + pieces.bytes : pieces.bytes }

  /// Returns a regular file.
  public func contents() -> FileNode { FileNode(regularFileWithContents: bytes) }

  /// Whether both are written as equal bytes.
  public static func == (a: PlainText, b: PlainText) -> Bool {
    a.hasMark == b.hasMark && a.pieces == b.pieces
  }

  /// Returns the bytes that differ.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    guard old.hasMark == new.hasMark else { return DocumentChange(from: old, to: new) }
    let splice = old.pieces.splice(to: new.pieces)
    return DocumentChange(cost: 96 + splice.old.count + splice.new.count) { text, direction in
      let (before, after) =
        direction == .undo ? (splice.new, splice.old) : (splice.old, splice.new)
      let end = splice.start + before.count
      guard end <= text.pieces.count else { throw Diagnostic(.fileChanged) }
      text.replace(splice.start..<end, with: after)
    }
  }

  /// Merges two texts if they have changed different lines.
  public static func merge(base: Self, ours: Self, theirs: Self) throws -> DocumentMerge<Self>? {
    let bytes = base.bytes
    let mine = ByteSplice(from: bytes, to: ours.bytes, byLines: true)
    let other = ByteSplice(from: bytes, to: theirs.bytes, byLines: true)
    let (first, second) = mine.start <= other.start ? (mine, other) : (other, mine)
    // Lines that touch are one place: their order would be a guess.
    guard first.range.upperBound < second.start else {
      return DocumentMerge(ours, clashes: mine == other ? [] : ["the same lines"])
    }
    guard let changed = second.redone(bytes).flatMap(first.redone) else { return nil }
    return DocumentMerge(
      try PlainText(contents: FileNode(regularFileWithContents: changed), limits: .none))
  }
}

/// Bytes in pieces that copies share, so that the cost of a change depends on its size only.
struct TextPieces: Sendable, Equatable {
  private final class Piece: Sendable {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The size of new pieces, and the greatest size.
  private static let (size, largest) = (64 << 10, 128 << 10)

  private var pieces: [Piece] = []

  /// The number of bytes.
  private(set) var count = 0

  init(_ bytes: some RandomAccessCollection<UInt8>) {
    pieces = Self.cut(Array(bytes))
    count = bytes.count
  }

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
    // Merges small pieces.
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

  /// The ranges in which other bytes differ, in ascending order. Shared pieces are not compared. Between two ranges
  /// is at least a character.
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
