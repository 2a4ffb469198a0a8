internal import ParticlesCore
package import ParticlesModel

extension Launch {
  /// The direction in which a particle sets off, with length 1, seen from the emitter. Nil if the
  /// particle does not move by itself. See `Spec/document.md`, section Launch.
  /// - Parameters:
  ///   - normal: of the shape where the particle is emitted.
  ///   - fixed: ``fixedDirection``, computed once for many particles.
  ///   - deviation: sine and cosine of the ``deviation``, if it is an angle in the plane.
  @inline(__always)
  func sample(
    _ draws: ParticleRandoms, normal: Vector, isFlat: Bool, fixed: Vector?,
    deviation: (sine: Double, cosine: Double)?
  ) -> Vector? {
    var direction: Vector
    switch self.direction.mode {
    case .angle:
      if let fixed {
        direction = fixed
        break
      }
      let (sine, cosine) = sineAndCosine(
        degrees: draws.sample(self.direction.angle, .directionAngle))
      direction = Vector(cosine, sine)
    case .vector:
      guard let vector = self.direction.vector.direction else { return nil }
      direction = vector
    case .normal: direction = normal
    case .random: direction = Self.random(draws, isFlat: isFlat)
    case .none: return nil
    }
    if let deviation {
      direction = direction.turned(
        about: Vector(0, 0, 1), sine: deviation.sine, cosine: deviation.cosine)
    } else if spread != 0 {
      direction = deviated(direction, draws, isFlat: isFlat)
    }
    if flatness != 0, !deviatesByTwoAngles {
      direction.z *= 1 - flatness
      direction = direction.direction ?? direction
    }
    return direction
  }

  /// The direction before the deviation, if it is an angle for all particles.
  var fixedDirection: Vector? {
    guard direction.mode == .angle, case .constant(let angle) = direction.angle else { return nil }
    let (sine, cosine) = sineAndCosine(degrees: angle)
    return Vector(cosine, sine)
  }

  /// Whether directions deviate by an angle in the plane.
  func isDeviatingInPlane(isFlat: Bool) -> Bool {
    spread != 0 && direction.mode != .none && deviationLaw(isFlat: isFlat) == .planar
  }

  /// The angle in degrees by which the direction of a particle deviates in the plane.
  /// - Parameter unit: the random number of the particle.
  func deviation(_ unit: Double) -> Double { spread * (2 * unit - 1) }

  /// Whether the deviation has two angles, of which `flatness` makes one smaller.
  private var deviatesByTwoAngles: Bool {
    spreadLaw == .azimuthElevation || spreadLaw == .sideElevation
  }

  private static func random(_ draws: ParticleRandoms, isFlat: Bool) -> Vector {
    if isFlat {
      let (sine, cosine) = sineAndCosine(degrees: 360 * draws.unit(.direction))
      return Vector(cosine, sine)
    }
    let height = 1 - 2 * draws.unit(.direction)
    let around = max(0, 1 - height * height).squareRoot()
    let (sine, cosine) = sineAndCosine(degrees: 360 * draws.unit(.azimuth))
    return Vector(around * cosine, height, -around * sine)
  }

  private func deviated(_ direction: Vector, _ draws: ParticleRandoms, isFlat: Bool) -> Vector {
    let u = draws.unit(.direction)
    switch deviationLaw(isFlat: isFlat) {
    case .planar: return direction.turned(about: Vector(0, 0, 1), degrees: deviation(u))
    case .polarUniform:
      let (sine, cosine) = sineAndCosine(degrees: spread * u)
      return tilted(direction, sine, cosine, draws)
    case .solidUniform:
      let cosine = 1 - u * (1 - sineAndCosine(degrees: spread).cosine)
      return tilted(direction, max(0, 1 - cosine * cosine).squareRoot(), cosine, draws)
    case .azimuthElevation:
      let (side, up) = twoDeviations(draws)
      return Self.direction(
        azimuth: angleInDegrees(direction.x, direction.z) + side,
        elevation: angleInDegrees(direction.y, direction.z.magnitude) + up)
    case .sideElevation:
      let (side, up) = twoDeviations(draws)
      let tipped = Self.direction(azimuth: side, elevation: up)
      let right = Vector.up.cross(direction).direction ?? Vector(0, 0, 1)
      let sum = right * tipped.x + right.cross(direction) * tipped.y + direction * tipped.z
      return sum.direction ?? direction
    }
  }

  /// Angles to the side and up, in degrees.
  private func twoDeviations(_ draws: ParticleRandoms) -> (side: Double, up: Double) {
    (
      deviation(draws.unit(.direction)),
      (1 - flatness) * deviation(draws.unit(.azimuth))
    )
  }

  /// The direction at an azimuth from +z to +x and an elevation. As in Godot, the root makes directions far
  /// from the plane less dense.
  private static func direction(azimuth: Double, elevation: Double) -> Vector {
    let (sine, cosine) = sineAndCosine(degrees: elevation)
    let level = cosine / max(0.0001, cosine.magnitude.squareRoot())
    let around = sineAndCosine(degrees: azimuth)
    return Vector(around.sine * level, sine, around.cosine * level).direction ?? .up
  }

