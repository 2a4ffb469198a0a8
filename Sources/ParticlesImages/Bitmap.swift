internal import ParticlesCore

/// A picture: rows of pixels from the top, each red, green, blue, alpha with 8 bits; colours in
/// sRGB and not multiplied by alpha.
public struct Bitmap: Sendable, Hashable {
  /// The width in pixels, at least 1.
  public let width: Int

  /// The height in pixels, at least 1.
  public let height: Int

  /// `width` × `height` × 4 bytes.
  public package(set) var pixels: [UInt8]

  /// Creates a transparent picture.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 0, count: width * height * 4)
  }

  /// Creates a picture of `width` × `height` × 4 bytes.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Creates a picture from a function of the position.
  /// - Parameters:
  ///   - width: the width in pixels, at least 1.
  ///   - height: the height in pixels, at least 1.
  ///   - color: red, green, blue and alpha from 0 to 1 at a point; x runs to the right and y
  ///     upwards, both from −1 to 1 over the picture.
  public init(
    width: Int, height: Int,
    color: (_ x: Double, _ y: Double) -> (red: Double, green: Double, blue: Double, alpha: Double)
  ) {
    self.init(width: width, height: height)
    var index = 0
    for row in 0..<height {
      for column in 0..<width {
        let color = color(
          (Double(column) + 0.5) / Double(width) * 2 - 1,
          1 - (Double(row) + 0.5) / Double(height) * 2)
        for component in [color.red, color.green, color.blue, color.alpha] {
          pixels[index] = UInt8(saturating: (min(max(component, 0), 1) * 255).rounded())
          index += 1
        }
      }
    }
  }

  /// Transforms red, green and blue of each pixel with its alpha.
  mutating func mapColors(_ transform: (_ color: UInt8, _ alpha: UInt8) -> UInt8) {
    for index in stride(from: 0, to: pixels.count, by: 4) {
      for component in index..<index + 3 {
        pixels[component] = transform(pixels[component], pixels[index + 3])
      }
    }
  }
}
