/// A byte pattern that recognises files of a type.
public struct ContentPattern: Sendable, Hashable {
  /// The offsets from the beginning of the file at which the bytes may begin.
  public var offsets: ClosedRange<Int>

  /// The bytes.
  public var bytes: [UInt8]

  /// The bits to compare; nil for all. As long as ``bytes``.
  public var mask: [UInt8]?

  /// Further patterns, one of which has to match too, if there are any.
  public var also: [ContentPattern]

  /// The priority of a match: 0 to 100, 50 by default.
  public var priority: Int

  /// Creates a pattern.
  public init(
    _ bytes: [UInt8], at offsets: ClosedRange<Int> = 0...0, mask: [UInt8]? = nil,
    also: [ContentPattern] = [], priority: Int = 50
  ) {
    self.bytes = bytes
    self.offsets = offsets
    self.mask = mask
    self.also = also
    self.priority = priority
  }

  /// The number of bytes from the beginning of the file that the pattern covers.
  public var reach: Int {
    max(offsets.upperBound + bytes.count, also.map(\.reach).max() ?? 0)
  }

  /// Whether the first bytes of a file match.
  public func matches(_ head: some RandomAccessCollection<UInt8>) -> Bool {
    guard !bytes.isEmpty, head.count >= bytes.count, offsets.lowerBound >= 0 else { return false }
    let last = min(offsets.upperBound, head.count - bytes.count)
    guard offsets.lowerBound <= last else { return false }
    return (offsets.lowerBound...last).contains { matches(at: $0, in: head) }
      && (also.isEmpty || also.contains { $0.matches(head) })
  }

  private func matches(at offset: Int, in head: some RandomAccessCollection<UInt8>) -> Bool {
    let piece = head.dropFirst(offset).prefix(bytes.count)
    guard let mask, mask.count == bytes.count else { return piece.elementsEqual(bytes) }
    return zip(piece, zip(bytes, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
  }
}

extension ContentPattern {
  /// A pattern of keyed archives in binary property lists, whose first key names the archiver.
  /// - Parameters:
  ///   - className: the name of a class in the first 4096 bytes; nil for archives of any objects.
  ///   - priority: the priority of a match.
  package static func keyedArchive(of className: String? = nil, priority: Int = 50)
    -> ContentPattern
  {
    let names = className.map { [ContentPattern.text($0, at: 8)] } ?? []
    let archiver = ContentPattern(Array("$archiver".utf8), at: 8...512, also: names)
    return ContentPattern(Array("bplist00".utf8), also: [archiver], priority: priority)
  }

  /// A pattern of text anywhere in the first 4096 bytes, from an offset on.
  package static func text(
    _ text: String, at start: Int = 0, also: [ContentPattern] = [], priority: Int = 50
  ) -> ContentPattern {
    ContentPattern(
      Array(text.utf8), at: start...4096 - text.utf8.count, also: also, priority: priority)
  }
}
