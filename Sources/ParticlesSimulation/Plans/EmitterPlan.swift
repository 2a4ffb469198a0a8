internal import ParticlesCore
internal import ParticlesModel

/// An emitter, ready for simulation: the plans that every step evaluates, and their columns.
final class EmitterPlan {
  /// Columns that every emitter has.
  enum Fixed {
    /// The part of the step that is left for a particle that was emitted in it.
    static let rest = 0
    // The first three columns need not be moved with their particles: `rest` is used in the step of
    // the emission only, and z and vz are 0 for all in most effects.
    static let (z, vz) = (1, 2)
    static let (x, y) = (3, 4)
    static let (vx, vy) = (5, 6)
    static let (age, life) = (7, 8)
    static let count = 9
  }

  let emitter: Emitter
  let index: UInt64
  let law: EngineLaw
  let isFlat: Bool
  /// The place of the emitter.
  let origin: FloatVector
  let layoutWidth: Int
  let samples: [SamplePlan]
  let colorSamples: [ColorSample]

  // Motion.
  let forces: [ForcePlan]
  let drags: [ForcePlan]
  let speed: TrackPlan?
  let isReplacingSpeed: Bool
  let greatestSpeed: TrackPlan?
  let heading: HeadingPlan?
  let orbitVelocity: TrackPlan?
  let orbitAxis: FloatVector
  let drift: (x: TrackPlan, y: TrackPlan, z: TrackPlan)?
  let orbit: OrbitPlan?
  let path: PathPlan?
  /// The sum of all forces, if all particles share it and nothing else moves them.
  let fall: FloatVector?
  let needsSpeed: Bool
  let needsDistance: Bool

  // Emission. Copying these parts of the emitter in each step would take longer than the emission.
  let shape: Shape
  let polyline: PolylinePlan?
  let launch: Launch
  let transform: Transform
  /// The direction of all particles before deviations, or nil if it is sampled.
  let fixedDirection: Vector?
  /// Whether directions deviate by an angle in the plane.
  let isDeviatingInPlane: Bool
  let variation: ShapeVariation?
  /// Whether particles have an age at their emission.
  let canBeginLater: Bool
  let lifetime: SamplePlan
  let startAge: SamplePlan
  /// Whether every particle that is emitted lives, with any random numbers.
  let isSurelyLiving: Bool
  /// The lifetime that relative ages refer to, or nil if each particle's own lifetime is used.
  let greatestLifetime: Float?
  /// Whether the emission of a particle triggers other emitters.
  let isTriggeringOnEmission: Bool

  // Appearance.
  let width: TrackPlan
  let height: TrackPlan?
  let angle: TrackPlan
  let angularVelocity: TrackPlan
  let angularAcceleration: Source
  let align: RotationAlign
  /// Degrees that are added to the angle of a direction.
  let alignOffset: Double
  /// The column of the integral of an angular velocity that changes.
  let turned: Int?
  /// The column of the direction at emission, in degrees.
  let launchAngle: Int?
  let color: ColorPlan
  let opacity: TrackPlan
  let intensity: TrackPlan
  let mix: TrackPlan
  let depth: TrackPlan
  let inherited: InheritedColumns?
  private(set) lazy var look = LookPlan(self)

