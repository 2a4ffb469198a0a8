internal import ParticlesCore

extension Value {
  /// Whether all samples of the value are equal.
  public var isConstant: Bool { bounds.lower == bounds.upper }

  /// The minimum and maximum that can be sampled. For a ramp with a cubic curve, only the keys of the curve count.
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
  ///   - progress: The progress of the emission, 0 to 1, used by ramps only.
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

/// The index that a random number (at least 0 and less than 1) chooses out of `count`, or nil if `count` is 0. Weights
/// that do not fit are ignored.
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

// Values whose samples are clamped, as values whose samples are within the bounds.

extension Value {
  /// The value whose samples are clamped: a number, or a range entirely outside, becomes the nearest
  /// bound. A range that is partly inside stays as it is.
  package func clamped(to range: Interval) -> Value {
    let (least, most) = (bounds.lower, bounds.upper)
    guard most <= range.lower || least >= range.upper || least == most else { return self }
    let bound = range.clamp(least)
    return least == most && bound == least ? self : .constant(bound)
  }

  /// The value whose samples are clamped. A range that is partly inside becomes a range inside that has the mean and
  /// the deviation of the clamped samples, as far as the bounds allow.
  package func clampedSamples(to range: Interval) -> Value {
    guard case .uniform(let old) = clamped(to: range), old.max > old.min,
      old.min < range.lower || old.max > range.upper
    else { return clamped(to: range) }
    let (low, high) = (Swift.max(old.min, range.lower), Swift.min(old.max, range.upper))
    let width = old.max - old.min
    let parts: [(share: Double, mean: Double, square: Double)] = [
      ((low - old.min) / width, low, low * low),
      ((high - low) / width, (low + high) / 2, (low * low + low * high + high * high) / 3),
      ((old.max - high) / width, high, high * high),
    ]
    let mean = parts.reduce(0) { $0 + $1.share * $1.mean }
    let square = parts.reduce(0) { $0 + $1.share * $1.square }
    let half = Swift.min(
      (3 * Swift.max(square - mean * mean, 0)).squareRoot(), mean - range.lower,
      range.upper - mean)
    return Value(center: mean.rounded, halfWidth: half.rounded, scope: old.scope)
  }
}

extension ColorTrack {
  /// Restates both ends for samples that are clamped to 0…1.
  package mutating func clampSamples() {
    from = from.clampedSamples
    to = to?.clampedSamples
  }

  /// These colours with full alpha.
  package var opaque: ColorTrack {
    var track = self
    track.from = from.opaque
    track.to = to?.opaque
    track.rate.alpha = 0
    if track.gradient?.alpha != nil { track.gradient?.alpha = .constant(1) }
    track.gradient = track.gradient?.mapped { Color($0.red, $0.green, $0.blue, 1) }
    return track
  }
}

extension ColorValue {
  fileprivate var clampedSamples: ColorValue {
    switch self {
    case .constant(let color): return .constant(Color(color.channels.map(Interval.unit.clamp)))
    case .range(var range) where range.mode == .channels && range.jitter == nil:
      let ends = zip(range.min.channels, range.max.channels).map {
        Value.range($0, $1).clampedSamples(to: .unit).bounds
      }
      range.min = Color(ends.map { $0.lower })
      range.max = Color(ends.map { $0.upper })
      return range.min == range.max ? .constant(range.min) : .range(range)
    default: return self
    }
  }

  fileprivate var opaque: ColorValue {
    func opaque(_ color: Color) -> Color { Color(color.red, color.green, color.blue, 1) }
    switch self {
    case .constant(let color): return .constant(opaque(color))
    case .range(var range):
      (range.min, range.max) = (opaque(range.min), opaque(range.max))
      return range.min == range.max ? .constant(range.min) : .range(range)
    default: return self
    }
  }
}

// Approximations of random values for formats with fewer distributions.

extension Value {
  /// This value as the centre and half width of a uniform distribution, which most formats support. A choice becomes
  /// the range of its numbers, and a ramp its mean, with a false `isExact`.
  package var spread: (center: Double, half: Double, isExact: Bool) {
    switch self {
    case .constant(let number): return (number, 0, true)
    case .uniform(let range):
      return ((range.min + range.max) / 2, (range.max - range.min) / 2, true)
    case .choice(let choice):
      guard let least = choice.numbers.min(), let most = choice.numbers.max() else {
        return (0, 0, false)
      }
      return ((least + most) / 2, (most - least) / 2, least == most)
    case .ramp: return (mean, 0, false)
    }
  }

  /// The mean of all samples, over the progress of the emission too.
  package var mean: Double {
    switch self {
    case .constant(let number): return number
    case .uniform(let range): return (range.min + range.max) / 2
    case .choice(let choice):
      let weights =
        choice.weights.count == choice.numbers.count
        ? choice.weights : choice.numbers.map { _ in 1 }
      let total = weights.reduce(0, +)
      guard total > 0 else { return choice.numbers.first ?? 0 }
      return zip(choice.numbers, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
    case .ramp(let ramp):
      let share = (0...16).reduce(0) { $0 + ramp.curve.value(at: Double($1) / 16) } / 17
      let (low, high) = (ramp.low.mean, ramp.high.mean)
      return ramp.relative ? low + high * share : low + (high - low) * share
    }
  }

  /// Whether the value is stated as one number. A range without width is not. See ``isConstant``.
  package var isNumber: Bool {
    if case .constant = self { true } else { false }
  }
}

extension ColorValue {
  /// The mean of all samples, without random changes of hue.
  package var mean: Color {
    switch self {
    case .constant(let color): return color
    case .varied(let varied): return varied.color
    case .range(let range): return .mean([range.min, range.max])
    case .gradient(let pick):
      return .mean((0...16).map { pick.gradient.color(at: Double($0) / 16) })
    case .choice(let choice):
      return choice.colors.isEmpty ? .white : .mean(choice.colors)
    }
  }

  /// Whether the value is stated as one colour.
  package var isColor: Bool {
    if case .constant = self { true } else { false }
  }
}

extension Emission {
  /// The burst with the most particles, or nil if there are no bursts.
  package var largestBurst: Burst? { bursts.max { $0.count.mean < $1.count.mean } }
}
