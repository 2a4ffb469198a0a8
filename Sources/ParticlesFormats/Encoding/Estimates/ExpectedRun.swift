internal import ParticlesCore
internal import ParticlesModel

/// The particles of an emitter at even moments of a time, and their difference from the particles of another run.
struct ExpectedRun {
  private typealias Vectors = [SIMD4<Double>]

  let times: ExpectedTimes
  /// Mean width and height, and the deviation of the width. Like the arrays below, it is empty until it is computed.
  private var size: Vectors = []
  private var color: Vectors = []
  private var colorDeviation: Vectors = []
  private var direction: Vectors = []
  private var place: Vectors = []
  private var placeDeviation: Vectors = []
  /// The roots of the mean squares of width and height, and of the opacity.
  private var sizeScale = SIMD2(0.0, 0.0)
  private var alphaScale = 0.0
  /// The variance of a mean place over the sample, as a share of the variance of the places.
  private var samplingVariance = 0.0
  /// Four standard deviations of all places, by axis.
  private var extent = SIMD4<Double>.zero

  init(_ particles: ExpectedParticles, _ times: ExpectedTimes, _ parts: ExpectedParts) {
    self.times = times
    compute(parts, of: particles)
  }

  /// Computes parts again, at equal times.
  mutating func compute(_ parts: ExpectedParts, of particles: ExpectedParticles) {
    if parts.contains(.size) {
      size = times.means(particles.size)
      sizeScale = SIMD2(scale(size, 0), scale(size, 1))
      for index in size.indices {
        size[index].z = max(0, size[index].z - size[index].x * size[index].x).squareRoot()
      }
    }
    if parts.contains(.color) {
      color = times.means(particles.color)
      colorDeviation = Self.deviations(times.means(particles.colorSquares), color)
      for index in color.indices {
        color[index] = color[index].clamped(lowerBound: .zero, upperBound: .one)
      }
      alphaScale = scale(color, 3)
    }
    if parts.contains(.rotation) { direction = times.means(particles.direction) }
    if parts.contains(.place) {
      samplingVariance = particles.samplingVariance
      place = times.means(particles.place)
      let squares = times.means(particles.placeSquares)
      placeDeviation = Self.deviations(squares, place)
      var (sum, square, whole) = (SIMD4<Double>.zero, SIMD4<Double>.zero, 0.0)
      for (index, count) in times.counts.enumerated() where count > 0 {
        sum += place[index] * count
        square += squares[index] * count
        whole += count
      }
      extent = whole > 0 ? Self.deviations([square / whole], [sum / whole])[0] * 4 : .zero
    }
  }

  private func scale(_ values: Vectors, _ axis: Int) -> Double {
    var (whole, squares) = (0.0, 0.0)
    for (index, count) in times.counts.enumerated() where count > 0 {
      whole += count
      squares += values[index][axis] * values[index][axis] * count
    }
    return whole > 0 ? (squares / whole).squareRoot() : 0
  }

  private static func deviations(_ squares: Vectors, _ means: Vectors) -> Vectors {
    squares.indices.map { index in
      let variance = squares[index] - means[index] * means[index]
      return variance.replacing(with: 0, where: variance .< 0).squareRoot()
    }
  }

  /// Whether anything lives.
  var isEmpty: Bool { times.counts.allSatisfy { $0 <= 0 } }

  /// The mean colour, and how much of the picture the emitter takes: number, width and opacity.
  var look: (color: SIMD4<Double>, cover: Double) {
    var (sum, whole) = (SIMD4<Double>.zero, 0.0)
    for (index, count) in times.counts.enumerated() where count > 0 {
      let weight = count * size[index].x
      sum += color[index] * weight
      whole += weight
    }
    guard whole > 0 else { return (.one, 0) }
    return (sum / whole, sum.w)
  }

