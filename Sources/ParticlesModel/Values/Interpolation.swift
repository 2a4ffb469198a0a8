internal import ParticlesCore

extension ParticleSystem {
  /// How a curve or gradient goes from one key to the next.
  public enum Interpolation: String, ClosedName {
    /// In a straight line.
    case linear
    /// Not at all: a key holds until the next.
    case step
    /// As a cubic Hermite spline through the keys, with their slopes.
    case cubic
  }

  /// What a curve is before its first and behind its last key.
  public enum Extend: String, ClosedName {
    /// The value of the nearest key.
    case clamp
    /// The curve from the beginning.
    case loop
    /// The curve to and fro.
    case mirror

    /// The place in `first...last` that stands for `x`.
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
