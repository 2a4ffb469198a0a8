internal import ParticlesCore
internal import ParticlesModel

// Unsupported properties, replaced by others that look nearly alike.

extension EmitterWriter {
  /// Restates features that the table of the format does not support at all.
  mutating func restate() {
    let support = format.table.capabilities
    if lacks("transform.scale") || lacks("transform") { leaveScale() }
    if !format.distributions.contains(emitter.shape.distribution) { spreadEvenly() }
    if support[.align] == .lost { releaseAlignment() }
    if !format.aimsArcs { aimNormals() }
    if lacks("emission.minAlive") { fillPlaces() }
    if support[.orbit] == .lost { leaveOrbit() }
    if format.clampsLives { leaveUnborn() }
    if support[.aliveLimit] == .lost { leaveLimit() }
    if ![.exponentialDrag, .linearDrag, .constantDrag].contains(where: { support[$0] != .lost }) {
      slowDown()
    }
  }

  /// Multiplies lengths by the scale of the emitter, for formats whose emitters have none.
  private mutating func leaveScale() {
    let (scale, dimension) = (emitter.transform.scale, system.asset.dimension)
    guard scale != .one else { return }
    let isExact =
      scale.x > 0 && scale.x == scale.y && (dimension == .plane || scale.x == scale.z)
    emitter = emitter.withoutScale(in: dimension)
    lose(
      isExact ? .restated : .approximated, .place, at: "transform.scale",
      also: ["shape", "launch.speed", "size", "motion", "forces"], "emitters are not scaled",
      recipe: "lengths are multiplied by \(isExact ? "it" : "its mean")")
  }

  /// Leaves out the particles with lifetimes below 0, by a lower rate. Such particles are never seen.
  private mutating func leaveUnborn() {
    let (life, emission) = (emitter.lifetime, emitter.emission)
    let (least, most) = (life.bounds.lower, life.bounds.upper)
    guard life.spread.isExact, least < 0, most > 0, emission.minAlive == 0,
      emission.schedule == .continuous
    else { return }
    let share = most / (most - least)
    emitter.lifetime = .range(0, most)
    emitter.emission.rate = emission.rate.scaled(by: share)
    for index in emission.bursts.indices {
      emitter.emission.bursts[index].count = emission.bursts[index].count.scaled(by: share)
    }
    emitter.emission.total = emission.total.map { Int(saturating: (Double($0) * share).rounded()) }
    lose(
      .approximated, .life, at: "lifetime",
      also: ["emission.rate", "emission.bursts", "emission.total"],
      "lifetimes below 0 are not supported",
      recipe: "\(shortText((share * 100).rounded() / 100)) of the particles", level: .info)
  }

  /// Replaces a normal distribution over a shape in the plane by an even distribution with an equal deviation.
  private mutating func spreadEvenly() {
    let shape = emitter.shape
    guard shape.distribution == .normal, shape.placement == .volume,
      [.rect, .ellipse].contains(shape.kind)
    else { return }
    // The deviation is half the side, or the radius. An even density has 1/√12 of the side, or 1/2 of the radius.
    let side = 3.0.squareRoot()
    emitter.shape.size = Vector(
      (shape.size.x * side).rounded, (shape.size.y * side).rounded, shape.size.z)
    emitter.shape.radii = Vector2(2 * shape.radii.x, 2 * shape.radii.y)
    emitter.shape.distribution = .uniform
    lose(
      .approximated, shape.kind == .rect ? .shapeRectangle : .shapeDisc, at: "shape",
      "the density is even",
      recipe: "an even density of equal deviation", level: .low)
  }

