internal import ParticlesCore
package import ParticlesImages
package import ParticlesModel

/// The visible part of a picture: pixels that differ from the background by more than 24 of 255.
package struct PictureLook {
  /// The number of pixels that can be seen.
  package private(set) var visible = 0
  /// The columns and rows that they are in.
  private(set) var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
  let width: Int
  let height: Int

  /// The greatest difference that cannot be seen.
  static let least: Int32 = 24

  /// - Parameter background: nil if it is transparent.
  package init(_ picture: Bitmap, background: ParticleSystem.Color?) {
    (width, height) = (picture.width, picture.height)
    let color = background.map { $0.alpha >= 1 ? $0 : nil } ?? nil
    let bytes = [color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0].map {
      UInt8(saturating: (min(max($0.isNaN ? 0 : $0, 0), 1) * 255).rounded())
    }
    let isTransparent = color == nil
    let (red, green, blue) = (Int32(bytes[0]), Int32(bytes[1]), Int32(bytes[2]))
    picture.pixels.withUnsafeBytes { pixels in
      /// 1 for a pixel that can be seen, and 0 for another one, without branches, so that the loop is of vectors.
      @inline(__always)
      func seen(_ place: Int) -> Int32 {
        let pixel = Int32(
          bitPattern: UInt32(
            littleEndian: pixels.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self)))
        if isTransparent { return pixel >> 24 & 0xFF > Self.least ? 1 : 0 }
        return Self.differ(pixel & 0xFF, red) | Self.differ(pixel >> 8 & 0xFF, green)
          | Self.differ(pixel >> 16 & 0xFF, blue)
      }
      for y in 0..<height {
        let row = y * width
        var count: Int32 = 0
        for x in row..<row + width { count &+= seen(x) }
        guard count > 0 else { continue }
        visible += Int(count)
        var (first, last) = (row, row + width - 1)
        while seen(first) == 0 { first += 1 }
        while seen(last) == 0 { last -= 1 }
        (left, right) = (min(left, first - row), max(right, last - row))
        (top, bottom) = (min(top, y), y)
      }
    }
  }

  /// 1 if two components differ visibly, and 0 otherwise.
  @inline(__always)
  private static func differ(_ a: Int32, _ b: Int32) -> Int32 {
    abs(a &- b) > least ? 1 : 0
  }

  /// The fewest pixels that are more than next to nothing: 40 of 128 × 128, and in other sizes as many in a
  /// line.
  package static func enough(width: Int, height: Int) -> Int {
    max(1, Int(saturating: 40 * (Double(width) * Double(height)).squareRoot() / 128))
  }

  /// The fewest pixels of this picture that are more than next to nothing.
  package var enough: Int { Self.enough(width: width, height: height) }

  /// Whether next to nothing can be seen.
  package var isPoor: Bool { visible < enough }

  /// Whether something that can be seen is at a border.
  package var isCut: Bool {
    visible > 0 && (left == 0 || top == 0 || right == width - 1 || bottom == height - 1)
  }
}
