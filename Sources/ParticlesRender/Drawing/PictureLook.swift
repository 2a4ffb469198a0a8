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
  static let least: UInt8 = 24

  /// - Parameter background: nil if it is transparent.
  package init(_ picture: Bitmap, background: ParticleSystem.Color?) {
    (width, height) = (picture.width, picture.height)
    let color = background.map { $0.alpha >= 1 ? $0 : nil } ?? nil
    let bytes = [color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0].map {
      UInt8((min(max($0.isNaN ? 0 : $0, 0), 1) * 255).rounded())
    }
    let (red, green, blue) = (bytes[0], bytes[1], bytes[2])
    let isTransparent = color == nil
    func differs(_ a: UInt8, _ b: UInt8) -> Bool { (a > b ? a - b : b - a) > Self.least }
    picture.pixels.withUnsafeBufferPointer { pixels in
      var index = 0
      for y in 0..<height {
        var (first, last) = (Int.max, -1)
        for x in 0..<width {
          defer { index += 4 }
          let isVisible =
            isTransparent
            ? pixels[index + 3] > Self.least
            : differs(pixels[index], red) || differs(pixels[index + 1], green)
              || differs(pixels[index + 2], blue)
          guard isVisible else { continue }
          visible += 1
          first = min(first, x)
          last = x
        }
        guard last >= 0 else { continue }
        (left, right) = (min(left, first), max(right, last))
        (top, bottom) = (min(top, y), y)
      }
    }
  }

  /// The fewest pixels that are more than next to nothing: 40 of 128 × 128, and in other sizes as many in a
  /// line.
  package static func enough(width: Int, height: Int) -> Int {
    max(1, Int(40 * (Double(width) * Double(height)).squareRoot() / 128))
  }

  /// Whether next to nothing can be seen.
  package var isPoor: Bool { visible < Self.enough(width: width, height: height) }

  /// Whether something that can be seen is at a border.
  package var isCut: Bool {
    visible > 0 && (left == 0 || top == 0 || right == width - 1 || bottom == height - 1)
  }
}
