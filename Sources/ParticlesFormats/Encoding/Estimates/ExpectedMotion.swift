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
    case .angle:
      direction = Self.unit(launch.direction.angle.sample(draw.fourth, progress: draw.progress))
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
    return (
      turned(place),
      turned(direction ?? .zero) * launch.speed.sample(draw.second, progress: draw.progress)
    )
  }

  static func unit(_ degrees: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return SIMD4(cosine, sine, 0, 0)
  }

  static func ball(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let height = 2 * u - 1
    let around = max(0, 1 - height * height).squareRoot() * unit(360 * v)
    return SIMD4(around.x, height, around.y, 0)
  }

  private func deviated(_ direction: SIMD4<Double>, _ draw: ExpectedDraw) -> SIMD4<Double> {
    let spread = emitter.launch.spread
    func deviation(_ unit: Double) -> Double { spread * (2 * unit - 1) }
    let (side, up) = (
      deviation(draw.first), (1 - emitter.launch.flatness) * deviation(draw.third)
    )
    var tilt = Self.unit(spread * draw.first)
    switch emitter.launch.deviationLaw(isFlat: isFlat) {
    case .planar:
      let turn = Self.unit(side)
      return SIMD4(
        direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x,
        direction.z, 0)
    case .polarUniform: break
    case .solidUniform:
      let cosine = 1 - draw.first * (1 - Self.unit(spread).x)
      tilt = SIMD4(cosine, max(0, 1 - cosine * cosine).squareRoot(), 0, 0)
    case .azimuthElevation:
      return Self.direction(
        azimuth: angleInDegrees(direction.x, direction.z) + side,
        elevation: angleInDegrees(direction.y, direction.z.magnitude) + up)
    case .sideElevation:
      let tipped = Self.direction(azimuth: side, elevation: up)
      let right = SIMD4(0.0, 1, 0, 0).cross(direction).unit ?? SIMD4(0, 0, 1, 0)
      let sum = right * tipped.x + right.cross(direction) * tipped.y + direction * tipped.z
      return sum.unit ?? direction
    }
    let around = Self.unit(360 * draw.third)
    let top: SIMD4<Double> =
      direction.y.magnitude > 0.9 ? SIMD4(0, 0, 1, 0) : SIMD4(0, 1, 0, 0)
    let right = (top - direction * (top * direction).sum()).unit ?? SIMD4(1, 0, 0, 0)
    var deviated =
      direction * tilt.x + (right * around.x + direction.cross(right) * around.y) * tilt.y
    guard emitter.launch.flatness != 0 else { return deviated }
    deviated.z *= 1 - emitter.launch.flatness
    return deviated.unit ?? deviated
  }

  /// The direction at an azimuth from +z to +x and an elevation, as the simulation has it.
  private static func direction(azimuth: Double, elevation: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: elevation)
    let level = cosine / max(0.0001, cosine.magnitude.squareRoot())
    let around = sineAndCosine(degrees: azimuth)
    return SIMD4(around.sine * level, sine, around.cosine * level, 0).unit ?? SIMD4(0, 1, 0, 0)
  }

  /// A place and the direction away from the shape, moved as the shape is.
  private func place(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let shape = emitter.shape
    var (place, normal) = ExpectedPlace.sample(shape, draw.place)
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
    place = place.turned(by: transform.rotation) + SIMD4(shift.x, shift.y, shift.z, 0)
    let (extent, offset) = (shape.extent, shape.offset)
    func vector(
      _ x: Value, _ y: Value, _ z: Value, _ draws: (Double, Double, Double)
    ) -> SIMD4<Double> {
      SIMD4(
        x.sample(draws.0, progress: draw.progress), y.sample(draws.1, progress: draw.progress),
        z.sample(draws.2, progress: draw.progress), 0)
    }
    if extent != .one {
      place *= vector(extent.x, extent.y, extent.z, (draw.first, draw.second, draw.third))
    }
    if offset != .zero {
      place += vector(offset.x, offset.y, offset.z, (draw.second, draw.third, draw.fourth))
    }
    return (place, normal.turned(by: transform.rotation))
  }
}

extension SIMD4<Double> {
  fileprivate func turned(by rotation: Quaternion) -> SIMD4<Double> {
    guard rotation != .identity else { return self }
    let axis = SIMD4(rotation.x, rotation.y, rotation.z, 0)
    return self + axis.cross(axis.cross(self) + self * rotation.w) * 2
  }

  var length: Double { (self * self).sum().squareRoot() }

  /// The vector of length 1 in the same direction; nil for none.
  fileprivate var unit: SIMD4<Double>? {
    let length = length
    return length > 1e-12 ? self / length : nil
  }

  fileprivate func cross(_ other: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x, 0)
  }
}
