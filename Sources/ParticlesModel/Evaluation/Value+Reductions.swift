// Approximations of random values for formats with fewer distributions.

extension Value {
  /// This value as the centre and half width of a uniform distribution, which most formats support.
  /// `isExact` is false for any other distribution; the spread then covers its numbers.
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

  /// Whether the value is stated as one number. A range without width is not; see ``isConstant``.
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
  /// The burst with the most particles; nil if there are no bursts.
  package var largestBurst: Burst? { bursts.max { $0.count.mean < $1.count.mean } }
}
