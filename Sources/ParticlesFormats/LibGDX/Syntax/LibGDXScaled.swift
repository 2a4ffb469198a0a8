internal import ParticlesCore
internal import ParticlesModel

/// A number of a particle, or of the emitter, between two ranges along a curve.
struct LibGDXScaled {
  var low: Value
  var high: Value
  var isRelative = false
  var points: [(time: Double, value: Double)] = [(0, 1)]

  /// The only point of the curve, if there is one.
  private var factor: Double? { points.count == 1 ? points[0].value : nil }

  /// Over the life of a particle.
  var track: Track {
    if let value = plain { return Track(value) }
    let curve: Curve = factor.map(Curve.constant) ?? .lines(points)
    if isRelative, case .constant(let base) = low {
      return Track(from: low, to: high.moved(by: base), curve: curve)
    }
    return Track(from: low, to: high, relative: isRelative, curve: curve)
  }

  /// Over a period of the emitter.
  func value(_ scope: Scope) -> Value {
    var result: Value
    if let value = plain {
      result = value
    } else {
      let curve: Curve = factor.map(Curve.constant) ?? .lines(points)
      result = .ramp(.init(low: low, high: high, curve: curve, relative: isRelative))
    }
    result.scope = scope
    return result
  }

  /// A value that neither changes nor depends on both ranges.
  private var plain: Value? {
    if factor == 0 { return low }
    if factor == 1, !isRelative || low == 0 { return high }
    if let factor, case .constant(let a) = low, case .constant(let b) = high {
      return .constant((a + (isRelative ? b : b - a) * factor).rounded)
    }
    if low == high, low.isNumber, !isRelative { return low }
    return nil
  }

  /// Whether the value changes.
  var isCurve: Bool { points.count > 1 }

  /// The value at the first point.
  var first: Value {
    var copy = self
    copy.points = [(0, points.first?.value ?? 1)]
    return copy.value(.particle)
  }
}