  init(
    _ emitter: Emitter, index: Int, isFlat: Bool, law: EngineLaw, isTriggered: Bool
  ) {
    self.emitter = emitter
    self.index = UInt64(index)
    self.law = law
    let (shape, launch, transform) = (emitter.shape, emitter.launch, emitter.transform)
    (self.shape, self.launch, self.transform) = (shape, launch, transform)
    fixedDirection = launch.fixedDirection
    isDeviatingInPlane = launch.isDeviatingInPlane(isFlat: isFlat)
    variation = ShapeVariation(of: shape)
    polyline = PolylinePlan(shape)
    canBeginLater = emitter.emission.lifeOffset != 0
    var layout = ColumnLayout(fixed: Fixed.count)
    let emitter = emitter.scalingMotion(in: isFlat ? .plane : .space)
    let motion = emitter.motion
    let plans = emitter.forces.enumerated().map {
      ForcePlan($0.element, index: $0.offset, transform: transform, law: law, in: &layout)
    }
    forces = plans.filter { !$0.isDrag && $0.kind != .field }
    drags = plans.filter { $0.isDrag }
    speed = motion.speed.map { TrackPlan($0, "motion.speed", from: .motionSpeed, in: &layout) }
    isReplacingSpeed = motion.speedMode == .replace
    greatestSpeed = motion.maxSpeed.map {
      TrackPlan($0, "motion.maxSpeed", bounds: .positive, in: &layout)
    }
    heading = motion.direction.map { HeadingPlan($0, transform: transform, in: &layout) }
    orbitVelocity =
      motion.orbitVelocity == 0
      ? nil
      : TrackPlan(motion.orbitVelocity, "motion.orbitVelocity", from: .orbitVelocity, in: &layout)
    let axis = motion.orbitAxis.direction ?? Vector(0, 0, 1)
    let isLocal = law.motion == .placeOrbit && emitter.space != .world
    orbitAxis = FloatVector(isLocal ? transform.rotated(axis) : axis)
    drift =
      motion.drift == .zero
      ? nil
      : (
        TrackPlan(motion.drift.x, "motion.drift[0]", in: &layout),
        TrackPlan(motion.drift.y, "motion.drift[1]", in: &layout),
        TrackPlan(motion.drift.z, "motion.drift[2]", in: &layout)
      )
    orbit = motion.mode == .orbit ? motion.orbit.map { OrbitPlan($0, in: &layout) } : nil
    let isFalling =
      drags.isEmpty && motion.mode == .ballistic && speed == nil && greatestSpeed == nil
      && orbitVelocity == nil && drift == nil && heading == nil
    let constants = forces.compactMap { $0.constant }
    fall =
      isFalling && constants.count == forces.count
      ? constants.reduce(.zero) { FloatVector(x: $0.x + $1.x, y: $0.y + $1.y, z: $0.z + $1.z) }
      : nil
    path =
      motion.mode == .path
      ? motion.path.flatMap {
        PathPlan($0, isSpeedChanging: motion.speed != nil, in: &layout)
      } : nil

    let clampsSizes = law.clamping != .result
    let sizes = Interval(law.leastSize ?? 0, .greatestFiniteMagnitude)
    width = TrackPlan(
      emitter.size.width, "size.width", from: .width, bounds: sizes, clampsSamples: clampsSizes,
      in: &layout)
    height = emitter.size.height.map {
      TrackPlan(
        $0, "size.height", from: .height, bounds: sizes, clampsSamples: clampsSizes, in: &layout)
    }
    angle = TrackPlan(emitter.rotation.angle, "rotation.angle", from: .angle, in: &layout)
    angularVelocity = TrackPlan(
      emitter.rotation.velocity, "rotation.velocity", from: .angularVelocity,
      to: .property("rotation.velocity.to"), in: &layout)
    angularAcceleration = layout.source(emitter.rotation.acceleration, .angularAcceleration)
    align = emitter.rotation.align
    alignOffset = emitter.rotation.alignOffset
    turned = emitter.rotation.velocity.isConstantOverLife ? nil : layout.column()
    launchAngle =
      emitter.rotation.align == .birth || motion.mode == .path ? layout.column() : nil
    color = ColorPlan(emitter.color.base, clamping: law.clamping, in: &layout)
    opacity = TrackPlan(
      emitter.color.opacity, "color.opacity", from: .opacity, bounds: .unit, in: &layout)
    intensity = TrackPlan(
      emitter.color.intensity, "color.intensity", from: .intensity,
      to: .property("color.intensity.to"), bounds: .positive, in: &layout)
    mix = TrackPlan(emitter.color.mix, "color.mix", from: .mix, bounds: .unit, in: &layout)
    depth = TrackPlan(emitter.render.z, "render.z", in: &layout)
    inherited =
      isTriggered || !emitter.shape.colors.isEmpty ? InheritedColumns(in: &layout) : nil

    let tracks =
      [
        emitter.motion.speed, emitter.motion.maxSpeed, emitter.motion.direction,
        emitter.motion.orbitVelocity,
        emitter.size.width, emitter.size.height, emitter.rotation.angle, emitter.rotation.velocity,
        emitter.color.opacity, emitter.color.intensity, emitter.color.mix, emitter.render.z,
        motion.drift.x, motion.drift.y, motion.drift.z,
      ].compactMap { $0 } + emitter.forces.flatMap { [$0.strength, $0.vector.x, $0.vector.y] }
    needsSpeed = tracks.contains { $0.over == .speed }
    needsDistance = tracks.contains { $0.over == .distance }
    lifetime = SamplePlan(
      value: emitter.lifetime, channel: .lifetime, column: Fixed.life, bounds: nil)
    startAge = SamplePlan(
      value: emitter.emission.lifeOffset, channel: .lifeOffset, column: Fixed.age,
      bounds: .positive)
    greatestLifetime =
      law.share == .emitter ? Float(max(emitter.lifetime.bounds.upper, 1e-6)) : nil
    isSurelyLiving =
      lifetime.isPlain && startAge.isPlain
      && emitter.lifetime.bounds.lower > max(0, emitter.emission.lifeOffset.bounds.upper)
    isTriggeringOnEmission = emitter.triggers.contains { [.birth, .living].contains($0.event) }
    self.isFlat = isFlat
    origin = FloatVector(transform.translation)
    layoutWidth = layout.width
    samples = layout.samples
    colorSamples = color.samples
  }
}