  /// The squares of the differences of each aspect, as `Spec/conversion/README.md` defines it.
  /// - Parameters:
  ///   - parts: the parts that both have.
  ///   - isFlat: whether depth does not show.
  ///   - turning: how much it shows that particles are turned.
  func difference(
    from other: ExpectedRun, _ parts: ExpectedParts, isFlat: Bool, turning: () -> Double
  ) -> ExpectedDifference {
    var result = ExpectedDifference()
    result.add(countSquare(other), to: .count)
    var weights = [Double](repeating: 0, count: ExpectedTimes.moments)
    var whole = 0.0
    for index in weights.indices {
      let (a, b) = (times.counts[index], other.times.counts[index])
      guard a > 0, b > 0 else { continue }
      weights[index] = 2 * a * b / (a + b)
      whole += weights[index]
    }
    guard whole > 0 else {
      if result.greatest > 0 { result.add(1, to: .count) }
      return result
    }
    func mean(_ a: Vectors, _ b: Vectors) -> SIMD4<Double> {
      var sum = SIMD4<Double>.zero
      for index in weights.indices where weights[index] > 0 {
        let difference = a[index] - b[index]
        sum += difference * difference * weights[index]
      }
      return sum / whole
    }
    if parts.contains(.size) {
      let squares = mean(size, other.size)
      let scale = sizeScale.replacing(with: other.sizeScale, where: other.sizeScale .> sizeScale)
      for axis in 0..<2 where scale[axis] > 0 {
        result.add(squares[axis] / (scale[axis] * scale[axis]), to: .size)
      }
      if scale.x > 0 { result.add(squares.z / (scale.x * scale.x), to: .variety) }
    }
    if parts.contains(.color) {
      let (means, deviations) = (
        mean(color, other.color), mean(colorDeviation, other.colorDeviation)
      )
      result.add(means.x + means.y + means.z, to: .color)
      result.add(deviations.x + deviations.y + deviations.z, to: .variety)
      let scale = max(alphaScale, other.alphaScale)
      if scale > 0 {
        result.add(means.w / (scale * scale), to: .opacity)
        result.add(deviations.w / (scale * scale), to: .variety)
      }
    }
    if parts.contains(.rotation) {
      let square = mean(direction, other.direction).sum() / 4
      if square > Self.leastRotation {
        // Pictures are read where it matters only. Elsewhere, the rotation counts as one of an uneven picture.
        let shown = square > result.greatest ? turning() : 1
        result.add(square * shown * shown, to: .rotation)
      }
    }
    if parts.contains(.place) {
      let mask: SIMD4<Double> = isFlat ? SIMD4(1, 1, 0, 0) : SIMD4(1, 1, 1, 0)
      let width = max(
        (extent * mask).max() + sizeScale.x, (other.extent * mask).max() + other.sizeScale.x)
      guard width > 0 else { return result }
      // Sampling noise is subtracted: of a deviation, about half as much as of a mean.
      let zero = Vectors(repeating: .zero, count: placeDeviation.count)
      let noise = [self, other].reduce(0) { sum, run in
        run.samplingVariance == 0
          ? sum : sum + (mean(run.placeDeviation, zero) * mask).sum() * run.samplingVariance
      }
      let places = max((mean(place, other.place) * mask).sum() - noise, 0)
      let deviations = max(
        (mean(placeDeviation, other.placeDeviation) * mask).sum() - noise / 2, 0)
      result.add(places / (width * width), to: .position)
      result.add(deviations * 16 / (width * width), to: .spread)
    }
    return result
  }

  private func countSquare(_ other: ExpectedRun) -> Double {
    var (sum, scale) = (0.0, 0.0)
    for index in times.counts.indices {
      let (a, b) = (times.counts[index], other.times.counts[index])
      scale += max(a, b) * max(a, b)
      guard a != b else { continue }
      let change = max(times.changes[index], other.times.changes[index])
      // One particle more, or a frame earlier, makes no difference to the effect.
      sum += (a - b) * (a - b) - 0.5 - change * change
    }
    return scale > 0 ? max(sum / scale, 0) : 0
  }

  /// The square of the difference of directions below which it does not show.
  private static let leastRotation = 1e-4
}

/// The squares of the differences of the aspects.
struct ExpectedDifference {
  enum Aspect: Int { case count, position, spread, size, rotation, color, opacity, variety }

  var squares = SIMD8<Double>.zero

