import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

@Suite("Compression of GIF")
struct GIFCompressorTests {
  /// Decodes LZW as the specification of GIF 89a describes it.
  private static func decode(_ data: [UInt8]) throws -> [UInt8] {
    let size = Int(data[0])
    var bytes: [UInt8] = []
    var place = 1
    while data[place] != 0 {
      bytes += data[place + 1...place + Int(data[place])]
      place += Int(data[place]) + 1
    }
    #expect(place == data.count - 1)
    let clear = 1 << size
    var strings: [[UInt8]] = []
    var (width, bit) = (size + 1, 0)
    var before: [UInt8]?
    var result: [UInt8] = []
    func restart() {
      strings = (0..<clear + 2).map { $0 < clear ? [UInt8($0)] : [] }
      (width, before) = (size + 1, nil)
    }
    restart()
    while true {
      var code = 0
      for index in 0..<width {
        code |= Int(bytes[(bit + index) >> 3] >> UInt8((bit + index) & 7) & 1) << index
      }
      bit += width
      if code == clear {
        restart()
        continue
      }
      if code == clear + 1 { break }
      var string: [UInt8]
      if code < strings.count {
        string = strings[code]
      } else {
        let last = try #require(before)
        #expect(code == strings.count)
        string = last + [last[0]]
      }
      if let before, strings.count < 4_096 {
        strings.append(before + [string[0]])
        if strings.count == 1 << width, width < 12 { width += 1 }
      }
      result += string
      before = string
    }
    #expect(bytes.count == (bit + 7) / 8)
    return result
  }

  private static func compress(
    _ numbers: [UInt8], _ colors: [UInt32], _ palette: [UInt32], bits: Int, tolerance: Int,
    exact: UInt32 = 0, by compressor: GIFCompressor = GIFCompressor()
  ) -> [UInt8] {
    numbers.withUnsafeBufferPointer { numbers in
      colors.withUnsafeBufferPointer { colors in
        compressor.compress(
          GIFCompressor.Pixels(numbers: numbers, colors: colors), palette, bits: bits,
          tolerance: tolerance, exact: exact)
      }
    }
  }

  @Test(
    "without a tolerance, every pixel is kept: runs, patterns and noise", arguments: [1, 2, 5, 8])
  func exact(bits: Int) throws {
    let compressor = GIFCompressor()
    var random: UInt64 = 7
    func number(_ most: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % most
    }
    for count in [1, 2, 3, 4, 5, 255, 256, 4_096, 30_000] {
      let inputs: [[UInt8]] = [
        [UInt8](repeating: 1, count: count),
        (0..<count).map { UInt8($0 / 7 % (1 << bits)) },
        (0..<count).map { _ in UInt8(number(1 << bits)) },
        (0..<count).map { UInt8($0 % 300 < 250 ? 0 : number(1 << bits)) },
      ]
      for numbers in inputs {
        let colors = [UInt32](repeating: 0, count: count)
        let data = Self.compress(numbers, colors, [], bits: bits, tolerance: 0, by: compressor)
        #expect(try Self.decode(data) == numbers)
      }
    }
    // A run grows by a pixel with each code.
    let run = Self.compress(
      [UInt8](repeating: 0, count: 1_000_000), [UInt32](repeating: 0, count: 1_000_000), [],
      bits: 8, tolerance: 0)
    #expect(run.count < 2_300)
  }

  @Test("with a tolerance, data is smaller, no error grows by more, and exact colours are kept")
  func tolerance() throws {
    // Noise over a slope of grey, and a palette of every fourth level.
    let palette = (0..<64).map { UInt32($0 * 4) * 0x1_0101 | 0xFF00_0000 }
    var random: UInt32 = 1
    let levels = (0..<20_000).map { index -> Int in
      random = random &* 1_664_525 &+ 1_013_904_223
      return min(255, index / 90 % 250 + Int(random >> 30))
    }
    let colors = levels.map { UInt32($0) * 0x1_0101 | 0xFF00_0000 }
    let numbers = levels.map { UInt8(min(63, ($0 + 2) / 4)) }
    let exact = palette[10]
    let plain = Self.compress(numbers, colors, palette, bits: 6, tolerance: 0)
    for tolerance in [30, 300] {
      let data = Self.compress(
        numbers, colors, palette, bits: 6, tolerance: tolerance, exact: exact)
      let decoded = try Self.decode(data)
      #expect(decoded.count == numbers.count && data.count * 10 < plain.count * 9)
      for index in decoded.indices {
        func error(_ number: UInt8) -> Int {
          let offset = Int(number) * 4 - levels[index]
          return 3 * offset * offset
        }
        #expect(error(decoded[index]) <= error(numbers[index]) + tolerance)
        if colors[index] == exact { #expect(decoded[index] == numbers[index]) }
      }
    }
  }

  @Test("of a frame with small changes only, nothing is stored") func smallChanges() throws {
    func frame(_ offset: Int) -> Bitmap {
      var pixels: [UInt8] = []
      for index in 0..<4_096 {
        pixels += [UInt8(index % 97 + offset), UInt8(index / 31 % 120 + offset), 9, 255]
      }
      return Bitmap(width: 64, height: 64, pixels: pixels)
    }
    let one = try animation(.gif, [frame(0)])
    #expect(try animation(.gif, [frame(0), frame(1)]).count < one.count + 100)
    #expect(try animation(.gif, [frame(0), frame(9)]).count > one.count + 500)
  }

  @Test("small changes are not stored again, but never add up, and the background is exact")
  func settling() throws {
    func gray(_ level: UInt8) -> [UInt8] { [level, level, level, 255] }
    // More colours than a palette has, in the upper rows.
    var noise: [UInt8] = []
    for index in 0..<300 { noise += [UInt8(index % 256), UInt8(index / 2), 9, 255] }
    func frame(_ level: UInt8) -> OpaquePixels {
      OpaquePixels(Bitmap(width: 301, height: 1, pixels: noise + gray(level)), .threshold)
    }
    let exact = frame(20).pixels[300]
    var frames = (UInt8(10)...20).map(frame)
    try OpaquePixels.settle(&frames, from: 1, 24, exact: exact)
    // Up to 24 = 3 · 2² + 12: two levels.
    #expect(frames.map { $0.pixels[300] & 255 } == [10, 10, 10, 13, 13, 13, 16, 16, 16, 19, 20])
    // In groups, as they arrive.
    var group = [frame(10)]
    for level in UInt8(11)...20 {
      group.append(frame(level))
      try OpaquePixels.settle(&group, from: group.count - 1, 24, exact: exact)
    }
    #expect(group.map(\.pixels) == frames.map(\.pixels))
  }

  @Test("frames of many bands of pixels are settled in each of them")
  func bands() throws {
    func frame(_ level: Int) -> OpaquePixels {
      let pixels = (0..<120 * 100).flatMap { index -> [UInt8] in
        [UInt8(index % 97 + level), UInt8(index / 97 % 120 + level), UInt8(index % 3), 255]
      }
      return OpaquePixels(Bitmap(width: 120, height: 100, pixels: pixels), .threshold)
    }
    var frames = [frame(0), frame(1), frame(2), frame(3), frame(0)]
    try OpaquePixels.settle(&frames, from: 1, 12, exact: 0)
    // Two levels of two components are 8, three are 18.
    let unchanged = [0, 0, 0, 3, 0].map { frame($0).pixels }
    #expect(frames.map(\.pixels) == unchanged)
  }
}
