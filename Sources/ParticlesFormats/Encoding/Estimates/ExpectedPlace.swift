internal import ParticlesCore
internal import ParticlesModel

/// Where particles are emitted, by the table in `Spec/document.md`, section Shapes. Arcs of engines and the lengths of polylines
/// are left out.
enum ExpectedPlace {
  /// A place of a shape, and the direction away from it.
  static func sample(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let (u, v, w) = (draw.u, draw.v, draw.w)
    let ring = ExpectedMotion.unit(shape.arc.lower + (shape.arc.upper - shape.arc.lower) * u)
    let isHollow = shape.placement != .volume
    let isNormal = shape.distribution == .normal && !isHollow
    /// A place about the y axis.
    func around(_ radius: Double, _ height: Double) -> SIMD4<Double> {
      SIMD4(radius * ring.x, height, -radius * ring.y, 0)
    }
    switch shape.kind {
    case .point, .mesh: return (.zero, up)
    case .line:
      return (
        ExpectedMotion.unit(shape.angle) * (shape.length * (u - 0.5)),
        ExpectedMotion.unit(shape.angle + 90)
      )
    case .rect where isNormal:
      return outwards(normal(u, v) * SIMD4(shape.size.x / 2, shape.size.y / 2, 0, 0))
    case .ellipse where isNormal:
      return outwards(normal(u, v) * SIMD4(shape.radii.x, shape.radii.y, 0, 0))
    case .rect: return outwards(rectangle(shape, draw))
    case .box: return outwards(box(shape, draw))
    case .ellipse:
      let radii = SIMD4(shape.radii.x, shape.radii.y, 0, 0)
      return (ring * radii * share(shape, v), outwards(ring * radii).normal)
    case .sphere, .hemisphere:
      let height = shape.kind == .sphere ? 1 - 2 * v : v
      if shape.distribution == .projected {
        let place = ring * (shape.radius * share(shape, v))
        let depth = max(0, shape.radius * shape.radius - (place * place).sum()).squareRoot()
        let y = shape.kind == .sphere ? place.y : place.y.magnitude
        return outwards(SIMD4(place.x, y, draw.part < 0.5 ? depth : -depth, 0))
      }
      let normal = around(max(0, 1 - height * height).squareRoot(), height)
      return (normal * (shape.radius * ballShare(shape, w)), normal)
    case .cone:
      let (sine, cosine) = sineAndCosine(degrees: shape.angle)
      let height = shape.placement == .edge ? 0 : w * shape.height
      let wall = shape.radius + (cosine.magnitude > 1e-9 ? height * sine / cosine : 0)
      return (around(wall * share(shape, v), height), around(sine, cosine))
    case .cylinder, .capsule, .tube:
      let height = shape.placement == .edge ? -0.5 : w - 0.5
      return (around(shape.radius * share(shape, v), height * shape.height), around(1, 0))
    case .torus:
      let tube = ExpectedMotion.unit(360 * v)
      let away = shape.pipe * share(shape, w)
      return (around(shape.radius + away * tube.x, away * tube.y), around(tube.x, tube.y))
    case .points:
      guard !shape.positions.isEmpty else { return (.zero, up) }
      let index = index(draw.part, of: shape.positions.count)
      let hasNormals = shape.normals.count == shape.positions.count
      return (
        vector(shape.positions[index]),
        hasNormals ? outwards(vector(shape.normals[index])).normal : up
      )
    case .polyline:
      let points = shape.points.flatMap(\.self)
      guard points.count > 1 else { return (points.first.map(vector) ?? .zero, up) }
      let way = draw.part * Double(points.count - 1)
      let first = index(draw.part, of: points.count - 1)
      let (from, to) = (vector(points[first]), vector(points[first + 1]))
      let along = to - from
      return (from + along * (way - Double(first)), outwards(SIMD4(-along.y, along.x, 0, 0)).normal)
    }
  }

  /// The variance of a mean over the sample, as a share of the variance of the places, with twice its deviation. Points are in
  /// no order, so that some of many are no even sample.
  static func samplingVariance(_ shape: Shape) -> Double {
    let (count, sample) = (Double(shape.positions.count), Double(ExpectedAges.particles))
    return shape.kind == .points && count > sample ? 4 * (1 - sample / count) / sample : 0
  }

  private static let up = SIMD4(0.0, 1, 0, 0)

  private static func index(_ part: Double, of count: Int) -> Int {
    min(Int(saturating: part * Double(count)), count - 1)
  }

  private static func vector(_ vector: Vector) -> SIMD4<Double> {
    SIMD4(vector.x, vector.y, vector.z, 0)
  }

  /// A place with the direction away from the centre.
  private static func outwards(
    _ place: SIMD4<Double>
  ) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    (place, place == .zero ? up : place / place.length)
  }

  /// The share of the radius in a plane.
  private static func share(_ shape: Shape, _ u: Double) -> Double {
    guard shape.placement == .volume else { return 1 }
    let inner = shape.inner
    return shape.distribution == .radialLinear
      ? inner + (1 - inner) * u : (inner * inner + (1 - inner * inner) * u).squareRoot()
  }

  /// The share of the radius of a ball.
  private static func ballShare(_ shape: Shape, _ u: Double) -> Double {
    guard shape.placement == .volume else { return 1 }
    let inner = shape.inner
    if shape.distribution == .radialLinear { return inner + (1 - inner) * u }
    let cube = inner * inner * inner
    return power(cube + (1 - cube) * u, 1.0 / 3)
  }

  /// A place with normally distributed coordinates.
  private static func normal(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let logarithm = logarithmToBaseTwo(1 - u) * 0.693_147_180_559_945_3
    return ExpectedMotion.unit(360 * v) * (-2 * logarithm).squareRoot()
  }

  private static func rectangle(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> SIMD4<Double> {
    let (x, y) = (shape.size.x, shape.size.y)
    let isLinear = shape.placement == .volume && shape.distribution == .radialLinear
    if shape.placement == .volume, !isLinear {
      return SIMD4((draw.u - 0.5) * x, (draw.v - 0.5) * y, 0, 0)
    }
    if shape.placement == .vertices {
      return SIMD4(draw.part < 0.5 ? x / 2 : -x / 2, draw.u < 0.5 ? y / 2 : -y / 2, 0, 0)
    }
    let way = draw.part * 2 * (x + y)
    let outline =
      way < 2 * x
      ? SIMD4((draw.u - 0.5) * x, way < x ? -y / 2 : y / 2, 0, 0)
      : SIMD4(way - 2 * x < y ? -x / 2 : x / 2, (draw.u - 0.5) * y, 0, 0)
    return isLinear ? outline * share(shape, draw.v) : outline
  }

  private static func box(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> SIMD4<Double> {
    let size = vector(shape.size)
    var place = SIMD4(draw.u, draw.v, draw.w, 0) - SIMD4(0.5, 0.5, 0.5, 0)
    switch shape.placement {
    case .volume: break
    case .vertices, .edge:
      // Nearly so: two coordinates are at their ends, or all.
      let free = shape.placement == .vertices ? 3 : index(draw.part, of: 3)
      for axis in 0..<3 where axis != free { place[axis] = place[axis] < 0 ? -0.5 : 0.5 }
    case .surface:
      let (x, y, z) = (size.y * size.z, size.x * size.z, size.x * size.y)
      let way = draw.part * (x + y + z)
      let axis = way < x ? 0 : way < x + y ? 1 : 2
      place[axis] = place[axis] < 0 ? -0.5 : 0.5
    }
    return place * size
  }
}
