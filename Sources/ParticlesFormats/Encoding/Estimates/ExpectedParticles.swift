internal import ParticlesCore
internal import ParticlesModel

/// The compared parts of particles, and the parts of an emitter that may change.
struct ExpectedParts: OptionSet {
  let rawValue: Int
  static let size = ExpectedParts(rawValue: 1)
  static let color = ExpectedParts(rawValue: 2)
  static let rotation = ExpectedParts(rawValue: 4)
  static let place = ExpectedParts(rawValue: 8)
  /// The times of emission.
  static let times = ExpectedParts(rawValue: 16)
  /// The lifetimes.
  static let lives = ExpectedParts(rawValue: 32)
  static let looks: ExpectedParts = [.size, .color, .rotation]
  static let all: ExpectedParts = [.size, .color, .rotation, .place]
}

/// The expected particles of an emitter, by age: sums over a sample of a few particles, whose random numbers are
/// spread evenly, as shares of all particles.
///
/// It is an estimate that costs less than writing the effect. `--measure` simulates.
struct ExpectedParticles {
  /// The law and the place in which an emitter is computed.
  struct View {
    var law: EngineLaw
    /// Whether directions are in the plane.
    var isFlat: Bool
    /// The place of the emitter.
    var offset: SIMD4<Double>
    /// Width and height of the picture, for sizes that are factors of it.
    var picture: SIMD2<Double>
  }

  let ages: ExpectedAges
  /// Width, height and the square of the width; empty where it was not computed, as the others.
  private(set) var size: [SIMD4<Double>] = []
  private(set) var color: [SIMD4<Double>] = []
  private(set) var colorSquares: [SIMD4<Double>] = []
  /// Cosine and sine of the angle.
  private(set) var direction: [SIMD4<Double>] = []
  private(set) var place: [SIMD4<Double>] = []
  private(set) var placeSquares: [SIMD4<Double>] = []
  /// See ``ExpectedPlace/samplingVariance(_:)``.
  private(set) var samplingVariance = 0.0

  /// Whether particles of each age can be seen: as small or as transparent ones are not measured, either.
  /// - Parameter usesAlpha: whether the blend mode uses the opacity.
  func visible(usesAlpha: Bool) -> [Bool] {
    guard size.count == color.count else { return [] }
    let sizes = zip(size, ages.counts).map { $1 > 0 ? $0.x / $1 : 0 }
    let least = (sizes.max() ?? 0) * Self.leastSize
    return sizes.indices.map { age in
      let alpha = ages.counts[age] > 0 ? color[age].w / ages.counts[age] : 0
      return sizes[age] >= least && (!usesAlpha || alpha >= Self.leastAlpha)
    }
  }

  /// Particles that are smaller, as a share of the greatest, and more transparent ones cannot be seen.
  private static let (leastSize, leastAlpha) = (0.02, 0.01)

  /// - Returns: nil if no particle lives, or one lives forever.
  init?(_ emitter: Emitter, _ view: View, _ parts: ExpectedParts) {
    guard let ages = ExpectedAges(emitter.lifetime, view.law) else { return nil }
    self.ages = ages
    compute(parts, of: emitter, view)
  }

  /// Computes parts anew, for an emitter with the same lifetimes.
  mutating func compute(_ parts: ExpectedParts, of emitter: Emitter, _ view: View) {
    let look = ExpectedLook(ages, view.law)
    if parts.contains(.size) { size = look.sizes(emitter, picture: view.picture) }
    if parts.contains(.color) { (color, colorSquares) = look.colors(emitter.color) }
    let isAligned = parts.contains(.rotation) && emitter.rotation.align != .none
    var angles: [Double]?
    if parts.contains(.place) || isAligned {
      let motion = ExpectedMotion(emitter, ages, isFlat: view.isFlat, offset: view.offset)
      angles = motion.angles
      if parts.contains(.place) {
        (place, placeSquares) = (motion.sums, motion.squares)
        samplingVariance = ExpectedPlace.samplingVariance(emitter.shape)
      }
    }
    if parts.contains(.rotation) {
      direction = look.directions(emitter.rotation, along: angles)
    }
  }
}

/// When the particles of an emitter live: at even moments of a time, how many there are of each age.
struct ExpectedTimes {
  /// The moments that are compared.
  static let moments = 30

  /// The numbers of particles at each moment.
  let counts: [Double]
  /// The change of that number in a sixtieth of a second.
  let changes: [Double]
  /// How many particles of each age there are at each moment, if all reached that age.
  private let weights: [Double]

  init(_ ages: ExpectedAges, _ emission: ExpectedEmission, maxAlive: Int?, length: Double) {
    let distance = length / Double(Self.moments)
    var weights = [Double](repeating: 0, count: Self.moments * ExpectedAges.ages)
    var counts = [Double](repeating: 0, count: Self.moments)
    let most = maxAlive.map(Double.init) ?? .infinity
    for moment in 0..<Self.moments {
      let time = (Double(moment) + 0.5) * distance
      var later = emission.number(at: time)
      let first = moment * ExpectedAges.ages
      var variance = 0.0
      for age in 0..<ExpectedAges.ages where later > 0 {
        let before = emission.number(at: time - Double(age + 1) * ages.step)
        let number = max(later - before, 0)
        weights[first + age] = number
        let living = ages.counts[age]
        counts[moment] += number * living
        variance += number * living * max(1 - living, 0)
        later = before
      }
      let count = Self.count(counts[moment], variance, atMost: most)
      if count < counts[moment] {
        for age in 0..<ExpectedAges.ages { weights[first + age] *= count / counts[moment] }
        counts[moment] = count
      }
    }
    (self.weights, self.counts) = (weights, counts)
    changes = counts.indices.map { index in
      let (first, last) = (max(index - 1, 0), min(index + 1, counts.count - 1))
      return (counts[last] - counts[first]).magnitude / (Double(last - first) * distance * 60)
    }
  }

  /// The expected number where random lifetimes make it vary, and no more than a limit live.
  private static func count(_ count: Double, _ variance: Double, atMost most: Double) -> Double {
    let deviation = variance.squareRoot()
    guard deviation > 0, most < count + 4 * deviation else { return min(count, most) }
    guard most > count - 4 * deviation else { return most }
    // The mean excess of a normal distribution, nearly.
    let (slope, binary) = (1.702, 1.442_695_040_888_963_4)
    let power = powerOfTwo(-slope * (most - count) / deviation * binary)
    return count - deviation * logarithmToBaseTwo(1 + power) / (slope * binary)
  }

  /// Only the particles of some ages.
  init(_ times: ExpectedTimes, of isWanted: [Bool], _ ages: ExpectedAges) {
    var (weights, counts) = (times.weights, times.counts)
    for moment in 0..<Self.moments {
      let first = moment * ExpectedAges.ages
      for age in 0..<ExpectedAges.ages where !isWanted[age] {
        counts[moment] = max(counts[moment] - weights[first + age] * ages.counts[age], 0)
        weights[first + age] = 0
      }
    }
    (self.weights, self.counts, changes) = (weights, counts, times.changes)
  }

  /// The means over the particles of each moment; 0 where there are none.
  func means(_ sums: [SIMD4<Double>]) -> [SIMD4<Double>] {
    (0..<Self.moments).map { moment in
      guard counts[moment] > 0 else { return .zero }
      var sum = SIMD4<Double>.zero
      let first = moment * ExpectedAges.ages
      for age in 0..<ExpectedAges.ages {
        let weight = weights[first + age]
        if weight != 0 { sum += sums[age] * weight }
      }
      return sum / counts[moment]
    }
  }
}
