internal import ParticlesCore
internal import ParticlesModel

/// The lifetimes of a sample of particles, and the ages at which the particles are computed.
struct ExpectedAges {
  /// The number of particles. It is prime, so that multiples of their numbers are spread evenly.
  static let particles = 23
  /// The number of ages.
  static let ages = 12

  /// The length of an age in seconds.
  let step: Double
  /// The lifetime of each particle in seconds.
  let lives: [Double]
  /// How many of the ages each particle reaches.
  let reached: [Int]
  /// The weight of a particle of the sample in sums over all particles.
  let weight: Double
  /// The part of all particles that reaches each age.
  let counts: [Double]
  /// The relative ages: a row for each particle, or one row if all live equally long.
  fileprivate let shares: [Double]
  /// Whether all particles have the same relative ages.
  let isCommon: Bool

  /// - Returns: nil if no particle lives, or one lives forever.
  init?(_ lifetime: Value, _ law: EngineLaw) {
    let longest = max(lifetime.bounds.upper, 0)
    guard longest > 0, longest.isFinite else { return nil }
    let step = longest / Double(Self.ages)
    let (value, share) = lifetime.aboveZero
    let lives = ExpectedDraw.all.map { value.sample($0.life, progress: $0.progress) }
    let weight = share / Double(Self.particles)
    var counts = [Double](repeating: 0, count: Self.ages)
    let reached = lives.map { life -> Int in
      guard life > 0 else { return 0 }
      let ages = min(Int(saturating: (life / step + 0.5).rounded(.up)) - 1, Self.ages)
      for age in 0..<max(ages, 0) { counts[age] += weight }
      return max(ages, 0)
    }
    isCommon = value.isNumber || law.share == .emitter
    var shares: [Double] = []
    for life in isCommon ? [longest] : lives {
      for age in 0..<Self.ages { shares.append((Double(age) + 0.5) * step / max(life, 1e-9)) }
    }
    (self.step, self.lives, self.reached, self.weight) = (step, lives, reached, weight)
    (self.counts, self.shares) = (counts, shares)
  }

  /// The relative age of a particle.
  func share(_ particle: Int, _ age: Int) -> Double {
    shares[(isCommon ? 0 : particle &* Self.ages) &+ age]
  }

  /// An age in seconds.
  func seconds(_ age: Int) -> Double { (Double(age) + 0.5) * step }

  /// The sum over all particles of a number at each age, as a share of all particles.
  func sums(
    _ value: (_ particle: Int, _ age: Int) -> SIMD4<Double>
  ) -> [SIMD4<Double>] {
    var sums = [SIMD4<Double>](repeating: .zero, count: Self.ages)
    for particle in 0..<Self.particles {
      for age in 0..<reached[particle] { sums[age] += value(particle, age) * weight }
    }
    return sums
  }

  /// The same for a number that is equal for all particles.
  func sums(common value: (_ age: Int) -> SIMD4<Double>) -> [SIMD4<Double>] {
    counts.indices.map { value($0) * counts[$0] }
  }
}

/// The random numbers of one of the particles, at least 0 and less than 1. Each is spread evenly over all of
/// them, and no two follow each other.
struct ExpectedDraw {
  let life, first, second, third, fourth: Double
  /// The time of emission, as a part of the period.
  let progress: Double
  /// The place in the shape.
  let place: (u: Double, v: Double, w: Double, part: Double)

  static let all = (0..<ExpectedAges.particles).map(ExpectedDraw.init)

  private init(number: Int) {
    func unit(_ factor: Int) -> Double {
      (Double((number + 1) * factor % ExpectedAges.particles) + 0.5)
        / Double(ExpectedAges.particles)
    }
    (life, first, second, third, fourth) = (unit(1), unit(5), unit(16), unit(6), unit(19))
    place = (unit(9), unit(13), unit(7), unit(10))
    progress = unit(12)
  }
}

/// The values of a track: one for all, one for each particle, one for each age, or one for each of both.
struct ExpectedTrack {
  private let values: [Double]
  private let (particle, age): (Int, Int)

  /// Whether all particles have the same values.
  var isCommon: Bool { particle == 0 }

  /// The value, if it is the same for all and always.
  var constant: Double? { values.count == 1 ? values[0] : nil }

  subscript(particle: Int, age: Int) -> Double {
    values[particle &* self.particle &+ age &* self.age]
  }

  /// - Parameter limit: the bounds of the samples of start and end.
  init(_ track: Track, _ ages: ExpectedAges, limit: Interval = .everything) {
    let from = track.from
    if track.isPlainValue {
      age = 0
      if case .constant(let number) = from {
        (values, particle) = ([limit.clamp(number)], 0)
      } else {
        values = ExpectedDraw.all.map { limit.clamp(from.sample($0.first, progress: $0.progress)) }
        particle = 1
      }
      return
    }
    let (to, rate, range, isRelative) = (track.to, track.rate, track.range, track.relative)
    let isOfLife = track.over != .age
    let hasCommonShares = ages.isCommon || !isOfLife
    let shares = to == nil ? [] : Self.shares(of: track, ages, hasCommonShares)
    let isCommon =
      from.isNumber && (to?.isNumber ?? true) && rate.isNumber && (to == nil || hasCommonShares)
    let count = isCommon ? 1 : ExpectedAges.particles
    var values: [Double] = []
    values.reserveCapacity(count * ExpectedAges.ages)
    for number in 0..<count {
      let draw = ExpectedDraw.all[number]
      let start = limit.clamp(from.sample(draw.first, progress: draw.progress))
      var way = 0.0
      if let to {
        let end = to.sample(draw.second, progress: draw.progress)
        way = isRelative ? end : limit.clamp(end) - start
      }
      let change = rate == 0 ? 0 : rate.sample(draw.third, progress: draw.progress)
      let row = hasCommonShares ? 0 : number * ExpectedAges.ages
      for age in 0..<ExpectedAges.ages {
        let share = way == 0 ? 0 : shares[row + age]
        let value = start + way * share + change * ages.seconds(age)
        values.append(range?.clamp(value) ?? value)
      }
    }
    self.values = values
    (particle, age) = (isCommon ? 0 : ExpectedAges.ages, 1)
  }

  /// The values of the curve of a track.
  private static func shares(
    of track: Track, _ ages: ExpectedAges, _ isCommon: Bool
  ) -> [Double] {
    var inputs = ages.shares
    if track.over == .age {
      let domain = track.domain ?? .unit
      inputs = (0..<ExpectedAges.ages).map {
        (ages.seconds($0) - domain.lower) / (domain.upper - domain.lower)
      }
    }
    let (curve, warp) = (track.curve, track.warp)
    if warp != .linear { inputs = inputs.map(warp.value) }
    if curve == .linear { return inputs.map(Interval.unit.clamp) }
    return inputs.map(curve.value)
  }
}

extension Interval {
  /// All numbers.
  static let everything = Interval(-.infinity, .infinity)
}

extension Value {
  /// The part of a range that is above 0, and how likely it is: particles with other lifetimes are not emitted.
  fileprivate var aboveZero: (value: Value, share: Double) {
    guard case .uniform(let range) = self, range.min < 0, range.max > 0 else { return (self, 1) }
    return (.range(0, range.max), range.max / (range.max - range.min))
  }
}
