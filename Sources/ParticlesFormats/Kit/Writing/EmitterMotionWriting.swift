internal import ParticlesCore
internal import ParticlesModel

// Reductions of emission that formats share.

extension EmitterWriter {
  /// The rate in particles per second, with everything that is approximated reported.
  mutating func plainRate() -> Double { meanRate() * spawnShare() }

  /// The rate in particles per second, without the probability of emission.
  mutating func meanRate() -> Double {
    let rate = emitter.emission.rate
    switch rate {
    case .constant: break
    case .ramp:
      lose(
        .approximated, .rateCurve, at: "emission.rate", "the rate is constant", recipe: "the mean")
    default:
      lose(
        .approximated, .randomRate, at: "emission.rate", "the rate cannot be random",
        recipe: "the mean")
    }
    return rate.mean
  }

  /// Reports a rate that is not a constant, for formats that write only its mean.
  mutating func loseRateChanges() {
    switch emitter.emission.rate {
    case .constant: break
    case .ramp: lose(.lost, .rateCurve, at: "emission.rate", "the rate is constant")
    default: lose(.lost, .randomRate, at: "emission.rate", "the rate cannot be random")
    }
  }

  /// The time between waves of particles, for formats that state it in place of a rate, and have
  /// either a rate or bursts.
  /// - Parameters:
  ///   - count: the number of particles in a wave.
  ///   - isMilliseconds: whether the time is in milliseconds, otherwise in seconds.
  mutating func interval(ofRate rate: Double, count: Double = 1, isMilliseconds: Bool = false)
    -> Double
  {
    dropBursts(isBesideRate: true)
    guard rate > 0 else {
      lose(
        .restated, .rate, at: "emission.rate",
        "one particle in \(isMilliseconds ? "1e6" : "1e9") s")
      return 1e9
    }
    if (count / (count / rate).rounded).rounded != rate {
      lose(.restated, .rate, at: "emission.rate", "written as the time between particles")
    }
    return (count * (isMilliseconds ? 1000 : 1) / rate).rounded
  }

  /// The rate times the probability of emission.
  mutating func rateOfChance() -> Value {
    let (rate, share) = (emitter.emission.rate, spawnShare())
    return share == 1 ? rate : rate.scaled(by: share)
  }

  /// The probability of emission as a factor of the rate.
  mutating func spawnShare() -> Double {
    let share = emitter.emission.probability
    if share != 1 {
      lose(
        .approximated, .probability, at: "emission.probability", also: ["emission.rate"],
        "spawn probability is not supported", recipe: "rate × probability")
    }
    return share
  }

