extension ColorValue {
  /// The colour of one particle.
  /// - Parameters:
  ///   - channel: gives the random channel of each component, 0 to 3: `RandomChannel.colorFrom` or
  ///     `.colorTo`.
  ///   - unit: gives the random number of a channel, 0 ≤ u < 1.
  package func sample(
    _ channel: (UInt64) -> RandomChannel, _ unit: (RandomChannel) -> Double
  ) -> Color {
    switch self {
    case .constant(let color): return color
    case .varied(let varied): return varied.color.changed(by: varied.jitter, unit)
    case .gradient(let pick):
      return pick.gradient.color(at: unit(.gradient)).changed(by: pick.jitter, unit)
    case .choice(let choice):
      let index = pick(unit(channel(0)), from: choice.colors.count, weights: choice.weights)
      return (index.map { choice.colors[$0] } ?? .white).changed(by: choice.jitter, unit)
    case .range(let range):
      return range.sample(channel, unit).changed(by: range.jitter, unit)
    }
  }
}

extension ColorValue.Range {
  fileprivate func sample(
    _ channel: (UInt64) -> RandomChannel, _ unit: (RandomChannel) -> Double
  ) -> Color {
    func mixed(_ from: Double, _ to: Double, _ component: UInt64) -> Double {
      from + (to - from) * unit(channel(mode == .line ? 0 : component))
    }
    switch mode {
    case .channels, .line:
      return Color(
        mixed(min.red, max.red, 0), mixed(min.green, max.green, 1), mixed(min.blue, max.blue, 2),
        mixed(min.alpha, max.alpha, 3))
    case .hsb:
      let (from, to) = (min.hsb, max.hsb)
      // The hue goes from that of `min` upwards.
      let end = to.hue < from.hue ? to.hue + 360 : to.hue
      return Color(
        hue: mixed(from.hue, end, 0), saturation: mixed(from.saturation, to.saturation, 1),
        brightness: mixed(from.brightness, to.brightness, 2), alpha: mixed(min.alpha, max.alpha, 3))
    }
  }
}

extension Color {
  /// This colour with a random change: of each component at most half its width.
  fileprivate func changed(
    by jitter: ColorJitter?, _ unit: (RandomChannel) -> Double
  ) -> Color {
    guard let jitter else { return self }
    func change(_ half: Double, _ component: UInt64) -> Double {
      half == 0 ? 0 : half * (2 * unit(.jitter(component)) - 1)
    }
    let (hue, saturation, brightness) = hsb
    return Color(
      hue: hue + change(jitter.hue, 0),
      saturation: Interval.unit.clamp(saturation + change(jitter.saturation, 1)),
      brightness: Interval.unit.clamp(brightness + change(jitter.brightness, 2)),
      alpha: Interval.unit.clamp(alpha + change(jitter.alpha, 3)))
  }
}
