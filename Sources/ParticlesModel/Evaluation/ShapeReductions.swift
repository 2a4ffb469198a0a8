internal import ParticlesCore

// Approximations of shapes for formats that support rectangles only.

extension Shape {
  /// Whether an ellipse is not a whole disc.
  package var isRing: Bool { inner > 0 || placement != .volume || arc != Interval(0, 360) }

  /// The positions of a shape of points, or the points of the lines of any other shape.
  package var corners: [Vector] { kind == .points ? positions : points.flatMap { $0 } }

  /// Half of width and height of the rectangle around the origin that approximates the shape.
  package var halfSize: Vector2 {
    // Half the edge of the square that has the area of a disc.
    let edge = Double.pi.squareRoot() / 2
    switch kind {
    case .point, .mesh: return Vector2(0, 0)
    case .rect, .box: return Vector2(size.x / 2, size.y / 2)
    case .line:
      let (sine, cosine) = sineAndCosine(degrees: angle)
      return Vector2(
        (length / 2 * cosine.magnitude).rounded, (length / 2 * sine.magnitude).rounded)
    case .ellipse: return Vector2((radii.x * edge).rounded, (radii.y * edge).rounded)
    case .polyline, .points:
      return Vector2(
        corners.map { $0.x.magnitude }.max() ?? 0, corners.map { $0.y.magnitude }.max() ?? 0)
    case .cone, .cylinder, .capsule, .tube: return Vector2(radius, height / 2)
    default:
      let radius = (radius + pipe) * edge
      return Vector2(radius.rounded, radius.rounded)
    }
  }

  /// A rectangle with the mean place and the deviations of a sector of a circle. Other shapes, and sectors of more than
  /// half a circle, are returned unchanged.
  package var squared: Shape {
    let width = arc.upper - arc.lower
    guard kind == .ellipse, radii.x == radii.y, radii.x > 0, width > 0, width <= 180,
      distribution == .uniform, placement == .volume, transform.scale == .one,
      transform.rotation == .identity
    else { return self }
    let (least, most) = (inner * radii.x, radii.x)
    // Means of the distance and its square, if areas are equally likely.
    let square = (least * least + most * most) / 2
    let distance = 2.0 / 3 * (most * most + most * least + least * least) / (most + least)
    let half = Angle.radians(width / 2)
    let mean = distance * sineAndCosine(degrees: width / 2).sine / half
    let along = square / 2 * (1 + sineAndCosine(degrees: width).sine / (2 * half))
    let (sine, cosine) = sineAndCosine(degrees: (arc.lower + arc.upper) / 2 + transform.angle)
    let deviations = [(cosine, sine), (sine, cosine)].map { first, second in
      max(
        (along - mean * mean) * first * first + (square - along) * second * second, 0
      ).squareRoot()
    }
    let side = 12.0.squareRoot()
    var rectangle = Shape.rect(
      width: (deviations[0] * side).rounded, height: (deviations[1] * side).rounded)
    rectangle.transform.translation = Vector(
      (transform.translation.x + mean * cosine).rounded,
      (transform.translation.y + mean * sine).rounded, transform.translation.z)
    return rectangle
  }
}

// Constant shapes in place of shapes that change.

extension Shape {
  /// The shape with constant extents, multiplied into its sizes, and without an offset. Extents become their mean over
  /// the emission. The offset becomes its mean, and a random offset widens the shape where that keeps the deviations.
  /// - Parameters:
  ///   - extents: whether extents are settled.
  ///   - offsets: whether offsets are.
  package func settled(extents: Bool = true, offsets: Bool = true) -> Shape {
    var shape = self
    if extents, extent != .one {
      shape.extent = .one
      shape.multiply(by: Scale(extent.x.mean, extent.y.mean, extent.z.mean))
    }
    if offsets, offset != .zero {
      shape.offset = .zero
      shape.widen(by: offset)
      let (place, mean) = (shape.transform.translation, offset)
      shape.transform.translation = Vector(
        (place.x + mean.x.mean).rounded, (place.y + mean.y.mean).rounded,
        (place.z + mean.z.mean).rounded)
    }
    return shape
  }

