internal import ParticlesCore

// Evaluation of tracks for a particle, and approximations for formats that have one curve for all
// particles.

extension Track {
  /// The number of one particle at one moment, by the formula of ``Track``.
  /// - Parameters:
  ///   - input: the input that ``over`` selects: relative age, seconds, units or units per second.
  ///   - age: the age of the particle in seconds.
  ///   - from: the sample of ``from`` that the particle got when it was emitted.
  ///   - to: the sample of ``to``. Ignored if the track has none.
  ///   - rate: the sample of ``rate``.
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
    // Ages are relative to the lifetime here, and rates are changes over the whole life.
    let isLine = end == nil && range == nil
    return (
      .through(isLine ? 1 : 16) {
        track.value(at: $0, age: $0, from: start, to: end ?? 0, rate: rate.mean * lifetime)
      }, false
    )
  }

  /// A random factor times a curve that all particles share, with this mean and nearly this deviation. Nil unless the
  /// track goes from a random start to an end over relative age, with samples of at least 0.
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

  /// The mean over the life of a particle. See ``curve(lifetime:)``.
  package func mean(lifetime: Double) -> Double {
    isConstantOverLife ? from.mean : curve(lifetime: lifetime).curve.mean
  }

  /// Whether there is nothing but ``from`` and ``rate``.
  package var isStraight: Bool { self == Track(from: from, rate: rate) }

  /// This track, over the input of another track.
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

  /// Whether all keys have one interpolation and automatic slopes, and the curve is clamped outside the keys. Most
  /// formats support nothing else.
  package var hasOneInterpolation: Bool {
    let kinds = Set(keys.dropLast().map { $0.interpolation ?? interpolation })
    let hasSlopes = keys.contains { $0.inSlope != nil || $0.outSlope != nil }
    return kinds.count < 2 && extend == .clamp && !(kinds.first == .cubic && hasSlopes)
  }

  /// The times of the keys if all interpolation is linear, or nil otherwise.
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
  ///   - to: the sample of ``to``. Ignored if the track has none.
  public func color(
    at x: Double, age: Double, from: ParticleSystem.Color, to: ParticleSystem.Color = .white
  ) -> ParticleSystem.Color {
    let mixed = self.to == nil ? from : from.mixed(with: to, curve.value(at: x))
    let color = Color(
      clamp.clamp(mixed.red + rate.red * age), clamp.clamp(mixed.green + rate.green * age),
      clamp.clamp(mixed.blue + rate.blue * age), clamp.clamp(mixed.alpha + rate.alpha * age))
    return gradient.map { color.multiplied(by: $0.color(at: x)) } ?? color
  }

  /// The colour over relative age, with random values at their means. See ``Track/curve(lifetime:)``.
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

/// The line of least squares through equidistant numbers.
package struct LineFit: Sendable {
  /// The values of the line at the first and at the last number.
  package let start, end: Double
  /// The maximum distance of the line from the numbers.
  package let deviation: Double

  /// - Parameters:
  ///   - weights: the weight of each number. If all are 0, weights are equal.
  ///   - range: the bounds of both ends. An end that would be outside is moved to the bound.
  package init(through values: [Double], weights: [Double]? = nil, within range: Interval? = nil) {
    var weights = weights ?? values.map { _ in 1 }
    if weights.reduce(0, +) <= 0 { weights = values.map { _ in 1 } }
    let last = Double(max(values.count - 1, 1))
    var (w, wx, wxx, wv, wxv) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, value) in values.enumerated() {
      let (x, weight) = (Double(index) / last, weights[index])
      w += weight
      wx += weight * x
      wxx += weight * x * x
      wv += weight * value
      wxv += weight * x * value
    }
    let determinant = w * wxx - wx * wx
    let slope = determinant > 1e-12 ? (w * wxv - wx * wv) / determinant : 0
    var start = w > 0 ? (wv - slope * wx) / w : 0
    var end = start + slope
    if let range, range.clamp(start) != start || range.clamp(end) != end {
      func leftOver(_ fixed: Double) -> Double {
        values.indices.reduce(0) { sum, index in
          let (x, weight) = (Double(index) / last, weights[index])
          let error = values[index] - fixed * x
          return sum + weight * error * (1 - x)
        }
      }
      if range.clamp(end) != end {
        end = range.clamp(end)
        let square = w - 2 * wx + wxx
        start = range.clamp(square > 1e-12 ? leftOver(end) / square : start)
      } else {
        start = range.clamp(start)
        let rest = wxv - start * (wx - wxx)
        end = range.clamp(wxx > 1e-12 ? rest / wxx : end)
      }
    }
    (self.start, self.end) = (start, end)
    let slant = end - start
    deviation = values.indices.reduce(0) { most, index in
      let error = abs(values[index] - start - slant * Double(index) / last)
      return weights[index] > 0 ? max(most, error) : most
    }
  }
}

