/// A cursor over bytes that cannot run past their end.
///
/// Integers are little-endian unless the call says otherwise. Every failure is thrown under the
/// rule that the reader was created with, and names the offset at which it happened.
package struct ByteReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  private let rule: Rule
  private let base: Int

  /// The next byte to be read, from the beginning of the bytes.
  @usableFromInline package internal(set) var position: Int

  /// Creates a reader at the beginning.
  /// - Parameters:
  ///   - base: the offset of the first byte in the file, for messages.
  ///   - rule: what a short read is reported as.
  package init(_ bytes: [UInt8], base: Int = 0, rule: Rule) {
    self.bytes = bytes
    self.base = base
    self.rule = rule
    self.position = 0
  }

  /// How many bytes are left.
  @inlinable package var remaining: Int { bytes.count - position }

  /// Whether all bytes have been read.
  @inlinable package var isAtEnd: Bool { position == bytes.count }

  /// The place of the next byte in the file.
  package var location: Location { .offset(base + position) }

  /// An error at the next byte.
  package func failure(
    _ detail: String, expected: String? = nil, found: String? = nil
  ) -> Diagnostic {
    Diagnostic(rule, at: location, detail, expected: expected, found: found)
  }

  @inlinable func need(_ count: Int) throws {
    guard count >= 0, count <= remaining else { throw shortage(count) }
  }

  @usableFromInline func shortage(_ count: Int) -> Diagnostic {
    failure("too few bytes", expected: "\(count)", found: "\(remaining)")
  }

  /// Moves to an absolute position.
  package mutating func seek(to position: Int) throws {
    guard position >= 0, position <= bytes.count else {
      throw failure(
        "position outside the data", expected: "at most \(bytes.count)", found: "\(position)")
    }
    self.position = position
  }

  @inlinable package mutating func byte() throws -> UInt8 {
    try need(1)
    defer { position += 1 }
    return bytes[position]
  }

  @inlinable package mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
    try need(count)
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// An unsigned integer of `count` bytes (1…8), most significant byte first.
  package mutating func bigEndian(_ count: Int) throws -> UInt64 {
    try read(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// An unsigned integer of `count` bytes (1…8), least significant byte first.
  package mutating func littleEndian(_ count: Int) throws -> UInt64 {
    try read(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func u32() throws -> UInt32 { UInt32(truncatingIfNeeded: try littleEndian(4)) }

  /// A 64-bit integer that has to be a size or an offset.
  package mutating func size() throws -> Int {
    let value = try littleEndian(8)
    guard let size = Int(exactly: value) else {
      throw failure("number too large for a size", found: "\(value)")
    }
    return size
  }

  /// A base-128 integer: seven bits a byte, lowest first, the high bit set on all but the last.
  ///
  /// Only the shortest form of a number is accepted, and only numbers below 2^63.
  @inlinable package mutating func varint() throws -> Int {
    // One to three bytes, as nearly all are, without a loop.
    let rest = bytes.count - position
    if rest >= 3 {
      let a = bytes[position]
      if a < 0x80 {
        position += 1
        return Int(a)
      }
      let b = bytes[position + 1]
      if b < 0x80, b > 0 {
        position += 2
        return Int(a & 0x7F) | Int(b) << 7
      }
      let c = bytes[position + 2]
      if b >= 0x80, c < 0x80, c > 0 {
        position += 3
        return Int(a & 0x7F) | Int(b & 0x7F) << 7 | Int(c) << 14
      }
    }
    return try longVarint()
  }

  @usableFromInline mutating func longVarint() throws -> Int {
    let start = position
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << UInt64(shift)
      if next < 0x80 {
        if next == 0 && shift > 0 { break }
        return Int(value)
      }
    }
    position = start
    throw failure("integer is too long or not in its shortest form")
  }

  /// A signed base-128 integer: 0, −1, 1, −2, … are written as 0, 1, 2, 3, …
  @inlinable package mutating func signedVarint() throws -> Int {
    let value = try varint()
    return value >> 1 ^ -(value & 1)
  }
}