  /// How much extents change, as a share of the mean: 0 for constant ones. Shapes are as different from
  /// the settled one.
  package var extentError: Double {
    [extent.x, extent.y, extent.z].map { value in
      let (mean, bounds) = (value.mean, value.bounds)
      guard bounds.lower < bounds.upper else { return 0 }
      let steps = (0...16).map { step -> Double in
        guard case .ramp(let ramp) = value else { return value.center }
        let share = ramp.curve.value(at: Double(step) / 16)
        let (low, high) = (ramp.low.mean, ramp.high.mean)
        return ramp.relative ? low + high * share : low + (high - low) * share
      }
      let along = steps.reduce(0) { $0 + ($1 - mean).magnitude } / 17
      return min(max(along, value.isRamp ? 0 : value.halfWidth / 2) / max(mean.magnitude, 1e-9), 1)
    }.max() ?? 0
  }

  /// Whether a random offset is part of the settled shape, so that places deviate alike.
  package var takesOffset: Bool {
    let isUpright = transform.angle == 0 && transform.rotation == .identity
    guard isUpright, distribution == .uniform, placement == .volume || kind == .point else {
      return false
    }
    switch kind {
    case .point, .rect, .box: return true
    case .ellipse: return inner == 0 && arc == Interval(0, 360)
    case .line: return angle == 0 && offset.y.isConstant || angle == 90 && offset.x.isConstant
    default: return false
    }
  }

  private mutating func multiply(by factor: Scale) {
    let isUpright = transform.angle == 0 && transform.rotation == .identity
    let place = transform.translation
    transform.translation = Vector(
      (place.x * factor.x).rounded, (place.y * factor.y).rounded, (place.z * factor.z).rounded)
    let (x, y, z) = (factor.x.magnitude, factor.y.magnitude, factor.z.magnitude)
    switch kind {
    case .rect where isUpright, .box where isUpright:
      size = Vector((size.x * x).rounded, (size.y * y).rounded, (size.z * z).rounded)
    case .ellipse where isUpright && factor.x >= 0 && factor.y >= 0:
      radii = Vector2((radii.x * x).rounded, (radii.y * y).rounded)
    case .line where isUpright:
      let end = Angle.turned(length, 0, by: angle)
      let (along, up) = (end.x * factor.x, end.y * factor.y)
      length = (along * along + up * up).squareRoot().rounded
      angle = Angle.direction(along, up) ?? angle
    default:
      transform.scale = Scale(
        (transform.scale.x * factor.x).rounded, (transform.scale.y * factor.y).rounded,
        (transform.scale.z * factor.z).rounded)
    }
  }

  private mutating func widen(by offset: ValueVector) {
    guard takesOffset else { return }
    // Squares of the width of a range with the deviation of the samples.
    let (x, y, z) = (offset.x.squaredWidth, offset.y.squaredWidth, offset.z.squaredWidth)
    guard x > 0 || y > 0 || z > 0 else { return }
    func wider(_ width: Double, _ square: Double) -> Double {
      square == 0 ? width : (width * width + square).squareRoot().rounded
    }
    switch kind {
    case .point:
      let wide = Vector(wider(0, x), wider(0, y), wider(0, z))
      (kind, size) = (z > 0 ? .box : .rect, wide)
    case .rect, .box: size = Vector(wider(size.x, x), wider(size.y, y), wider(size.z, z))
    case .ellipse: radii = Vector2(wider(radii.x, x / 3), wider(radii.y, y / 3))
    case .line: length = wider(length, x + y)
    default: break
    }
  }
}

extension Value {
  fileprivate var isRamp: Bool { if case .ramp = self { true } else { false } }

  /// The square of the width of a uniform range with the deviation of this value.
  fileprivate var squaredWidth: Double { 4 * halfWidth * halfWidth }
}

extension Force {
  /// The fraction of the speed at which particles travel as far as with this force along their path, or nil if there is
  /// none.
  /// - Parameters:
  ///   - speed: the initial speed.
  ///   - life: the mean lifetime in seconds.
  package func speedShare(from speed: Double, over life: Double) -> Double? {
    let strength = strength.mean(lifetime: life)
    guard life > 0, direction == nil, strength.isFinite else { return nil }
    func decay(_ rate: Double) -> Double {
      rate * life < 1e-9 ? 1 : (1 - exponential(-rate * life)) / (rate * life)
    }
    switch (kind, law) {
    case (.linear, _): return speed > 0 ? max(1 + strength * life / (2 * speed), 0) : nil
    case (.drag, .exponential), (.drag, .euler): return strength >= 0 ? decay(strength) : nil
    case (.drag, .perFrame60):
      return 0...1 ~= strength ? decay(-60 * logarithm(max(1 - strength, 1e-9))) : nil
    case (.drag, .constant):
      guard speed > 0, strength > 0 else { return nil }
      // It may stop before its life ends.
      let time = min(life, speed / strength)
      return (speed * time - strength * time * time / 2) / (speed * life)
    case (.drag, .limit):
      guard speed > 0, strength >= 0 else { return nil }
      // The excess over the limit decays.
      let rest = min(limit / speed, 1)
      return rest + (1 - rest) * decay(strength)
    default: return nil
    }
  }