  /// A direction at an angle from another, to a random side.
  private func tilted(
    _ direction: Vector, _ sine: Double, _ cosine: Double, _ draws: ParticleRandoms
  ) -> Vector {
    // Sides count from the direction closest to +y at a right angle, or to +z.
    let up = direction.y.magnitude > 1 - 1e-12 ? Vector(0, 0, 1) : Vector.up
    let side = (up - direction * up.dot(direction)).direction ?? Vector(1, 0)
    let turned = side.turned(about: direction, degrees: 360 * draws.unit(.azimuth))
    return direction * cosine + turned * sine
  }
}

/// The random numbers of one particle, of its period and of the effect.
struct ParticleRandoms {
  let random: RandomNumbers
  let emitter: UInt64
  let particle: UInt64
  /// The number of the period, from 0.
  let period: UInt64
  /// How far the emission of the period is, 0…1, for ramps.
  let progress: Double
  /// The common part of the random numbers of the particle, see ``RandomNumbers``.
  let hash: UInt64

  init(
    random: RandomNumbers, emitter: UInt64, particle: UInt64, period: UInt64, progress: Double
  ) {
    self.init(
      random: random, emitter: emitter, particle: particle, period: period, progress: progress,
      hash: random.hash(emitter: emitter, particle: particle))
  }

  /// - Parameter hash: of the particle.
  init(
    random: RandomNumbers, emitter: UInt64, particle: UInt64, period: UInt64, progress: Double,
    hash: UInt64
  ) {
    (self.random, self.emitter, self.particle) = (random, emitter, particle)
    (self.period, self.progress, self.hash) = (period, progress, hash)
  }

  /// The random numbers of the first particle that is emitted at this moment.
  /// - Parameter index: the place of this particle in the emission, from 0.
  func first(of index: Int) -> ParticleRandoms {
    ParticleRandoms(
      random: random, emitter: emitter, particle: particle &- UInt64(index), period: period,
      progress: progress)
  }

  /// A random number of the particle, 0 ≤ u < 1.
  func unit(_ channel: RandomChannel) -> Double { RandomNumbers.unit(hash, channel) }

  /// A sample of a value, with the random number that its scope asks for.
  func sample(_ value: Value, _ channel: RandomChannel) -> Double {
    if case .constant(let number) = value { return number }
    let scope = value.scope
    if scope == .particle { return value.sample(unit(channel), progress: progress) }
    let cycle = RandomNumbers.cycle(scope == .cycle ? period : 0)
    let unit = random.unit(emitter: emitter, particle: cycle, channel: channel)
    return value.sample(unit, progress: progress)
  }
}

// Vectors and transforms at emission, in double precision.

extension Vector {
  static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y, a.z - b.z) }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  /// The vector scaled to length 1, or nil if it has no direction.
  var direction: Vector? {
    let length = length
    return length > 0 && length.isFinite ? self * (1 / length) : nil
  }

  /// This vector, turned about an axis of length 1, counter-clockwise seen against the axis.
  func turned(about axis: Vector, degrees: Double) -> Vector {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return turned(about: axis, sine: sine, cosine: cosine)
  }

  @inline(__always)
  func turned(about axis: Vector, sine: Double, cosine: Double) -> Vector {
    self * cosine + axis.cross(self) * sine + axis * (axis.dot(self) * (1 - cosine))
  }
}

extension Transform {
  /// A direction or distance: scaled and turned, not moved.
  func turned(_ vector: Vector) -> Vector {
    rotated(Vector(vector.x * scale.x, vector.y * scale.y, vector.z * scale.z))
  }

  /// A direction: turned only.
  func rotated(_ vector: Vector) -> Vector {
    var vector = vector
    if angle != 0 { vector = vector.turned(about: Vector(0, 0, 1), degrees: angle) }
    guard rotation != .identity else { return vector }
    let axis = Vector(rotation.x, rotation.y, rotation.z)
    let twice = axis.cross(vector) * 2
    return vector + twice * rotation.w + axis.cross(twice)
  }

  /// A place.
  func moved(_ place: Vector) -> Vector { turned(place) + translation }

  /// The place that `moved` maps to this place. Along an axis with a scale of 0, the place of the origin.
  package func unmoved(_ place: Vector) -> Vector { unturned(place - translation) }

  /// The direction or distance that `turned` maps to this vector, with 0 along an axis with a scale of 0.
  package func unturned(_ vector: Vector) -> Vector {
    var turn = Transform()
    turn.rotation = Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
    let back = turn.rotated(vector).turned(about: Vector(0, 0, 1), degrees: -angle)
    func divided(_ number: Double, _ scale: Double) -> Double { scale == 0 ? 0 : number / scale }
    return Vector(
      divided(back.x, scale.x), divided(back.y, scale.y), divided(back.z, scale.z))
  }
}
