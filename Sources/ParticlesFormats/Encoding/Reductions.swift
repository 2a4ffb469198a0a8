internal import ParticlesCore
package import ParticlesModel

// What encoders do to values that their formats cannot hold. Each says whether anything was lost.

extension Value {
  /// This value as a centre and half the width of an even spread around it, which is what most
  /// formats have. `isExact` is false if it was something else: its least and greatest number count
  /// then.
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

  /// The number that comes out on average, over the progress of the emission too.
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

  /// Whether it is always the same number.
  package var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

extension Track {
  /// The number over the share of its life that a particle has lived, with what is drawn at random
  /// at its mean. `isExact` is false if something was random, or no curve says the same and points
  /// on the way were taken.
  /// - Parameter lifetime: the mean lifetime in seconds, for what is added each second.
  package func curve(lifetime: Double) -> (curve: Curve, isExact: Bool) {
    let isRandom = ![from, to ?? 0, rate].allSatisfy(\.isConstant)
    let (start, end) = (from.mean, to?.mean)
    let span = end.map { relative ? $0 : $0 - start } ?? 0
    let isPlain =
      rate == 0 && range == nil && (end == nil || (warp == .linear && curve.extend == .clamp))
    if isPlain, end == nil { return (.constant(start), !isRandom) }
    if isPlain {
      var curve = curve
      for index in curve.keys.indices {
        curve.keys[index].value = start + span * curve.keys[index].value
        curve.keys[index].inSlope = curve.keys[index].inSlope.map { $0 * span }
        curve.keys[index].outSlope = curve.keys[index].outSlope.map { $0 * span }
      }
      return (curve, !isRandom && over == .life)
    }
    func value(_ x: Double) -> Double {
      let share = end == nil ? 0 : curve.value(at: warp.value(at: x))
      let value = start + span * share + rate.mean * lifetime * x
      return range?.clamp(value) ?? value
    }
    // A straight line needs two points only.
    let isLine = end == nil && range == nil
    let count = isLine ? 1 : 16
    let points = (0...count).map { index in
      let x = Double(index) / Double(count)
      return (time: x, value: value(x))
    }
    return (Curve(through: points), false)
  }
}

extension ColorValue {
  /// The colour that comes out on average, without its random changes of hue.
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

  /// Whether it is always the same colour.
  package var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

extension ColorTrack {
  /// The colour over the share of its life that a particle has lived, with what is drawn at random
  /// at its mean; see ``Track/curve(lifetime:)``.
  package func gradient(lifetime: Double) -> (gradient: Gradient, isExact: Bool) {
    let isPlain = to == nil && rate == .zero
    let isRandom = !from.isConstant || !(to?.isConstant ?? true)
    if isPlain, let gradient, !gradient.keys.isEmpty, !gradient.hasChannels,
      gradient.space == .srgb
    {
      let color = clamped(from.mean)
      var scaled = gradient
      for index in scaled.keys.indices {
        scaled.keys[index].color = scaled.keys[index].color.multiplied(by: color)
      }
      return (scaled, !isRandom)
    }
    let times = gradient == nil && rate == .zero ? curve.plainTimes : nil
    let points = times ?? (0...16).map { Double($0) / 16 }
    let keys = points.map { GradientKey($0, color(at: $0, lifetime: lifetime)) }
    return (Gradient(keys), !isRandom && times != nil)
  }

  /// The colour at a share of the life, with the means of what is random.
  private func color(at x: Double, lifetime: Double) -> Color {
    var color = from.mean
    if let to { color = color.mixed(with: to.mean, curve.value(at: x)) }
    let age = x * lifetime
    color = clamped(
      Color(
        color.red + rate.red * age, color.green + rate.green * age, color.blue + rate.blue * age,
        color.alpha + rate.alpha * age))
    return gradient.map { color.multiplied(by: $0.color(at: x)) } ?? color
  }

  private func clamped(_ color: Color) -> Color {
    Color(
      clamp.clamp(color.red), clamp.clamp(color.green), clamp.clamp(color.blue),
      clamp.clamp(color.alpha))
  }
}

extension Gradient {
  /// Whether a channel has a curve of its own.
  package var hasChannels: Bool { [red, green, blue, alpha].contains { $0 != nil } }
}

extension Curve {
  /// The times of the keys if straight lines between them are all there is; nil otherwise.
  fileprivate var plainTimes: [Double]? {
    guard interpolation == .linear, extend == .clamp,
      keys.allSatisfy({ $0.interpolation == nil || $0.interpolation == .linear })
    else { return nil }
    return keys.map(\.time)
  }
}

extension Color {
  /// The mean of colours, channel by channel.
  fileprivate static func mean(_ colors: [Color]) -> Color {
    let share = 1 / Double(colors.count)
    return colors.reduce(Color(0, 0, 0, 0)) { sum, color in
      Color(
        sum.red + color.red * share, sum.green + color.green * share,
        sum.blue + color.blue * share, sum.alpha + color.alpha * share)
    }
  }

  /// Both multiplied, channel by channel.
  package func multiplied(by other: Color) -> Color {
    Color(red * other.red, green * other.green, blue * other.blue, alpha * other.alpha)
  }

  /// A share of the way to another colour.
  package func mixed(with other: Color, _ share: Double) -> Color {
    Color(
      red + (other.red - red) * share, green + (other.green - green) * share,
      blue + (other.blue - blue) * share, alpha + (other.alpha - alpha) * share)
  }
}
