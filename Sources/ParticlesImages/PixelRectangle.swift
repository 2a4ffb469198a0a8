/// A rectangle of whole pixels; y runs downwards, as the rows of a ``Bitmap`` do.
package struct PixelRectangle: Sendable, Hashable {
  /// The columns.
  package var x: Range<Int>
  /// The rows.
  package var y: Range<Int>

  /// Creates a rectangle.
  package init(x: Range<Int>, y: Range<Int>) {
    self.x = x
    self.y = y
  }

  /// A rectangle without pixels.
  package static let empty = PixelRectangle(x: 0..<0, y: 0..<0)

  /// Whether there are no pixels.
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
    // Each row narrows what has to be searched in the next.
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
