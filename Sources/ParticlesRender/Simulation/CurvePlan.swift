internal import ParticlesModel

/// A curve, ready for evaluation for eight particles at once: a polynomial for each part between two
/// keys.
struct CurvePlan {
  /// From `start` on, with s the distance from it, the value is a + b·s + c·s² + d·s³.
  private struct Part {
    var start: Float
    var a: Float
    var b: Float
    var c: Float
    var d: Float
  }

  private var parts: [Part] = []
  private let extend: Extend
  private let (first, last): (Float, Float)
  /// Whether the value is the argument, within 0…1.
  let isIdentity: Bool

  init(_ curve: Curve) {
    extend = curve.keys.count > 1 ? curve.extend : .clamp
    isIdentity = curve == .linear
    let keys = curve.keys
    first = Float(keys.first?.time ?? 0)
    last = Float(keys.last?.time ?? 0)
    // Before the first key and from the last one on, the value is that of the key.
    parts = [
      Part(start: -.greatestFiniteMagnitude, a: Float(keys.first?.value ?? 0), b: 0, c: 0, d: 0)
    ]
    for index in keys.indices {
      let key = keys[index]
      let next = index + 1 < keys.count ? keys[index + 1] : nil
      var part = Part(start: Float(key.time), a: Float(key.value), b: 0, c: 0, d: 0)
      if let next, next.time > key.time {
        let length = next.time - key.time
        let rise = next.value - key.value
        switch key.interpolation ?? curve.interpolation {
        case .step: break
        case .linear:
          part.b = Float(rise / length)
        case .cubic:
          part = Self.cubic(
            from: key, slope: curve.outSlope(index), to: next, slope: curve.inSlope(index + 1))
        }
      } else if next != nil {
        continue
      }
      parts.append(part)
    }
  }

  /// The Hermite spline between two keys.
  private static func cubic(
    from: CurveKey, slope: Double, to: CurveKey, slope end: Double
  ) -> Part {
    let length = to.time - from.time
    let rise = (to.value - from.value) / length
    return Part(
      start: Float(from.time), a: Float(from.value), b: Float(slope),
      c: Float((3 * rise - 2 * slope - end) / length),
      d: Float((slope + end - 2 * rise) / (length * length)))
  }

  @inline(__always)
  func callAsFunction(_ argument: Lanes) -> Lanes {
    if isIdentity { return argument.clamped(.zeros, .ones) }
    var x = argument
    if extend != .clamp, last > first {
      let period = last - first
      let turns = (x - first) / period
      var share = turns - turns.rounded(.down)
      if extend == .mirror {
        let pair = turns * 0.5
        share = (pair - pair.rounded(.down)) * 2
        share.replace(with: 2 - share, where: share .> 1)
      }
      x = first + share * period
    }
    var value = Lanes(repeating: parts[0].a)
    for part in parts.dropFirst() {
      let s = x - part.start
      let here = part.a + s * (part.b + s * (part.c + s * part.d))
      value.replace(with: here, where: x .>= part.start)
    }
    return value
  }
}
