internal import ParticlesCore
internal import ParticlesModel

/// Places of the particles of an emitter, relative to the emitter: sums over all particles at each age.
struct ExpectedMotion {
  private let emitter: Emitter
  private let isFlat: Bool
  private let axes: (x: SIMD4<Double>, y: SIMD4<Double>)
  private let isTurned: Bool

  /// Sums of places, and of their squares.
  private(set) var sums = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
  private(set) var squares = [SIMD4<Double>](repeating: .zero, count: ExpectedAges.ages)
  /// The directions of motion in degrees, by particle and age; nil if particles are not aligned to them.
  private(set) var angles: [Double]?

  /// Whether motion and shape of an emitter can be estimated.
  static func isKnown(_ emitter: Emitter) -> Bool {
    emitter.motion.mode != .path && emitter.shape.kind != .mesh
      && !emitter.forces.contains { $0.kind == .noise || $0.kind == .field }
  }

  /// - Parameters:
  ///   - isFlat: whether directions are in the plane.
  ///   - offset: the place of the emitter.
  init(_ emitter: Emitter, _ ages: ExpectedAges, isFlat: Bool, offset: SIMD4<Double>) {
    (self.emitter, self.isFlat) = (emitter, isFlat)
    let (sine, cosine) = sineAndCosine(degrees: emitter.transform.angle)
    axes = (SIMD4(cosine, sine, 0, 0), SIMD4(-sine, cosine, 0, 0))
    isTurned = emitter.transform.angle != 0 || emitter.transform.rotation != .identity
    let align = emitter.rotation.align
    if align != .none {
      angles = [Double](repeating: 0, count: ExpectedAges.particles * ExpectedAges.ages)
    }
    let course = ExpectedCourse(emitter, ages)
    for number in 0..<ExpectedAges.particles where ages.reached[number] > 0 {
      let draw = ExpectedDraw.all[number]
      var (place, velocity) = start(draw)
      let startAngle =
        align == .none || velocity == .zero ? 0 : angleInDegrees(velocity.y, velocity.x)
      for age in 0..<ages.reached[number] {
        course.advance(&place, &velocity, number, age)
        let seen = place + offset
        sums[age] += seen * ages.weight
        squares[age] += seen * seen * ages.weight
        if align != .none {
          angles?[number * ExpectedAges.ages + age] =
            align == .birth || velocity == .zero
            ? startAngle : angleInDegrees(velocity.y, velocity.x)
        }
      }
    }
  }

