internal import ParticlesCore

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
      // The hue goes upwards from the hue of `min`.
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

extension ColorValue {
  /// The minimum and maximum of each channel, without the jitter of a range.
  package var channelBounds: (least: Color, most: Color) {
    switch self {
    case .constant(let color): Color.bounds(of: [color])
    case .range(let range): Color.bounds(of: [range.min, range.max])
    case .choice(let choice): Color.bounds(of: choice.colors)
    case .gradient(let pick):
      Color.bounds(of: (0...16).map { pick.gradient.color(at: Double($0) / 16) })
    case .varied(let varied):
      Color.bounds(of: varied.jitter.map(varied.color.corners) ?? [varied.color])
    }
  }

  /// The minimum and maximum colour if channels are sampled uniformly and independently, or nil otherwise.
  package var channels: (low: Color, high: Color)? {
    switch self {
    case .constant(let color): (color, color)
    case .range(let range) where range.mode == .channels && range.jitter == nil:
      (range.min, range.max)
    default: nil
    }
  }

  /// The mean of each channel and the half width of the uniform range with its deviation, both by samples
  /// that are spread evenly.
  package var uniformLikeness: (mean: Color, half: Color) {
    if let (low, high) = channels {
      let pairs = zip(low.channels, high.channels)
      return (Color(pairs.map { ($0 + $1) / 2 }), Color(pairs.map { ($1 - $0).magnitude / 2 }))
    }
    let count = 256
    var (sums, squares) = ([Double](repeating: 0, count: 4), [Double](repeating: 0, count: 4))
    for index in 0..<count {
      var dimensions: [RandomChannel: Double] = [:]
      // Multiples of powers of the root of x⁵ = x + 1 are spread evenly in four dimensions.
      var power = 1.0
      let color = sample({ RandomChannel.colorFrom($0) }) { channel in
        if let known = dimensions[channel] { return known }
        power /= 1.167_303_978_261_418_7
        let unit = (power * Double(index) + 0.5).truncatingRemainder(dividingBy: 1)
        dimensions[channel] = unit
        return unit
      }
      for (channel, value) in color.channels.enumerated() {
        sums[channel] += value
        squares[channel] += value * value
      }
    }
    let means = sums.map { $0 / Double(count) }
    let halves = zip(squares, means).map {
      (3 * Swift.max($0 / Double(count) - $1 * $1, 0)).squareRoot()
    }
    return (Color(means.map { $0.rounded }), Color(halves.map { $0 < 1e-9 ? 0 : $0.rounded }))
  }
}

extension Color {
  /// The minimum and maximum of each channel, or white if there are no colours.
  fileprivate static func bounds(of colors: [Color]) -> (least: Color, most: Color) {
    guard !colors.isEmpty else { return (.white, .white) }
    let channels = (0..<4).map { channel in colors.map { $0.channels[channel] } }
    return (Color(channels.map { $0.min() ?? 1 }), Color(channels.map { $0.max() ?? 1 }))
  }

  /// Colours at both ends of the half widths of saturation, brightness and alpha, and at nine hues.
  fileprivate func corners(_ jitter: ColorJitter) -> [Color] {
    let (hue, saturation, brightness) = hsb
    return (-4...4).flatMap { step in
      [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)].map { s, b in
        Color(
          hue: hue + jitter.hue * Double(step) / 4,
          saturation: Interval.unit.clamp(saturation + jitter.saturation * s),
          brightness: Interval.unit.clamp(brightness + jitter.brightness * b),
          alpha: Interval.unit.clamp(alpha + jitter.alpha * s))
      }
    }
  }

  /// Hue in degrees, saturation and brightness.
  var hsb: (hue: Double, saturation: Double, brightness: Double) {
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    let span = most - least
    guard span > 0 else { return (0, 0, most) }
    let hue =
      most == red
      ? (green - blue) / span : most == green ? 2 + (blue - red) / span : 4 + (red - green) / span
    return (hue * 60, span / most, most)
  }

  init(hue: Double, saturation: Double, brightness: Double, alpha: Double) {
    func channel(_ offset: Double) -> Double {
      var place = (hue / 60 + offset).truncatingRemainder(dividingBy: 6)
      if place < 0 { place += 6 }
      return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
    }
    self.init(channel(5), channel(3), channel(1), alpha)
  }
}

extension Tint {
  /// The visible colour of a white image at 17 points over life, with random values at their means. `isExact` is false
  /// if something was random or sampled at points.
  package func seen(lifetime: Double) -> (points: [Color], isExact: Bool) {
    let gradient = base.gradient(lifetime: lifetime)
    let opacity = opacity.curve(lifetime: lifetime)
    let intensity = intensity.curve(lifetime: lifetime)
    let mix = mix.curve(lifetime: lifetime)
    let points = (0...16).map { index -> Color in
      let x = Double(index) / 16
      let base = gradient.gradient.color(at: x)
      let (share, factor) = (mix.curve.value(at: x), intensity.curve.value(at: x))
      let channels = [base.red, base.green, base.blue].map { (1 + ($0 - 1) * share) * factor }
      return Color((channels + [base.alpha * opacity.curve.value(at: x)]).map(Interval.unit.clamp))
    }
    return (points, gradient.isExact && opacity.isExact && intensity.isExact && mix.isExact)
  }
}

extension Blend {
  /// This blending by the name of its mode, if its factors mean what the specification defines for a named mode.
  package var named: Blend {
    guard mode == .custom, equation == .add, additions.isEmpty,
      let known = Self.names.first(where: {
        ($0.source, $0.destination) == (source, destination) && $0.premultiply == premultiply
      })
    else { return self }
    return Blend(known.mode)
  }

  private static let names:
    [(source: Int, destination: Int, premultiply: Emitter.Premultiply, mode: BlendMode)] = [
      (1, 771, .always, .alpha), (1, 1, .always, .add), (1, 769, .always, .screen),
      (775, 1, .always, .screen), (770, 771, .auto, .alpha), (770, 1, .auto, .add),
    ]

  /// The named mode that is closest to OpenGL factors.
  package var nearestMode: BlendMode {
    if named.mode != .custom { return named.mode }
    return switch (source, destination) {
    case (770?, 771?), (1?, 771?): .alpha
    case (_, 1?), (_, 772?): equation == .reverseSubtract ? .subtract : .add
    case (1?, 769?), (775?, 1?), (770?, 769?): .screen
    case (0?, 768?), (774?, _): .multiply
    case (_, 0?): .replace
    default: .alpha
    }
  }
}
