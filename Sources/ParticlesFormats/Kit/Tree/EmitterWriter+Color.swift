internal import ParticlesCore
internal import ParticlesModel

// Colours as a range for new particles and a factor over life, which is the same for all.

extension EmitterWriter {
  /// The bounds between which the channels of the start colour are random; reports any other distribution.
  mutating func startColors() -> (low: Color, high: Color) {
    let start = emitter.color.base.from
    if let channels = start.channels { return channels }
    lose(
      .approximated, .randomHueSaturationBrightness, at: "color.base.from",
      also: ["color.base.clamp"],
      "colours are between two", recipe: "a range of the same mean")
    return start.displayedRange
  }

  /// A colour that changes otherwise than by a gradient, as two bounds for each particle and as 17 shares
  /// of these over the life that are the same for all; nil for other colours. ``loseColorParts()`` reports it.
  func colorParts() -> (low: Color, high: Color, shares: [Color])? {
    let (color, base) = (emitter.color, emitter.color.base)
    let isGradient =
      base.to == nil && base.rate == .zero && color.opacity == 1 && color.intensity == 1
      && color.mix == 1
    guard !isGradient else { return nil }
    let points = color.seen(lifetime: lifetime).points.map(\.channels)
    let (mean, start) = base.from.uniformLikeness
    let end = base.to?.uniformLikeness.half.channels
    let (middle, half, _) = color.opacity.from.spread
    func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    var (bounds, shares) = ([Interval](), [[Double]]())
    for channel in 0..<4 {
      let values = points.map { $0[channel] }
      let top = values.max() ?? 0
      shares.append(values.map { top > 0 ? $0 / top : 0 })
      let first = start.channels[channel]
      var part = mean.channels[channel] > 0 ? first / mean.channels[channel] : 0
      if let end {
        // The factor whose deviation is nearest to that of both ends, which are independent of each other.
        let sums = values.enumerated().reduce((0.0, 0.0)) { sums, point in
          let time = base.curve.value(at: Double(point.offset) / Double(max(values.count - 1, 1)))
          let both = length((1 - time) * first, time * end[channel])
          return (sums.0 + point.element * both, sums.1 + point.element * point.element)
        }
        part = sums.1 > 0 ? sums.0 / sums.1 : 0
      }
      if channel == 3, middle > 0 { part = length(part, half / middle) }
      part = min(part, 1)
      bounds.append(Interval((top * (1 - part)).rounded, (top * (1 + part)).rounded))
    }
    return (
      Color(bounds.map(\.lower)), Color(bounds.map(\.upper)),
      points.indices.map { index in Color(shares.map { $0[index] }) }
    )
  }

  mutating func loseColorParts() {
    lose(
      .approximated, emitter.color.opacity != 1 ? .opacityCurve : .gradient, at: "color",
      "colour and opacity are one gradient", recipe: "17 points", level: .low)
  }

  /// The gradient of the colour as points with lines between them, and its alpha as others; nil if there is
  /// none. Reports what lines cannot express.
  mutating func gradientLines() -> (
    colors: [GradientKey], alpha: [(time: Double, value: Double)]
  )? {
    guard let gradient = emitter.color.base.gradient else { return nil }
    var keys = gradient.keys
    if gradient.interpolation != .linear || gradient.space != .srgb || keys.isEmpty
      || [gradient.red, gradient.green, gradient.blue].contains(where: { $0 != nil })
    {
      keys = (0...16).map { GradientKey(Double($0) / 16, gradient.color(at: Double($0) / 16)) }
      lose(
        .approximated, .gradient, at: "color.base.gradient", "colours are on lines",
        recipe: "17 points", level: .low)
    }
    let lines = gradient.alpha?.linearPoints
    if lines == nil, !hasLine(at: "color.base.gradient") {
      lose(
        .restated, .opacityCurve, at: "color.base.gradient", "alpha is written as points of its own"
      )
    }
    let sampled = gradient.alpha.map { alpha in
      (0...16).map { (time: Double($0) / 16, value: alpha.value(at: Double($0) / 16)) }
    }
    return (keys, lines ?? sampled ?? keys.map { ($0.time, $0.color.alpha) })
  }
}

extension ColorValue {
  /// The uniform range of the same mean and, if it is within 0 and 1, of the same deviation. Colours are
  /// clamped when they are drawn, which would change the mean of a wider one.
  fileprivate var displayedRange: (low: Color, high: Color) {
    let (mean, half) = uniformLikeness
    let halves = zip(mean.channels, half.channels).map { max(min($1, $0, 1 - $0), 0) }
    func end(_ sign: Double) -> Color {
      Color(zip(mean.channels, halves).map { ($0 + sign * $1).rounded })
    }
    return (end(-1), end(1))
  }
}
