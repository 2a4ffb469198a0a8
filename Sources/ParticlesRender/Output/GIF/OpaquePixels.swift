internal import ParticlesCore
internal import ParticlesImages

/// A frame without partial transparency. A pixel is red | green << 8 | blue << 16 | 255 << 24; 0 if it
/// is transparent.
struct OpaquePixels: Sendable {
  private(set) var pixels: [UInt32]
  let hasHoles: Bool
  /// Whether there are more colours than a palette has.
  let hasManyColors: Bool

  init(_ bitmap: Bitmap, _ transparency: AnimationWriter.Transparency) {
    var hasHoles = false
    pixels = bitmap.pixels.withUnsafeBytes { bytes in
      let source = bytes.bindMemory(to: UInt32.self)
      return [UInt32](unsafeUninitializedCapacity: source.count) { result, count in
        count = source.count
        hasHoles = Self.convert(source, width: bitmap.width, transparency, to: result)
      }
    }
    self.hasHoles = hasHoles
    hasManyColors = Self.areMany(pixels)
  }

  /// Converts pixels and returns whether any became transparent.
  private static func convert(
    _ source: UnsafeBufferPointer<UInt32>, width: Int,
    _ transparency: AnimationWriter.Transparency, to result: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    var hasHoles = false
    let solid: UInt32 = 0xFF00_0000
    switch transparency {
    case .matte(let red, let green, let blue):
      let matte = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | solid
      var (last, color) = (UInt32(0), matte)
      for index in source.indices {
        let pixel = UInt32(littleEndian: source[index])
        if pixel != last { (last, color) = (pixel, draw(pixel, over: matte)) }
        result[index] = color
      }
    case .threshold:
      for index in source.indices {
        let pixel = UInt32(littleEndian: source[index])
        let isSolid = pixel >= 0x8000_0000
        result[index] = isSolid ? pixel | solid : 0
        if !isSolid { hasHoles = true }
      }
    case .dithered:
      let mask = DitherMatrix.side - 1
      let thresholds = DitherMatrix.blueNoise.thresholds.map { UInt32(saturating: 255 * $0) }
      for y in 0..<source.count / width {
        // Moved against the thresholds of the colours, with which it would otherwise correlate.
        let row = ((y + 13) & mask) * DitherMatrix.side
        for x in 0..<width {
          let index = y * width + x
          let pixel = UInt32(littleEndian: source[index])
          let isSolid = pixel >> 24 > thresholds[row + ((x + 7) & mask)]
          result[index] = isSolid ? pixel | solid : 0
          if !isSolid { hasHoles = true }
        }
      }
    }
    return hasHoles
  }

  /// The pixels of a frame that one thread takes.
  private static let band = 4_096

  /// Keeps the pixels of the frame before where those of a frame differ by no more than a squared distance. Frames of
  /// few colours, which are exact in a file, stay as they are. A frame depends on the one before, so threads share
  /// bands of pixels and not frames.
  /// - Parameters:
  ///   - first: the first frame that may change, at least 1.
  ///   - exact: a colour that is always kept.
  static func settle(
    _ frames: inout [OpaquePixels], from first: Int, _ most: Int, exact: UInt32
  ) throws {
    guard first < frames.count else { return }
    let haveManyColors = frames[first...].map(\.hasManyColors)
    try frames.withUnsafeMutableBufferPointer { frames in
      try lend(UnsafeMutableBufferPointer(rebasing: frames[(first - 1)...])) { lent in
        nonisolated(unsafe) let pixels = lent
        let count = pixels[0].count
        try Parallel.forEach((count + band - 1) / band, state: {}) { piece, _ in
          let range = piece * band..<min(count, (piece + 1) * band)
          for index in haveManyColors.indices where haveManyColors[index] {
            settle(pixels[index + 1], on: pixels[index], in: range, most, exact: exact)
          }
        }
      }
    }
  }

  private static func settle(
    _ pixels: UnsafeMutableBufferPointer<UInt32>, on before: UnsafeMutableBufferPointer<UInt32>,
    in range: Range<Int>, _ most: Int, exact: UInt32
  ) {
    for index in range {
      let (new, old) = (pixels[index], before[index])
      guard new != old, new != exact, old != 0, new != 0 else { continue }
      let r = Int32(new & 255) - Int32(old & 255)
      let g = Int32(new >> 8 & 255) - Int32(old >> 8 & 255)
      let b = Int32(new >> 16 & 255) - Int32(old >> 16 & 255)
      if r &* r &+ g &* g &+ b &* b <= most { pixels[index] = old }
    }
  }

  /// Lends the pixels of all frames for changes.
  private static func lend(
    _ frames: UnsafeMutableBufferPointer<OpaquePixels>,
    _ lent: [UnsafeMutableBufferPointer<UInt32>] = [],
    to body: ([UnsafeMutableBufferPointer<UInt32>]) throws -> Void
  ) rethrows {
    guard lent.count < frames.count else { return try body(lent) }
    try frames[lent.count].pixels.withUnsafeMutableBufferPointer {
      try lend(frames, lent + [$0], to: body)
    }
  }

  /// Whether there are more colours than a palette has.
  private static func areMany(_ pixels: [UInt32]) -> Bool {
    var colors = ExactColors()
    var last: UInt32 = 0
    for pixel in pixels where pixel != last {
      last = pixel
      if pixel != 0 { colors.insert(pixel) }
      if colors.isOverfull { return true }
    }
    return false
  }

  /// Returns a colour over an opaque one.
  private static func draw(_ pixel: UInt32, over matte: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    var result: UInt32 = 0xFF00_0000
    for shift in [0, 8, 16] as [UInt32] {
      let (front, back) = (pixel >> shift & 255, matte >> shift & 255)
      result |= ((front * alpha + back * (255 - alpha) + 127) / 255) << shift
    }
    return result
  }
}
