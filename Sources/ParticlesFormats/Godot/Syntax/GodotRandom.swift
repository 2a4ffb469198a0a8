internal import ParticlesCore
internal import ParticlesModel

/// How Godot 3 randomises a number v by a ratio r with a random number u.
enum GodotRandom {
  /// v · lerp(1, u, r): from (1 − r) · v to v.
  case down
  /// v · lerp(1, 2u − 1, r): from (1 − 2r) · v to v.
  case bothWays
  /// lerp(v, 1, u · r): from v to v + (1 − v) · r.
  case towardsOne

  init(_ key: String) {
    switch key {
    case "scale_amount": self = .towardsOne
    case "angular_velocity", "hue_variation": self = .bothWays
    default: self = .down
    }
  }

  func range(_ value: Double, random: Double) -> Value {
    let end: Double =
      switch self {
      case .down: value * (1 - random)
      case .bothWays: value * (1 - 2 * random)
      case .towardsOne: value + (1 - value) * random
      }
    return end == value
      ? .constant(value) : .range(min(value, end.rounded), max(value, end.rounded))
  }

  /// The number and the ratio of a range.
  func ratio(_ low: Double, _ high: Double) -> (value: Double, random: Double) {
    guard low != high else { return (low, 0) }
    if self == .towardsOne {
      let value = (low - 1).magnitude > (high - 1).magnitude ? low : high
      let end = value == low ? high : low
      return (value, ((end - value) / (1 - value)).rounded)
    }
    let value = low.magnitude > high.magnitude ? low : high
    let ratio = 1 - (value == low ? high : low) / value
    return (value, (self == .down ? ratio : ratio / 2).rounded)
  }

  /// The properties of a range: its bounds, or in Godot 3 a number and a ratio.
  static func properties(
    _ key: String, _ low: Double, _ high: Double, _ generation: GodotGeneration
  ) -> [(key: String, number: Double)] {
    guard generation == .three else { return [("\(key)_min", low), ("\(key)_max", high)] }
    let (number, random) = GodotRandom(key).ratio(low, high)
    return [(key, number), ("\(key)_random", random)]
  }
}