  /// The fraction of the speed that drag removes in a sixtieth of a second, or nil if the law is not proportional.
  package func dragShare(over life: Double) -> Double? {
    let strength = strength.mean(lifetime: life)
    switch law {
    case .perFrame60: return strength
    case .exponential: return 1 - exponential(-strength / 60)
    case .euler: return strength / 60
    case .constant, .limit: return nil
    }
  }
}

extension Emitter {
  /// The indices of radial forces that act nearly along the motion of particles: they start near the
  /// centre, fly away from it and do not pass it again, and nothing turns them much.
  package var forcesAlongMotion: [Int] {
    let turning: Set<ForceKind> = [.tangential, .vortex, .noise]
    let (speed, life) = (launch.speed.mean, lifetime.mean)
    guard motion.mode == .ballistic, launch.direction.mode != .none, speed > 0, life > 0 else {
      return []
    }
    let turn = forces.filter { turning.contains($0.kind) }
      .reduce(0) { $0 + $1.strength.mean(lifetime: life).magnitude }
    let shape = shape.settled()
    let half = shape.halfSize
    let center = shape.transform.translation
    let away = half.x * half.x + half.y * half.y + center.x * center.x + center.y * center.y
    return forces.indices.filter { index in
      let force = forces[index]
      guard force.kind == .radial, force.center == .zero, force.falloff == 0,
        force.maxDistance == nil
      else { return false }
      let strength = force.strength.mean(lifetime: life)
      let reach = speed * life + strength * life * life / 2
      return turn <= strength.magnitude / 2 && reach > 0 && away.squareRoot() <= reach / 2
    }
  }
}

extension Transform {
  /// This transform in the plane, as a transform inside another.
  package func inside(of above: Transform) -> Transform {
    var inside = self
    let (x, y) = Angle.turned(
      translation.x - above.translation.x, translation.y - above.translation.y,
      by: -above.angle)
    func divided(_ number: Double, _ divisor: Double) -> Double {
      divisor == 0 || divisor == 1 ? number : (number / divisor).rounded
    }
    inside.translation.x = divided(x, above.scale.x)
    inside.translation.y = divided(y, above.scale.y)
    inside.angle = (angle - above.angle).rounded
    inside.scale.x = divided(scale.x, above.scale.x)
    inside.scale.y = divided(scale.y, above.scale.y)
    return inside
  }
}

/// Angles in the plane, which most formats store in radians.
package enum Angle {
  /// Converts radians to degrees. For 32-bit radians the result is the shortest number of degrees that gives an equal
  /// float. Further digits are rounding errors.
  package static func degrees(_ radians: Double) -> Double {
    guard radians.magnitude > 1e-30 else { return 0 }
    let degrees = radians * 180 / .pi
    let float = Float(radians)
    guard Double(float) == radians else { return degrees.rounded }
    var scale = 1.0
    for _ in 0...9 {
      let short = (degrees * scale).rounded() / scale
      if Float(short * .pi / 180) == float { return short }
      scale *= 10
    }
    return degrees
  }

  /// Converts degrees to radians.
  package static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  package static func tangent(_ degrees: Double) -> Double {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    // Finite for right angles, too.
    return sine / (cosine == 0 ? 1e-16 : cosine)
  }

  /// Rotates a vector and removes rounding errors.
  package static func turned(_ x: Double, _ y: Double, by degrees: Double) -> (x: Double, y: Double)
  {
    guard degrees != 0 else { return (x, y) }
    let (s, c) = sineAndCosine(degrees: degrees)
    return ((x * c - y * s).rounded, (x * s + y * c).rounded)
  }

  /// The direction of a vector in degrees, or nil if it has no length.
  package static func direction(_ x: Double, _ y: Double) -> Double? {
    x == 0 && y == 0 ? nil : angleInDegrees(y, x).rounded
  }
}