  /// The limit of living particles, for engines that need one and lose emission beyond it.
  /// - Parameters:
  ///   - most: the limit of the document, or nil for a limit that all particles fit into.
  ///   - least: the least such limit.
  mutating func capacity(_ most: Int?, atLeast least: Int = 1) -> Int {
    let emission = emitter.emission
    if most == nil {
      lose(
        .assumed, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a capacity is needed, enough for all particles", level: .info)
    } else {
      skipWhenFull()
    }
    if emission.total != nil {
      lose(.lost, .total, at: "emission.total", "a particle total is not supported")
    }
    var alone = ParticleSystem(name: "", emitters: [emitter])
    alone.emitters[0].triggers = []
    let alive = max(
      emission.rate.bounds.upper * emitter.lifetime.bounds.upper, alone.populations()[0].alive)
    return most ?? max(Int(saturating: min(max(alive, 0), 1e6).rounded(.up)) + 1, least, 1)
  }

  /// Reports emission beyond the capacity that waits, for engines that lose it.
  mutating func skipWhenFull() {
    let emission = emitter.emission
    guard emission.whenFull != .skip else { return }
    if let most = emission.maxAlive, fits(in: most) {
      return lose(.restated, .aliveLimit, at: "emission.whenFull", Self.limitIsFar)
    }
    // Lifetimes above the mean reach the limit now and then, which `--measure` does not detect.
    let alive = emission.rate.mean * emitter.lifetime.mean
    let isRare =
      emission.bursts.isEmpty && emission.maxAlive.map { alive <= Double($0) * 1.001 } ?? true
    lose(
      .approximated, .aliveLimit, at: "emission.whenFull", "emission beyond the capacity is lost",
      level: isRare ? .info : .low)
  }

  /// Whether all that is emitted are bursts within a period that does not repeat.
  var isBurst: Bool {
    emitter.emission.rate == 0 && !emitter.emission.bursts.isEmpty && !emitter.timing.loop
      && emitter.timing.duration != nil
  }

  /// The bursts one by one, for formats whose bursts do not repeat. At most 1000 of each burst.
  /// - Returns: the bursts, with their places in the document.
  mutating func singleBursts() -> [(index: Int, burst: Burst)] {
    let timing = emitter.timing
    var all: [(index: Int, burst: Burst)] = []
    for (index, burst) in emitter.emission.bursts.enumerated() {
      let duration = timing.duration?.mean ?? burst.time + burst.interval
      let count =
        burst.cycles == 0
        ? Int(saturating: max(min((duration - burst.time) / burst.interval, 999), 0)) + 1
        : min(burst.cycles, 1000)
      if count > 1 || burst.interval != 1 {
        lose(
          burst.cycles == 0 && timing.duration == nil ? .approximated : .restated, .burstList,
          at: "emission.bursts", "a burst that repeats is written as several")
      }
      for cycle in 0..<count {
        var single = burst
        single.time = burst.time + Double(cycle) * burst.interval
        all.append((index, single))
      }
    }
    return all
  }

  /// Reports bursts that are left out, if there are any.
  /// - Parameter isBesideRate: whether the format has bursts, but not together with a rate.
  mutating func dropBursts(isBesideRate: Bool = false) {
    guard !emitter.emission.bursts.isEmpty else { return }
    lose(
      .lost, .burst, at: "emission.bursts",
      isBesideRate
        ? "bursts cannot be combined with a rate" : "bursts are not supported")
  }

  /// The duration of a period, for engines that repeat periods in place of endless emission.
  /// - Parameter seconds: the duration to write for endless emission, in seconds.
  mutating func period(endless seconds: Double) -> Value {
    if let duration = emitter.timing.duration { return duration }
    lose(
      .restated, .loop, at: "timing.duration", also: ["timing.loop", "timing.idle"],
      "endless emission is written as periods of \(shortText(seconds)) s without a pause")
    return .constant(seconds)
  }

  /// Whether particles stay in the world. Otherwise they follow the emitter.
  mutating func isInWorld() -> Bool {
    if emitter.space == .parent {
      lose(.approximated, .space, at: "space", "particles follow the emitter")
    }
    return emitter.space == .world
  }

  /// Reports the part of the transform besides the place in the plane.
  mutating func loseOrientation() {
    let transform = emitter.transform
    if transform.angle != 0 || transform.rotation != .identity || transform.translation.z != 0 {
      lose(.lost, .place, at: "transform", "emitters are not rotated", level: .medium)
    }
  }
}

// Forces of engines that have one of each kind, about the emitter.

extension EmitterWriter {
  /// Reports a force with another centre, or a force that depends on the distance. It is for
  /// engines whose forces have the emitter as centre and one strength.
  /// - Parameter isSame: whether nothing else of the kind changes.
  /// - Returns: whether there is a line.
  @discardableResult
  mutating func loseDistance(of force: Force, at place: String, isSame: Bool = true) -> Bool {
    guard force.center != .zero || force.falloff != 0 || force.maxDistance != nil || !isSame else {
      return false
    }
    lose(
      .approximated, .attract, at: place,
      "forces start at the emitter and are independent of the distance",
      recipe: "an equal strength")
    return true
  }

  /// Reports that one force of each kind is written, unless this changes nothing.
  /// - Parameters:
  ///   - kinds: the kinds of the forces, in the order of the document.
  ///   - order: the order in which the engine applies them.
  ///   - space: the coordinate space in which all forces act.
  mutating func explainOrder(of kinds: [ForceKind], by order: [ForceKind], in space: ForceSpace) {
    guard
      kinds != order.filter(kinds.contains) || emitter.forces.contains(where: { $0.space != space })
    else { return }
    lose(
      .restated, .gravity, at: "forces",
      "one force of each kind is written, in a fixed order and in one coordinate space")
  }
}

extension ForceKind {
  /// The kind for engines without vortices: these are tangential accelerations there.
  var withoutVortex: ForceKind { self == .vortex ? .tangential : self }
}

// The end of life, for engines that support no curves over life.

extension EmitterWriter {
  /// Ends the life of particles at the age at which they lose their size or their alpha for good, if
  /// cutting it makes tracks straight.
  mutating func endAtSight() {
    guard let end = emitter.sightEnd else { return }
    let before = emitter
    emitter = before.ending(at: end)
    let changed = Self.tracks.filter { !$0.isSame(before, emitter) }.map { $0.path }
    lose(
      .restated, .life, at: "lifetime", also: changed,
      "the rest of a life is not seen after \(end.property == "size.width" ? "size" : "alpha") 0 at "
        + "\(shortText((end.share * 1000).rounded() / 10)) % of the life",
      recipe: "particles end there")
  }

