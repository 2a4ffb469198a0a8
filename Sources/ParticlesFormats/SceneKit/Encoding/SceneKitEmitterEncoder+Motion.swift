internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// How particles set off and what moves them.

extension SceneKitEmitterEncoder {
  mutating func encodeLaunch() {
    let launch = emitter.launch
    set("emittingDirection", vector: direction())
    let modes: [DirectionMode] = [.vector, .normal, .random]
    set("birthDirection", integer: modes.firstIndex(of: launch.direction.mode) ?? 0)
    set("spreadingAngle", number: (2 * launch.spread).rounded)
    let law = launch.spreadLaw ?? (system.asset.dimension == .plane ? .planar : .polarUniform)
    if launch.spread > 0, law == .planar {
      lose(
        .approximated, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"],
        "a fan becomes a cone", recipe: "the same angle")
    } else if launch.spreadLaw != nil {
      lose(
        .assumed, .cone3D, at: "launch.spreadLaw", "directions are spread as SceneKit does it")
    }
    lose(.spread2D, at: "launch.flatness", launch.flatness, unless: 0, "a cone is round")
    set(
      "particleVelocity", launch.direction.mode == .none ? 0 : launch.speed, .speedRange,
      at: "launch.speed")
    lose(
      .inherit, at: "launch.inheritVelocity", launch.inheritVelocity, unless: 0,
      "particles do not take over the motion of the emitter")
    set("isLocal", flag: emitter.space != .world)
    if emitter.space == .parent {
      lose(.approximated, .space, at: "space", "particles move with the node that holds the system")
    }
    set("particleLifeSpan", emitter.lifetime, .life, at: "lifetime")
  }

  /// A vector of length 1.
  private mutating func direction() -> [Double] {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .angle:
      let angle = direction.angle.mean
      if direction.angle.isConstant {
        lose(
          .restated, .spread2D, at: "launch.direction", "an angle is a direction in space",
          target: .init("emittingDirection"))
      } else {
        lose(
          .approximated, .spread2D, at: "launch.direction", "there is one direction",
          recipe: "the mean")
      }
      // Of a right angle, the cosine is not quite zero.
      return [cos(angle * .pi / 180).rounded, sin(angle * .pi / 180).rounded, 0]
    case .none:
      lose(
        .restated, .speedRange, at: "launch.direction", also: ["launch.speed"],
        "particles that go nowhere have no speed")
      return [0, 0, 1]
    case .vector, .normal, .random:
      let vector = direction.vector
      let length = (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
      guard length > 1e-12 else { return [0, 0, 1] }
      if (length - 1).magnitude > 1e-6 {
        lose(.restated, .cone3D, at: "launch.direction.vector", "its length says nothing")
      }
      return [vector.x / length, vector.y / length, vector.z / length]
    }
  }

  mutating func encodePhysics() {
    let physics = emitter.physics
    set("particleMass", physics.mass, .collide, at: "physics.mass")
    set("particleCharge", physics.charge, .collide, at: "physics.charge")
    set("particleBounce", physics.bounce, .collide, at: "physics.bounce")
    set("particleFriction", physics.friction, .collide, at: "physics.friction")
    set("physicsCollisionsEnabled", flag: physics.collides)
    set("particleDiesOnCollision", flag: physics.diesOnCollision)
    set("affectedByGravity", flag: physics.sceneGravity)
    set("affectedByPhysicsFields", flag: physics.fieldMask != 0)
    if ![0, 0xFFFF_FFFF].contains(physics.fieldMask) {
      lose(
        .approximated, .collide, at: "physics.fieldMask", "all fields act on particles, or none")
    }
  }

  // MARK: Forces

