internal import ParticlesCore

// Shapes that do not change, in place of those that do.

extension Shape {
  /// The shape with constant extents, which are part of it, and without an offset: at the mean of its
  /// extents over the emission, about the mean of its offset, and wider by a random offset where that
  /// makes places deviate alike.
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
