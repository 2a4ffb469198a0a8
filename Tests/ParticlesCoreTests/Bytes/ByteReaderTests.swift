import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Reading bytes")
struct ByteReaderTests {
  private func reader(_ bytes: [UInt8], base: Int = 0) -> ByteReader {
    ByteReader(bytes, base: base, rule: .index)
  }

  @Test("integers of every width, in both orders", arguments: 1...8)
  func widths(count: Int) throws {
    let bytes = (1...8).map { UInt8($0) }
    var little = reader(bytes)
    var big = reader(bytes)
    let digits = bytes.prefix(count)
    #expect(try big.bigEndian(count) == UInt64(digits.hexDigits, radix: 16))
    #expect(try little.littleEndian(count) == UInt64(digits.reversed().hexDigits, radix: 16))
    #expect(little.position == count && little.remaining == 8 - count)
    #expect(little.isAtEnd == (count == 8))
  }

  @Test("the greatest values keep all their bits")
  func greatest() throws {
    let ones = [UInt8](repeating: 0xFF, count: 8)
    var reader = reader(ones + ones + ones)
    #expect(try reader.u32() == .max)
    #expect(try reader.byte() == 0xFF)
    #expect(try reader.read(3) == [0xFF, 0xFF, 0xFF])
    #expect(try reader.bigEndian(8) == .max)
    #expect(try reader.littleEndian(8) == .max)
    #expect(reader.isAtEnd)
  }

  @Test("a size is below 2^63")
  func sizes() throws {
    var sound = reader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    #expect(try sound.size() == .max)
    var tooLarge = reader([0, 0, 0, 0, 0, 0, 0, 0x80])
    expectThrows(.index) { try tooLarge.size() }
  }

  @Test("a short read reports the offset, the expected and the available number of bytes")
  func shortReads() throws {
    let reads: [(inout ByteReader) throws -> Void] = [
      { _ = try $0.read(4) }, { _ = try $0.bigEndian(4) }, { _ = try $0.u32() },
    ]
    for read in reads {
      var reader = reader([1, 2, 3, 4, 5], base: 1000)
      _ = try reader.read(2)
      let error = expectThrows(.index) { try read(&reader) }
      #expect(error?.location == .offset(1002))
      #expect(error?.expected == "4" && error?.found == "3")
      #expect(reader.position == 2, "a read that fails takes nothing")
    }
    var empty = reader([], base: 9)
    #expect(expectThrows(.index) { try empty.byte() }?.location == .offset(9))
    #expect(expectThrows(.index) { try empty.read(-1) }?.location == .offset(9))
    #expect(try empty.read(0).isEmpty)
  }

  @Test("seeking stays inside")
  func seeking() throws {
    var reader = reader([1, 2, 3])
    try reader.seek(to: 2)
    #expect(try reader.byte() == 3)
    try reader.seek(to: 0)
    #expect(try reader.byte() == 1)
    try reader.seek(to: 3)
    #expect(reader.isAtEnd)
    for outside in [-1, 4, Int.max, Int.min] {
      expectThrows(.index) { try reader.seek(to: outside) }
    }
    #expect(reader.isAtEnd)
  }
}
