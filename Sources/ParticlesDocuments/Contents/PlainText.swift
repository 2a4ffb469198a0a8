public import ParticlesContainer
public import ParticlesCore

/// Plain text as the contents of a document: UTF-8, with or without a byte order mark.
///
/// Line breaks stay as they are. The text of another encoding is refused rather than damaged.
public struct PlainText: DocumentContent {
  /// The text.
  public var text: String

  /// Whether the file begins with a byte order mark, which is not part of the text; false by default.
  public var hasMark = false

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Creates the contents.
  public init(_ text: String = "") { self.text = text }

  /// Decodes a regular file.
  /// - Throws: ``ParticlesCore/Rule/fileText`` if it is not a file with UTF-8;
  ///   ``ParticlesCore/Rule/limit`` if it is longer than ``ParticlesCore/Limits/fileBytes``.
  public init(contents: FileNode, limits: Limits) throws {
    guard let file = contents.contents else {
      throw Diagnostic(.fileText, expected: "a regular file", found: "a \(contents.kind.rawValue)")
    }
    try limits.check(file.size, \.fileBytes, "bytes of a text")
    let bytes = try file.bytes()
    hasMark = bytes.starts(with: Self.mark)
    let body = hasMark ? bytes[Self.mark.count...] : bytes[...]
    guard let text = String(validating: body, as: UTF8.self) else {
      let hint = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      throw Diagnostic(
        .fileText, found: hint ? "UTF-16" : "other bytes", hint: "convert it with 'iconv -t UTF-8'")
    }
    self.text = text
  }

  /// The encoded text.
  var bytes: [UInt8] { (hasMark ? Self.mark : []) + Array(text.utf8) }

  /// Returns a regular file.
  public func contents() -> FileNode { FileNode(regularFileWithContents: bytes) }

  /// Whether both are written as the same bytes.
  public static func == (a: PlainText, b: PlainText) -> Bool {
    a.hasMark == b.hasMark && a.text.utf8.elementsEqual(b.text.utf8)
  }

  /// Returns the bytes that differ.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    let splice = ByteSplice(from: old.bytes, to: new.bytes)
    return DocumentChange(cost: 96 + splice.old.count + splice.new.count) { text, direction in
      let bytes = text.bytes
      guard let changed = direction == .undo ? splice.undone(bytes) : splice.redone(bytes) else {
        throw Diagnostic(.fileChanged)
      }
      text = try PlainText(contents: FileNode(regularFileWithContents: changed), limits: .none)
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