extension Interval {
  /// 0 and more.
  static let positive = Interval(0, .greatestFiniteMagnitude)
}

/// The columns of values that a particle takes over from its triggering particle or its place in
/// the shape.
struct InheritedColumns {
  let (red, green, blue, alpha): (Int, Int, Int, Int)
  let angle: Int
  let size: Int

  init(in layout: inout ColumnLayout) {
    (red, green, blue, alpha) = (
      layout.column(), layout.column(), layout.column(), layout.column()
    )
    angle = layout.column()
    size = layout.column()
  }
}

/// Motion around a centre.
struct OrbitPlan {
  let angle: Source
  let angularVelocity: Source
  let radius: TrackPlan
  let phase: Float

  init(_ orbit: Orbit, in layout: inout ColumnLayout) {
    angle = layout.source(orbit.angle, .orbitAngle)
    angularVelocity = layout.source(orbit.angularVelocity, .orbitAngularVelocity)
    radius = TrackPlan(orbit.radius, "motion.orbit.radius", from: .orbitRadius, in: &layout)
    phase = orbit.phase180 ? 180 : 0
  }
}

/// The direction of motion over life.
struct HeadingPlan {
  let angle: TrackPlan
  /// Where the angles 0° and 90° point.
  let (right, up): (FloatVector, FloatVector)

  init(_ track: Track, transform: Transform, in layout: inout ColumnLayout) {
    angle = TrackPlan(track, "motion.direction", in: &layout)
    right = FloatVector(transform.rotated(Vector(1, 0)))
    up = FloatVector(transform.rotated(Vector(0, 1)))
  }
}

/// New particles that one thread samples.
struct SpawnBatch {
  let spawned: UnsafeBufferPointer<Spawn>
  let sources: UnsafeBufferPointer<Activation>
  let random: RandomNumbers
  let table: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The place of the first one.
  let first: Int
  /// How the effect moves, or nil if it rests.
  let travel: Travel?

  func column(_ column: Int) -> Slice {
    Slice(base: table[column] + first, count: spawned.count)
  }

  func columns(_ three: (Int, Int, Int)) -> Slices {
    Slices(x: column(three.0), y: column(three.1), z: column(three.2))
  }
}

/// Sines and cosines of the angles by which directions deviate in the plane.
private struct Deviations {
  let sines: UnsafePointer<Double>
  let cosines: UnsafePointer<Double>

  init(sines: UnsafeMutablePointer<Double>, cosines: UnsafeMutablePointer<Double>) {
    (self.sines, self.cosines) = (UnsafePointer(sines), UnsafePointer(cosines))
  }
}

extension EmitterPlan {
  /// The lifetime of a particle.
  /// - Parameter index: the place of the particle among particles that are emitted at one moment.
  func lifetime(_ draws: ParticleRandoms, _ index: Int) -> Double {
    lifetime.sample(law.lifetimes == .emission ? draws.first(of: index) : draws)
  }

