internal import ParticlesCore

extension ParticleSystem {
  /// The interpolation from one key to the next.
  public enum Interpolation: String, ClosedName {
    /// Linear.
    case linear
    /// Constant until the next key.
    case step
    /// As a cubic Hermite spline through the keys, with their slopes.
    case cubic
  }

  /// The extrapolation of a curve before its first and after its last key.
  public enum Extend: String, ClosedName {
    /// The value of the nearest key.
    case clamp
    /// The curve is repeated.
    case loop
    /// The curve is repeated, alternately reversed.
    case mirror

    /// Maps `x` to `first...last`.
    func map(_ x: Double, first: Double, last: Double) -> Double {
      let length = last - first
      guard x < first || x > last, length > 0, x.isFinite else { return min(max(x, first), last) }
      switch self {
      case .clamp: return min(max(x, first), last)
      case .loop:
        let rest = (x - first).truncatingRemainder(dividingBy: length)
        return first + (rest < 0 ? rest + length : rest)
      case .mirror:
        let rest = (x - first).magnitude.truncatingRemainder(dividingBy: 2 * length)
        return first + (rest > length ? 2 * length - rest : rest)
      }
    }
  }
}
