/// Bytes by which files of a type are told.
public struct ContentPattern: Sendable, Hashable {
  /// The places at which the bytes may begin, counted from the beginning of the file.
  public var offsets: ClosedRange<Int>

  /// The bytes.
  public var bytes: [UInt8]

  /// Which bits of them count; nil for all. As long as ``bytes``.
  public var mask: [UInt8]?

  /// What has to match besides: one of these, if there are any.
  public var also: [ContentPattern]

  /// How much it means that the pattern matches: from 0 to 100, ordinarily 50.
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

  /// How many bytes from the beginning have to be looked at.
  public var reach: Int {
    max(offsets.upperBound + bytes.count, also.map(\.reach).max() ?? 0)
  }

  /// Whether a file that begins like this matches.
  public func matches(_ head: some RandomAccessCollection<UInt8>) -> Bool {
    guard !bytes.isEmpty, head.count >= bytes.count, offsets.lowerBound >= 0 else { return false }
    let last = min(offsets.upperBound, head.count - bytes.count)
    guard offsets.lowerBound <= last else { return false }
    return (offsets.lowerBound...last).contains { stands(at: $0, in: head) }
      && (also.isEmpty || also.contains { $0.matches(head) })
  }

  private func stands(at offset: Int, in head: some RandomAccessCollection<UInt8>) -> Bool {
    let piece = head.dropFirst(offset).prefix(bytes.count)
    guard let mask, mask.count == bytes.count else { return piece.elementsEqual(bytes) }
    return zip(piece, zip(bytes, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
  }
}
