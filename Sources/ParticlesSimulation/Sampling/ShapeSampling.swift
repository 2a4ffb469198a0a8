internal import ParticlesCore
internal import ParticlesModel

/// Where a particle is emitted, seen from the shape's own transform.
struct ShapePoint {
  var place: Vector
  var normal: Vector
  var color: Color?
}

extension Shape {
  /// A point of the shape, by the table in `Spec/document.md`, section Shapes.
  /// - Parameters:
  ///   - u: three random numbers.
  ///   - part: the random number that chooses a part of the shape.
  ///   - ellipse: the engine's distribution over an ellipse.
  func sample(
    _ u: (Double, Double, Double), part: Double, ellipse: EngineLaw.Ellipse = .uniform
  ) -> ShapePoint {
    switch kind {
    case .point: ShapePoint(place: .zero, normal: .up)
    case .line: line(u.0)
    case .rect: rectangle(u, part)
    case .ellipse where distribution == .normal && !isHollow:
      normallyDistributed(u, Vector(radii.x, radii.y))
    case .ellipse where ellipse == .squareMapped && !isHollow: mappedDisc(u)
    case .ellipse where ellipse == .cutDisc && (isHollow || radii.x > radii.y): cutDisc(u)
    case .ellipse: disc(u)
    // Its lengths are added once, see ``PolylinePlan``.
    case .polyline: ShapePoint(place: .zero, normal: .up)
    case .points: points(part)
    case .box: box(u, part)
    case .sphere: ball(u, part, height: 1 - 2 * u.1)
    case .hemisphere: ball(u, part, height: u.1)
    case .cone: cone(u)
    case .cylinder, .tube: cylinder(u)
    case .capsule: capsule(u, part)
    case .torus: torus(u)
    // Surfaces of meshes are not in the document.
    case .mesh: ShapePoint(place: .zero, normal: .up)
    }
  }

  private var isHollow: Bool { placement != .volume }

  /// The angle of the arc for a random number, in degrees.
  private func arcAngle(_ u: Double) -> Double { arc.lower + (arc.upper - arc.lower) * u }

  /// The share of the radius in a plane.
  private func share(_ u: Double) -> Double {
    if isHollow { return 1 }
    return distribution == .radialLinear
      ? inner + (1 - inner) * u : (inner * inner + (1 - inner * inner) * u).squareRoot()
  }

  /// The share of the radius of a ball.
  private func ballShare(_ u: Double) -> Double {
    if isHollow { return 1 }
    if distribution == .radialLinear { return inner + (1 - inner) * u }
    let cube = inner * inner * inner
    return power(cube + (1 - cube) * u, 1 / 3)
  }

