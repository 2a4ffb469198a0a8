internal import ParticlesCore

/// A picture: rows of pixels from the top, each red, green, blue, alpha with 8 bits. Colours are in
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
  ///   - color: red, green, blue and alpha from 0 to 1 at a point. x runs to the right and y
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

/// A rectangle of whole pixels. y runs downwards, like the rows of a ``Bitmap``.
package struct PixelRectangle: Sendable, Hashable {
  /// The columns.
  package var x: Range<Int>
  /// The rows.
  package var y: Range<Int>

  package init(x: Range<Int>, y: Range<Int>) {
    self.x = x
    self.y = y
  }

  package static let empty = PixelRectangle(x: 0..<0, y: 0..<0)

  package var isEmpty: Bool { x.isEmpty || y.isEmpty }

  /// The number of pixels.
  package var count: Int { x.count * y.count }

  /// Returns the smallest rectangle that contains both.
  package func union(_ other: PixelRectangle) -> PixelRectangle {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRectangle(
      x: min(x.lowerBound, other.x.lowerBound)..<max(x.upperBound, other.x.upperBound),
      y: min(y.lowerBound, other.y.lowerBound)..<max(y.upperBound, other.y.upperBound))
  }

  /// Returns the pixels that are in both.
  package func intersection(_ other: PixelRectangle) -> PixelRectangle {
    PixelRectangle(x: x.clamped(to: other.x), y: y.clamped(to: other.y))
  }
}

extension PixelRectangle {
  /// Creates the smallest rectangle with all pixels that a function selects.
  /// - Parameters:
  ///   - width: the number of pixels in a row.
  ///   - height: the number of rows.
  ///   - selects: whether the pixel of this number, counted by rows, belongs to the rectangle.
  @inlinable @inline(__always)
  package init(boundsIn width: Int, _ height: Int, _ selects: (Int) -> Bool) {
    func row(_ y: Int, _ columns: Range<Int>) -> Bool {
      for x in columns where selects(y * width + x) { return true }
      return false
    }
    guard let top = (0..<height).first(where: { row($0, 0..<width) }) else {
      self.init(x: 0..<0, y: 0..<0)
      return
    }
    var bottom = height
    while !row(bottom - 1, 0..<width) { bottom -= 1 }
    // Each row narrows the search in the next row.
    var (left, right) = (width, 0)
    for y in top..<bottom {
      for x in 0..<left where selects(y * width + x) {
        left = x
        break
      }
      var x = width
      while x > right, !selects(y * width + x - 1) { x -= 1 }
      right = x > right ? x : right
    }
    self.init(x: left..<right, y: top..<bottom)
  }
}
