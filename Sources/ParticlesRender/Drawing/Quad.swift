/// A convex quadrilateral that shows a texture: the unit in which everything is drawn.
package struct Quad {
  /// Corners in pixels from the top left of the picture, y down: those of the texture at its top left,
  /// top right, bottom right and bottom left.
  package var corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
  /// The inverse of the distance to the camera at the first, second and fourth corner; all the same
  /// without perspective.
  package var nearness = SIMD3<Float>(repeating: 1)
  /// The part of the texture that is shown: left, top, right and bottom, from 0 to 1.
  package var part = SIMD4<Float>(0, 0, 1, 1)
  /// The colour: red, green and blue, not multiplied by alpha, and alpha.
  package var color: SIMD4<Float>
  /// The index of the texture, and that of a second one that is mixed in with a weight.
  package var texture: Int32
  package var next: Int32 = -1
  package var share: Float = 0
  /// The index of the blend state.
  package var state: Int32
  package var isNearest = false
  /// Whether there are three corners only; the third is that of the second.
  package var isTriangle = false

  /// A rectangle that faces the viewer.
  /// - Parameters:
  ///   - center: in pixels from the top left of the picture.
  ///   - size: in pixels.
  ///   - degrees: clockwise.
  package init(
    center: SIMD2<Double>, size: SIMD2<Double>, degrees: Double = 0, color: SIMD4<Float>,
    texture: Int = 0, state: Int = 0
  ) {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    let right = SIMD2(cosine, sine) * (size.x / 2)
    let down = SIMD2(-sine, cosine) * (size.y / 2)
    self.init(
      SIMD2<Float>(center - right - down), SIMD2<Float>(center + right - down),
      SIMD2<Float>(center + right + down), SIMD2<Float>(center - right + down), color: color,
      texture: Int32(texture), state: Int32(state))
  }

  init(
    _ topLeft: SIMD2<Float>, _ topRight: SIMD2<Float>, _ bottomRight: SIMD2<Float>,
    _ bottomLeft: SIMD2<Float>, color: SIMD4<Float>, texture: Int32, state: Int32
  ) {
    corners = (topLeft, topRight, bottomRight, bottomLeft)
    (self.color, self.texture, self.state) = (color, texture, state)
  }

  /// The smallest and the greatest coordinates.
  @inline(__always)
  var bounds: (least: SIMD2<Float>, greatest: SIMD2<Float>) {
    let (a, b, c, d) = corners
    func least(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
      a.replacing(with: b, where: b .< a)
    }
    func greatest(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
      a.replacing(with: b, where: b .> a)
    }
    return (least(least(a, b), least(c, d)), greatest(greatest(a, b), greatest(c, d)))
  }

  var isFinite: Bool {
    let sum = corners.0 + corners.1 + corners.2 + corners.3
    return sum.x.isFinite && sum.y.isFinite && (color.x + color.y + color.z + color.w).isFinite
      && (nearness.x + nearness.y + nearness.z).isFinite
  }

  /// The lengths of the first and the last edge in pixels.
  var size: SIMD2<Float> {
    let (x, y) = (corners.1 - corners.0, corners.3 - corners.0)
    return SIMD2((x * x).sum().squareRoot(), (y * y).sum().squareRoot())
  }

  /// The rectangle of the texture of this quad whose texels are not all transparent; nil if there is
  /// nothing to see.
  func trimmed(to plane: TexelPlane) -> Quad? {
    guard let covered = plane.covered else { return nil }
    guard !isTriangle, nearness.x == nearness.y, nearness.x == nearness.z,
      part == SIMD4(0, 0, 1, 1)
    else { return self }
    // Filtering reaches half a texel beyond the outermost texels.
    let left = Float(max(0, (Double(covered.x.lowerBound) - 0.5) / plane.width))
    let right = Float(min(1, (Double(covered.x.upperBound) + 0.5) / plane.width))
    let top = Float(max(0, (Double(covered.y.lowerBound) - 0.5) / plane.height))
    let bottom = Float(min(1, (Double(covered.y.upperBound) + 0.5) / plane.height))
    if left == 0, right == 1, top == 0, bottom == 1 { return self }
    var quad = self
    let (x, y) = (corners.1 - corners.0, corners.3 - corners.0)
    quad.corners = (
      corners.0 + x * left + y * top, corners.0 + x * right + y * top,
      corners.0 + x * right + y * bottom, corners.0 + x * left + y * bottom
    )
    quad.part = SIMD4(left, top, right, bottom)
    return quad
  }
}
