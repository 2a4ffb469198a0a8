internal import ParticlesCore
package import ParticlesModel

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
    /// Width and height of the picture, for sizes that are factors of the picture.
    var picture: SIMD2<Double>
  }

  let ages: ExpectedAges
  /// Width, height and the square of the width. Like the arrays below, it is empty until it is computed.
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

  /// Computes parts again, for an emitter with equal lifetimes.
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

  init(_ ages: ExpectedAges, _ emission: ExpectedEmission, length: Double) {
    let distance = length / Double(Self.moments)
    var weights = [Double](repeating: 0, count: Self.moments * ExpectedAges.ages)
    var counts = [Double](repeating: 0, count: Self.moments)
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
      let count = Self.count(counts[moment], variance, emission.limit)
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
  private static func count(
    _ count: Double, _ variance: Double, _ limit: (most: Double, isLoss: Bool)
  ) -> Double {
    let deviation = variance.squareRoot()
    guard deviation > 0, limit.most < count + 4 * deviation else { return min(count, limit.most) }
    guard limit.most > count - 4 * deviation else { return limit.most }
    let room = (limit.most - count) / deviation
    let (slope, binary) = (1.702, 1.442_695_040_888_963_4)
    let power = powerOfTwo(-slope * room * binary)
    // The mean excess of a normal distribution, nearly.
    guard limit.isLoss else {
      return count - deviation * logarithmToBaseTwo(1 + power) / (slope * binary)
    }
    // The mean of a normal distribution below the limit, nearly.
    let missing = room < 0 ? slope / 2 / (1 - room) - room : slope * power / (1 + power)
    return count - deviation * missing
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

  /// The means over the particles of each moment. 0 where there are none.
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

/// How many particles an emitter is expected to have emitted, by time.
struct ExpectedEmission {
  private let emission: Emission
  private let speed: Double
  private let delay: Double
  private let duration: Double?
  private let idle: Double
  private let loops: Bool
  private let rate: Double
  /// The part of a period in which it emits.
  private let share: Double
  /// The lifetime of particles that are replaced to keep a number alive, and whether it is equal for all.
  private let life: (mean: Double, isConstant: Bool)
  /// Whether particles are emitted at known times, and one at the start.
  private let (isEven, isAtOnce): (Bool, Bool)
  private let bursts: [(time: Double, count: Double, cycles: Int, interval: Double)]

  init(_ emitter: Emitter, _ law: EngineLaw) {
    let timing = emitter.timing
    (emission, speed) = (emitter.emission, timing.speed)
    let isOfSlots = law.account == .slots
    let life = emitter.lifetime.aboveZero.value.mean
    self.life = (max(life, 1e-3), emitter.lifetime.isNumber)
    delay = timing.delay.mean - timing.prewarm
    rate = max(emission.rate.mean, 0)
    // Slots emit within each lifetime.
    // Other accounts emit evenly.
    let isOfMoments = law.account == .exact && timing.duration != nil
    let isGathered = emission.explosiveness > 0 && (isOfSlots || isOfMoments)
    share = isGathered ? max(1 - emission.explosiveness, 1e-3) : 1
    let own = timing.duration.map { max($0.mean, 0) }
    duration = isGathered && isOfSlots ? life : own
    loops = timing.loop || isGathered && isOfSlots && own == nil
    isEven = emission.rate.isNumber && emission.probability == 1 && timing.delay.isNumber
    isAtOnce = [.stretched, .intervals, .milliseconds].contains(law.account)
    idle = isGathered && isOfSlots ? 0 : max(timing.idle.mean, 0)
    bursts = emission.bursts.map {
      ($0.time, $0.count.mean * $0.probability, $0.cycles, max($0.interval, 1e-3))
    }
  }

  /// The most particles that live, and whether particles beyond that number are never emitted.
  var limit: (most: Double, isLoss: Bool) {
    (
      emission.maxAlive.map(Double.init) ?? .infinity,
      emission.whenFull == .skip || emission.whenFull == .spread
    )
  }

  /// The number emitted until a time, in seconds after the start of the effect.
  func number(at time: Double) -> Double {
    let clock = time * speed - delay
    guard clock >= 0 else { return 0 }
    var (number, rated): (Double, Double)
    if let duration, duration > 0 {
      let period = duration + idle
      let whole = loops ? (clock / period).rounded(.down) : 0
      let part = min(clock - whole * period, duration)
      (number, rated) = (others(part), self.rated(part, of: duration))
      if whole > 0 {
        number += whole * others(duration)
        rated += whole * self.rated(duration, of: duration)
      }
    } else {
      let part = duration == nil ? clock : 0
      (number, rated) = (others(part), self.rated(part, of: nil))
    }
    if isEven, rate > 0 { rated = (rated + 1e-9).rounded(.down) + (isAtOnce ? 1 : 0) }
    number += rated
    number *= emission.probability
    return emission.total.map { min(number, Double($0)) } ?? number
  }

  /// The number that the rate gives within a period.
  private func rated(_ clock: Double, of duration: Double?) -> Double {
    share < 1
      ? rate * (duration ?? clock) * min(clock / ((duration ?? 1) * share), 1) : rate * clock
  }

  /// The number of bursts, and of particles that are kept alive, within a period.
  private func others(_ clock: Double) -> Double {
    var number = 0.0
    if emission.minAlive > 0 {
      let lives = clock / life.mean
      number += Double(emission.minAlive) * (1 + (life.isConstant ? lives.rounded(.down) : lives))
    }
    for burst in bursts where clock >= burst.time {
      let most = burst.cycles == 0 ? Double.greatestFiniteMagnitude : Double(burst.cycles)
      number += burst.count * min(((clock - burst.time) / burst.interval).rounded(.down) + 1, most)
    }
    return number
  }

  /// Whether nothing is emitted after a time.
  func ends(before time: Double) -> Bool { number(at: time) == number(at: time + 60) }
}

/// Where particles are emitted, by the table in `Spec/document.md`, section Shapes. Arcs of engines and the lengths of polylines
/// are left out.
enum ExpectedPlace {
  /// A place of a shape, and the direction away from it.
  static func sample(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let (u, v, w) = (draw.u, draw.v, draw.w)
    let ring = ExpectedMotion.unit(shape.arc.lower + (shape.arc.upper - shape.arc.lower) * u)
    let isHollow = shape.placement != .volume
    let isNormal = shape.distribution == .normal && !isHollow
    /// A place about the y axis.
    func around(_ radius: Double, _ height: Double) -> SIMD4<Double> {
      SIMD4(radius * ring.x, height, -radius * ring.y, 0)
    }
    switch shape.kind {
    case .point, .mesh: return (.zero, up)
    case .line:
      return (
        ExpectedMotion.unit(shape.angle) * (shape.length * (u - 0.5)),
        ExpectedMotion.unit(shape.angle + 90)
      )
    case .rect where isNormal:
      return outwards(normal(u, v) * SIMD4(shape.size.x / 2, shape.size.y / 2, 0, 0))
    case .ellipse where isNormal:
      return outwards(normal(u, v) * SIMD4(shape.radii.x, shape.radii.y, 0, 0))
    case .rect: return outwards(rectangle(shape, draw))
    case .box: return outwards(box(shape, draw))
    case .ellipse:
      let radii = SIMD4(shape.radii.x, shape.radii.y, 0, 0)
      return (ring * radii * share(shape, v), outwards(ring * radii).normal)
    case .sphere, .hemisphere:
      let height = shape.kind == .sphere ? 1 - 2 * v : v
      if shape.distribution == .projected {
        let place = ring * (shape.radius * share(shape, v))
        let depth = max(0, shape.radius * shape.radius - (place * place).sum()).squareRoot()
        let y = shape.kind == .sphere ? place.y : place.y.magnitude
        return outwards(SIMD4(place.x, y, draw.part < 0.5 ? depth : -depth, 0))
      }
      let normal = around(max(0, 1 - height * height).squareRoot(), height)
      return (normal * (shape.radius * ballShare(shape, w)), normal)
    case .cone:
      let (sine, cosine) = sineAndCosine(degrees: shape.angle)
      let height = shape.placement == .edge ? 0 : w * shape.height
      let wall = shape.radius + (cosine.magnitude > 1e-9 ? height * sine / cosine : 0)
      return (around(wall * share(shape, v), height), around(sine, cosine))
    case .cylinder, .capsule, .tube:
      let height = shape.placement == .edge ? -0.5 : w - 0.5
      return (around(shape.radius * share(shape, v), height * shape.height), around(1, 0))
    case .torus:
      let tube = ExpectedMotion.unit(360 * v)
      let away = shape.pipe * share(shape, w)
      return (around(shape.radius + away * tube.x, away * tube.y), around(tube.x, tube.y))
    case .points:
      guard !shape.positions.isEmpty else { return (.zero, up) }
      let index = index(draw.part, of: shape.positions.count)
      let hasNormals = shape.normals.count == shape.positions.count
      return (
        vector(shape.positions[index]),
        hasNormals ? outwards(vector(shape.normals[index])).normal : up
      )
    case .polyline:
      let points = shape.points.flatMap { $0 }
      guard points.count > 1 else { return (points.first.map(vector) ?? .zero, up) }
      let way = draw.part * Double(points.count - 1)
      let first = index(draw.part, of: points.count - 1)
      let (from, to) = (vector(points[first]), vector(points[first + 1]))
      let along = to - from
      return (from + along * (way - Double(first)), outwards(SIMD4(-along.y, along.x, 0, 0)).normal)
    }
  }

  /// The variance of a mean over the sample, as a share of the variance of the places, with twice its deviation. Points are in
  /// no order, so that some of many are no even sample.
  static func samplingVariance(_ shape: Shape) -> Double {
    let (count, sample) = (Double(shape.positions.count), Double(ExpectedAges.particles))
    return shape.kind == .points && count > sample ? 4 * (1 - sample / count) / sample : 0
  }

  private static let up = SIMD4(0.0, 1, 0, 0)

  private static func index(_ part: Double, of count: Int) -> Int {
    min(Int(saturating: part * Double(count)), count - 1)
  }

  private static func vector(_ vector: Vector) -> SIMD4<Double> {
    SIMD4(vector.x, vector.y, vector.z, 0)
  }

  /// A place with the direction away from the centre.
  private static func outwards(
    _ place: SIMD4<Double>
  ) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    (place, place == .zero ? up : place / place.length)
  }

  /// The share of the radius in a plane.
  private static func share(_ shape: Shape, _ u: Double) -> Double {
    guard shape.placement == .volume else { return 1 }
    let inner = shape.inner
    return shape.distribution == .radialLinear
      ? inner + (1 - inner) * u : (inner * inner + (1 - inner * inner) * u).squareRoot()
  }

  /// The share of the radius of a ball.
  private static func ballShare(_ shape: Shape, _ u: Double) -> Double {
    guard shape.placement == .volume else { return 1 }
    let inner = shape.inner
    if shape.distribution == .radialLinear { return inner + (1 - inner) * u }
    let cube = inner * inner * inner
    return power(cube + (1 - cube) * u, 1.0 / 3)
  }

  /// A place with normally distributed coordinates.
  private static func normal(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let logarithm = logarithmToBaseTwo(1 - u) * 0.693_147_180_559_945_3
    return ExpectedMotion.unit(360 * v) * (-2 * logarithm).squareRoot()
  }

  private static func rectangle(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> SIMD4<Double> {
    let (x, y) = (shape.size.x, shape.size.y)
    let isLinear = shape.placement == .volume && shape.distribution == .radialLinear
    if shape.placement == .volume, !isLinear {
      return SIMD4((draw.u - 0.5) * x, (draw.v - 0.5) * y, 0, 0)
    }
    if shape.placement == .vertices {
      return SIMD4(draw.part < 0.5 ? x / 2 : -x / 2, draw.u < 0.5 ? y / 2 : -y / 2, 0, 0)
    }
    let way = draw.part * 2 * (x + y)
    let outline =
      way < 2 * x
      ? SIMD4((draw.u - 0.5) * x, way < x ? -y / 2 : y / 2, 0, 0)
      : SIMD4(way - 2 * x < y ? -x / 2 : x / 2, (draw.u - 0.5) * y, 0, 0)
    return isLinear ? outline * share(shape, draw.v) : outline
  }

  private static func box(
    _ shape: Shape, _ draw: (u: Double, v: Double, w: Double, part: Double)
  ) -> SIMD4<Double> {
    let size = vector(shape.size)
    var place = SIMD4(draw.u, draw.v, draw.w, 0) - SIMD4(0.5, 0.5, 0.5, 0)
    switch shape.placement {
    case .volume: break
    case .vertices, .edge:
      // Nearly so: two coordinates are at their ends, or all.
      let free = shape.placement == .vertices ? 3 : index(draw.part, of: 3)
      for axis in 0..<3 where axis != free { place[axis] = place[axis] < 0 ? -0.5 : 0.5 }
    case .surface:
      let (x, y, z) = (size.y * size.z, size.x * size.z, size.x * size.y)
      let way = draw.part * (x + y + z)
      let axis = way < x ? 0 : way < x + y ? 1 : 2
      place[axis] = place[axis] < 0 ? -0.5 : 0.5
    }
    return place * size
  }
}

extension ParticleSystem {
  /// Places count from the first emitter: where a format keeps the place of an emitter in its shape, or the
  /// reverse, both are divided as in the source.
  package mutating func placeEmitters(as source: ParticleSystem, length: Double) {
    for (index, old) in zip(emitters.indices, source.emitters) {
      let new = emitters[index]
      guard new.transform.turnsNothing, old.transform.turnsNothing else { continue }
      let place = old.transform.translation.times(length)
      let whole = new.transform.translation.plus(new.shape.transform.translation)
      let expected = place.plus(old.shape.transform.translation.times(length))
      let error = expected.plus(whole.times(-1))
      guard error.greatest <= 1e-3 * (1 + whole.greatest), new.transform.translation != place else {
        continue
      }
      emitters[index].transform.translation = place
      emitters[index].shape.transform.translation = whole.plus(place.times(-1))
    }
  }
}

extension Emitter.Transform {
  fileprivate var turnsNothing: Bool { rotation == .identity && angle == 0 && scale == .one }
}

extension Vector {
  fileprivate var greatest: Double { max(x.magnitude, y.magnitude, z.magnitude) }
}
