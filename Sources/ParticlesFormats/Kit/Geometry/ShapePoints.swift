internal import ParticlesCore
internal import ParticlesModel

// Shapes as points, for formats that support points only.

extension Shape {
  /// Points of a shape in the plane: of lines along them, of an ellipse in rings of equal
  /// area.
  var sampled: [Vector] {
    switch kind {
    case .line:
      let (x, y) = (cosine(Angle.radians(angle)), sine(Angle.radians(angle)))
      return (0..<64).map { step in
        let way = length * ((Double(step) + 0.5) / 64 - 0.5)
        return Vector((x * way).rounded, (y * way).rounded)
      }
    case .polyline:
      return points.flatMap { line -> [Vector] in
        let ends = closed ? line + line.prefix(1) : line
        return zip(ends, ends.dropFirst()).prefix(256).flatMap { a, b in
          (0..<16).map { step -> Vector in
            let share = (Double(step) + 0.5) / 16
            return Vector(
              (a.x + (b.x - a.x) * share).rounded, (a.y + (b.y - a.y) * share).rounded,
              (a.z + (b.z - a.z) * share).rounded)
          }
        }
      }
    default:
      let rings = placement == .volume ? 8 : 1
      return (0..<rings).flatMap { ring -> [Vector] in
        let u = (Double(ring) + 0.5) / Double(rings)
        let share =
          placement == .volume ? (inner * inner + (1 - inner * inner) * u).squareRoot() : 1
        return (0..<32).map { step -> Vector in
          let turn = (Double(step) + (ring % 2 == 0 ? 0.25 : 0.75)) / 32
          let angle = Angle.radians(arc.lower + (arc.upper - arc.lower) * turn)
          return Vector(
            (radii.x * share * cosine(angle)).rounded, (radii.y * share * sine(angle)).rounded)
        }
      }
    }
  }

  /// The ends of a line in the plane, in the axes of the emitter.
  var lineEnds: [Vector] {
    let center = transform.translation
    let end = Angle.turned(length / 2, 0, by: angle + transform.angle)
    return [
      Vector((center.x - end.x).rounded, (center.y - end.y).rounded),
      Vector((center.x + end.x).rounded, (center.y + end.y).rounded),
    ]
  }

  /// The number of points for a shape with normals.
  private static let pointCount = 512

  /// Points of a shape with their normals, evenly distributed, in the axes of the emitter. Nil for
  /// shapes without normals.
  var directedPoints: [(place: Vector, normal: Vector)]? {
    let isRound = [.ellipse, .sphere, .hemisphere, .cone, .torus, .cylinder, .tube].contains(kind)
    guard isRound, distribution != .normal, distribution != .projected else { return nil }
    return (0..<Self.pointCount).map { index in
      // A sequence that fills the cube of random numbers evenly, of the inverse powers of 1.2207.
      let steps = [0.819_172_513_396, 0.671_043_606_703, 0.549_700_477_901]
      let u = steps.map { ((Double(index) + 0.5) * $0).truncatingRemainder(dividingBy: 1) }
      let point = directedPoint(u)
      return (
        transform.place(of: point.place).tidied, transform.direction(of: point.normal).tidied
      )
    }
  }

  /// The share of the radius for a random number, in a disc or a ball.
  private func share(_ u: Double, of dimensions: Double) -> Double {
    if placement != .volume { return 1 }
    if distribution == .radialLinear { return inner + (1 - inner) * u }
    let least = power(inner, dimensions)
    return power(least + (1 - least) * u, 1 / dimensions)
  }

  private func directedPoint(_ u: [Double]) -> (place: Vector, normal: Vector) {
    let turn = Angle.radians(arc.lower + (arc.upper - arc.lower) * u[0])
    let (x, z) = (cosine(turn), -sine(turn))
    switch kind {
    case .ellipse:
      let share = share(u[1], of: 2)
      let normal = Vector(radii.x * x, -radii.y * z)
      let length = normal.length
      return (
        normal.times(share), length > 0 ? normal.times(1 / length) : Vector(x, -z)
      )
    case .cone:
      let (rise, run) = (sine(Angle.radians(angle)), cosine(Angle.radians(angle)))
      let up = placement == .edge ? 0 : u[2] * height
      let wall = (radius + (run > 1e-9 ? up * rise / run : 0)) * share(u[1], of: 2)
      return (Vector(wall * x, up, wall * z), Vector(rise * x, run, rise * z))
    case .cylinder, .tube:
      let up = placement == .edge ? -height / 2 : (u[2] - 0.5) * height
      let away = radius * share(u[1], of: 2)
      return (Vector(away * x, up, away * z), Vector(x, 0, z))
    case .torus:
      let slant = 2 * Double.pi * u[1]
      let away = pipe * (placement == .volume ? u[2].squareRoot() : 1)
      let ring = radius + away * cosine(slant)
      return (
        Vector(ring * x, away * sine(slant), ring * z),
        Vector(cosine(slant) * x, sine(slant), cosine(slant) * z)
      )
    default:
      let up = kind == .sphere ? 1 - 2 * u[1] : u[1]
      let away = max(0, 1 - up * up).squareRoot()
      let normal = Vector(away * x, up, away * z)
      return (normal.times(radius * share(u[2], of: 3)), normal)
    }
  }
}

// Arcs that run clockwise. The interval of an arc is ascending, and angles count counter-clockwise, so that such a shape
// is turned about the x axis by half a turn.

extension Quaternion {
  /// Half a turn about the x axis: y and z change their signs.
  static let aboutX = Quaternion(1, 0, 0, 0)
}

extension Shape {
  /// Whether the arc of an ellipse runs clockwise.
  var runsClockwise: Bool { kind == .ellipse && transform.rotation == .aboutX }

  /// This shape, with an arc that runs counter-clockwise. Places and normals stay, but a burst that
  /// is spread over the arc begins at its other end.
  var counterClockwise: Shape {
    guard runsClockwise else { return self }
    var shape = self
    shape.arc = Interval(0 - arc.upper, 0 - arc.lower)
    shape.transform.rotation = .identity
    shape.transform.angle = 0 - transform.angle
    return shape
  }
}