  /// Sets all columns of new particles.
  func sample(_ batch: SpawnBatch) {
    let spawned = batch.spawned
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: spawned.count) { hashes in
      guard let base = hashes.baseAddress else { return }
      for index in spawned.indices {
        hashes[index] = batch.random.hash(emitter: self.index, particle: spawned[index].ordinal)
      }
      func draws(_ number: Int) -> ParticleRandoms {
        let spawn = spawned[number]
        return ParticleRandoms(
          random: batch.random, emitter: index, particle: spawn.ordinal,
          period: batch.sources[spawn.source].period, progress: spawn.progress,
          hash: base[number])
      }
      for sample in samples { sample.sample(into: batch.column(sample.column), base, draws) }
      lifetime.sample(into: batch.column(lifetime.column), base, draws)
      startAge.sample(into: batch.column(startAge.column), base, draws)
      for sample in colorSamples { sample.sample(into: batch.column, base, draws) }
      if law.ages == .milliseconds {
        // Whole milliseconds, less 0.3 of one, so that rounded sums of ages reach the lifetime.
        let lives = batch.column(Fixed.life)
        for number in spawned.indices {
          lives[number] = ((lives[number] * 1_000 + 0.01).rounded(.down) - 0.3) / 1_000
        }
      }
      if law.evaluation == .before {
        // Ages are sums of steps in double precision there.
        let lives = batch.column(Fixed.life)
        for number in spawned.indices { lives[number] -= 1e-5 }
      }
      if law.lifetimes == .emission {
        let lives = batch.column(Fixed.life)
        for number in spawned.indices {
          lives[number] = Float(lifetime(draws(number), spawned[number].index.0))
        }
      }
      withUnsafeTemporaryAllocation(of: Double.self, capacity: 3 * spawned.count) { numbers in
        guard let numbers = numbers.baseAddress, isDeviatingInPlane
        else { return place(batch, draws, deviations: nil) }
        let (sines, cosines) = (numbers + spawned.count, numbers + 2 * spawned.count)
        for number in spawned.indices {
          numbers[number] = launch.deviation(RandomNumbers.unit(base[number], .direction))
        }
        setSinesAndCosines(spawned.count, degrees: numbers, sines, cosines)
        place(batch, draws, deviations: Deviations(sines: sines, cosines: cosines))
      }
    }
    let rests = batch.column(Fixed.rest)
    for number in spawned.indices { rests[number] = Float(spawned[number].rest) }
    if let turned { batch.column(turned).set(.constant(0)) }
  }

  /// Sets the place, the velocity and the inherited values.
  /// - Parameter deviations: sines and cosines of angles, where directions deviate in the plane.
  private func place(
    _ batch: SpawnBatch, _ draws: (Int) -> ParticleRandoms,
    deviations: Deviations?
  ) {
    let isPoint = shape.kind == .point
    let center = ShapePoint(place: .zero, normal: .up)
    let isTurned = launch.direction.mode == .angle
    let places = batch.columns((Fixed.x, Fixed.y, Fixed.z))
    let velocities = batch.columns((Fixed.vx, Fixed.vy, Fixed.vz))
    for (index, spawn) in batch.spawned.enumerated() {
      let draws = draws(index)
      let activation = batch.sources.baseAddress.map { $0 + spawn.source }
      let point =
        isPoint
        ? center
        : polyline?.point(at: draws.unit(.shapePart))
          ?? shape.sample(
            swept(draws, spawn, activation?.pointee.clock ?? 0),
            part: draws.unit(.shapePart), ellipse: law.ellipse)
      var place = shape.transform.moved(point.place)
      if let variation { place = variation.applied(to: place, draws) }
      var origin = transform.moved(place)
      if let base = activation?.pointee.origin {
        origin = origin - transform.translation + base
      } else if let travel = batch.travel {
        origin = travel.place(origin, rest: spawn.rest)
      }
      var velocity = Vector.zero
      var (speed, aim) = (0.0, Vector.zero)
      let normal = shape.transform.rotated(point.normal)
      let deviation = deviations.map { (sine: $0.sines[index], cosine: $0.cosines[index]) }
      if let direction = launch.sample(
        draws, normal: normal, isFlat: isFlat, fixed: fixedDirection, deviation: deviation)
      {
        speed = draws.sample(launch.speed, .speed)
        aim = transform.turned(direction)
        velocity = aim * speed
      }
      if let launchAngle {
        if speed != 0, law.alignment == .velocity { aim = velocity }
        let angle = angleInDegrees(aim.y, aim.x)
        // As many turns as the document states.
        let stated = isTurned ? draws.sample(launch.direction.angle, .directionAngle) : 0
        let turns = isTurned ? ((stated + transform.angle - angle) / 360).rounded() : 0
        batch.column(launchAngle)[index] = Float(angle + 360 * turns)
      }
      if let path {
        batch.columns((path.x, path.y, path.z)).set(origin, at: index)
        batch.column(path.speed)[index] = Float(speed)
        if let way = path.way { batch.column(way)[index] = 0 }
      }
      if let parent = activation?.pointee.inheritedVelocity { velocity = velocity + parent }
      if let travel = batch.travel { velocity = velocity + travel.velocity }
      places.set(origin, at: index)
      velocities.set(velocity, at: index)
      if let inherited, let activation {
        inherit(inherited, activation.pointee, point, in: batch, at: index)
      }
    }
  }

  /// Sets the values that a particle takes over from its triggering particle and from its shape.
  private func inherit(
    _ inherited: InheritedColumns, _ activation: Activation, _ point: ShapePoint,
    in batch: SpawnBatch, at index: Int
  ) {
    let own = point.color ?? .white
    let color = activation.inheritedColor.map { own.multiplied(by: $0) } ?? own
    batch.column(inherited.red)[index] = Float(color.red)
    batch.column(inherited.green)[index] = Float(color.green)
    batch.column(inherited.blue)[index] = Float(color.blue)
    batch.column(inherited.alpha)[index] = Float(color.alpha)
    batch.column(inherited.angle)[index] = Float(activation.inheritedAngle)
    batch.column(inherited.size)[index] = Float(activation.inheritedSize)
  }

  /// The random numbers of a place in the shape.
  private func swept(
    _ draws: ParticleRandoms, _ spawn: Spawn, _ clock: Double
  ) -> (Double, Double, Double) {
    var u = (draws.unit(.position(0)), draws.unit(.position(1)), draws.unit(.position(2)))
    switch shape.sweep {
    case .random: break
    case .loop: u.0 = clock - clock.rounded(.down)
    case .pingpong:
      let half = clock / 2
      u.0 = (1 - (2 * (half - half.rounded(.down)) - 1).magnitude)
    case .spread: u.0 = (Double(spawn.index.0) + 0.5) / Double(max(spawn.index.of, 1))
    }
    return u
  }
}

