import ParticlesTestSupport
import Testing

@testable import ParticlesImages

@Suite("Choosing colours")
struct QuantizingTests {
  private func histogram(_ pixels: [UInt32]) -> ColorHistogram {
    let histogram = ColorHistogram()
    pixels.withUnsafeBufferPointer { histogram.count($0) }
    return histogram
  }

  private func color(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 255 << 24
  }

  /// Maps the pixels of a picture 64 wide, and returns their colours.
  private func mapped(_ pixels: [UInt32], _ palette: Palette, _ histogram: ColorHistogram)
    -> [UInt32]
  {
    let mapping = ColorMapping(histogram)
    mapping.prepare(palette)
    var numbers = [UInt8](repeating: 0, count: pixels.count)
    pixels.withUnsafeBufferPointer { pixels in
      numbers.withUnsafeMutableBufferPointer {
        mapping.map(
          pixels, in: PixelRectangle(x: 0..<64, y: 0..<pixels.count / 64), none: 255, to: $0)
      }
    }
    return numbers.map { palette.colors[Int($0)] }
  }

  @Test("up to 256 colours are exact, neighbours too")
  func exact() {
    let colors = (0..<256).map { color($0 % 8, $0 / 8 % 8, $0 / 64) }
    let pixels = (0..<64 * 64).map { colors[$0 * 7 % 256] }
    let histogram = histogram(pixels)
    #expect(histogram.hasAtMost(256) && !histogram.hasAtMost(255))
    let palette = Palette(of: histogram, count: 256)
    #expect(Set(palette.colors) == Set(colors))
    #expect(mapped(pixels, palette, histogram) == pixels)
  }

  @Test("dithering keeps the mean colour")
  func mean() {
    // A level between two grays.
    for level in stride(from: 34, through: 96, by: 7) {
      let pixels = [UInt32](repeating: color(level, level, level), count: 64 * 64)
      let palette = Palette([color(30, 30, 30), color(100, 100, 100), color(250, 0, 0)])
      let result = mapped(pixels, palette, histogram(pixels))
      let mean = Double(result.reduce(0) { $0 + Int($1 & 255) }) / Double(result.count)
      #expect(abs(mean - Double(level)) < 0.6, "\(level) became \(mean)")
    }
  }

  @Test("more colours lower the error, and all of them are used")
  func errors() {
    let pixels = (0..<64 * 64).map { color($0 % 64 * 4, $0 / 64 * 4, ($0 % 64 + $0 / 64) * 2) }
    let histogram = histogram(pixels)
    let mapping = ColorMapping(histogram)
    var last = Double.infinity
    for count in [2, 8, 32, 128, 256] {
      let palette = Palette(of: histogram, count: count)
      #expect(palette.colors.count == count)
      let error = mapping.error(of: palette)
      #expect(error < last)
      last = error
    }
    #expect(last < 80)
  }

  @Test("the background is exact among many colours that are nearly the same")
  func background() {
    var random = SeededGenerator(seed: 5)
    let pixels = (0..<64 * 64).map { index in
      index < 2048
        ? color(0, 0, 0)
        : color(
          .random(in: 0...3, using: &random), .random(in: 0...255, using: &random),
          .random(in: 0...255, using: &random))
    }
    let histogram = histogram(pixels)
    #expect(histogram.longestRun == color(0, 0, 0))
    let palette = Palette(of: histogram, count: 64, background: histogram.longestRun)
    #expect(palette.colors.contains(color(0, 0, 0)))
    #expect(palette.colors.count <= 64)
  }

  @Test("pixels of the background become exactly that, beside colours that are nearly the same")
  func backgroundPixels() {
    let others = (0..<400).map { color(40 + $0 % 200, $0 / 2, 255 - $0 / 4) }
    let (black, nearly) = (color(0, 0, 0), color(3, 2, 2))
    let rest: [UInt32] = (400..<4096).map { $0 % 16 == 0 ? black : nearly }
    let pixels = others + rest
    let histogram = histogram(pixels)
    let palette = Palette([black, nearly, color(150, 100, 200)])
    let mapping = ColorMapping(histogram)
    mapping.prepare(palette, background: black)
    var numbers = [UInt8](repeating: 0, count: pixels.count)
    pixels.withUnsafeBufferPointer { pixels in
      numbers.withUnsafeMutableBufferPointer {
        mapping.map(pixels, in: PixelRectangle(x: 0..<64, y: 0..<64), none: 255, to: $0)
      }
    }
    #expect((400..<4096).allSatisfy { numbers[$0] == ($0 % 16 == 0 ? 0 : 1) })
  }

  @Test("a histogram is empty after removal, and ignores pixels to leave out")
  func removal() {
    let histogram = histogram([0, color(1, 2, 3), color(1, 2, 3), 0, color(9, 9, 9)])
    #expect(histogram.cells.map(\.count) == [2, 1])
    histogram.removeAll()
    #expect(histogram.isEmpty)
    [color(9, 9, 9)].withUnsafeBufferPointer { histogram.count($0) }
    #expect(histogram.cells.map(\.count) == [1])
    #expect(Palette(of: histogram, count: 4).colors == [color(9, 9, 9)])
  }

  @Test("each threshold of the matrix occurs once, and low ones are apart")
  func matrix() {
    let (side, thresholds) = (DitherMatrix.side, DitherMatrix.blueNoise.thresholds)
    #expect(Set(thresholds).count == side * side)
    #expect(thresholds.allSatisfy { $0 > 0 && $0 < 1 })
    let lowest = thresholds.indices.filter { thresholds[$0] < 1.0 / 16 }
    for a in lowest {
      for b in lowest where a < b {
        let dx = min(abs(a % side - b % side), side - abs(a % side - b % side))
        let dy = min(abs(a / side - b / side), side - abs(a / side - b / side))
        #expect(dx * dx + dy * dy >= 4)
      }
    }
  }

  /// Places one threshold at a time, where the weighted sum of thresholds already placed is least.
  @Test("the matrix is the one that its source describes")
  func computedMatrix() {
    let side = DitherMatrix.side
    let count = side * side
    // The weight of a place at each distance. Distances wrap around.
    let weights = (0..<count).map { place in
      let (x, y) = (place % side, place / side)
      let (dx, dy) = (Float(min(x, side - x)), Float(min(y, side - y)))
      // A bell: (1 − x ÷ 64)⁶⁴ is nearly exp(−x), and equal on every machine.
      var weight = max(0, 1 - (dx * dx + dy * dy) / (2 * 1.9 * 1.9 * 64))
      for _ in 0..<6 { weight *= weight }
      return weight
    }
    // Small different numbers, so that the first places are irregular.
    var energy = (0..<count).map { Float((UInt32($0) &* 2_654_435_769) >> 16) * 1e-7 }
    var thresholds = [Float](repeating: 0, count: count)
    for rank in 0..<count {
      var least = 0
      for place in 1..<count where energy[place] < energy[least] { least = place }
      thresholds[least] = (Float(rank) + 0.5) / Float(count)
      energy[least] = .infinity
      let (x, y) = (least % side, least / side)
      for place in 0..<count {
        let (row, column) = ((place / side - y) & (side - 1), (place % side - x) & (side - 1))
        energy[place] += weights[row * side + column]
      }
    }
    #expect(thresholds == DitherMatrix.blueNoise.thresholds)
  }
}