/// A track reduced to a uniform range at the start of life and one at the end.
package struct TrackEnds {
  /// How well both ends approximate the track.
  package enum Quality { case exact, constantButRandom, drawnOtherwise, curved(deviation: Double) }

  package var start: (center: Double, half: Double)
  package var end: (center: Double, half: Double)
  package let quality: Quality

  /// - Parameters:
  ///   - lifetime: the mean lifetime in seconds.
  ///   - range: the bounds to which an engine clamps both ends. The track is within them.
  package init(_ track: Track, lifetime: Double, within range: Interval? = nil) {
    let from = track.from.spread
    let plain = track.rate == 0 && track.range == nil
    start = (from.center, from.half)
    if plain, track.to == nil {
      end = start
      quality = !from.isExact ? .drawnOtherwise : from.half == 0 ? .exact : .constantButRandom
      return
    }
    let to = (track.to ?? track.from).spread
    let isInside = [from.center, track.relative ? from.center + to.center : to.center]
      .allSatisfy { (range?.clamp($0) ?? $0) == $0 }
    if plain, isInside, track.curve == .linear, track.warp == .linear, track.over == .life,
      !track.relative || from.half == 0 && to.half == 0
    {
      end = track.relative ? (from.center + to.center, 0) : (to.center, to.half)
      quality = from.isExact && to.isExact ? .exact : .drawnOtherwise
      return
    }
    let curve = track.curve(lifetime: lifetime).curve
    let values = (0...16).map { curve.value(at: Double($0) / 16) }
    let line = LineFit(through: values.map { range?.clamp($0) ?? $0 }, within: range)
    func half(_ x: Double) -> Double {
      let share = track.to == nil ? 0 : track.curve.value(at: track.warp.value(at: x))
      return (from.half * (track.relative ? 1 : 1 - share) + to.half * share).magnitude
        + track.rate.spread.half * lifetime * x
    }
    start = (line.start, half(0))
    end = (line.end, half(1))
    quality = .curved(deviation: line.deviation)
  }
}

/// A track as a random start with one change per second for all particles. Some engines support such ramps beside
/// curves that all particles share.
package struct TrackRamp {
  /// The value at the start.
  package let from: Value
  /// The change per second.
  package let rate: Double
  /// The greatest distance from the mean of the track.
  package let deviation: Double

  /// The ramp of a track over life. Nil if its start is a number, or if a curve of the means is much nearer to the
  /// track.
  package init?(_ track: Track, lifetime: Value) {
    guard track.from.spread.half > 0, track.to != nil,
      let shape = RampShape(track, lifetime: lifetime), shape.kept >= 0
    else { return nil }
    (from, rate, deviation) = (track.from, shape.rate, shape.deviation)
  }
}

/// The errors of a ramp and of a curve of the means, compared with a track.
package struct RampShape {
  /// The change per second.
  package let rate: Double
  /// The greatest distance from the mean of the track.
  package let deviation: Double
  /// The mean square that a curve of the means misses: the random part.
  private let lost: Double
  /// The mean square that a ramp misses: by its straightness, by its end, and by lifetimes.
  private let error: Double

  /// Positive if the ramp keeps more. A ramp may miss twice as much as the curve, since particles that differ look
  /// better than particles that are all alike.
  package var kept: Double { 4 * lost * (1 + 1e-9) - error }

  package init?(_ track: Track, lifetime: Value) {
    let (from, life) = (track.from.spread, lifetime.mean)
    guard from.isExact, track.over == .life, track.range == nil, track.rate == 0,
      life > 0
    else { return nil }
    let to = (track.to ?? track.from).spread
    let values = track.curve(lifetime: life).curve
    let points = (0...16).map { Double($0) / 16 }
    var (product, squares) = (0.0, 0.0)
    for x in points {
      product += (values.value(at: x) - from.center) * x
      squares += x * x
    }
    let change = track.to == nil ? 0 : product / squares
    var (lost, error, deviation) = (0.0, 0.0, 0.0)
    for x in points {
      let share = track.to == nil ? 0 : track.curve.value(at: track.warp.value(at: x))
      let (first, second) = (from.half * (track.relative ? 1 : 1 - share), to.half * share)
      let half = track.to == nil ? from.half : (first * first + second * second).squareRoot()
      let distance = values.value(at: x) - from.center - change * x
      lost += half * half / 3
      error += distance * distance + (from.half - half) * (from.half - half) / 3
      deviation = max(deviation, distance.magnitude)
    }
    // A particle with another lifetime changes by as much per second, not over its life.
    let spread = lifetime.spread.half / life
    rate = change / life
    self.deviation = deviation
    self.lost = lost / 17
    self.error = error / 17 + change * change * spread * spread / 9
  }

  /// Whether ramps for several tracks together, such as the channels of a colour, keep more.
  package static func areBetter(_ shapes: [RampShape]) -> Bool {
    !shapes.isEmpty && shapes.reduce(0) { $0 + $1.kept } >= 0
  }
}
