internal import ParticlesCore
internal import ParticlesModel

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
