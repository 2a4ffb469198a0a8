public import ParticlesContainer
public import ParticlesCore

/// Plain text as the contents of a document: UTF-8, with or without a byte order mark.
///
/// Line breaks stay as they are. The text of another encoding is refused rather than damaged. Copies share
/// the parts that do not differ: an edit costs what it changes with ``replaceUTF8(_:with:)``, and a
/// comparison of the bytes with ``text``.
public struct PlainText: DocumentContent {
  private var pieces: TextPieces
  /// The text in one piece, which is made, or brought up to date, when it is read. Copies with the same
  /// pieces share it.
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

    /// Each change moves what follows it; with more of them, decoding all costs less.
    private static let mostChanges = 16

    /// Changes the text where other pieces differ: several edits, or steps of undo, that are far from each
    /// other cost what they change.
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
      take(&new)
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
      defer { take(&new) }
      yield &new
    }
  }

  private mutating func take(_ text: inout String) {
    text.withUTF8 { pieces.update(to: UnsafeRawBufferPointer($0)) }
    whole = Whole(Known(text, pieces))
  }

  /// Replaces bytes; the text is brought up to date when it is read.
  private mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
    pieces.replace(range, with: new)
    // Copies keep theirs.
    if !isKnownUniquelyReferenced(&whole) { whole = Whole(whole.known.withLock { $0 }) }
  }

  /// Whether the file begins with a byte order mark, which is not part of the text; false by default.
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
  /// - Throws: ``ParticlesCore/Rule/fileText`` if it is not a file with UTF-8;
  ///   ``ParticlesCore/Rule/limit`` if it is longer than ``ParticlesCore/Limits/fileBytes``.
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

  /// The encoded text.
  var bytes: [UInt8] { hasMark ? Self.mark + pieces.bytes : pieces.bytes }

  /// Returns a regular file.
  public func contents() -> FileNode { FileNode(regularFileWithContents: bytes) }

  /// Whether both are written as the same bytes.
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
