internal import ParticlesModel

/// A curve, ready for evaluation: a polynomial for each part between two keys.
struct CurvePlan: Sendable {
  private let parts: [CurvePart]
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
    var parts = [
      CurvePart.part(start: -.greatestFiniteMagnitude, a: Float(keys.first?.value ?? 0))
    ]
    for index in keys.indices {
      let key = keys[index]
      let next = index + 1 < keys.count ? keys[index + 1] : nil
      guard let next else {
        parts.append(.part(start: Float(key.time), a: Float(key.value)))
        continue
      }
      guard next.time > key.time else { continue }
      let length = next.time - key.time
      let rise = next.value - key.value
      switch key.interpolation ?? curve.interpolation {
      case .step: parts.append(.part(start: Float(key.time), a: Float(key.value)))
      case .linear:
        parts.append(
          .part(start: Float(key.time), a: Float(key.value), b: Float(rise / length)))
      case .cubic:
        parts.append(
          Self.cubic(
            from: key, slope: curve.outSlope(index), to: next, slope: curve.inSlope(index + 1)))
      }
    }
    // Plans of several threads share no memory, not even that of the curve of most tracks.
    self.parts = isIdentity ? [] : parts
  }

  /// The Hermite spline between two keys.
  private static func cubic(
    from: CurveKey, slope: Double, to: CurveKey, slope end: Double
  ) -> CurvePart {
    let length = to.time - from.time
    let rise = (to.value - from.value) / length
    return .part(
      start: Float(from.time), a: Float(from.value), b: Float(slope),
      c: Float((3 * rise - 2 * slope - end) / length),
      d: Float((slope + end - 2 * rise) / (length * length)))
  }

  /// Evaluates the curve.
  /// - Parameter argument: may be `out`; is changed if the curve repeats.
  func evaluate(_ argument: Slice, into out: Slice) {
    if isIdentity {
      if out.base != argument.base { out.set(argument.operand) }
      out.clamp(0, 1)
      return
    }
    if extend != .clamp, last > first {
      if out.base != argument.base { out.set(argument.operand) }
      out.wrap(first: first, period: last - first, isMirrored: extend == .mirror)
      parts.withUnsafeBufferPointer { out.setCurve(out, $0) }
    } else {
      parts.withUnsafeBufferPointer { out.setCurve(argument, $0) }
    }
  }
}