extension Slices {
  fileprivate func set(_ vector: Vector, at index: Int) {
    x[index] = Float(vector.x)
    y[index] = Float(vector.y)
    z[index] = Float(vector.z)
  }
}

extension EmitterPlan {
  typealias StepTime = EmitterState.StepTime

  /// Moves the particles of a chunk.
  /// - Returns: whether a particle has reached its lifetime.
  func move(
    _ chunk: Chunk, time: StepTime, ageTime: Float?, clock: Double
  ) -> Bool {
    let rest = chunk.column(Fixed.rest).operand
    var time: Operand =
      switch time {
      case .whole(let time): .constant(time)
      case .rest: rest
      }
    let isBefore = law.evaluation == .before
    if isBefore { chunk.setInputs(self) }
    let hasDead: Bool
    if law.death == .afterLastFrame {
      hasDead = chunk.age.grow(life: chunk.life, time: time, limited: chunk[.time])
      time = chunk[.time].operand
    } else {
      hasDead = chunk.age.grow(life: chunk.life, time: ageTime.map { .constant($0) } ?? time)
    }
    let isTrapezoid = law.integrator == .trapezoid
    if let fall, turned == nil {
      self.fall(chunk, fall, time: time, isTrapezoid: isTrapezoid)
      return hasDead
    }
    if !isBefore { chunk.setInputs(self) }
    if let turned {
      let velocity = chunk[.value]
      angularVelocity.evaluate(chunk, into: velocity)
      chunk.column(turned).addProduct(velocity.operand, time)
    }
    if let orbit {
      let radius = chunk[.value]
      orbit.radius.evaluate(chunk, into: radius)
      chunk.places.setOrbit(
        start: chunk.operand(orbit.angle), turn: chunk.operand(orbit.angularVelocity),
        age: chunk.age, phase: orbit.phase, radius: radius, origin: origin)
    } else if let path {
      follow(path, chunk, time: time)
    } else if let fall {
      self.fall(chunk, fall, time: time, isTrapezoid: isTrapezoid)
    } else {
      push(chunk, time: time, clock: clock, isTrapezoid: isTrapezoid)
    }
    return hasDead
  }

