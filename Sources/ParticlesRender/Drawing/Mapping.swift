internal import ParticlesSimulation

/// Texel coordinates of the pixels of a quad: with the border of the texture, the first texel's
/// centre is at 1.
struct Mapping {
  /// Coordinates are (u, v) ÷ w, each x · X + y · Y + constant.
  private var u: SIMD3<Double>
  private var v: SIMD3<Double>
  private var w: SIMD3<Double>
  let hasPerspective: Bool
  private let greatest: SIMD2<Double>
  /// Half a texel, which the nearest texel needs more.
  private let offset: Double

  /// The mapping of a quad; nil if it has no area.
  init?(_ quad: Quad, _ plane: TexelPlane) {
    let origin = SIMD2<Double>(quad.corners.0)
    let (x, y) = (
      SIMD2<Double>(quad.corners.1) - origin, SIMD2<Double>(quad.corners.3) - origin
    )
    let area = x.x * y.y - x.y * y.x
    guard area.magnitude > 1e-9, area.isFinite else { return nil }
    // Shares of the two edges from the first corner, at a pixel.
    let s = SIMD3(y.y, -y.x, y.x * origin.y - y.y * origin.x) / area
    let t = SIMD3(-x.y, x.x, x.y * origin.x - x.x * origin.y) / area
    let part = SIMD4<Double>(quad.part)
    let scale = SIMD2(plane.width, plane.height)
    let first = SIMD2(part.x, part.y) * scale
    let (across, down) = ((part.z - part.x) * scale.x, (part.w - part.y) * scale.y)
    let near = SIMD3<Double>(quad.nearness)
    hasPerspective = near.x != near.y || near.x != near.z
    let one = SIMD3(0, 0, 1.0)
    if hasPerspective {
      w = one * near.x + s * (near.y - near.x) + t * (near.z - near.x)
      u = one * (first.x * near.x)
      u += s * ((first.x + across) * near.y - first.x * near.x)
      u += t * (first.x * (near.z - near.x))
      v = one * (first.y * near.x)
      v += s * (first.y * (near.y - near.x))
      v += t * ((first.y + down) * near.z - first.y * near.x)
    } else {
      w = one
      u = one * first.x + s * across
      v = one * first.y + t * down
    }
    greatest = scale
    offset = quad.isNearest ? 1 : 0.5
  }

  /// The difference between two neighbouring pixels of a row, without perspective.
  var step: SIMD2<Double> { SIMD2(u.x, v.x) }

  /// The coordinates of the outermost edges.
  var limits: (least: Double, greatest: SIMD2<Double>) { (offset, greatest + offset) }

  /// Texel coordinates at a pixel, within the texture.
  @inline(__always)
  func callAsFunction(_ x: Int, _ y: Int) -> SIMD2<Double> {
    let pixel = SIMD3(Double(x) + 0.5, Double(y) + 0.5, 1)
    var (u, v) = ((self.u * pixel).sum(), (self.v * pixel).sum())
    if hasPerspective {
      let depth = (w * pixel).sum()
      (u, v) = (u / depth, v / depth)
    }
    // A comparison that fails for NaN as well.
    u = u > 0 ? Swift.min(u, greatest.x) : 0
    v = v > 0 ? Swift.min(v, greatest.y) : 0
    return SIMD2(u + offset, v + offset)
  }
}
