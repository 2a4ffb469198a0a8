/// Writes integers and bytes to an array, as the counterpart of ``ByteReader``.
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  @usableFromInline package internal(set) var bytes: [UInt8] = []

  package init() {}

  @inlinable package mutating func byte(_ value: UInt8) { bytes.append(value) }

  package mutating func write(_ values: some Sequence<UInt8>) { bytes.append(contentsOf: values) }

  package mutating func write(_ values: ArraySlice<UInt8>) { bytes.append(contentsOf: values) }

  package mutating func u32(_ value: UInt32) { littleEndian(UInt64(value), 4) }

  package mutating func size(_ value: Int) { littleEndian(UInt64(value), 8) }

  /// Writes an unsigned integer of `count` bytes (1…8), least significant byte first.
  package mutating func littleEndian(_ value: UInt64, _ count: Int) {
    for index in 0..<UInt64(count) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }

  /// Writes an unsigned integer of `count` bytes (1…8), most significant byte first.
  package mutating func bigEndian(_ value: UInt64, _ count: Int) {
    for index in (0..<UInt64(count)).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
    }
  }

  /// Writes a base-128 integer (LEB128): seven bits a byte, lowest first, with the high bit set on all
  /// but the last byte. The value must not be negative.
  @inlinable package mutating func varint(_ value: Int) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a signed base-128 integer in zigzag encoding: 0, −1, 1, −2, … become 0, 1, 2, 3, …
  @inlinable package mutating func signedVarint(_ value: Int) { varint(value << 1 ^ value >> 63) }
}

extension FixedWidthInteger {
  /// This number in hexadecimal digits, padded with zeros, with a leading `0x`.
  package var hex: String {
    let digits = String(Magnitude(truncatingIfNeeded: self), radix: 16)
    return "0x" + String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

extension Sequence<UInt8> {
  /// These bytes as lower-case hexadecimal digits.
  package var hexDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of this byte as a hexadecimal digit of ASCII, from 0 to 15. Nil for any other byte.
  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      (self | 0x20) - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
