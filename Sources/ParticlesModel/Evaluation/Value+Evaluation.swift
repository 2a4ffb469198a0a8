internal import ParticlesCore

extension Value {
  /// Whether the value is the same for everyone and always.
  public var isConstant: Bool { bounds.lower == bounds.upper }

  /// The minimum and maximum that can be sampled. For a ramp whose curve is cubic, these are those
  /// at the keys.
  public var bounds: ParticleSystem.Interval {
    switch self {
    case .constant(let number): return Interval(number, number)
    case .uniform(let value): return Interval(value.min, value.max)
    case .choice(let value):
      return Interval(value.numbers.min() ?? 0, value.numbers.max() ?? 0)
    case .ramp(let value):
      let (low, high) = (value.low.bounds, value.high.bounds)
      let curve = value.curve.keyRange ?? Interval(0, 0)
      let corners = [curve.lower, curve.upper].flatMap { x in
        [low.lower, low.upper].flatMap { l in
          [high.lower, high.upper].map { h in l + (value.relative ? h : h - l) * x }
        }
      }
      return Interval(corners.min() ?? 0, corners.max() ?? 0)
    }
  }

  /// The number in the middle of ``bounds``.
  public var center: Double { (bounds.lower + bounds.upper) / 2 }

  /// Half the length of ``bounds``.
  public var halfWidth: Double { (bounds.upper - bounds.lower) / 2 }

  /// Samples the value.
  /// - Parameters:
  ///   - random: A random number, at least 0 and less than 1.
  ///   - progress: The progress of the emission, 0 to 1; used by ramps only.
  public func sample(_ random: Double, progress: Double = 0) -> Double {
    switch self {
    case .constant(let number): return number
    case .uniform(let value): return value.min + (value.max - value.min) * random
    case .choice(let value):
      guard let index = pick(random, from: value.numbers.count, weights: value.weights) else {
        return 0
      }
      return value.numbers[index]
    case .ramp(let value):
      let low = value.low.sample(random, progress: progress)
      let high = value.high.sample(RandomNumbers.unit(after: random), progress: progress)
      return low + (value.relative ? high : high - low) * value.curve.value(at: progress)
    }
  }
}

/// The index that a random number (at least 0 and less than 1) chooses out of `count`; nil if there
/// is nothing to choose from. Weights that do not fit are ignored.
func pick(_ random: Double, from count: Int, weights: [Double]) -> Int? {
  guard count > 0 else { return nil }
  let random = random.isNaN ? 0 : min(max(random, 0), 1)
  let total = weights.reduce(0, +)
  guard weights.count == count, total > 0, total.isFinite else {
    return min(Int(saturating: (random * Double(count)).rounded(.down)), count - 1)
  }
  var rest = random * total
  for (index, weight) in weights.enumerated() {
    if rest < weight { return index }
    rest -= weight
  }
  return count - 1
}
