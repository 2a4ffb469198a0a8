internal import ParticlesCore

// Evaluation of tracks for a particle, and approximations for formats that have one curve for all
// particles.

extension Track {
  /// The number of one particle at one moment, by the formula of ``Track``.
  /// - Parameters:
  ///   - input: the input that ``over`` selects: relative age, seconds, units or units per second.
  ///   - age: the age of the particle in seconds.
  ///   - from: the sample of ``from`` that the particle got when it was emitted.
  ///   - to: that of ``to``; ignored if the track has none.
  ///   - rate: that of ``rate``.
  public func value(
    at input: Double, age: Double, from: Double, to: Double = 0, rate: Double = 0
  ) -> Double {
    var x = input
    if over != .life, let domain { x = (x - domain.lower) / (domain.upper - domain.lower) }
    let share = self.to == nil ? 0 : curve.value(at: warp.value(at: x))
    let value = from + (relative ? to : to - from) * share + rate * age
    return range?.clamp(value) ?? value
  }

  /// The number over relative age, with random values at their means. `isExact` is false if
  /// something was random, or if no equal curve exists and 17 points were sampled.
  /// - Parameter lifetime: the mean lifetime in seconds, for ``rate``.
  package func curve(lifetime: Double) -> (curve: Curve, isExact: Bool) {
    let isRandom = ![from, to ?? 0, rate].allSatisfy { $0.isNumber }
    let (start, end) = (from.mean, to?.mean)
    let span = end.map { relative ? $0 : $0 - start } ?? 0
    let isPlain =
      rate == 0 && range == nil && (end == nil || (warp == .linear && curve.extend == .clamp))
    if isPlain, end == nil { return (.constant(start), !isRandom) }
    if isPlain {
      var curve = curve.multiplied(by: span)
      for index in curve.keys.indices { curve.keys[index].value += start }
      return (curve, !isRandom && over == .life)
    }
    var track = self
    track.over = .life
    // Ages are relative to the lifetime here; rates are changes over the whole life.
    let isLine = end == nil && range == nil
    return (
      .through(isLine ? 1 : 16) {
        track.value(at: $0, age: $0, from: start, to: end ?? 0, rate: rate.mean * lifetime)
      }, false
    )
  }

  /// A random factor times a curve that all particles share, of the same mean and nearly the same deviation; nil
  /// if the track is that already, or not random at both ends or the first, or below 0.
  package func coupled(lifetime: Double) -> Track? {
    guard let to, !from.isNumber, rate == 0, range == nil, warp == .linear, over == .life,
      from.bounds.lower >= 0, relative || to.bounds.lower >= 0
    else { return nil }
    let (mean, _) = curve(lifetime: lifetime)
    let (first, last) = (from.spread.half, to.spread.half)
    let sums = (0...16).reduce((0.0, 0.0)) { sums, index in
      let time = Double(index) / 16
      let (value, way) = (mean.value(at: time), curve.value(at: time))
      let (a, b) = ((relative ? 1 : 1 - way) * first, way * last)
      return (sums.0 + value * (a * a + b * b).squareRoot(), sums.1 + value * value)
    }
    guard sums.1 > 0 else { return nil }
    let half = min(sums.0 / sums.1, 1)
    return Track(
      from: 0, to: Value.range((1 - half).rounded, (1 + half).rounded), curve: mean)
  }

  /// The mean over the life of a particle; see ``curve(lifetime:)``.
  package func mean(lifetime: Double) -> Double {
    isConstantOverLife ? from.mean : curve(lifetime: lifetime).curve.mean
  }

  /// Whether there is nothing but ``from`` and ``rate``.
  package var isStraight: Bool { self == Track(from: from, rate: rate) }

  /// The same track, over the same input as another.
  package func over(_ other: Track) -> Track {
    var track = self
    (track.over, track.domain) = (other.over, other.domain)
    return track
  }
}

extension Curve {
  /// A curve through points at even distances over 0…1.
  package static func through(_ count: Int, _ value: (Double) -> Double) -> Curve {
    Curve(
      through: (0...count).map { index in
        let x = Double(index) / Double(count)
        return (time: x, value: value(x))
      })
  }

  /// The mean of 17 points over 0…1.
  package var mean: Double { (0...16).reduce(0) { $0 + value(at: Double($1) / 16) } / 17 }

