import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

/// Files with what programs seldom write, byte by byte, for the readers of GIF, BMP and TGA.
@Suite("Rare pictures")
struct OwnReadersTests {
  // MARK: GIF

  /// A GIF with a frame of 2 × 1 pixels, colours 1 and 2, at a place on a screen.
  private func gif(screen: (UInt8, UInt8), at place: (UInt8, UInt8), hasTable: Bool = true)
    -> [UInt8]
  {
    let head = Array("GIF89a".utf8) + [screen.0, 0, screen.1, 0, hasTable ? 0x81 : 0, 0, 0]
    let table: [UInt8] = hasTable ? [9, 9, 9, 255, 0, 0, 0, 0, 255, 7, 7, 7] : []
    // Transparency of colour 2, a comment, the frame. Codes of 3 bits: clear, 1, 2, end.
    let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 2, 0, 0x21, 0xFE, 2, 65, 66, 0]
    let frame: [UInt8] = [0x2C, place.0, 0, place.1, 0, 2, 0, 1, 0, 0, 2]
    return head + table + control + frame + [2, 0b10_001_100, 0b1010, 0, 0x3B]
  }

  @Test("a frame has its place on the screen, which is transparent around it and grows with it")
  func frames() throws {
    let inside = try Bitmap(decoding: gif(screen: (3, 2), at: (1, 1)))
    #expect((inside.width, inside.height) == (3, 2))
    #expect(inside.pixels[..<16] == [UInt8](repeating: 0, count: 16)[...])
    #expect(inside.pixels[16...] == [255, 0, 0, 255, 0, 0, 255, 0])
    let outside = try Bitmap(decoding: gif(screen: (1, 1), at: (0, 3)))
    #expect((outside.width, outside.height) == (2, 4))
    expectThrows(.image) { try Bitmap(decoding: gif(screen: (2, 1), at: (0, 0), hasTable: false)) }
  }

  @Test("the table of a GIF is full at 4,096 runs, and codes go on")
  func fullTable() throws {
    // Only codes of one number each, without a code that empties the table: 3 bits, and more as the table grows.
    let count = 6_000
    var (bits, rest, used) = ([UInt8](), 0, 0)
    func put(_ code: Int, _ size: Int) {
      rest |= code << used
      used += size
      while used >= 8 {
        bits.append(UInt8(rest & 255))
        (rest, used) = (rest >> 8, used - 8)
      }
    }
    var (known, size) = (6, 3)
    put(4, 3)
    for index in 0..<count {
      put(index * index % 3, size)
      if index > 0, known < 4096 {
        known += 1
        if known == 1 << size, size < 12 { size += 1 }
      }
    }
    put(5, size)
    put(0, 8)
    var file = Array("GIF87a".utf8) + [100, 0, 60, 0, 0x81, 0, 0]
    file += [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0x2C, 0, 0, 0, 0, 100, 0, 60, 0, 0, 2]
    for start in stride(from: 0, to: bits.count, by: 255) {
      let block = bits[start..<min(start + 255, bits.count)]
      file += [UInt8(block.count)] + block
    }
    let picture = try Bitmap(decoding: file + [0, 0x3B])
    #expect((0..<count).allSatisfy { Int(picture.pixels[$0 * 4]) == $0 * $0 % 3 })
  }

  // MARK: BMP

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func bmp(
    _ width: Int, _ height: Int, bits: Int, compression: Int, table: [UInt8], _ data: [UInt8]
  ) -> [UInt8] {
    let start = 54 + table.count
    return Array("BM".utf8) + little(start + data.count, 4) + little(0, 4) + little(start, 4)
      + little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2)
      + little(compression, 4) + little(data.count, 4) + little(0, 8) + little(table.count / 4, 4)
      + little(0, 4) + table + data
  }

  @Test("runs move on, leave pixels out, and end early")
  func runs() throws {
    let table: [UInt8] = [10, 20, 30, 0, 1, 2, 3, 0]
    // One pixel of colour 1. Two to the right and one up. One pixel. The end.
    let picture = try Bitmap(
      decoding: bmp(4, 2, bits: 8, compression: 1, table: table, [1, 1, 0, 2, 2, 1, 1, 1, 0, 1]))
    let reds = stride(from: 0, to: 32, by: 4).map { picture.pixels[$0] }
    #expect(reds == [30, 30, 30, 3, 3, 30, 30, 30])
    // A run that is longer than its row, and colours that the table does not have.
    let long = try Bitmap(
      decoding: bmp(2, 1, bits: 8, compression: 1, table: table, [9, 7, 0, 1]))
    #expect(long.pixels == [0, 0, 0, 255, 0, 0, 0, 255])
  }

  @Test("headers that contradict themselves are refused")
  func faults() throws {
    for (bits, compression) in [(8, 2), (4, 1), (24, 3), (7, 0), (24, 4), (24, 5), (0, 0)] {
      expectThrows(.image, "\(bits) bits, \(compression)") {
        try Bitmap(
          decoding: bmp(
            1, 1, bits: bits, compression: compression, table: [0, 0, 0, 0],
            [UInt8](repeating: 0, count: 64)))
      }
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1 << 29, 1)] {
      expectThrows(.image) {
        try Bitmap(
          decoding: bmp(width, height, bits: 24, compression: 0, table: [], [0, 0, 0, 0]))
      }
    }
  }

  // MARK: TGA

  private func tga(
    kind: UInt8, bits: UInt8, flags: UInt8, _ data: [UInt8], table: [UInt8] = [], first: UInt8 = 0
  ) -> [UInt8] {
    [0, table.isEmpty ? 0 : 1, kind, first, 0, UInt8(table.count / 3), 0, table.isEmpty ? 0 : 24]
      + [0, 0, 0, 0, 2, 0, 2, 0, bits, flags] + table + data
  }

  @Test("pixels begin in any corner")
  func corners() throws {
    let data: [UInt8] = [1, 2, 3, 4]
    for (flags, expected) in [
      (0, [3, 4, 1, 2]), (0x10, [4, 3, 2, 1]), (0x20, [1, 2, 3, 4]), (0x30, [2, 1, 4, 3]),
    ] {
      let picture = try Bitmap(decoding: tga(kind: 3, bits: 8, flags: UInt8(flags), data))
      #expect(
        stride(from: 0, to: 16, by: 4).map { Int(picture.pixels[$0]) } == expected, "\(flags)")
    }
  }

  @Test("alpha that is 0 everywhere counts only if the header states bits of it")
  func alpha() throws {
    let data = [UInt8](repeating: 0, count: 16)
    for (flags, alpha) in [(0x20, 255), (0x28, 0)] {
      let picture = try Bitmap(decoding: tga(kind: 2, bits: 32, flags: UInt8(flags), data))
      #expect(Int(picture.pixels[3]) == alpha)
    }
    // 16 bits: the highest one is alpha if the header states it.
    let pixels: [UInt8] = [0x1F, 0, 0x1F, 0x80, 0, 0x7C, 0xE0, 0x83]
    let with = try Bitmap(decoding: tga(kind: 2, bits: 16, flags: 0x21, pixels))
    #expect(with.pixels[..<8] == [0, 0, 255, 0, 0, 0, 255, 255])
    let without = try Bitmap(decoding: tga(kind: 2, bits: 16, flags: 0x20, pixels))
    #expect(without.pixels[8...] == [255, 0, 0, 255, 0, 255, 0, 255])
  }

  @Test("a table of colours may begin at any number, and runs may cross rows")
  func table() throws {
    let picture = try Bitmap(
      decoding: tga(
        kind: 9, bits: 8, flags: 0x20, [0x82, 5, 0, 9], table: [1, 2, 3, 4, 5, 6], first: 4))
    #expect(picture.pixels == [6, 5, 4, 255, 6, 5, 4, 255, 6, 5, 4, 255, 0, 0, 0, 255])
  }
}
