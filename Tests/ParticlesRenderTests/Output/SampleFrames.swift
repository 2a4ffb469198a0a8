import ParticlesImages
import ParticlesTestSupport

/// Frames for tests.
enum SampleFrames {
  /// Soft additive spots that move, over black or over nothing.
  static func spots(
    width: Int, height: Int, count: Int, isOpaque: Bool, radius: Double = 0.3
  ) -> [Bitmap] {
    let colors: [(Double, Double, Double)] = [(1, 0.5, 0.15), (0.25, 0.45, 1), (1, 0.9, 0.4)]
    return (0..<count).map { frame in
      let time = Double(frame) / Double(max(1, count))
      return Bitmap(width: width, height: height) { x, y in
        var sum = (red: 0.0, green: 0.0, blue: 0.0)
        for (index, color) in colors.enumerated() {
          let phase = Double(index) * 0.37
          let (dx, dy) = (x - 0.7 + 1.4 * phase, y + 0.8 - 1.6 * (time + phase).fraction)
          let square = (dx * dx + dy * dy) / (radius * radius)
          let light = square < 1 ? (1 - square) * (1 - square) : 0
          sum.red += light * color.0
          sum.green += light * color.1
          sum.blue += light * color.2
        }
        let alpha = isOpaque ? 1 : min(1, max(sum.red, sum.green, sum.blue))
        guard alpha > 0 else { return (0, 0, 0, 0) }
        return (sum.red / alpha, sum.green / alpha, sum.blue / alpha, alpha)
      }
    }
  }

  /// Hard squares of few colours, in frames that do not always change.
  static func squares(width: Int, height: Int, count: Int, isOpaque: Bool) -> [Bitmap] {
    (0..<count).map { frame in
      let step = frame - frame % 3 / 2
      return Bitmap(width: width, height: height) { x, y in
        let (column, row) = (Int((x + 1) * 8), Int((y + 1) * 6))
        if (column + step) % 5 == 0 { return (1, Double(row) / 12, 0.2, 1) }
        if row == step % 12 { return (0.1, 0.7, Double(column) / 16, 1) }
        return isOpaque ? (0, 0.05, 0.1, 1) : (0, 0, 0, 0)
      }
    }
  }

  /// Random pixels with random transparency.
  static func noise(width: Int, height: Int, count: Int, seed: UInt64) -> [Bitmap] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Bitmap(
        width: width, height: height,
        pixels: (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  /// Random pixels with random transparency, of which few change from frame to frame.
  static func sparse(width: Int, height: Int, count: Int, seed: UInt64) -> [Bitmap] {
    var random = SeededGenerator(seed: seed)
    var pixels = noise(width: width, height: height, count: 1, seed: seed)[0].pixels
    return (0..<count).map { _ in
      for _ in 0..<20 {
        let index = Int.random(in: 0..<pixels.count, using: &random)
        pixels[index] = UInt8.random(in: 0...255, using: &random)
      }
      return Bitmap(width: width, height: height, pixels: pixels)
    }
  }

  /// The signal-to-noise ratio of colours multiplied by alpha, in decibels.
  static func quality(_ frames: [[UInt8]], of originals: [Bitmap]) -> Double {
    var (sum, count) = (0.0, 0)
    for (frame, original) in zip(frames, originals) {
      for index in stride(from: 0, to: frame.count, by: 4) {
        for component in index..<index + 3 {
          let difference =
            Double(frame[component]) * Double(frame[index + 3])
            - Double(original.pixels[component]) * Double(original.pixels[index + 3])
          sum += difference * difference / (255 * 255)
          count += 1
        }
      }
    }
    // 10 · log10(255² ÷ the mean error), by repeated division.
    var (ratio, decibels) = (255 * 255 * Double(count) / max(sum, 1e-9), 0.0)
    while ratio >= 10 { (ratio, decibels) = (ratio / 10, decibels + 10) }
    return decibels + (ratio - 1) * 10 / 9
  }

  /// Pixels without the colours of transparent ones.
  static func visible(_ pixels: [UInt8]) -> [UInt8] {
    var pixels = pixels
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] == 0 {
      for component in index..<index + 3 { pixels[component] = 0 }
    }
    return pixels
  }
}

extension Double {
  fileprivate var fraction: Double { self - rounded(.down) }
}
