import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Reading the index")
struct IndexReaderTests {
  private func reading<Result>(
    _ bytes: [UInt8], _ body: (inout IndexReader) throws -> Result
  ) throws -> Result {
    try IndexReader.reading(bytes, at: 100, body)
  }

  @Test(
    "variable-length integers",
    arguments: [
      ([0], 0), ([1], 1), ([0x7F], 127), ([0x80, 1], 128), ([0xFF, 0x7F], 16383),
      ([0x80, 0x80, 1], 16384), ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .max),
    ] as [([UInt8], Int)])
  func varints(bytes: [UInt8], value: Int) throws {
    try reading(bytes + [0x55]) { (reader: inout IndexReader) throws in
      #expect(try reader.varint() == value)
      #expect(reader.remaining == 1)
    }
  }

  @Test(
    "longer forms than the shortest, and numbers from 2^63 on, are refused",
    arguments: [
      [0x80, 0], [0xFF, 0], [0x80, 0x80, 0], [0x81, 0x80, 0x80, 0x80, 0],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x80],
    ] as [[UInt8]])
  func longForms(bytes: [UInt8]) throws {
    // More behind them changes nothing.
    for bytes in [bytes, bytes + [1, 1, 1]] {
      let error = expectThrows(.index) { try reading(bytes) { try $0.varint() } }
      #expect(error?.location == .offset(100))
    }
  }

  @Test(
    "signed integers alternate about zero",
    arguments: [
      ([0], 0), ([1], -1), ([2], 1), ([3], -2), ([0x7F], -64), ([0x80, 1], 64),
      ([0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 1 << 62 - 1),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], -1 << 62),
    ] as [([UInt8], Int)])
  func signedVarints(bytes: [UInt8], value: Int) throws {
    #expect(try reading(bytes) { try $0.signedVarint() } == value)
  }

  @Test("what is written is read again, a byte for each seven bits")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    let edges = (0...62).flatMap { [1 << $0 - 1, 1 << $0] } + [.max]
    let values = edges + (0..<500).map { _ in Int(random.next() >> UInt64.random(in: 1...63)) }
    var writer = ByteWriter()
    for value in values {
      let start = writer.bytes.count
      writer.varint(value)
      let bits = max(1, Int.bitWidth - value.leadingZeroBitCount)
      #expect(writer.bytes.count - start == (bits + 6) / 7)
      writer.signedVarint(value >> 1)
      writer.signedVarint(-(value >> 1) - 1)
    }
    try reading(writer.bytes) { (reader: inout IndexReader) throws in
      for value in values {
        #expect(try reader.varint() == value)
        #expect(try reader.signedVarint() == value >> 1)
        #expect(try reader.signedVarint() == -(value >> 1) - 1)
      }
      #expect(reader.isAtEnd)
    }
  }

  @Test("a short read says which frame, what it wanted and what there was; and takes nothing")
  func shortReads() throws {
    try reading([1, 2, 3]) { (reader: inout IndexReader) throws in
      #expect(try Array(reader.read(1)) == [1])
      let error = expectThrows(.index) { try reader.read(4) }
      #expect(error?.location == .offset(100))
      #expect(error?.expected == "4" && error?.found == "2")
      expectThrows(.index) { try reader.read(-1) }
      expectThrows(.index) { try reader.read(.max) }
      #expect(try Array(reader.read(2)) == [2, 3])
      #expect(try reader.read(0).isEmpty && reader.isAtEnd)
      expectThrows(.index) { try reader.byte() }
    }
    for cut in [[], [0x80], [0x80, 0x80], [0xFF]] as [[UInt8]] {
      expectThrows(.index) { try reading(cut) { try $0.varint() } }
    }
  }
}
