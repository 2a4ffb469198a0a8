// Directions as they are seen from the front, to turn fans into cones and the reverse.

extension Launch {
  /// The directions of particles as seen from the front, as shares of their speed.
  package struct Front: Sendable {
    /// The mean of the component along the direction.
    package var mean: Double
    /// The standard deviation of that component.
    package var along: Double
    /// The standard deviation of the component across the direction.
    package var across: Double
    /// The direction in the plane, in degrees.
    package var angle = 90.0

    /// - Parameters:
    ///   - squareAlong: the mean square of the component along the direction.
    ///   - squareAcross: that of the other component.
    init(mean: Double, squareAlong: Double, squareAcross: Double, angle: Double = 90) {
      self.mean = mean
      along = max(squareAlong - mean * mean, 0).squareRoot()
      across = max(squareAcross, 0).squareRoot()
      self.angle = angle
    }
  }

  /// Directions that look most like others.
  package struct Likeness: Sendable {
    /// The spread to every side in degrees; nil for random directions.
    package var spread: Double?
    /// The factor of the speed.
    package var speed: Double
    /// The remaining difference, as a share of the greatest deviation: 0 for the same.
    package var rest: Double
  }

  /// The directions as seen from the front; nil for normals of a shape, for no direction, and for flattened
  /// cones.
  /// - Parameter isFlat: whether the effect is in a plane.
  package func front(isFlat: Bool) -> Front? {
    guard flatness == 0 else { return nil }
    let law = deviationLaw(isFlat: isFlat)
    switch direction.mode {
    case .normal, .none: return nil
    case .random:
      let square = isFlat ? 0.5 : 1.0 / 3
      return Front(mean: 0, squareAlong: square, squareAcross: square)
    case .angle:
      let (center, half, isExact) = direction.angle.spread
      guard isExact else { return nil }
      let deviations = Self.deviations(spread, law, depth: 0)
      let (once, twice) = (Self.meanCosine(half), Self.meanCosine(2 * half))
      let (a, b) = (deviations.squareAlong, deviations.squareAcross)
      return Front(
        mean: deviations.mean * once, squareAlong: (a * (1 + twice) + b * (1 - twice)) / 2,
        squareAcross: (a * (1 - twice) + b * (1 + twice)) / 2, angle: center)
    case .vector:
      let vector = direction.vector
      let length = (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
      guard length > 1e-12 else { return nil }
      let deviations = Self.deviations(spread, law, depth: vector.z / length)
      return Front(
        mean: deviations.mean, squareAlong: deviations.squareAlong,
        squareAcross: deviations.squareAcross, angle: Angle.direction(vector.x, vector.y) ?? 90)
    }
  }

  /// The normals of a shape in space as seen from the front; nil for other shapes, and for parts of them.
  /// - Parameter axis: the axis of the shape, of length 1.
  package static func front(ofNormals shape: Shape, about axis: Vector) -> Front? {
    guard shape.arc == Interval(0, 360), shape.transform.scale == .one else { return nil }
    // Mean and mean square of the component along the axis.
    let (mean, square): (Double, Double)
    switch shape.kind {
    case .sphere: (mean, square) = (0, 1.0 / 3)
    case .hemisphere: (mean, square) = (0.5, 1.0 / 3)
    case .cone:
      mean = Angle.turned(1, 0, by: shape.angle).x
      square = mean * mean
    case .torus: (mean, square) = (0, 0.5)
    case .cylinder, .tube: (mean, square) = (0, 0)
    default: return nil
    }
    let flat = max(0, 1 - axis.z * axis.z)
    let side = (1 - square) / 2
    return Front(
      mean: flat.squareRoot() * mean, squareAlong: flat * square + (1 - flat) * side,
      squareAcross: side, angle: Angle.direction(axis.x, axis.y) ?? 90)
  }

  /// Mean and mean squares of directions about an axis with a depth from −1 to 1.
  private static func deviations(
    _ spread: Double, _ law: SpreadLaw, depth: Double
  ) -> (mean: Double, squareAlong: Double, squareAcross: Double) {
    let (once, twice) = (meanCosine(spread), meanCosine(2 * spread))
    let flat = max(0, 1 - depth * depth)
    switch law {
    case .planar:
      // A direction towards the eye turns about it, and stays.
      return (flat.squareRoot() * once, flat * (1 + twice) / 2, flat * (1 - twice) / 2)
    case .polarUniform, .solidUniform, .azimuthElevation, .sideElevation:
      let cosine = Angle.turned(1, 0, by: spread).x
      let mean = law != .solidUniform ? once : (1 + cosine) / 2
      let square = law != .solidUniform ? (1 + twice) / 2 : (1 + cosine + cosine * cosine) / 3
      let side = (1 - square) / 2
      return (flat.squareRoot() * mean, flat * square + (1 - flat) * side, side)
    }
  }

  /// The mean cosine of angles that are uniform from −half to half degrees.
  private static func meanCosine(_ half: Double) -> Double {
    let radians = half * .pi / 180
    return radians.magnitude < 1e-6 ? 1 : Angle.turned(1, 0, by: half).y / radians
  }
}

extension Launch.Front {
  /// The fan in the plane that looks most like these directions.
  package var fan: Launch.Likeness { best(isFlat: true) }

  /// The cone, or the random directions in space, that look most like these directions.
  package var cone: Launch.Likeness { best(isFlat: false) }

  private func best(isFlat: Bool) -> Launch.Likeness {
    var best: Launch.Likeness?
    for (front, spread) in isFlat ? Self.fans : Self.cones {
      let next = likeness(to: front, spread: spread)
      if next.rest < (best?.rest ?? .infinity) - 1e-9 { best = next }
    }
    return best ?? Launch.Likeness(spread: 0, speed: 1, rest: 0)
  }

  private static let fans = choices(isFlat: true)
  private static let cones = choices(isFlat: false)

  /// Random directions, and fans or cones of each half degree to every side. They are the same for all
  /// launches, and take much longer to calculate than to compare.
  private static func choices(isFlat: Bool) -> [(front: Self, spread: Double?)] {
    var launch = Launch()
    launch.direction.mode = .random
    let random = launch.front(isFlat: isFlat).map { (front: $0, spread: nil as Double?) }
    launch.direction.mode = .angle
    let spreads = (0...360).compactMap { step in
      launch.spread = Double(step) / 2
      return launch.front(isFlat: isFlat).map { (front: $0, spread: launch.spread as Double?) }
    }
    return (random.map { [$0] } ?? []) + spreads
  }

  /// The factor of the speed by least squares, and what is left.
  private func likeness(to other: Self, spread: Double?) -> Launch.Likeness {
    // A mean counts by the extent, which is four deviations.
    let ours = SIMD4(mean / 4, along, across, 0)
    let theirs = SIMD4(other.mean / 4, other.along, other.across, 0)
    let square = (theirs * theirs).sum()
    let factor = square > 0 ? (ours * theirs).sum() / square : 0
    let left = ours - factor * theirs
    let scale = ours.max()
    return Launch.Likeness(
      spread: spread, speed: factor,
      rest: scale > 0 ? (left * left).sum().squareRoot() / scale : 0)
  }
}
