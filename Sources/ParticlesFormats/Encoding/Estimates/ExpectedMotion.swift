internal import ParticlesCore
internal import ParticlesModel

/// Places and velocities of the particles of an emitter, relative to the emitter.
struct ExpectedMotion {
  /// One particle.
  struct Particle {
    fileprivate(set) var place: SIMD4<Double>
    fileprivate var velocity: SIMD4<Double>
    fileprivate var age = 0.0
    fileprivate let draw: ExpectedDraw
    fileprivate let startAngle: Double
    fileprivate var isAlignedToStart: Bool

    /// The direction of motion, or that in which it began, in degrees.
    var angle: Double {
      isAlignedToStart || velocity == .zero ? startAngle : angleInDegrees(velocity.y, velocity.x)
    }
  }

  private let emitter: Emitter
  private let motion: Emitter.Motion
  /// All forces but gravity.
  private let forces: [Emitter.Force]
  private let isFlat: Bool
  private let axes: (x: SIMD4<Double>, y: SIMD4<Double>)
  private let isPlain: Bool
  private let gravity: SIMD4<Double>

  init(_ emitter: Emitter, _ law: EngineLaw, isFlat: Bool) {
    (self.emitter, self.isFlat) = (emitter, isFlat)
    let (sine, cosine) = sineAndCosine(degrees: emitter.transform.angle)
    axes = (SIMD4(cosine, sine, 0, 0), SIMD4(-sine, cosine, 0, 0))
    motion = emitter.motion
    forces = emitter.forces.filter { $0.kind != .gravity }
    isPlain =
      forces.isEmpty && motion.mode == .ballistic
      && motion.speed == nil && motion.orbitVelocity == 0 && motion.drift == .zero
      && motion.maxSpeed == nil && motion.direction == nil
    gravity = emitter.forces.reduce(.zero) { sum, force in
      guard force.kind == .gravity else { return sum }
      return sum
        + SIMD4(force.vector.x.from.mean, force.vector.y.from.mean, force.vector.z.from.mean, 0)
    }
  }

  /// Whether motion and shape of an emitter can be estimated.
  static func isKnown(_ emitter: Emitter) -> Bool {
    emitter.motion.mode != .path && emitter.shape.kind != .mesh
      && !emitter.forces.contains { $0.kind == .noise || $0.kind == .field }
  }