  /// Restates drag by a lower speed, for formats without drag.
  private mutating func slowDown() {
    for (index, force) in emitter.forces.enumerated() where force.kind == .drag {
      let speed = emitter.launch.speed
      guard emitter.motion.mode == .ballistic, emitter.motion.speed == nil,
        let share = force.speedShare(from: speed.mean.magnitude, over: lifetime), share < 1
      else { continue }
      emitter.launch.speed = speed.scaled(by: (share * 1e6).rounded() / 1e6)
      // A zero force takes its place, so that later forces keep their indices.
      emitter.forces[index] = .gravity(.zero)
      lose(
        .approximated, .exponentialDrag, at: "forces[\(index)]", also: ["launch.speed"],
        "drag is not supported",
        recipe:
          "speed × \(shortText((share * 100).rounded() / 100)), an equal distance in the mean life",
        level: .medium)
    }
  }

  /// Restates directions away from the centre of an arc as angles.
  private mutating func aimNormals() {
    let shape = emitter.shape
    guard emitter.launch.direction.mode == .normal, shape.kind == .ellipse,
      shape.arc != Interval(0, 360), shape.sweep == .random, shape.radii.x == shape.radii.y,
      shape.transform.scale == .one,
      shape.transform.rotation == .identity
    else { return }
    let turn = shape.transform.angle
    emitter.launch.direction = Direction(
      angle: .between((shape.arc.lower + turn).rounded, (shape.arc.upper + turn).rounded))
    emitter.shape = shape.squared
    lose(
      .approximated, .directionNormal, at: "launch.direction", also: ["shape"],
      "shape normals are not supported",
      recipe: emitter.shape == shape
        ? "the angles of the arc" : "the angles of the arc, and a rectangle in its place",
      level: .low)
  }

  /// Ends emission by the time in which the total is emitted, for formats without a total.
  mutating func endAtTotal() {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let rate = emission.rate.mean * emission.probability
    guard let total = emission.total, emission.bursts.isEmpty, emission.minAlive == 0, rate > 0,
      timing.idle == 0, timing.prewarm == 0
    else { return }
    let seconds = (Double(total) / rate).rounded
    emitter.emission.total = nil
    if let duration = timing.duration, !timing.loop, duration.mean <= seconds {
      return lose(
        .restated, .total, at: "emission.total", "emission ends before the total is reached")
    }
    // Engines that emit by frames would emit the particles of a whole frame.
    let isBurst = seconds < 1.0 / 30 && format.table.capabilities[.burst] != .lost
    if isBurst {
      emitter.emission.rate = 0
      emitter.emission.bursts = [Burst(count: .constant(Double(total)))]
    }
    let duration = isBurst ? max(seconds, 1.0 / 60) : seconds
    (emitter.timing.duration, emitter.timing.loop) = (.constant(duration), false)
    lose(
      .approximated, .total, at: "emission.total",
      also: ["timing"] + (isBurst ? ["emission.rate", "emission.bursts"] : []),
      "a particle total is not supported",
      recipe: isBurst ? "a burst" : "the time in which as many are emitted", level: .low)
  }

  /// Adds the directions in the plane to the angles, for formats without alignment with the motion. The
  /// angle of a particle and its direction are sampled independently then.
  mutating func releaseAlignment() {
    let (launch, rotation) = (emitter.launch, emitter.rotation)
    guard rotation.align != .none, rotation.angle.isPlainValue, rotation.angle.from.isNumber else {
      return
    }
    let directions: Interval
    switch launch.direction.mode {
    case .random: directions = Interval(0, 360)
    case .angle:
      let bounds = launch.direction.angle.bounds
      directions = Interval(bounds.lower - launch.spread, bounds.upper + launch.spread)
    case .vector:
      let vector = launch.direction.vector
      guard let middle = Angle.direction(vector.x, vector.y) else { return }
      directions = Interval(middle - launch.spread, middle + launch.spread)
    case .normal, .none: return
    }
    let angle = rotation.angle.from.mean + rotation.alignOffset + emitter.transform.angle
    emitter.rotation.angle = Track(
      directions.upper - directions.lower < 360
        ? .between((directions.lower + angle).rounded, (directions.upper + angle).rounded)
        : .range(0, 360))
    (emitter.rotation.align, emitter.rotation.alignOffset) = (.none, 0)
    lose(
      .lost, .align, at: "rotation.align", also: ["rotation.angle", "rotation.alignOffset"],
      "alignment with the motion is not supported. The angles are like the launch directions",
      level: .medium)
  }

