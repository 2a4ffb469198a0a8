internal import ParticlesCore
internal import ParticlesModel

// Start and end colour, each channel with its variance.

extension FieldReader<CocosFamily> {
  var color: ColorTrack {
    let (from, to) = (color("startColor"), color("finishColor"))
    return from.isColor && from == to ? ColorTrack(from) : ColorTrack(from: from, to: to)
  }

  private func color(_ name: String) -> ColorValue {
    var (low, high) = ([Double](), [Double]())
    for channel in CocosChannel.allCases {
      let bounds = value(name + channel.rawValue, width: "\(name)Variance\(channel.rawValue)")
        .bounds
      low.append(bounds.lower)
      high.append(bounds.upper)
    }
    return low == high ? .constant(Color(low)) : .range(Color(low), Color(high))
  }
}

extension EmitterWriter<CocosFamily> {
  mutating func encodeColor() {
    let color = emitter.color
    let base = color.base
    let isPlain =
      base.gradient == nil && base.rate == .zero && base.clamp == .unit
      && (base.to == nil || base.curve == .linear)
      && color.opacity == 1 && color.intensity == 1 && color.mix == 1
    if isPlain, let from = base.from.channels, let to = (base.to ?? base.from).channels,
      isWithinRange(from), isWithinRange(to)
    {
      write(from, "startColor")
      write(to, "finishColor")
      if base.to == nil, !base.from.isColor {
        lose(
          .approximated, .randomEndColor, at: "color.base",
          "start and end are randomised independently",
          recipe: "both from the same range")
      }
      return
    }
    encodeFitted()
  }

  /// Whether the engine does not change a colour by clamping it, other than its samples.
  private func isWithinRange(_ ends: (low: Color, high: Color)) -> Bool {
    guard let range = format.table.range(of: "startColorRed") else { return true }
    return zip(ends.low.channels, ends.high.channels).allSatisfy { low, high in
      low == high ? range.clamp(low) == low : high > range.lower && low < range.upper
    }
  }

  private mutating func write(_ ends: (low: Color, high: Color), _ name: String) {
    for (channel, (low, high)) in zip(
      CocosChannel.allCases, zip(ends.low.channels, ends.high.channels))
    {
      set(name + channel.rawValue, (low + high) / 2)
      set("\(name)Variance\(channel.rawValue)", ((high - low) / 2).magnitude)
    }
  }

  /// The line of least squares through the visible colour, weighted by alpha.
  private mutating func encodeFitted() {
    let color = emitter.color
    let (points, isExact) = color.seen(lifetime: life)
    let weights = points.map(\.alpha)
    let lines = (0..<4).map { channel in
      LineFit(
        through: points.map { $0.channels[channel] }, weights: channel < 3 ? weights : nil,
        within: .unit)
    }
    var start = Color(lines.map(\.start.rounded))
    var finish = Color(lines.map(\.end.rounded))
    let base = color.base
    let likeness = base.from.uniformLikeness
    let halves = [likeness.half, base.to?.uniformLikeness.half ?? likeness.half]
    // A distribution about another colour than that of the gradient moves the ends.
    if base.to == nil, base.gradient == nil, base.rate == .zero, base.from.channels == nil {
      let shift = likeness.mean.adding(base.from.mean, -1).withoutAlpha
      (start, finish) = (start.adding(shift, 1).inUnit, finish.adding(shift, 1).inUnit)
    }
    let opacity = [color.opacity.from, color.opacity.to ?? color.opacity.from].map(\.spread.half)
    let isDim = color.opacity != 1
    func written(_ end: Color, _ half: Color, _ opacity: Double) -> (Color, Color) {
      var half = half
      // Alpha is the product of both.
      if isDim { half.alpha = (half.alpha * end.alpha + opacity).rounded }
      return (end.adding(half, -1), end.adding(half, 1))
    }
    write(written(start, halves[0], opacity[0]), "startColor")
    write(written(finish, halves[1], base.gradient == nil ? opacity[1] : opacity[0]), "finishColor")
    let isRandom =
      opacity.contains { $0 != 0 } || halves.contains { $0.channels.contains { $0 != 0 } }
    let deviation = lines.map(\.deviation).max() ?? 0
    let isSame = isExact && !isRandom && deviation < 0.004
    lose(
      isSame ? .restated : .approximated, capability, at: "color",
      "only start and end colours are supported",
      recipe: isRandom ? "best-fit line, start and end randomised independently" : "best-fit line",
      metric: isRandom && deviation < 0.05
        ? nil : Loss.Metric("greatest deviation", (deviation * 1000).rounded() / 1000, "of 1"),
      level: isSame ? nil : deviation > 0.25 ? .high : deviation > 0.05 ? .medium : .low)
  }

  /// The property because of which two colours are not enough.
  private var capability: Capability {
    let color = emitter.color
    switch color.base.from {
    case .varied: return .randomHueSaturationBrightness
    case .gradient, .choice: return .startGradient
    case .constant, .range: break
    }
    if color.opacity != 1 { return .opacityCurve }
    if color.base.from.channels.map({ $0.low != $0.high }) ?? false { return .randomEndColor }
    return color.base.gradient == nil && color.mix != 1 ? .mix : .gradient
  }
}

extension Color {
  /// The colour with an alpha of 0.
  fileprivate var withoutAlpha: Color { Color(red, green, blue, 0) }

  fileprivate var inUnit: Color { Color(channels.map(Interval.unit.clamp)) }

  fileprivate func adding(_ other: Color, _ factor: Double) -> Color {
    Color(
      red + other.red * factor, green + other.green * factor, blue + other.blue * factor,
      alpha + other.alpha * factor)
  }
}
