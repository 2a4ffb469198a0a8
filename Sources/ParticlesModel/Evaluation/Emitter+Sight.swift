internal import ParticlesPlatform

// The end of the part of a life in which particles can be seen.

extension Emitter {
  /// The end of visible life.
  package struct SightEnd: Sendable {
    /// The property that reaches 0: `size.width`, `color.opacity` or `color.base`.
    package var property: String
    /// The age in seconds at which it does, if particles differ by their start value only.
    package var age: Value?
    /// The share of the life at which it does.
    package var share: Double
  }

  /// The end of visible life, if particles are without size or alpha for the rest of it; nil if they
  /// are seen until they die, or if they would not die earlier without a difference: because new
  /// particles wait for their places.
  package var sightEnd: SightEnd? {
    let mean = lifetime.mean
    guard mean > 0, motion.mode != .path, emission.minAlive == 0, !isOftenFull else { return nil }
    var ends = [end(of: size.width, "size.width", mean)]
    if render.blend.needsAlpha {
      ends += [end(of: color.opacity, "color.opacity", mean), endOfColor(mean)]
    }
    return ends.compactMap(\.self).filter { 1e-3..<0.995 ~= $0.share }
      .min { $0.share < $1.share }
  }

  /// The emitter whose particles die where their visible life ends.
  package func ending(at end: SightEnd) -> Emitter {
    guard let age = end.age else {
      var emitter = cropped(to: end.share)
      emitter.lifetime = lifetime.scaled(by: end.share)
      return emitter
    }
    let life = lifetime.cut(at: age)
    var emitter = cropped(to: min(life.mean / lifetime.mean, 1))
    emitter.lifetime = life
    // All end at 0, independently of their start.
    if age.bounds.upper <= lifetime.bounds.lower {
      if end.property == "size.width" {
        emitter.size.width = Track(from: size.width.from, to: 0)
      } else if end.property == "color.opacity" {
        emitter.color.opacity = Track(from: color.opacity.from, to: 0)
      }
    }
    return emitter
  }

  /// Whether the number of particles is limited by the places for them.
  private var isOftenFull: Bool {
    guard let most = emission.maxAlive else { return false }
    let bursts = emission.largestBurst.map { $0.count.bounds.upper } ?? 0
    return emission.rate.bounds.upper * lifetime.bounds.upper + bursts > Double(most) * 0.999
  }

  private func end(of track: Track, _ property: String, _ mean: Double) -> SightEnd? {
    guard track.over == .life, (track.range?.lower ?? 0) <= 0 else { return nil }
    var plain = track
    plain.range = nil
    if plain.isStraight {
      let rate = plain.rate.mean
      let start = plain.from.bounds
      guard plain.rate.isNumber, rate < 0, start.lower >= 0, start.upper > 0 else { return nil }
      let age = Value(
        center: plain.from.spread.center / -rate, halfWidth: plain.from.spread.half / -rate)
      return SightEnd(property: property, age: age, share: age.mean / mean)
    }
    // Where samples are factors, all particles reach 0 at the same share of their life.
    let isFactor = track.from == 0 && track.to.map { $0.bounds.lower >= 0 } ?? false
    guard track.rate == 0, isFactor || track.from.isNumber && track.to?.isNumber ?? false,
      let share = track.curve(lifetime: mean).curve.lastCrossing
    else { return nil }
    return SightEnd(property: property, age: nil, share: share)
  }

  private func endOfColor(_ mean: Double) -> SightEnd? {
    let base = color.base
    guard base.rate.alpha <= 0, base.clamp.lower >= 0 else { return nil }
    if base.to == nil, base.gradient == nil, base.rate.alpha < 0 {
      let (least, most) = base.from.channelBounds
      guard least.alpha >= 0 else { return nil }
      let age = Value(
        center: (least.alpha + most.alpha) / 2 / -base.rate.alpha,
        halfWidth: (most.alpha - least.alpha) / 2 / -base.rate.alpha)
      return SightEnd(property: "color.base", age: age, share: age.mean / mean)
    }
    guard base.rate.alpha == 0, base.from.isColor, base.to?.isColor ?? true else { return nil }
    let (gradient, _) = base.gradient(lifetime: mean)
    let times = (0...64).map { Double($0) / 64 } + gradient.keys.map(\.time)
    let alpha = Curve(
      through: times.filter { 0...1 ~= $0 }.sorted().map { time in
        (time: time, value: gradient.color(at: time).alpha)
      })
    return alpha.lastCrossing.map { SightEnd(property: "color.base", age: nil, share: $0) }
  }
}

extension Blend {
  /// Whether a particle without alpha changes nothing.
  fileprivate var needsAlpha: Bool {
    [.alpha, .add, .subtract, .screen, .multiplyAlpha].contains(named.mode)
  }
}

extension Value {
  /// The lifetime of particles that die at an age before it: the uniform range with the mean and the
  /// deviation of the smaller of both.
  fileprivate func cut(at age: Value) -> Value {
    if age.bounds.upper <= bounds.lower { return age.tidied }
    // Both are uniform; 64 shares of each give mean and deviation well enough.
    let shares = (0..<64).map { (Double($0) + 0.5) / 64 }
    var (sum, squares) = (0.0, 0.0)
    for first in shares {
      for second in shares {
        let life = Swift.min(sample(first), age.sample(second))
        sum += life
        squares += life * life
      }
    }
    let mean = sum / 4096
    let half = (3 * Swift.max(squares / 4096 - mean * mean, 0)).squareRoot()
    let most = Swift.min(bounds.upper, age.bounds.upper) - mean
    let width = Swift.min(half, most, mean)
    return Value(center: mean, halfWidth: width < 1e-9 ? 0 : width).tidied
  }

  /// The value with numbers of nine decimals.
  private var tidied: Value {
    func tidy(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 }
    switch self {
    case .constant(let number): return .constant(tidy(number))
    case .uniform(let range): return .range(tidy(range.min), tidy(range.max), scope: range.scope)
    default: return self
    }
  }
}