  private func line(_ u: Double) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: angle)
    return ShapePoint(
      place: Vector(cosine, sine) * ((u - 0.5) * length), normal: Vector(-sine, cosine))
  }

  /// A point with the direction from the centre as its normal.
  private func fromCentre(_ place: Vector) -> ShapePoint {
    ShapePoint(place: place, normal: place.direction ?? .up)
  }

  private func rectangle(_ u: (Double, Double, Double), _ part: Double) -> ShapePoint {
    let (width, height) = (size.x, size.y)
    switch placement {
    case .volume where distribution == .normal:
      return normallyDistributed(u, Vector(width / 2, height / 2))
    case .volume where distribution == .radialLinear:
      // A point of the outline, by length, drawn towards the centre.
      var outline = self
      outline.placement = .edge
      let point = outline.rectangle(u, part)
      return ShapePoint(place: point.place * share(u.1), normal: point.normal)
    case .volume: return fromCentre(Vector((u.0 - 0.5) * width, (u.1 - 0.5) * height))
    case .vertices:
      let corner = min(Int(saturating: part * 4), 3)
      return fromCentre(
        Vector(corner & 1 == 0 ? -width / 2 : width / 2, corner < 2 ? -height / 2 : height / 2))
    case .surface, .edge:
      let way = part * 2 * (width + height)
      if way < 2 * width {
        return fromCentre(Vector((u.0 - 0.5) * width, way < width ? -height / 2 : height / 2))
      }
      return fromCentre(
        Vector(way - 2 * width < height ? -width / 2 : width / 2, (u.0 - 0.5) * height))
    }
  }

  /// A point whose coordinates are normally distributed, by the transform of Box and Muller.
  private func normallyDistributed(
    _ u: (Double, Double, Double), _ deviation: Vector
  ) -> ShapePoint {
    let logarithm = logarithmToBaseTwo(1 - u.0) * 0.693_147_180_559_945_3
    let length = (-2 * logarithm).squareRoot()
    let (sine, cosine) = sineAndCosine(degrees: 360 * u.1)
    return fromCentre(Vector(deviation.x * length * cosine, deviation.y * length * sine))
  }

  private func disc(_ u: (Double, Double, Double)) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
    let share = share(u.1)
    return ShapePoint(
      place: Vector(radii.x * share * cosine, radii.y * share * sine),
      normal: Vector(radii.x * cosine, radii.y * sine).direction ?? Vector(cosine, sine))
  }

  /// A point of a square, mapped to the ellipse.
  private func mappedDisc(_ u: (Double, Double, Double)) -> ShapePoint {
    let (x, y) = (2 * u.0 - 1, 2 * u.1 - 1)
    return fromCentre(
      Vector(
        radii.x * x * (1 - y * y / 2).squareRoot(), radii.y * y * (1 - x * x / 2).squareRoot()))
  }

  /// A point of the disc of the radius along x, cut to the radius along y and scaled to it. A hollow
  /// disc gives a point on the edge, whose normal is its angle.
  private func cutDisc(_ u: (Double, Double, Double)) -> ShapePoint {
    if isHollow {
      let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
      return ShapePoint(
        place: Vector(radii.x * cosine, radii.y * sine), normal: Vector(cosine, sine))
    }
    let height = radii.y / radii.x
    var (a, b) = (u.0, u.1)
    // At least π ÷ 4 of all points are within the disc.
    for _ in 0..<24 {
      let (x, y) = (2 * a - 1, (2 * b - 1) * height)
      if x * x + y * y <= 1 { return fromCentre(Vector(radii.x * x, radii.y * y)) }
      (a, b) = (RandomNumbers.unit(after: a), RandomNumbers.unit(after: b))
    }
    return fromCentre(.zero)
  }

  private func points(_ part: Double) -> ShapePoint {
    guard !positions.isEmpty else { return ShapePoint(place: .zero, normal: .up) }
    let index = min(Int(saturating: part * Double(positions.count)), positions.count - 1)
    return ShapePoint(
      place: positions[index],
      normal: normals.count == positions.count ? normals[index].direction ?? .up : .up,
      color: colors.count == positions.count ? colors[index] : nil)
  }

  private func box(_ u: (Double, Double, Double), _ part: Double) -> ShapePoint {
    var share = Vector(u.0 - 0.5, u.1 - 0.5, u.2 - 0.5)
    switch placement {
    case .volume: break
    case .vertices:
      let corner = min(Int(saturating: part * 8), 7)
      share = Vector(
        corner & 1 == 0 ? -0.5 : 0.5, corner & 2 == 0 ? -0.5 : 0.5, corner & 4 == 0 ? -0.5 : 0.5)
    case .surface:
      let (x, y, z) = (size.y * size.z, size.x * size.z, size.x * size.y)
      let way = part * 2 * (x + y + z)
      if way < 2 * x {
        share.x = way < x ? -0.5 : 0.5
      } else if way < 2 * (x + y) {
        share.y = way - 2 * x < y ? -0.5 : 0.5
      } else {
        share.z = way - 2 * (x + y) < z ? -0.5 : 0.5
      }
    case .edge:
      let way = part * 4 * (size.x + size.y + size.z)
      // Four edges along each axis, of which the two other coordinates are at their ends.
      func ends(_ share: Double) -> (Double, Double) {
        let edge = min(Int(saturating: share * 4), 3)
        return (edge & 1 == 0 ? -0.5 : 0.5, edge & 2 == 0 ? -0.5 : 0.5)
      }
      if way < 4 * size.x {
        (share.y, share.z) = ends(way / (4 * size.x))
      } else if way < 4 * (size.x + size.y) {
        (share.x, share.z) = ends((way - 4 * size.x) / (4 * size.y))
      } else {
        (share.x, share.y) = ends(size.z > 0 ? (way - 4 * (size.x + size.y)) / (4 * size.z) : 0)
      }
    }
    return fromCentre(Vector(share.x * size.x, share.y * size.y, share.z * size.z))
  }

  private func ball(
    _ u: (Double, Double, Double), _ part: Double, height: Double
  ) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
    if distribution == .projected {
      let around = radius * share(u.1)
      let (x, y) = (around * cosine, around * sine)
      let depth = max(0, radius * radius - around * around).squareRoot()
      let place = Vector(x, kind == .hemisphere ? y.magnitude : y, part < 0.5 ? depth : -depth)
      return fromCentre(place)
    }
    let around = max(0, 1 - height * height).squareRoot()
    let direction = Vector(around * cosine, height, -around * sine)
    return ShapePoint(place: direction * (radius * ballShare(u.2)), normal: direction)
  }

  private func cone(_ u: (Double, Double, Double)) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
    let (rise, run) = sineAndCosine(degrees: angle)
    let up = placement == .edge ? 0 : u.2 * height
    let wall = radius + (run.magnitude > 1e-9 ? up * rise / run : 0)
    let share = share(u.1)
    // At the wall, away from the axis and turned up by 90° − angle.
    return ShapePoint(
      place: Vector(wall * share * cosine, up, -wall * share * sine),
      normal: Vector(rise * cosine, run, -rise * sine))
  }

  private func cylinder(_ u: (Double, Double, Double)) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
    let share = radius * share(u.1)
    let up = placement == .edge ? -height / 2 : (u.2 - 0.5) * height
    return ShapePoint(
      place: Vector(share * cosine, up, -share * sine), normal: Vector(cosine, 0, -sine))
  }

  private func capsule(_ u: (Double, Double, Double), _ part: Double) -> ShapePoint {
    // Volumes, or surfaces, divided by π · radius.
    let (middle, ends) =
      isHollow ? (2 * height, 4 * radius) : (radius * height, 4 / 3 * radius * radius)
    let way = part * (middle + ends)
    if way < middle || placement == .edge { return cylinder(u) }
    var end = self
    end.kind = .hemisphere
    var point = end.ball(u, part, height: u.1)
    if way < middle + ends / 2 {
      point.place.y += height / 2
    } else {
      point.place.y = -point.place.y - height / 2
      point.normal.y = -point.normal.y
    }
    return point
  }

  private func torus(_ u: (Double, Double, Double)) -> ShapePoint {
    let (sine, cosine) = sineAndCosine(degrees: arcAngle(u.0))
    let (up, out) = sineAndCosine(degrees: 360 * u.1)
    let away = pipe * share(u.2)
    let ring = radius + away * out
    return ShapePoint(
      place: Vector(ring * cosine, away * up, -ring * sine),
      normal: Vector(out * cosine, up, -out * sine))
  }
}

/// Extents and offsets of a shape that are sampled for each particle.
struct ShapeVariation {
  private let shape: Shape

  private static let extents = channels(of: "shape.extent")
  private static let offsets = channels(of: "shape.offset")

  /// Extents and offsets of a shape. Returns nil if the shape has none.
  init?(of shape: Shape) {
    guard shape.extent != .one || shape.offset != .zero else { return nil }
    self.shape = shape
  }

  private static func channels(of property: String) -> [RandomChannel] {
    (0..<3).map { .property("\(property)[\($0)]") }
  }

  /// A place of the transformed shape, at the time of emission of a particle.
  func applied(to place: Vector, _ draws: ParticleRandoms) -> Vector {
    let (extent, offset) = (shape.extent, shape.offset)
    return Vector(
      place.x * draws.sample(extent.x, Self.extents[0]) + draws.sample(offset.x, Self.offsets[0]),
      place.y * draws.sample(extent.y, Self.extents[1]) + draws.sample(offset.y, Self.offsets[1]),
      place.z * draws.sample(extent.z, Self.extents[2]) + draws.sample(offset.z, Self.offsets[2]))
  }
}
