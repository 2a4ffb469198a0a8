internal import ParticlesCore

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

  /// The minimum and maximum colour if channels are sampled uniformly and independently; nil
  /// otherwise.
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
  /// The minimum and maximum of each channel; white without colours.
  fileprivate static func bounds(of colors: [Color]) -> (least: Color, most: Color) {
    guard !colors.isEmpty else { return (.white, .white) }
    let channels = (0..<4).map { channel in colors.map { $0.channels[channel] } }
    return (Color(channels.map { $0.min() ?? 1 }), Color(channels.map { $0.max() ?? 1 }))
  }

  /// Colours at both ends of the half widths of saturation, brightness and alpha, and at steps
  /// across that of hue.
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
