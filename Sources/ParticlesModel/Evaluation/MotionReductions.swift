internal import ParticlesCore

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

  /// The end of visible life, if particles have no size or no alpha from then on. Nil if particles are visible until
  /// they die. Also nil if an earlier death would change the picture, because new particles wait for places.
  package var sightEnd: SightEnd? {
    let mean = lifetime.mean
    guard mean > 0, motion.mode != .path, emission.minAlive == 0, !isOftenFull else { return nil }
    var ends = [end(of: size.width, "size.width", mean)]
    if render.blend.needsAlpha {
      ends += [end(of: color.opacity, "color.opacity", mean), endOfColor(mean)]
    }
    return ends.compactMap { $0 }.filter { 1e-3..<0.995 ~= $0.share }
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
    // Where samples are factors, all particles reach 0 at an equal share of their life.
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
    let times = (0...64).map { Double($0) / 64 } + gradient.keys.map { $0.time }
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
  /// The lifetime of particles that die at an age before it: the uniform range with the mean and the deviation of the
  /// smaller of lifetime and age.
  fileprivate func cut(at age: Value) -> Value {
    if age.bounds.upper <= bounds.lower { return age.tidied }
    // Both are uniform. 64 shares of each value give mean and deviation well enough.
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

// Directions as they are seen from the front, to turn fans into cones and the reverse.

extension Launch {
  /// The directions of particles as seen from the front, as shares of their speed.
  package struct Front: Sendable {
    /// The mean of the component along the direction.
    package var mean: Double
    /// The standard deviation of the component along the direction.
    package var along: Double
    /// The standard deviation of the component across the direction.
    package var across: Double
    /// The direction in the plane, in degrees.
    package var angle = 90.0

    /// - Parameters:
    ///   - squareAlong: the mean square of the component along the direction.
    ///   - squareAcross: the mean square of the component across the direction.
    init(mean: Double, squareAlong: Double, squareAcross: Double, angle: Double = 90) {
      self.mean = mean
      along = max(squareAlong - mean * mean, 0).squareRoot()
      across = max(squareAcross, 0).squareRoot()
      self.angle = angle
    }
  }

  /// Directions that look most like others.
  package struct Likeness: Sendable {
    /// The spread to every side in degrees, or nil for random directions.
    package var spread: Double?
    /// The factor of the speed.
    package var speed: Double
    /// The remaining difference, as a share of the greatest deviation. 0 means no difference.
    package var rest: Double
  }

  /// The directions as seen from the front, or nil for normals of a shape, for no direction, and for flattened cones.
  /// - Parameter isFlat: whether the effect is in a plane.
  package func front(isFlat: Bool) -> Front? {
    guard flatness == 0 else { return nil }
    let law = deviationLaw(isFlat: isFlat)
    switch direction.mode {
    case .normal, .none: return nil
    case .random:
      let square = isFlat ? 0.5 : 1.0 / 3
      return Front(mean: 0, squareAlong: square, squareAcross: square)
    case .angle:
      let (center, half, isExact) = direction.angle.spread
      guard isExact else { return nil }
      let deviations = Self.deviations(spread, law, depth: 0)
      let (once, twice) = (Self.meanCosine(half), Self.meanCosine(2 * half))
      let (a, b) = (deviations.squareAlong, deviations.squareAcross)
      return Front(
        mean: deviations.mean * once, squareAlong: (a * (1 + twice) + b * (1 - twice)) / 2,
        squareAcross: (a * (1 - twice) + b * (1 + twice)) / 2, angle: center)
    case .vector:
      let vector = direction.vector
      let length = (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
      guard length > 1e-12 else { return nil }
      let deviations = Self.deviations(spread, law, depth: vector.z / length)
      return Front(
        mean: deviations.mean, squareAlong: deviations.squareAlong,
        squareAcross: deviations.squareAcross, angle: Angle.direction(vector.x, vector.y) ?? 90)
    }
  }

  /// The normals of a shape in space as seen from the front, or nil for other shapes and for parts of a shape.
  /// - Parameter axis: the axis of the shape, of length 1.
  package static func front(ofNormals shape: Shape, about axis: Vector) -> Front? {
    guard shape.arc == Interval(0, 360), shape.transform.scale == .one else { return nil }
    // Mean and mean square of the component along the axis.
    let (mean, square): (Double, Double)
    switch shape.kind {
    case .sphere: (mean, square) = (0, 1.0 / 3)
    case .hemisphere: (mean, square) = (0.5, 1.0 / 3)
    case .cone:
      mean = Angle.turned(1, 0, by: shape.angle).x
      square = mean * mean
    case .torus: (mean, square) = (0, 0.5)
    case .cylinder, .tube: (mean, square) = (0, 0)
    default: return nil
    }
    let flat = max(0, 1 - axis.z * axis.z)
    let side = (1 - square) / 2
    return Front(
      mean: flat.squareRoot() * mean, squareAlong: flat * square + (1 - flat) * side,
      squareAcross: side, angle: Angle.direction(axis.x, axis.y) ?? 90)
  }

  /// Mean and mean squares of directions about an axis with a depth from −1 to 1.
  private static func deviations(
    _ spread: Double, _ law: SpreadLaw, depth: Double
  ) -> (mean: Double, squareAlong: Double, squareAcross: Double) {
    let (once, twice) = (meanCosine(spread), meanCosine(2 * spread))
    let flat = max(0, 1 - depth * depth)
    switch law {
    case .planar:
      // A direction towards the eye turns about it, and stays.
      return (flat.squareRoot() * once, flat * (1 + twice) / 2, flat * (1 - twice) / 2)
    case .polarUniform, .solidUniform, .azimuthElevation, .sideElevation:
      let cosine = Angle.turned(1, 0, by: spread).x
      let mean = law != .solidUniform ? once : (1 + cosine) / 2
      let square = law != .solidUniform ? (1 + twice) / 2 : (1 + cosine + cosine * cosine) / 3
      let side = (1 - square) / 2
      return (flat.squareRoot() * mean, flat * square + (1 - flat) * side, side)
    }
  }

  /// The mean cosine of angles that are uniform from −half to half degrees.
  private static func meanCosine(_ half: Double) -> Double {
    let radians = half * .pi / 180
    return radians.magnitude < 1e-6 ? 1 : Angle.turned(1, 0, by: half).y / radians
  }
}

extension Launch.Front {
  /// The fan in the plane that looks most like these directions.
  package var fan: Launch.Likeness { best(isFlat: true) }

  /// The cone, or the random directions in space, that look most like these directions.
  package var cone: Launch.Likeness { best(isFlat: false) }

  private func best(isFlat: Bool) -> Launch.Likeness {
    var best: Launch.Likeness?
    for (front, spread) in isFlat ? Self.fans : Self.cones {
      let next = likeness(to: front, spread: spread)
      if next.rest < (best?.rest ?? .infinity) - 1e-9 { best = next }
    }
    return best ?? Launch.Likeness(spread: 0, speed: 1, rest: 0)
  }

  private static let fans = choices(isFlat: true)
  private static let cones = choices(isFlat: false)

  /// Random directions, and fans or cones of each half degree to every side. All launches share them, because
  /// calculating them takes much longer than comparing them.
  private static func choices(isFlat: Bool) -> [(front: Self, spread: Double?)] {
    var launch = Launch()
    launch.direction.mode = .random
    let random = launch.front(isFlat: isFlat).map { (front: $0, spread: nil as Double?) }
    launch.direction.mode = .angle
    let spreads = (0...360).compactMap { step in
      launch.spread = Double(step) / 2
      return launch.front(isFlat: isFlat).map { (front: $0, spread: launch.spread as Double?) }
    }
    return (random.map { [$0] } ?? []) + spreads
  }

  /// The factor of the speed by least squares, and the remaining difference.
  private func likeness(to other: Self, spread: Double?) -> Launch.Likeness {
    // A mean counts by the extent: four deviations.
    let ours = SIMD4(mean / 4, along, across, 0)
    let theirs = SIMD4(other.mean / 4, other.along, other.across, 0)
    let square = (theirs * theirs).sum()
    let factor = square > 0 ? (ours * theirs).sum() / square : 0
    let left = ours - factor * theirs
    let scale = ours.max()
    return Launch.Likeness(
      spread: spread, speed: factor,
      rest: scale > 0 ? (left * left).sum().squareRoot() / scale : 0)
  }
}

// Orbits for formats that have none: where particles are, without their circling.

extension Emitter {
  /// An emitter that replaces an orbit.
  package struct Straightened: Sendable {
    /// The emitter, whose particles set off from a rectangle in straight lines.
    package var emitter: Emitter
    /// The remaining difference of the places, as a share of their deviation. 0 means no difference.
    package var rest: Double
  }

  /// The emitter with particles in straight lines whose mean place and deviation at each age are nearest to the orbit.
  /// Nil if the emitter has no orbit or a mean lifetime of 0.
  package var straightened: Straightened? {
    guard motion.mode == .orbit, let orbit = motion.orbit, lifetime.mean > 0 else { return nil }
    let life = lifetime.mean
    let places = (0...Self.ages).map { orbit.places(at: Double($0) / Double(Self.ages), life) }
    let times = (0...Self.ages).map { Double($0) / Double(Self.ages) * life }
    let x = PlaceFit(times, places.map { (mean: $0.x, square: $0.squareX) })
    let y = PlaceFit(times, places.map { (mean: $0.y, square: $0.squareY) })
    var emitter = self
    emitter.motion.mode = .ballistic
    emitter.motion.orbit = nil
    emitter.forces = []
    let speed = max(0, (x.squareSpeed + y.squareSpeed)).squareRoot()
    let drift = (x.speed * x.speed + y.speed * y.speed).squareRoot()
    emitter.launch.speed = .constant(max(speed, drift).rounded)
    emitter.launch.direction = Direction(
      angle: drift > speed ? .constant((Angle.direction(x.speed, y.speed) ?? 0).rounded) : 0)
    emitter.launch.spread = drift > speed || speed == 0 ? 0 : 180
    let (width, height) = (x.width.rounded, y.width.rounded)
    emitter.shape = width > 0 || height > 0 ? .rect(width: width, height: height) : Shape()
    emitter.shape.transform.translation = Vector(x.start.rounded, y.start.rounded)
    let scale = max(x.scale, y.scale)
    return Straightened(emitter: emitter, rest: scale > 0 ? max(x.rest, y.rest) / scale : 0)
  }

  private static let ages = 12
}

extension Orbit {
  private static let shares = [1.0 / 6, 0.5, 5.0 / 6]
  private static let turns = 24

  /// Means and mean squares of the places of particles at a share of their life.
  fileprivate func places(
    at share: Double, _ life: Double
  ) -> (x: Double, y: Double, squareX: Double, squareY: Double) {
    // Distances do not depend on the turn.
    let distances = Self.shares.flatMap { first in
      Self.shares.map { last in
        radius.value(
          at: radius.over == .age ? share * life : share, age: share * life,
          from: radius.from.sample(first), to: radius.to?.sample(last) ?? 0,
          rate: radius.rate.mean)
      }
    }
    var (x, y, squareX, squareY, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (before, cosine, sine) = (Double.nan, 0.0, 0.0)
    for turn in 0..<Self.turns {
      for spin in Self.shares {
        let start = angle.sample((Double(turn) + 0.5) / Double(Self.turns))
        let degrees = start + angularVelocity.sample(spin) * share * life
        if degrees != before {
          (cosine, sine) = Angle.turned(phase180 ? -1 : 1, 0, by: degrees)
          before = degrees
        }
        for distance in distances {
          x += cosine * distance
          y += sine * distance
          squareX += cosine * cosine * distance * distance
          squareY += sine * sine * distance * distance
          count += 1
        }
      }
    }
    return (x / count, y / count, squareX / count, squareY / count)
  }
}

/// The line of means, and the even start with a random speed, that are nearest to places over life.
private struct PlaceFit {
  var start = 0.0
  var speed = 0.0
  /// The extent of the places at the start.
  var width = 0.0
  /// The mean square of the random speed along this axis.
  var squareSpeed = 0.0
  /// The remaining difference, and the deviation of the places, both as lengths.
  var rest = 0.0
  var scale = 0.0

  init(_ times: [Double], _ places: [(mean: Double, square: Double)]) {
    let count = Double(times.count)
    let (time, mean) = (times.reduce(0, +) / count, places.reduce(0) { $0 + $1.mean } / count)
    let spread = times.reduce(0) { $0 + ($1 - time) * ($1 - time) }
    let slope = zip(times, places).reduce(0) { $0 + ($1.0 - time) * ($1.1.mean - mean) } / spread
    (start, speed) = (mean - slope * time, slope)
    let variances = places.map { max($0.square - $0.mean * $0.mean, 0) }
    // Places vary by a² + b² t².
    let squares = times.map { $0 * $0 }
    let (middle, level) = (squares.reduce(0, +) / count, variances.reduce(0, +) / count)
    let wide = squares.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    let growth = zip(squares, variances).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - level) } / wide
    var even = level - growth * middle
    squareSpeed = max(growth, 0)
    if growth < 0 {
      even = level
    } else if even < 0 {
      even = 0
      squareSpeed =
        zip(squares, variances).reduce(0) { $0 + $1.0 * $1.1 }
        / squares.reduce(0) { $0 + $1 * $1 }
    }
    width = 2 * (3 * max(even, 0)).squareRoot()
    scale = (variances + places.map { ($0.mean - mean) * ($0.mean - mean) }).reduce(0, +) / count
    scale = scale.squareRoot()
    let errors = zip(times, places).map { time, place -> Double in
      let found = (max(even, 0) + squareSpeed * time * time).squareRoot()
      let wanted = max(place.square - place.mean * place.mean, 0).squareRoot()
      let moved = place.mean - start - speed * time
      return (found - wanted) * (found - wanted) + moved * moved
    }
    rest = (errors.reduce(0, +) / count).squareRoot()
  }
}

// Conversion to another pace: scales every duration, frequency, velocity and acceleration, and
// nothing else.

extension Emitter {
  /// The paces that can be converted without losing all precision.
  private static let paces = 1e-6...1e6

  /// Returns an equal emitter with a `timing.speed` of 1. Its clock runs like the clock of the effect, so durations and
  /// rates are divided or multiplied by the previous speed.
  ///
  /// Returns nil if there is none: the speed is 0, or differs from 1 by a factor of more than a
  /// million.
  public var atPlainPace: Emitter? {
    let pace = timing.speed
    guard Self.paces.contains(pace) else { return nil }
    return pace == 1 ? self : paced(by: pace)
  }

  private func paced(by pace: Double) -> Emitter {
    var emitter = self
    emitter.timing = timing.paced(by: pace)
    emitter.emission = emission.paced(by: pace)
    emitter.launch.speed = launch.speed.scaled(by: pace)
    emitter.launch.inheritVelocity *= pace
    emitter.lifetime = lifetime.scaled(by: 1 / pace)
    emitter.motion = motion.paced(by: pace)
    emitter.forces = forces.map { $0.paced(by: pace) }
    emitter.rotation.angle = rotation.angle.paced(by: pace)
    emitter.rotation.velocity = rotation.velocity.paced(by: pace, power: 1)
    emitter.rotation.acceleration = rotation.acceleration.scaled(by: pace * pace)
    emitter.size.width = size.width.paced(by: pace)
    emitter.size.height = size.height?.paced(by: pace)
    emitter.size.stretch = size.stretch?.paced(by: pace)
    emitter.color.base.rate = color.base.rate.scaled(by: pace)
    emitter.color.opacity = color.opacity.paced(by: pace)
    emitter.color.intensity = color.intensity.paced(by: pace)
    emitter.color.mix = color.mix.paced(by: pace)
    emitter.render.z = render.z.paced(by: pace)
    if case .fixed(let fps)? = flipbook?.fps {
      emitter.flipbook?.fps = .fixed(fps.scaled(by: pace))
    }
    emitter.render.trail?.length /= pace
    for index in triggers.indices { emitter.triggers[index].interval /= pace }
    return emitter
  }
}

extension Timing {
  /// `fixedStep` belongs to the simulation, so its length is independent of the pace.
  fileprivate func paced(by pace: Double) -> Timing {
    var timing = self
    timing.speed = 1
    timing.delay = delay.scaled(by: 1 / pace)
    timing.duration = duration?.scaled(by: 1 / pace)
    timing.idle = idle.scaled(by: 1 / pace)
    timing.prewarm /= pace
    return timing
  }
}

extension Emission {
  fileprivate func paced(by pace: Double) -> Emission {
    var emission = self
    emission.rate = rate.scaled(by: pace)
    emission.lifeOffset = lifeOffset.scaled(by: 1 / pace)
    for index in bursts.indices {
      emission.bursts[index].time /= pace
      emission.bursts[index].interval /= pace
    }
    return emission
  }
}

extension Motion {
  fileprivate func paced(by pace: Double) -> Motion {
    var motion = self
    motion.speed = speed?.paced(by: pace, power: speedMode == .replace ? 1 : 0)
    if let orbit {
      motion.orbit?.angularVelocity = orbit.angularVelocity.scaled(by: pace)
      motion.orbit?.radius = orbit.radius.paced(by: pace)
    }
    motion.orbitVelocity = orbitVelocity.paced(by: pace, power: 1)
    motion.drift = drift.paced(by: pace, power: 1)
    motion.maxSpeed = maxSpeed?.paced(by: pace, power: 1)
    motion.direction = direction?.paced(by: pace)
    return motion
  }
}

extension Force {
  fileprivate func paced(by pace: Double) -> Force {
    var force = self
    force.vector = vector.paced(by: pace, power: 2)
    force.limit *= pace
    force.speed *= pace
    switch (kind, law) {
    case (.drag, .perFrame60): force.strength = strength.sharePaced(by: pace)
    case (.drag, .exponential), (.drag, .euler), (.drag, .limit):
      force.strength = strength.paced(by: pace, power: 1)
    case (.noise, _) where target == .position:
      force.strength = strength.paced(by: pace, power: 1)
    default: force.strength = strength.paced(by: pace, power: 2)
    }
    return force
  }
}

extension Stretch {
  fileprivate func paced(by pace: Double) -> Stretch {
    var stretch = self
    stretch.factor = factor.scaled(by: 1 / pace)
    if case .factors(let factors) = axis { stretch.axis = .factors(factors.paced(by: pace)) }
    return stretch
  }
}

extension Track {
  /// - Parameter power: the power of 1/s in the unit of the track: 0 for a length, 1 for a
  ///   velocity, 2 for an acceleration.
  fileprivate func paced(by pace: Double, power: Int = 0) -> Track {
    let factor = (0..<power).reduce(1) { product, _ in product * pace }
    var track = self
    track.from = from.scaled(by: factor)
    track.to = to?.scaled(by: factor)
    track.rate = rate.scaled(by: factor * pace)
    track.range = range.map { Interval($0.lower * factor, $0.upper * factor) }
    return track.withDomainPaced(by: pace)
  }

  /// Converts a track of fractions that are lost in a sixtieth of a second. Values between two
  /// keys, or with a rate, are converted as if they were small.
  fileprivate func sharePaced(by pace: Double) -> Track {
    func share(_ share: Double) -> Double { 1 - power(1 - min(max(share, 0), 1), pace) }
    var track = self
    track.from = from.mapped(share)
    track.to = to?.mapped(share)
    track.rate = rate.scaled(by: pace * pace)
    return track.withDomainPaced(by: pace)
  }

  private func withDomainPaced(by pace: Double) -> Track {
    guard to != nil, over == .age || over == .speed else { return self }
    let factor = over == .age ? 1 / pace : pace
    let known = domain ?? .unit
    var track = self
    track.domain = Interval(known.lower * factor, known.upper * factor)
    return track
  }
}

extension VectorTrack {
  fileprivate func paced(by pace: Double, power: Int = 0) -> VectorTrack {
    VectorTrack(
      x.paced(by: pace, power: power), y.paced(by: pace, power: power),
      z.paced(by: pace, power: power))
  }
}

extension ColorRate {
  fileprivate func scaled(by factor: Double) -> ColorRate {
    ColorRate(red * factor, green * factor, blue * factor, alpha * factor)
  }
}