  /// Moves the emitter to its shape, for formats whose shapes are at the emitter. One about which
  /// particles turn or accelerate stays where it is.
  mutating func placeShape() {
    let place = emitter.shape.transform.translation
    let around: Set<ForceKind> = [.radial, .tangential, .vortex]
    guard place != .zero, emitter.motion.orbitVelocity == 0,
      !emitter.forces.contains(where: { around.contains($0.kind) })
    else { return }
    emitter.transform.translation = emitter.transform.place(of: place)
    emitter.shape.transform.translation = .zero
    lose(
      .restated, .place, at: "shape.transform", also: ["transform"],
      "the place of the shape is written as the place of the emitter")
  }

  /// Restates a shape whose normals are directions by points with normals, for formats in which only
  /// points have normals.
  mutating func placeNormals() {
    guard emitter.launch.direction.mode == .normal, let points = emitter.shape.directedPoints
    else { return }
    emitter.shape = Shape(.points)
    emitter.shape.positions = points.map { $0.place }
    emitter.shape.normals = points.map { $0.normal }
    lose(
      .approximated, .directionNormal, at: "shape", "only points have normals",
      recipe: "\(points.count) of its points with their normals", level: .low)
  }

  /// Restates a speed over life that replaces the initial one, for formats in which it is a factor of that.
  mutating func multiplySpeed() {
    guard let track = emitter.motion.speed, emitter.motion.speedMode == .replace else { return }
    // A random end of the track is the initial speed.
    let isProduct = track.to.map { track == Track(from: 0, to: $0, curve: track.curve) } ?? false
    emitter.launch.speed = isProduct ? track.to ?? 1 : 1
    emitter.motion.speed = isProduct ? Track(from: 0, to: 1, curve: track.curve) : track
    emitter.motion.speedMode = .multiply
    lose(
      .restated, .speedCurve, at: "motion.speedMode", also: ["launch.speed", "motion.speed"],
      "the speed over life is a factor of the initial speed")
  }

  /// The strength of a constant deceleration that covers an equal distance, for formats with this
  /// law of drag only.
  mutating func constantDrag(of force: Force, at place: String) -> Track {
    guard force.law != .constant || force.direction != nil else { return force.strength }
    let speed = emitter.launch.speed.spread.center.magnitude
    let share = force.speedShare(from: speed, over: lifetime) ?? 1
    // The deceleration a with v·t − a·t²/2 = share · v·t, if it does not stop before.
    let time = max(lifetime, 1e-6)
    let strength =
      share >= 0.5
      ? 2 * (1 - share) * speed / time : share > 0 ? speed / (2 * share * time) : speed / time
    lose(
      .approximated, force.law == .euler ? .linearDrag : .exponentialDrag, at: place,
      "drag is a constant deceleration", recipe: "an equal distance in the mean life")
    return .constant(strength.rounded)
  }
}

// Reductions that formats with nested values share.

extension EmitterWriter {
  /// The bounds of a uniform value. Reports any other distribution.
  mutating func bounds(
    of value: Value, _ capability: Capability, at place: String, scope: Scope = .particle
  ) -> (least: Double, most: Double) {
    if case .uniform(let range) = value, range.scope == scope, range.min < range.max {
      return (range.min, range.max)
    }
    explain(value, capability, at: place, scope: scope)
    let (center, half, _) = value.spread
    return ((center - half).rounded, (center + half).rounded)
  }

  /// Reports the part of a range below 0, which the engine never uses.
  mutating func clampNegative(_ value: Value, _ capability: Capability, at place: String) -> Value {
    guard value.bounds.lower < 0 else { return value }
    lose(.clamped, capability, at: place, "values below 0 are 0")
    return value.notNegative
  }

  /// The number for a value that the format cannot randomise.
  mutating func single(
    _ value: Value, _ capability: Capability, at place: String, _ detail: String
  ) -> Double {
    if !value.isNumber {
      lose(.approximated, capability, at: place, detail, recipe: "the mean")
    }
    return value.mean
  }