  private static var tracks: [(path: String, isSame: @Sendable (Emitter, Emitter) -> Bool)] {
    [
      ("size.width", { $0.size.width == $1.size.width }),
      ("size.height", { $0.size.height == $1.size.height }),
      ("color.base", { $0.color.base == $1.color.base }),
      ("color.opacity", { $0.color.opacity == $1.color.opacity }),
      ("color.intensity", { $0.color.intensity == $1.color.intensity }),
      ("color.mix", { $0.color.mix == $1.color.mix }),
      ("rotation.angle", { $0.rotation.angle == $1.rotation.angle }),
      ("rotation.velocity", { $0.rotation.velocity == $1.rotation.velocity }),
      ("motion.speed", { $0.motion.speed == $1.motion.speed }),
      ("motion.orbit", { $0.motion.orbit == $1.motion.orbit }),
      ("forces", { $0.forces == $1.forces }), ("render.z", { $0.render.z == $1.render.z }),
    ]
  }
}

// Directions, accelerations and lines of emitters in the plane.

extension EmitterWriter {
  /// The angle of directions in degrees. Random angles and directions are added to the spread.
  /// - Parameter normals: why directions along normals are lost.
  mutating func planarAngle(_ spread: inout Double, _ normals: String) -> Double {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .angle:
      let (center, half, isExact) = direction.angle.spread
      if half != 0 || !isExact {
        spread = min(spread + half, 180)
        let isSame = isExact && emitter.launch.spread == 0 && format.dimension == .plane
        lose(
          isSame ? .restated : .approximated, .spread2D, at: "launch.direction",
          also: ["launch.spread"], "a random direction is written as a spread")
      } else if direction != Direction(angle: direction.angle) {
        lose(.dead, .spread2D, at: "launch.direction", "only the angle is used")
      }
      return center
    case .none: return 90
    case .random, .normal:
      spread = 180
      let isRandom = direction.mode == .random
      lose(
        isRandom ? .restated : .lost, isRandom ? .spread2D : .directionNormal,
        at: "launch.direction",
        also: ["launch.spread"],
        isRandom ? "a random direction is written as a full spread" : normals)
      return 90
    case .vector:
      let vector = direction.vector
      let isFlat = vector.z == 0
      lose(
        isFlat ? .restated : .approximated, .cone3D, at: "launch.direction",
        isFlat ? "the direction is written as an angle" : "\(format.engine) is 2D only",
        recipe: isFlat ? nil : "projected on the plane")
      return Angle.direction(vector.x, vector.y) ?? 90
    }
  }

  /// Reports a spread that is not a fan.
  mutating func loseCone(_ spread: Double) {
    let isRandom = [.random, .normal].contains(emitter.launch.direction.mode)
    guard spread > 0, spreadLaw != .planar, !isRandom else { return drop("launch.spreadLaw") }
    lose(
      .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
      "cones become fans", recipe: "an equal angle")
  }

  /// Reports the traits of an acceleration other than its vector and its space.
  mutating func loseTraits(ofGravity force: Force, at place: String) {
    var plain = Force(.gravity)
    (plain.vector, plain.space) = (force.vector, force.space)
    guard force != plain else { return }
    lose(.dead, .gravity, at: place, "only the vector of an acceleration is used", level: .info)
  }

  /// Reports a line that is written as a rectangle.
  mutating func explainLine(_ shape: Shape) {
    let isAlongAxis = shape.angle.truncatingRemainder(dividingBy: 90) == 0
    lose(
      isAlongAxis ? .restated : .approximated, .shapeLine, at: "shape",
      isAlongAxis
        ? "a line is written as a rectangle of height 0" : "a line becomes its bounding rectangle")
  }
}