  /// Moves particles under a constant acceleration.
  private func fall(
    _ chunk: Chunk, _ acceleration: FloatVector, time: Operand, isTrapezoid: Bool
  ) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    places.x.fall(velocities.x, acceleration.x, time: time, isTrapezoid: isTrapezoid)
    places.y.fall(velocities.y, acceleration.y, time: time, isTrapezoid: isTrapezoid)
    if isFlat { return }
    places.z.fall(velocities.z, acceleration.z, time: time, isTrapezoid: isTrapezoid)
  }

  /// Moves particles under any forces.
  private func push(_ chunk: Chunk, time: Operand, clock: Double, isTrapezoid: Bool) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    let noise = chunk[.noiseX, .noiseY, .noiseZ]
    let sum = chunk[.sumX, .sumY, .sumZ]
    let before = chunk[.oldX, .oldY, .oldZ]
    let effective = chunk[.moveX, .moveY, .moveZ]
    if isTrapezoid { before.set(velocities) }
    // In the plane, z and the velocity along it take part but do not change.
    let kept = (z: chunk[.keptZ], velocity: chunk[.keptVZ])
    if isFlat {
      kept.z.set(places.z.operand)
      kept.velocity.set(velocities.z.operand)
    }
    noise.set(0)
    if !forces.isEmpty {
      sum.set(0)
      for force in forces {
        force.accelerate(chunk, clock: clock, into: force.movesPlaces ? noise : sum)
      }
      velocities.addProduct(sum, time)
    }
    switch law.motion {
    case .dragSpeedOrbit, .keptSpeed, .placeOrbit: slowAndTurn(chunk, effective, time: time)
    case .orbitSpeedDrag: turnAndSlow(chunk, effective, time: time)
    }
    if isTrapezoid {
      effective.x.average(before.x)
      effective.y.average(before.y)
      effective.z.average(before.z)
    }
    if let drift {
      let value = chunk[.value]
      for (track, out) in [(drift.x, effective.x), (drift.y, effective.y), (drift.z, effective.z)] {
        track.evaluate(chunk, into: value)
        out.add(value.operand)
      }
    }
    places.x.integrate(effective.x, noise.x, time: time)
    places.y.integrate(effective.y, noise.y, time: time)
    if isFlat {
      places.z.set(kept.z.operand)
      velocities.z.set(kept.velocity.operand)
    } else {
      places.z.integrate(effective.z, noise.z, time: time)
    }
  }

  /// Drag, speed and orbit in the order of the specification.
  private func slowAndTurn(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    for drag in drags { drag.slow(chunk, time: time) }
    effective.set(velocities)
    // A negative speed is opposite to the direction.
    let headsFirst = law.alignment == .direction && isReplacingSpeed
    if headsFirst, let heading { head(heading, chunk, [velocities, effective]) }
    if let speed {
      let factor = chunk[.value]
      speed.evaluate(chunk, into: factor)
      if isReplacingSpeed {
        effective.setSpeed(factor, isLimit: false)
      } else {
        effective.scale(factor.operand)
      }
    }
    if let greatest = greatestSpeed {
      let limit = chunk[.value]
      greatest.evaluate(chunk, into: limit)
      effective.setSpeed(limit, isLimit: true)
    }
    if !headsFirst, let heading { head(heading, chunk, [velocities, effective]) }
    if law.motion == .keptSpeed { velocities.set(effective) }
    if let orbitVelocity {
      let angle = chunk[.value]
      orbitVelocity.evaluate(chunk, into: angle)
      angle.multiply(time)
      let turn = sineAndCosine(angle, chunk)
      guard law.motion != .placeOrbit else {
        let isInWorld = emitter.space == .world
        return places.turn(by: turn, about: orbitAxis, origin: isInWorld ? .zero : origin)
      }
      places.turn(by: turn, about: orbitAxis, origin: origin)
      velocities.turn(by: turn, about: orbitAxis, origin: .zero)
      effective.turn(by: turn, about: orbitAxis, origin: .zero)
    }
  }

  /// Orbit, speed and drag in the order of Godot: the orbit turns the position alone, and the new
  /// speed stays with the particle.
  private func turnAndSlow(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let velocities = chunk.velocities
    let value = chunk[.value]
    if let orbitVelocity {
      orbitVelocity.evaluate(chunk, into: value)
      value.multiply(time)
      chunk.places.turn(by: sineAndCosine(value, chunk), about: orbitAxis, origin: origin)
    }
    if let speed {
      speed.evaluate(chunk, into: value)
      if isReplacingSpeed {
        velocities.setSpeed(value, isLimit: false)
      } else {
        velocities.scale(value.operand)
      }
    }
    for drag in drags { drag.slow(chunk, time: time) }
    if let heading { head(heading, chunk, [velocities]) }
    effective.set(velocities)
    if let greatest = greatestSpeed {
      greatest.evaluate(chunk, into: value)
      effective.setSpeed(value, isLimit: true)
    }
  }

  /// The sines and cosines of angles in degrees, in columns that are free once the velocities have the sum of forces.
  private func sineAndCosine(_ degrees: Slice, _ chunk: Chunk) -> (sine: Slice, cosine: Slice) {
    let (sine, cosine) = (chunk[.sumX], chunk[.sumY])
    sine.setSineAndCosine(degrees, cosine: cosine)
    return (sine, cosine)
  }

  /// Gives velocities the direction that the track over life states.
  private func head(_ heading: HeadingPlan, _ chunk: Chunk, _ velocities: [Slices]) {
    let angle = chunk[.value]
    heading.angle.evaluate(chunk, into: angle)
    // The sum of forces is in the velocities already.
    let (sine, cosine) = (chunk[.sumX], chunk[.sumY])
    sine.setRoundedSineAndCosine(angle, cosine: cosine)
    for velocity in velocities {
      velocity.head(sine: sine, cosine: cosine, right: heading.right, up: heading.up)
    }
  }

  /// Puts particles on their path.
  private func follow(_ path: PathPlan, _ chunk: Chunk, time: Operand) {
    guard let launchAngle else { return }
    if let way = path.way, let speed {
      let value = chunk[.value]
      speed.evaluate(chunk, into: value)
      if !isReplacingSpeed { value.multiply(chunk.column(path.speed).operand) }
      chunk.column(way).addProduct(value.operand, time)
    }
    let ways = path.way.map(chunk.column)
    let (age, places, angles) = (chunk.age, chunk.places, chunk.column(launchAngle))
    let origins = chunk.columns(path.x, path.y, path.z)
    let speeds = chunk.column(path.speed)
    for index in 0..<chunk.count {
      let way = ways.map { $0[index] } ?? speeds[index] * age[index]
      let point = path.point(at: Double(way))
        .turned(about: Vector(0, 0, 1), degrees: Double(angles[index]))
      places.x[index] = origins.x[index] + Float(point.x)
      places.y[index] = origins.y[index] + Float(point.y)
      places.z[index] = origins.z[index] + Float(point.z)
    }
  }

  /// Evaluates the appearance of particles, see `Spec/document.md`, section Appearance.
  /// - Parameters:
  ///   - lastStep: the seconds of the last step.
  ///   - target: returns the memory of a column, or nil if the column is not needed.
  func evaluate(
    _ chunk: Chunk, lastStep: Float, into target: (AppearanceStorage.Part) -> Slice?
  ) {
    chunk.setInputs(self)
    if law.evaluation == .before {
      // The visible values belong to the last step, at the age before it.
      let share = chunk[.share]
      for index in 0..<chunk.count where chunk.life[index] > 0 {
        share[index] = max(0, chunk.age[index] - lastStep) / chunk.life[index]
      }
    }
    let (width, height, alpha) = (target(.width), target(.height), target(.alpha))
    if let width { self.width.evaluate(chunk, into: width) }
    if let height { self.height?.evaluate(chunk, into: height) }
    if let angle = target(.angle) { turn(chunk, into: angle) }
    let channels = (target(.red), target(.green), target(.blue), alpha)
    color.evaluate(chunk, into: channels)
    if let alpha {
      if let opacity = opacity.constant {
        if opacity != 1 { alpha.multiply(.constant(opacity)) }
      } else {
        let value = chunk[.value]
        opacity.evaluate(chunk, into: value)
        alpha.multiply(value.operand)
      }
    }
    if let out = target(.intensity) { intensity.evaluate(chunk, into: out) }
    if let out = target(.mix) { mix.evaluate(chunk, into: out) }
    if let out = target(.depth) { depth.evaluate(chunk, into: out) }
    guard let inherited else { return }
    channels.0?.multiply(chunk.column(inherited.red).operand)
    channels.1?.multiply(chunk.column(inherited.green).operand)
    channels.2?.multiply(chunk.column(inherited.blue).operand)
    channels.3?.multiply(chunk.column(inherited.alpha).operand)
    target(.angle)?.add(chunk.column(inherited.angle).operand)
    width?.multiply(chunk.column(inherited.size).operand)
    height?.multiply(chunk.column(inherited.size).operand)
  }

  /// Evaluates angles.
  private func turn(_ chunk: Chunk, into out: Slice) {
    let value = chunk[.value]
    if let start = angle.source, let turn = angularVelocity.source, turned == nil {
      out.setLinear(chunk.operand(start), chunk.operand(turn), chunk.age)
    } else {
      angle.evaluate(chunk, into: out)
      if let turned {
        out.add(chunk.column(turned).operand)
      } else {
        angularVelocity.evaluate(chunk, into: value)
        out.addProduct(value.operand, chunk.age.operand)
      }
    }
    if angularAcceleration.number != 0 {
      value.set(chunk.operand(angularAcceleration))
      value.multiply(chunk.age.operand)
      value.multiply(chunk.age.operand)
      out.addProduct(value.operand, .constant(0.5))
    }
    switch align {
    case .none: break
    case .birth:
      guard let launchAngle else { break }
      value.set(chunk.column(launchAngle).operand)
      value.add(.constant(Float(alignOffset)))
      out.add(value.operand)
    case .velocity:
      if law.alignment == .direction, let heading {
        heading.angle.evaluate(chunk, into: value)
        value.add(.constant(Float(alignOffset + emitter.transform.angle)))
        return out.add(value.operand)
      }
      out.addAngle(of: chunk.velocities, offset: alignOffset)
    }
  }
}

