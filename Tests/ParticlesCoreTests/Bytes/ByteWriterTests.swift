import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Writing bytes")
struct ByteWriterTests {
  @Test("fixed widths, least significant byte first")
  func fixed() {
    var writer = ByteWriter()
    writer.byte(1)
    writer.u32(0x0203_0405)
    writer.size(6)
    writer.write([7, 8])
    writer.littleEndian(0x0A0B0C, 3)
    #expect(
      writer.bytes == [1, 5, 4, 3, 2, 6, 0, 0, 0, 0, 0, 0, 0, 7, 8, 0x0C, 0x0B, 0x0A])
  }

  @Test(
    "seven bits a byte",
    arguments: [
      (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
      (16_383, [0xFF, 0x7F]),
      (16_384, [0x80, 0x80, 1]), (.max, [UInt8](repeating: 0xFF, count: 8) + [0x7F]),
    ] as [(Int, [UInt8])])
  func varint(value: Int, bytes: [UInt8]) {
    var writer = ByteWriter()
    writer.varint(value)
    #expect(writer.bytes == bytes)
  }

  @Test("signs are in the lowest bit")
  func signedVarint() {
    var (writer, expected) = (ByteWriter(), ByteWriter())
    for (value, number) in [
      (0, 0), (-1, 1), (1, 2), (-2, 3), (63, 126), (-64, 127), (64, 128), (-65, 129),
      (1 << 40, 1 << 41), (-(1 << 40), 1 << 41 - 1),
    ] {
      writer.signedVarint(value)
      expected.varint(number)
    }
    #expect(writer.bytes == expected.bytes)
  }

  @Test("what is written is read again")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    let edges = (0...62).flatMap { [1 << $0 - 1, 1 << $0] } + [.max]
    let values = edges + (0..<500).map { _ in Int(random.next() >> UInt64.random(in: 1...63)) }
    var writer = ByteWriter()
    for value in values {
      writer.size(value)
      writer.littleEndian(UInt64(value), 8)
    }
    var reader = ByteReader(writer.bytes, rule: .index)
    for value in values {
      #expect(try reader.size() == value)
      #expect(try reader.littleEndian(8) == UInt64(value))
    }
    #expect(reader.isAtEnd)
  }

  @Test("numbers and bytes in hexadecimal")
  func hexadecimal() {
    #expect(UInt8(0).hex == "0x00")
    #expect(UInt8(0xA5).hex == "0xa5")
    #expect(UInt16(1).hex == "0x0001")
    #expect(UInt32(0xDEAD_BEEF).hex == "0xdeadbeef")
    #expect(UInt64.max.hex == "0xffffffffffffffff")
    #expect(Int8(-1).hex == "0xff")
    #expect([UInt8]().hexDigits == "")
    #expect([0, 0x0F, 0xF0, 0xFF].hexDigits == "000ff0ff")
    #expect("09afAF".utf8.map(\.hexDigitValue) == [0, 9, 10, 15, 10, 15])
    #expect("/:@GPg`p ".utf8.allSatisfy { $0.hexDigitValue == nil })
    #expect((0...255).map { UInt8($0) }.hexDigits.utf8.count == 512)
  }
}
