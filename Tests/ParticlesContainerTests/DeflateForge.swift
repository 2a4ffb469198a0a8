import ParticlesCore
import ParticlesTestSupport

/// Deflate streams of one block for a run of equal bytes, with codes that a strict reader refuses.
struct DeflateForge {
  private var bits: [Bool] = []

  /// The length of the run: a literal, and a match of the greatest length.
  static let count = 259

  /// Appends bits, the lowest first.
  private mutating func append(_ value: Int, _ count: Int) {
    for bit in 0..<count { bits.append(value >> bit & 1 == 1) }
  }

  /// Appends a Huffman code, the highest bit first.
  private mutating func code(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
  }

  private var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return bytes
  }

  /// A zlib stream of `byte` 259 times.
  private func zlib(_ byte: UInt8) -> [UInt8] {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for _ in 0..<Self.count {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    var writer = ByteWriter()
    writer.u32(b << 16 | a)
    return [0x78, 0x01] + bytes + writer.bytes.reversed()
  }

  /// With the fixed codes: `length` is 285, 286 or 287, of which only the first is valid.
  static func fixed(_ byte: UInt8, length: Int) -> [UInt8] {
    var forge = DeflateForge()
    forge.append(1, 1)
    forge.append(1, 2)
    byte < 144 ? forge.code(0x30 + Int(byte), 8) : forge.code(0x190 + Int(byte) - 144, 9)
    forge.code(0xC0 + length - 280, 8)
    forge.code(0, 5)
    forge.code(0, 7)
    return forge.zlib(byte)
  }

  /// With codes of its own: `length` as above, `distances` is the number of distance codes, of which one
  /// or two are assigned, and `bit` is the code of the distance 1 in the stream.
  static func dynamic(_ byte: UInt8, length: Int, distances: Int, assigned: Int, bit: Int)
    -> [UInt8]
  {
    var forge = DeflateForge()
    var lengths = [Int](repeating: 0, count: length + 1 + distances)
    lengths[Int(byte)] = 1
    lengths[256] = 2
    lengths[length] = 2
    for index in 0..<assigned { lengths[length + 1 + index] = 1 }
    forge.append(1, 1)
    forge.append(2, 2)
    forge.append(length + 1 - 257, 5)
    forge.append(distances - 1, 5)
    // The lengths 0, 1, 2 and 18 have codes of two bits: 00, 01, 10, 11.
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]
    forge.append(order.count - 4, 4)
    for symbol in order { forge.append([0, 1, 2, 18].contains(symbol) ? 2 : 0, 3) }
    for length in lengths { forge.code(length, 2) }
    forge.code(0, 1)
    forge.code(3, 2)
    forge.code(bit, 1)
    forge.code(2, 2)
    return forge.zlib(byte)
  }

  /// Any of these, or a fault of another kind.
  static func random(_ byte: UInt8, _ random: inout SeededGenerator) -> [UInt8] {
    let length = [285, 285, 285, 286, 287].randomElement(using: &random) ?? 285
    var stream: [UInt8]
    if Bool.random(using: &random) {
      stream = fixed(byte, length: length)
    } else {
      let assigned = Int.random(in: 1...2, using: &random)
      stream = dynamic(
        byte, length: length, distances: [2, 30, 31, 32].randomElement(using: &random) ?? 2,
        assigned: assigned, bit: Int.random(in: 0...5, using: &random) == 0 ? 1 : 0)
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      stream[Int.random(in: 0..<stream.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    case 1: stream.append(0)
    case 2: stream.removeLast()
    case 3: (stream[0], stream[1]) = (0x18, 0x19)
    case 4: (stream[0], stream[1]) = (0x88, 0x1C)
    default: break
    }
    return stream
  }
}