  private func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
    (axes.x * vector.x + axes.y * vector.y + SIMD4(0, 0, vector.z, 0))
      .turned(by: emitter.transform.rotation)
  }

  func particle(_ draw: ExpectedDraw) -> Particle {
    let (place, normal) = start(draw)
    let launch = emitter.launch
    var direction: SIMD4<Double>?
    switch launch.direction.mode {
    case .angle: direction = Self.unit(launch.direction.angle.sample(draw.fourth))
    case .vector:
      let vector = launch.direction.vector
      let whole = SIMD4(vector.x, vector.y, vector.z, 0)
      direction = whole == .zero ? nil : whole / whole.length
    case .normal: direction = normal
    case .random:
      direction = isFlat ? Self.unit(360 * draw.first) : Self.ball(draw.first, draw.third)
    case .none: direction = nil
    }
    if let straight = direction, launch.spread != 0, launch.direction.mode != .random {
      direction = deviated(straight, draw)
    }
    let aim = turned(direction ?? .zero)
    return Particle(
      place: turned(place), velocity: aim * launch.speed.sample(draw.second), draw: draw,
      startAngle: aim == .zero ? 0 : angleInDegrees(aim.y, aim.x),
      isAlignedToStart: emitter.rotation.align == .birth)
  }

  private static func unit(_ degrees: Double) -> SIMD4<Double> {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return SIMD4(cosine, sine, 0, 0)
  }

  private static func ball(_ u: Double, _ v: Double) -> SIMD4<Double> {
    let height = 2 * u - 1
    let around = max(0, 1 - height * height).squareRoot() * unit(360 * v)
    return SIMD4(around.x, height, around.y, 0)
  }

  private func deviated(_ direction: SIMD4<Double>, _ draw: ExpectedDraw) -> SIMD4<Double> {
    let spread = emitter.launch.spread
    if isFlat || emitter.launch.deviationLaw(isFlat: false) == .planar {
      let turn = Self.unit(spread * (2 * draw.first - 1))
      return SIMD4(
        direction.x * turn.x - direction.y * turn.y, direction.x * turn.y + direction.y * turn.x,
        direction.z, 0)
    }
    let around = Self.unit(360 * draw.third)
    var tilt = Self.unit(spread * draw.first)
    if emitter.launch.deviationLaw(isFlat: false) == .solidUniform {
      let cosine = 1 - draw.first * (1 - Self.unit(spread).x)
      tilt = SIMD4(cosine, max(0, 1 - cosine * cosine).squareRoot(), 0, 0)
    }
    let up: SIMD4<Double> =
      direction.y.magnitude > 0.9 ? SIMD4(0, 0, 1, 0) : SIMD4(0, 1, 0, 0)
    let side = up - direction * (up * direction).sum()
    let right = side / max(side.length, 1e-9)
    return direction * tilt.x + (right * around.x + direction.cross(right) * around.y) * tilt.y
  }

  /// A place in the shape and the direction away from it.
  private func start(_ draw: ExpectedDraw) -> (place: SIMD4<Double>, normal: SIMD4<Double>) {
    let shape = emitter.shape
    var (place, normal) = (SIMD4<Double>.zero, SIMD4(0.0, 1, 0, 0))
    let (u, v, w) = (draw.third, draw.fourth, draw.life)
    let isEdge = shape.placement != .volume
    let reach =
      isEdge ? 1 : (shape.inner * shape.inner + (1 - shape.inner * shape.inner) * v).squareRoot()
    switch shape.kind {
    case .point, .mesh: break
    case .line: place = Self.unit(shape.angle) * (shape.length * (u - 0.5))
    case .rect, .box:
      place = SIMD4(shape.size.x * (u - 0.5), shape.size.y * (v - 0.5), shape.size.z * (w - 0.5), 0)
      if isEdge, shape.kind == .rect {
        let (x, y) = (shape.size.x / 2, shape.size.y / 2)
        place =
          u < x / max(x + y, 1e-9)
          ? SIMD4(2 * x * (v - 0.5), v * 8 - (v * 8).rounded(.down) < 0.5 ? y : -y, 0, 0)
          : SIMD4(v * 8 - (v * 8).rounded(.down) < 0.5 ? x : -x, 2 * y * (v - 0.5), 0, 0)
      }
    case .ellipse:
      normal = Self.unit(shape.arc.lower + (shape.arc.upper - shape.arc.lower) * u)
      place = normal * reach * SIMD4(shape.radii.x, shape.radii.y, 0, 0)
    case .sphere, .hemisphere:
      normal = Self.ball(u, v)
      if shape.kind == .hemisphere { normal.y = normal.y.magnitude }
      place = normal * (isEdge ? 1 : power(w, 1.0 / 3)) * shape.radius
    case .cone, .cylinder, .capsule, .tube, .torus:
      let ring = Self.unit(360 * u)
      normal = SIMD4(ring.x, 0, ring.y, 0)
      place = normal * (shape.radius * reach)
      if shape.kind == .cone {
        let (sine, cosine) = sineAndCosine(degrees: shape.angle * reach)
        normal = SIMD4(ring.x * sine, cosine, ring.y * sine, 0)
      } else {
        place.y = shape.height * (w - 0.5)
      }
    case .polyline, .points:
      let all = shape.kind == .points ? shape.positions : shape.points.flatMap(\.self)
      if !all.isEmpty {
        let point = all[min(Int(saturating: u * Double(all.count)), all.count - 1)]
        place = SIMD4(point.x, point.y, point.z, 0)
      }
    }
    let transform = shape.transform
    let (factor, shift) = (transform.scale, transform.translation)
    place *= SIMD4(factor.x, factor.y, factor.z, 0)
    if transform.angle != 0 {
      let turn = Self.unit(transform.angle)
      func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
          vector.x * turn.x - vector.y * turn.y, vector.x * turn.y + vector.y * turn.x, vector.z, 0)
      }
      (place, normal) = (turned(place), turned(normal))
    }
    return (
      place.turned(by: transform.rotation) + SIMD4(shift.x, shift.y, shift.z, 0),
      normal.turned(by: transform.rotation)
    )
  }

  /// Moves a particle to an age.
  func advance(_ particle: inout Particle?, to age: Double, life: Double) {
    guard var moving = particle else { return }
    defer { particle = moving }
    if motion.mode == .orbit, let orbit = motion.orbit {
      let radius = moving.draw.value(of: orbit.radius, age / life, age)
      let angle =
        orbit.angle.sample(moving.draw.first) + orbit.angularVelocity.sample(moving.draw.second)
        * age
      moving.place = Self.unit(angle + (orbit.phase180 ? 180 : 0)) * radius
      return
    }
    let time = age - moving.age
    if isPlain {
      moving.place += moving.velocity * time + gravity * (time * time / 2)
      moving.velocity += gravity * time
      moving.age = age
      return
    }
    let steps = 4
    let part = time / Double(steps)
    for _ in 0..<steps {
      moving.age += part
      step(&moving, part, life)
    }
  }

  private func step(_ moving: inout Particle, _ time: Double, _ life: Double) {
    let age = moving.age
    let x = age / life
    func strength(_ track: Track) -> Double { moving.draw.value(of: track, x, age) }
    var push = gravity
    for force in forces {
      let center = SIMD4(force.center.x, force.center.y, force.center.z, 0)
      let way = moving.place - center
      let distance = way.length
      switch force.kind {
      case .linear:
        let speed = moving.velocity.length
        if speed > 0 { push += moving.velocity / speed * strength(force.strength) }
      case .radial where distance > 0: push += way / distance * strength(force.strength)
      case .tangential where distance > 0, .vortex where distance > 0:
        push += SIMD4(-way.y, way.x, 0, 0) / distance * strength(force.strength)
      case .drag:
        let (drag, speed) = (strength(force.strength), moving.velocity.length)
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
        moving.velocity *= factor
      default: break
      }
    }
    moving.velocity += push * time
    var velocity = moving.velocity
    if let speed = motion.speed {
      let factor = strength(speed)
      let length = velocity.length
      velocity *= motion.speedMode == .multiply ? factor : length > 0 ? factor / length : 0
    }
    if let most = motion.maxSpeed {
      let (limit, length) = (strength(most), velocity.length)
      if length > limit, length > 0 { velocity *= limit / length }
    }
    if let direction = motion.direction {
      velocity = Self.unit(strength(direction)) * velocity.length
    }
    if motion.drift != .zero {
      velocity += SIMD4(
        strength(motion.drift.x), strength(motion.drift.y), strength(motion.drift.z), 0)
    }
    moving.place += velocity * time
    if motion.orbitVelocity != 0 {
      let turn = Self.unit(strength(motion.orbitVelocity) * time)
      func turned(_ vector: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
          vector.x * turn.x - vector.y * turn.y, vector.x * turn.y + vector.y * turn.x, vector.z, 0)
      }
      (moving.place, moving.velocity) = (turned(moving.place), turned(moving.velocity))
    }
  }
}

extension SIMD4<Double> {
  fileprivate func turned(by rotation: Quaternion) -> SIMD4<Double> {
    guard rotation != .identity else { return self }
    let axis = SIMD4(rotation.x, rotation.y, rotation.z, 0)
    return self + axis.cross(axis.cross(self) + self * rotation.w) * 2
  }

  fileprivate var length: Double { (self * self).sum().squareRoot() }

  fileprivate func cross(_ other: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x, 0)
  }
}
