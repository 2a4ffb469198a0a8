/// Reads integers and slices from bytes, with bounds checks.
///
/// Integers are little-endian unless the name of the method states otherwise. Every error is a
/// diagnostic of the rule that the reader was created with, and has the offset.
package struct ByteReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  private let rule: Rule
  private let base: Int

  /// The index of the next byte.
  @usableFromInline package internal(set) var position: Int

  /// Creates a reader at the first byte.
  /// - Parameters:
  ///   - base: the offset of the first byte in the file, for messages.
  ///   - rule: the rule that reports errors.
  package init(_ bytes: [UInt8], base: Int = 0, rule: Rule) {
    self.bytes = bytes
    self.base = base
    self.rule = rule
    self.position = 0
  }

  /// The number of bytes that are left.
  @inlinable package var remaining: Int { bytes.count - position }

  @inlinable package var isAtEnd: Bool { position == bytes.count }

  /// The location of the next byte in the file.
  package var location: Location { .offset(base + position) }

  /// An error at the next byte.
  package func failure(
    _ detail: String, expected: String? = nil, found: String? = nil
  ) -> Diagnostic {
    Diagnostic(rule, at: location, detail, expected: expected, found: found)
  }

  @inlinable func need(_ count: Int) throws(Diagnostic) {
    guard count >= 0, count <= remaining else { throw shortage(count) }
  }

  @usableFromInline func shortage(_ count: Int) -> Diagnostic {
    failure("too few bytes", expected: "\(count)", found: "\(remaining)")
  }

  /// Moves to an absolute position.
  package mutating func seek(to position: Int) throws(Diagnostic) {
    guard position >= 0, position <= bytes.count else {
      throw failure(
        "position outside the data", expected: "at most \(bytes.count)", found: "\(position)")
    }
    self.position = position
  }

  @inlinable package mutating func byte() throws(Diagnostic) -> UInt8 {
    try need(1)
    defer { position += 1 }
    return bytes[position]
  }

  @inlinable package mutating func read(_ count: Int) throws(Diagnostic) -> ArraySlice<UInt8> {
    try need(count)
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads an unsigned integer of `count` bytes (1…8), most significant byte first.
  package mutating func bigEndian(_ count: Int) throws(Diagnostic) -> UInt64 {
    var number: UInt64 = 0
    for byte in try read(count) { number = number << 8 | UInt64(byte) }
    return number
  }

  /// Reads an unsigned integer of `count` bytes (1…8), least significant byte first.
  package mutating func littleEndian(_ count: Int) throws(Diagnostic) -> UInt64 {
    try need(count)
    defer { position += count }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << (8 * $1) }
  }

  package mutating func u32() throws(Diagnostic) -> UInt32 { try number() }

  private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() throws(Diagnostic)
    -> Number
  {
    let count = Number.bitWidth / 8
    try need(count)
    defer { position += count }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
  }

  /// Reads a 64-bit size or offset, which must fit `Int`.
  package mutating func size() throws(Diagnostic) -> Int {
    let value: UInt64 = try number()
    guard let size = Int(exactly: value) else {
      throw failure("number too large for a size", found: "\(value)")
    }
    return size
  }
}