  /// The value of new particles for a track that the format cannot let change.
  mutating func start(
    of track: Track, _ capability: Capability, at place: String, _ detail: String
  ) -> Value {
    if track.isPlainValue { return track.from }
    lose(.approximated, capability, at: place, detail, recipe: "the mean")
    return .constant(track.mean(lifetime: lifetime))
  }

  /// A track as points with lines between them, from 0 to 1, and the range of a factor for each
  /// particle. Reports what these cannot express.
  /// - Parameters:
  ///   - isRandom: whether the format has such a factor.
  mutating func points(
    of track: Track, _ capability: Capability, at place: String, isRandom: Bool = false
  ) -> (points: [(time: Double, value: Double)], factor: (least: Double, most: Double)) {
    if isRandom, track.isPlainCurve, track.from == 0 || track.to == nil {
      let value = track.to ?? track.from
      if case .uniform(let range) = value, range.min <= range.max, range.max > 0, range.min >= 0,
        range.scope == .particle
      {
        let curve = track.to == nil ? Curve.constant(1) : track.curve
        if let linear = curve.linearPoints {
          let points = linear.map { (time: $0.time, value: ($0.value * range.max).rounded) }
          let least = (range.min / range.max).rounded
          if Track(points: points, times: .between(least, 1)) != track {
            lose(.restated, capability, at: place, "written as points and a factor")
          }
          return (points, (least, 1))
        }
      }
    }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    let points = curve.linearPoints
    let isPlain = [track.from, track.to ?? 0, track.rate].allSatisfy { $0.isNumber }
    if !isPlain {
      lose(
        .approximated, capability, at: place, "all particles have equal values over life",
        recipe: "the mean")
    } else if points == nil {
      lose(
        .approximated, capability, at: place, "only lines between points are supported",
        recipe: "17 points", level: .low)
    } else if !isExact {
      lose(
        .approximated, capability, at: place, "only change over life is supported",
        recipe: "points")
    }
    let sampled = Curve.through(16, curve.value).keys.map { (time: $0.time, value: $0.value) }
    let result = (points ?? sampled).map { (time: $0.time.rounded, value: $0.value.rounded) }
    if !hasLine(at: place), Track(points: result) != track {
      lose(.restated, capability, at: place, "written as points with lines between them")
    }
    return (result, (1, 1))
  }

  /// The launch direction as bounds of an angle in degrees, anticlockwise.
  mutating func launchAngles() -> (least: Double, most: Double) {
    let launch = emitter.launch
    var bounds: (least: Double, most: Double)
    switch launch.direction.mode {
    case .angle:
      bounds = self.bounds(of: launch.direction.angle, .spread2D, at: "launch.direction")
    case .vector:
      let vector = launch.direction.vector
      let angle = Angle.direction(vector.x, vector.y) ?? 0
      bounds = (angle, angle)
      lose(
        vector.z == 0 ? .restated : .approximated, .cone3D, at: "launch.direction",
        vector.z == 0 ? "the direction is written as an angle" : "depth is not supported")
    case .random, .none:
      bounds = (-180, 180)
      lose(.restated, .spread2D, at: "launch.direction", "written as a full range of angles")
    case .normal:
      bounds = (-180, 180)
      lose(
        .lost, .directionNormal, at: "launch.direction", "shape normals are not supported",
        recipe: "a random direction")
    }
    if launch.spread != 0 {
      let isExact = bounds.least == bounds.most && spreadLaw == .planar
      bounds = (
        (bounds.least - launch.spread).rounded, (bounds.most + launch.spread).rounded
      )
      lose(
        isExact ? .restated : .approximated, isExact ? .spread2D : .cone3D, at: "launch.spread",
        also: ["launch.direction", "launch.spreadLaw"], "the spread is a range of the angle")
    } else {
      dropSpreadLaw()
    }
    return bounds
  }

