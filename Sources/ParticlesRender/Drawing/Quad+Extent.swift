internal import ParticlesSimulation

extension Quad {
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