  private func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
    guard isTurned else { return vector }
    return (axes.x * vector.x + axes.y * vector.y + SIMD4(0, 0, vector.z, 0))
      .turned(by: emitter.transform.rotation)
  }

  /// The place and the velocity that a particle begins with.
  private func start(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, velocity: SIMD4<Double>) {
    let (place, normal) = place(draw)
    let launch = emitter.launch
    var direction: SIMD4<Double>?
    switch launch.direction.mode {
    case .angle: direction = Self.unit(launch.direction.angle.sample(draw.fourth))
    case .vector:
      let vector = launch.direction.vector
      let whole = SIMD4(vector.x, vector.y, vector.z, 0)
      direction = whole == .zero ? nil : whole / whole.length
    case .normal: direction = normal
    case .random:
      direction = isFlat ? Self.unit(360 * draw.first) : Self.ball(draw.first, draw.third)
    case .none: direction = nil
    }
    if let straight = direction, launch.spread != 0, launch.direction.mode != .random {
      direction = deviated(straight, draw)
    }
    return (turned(place), turned(direction ?? .zero) * launch.speed.sample(draw.second))
  }

  static func unit(_ degrees: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return SIMD4(cosine, sine, 0, 0)
  }

  private static func ball(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let height = 2 * u - 1
    let around = max(0, 1 - height * height).squareRoot() * unit(360 * v)
    return SIMD4(around.x, height, around.y, 0)
  }

  private func deviated(_ direction: SIMD4<Double>, _ draw: ExpectedDraw) -> SIMD4<Double> {
    let spread = emitter.launch.spread
    if isFlat || emitter.launch.deviationLaw(isFlat: false) == .planar {
      let turn = Self.unit(spread * (2 * draw.first - 1))
      return SIMD4(
        direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x,
        direction.z, 0)
    }
    let around = Self.unit(360 * draw.third)
    var tilt = Self.unit(spread * draw.first)
    if emitter.launch.deviationLaw(isFlat: false) == .solidUniform {
      let cosine = 1 - draw.first * (1 - Self.unit(spread).x)
      tilt = SIMD4(cosine, max(0, 1 - cosine * cosine).squareRoot(), 0, 0)
    }
    let up: SIMD4<Double> =
      direction.y.magnitude > 0.9 ? SIMD4(0, 0, 1, 0) : SIMD4(0, 1, 0, 0)
    let side = up - direction * (up * direction).sum()
    let right = side / max(side.length, 1e-9)
    return direction * tilt.x + (right * around.x + direction.cross(right) * around.y) * tilt.y
  }

  /// A place in the shape and the direction away from it.
  private func place(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let shape = emitter.shape
    var (place, normal) = (SIMD4<Double>.zero, SIMD4(0.0, 1, 0, 0))
    let (u, v, w) = (draw.third, draw.fourth, draw.life)
    let isEdge = shape.placement != .volume
    let reach =
      isEdge ? 1 : (shape.inner * shape.inner + (1 - shape.inner * shape.inner) * v).squareRoot()
    switch shape.kind {
    case .point, .mesh: break
    case .line: place = Self.unit(shape.angle) * (shape.length * (u - 0.5))
    case .rect, .box:
      place = SIMD4(shape.size.x * (u - 0.5), shape.size.y * (v - 0.5), shape.size.z * (w - 0.5), 0)
      if isEdge, shape.kind == .rect {
        let (x, y) = (shape.size.x / 2, shape.size.y / 2)
        place =
          u < x / max(x + y, 1e-9)
          ? SIMD4(2 * x * (v - 0.5), v * 8 - (v * 8).rounded(.down) < 0.5 ? y : -y, 0, 0)
          : SIMD4(v * 8 - (v * 8).rounded(.down) < 0.5 ? x : -x, 2 * y * (v - 0.5), 0, 0)
      }
    case .ellipse:
      normal = Self.unit(shape.arc.lower + (shape.arc.upper - shape.arc.lower) * u)
      place = normal * reach * SIMD4(shape.radii.x, shape.radii.y, 0, 0)
    case .sphere, .hemisphere:
      normal = Self.ball(u, v)
      if shape.kind == .hemisphere { normal.y = normal.y.magnitude }
      place = normal * (isEdge ? 1 : power(w, 1.0 / 3)) * shape.radius
    case .cone, .cylinder, .capsule, .tube, .torus:
      let ring = Self.unit(360 * u)
      normal = SIMD4(ring.x, 0, ring.y, 0)
      place = normal * (shape.radius * reach)
      if shape.kind == .cone {
        let (sine, cosine) = sineAndCosine(degrees: shape.angle * reach)
        normal = SIMD4(ring.x * sine, cosine, ring.y * sine, 0)
      } else {
        place.y = shape.height * (w - 0.5)
      }
    case .polyline, .points:
      let all = shape.kind == .points ? shape.positions : shape.points.flatMap(\.self)
      if !all.isEmpty {
        let point = all[min(Int(saturating: u * Double(all.count)), all.count - 1)]
        place = SIMD4(point.x, point.y, point.z, 0)
      }
    }
    let transform = shape.transform
    let (factor, shift) = (transform.scale, transform.translation)
    place *= SIMD4(factor.x, factor.y, factor.z, 0)
    if transform.angle != 0 {
      let turn = Self.unit(transform.angle)
      func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
          vector.x * turn.x - vector.y * turn.y, vector.x * turn.y + vector.y * turn.x, vector.z, 0)
      }
      (place, normal) = (turned(place), turned(normal))
    }
    return (
      place.turned(by: transform.rotation) + SIMD4(shift.x, shift.y, shift.z, 0),
      normal.turned(by: transform.rotation)
    )
  }
}

extension SIMD4<Double> {
  fileprivate func turned(by rotation: Quaternion) -> SIMD4<Double> {
    guard rotation != .identity else { return self }
    let axis = SIMD4(rotation.x, rotation.y, rotation.z, 0)
    return self + axis.cross(axis.cross(self) + self * rotation.w) * 2
  }

  var length: Double { (self * self).sum().squareRoot() }

  fileprivate func cross(_ other: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x, 0)
  }
}