  /// The sum of constant accelerations. Reports the forces that the format does not support.
  /// - Parameters:
  ///   - supported: kinds that other rows write.
  ///   - space: the coordinate space in which they act, or nil if another line reports it.
  mutating func gravity(
    besides supported: Set<ForceKind> = [], isSupported: Bool = true, in space: ForceSpace? = .world
  ) -> Vector {
    var sum = Vector.zero
    for (index, force) in emitter.forces.enumerated() where !supported.contains(force.kind) {
      let place = "forces[\(index)]"
      guard force.kind == .gravity, isSupported else {
        dropForce(index)
        continue
      }
      let acceleration = acceleration(of: force, at: place)
      if let space, force.space != space, !hasLine(at: place) {
        lose(
          .restated, .gravity, at: place, "accelerations act in the coordinate space of the engine")
      }
      sum = Vector(sum.x + acceleration.x, sum.y + acceleration.y, sum.z + acceleration.z)
    }
    return sum
  }

  /// The sum of constant accelerations, for a format with one acceleration. Reports also that they are added up.
  mutating func addedGravity() -> Vector {
    if emitter.forces.lazy.filter({ $0.kind == .gravity }).count > 1 {
      lose(.restated, .gravity, at: "forces", "accelerations are added up")
    }
    return gravity()
  }

  /// Reports a force that is left out, by its place in the document.
  mutating func dropForce(_ index: Int) {
    let kind = emitter.forces[index].kind
    lose(.lost, kind.capability, at: "forces[\(index)]", kind.lossDetail)
  }

  /// Writes the duration. Looped periods without a pause become one endless period.
  /// - Returns: nil for an endless period.
  mutating func plainDuration() -> Double? {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      dropRepetition()
      return nil
    }
    if timing.loop {
      if timing.idle == 0 {
        lose(
          .restated, .loop, at: "timing.loop", also: ["timing.duration"],
          "periods without pause become one endless period")
        return nil
      }
      lose(.lost, .loop, at: "timing.loop", also: ["timing.idle"], "cannot loop and plays once")
    } else {
      dropIdle()
    }
    return single(duration, .duration, at: "timing.duration", "the duration cannot be random")
  }

}

extension ForceKind {
  /// The report text for a force that is dropped.
  var lossDetail: String {
    switch self {
    case .gravity: "constant acceleration is not supported"
    case .drag: "drag is not supported"
    default: consequence
    }
  }
}

extension Curve {
  /// The points of a curve of straight lines. A jump is two points at one time. Nil for other curves.
  var linearPoints: [(time: Double, value: Double)]? {
    guard extend == .clamp, !keys.isEmpty else { return nil }
    var points: [(time: Double, value: Double)] = []
    for (index, key) in keys.enumerated() {
      points.append((key.time, key.value))
      let kind = key.interpolation ?? interpolation
      guard index + 1 < keys.count else { break }
      if kind == .cubic { return nil }
      if kind == .step, keys[index + 1].value != key.value {
        points.append((keys[index + 1].time, key.value))
      }
    }
    return points
  }

  /// A curve through points with straight lines. For 0, 0 and 1, 1 it is `.linear`.
  static func lines(_ points: [(time: Double, value: Double)]) -> Curve {
    let sorted = points.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    let curve = Curve(through: sorted.map { $0.element })
    return curve == .linear ? .linear : curve
  }
}

extension Track {
  /// Whether values depend on the curve over life only: nothing grows, and nothing is clamped or eased.
  var isPlainCurve: Bool { rate == 0 && range == nil && warp == .linear && over == .life }

  /// A track of points, times a factor for each particle, or a value if nothing changes.
  init(points: [(time: Double, value: Double)], times factor: Value = 1) {
    let values = Set(points.map { $0.value })
    if let value = values.first, values.count == 1 {
      self = Track(factor.scaled(by: value))
    } else if factor == 1, points.count == 2, points[0].time == 0, points[1].time == 1 {
      self = Track(from: .constant(points[0].value), to: .constant(points[1].value))
    } else {
      self = Track(from: 0, to: factor, curve: .lines(points))
    }
  }
}