  /// The square of the most different aspect.
  var greatest: Double { squares.max() }

  /// Takes the greater square of an aspect, at most 1.
  mutating func add(_ square: Double, to aspect: Aspect) {
    let index = aspect.rawValue
    squares[index] = max(squares[index], square.isFinite ? min(square, 1) : 1)
  }
}

/// The forces and speeds of the particles of an emitter, with the strength at each age.
struct ExpectedCourse {
  private struct Push {
    var kind: Emitter.ForceKind
    var strength: ExpectedTrack
    var center: SIMD4<Double>
    var law: Emitter.DragLaw
    var limit: Double
  }

  private let ages: ExpectedAges
  private let gravity: SIMD4<Double>
  private let isPlain: Bool
  private let steps: Int
  private let pushes: [Push]
  private let speed, maxSpeed, direction, turn: ExpectedTrack?
  private let drift: (x: ExpectedTrack, y: ExpectedTrack, z: ExpectedTrack)?
  private let multipliesSpeed: Bool
  private let orbit: (orbit: Emitter.Orbit, radius: ExpectedTrack)?

  /// How many steps there are from age to age, if the ways of particles bend.
  private static let bentSteps = 2

  init(_ emitter: Emitter, _ ages: ExpectedAges) {
    let motion = emitter.motion
    self.ages = ages
    func track(_ track: Track?) -> ExpectedTrack? { track.map { ExpectedTrack($0, ages) } }
    orbit =
      motion.mode == .orbit
      ? motion.orbit.map { ($0, ExpectedTrack($0.radius, ages)) } : nil
    var gravity = SIMD4<Double>.zero
    var pushes: [Push] = []
    for force in emitter.forces {
      guard force.kind != .gravity else {
        gravity += SIMD4(
          force.vector.x.from.mean, force.vector.y.from.mean, force.vector.z.from.mean, 0)
        continue
      }
      pushes.append(
        Push(
          kind: force.kind, strength: ExpectedTrack(force.strength, ages),
          center: SIMD4(force.center.x, force.center.y, force.center.z, 0), law: force.law,
          limit: force.limit))
    }
    (self.gravity, self.pushes) = (gravity, pushes)
    (speed, maxSpeed, direction) = (
      track(motion.speed), track(motion.maxSpeed), track(motion.direction)
    )
    turn = motion.orbitVelocity == 0 ? nil : ExpectedTrack(motion.orbitVelocity, ages)
    drift =
      motion.drift == .zero
      ? nil
      : (
        ExpectedTrack(motion.drift.x, ages), ExpectedTrack(motion.drift.y, ages),
        ExpectedTrack(motion.drift.z, ages)
      )
    multipliesSpeed = motion.speedMode == .multiply
    isPlain =
      pushes.isEmpty && motion.mode == .ballistic && speed == nil && turn == nil && drift == nil
      && maxSpeed == nil && direction == nil
    let isBent =
      turn != nil || pushes.contains { ![.drag, .linear].contains($0.kind) }
    steps = isBent ? Self.bentSteps : 1
  }

  /// Moves a particle from the age before to an age.
  func advance(
    _ place: inout SIMD4<Double>, _ velocity: inout SIMD4<Double>, _ number: Int, _ age: Int
  ) {
    if let orbit {
      let draw = ExpectedDraw.all[number]
      let angle =
        orbit.orbit.angle.sample(draw.first)
        + orbit.orbit.angularVelocity.sample(draw.second) * ages.seconds(age)
      place =
        ExpectedMotion.unit(angle + (orbit.orbit.phase180 ? 180 : 0)) * orbit.radius[number, age]
      return
    }
    let time = age == 0 ? ages.step / 2 : ages.step
    if isPlain {
      place += velocity * time + gravity * (time * time / 2)
      velocity += gravity * time
      return
    }
    let part = time / Double(steps)
    for step in 0..<steps {
      let way = (Double(step) + 0.5) / Double(steps)
      move(&place, &velocity, part) { track in
        let value = track[number, age]
        guard age > 0, track.constant == nil else { return value }
        let before = track[number, age - 1]
        return before + (value - before) * way
      }
    }
  }