// Directions of particles for engines that know only the directions of shapes. A direction with a spread
// becomes an arc of a circle in the plane, a cone in space, or a box, and the emitter is turned to it.

/// The shapes by which an engine aims particles.
struct AimingShapes: Sendable {
  /// The direction of an arc, in degrees: of its middle, or of its start.
  let arcAngle: Double

  /// The part of an arc that is before its direction: 0.5 for the middle, 0 for the start.
  let arcShare: Double

  /// The widest arc that is no full circle, in degrees.
  let widestArc: Double

  /// The direction of all particles of a box, in degrees. Nil if boxes have none in the plane.
  var boxAngle: Double?

  /// The rotation of a cone along the z axis. Nil for engines of the plane.
  var coneRotation: Quaternion?

  /// An arc of a width, in degrees, where the engine has it.
  fileprivate func arc(_ width: Double) -> Interval {
    if width > (widestArc + 360) / 2 || width == 360 { return Interval(0, 360) }
    let width = min(width, widestArc)
    return Interval(
      (arcAngle - arcShare * width).rounded, (arcAngle + (1 - arcShare) * width).rounded)
  }

  /// The angle by which that arc is turned to begin at a direction.
  fileprivate func turn(to start: Double, _ width: Double) -> Double {
    arc(width) == Interval(0, 360) && arcShare > 0
      ? 0 : (start + arcShare * width - arcAngle).rounded
  }
}

extension EmitterWriter where Format: TreeFormat {
  /// A radius too small to be seen. With 0, an engine could not normalise.
  private static var point: Double { 0.0001 }

