/// Eight bytes of text that are compared at once.
///
/// The high bit of each byte is cleared first, so that no carry reaches the next byte. Results are in
/// the high bit of each.
struct EightBytes {
  private(set) var word: UInt64

  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Loads eight bytes from an address of any alignment.
  init(_ bytes: UnsafeRawPointer) { word = bytes.loadUnaligned(as: UInt64.self) }

  init(_ word: UInt64) { self.word = word }

  /// Keeps the first `count` bytes, fewer than eight, and replaces the others by spaces.
  mutating func keep(_ count: Int) {
    let kept = UInt64(littleEndian: 1 &<< UInt64(8 * count) - 1)
    word = word & kept | 0x2020_2020_2020_2020 & ~kept
  }

  /// Whether all are ASCII.
  var isASCII: Bool { word & Self.high == 0 }

  /// The ASCII capital letters, as high bits.
  var capitals: UInt64 { atLeast("A") & ~atLeast("[") & ~word & Self.high }

  /// Whether any byte needs a closer look: a control character, a slash, a backslash, or one that is
  /// not ASCII.
  var hasSpecial: Bool {
    let plain = atLeast(" ") & ~atLeast("\u{7F}") & ~equal("/") & ~equal("\\")
    return (~plain | word) & Self.high != 0
  }

  /// Which bytes, without their high bits, are at least a character.
  private func atLeast(_ character: Unicode.Scalar) -> UInt64 {
    word & ~Self.high &+ Self.all(0x80 - UInt8(character.value))
  }

  /// Which bytes, without their high bits, are a character.
  private func equal(_ character: Unicode.Scalar) -> UInt64 {
    Self.high &- (word & ~Self.high ^ Self.all(UInt8(character.value)))
  }

  private static func all(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}