/// The parts of the appearance that are equal for all particles at all times.
struct LookPlan {
  /// For each part the number, if it is one.
  var constants = [Float?](repeating: nil, count: AppearanceStorage.Part.allCases.count)
  /// Whether the height is the width.
  let isSquare: Bool

  init(_ plan: EmitterPlan) {
    isSquare = plan.height == nil
    constants[AppearanceStorage.Part.intensity.rawValue] = plan.intensity.constant
    constants[AppearanceStorage.Part.mix.rawValue] = plan.mix.constant
    constants[AppearanceStorage.Part.depth.rawValue] = plan.depth.constant
    guard plan.inherited == nil else { return }
    constants[AppearanceStorage.Part.width.rawValue] = plan.width.constant
    constants[AppearanceStorage.Part.height.rawValue] = plan.height?.constant
    for (channel, part) in [AppearanceStorage.Part.red, .green, .blue].enumerated() {
      constants[part.rawValue] = plan.color.constant(channel)
    }
    if let alpha = plan.color.constant(3), let opacity = plan.opacity.constant {
      constants[AppearanceStorage.Part.alpha.rawValue] = alpha * opacity
    }
    if let angle = plan.angle.constant, plan.turned == nil, plan.angularVelocity.constant == 0,
      plan.angularAcceleration.number == 0, plan.align == .none
    {
      constants[AppearanceStorage.Part.angle.rawValue] = angle
    }
  }

  func isComputed(_ part: AppearanceStorage.Part) -> Bool {
    constants[part.rawValue] == nil && !(part == .height && isSquare)
  }

  /// Whether nothing has to be computed.
  var isConstant: Bool { !AppearanceStorage.Part.allCases.contains(where: isComputed) }
}