  /// Restates the direction by a shape that emits in it, if particles travel farther than the shape is
  /// wide, or if the engine has boxes that keep the extent of the shape.
  mutating func aimShape(by aim: AimingShapes) {
    let launch = emitter.launch
    guard launch.flatness == 0 || aim.coneRotation == nil else { return }
    if launch.direction.mode == .normal { return turnNormals(by: aim) }
    let shape = emitter.shape
    let half = shape.halfSize
    let width = max(half.x, half.y, shape.kind == .box ? shape.size.z / 2 : 0)
    let travel = speedOverLife * max(emitter.lifetime.mean, 0)
    let isFlat = system.asset.dimension == .plane || aim.coneRotation == nil
    if isFlat, let (start, end) = fan, aimFlat(from: start, to: end, travel: travel, by: aim) {
      return
    }
    guard travel > 2 * width || shape.kind == .point else { return }
    if isFlat {
      guard let (start, end) = fan else { return }
      var circle = Shape.ellipse(Self.point, Self.point)
      circle.arc = aim.arc(end - start)
      let isExact = launch.spread == 0 || launch.direction.angle.isNumber
      self.aim(
        circle, by: aim.turn(to: start, end - start), isExact: isExact && shape.kind == .point,
        aim)
    } else if let axis, let rotation = aim.coneRotation {
      var cone = Shape(.cone)
      // The engine spreads directions as the root of a uniform number.
      let share = spreadLaw == .solidUniform ? 1 : 0.8
      (cone.radius, cone.angle) = (max(width, Self.point), (launch.spread * share).rounded)
      cone.transform.rotation = rotation
      self.aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false, aim)
    }
  }

  /// Aims directions in the plane by a shape with the extent of the shape in the document.
  /// - Returns: whether the engine has such a shape.
  private mutating func aimFlat(
    from start: Double, to end: Double, travel: Double, by aim: AimingShapes
  ) -> Bool {
    let middle = (start + end) / 2
    if let rotation = aim.coneRotation {
      guard var cone = cone(from: start, to: end, travel: travel) else { return false }
      cone.transform.rotation = rotation
      let radians = Angle.radians(middle)
      let axis = Vector(cosine(radians).rounded, sine(radians).rounded)
      self.aim(
        cone, turning: Quaternion(turning: Vector(0, 0, 1), to: axis), by: 0, isExact: false, aim)
      return true
    }
    guard let angle = aim.boxAngle else { return false }
    let places = deviations(along: middle)
    // The deviation of the directions, halfway.
    let fanned = travel / 2 * Angle.radians((end - start) / 2) / 3.0.squareRoot()
    let extent = length(places.across, places.along)
    if aim.arc(end - start) == Interval(0, 360) {
      // Away from the centre, the distances add up.
      let radius = 2.0.squareRoot() * (length(extent, travel / 2) - travel / 2)
      let circle = Shape.ellipse(radius.rounded, radius.rounded)
      self.aim(circle, by: 0, isExact: extent == 0, aim)
      return true
    }
    guard end == start || fanned < extent else { return false }
    let (turn, shape) = ((middle - angle).rounded, emitter.shape)
    let isBox = [.point, .rect, .box].contains(shape.kind)
    guard turn != 0 || end != start || !isBox else {
      if emitter.launch.direction == Direction(angle: .constant(angle)) { return true }
      self.aim(shape, by: 0, isExact: true, aim)
      return true
    }
    let side = 12.0.squareRoot()
    // The spread of the directions becomes one of the places.
    var box = Shape.rect(
      width: (length(places.across, fanned) * side).rounded, height: (places.along * side).rounded)
    if shape.kind == .box { (box.kind, box.size.z) = (.box, shape.size.z) }
    let isExact = end == start && isBox && turn.remainder(dividingBy: 90) == 0
    self.aim(box, by: turn, isExact: isExact, aim)
    return true
  }

  /// The mean of the speed over the life.
  private var speedOverLife: Double {
    let speed = emitter.launch.speed.mean.magnitude
    guard let track = emitter.motion.speed else { return speed }
    let mean = track.mean(lifetime: lifetime).magnitude
    return emitter.motion.speedMode == .replace ? mean : speed * mean
  }

  private func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

  /// The deviations of places across a direction in the plane, and along it.
  private func deviations(along direction: Double) -> (across: Double, along: Double) {
    let shape = emitter.shape
    let isEllipse = shape.kind == .ellipse
    let half = isEllipse ? shape.radii : shape.halfSize
    // The squares of the deviations of a rectangle, of an ellipse, or of its edge.
    let share = !isEllipse ? 1.0 / 3 : shape.placement == .volume ? 1.0 / 4 : 1.0 / 2
    let (x, y) = (share.squareRoot() * half.x, share.squareRoot() * half.y)
    let turn = Angle.radians(direction - shape.transform.angle)
    let (sine, cosine) = (sine(turn), cosine(turn))
    return (length(x * sine, y * cosine), length(x * cosine, y * sine))
  }

  /// A cone that looks from its side like a fan of directions from places side by side. Nil if the
  /// places are not side by side, or if the fan is wide.
  private func cone(from start: Double, to end: Double, travel: Double) -> Shape? {
    let half = Angle.radians((end - start) / 2)
    guard emitter.transform.rotation == .identity, emitter.transform.angle == 0, half <= .pi / 3
    else { return nil }
    let (across, along) = deviations(along: (start + end) / 2)
    // Halfway, the deviations of place and direction add up in a cone, but their squares in the plane.
    let fanned = travel / 2 * half / 3.0.squareRoot()
    guard travel > 2 * along, across > 0.1 * fanned else { return nil }
    let narrowed = (length(across, fanned) - across) / max(fanned, 1e-9)
    // The deviation of a cone is half its radius, or half its angle.
    var cone = Shape(.cone)
    cone.radius = (2 * across).rounded
    cone.angle = ((end - start) * narrowed / 3.0.squareRoot()).rounded
    return cone
  }

  /// Turns an arc to the place where the engine has it. If boxes have a direction of their own, a
  /// disc replaces other shapes of the plane.
  private mutating func turnNormals(by aim: AimingShapes) {
    let shape = emitter.shape
    guard emitter.launch.spread == 0 else { return }
    let isRound = shape.kind == .ellipse && shape.radii.x == shape.radii.y
    let isDisc = isRound && shape.inner == 0 && shape.placement == .volume
    if aim.boxAngle != nil, !isDisc, shape.arc == Interval(0, 360),
      [.rect, .ellipse].contains(shape.kind)
    {
      let places = deviations(along: 0)
      let radius = (2.0.squareRoot() * length(places.across, places.along)).rounded
      return self.aim(Shape.ellipse(radius, radius), by: 0, isExact: false, aim)
    }
    guard shape.kind == .ellipse else { return }
    let width = shape.arc.upper - shape.arc.lower
    let turn = aim.turn(to: shape.arc.lower + shape.transform.angle, width)
    guard turn != 0 || aim.arc(width) != shape.arc else { return }
    var circle = shape
    circle.arc = aim.arc(width)
    circle.transform.angle = 0
    self.aim(circle, by: turn, isExact: width <= aim.widestArc || width == 360, aim)
  }

  /// The angles between which directions in the plane are, in degrees. Nil for the directions of the shape.
  private var fan: (start: Double, end: Double)? {
    let launch = emitter.launch
    switch launch.direction.mode {
    case .random: return (0, 360)
    case .angle:
      let bounds = launch.direction.angle.bounds
      let width = bounds.upper - bounds.lower + 2 * launch.spread
      guard width < 360 else { return (0, 360) }
      return ((bounds.lower - launch.spread).rounded, (bounds.upper + launch.spread).rounded)
    case .vector:
      let vector = launch.direction.vector
      guard let middle = Angle.direction(vector.x, vector.y) else { return nil }
      return ((middle - launch.spread).rounded, (middle + launch.spread).rounded)
    case .normal, .none: return nil
    }
  }

  /// The middle of the directions in space. Nil for the directions of the shape, and for all directions.
  private var axis: Vector? {
    let launch = emitter.launch
    guard launch.spread < 90 else { return nil }
    switch launch.direction.mode {
    case .vector: return launch.direction.vector.length > 0 ? launch.direction.vector : nil
    case .angle:
      let angle = Angle.radians(launch.direction.angle.mean)
      return Vector(cosine(angle).rounded, sine(angle).rounded)
    case .normal, .random, .none: return nil
    }
  }

  private mutating func aim(
    _ shape: Shape, turning rotation: Quaternion = .identity, by angle: Double, isExact: Bool,
    _ aim: AimingShapes
  ) {
    let isTurned = emitter.transform.rotation != .identity || emitter.transform.angle != 0
    guard emitter.transform.scale == .one, rotation == .identity || !isTurned else { return }
    if aim.coneRotation != nil {
      guard turnForces(against: rotation, by: angle, isTurned: isTurned) else { return }
    }
    emitter.shape = shape
    let isBox = [.point, .rect, .box].contains(shape.kind)
    emitter.launch.direction =
      isBox ? Direction(angle: .constant(aim.boxAngle ?? 0)) : Direction(.normal)
    (emitter.launch.spread, emitter.launch.spreadLaw) = (0, nil)
    if rotation != .identity { emitter.transform.rotation = rotation }
    emitter.transform.angle = (emitter.transform.angle + angle).rounded
    turnedBy += angle
    lose(
      isExact ? .restated : .approximated, .spread2D, at: "launch", also: ["shape", "transform"],
      "a direction is written as a shape that is turned to it",
      recipe: shape.kind == .cone ? "a cone" : isBox ? "a box" : "an arc of a circle",
      level: isExact ? nil : .low)
  }

  /// Accelerations act along the axes of the emitter, so that they are turned back.
  /// - Returns: false if one cannot be turned.
  private mutating func turnForces(
    against rotation: Quaternion, by angle: Double, isTurned: Bool
  ) -> Bool {
    var forces = emitter.forces
    let back =
      rotation == .identity
      ? Quaternion(inPlane: -angle)
      : Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
    for index in forces.indices where forces[index].kind == .gravity {
      let parts = [forces[index].vector.x, forces[index].vector.y, forces[index].vector.z]
      guard !isTurned, parts.allSatisfy({ $0.isPlainValue && $0.from.isNumber }) else {
        return false
      }
      let means = parts.map { $0.from.mean }
      let vector = back.turned(Vector(means[0], means[1], means[2]))
      forces[index].vector = VectorTrack(
        Track(.constant(vector.x.rounded)), Track(.constant(vector.y.rounded)),
        Track(.constant(vector.z.rounded)))
      forces[index].space = .local
    }
    guard forces != emitter.forces else { return true }
    emitter.forces = forces
    lose(
      .restated, .gravity, at: "forces", "accelerations act along the axes of the emitter",
      recipe: "turned back")
    if emitter.space == .world {
      emitter.space = .local
      lose(.approximated, .space, at: "space", "particles follow an emitter that moves")
    }
    return true
  }
}
