/// SHA-256 (FIPS 180-4) without a library.
package struct PlainSHA256 {
  private var blocks = DigestBlocks()
  private var state: SIMD8<UInt32> = [
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
  ]

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    blocks.update(bytes) { Self.add($0, to: &state) }
    self.state = state
  }

  package mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) {
    var state = state
    blocks.finish(\.bigEndian) { Self.add($0, to: &state) }
    for index in 0..<8 {
      for place in 0..<4 {
        output[4 * index + place] = UInt8(truncatingIfNeeded: state[index] >> (24 - 8 * place))
      }
    }
  }

  private static func add(_ block: UnsafeRawBufferPointer, to state: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let (far, near) = (words[index - 15], words[index - 2])
        let first = turned(far, 7) ^ turned(far, 18) ^ far >> 3
        let second = turned(near, 17) ^ turned(near, 19) ^ near >> 10
        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      let constants = sha256Constants
      for index in 0..<64 {
        let choice = e & f ^ ~e & g
        let majority = a & b ^ a & c ^ b & c
        let first =
          h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index]
          &+ words[index]
        let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ second)
      }
      state &+= [a, b, c, d, e, f, g, h]
    }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 - bits)
  }
}

/// MD5 (RFC 1321) without a library.
package struct PlainMD5 {
  private var blocks = DigestBlocks()
  private var state: SIMD4<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var state = state
    blocks.update(bytes) { Self.add($0, to: &state) }
    self.state = state
  }

  package mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) {
    var state = state
    blocks.finish(\.littleEndian) { Self.add($0, to: &state) }
    for index in 0..<4 {
      for place in 0..<4 {
        output[4 * index + place] = UInt8(truncatingIfNeeded: state[index] >> (8 * place))
      }
    }
  }

  private static func add(_ block: UnsafeRawBufferPointer, to state: inout SIMD4<UInt32>) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mixed, word) =
        switch index >> 4 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) & 15)
        case 2: (b ^ c ^ d, (3 * index + 5) & 15)
        default: (c ^ (b | ~d), 7 * index & 15)
        }
      let loaded = UInt32(
        littleEndian: block.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self))
      let sum = a &+ mixed &+ constants[index] &+ loaded
      let bits = turns[index >> 4][index & 3]
      (a, d, c, b) = (d, c, b, b &+ (sum &<< bits | sum &>> (32 - bits)))
    }
    state &+= [a, b, c, d]
  }

  private static let turns: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]

  /// The sines of 1 to 64 radians.
  private static let constants: [UInt32] = [
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
  ]
}

/// Cuts the bytes of a digest into blocks of 64, and appends their number.
private struct DigestBlocks {
  private static let size = 64

  /// The bytes of the block that is not full.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  mutating func update(
    _ bytes: UnsafeRawBufferPointer, _ add: (UnsafeRawBufferPointer) -> Void
  ) {
    count &+= UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let piece = bytes.prefix(Self.size - rest.count)
      rest += piece
      bytes = bytes.dropFirst(piece.count)
      guard rest.count == Self.size else { return }
      rest.withUnsafeBytes(add)
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count >= Self.size {
      add(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.size)))
      bytes = bytes.dropFirst(Self.size)
    }
    rest += bytes
  }

  /// Adds the last blocks: a bit, zeros, and the number of bits.
  mutating func finish(
    _ order: (UInt64) -> UInt64, _ add: (UnsafeRawBufferPointer) -> Void
  ) {
    let bits = order(count &* 8)
    let isFull = rest.count >= Self.size - 8
    var end: [UInt8] = [0x80]
    end += repeatElement(0, count: (isFull ? 2 : 1) * Self.size - rest.count - 9)
    withUnsafeBytes(of: bits) { end += $0 }
    end.withUnsafeBytes { update($0, add) }
  }
}