  private func move(
    _ place: inout SIMD4<Double>, _ speedBefore: inout SIMD4<Double>, _ time: Double,
    _ value: (ExpectedTrack) -> Double
  ) {
    var push = gravity
    var moving = speedBefore
    for force in pushes {
      let way = place - force.center
      switch force.kind {
      case .linear:
        let speed = moving.length
        if speed > 0 { push += moving / speed * value(force.strength) }
      case .radial:
        let distance = way.length
        if distance > 0 { push += way / distance * value(force.strength) }
      case .tangential, .vortex:
        let distance = way.length
        if distance > 0 {
          push += SIMD4(-way.y, way.x, 0, 0) / distance * value(force.strength)
        }
      case .drag:
        let (drag, speed) = (value(force.strength), moving.length)
        let factor: Double =
          switch force.law {
          case .perFrame60: power(1 - min(max(drag, 0), 1), 60 * time)
          case .exponential, .euler: powerOfTwo(-drag * time * 1.442_695_040_888_963_4)
          case .constant: speed > 0 ? max(0, 1 - drag * time / speed) : 1
          case .limit:
            speed > force.limit
              ? (force.limit + (speed - force.limit) * powerOfTwo(-drag * time * 1.442_695)) / speed
              : 1
          }
        moving *= factor
      default: break
      }
    }
    let before = speedBefore
    moving += push * time
    // With the mean of both velocities, a straight fall is exact.
    var velocity = (before + moving) / 2
    if let speed {
      let factor = value(speed)
      let length = velocity.length
      velocity *= multipliesSpeed ? factor : length > 0 ? factor / length : 0
    }
    if let maxSpeed {
      let (limit, length) = (value(maxSpeed), velocity.length)
      if length > limit, length > 0 { velocity *= limit / length }
    }
    if let direction { velocity = ExpectedMotion.unit(value(direction)) * velocity.length }
    if let drift { velocity += SIMD4(value(drift.x), value(drift.y), value(drift.z), 0) }
    place += velocity * time
    if let turn {
      let way = ExpectedMotion.unit(value(turn) * time)
      (place, moving) = (place.turned(by: way), moving.turned(by: way))
    }
    speedBefore = moving
  }
}

extension SIMD4<Double> {
  /// The vector turned in the plane, by cosine and sine.
  fileprivate func turned(by way: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(x * way.x - y * way.y, x * way.y + y * way.x, z, 0)
  }
}

/// The lifetimes of a sample of particles, and the ages at which the particles are computed.
struct ExpectedAges {
  /// The number of particles. It is prime, so that multiples of their numbers are spread evenly.
  static let particles = 23
  static let ages = 12

  /// The length of an age in seconds.
  let step: Double
  /// How many of the ages each particle reaches.
  let reached: [Int]
  /// The weight of a particle of the sample in sums over all particles.
  let weight: Double
  /// The part of all particles that reaches each age.
  let counts: [Double]
  /// The relative ages: a row for each particle, or one row if all live equally long.
  fileprivate let shares: [Double]
  /// Whether all particles have equal relative ages.
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
    (self.step, self.reached, self.weight) = (step, reached, weight)
    (self.counts, self.shares) = (counts, shares)
  }

  /// The relative age of a particle.
  func share(_ particle: Int, _ age: Int) -> Double {
    shares[(isCommon ? 0 : particle &* Self.ages) &+ age]
  }

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

  /// The sum for a number that is equal for all particles.
  func sums(common value: (_ age: Int) -> SIMD4<Double>) -> [SIMD4<Double>] {
    counts.indices.map { value($0) * counts[$0] }
  }
}

/// The random numbers of a particle, at least 0 and less than 1. Each number is spread evenly over
/// all particles, and no two numbers follow each other.
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

  /// Whether all particles have equal values.
  var isCommon: Bool { particle == 0 }

  /// The value, if it is equal for all particles and ages.
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
  var aboveZero: (value: Value, share: Double) {
    guard case .uniform(let range) = self, range.min < 0, range.max > 0 else { return (self, 1) }
    return (.range(0, range.max), range.max / (range.max - range.min))
  }
}
