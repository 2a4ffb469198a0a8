internal import ParticlesCore

/// A bounds-checked cursor over the payload of a frame of the index.
///
/// The payload is borrowed, so reading an entry neither copies nor retains. Faults are located at the
/// frame, because an offset in an unpacked payload is not one in the file.
package struct IndexReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let frame: Int
  private var position = 0

  /// Creates a reader at the beginning of a payload.
  /// - Parameters:
  ///   - bytes: the payload, which has to outlive the reader.
  ///   - frame: the position of the frame in the file.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int) {
    self.bytes = bytes
    self.frame = frame
  }

  /// Calls `body` with a reader at the beginning of a payload.
  package static func reading<Result>(
    _ payload: some Collection<UInt8>, at frame: Int, _ body: (inout IndexReader) throws -> Result
  ) throws -> Result {
    let result = try payload.withContiguousStorageIfAvailable {
      var reader = IndexReader($0, at: frame)
      return try body(&reader)
    }
    return try result ?? reading(Array(payload), at: frame, body)
  }

  /// The number of bytes that were not read yet.
  package var remaining: Int { bytes.count - position }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { position == bytes.count }

  /// Returns a fault in this payload.
  package func failure(
    _ detail: String, expected: String? = nil, found: String? = nil
  ) -> Diagnostic {
    Diagnostic(.index, at: .offset(frame), detail, expected: expected, found: found)
  }

  @inline(__always)
  package mutating func byte() throws -> UInt8 { try read(1)[0] }

  /// Reads the next bytes, which are valid as long as the payload.
  @inline(__always)
  package mutating func read(_ count: Int) throws -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= remaining else {
      throw shortage(count)
    }
    defer { position += count }
    return UnsafeBufferPointer(rebasing: bytes[position..<position + count])
  }

  @inline(never)
  private func shortage(_ count: Int) -> Diagnostic {
    failure("too few bytes", expected: "\(count)", found: "\(remaining)")
  }

  /// Reads a base-128 integer: seven bits a byte, lowest first, the high bit set on all but the last.
  ///
  /// Only the shortest form of a number is accepted, and only numbers below 2^63.
  @inline(__always)
  package mutating func varint() throws -> Int {
    // Nearly all have up to three bytes: read without a loop.
    guard remaining >= 3 else { return try longVarint() }
    let first = Int(bytes[position])
    if first < 0x80 {
      position += 1
      return first
    }
    let second = Int(bytes[position + 1])
    if second < 0x80, second > 0 {
      position += 2
      return first & 0x7F | second << 7
    }
    let third = Int(bytes[position + 2])
    guard second >= 0x80, third < 0x80, third > 0 else { return try longVarint() }
    position += 3
    return first & 0x7F | (second & 0x7F) << 7 | third << 14
  }

  private mutating func longVarint() throws -> Int {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << UInt64(shift)
      if next < 0x80 {
        if next == 0 && shift > 0 { break }
        return Int(value)
      }
    }
    throw failure("an integer is longer than 9 bytes or not in its shortest form")
  }

  /// Reads a signed base-128 integer: 0, −1, 1, −2, … are stored as 0, 1, 2, 3, …
  @inline(__always)
  package mutating func signedVarint() throws -> Int {
    let value = try varint()
    return value >> 1 ^ -(value & 1)
  }
}
