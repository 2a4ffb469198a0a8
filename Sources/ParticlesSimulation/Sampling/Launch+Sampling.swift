internal import ParticlesModel

extension Launch {
  /// The direction in which a particle sets off, with length 1, seen from the emitter; nil if it does
  /// not move by itself. See `Spec/document.md`, section Launch.
  /// - Parameters:
  ///   - normal: of the shape where the particle is emitted.
  ///   - fixed: ``fixedDirection``, which is computed once for many particles.
  ///   - deviation: sine and cosine of the ``deviation``, if it is an angle in the plane.
  @inline(__always)
  func sample(
    _ draws: Draws, normal: Vector, isFlat: Bool, fixed: Vector?,
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

  private static func random(_ draws: Draws, isFlat: Bool) -> Vector {
    if isFlat {
      let (sine, cosine) = sineAndCosine(degrees: 360 * draws.unit(.direction))
      return Vector(cosine, sine)
    }
    let height = 1 - 2 * draws.unit(.direction)
    let around = max(0, 1 - height * height).squareRoot()
    let (sine, cosine) = sineAndCosine(degrees: 360 * draws.unit(.azimuth))
    return Vector(around * cosine, height, -around * sine)
  }

  private func deviated(_ direction: Vector, _ draws: Draws, isFlat: Bool) -> Vector {
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
  private func twoDeviations(_ draws: Draws) -> (side: Double, up: Double) {
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
    _ direction: Vector, _ sine: Double, _ cosine: Double, _ draws: Draws
  ) -> Vector {
    // Sides count from the direction closest to +y at a right angle, or to +z.
    let up = direction.y.magnitude > 1 - 1e-12 ? Vector(0, 0, 1) : Vector.up
    let side = (up - direction * up.dot(direction)).direction ?? Vector(1, 0)
    let turned = side.turned(about: direction, degrees: 360 * draws.unit(.azimuth))
    return direction * cosine + turned * sine
  }
}