  /// One acceleration, one damping; what is there besides is lost, and their order is SceneKit's.
  mutating func encodeForces() {
    var acceleration = Vector.zero
    /// The share of the speed that is kept in a sixtieth of a second.
    var kept = 1.0
    var kinds: [ForceKind] = []
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let vector = gravity(force, place)
        acceleration = Vector(
          acceleration.x + vector.x, acceleration.y + vector.y, acceleration.z + vector.z)
        kinds.append(.gravity)
      case .drag:
        guard let share = drag(force, place) else { continue }
        kept *= 1 - share
        kinds.append(.drag)
      default:
        lose(.lost, force.kind.capability, at: place, force.kind.consequence)
      }
    }
    if ![[], [.gravity], [.drag], [.gravity, .drag]].contains(kinds) {
      lose(
        .restated, .gravity, at: "forces", "there is one acceleration, and damping acts after it")
    }
    if kinds.contains(.gravity), acceleration == .zero {
      lose(.dead, .gravity, at: "forces", "a force of zero")
    }
    set("acceleration", vector: [acceleration.x, acceleration.y, acceleration.z])
    set("dampingFactor", number: (100 * (1 - kept)).rounded)
  }

  private mutating func gravity(_ force: Force, _ place: String) -> Vector {
    let tracks = [force.vector.x, force.vector.y, force.vector.z]
    if tracks.contains(where: { !$0.isConstantOverLife || !$0.from.isConstant }) {
      lose(.approximated, .gravity, at: place, "the acceleration is constant", recipe: "the mean")
    }
    if (force.space == .local) != (emitter.space != .world) {
      lose(
        .approximated, .space, at: "\(place).space",
        "the acceleration has the axes that particles move in")
    }
    let means = tracks.map { $0.mean(lifetime: lifetime) }
    return Vector(means[0], means[1], means[2])
  }

  /// The share of the speed that is lost in a sixtieth of a second; nil if it is of another kind.
  private mutating func drag(_ force: Force, _ place: String) -> Double? {
    let strength = force.strength.mean(lifetime: lifetime)
    let share: Double
    switch force.law {
    case .perFrame60: share = strength
    case .exponential: share = 1 - exp(-strength / 60)
    case .euler: share = strength / 60
    case .constant, .limit:
      lose(.lost, .dragConst, at: place, "damping takes a share of the speed")
      return nil
    }
    if force.law == .perFrame60, force.direction == nil, force.strength.isConstantOverLife,
      force.strength.from.isConstant, 0...1 ~= strength
    {
      return share
    }
    lose(
      .approximated, force.law == .euler ? .dragLin : .dragExp, at: place,
      "damping takes the same share of the speed in each sixtieth of a second",
      recipe: "the loss in the first of them",
      target: .init("dampingFactor", .finite(100 * share)))
    return min(max(share, 0), 1)
  }

  mutating func encodeMotion() {
    let motion = emitter.motion
    switch motion.mode {
    case .ballistic: break
    case .orbit:
      lose(
        .lost, .orbit, at: "motion.mode", also: ["motion.orbit"],
        "particles do not circle; they fly off as they are launched")
    case .path:
      lose(
        .lost, .path, at: "motion.mode", also: ["motion.path"],
        "particles do not follow a path; they fly off as they are launched")
    }
    if motion.mode != .orbit, motion.orbit != nil {
      lose(.dead, .orbit, at: "motion.orbit", "particles do not circle")
    }
    if motion.mode != .path, motion.path != nil {
      lose(.dead, .path, at: "motion.path", "particles do not follow it")
    }
    if motion.speed != nil || motion.speedMode != .multiply {
      lose(
        motion.speed == nil ? .dead : .lost, .speedCurve, at: "motion.speed",
        also: ["motion.speedMode"], "the speed changes by forces only")
    }
    if motion.orbitVelocity != 0 || motion.orbitAxis != Vector(0, 0, 1) {
      lose(
        motion.orbitVelocity == 0 ? .dead : .lost, .orbitVel, at: "motion.orbitVelocity",
        also: ["motion.orbitAxis"], "particles do not turn about the emitter")
    }
    lose(.drift, at: "motion.drift", motion.drift, unless: .zero, "there is no wind")
    lose(
      .speedCurve, at: "motion.maxSpeed", motion.maxSpeed, unless: nil, "speeds have no limit")
  }
}

extension Track {
  /// The mean over the life of a particle.
  func mean(lifetime: Double) -> Double {
    guard !isConstantOverLife else { return from.mean }
    let curve = curve(lifetime: lifetime).curve
    return (0...16).reduce(0) { $0 + curve.value(at: Double($1) / 16) } / 17
  }
}