  /// This curve with every value multiplied by a factor.
  package func multiplied(by factor: Double) -> Curve {
    var curve = self
    for index in curve.keys.indices {
      curve.keys[index].value *= factor
      curve.keys[index].inSlope = curve.keys[index].inSlope.map { $0 * factor }
      curve.keys[index].outSlope = curve.keys[index].outSlope.map { $0 * factor }
    }
    return curve
  }

  /// Whether all keys have the same interpolation and automatic slopes, and the curve is clamped
  /// outside the keys. Most formats support nothing else.
  package var hasOneInterpolation: Bool {
    let kinds = Set(keys.dropLast().map { $0.interpolation ?? interpolation })
    let hasSlopes = keys.contains { $0.inSlope != nil || $0.outSlope != nil }
    return kinds.count < 2 && extend == .clamp && !(kinds.first == .cubic && hasSlopes)
  }

  /// The times of the keys if all interpolation is linear; nil otherwise.
  fileprivate var plainTimes: [Double]? {
    guard interpolation == .linear, extend == .clamp,
      keys.allSatisfy({ $0.interpolation == nil || $0.interpolation == .linear })
    else { return nil }
    return keys.map { $0.time }
  }
}

extension ColorTrack {
  /// The colour of one particle at one moment, by the formula of ``ColorTrack``.
  /// - Parameters:
  ///   - x: the relative age of the particle, 0 to 1.
  ///   - age: its age in seconds.
  ///   - from: the sample of ``from`` that the particle got when it was emitted.
  ///   - to: that of ``to``; ignored if the track has none.
  public func color(
    at x: Double, age: Double, from: ParticleSystem.Color, to: ParticleSystem.Color = .white
  ) -> ParticleSystem.Color {
    let mixed = self.to == nil ? from : from.mixed(with: to, curve.value(at: x))
    let color = Color(
      clamp.clamp(mixed.red + rate.red * age), clamp.clamp(mixed.green + rate.green * age),
      clamp.clamp(mixed.blue + rate.blue * age), clamp.clamp(mixed.alpha + rate.alpha * age))
    return gradient.map { color.multiplied(by: $0.color(at: x)) } ?? color
  }

  /// The colour over relative age, with random values at their means; see
  /// ``Track/curve(lifetime:)``.
  package func gradient(lifetime: Double) -> (gradient: Gradient, isExact: Bool) {
    let isPlain = to == nil && rate == .zero
    let isRandom = !from.isColor || !(to?.isColor ?? true)
    let (start, end) = (from.mean, to?.mean ?? .white)
    if isPlain, let gradient, !gradient.keys.isEmpty, !gradient.hasChannels,
      gradient.space == .srgb
    {
      var plain = self
      plain.gradient = nil
      let color = plain.color(at: 0, age: 0, from: start)
      return (gradient.mapped { $0.multiplied(by: color) }, !isRandom)
    }
    let times = gradient == nil && rate == .zero ? curve.plainTimes : nil
    let keys = (times ?? (0...16).map { Double($0) / 16 }).map {
      GradientKey($0, color(at: $0, age: $0 * lifetime, from: start, to: end))
    }
    return (Gradient(keys), !isRandom && times != nil)
  }
}

extension Gradient {
  /// Whether a channel has a curve of its own.
  package var hasChannels: Bool { [red, green, blue, alpha].contains { $0 != nil } }

  /// This gradient with every key's colour changed.
  package func mapped(_ change: (Color) -> Color) -> Gradient {
    var gradient = self
    for index in gradient.keys.indices {
      gradient.keys[index].color = change(gradient.keys[index].color)
    }
    return gradient
  }
}

extension Color {
  /// Red, green, blue and alpha.
  package var channels: [Double] { [red, green, blue, alpha] }

  /// Creates a colour from its four channels.
  package init(_ channels: [Double]) {
    self.init(channels[0], channels[1], channels[2], channels[3])
  }

  /// The mean of colours, channel by channel.
  package static func mean(_ colors: [Color]) -> Color {
    let share = 1 / Double(colors.count)
    return colors.reduce(Color(0, 0, 0, 0)) { sum, color in
      Color(zip(sum.channels, color.channels).map { $0 + $1 * share })
    }
  }

  /// Both multiplied, channel by channel.
  package func multiplied(by other: Color) -> Color {
    Color(red * other.red, green * other.green, blue * other.blue, alpha * other.alpha)
  }

  /// Interpolates to another colour.
  package func mixed(with other: Color, _ share: Double) -> Color {
    Color(
      red + (other.red - red) * share, green + (other.green - green) * share,
      blue + (other.blue - blue) * share, alpha + (other.alpha - alpha) * share)
  }
}
