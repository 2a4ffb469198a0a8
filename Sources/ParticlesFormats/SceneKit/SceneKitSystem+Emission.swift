internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// When and how many particles are born, and how they set off.

extension SceneKitSystem {
  func timing() -> Timing {
    var timing = Timing()
    timing.duration = value("emissionDuration", 1, scope: .cycle)
    timing.idle = value("idleDuration", 0, scope: .cycle)
    timing.loop = object.bool("loops") ?? true
    timing.speed = number("speedFactor", 1, atLeast: 0)
    timing.fixedStep = number("fixedTimeStep", 0, atLeast: 0)
    let warmup = number("warmupDuration", 0)
    timing.prewarm = max(warmup, 0)
    if warmup < 0 {
      timing.delay = .constant(-warmup)
      note(
        .assumed, "warmupDuration", "a negative warm-up is taken as a delay", found: "\(warmup)")
    }
    return timing
  }

  /// SceneKit counts births by period; a period of no length has all of them at once.
  func emission(_ timing: inout Timing) -> Emission {
    var emission = Emission()
    let duration = number("emissionDuration", 1, atLeast: 0)
    if case .uniform? = timing.duration {
      note(
        .approximated, "emissionDurationVariation",
        duration > 0
          ? "periods of different length have the same rate instead of the same number of births"
          : "bursts have no length")
    }
    guard duration == 0 else {
      emission.rate = value("birthRate", 1, scope: .cycle, per: duration)
      return emission
    }
    emission.bursts = [Burst(count: value("birthRate", 1, scope: .cycle))]
    timing.duration = 0
    if timing.loop, timing.idle == 0 {
      timing.idle = .constant(1 / 60)
      note(.assumed, "emissionDuration", "bursts that repeat without pause do so 60 times a second")
    }
    return emission
  }

  func launch() -> Launch {
    var launch = Launch()
    var vector = self.vector("emittingDirection", count: 3) ?? [0, 0, 1]
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    // What has no direction goes where everything goes unless told otherwise.
    vector = length > 1e-12 ? vector.map { ($0 / length).rounded } : [0, 0, 1]
    launch.direction = Direction(vector: Vector(vector[0], vector[1], vector[2]))
    launch.direction.mode = choice("birthDirection", [.vector, .normal, .random], .vector)
    let angle = number("spreadingAngle", 0, atLeast: 0)
    launch.spread = min(angle / 2, 180)
    if angle > 360 {
      note(.approximated, "spreadingAngle", "there is no more than all around", found: "\(angle)")
    }
    launch.speed = value("particleVelocity", 0)
    return launch
  }

  func physics() -> Physics {
    var physics = Physics()
    physics.mass = value("particleMass", 1)
    physics.charge = value("particleCharge", 0)
    physics.bounce = value("particleBounce", 0.7)
    physics.friction = value("particleFriction", 1)
    physics.collides = object.bool("physicsCollisionsEnabled") ?? false
    physics.diesOnCollision = object.bool("particleDiesOnCollision") ?? false
    physics.sceneGravity = object.bool("affectedByGravity") ?? false
    if object.bool("affectedByPhysicsFields") ?? false { physics.fieldMask = 0xFFFF_FFFF }
    return physics
  }

  func forces() -> [Force] {
    var forces: [Force] = []
    if let vector = vector("acceleration", count: 3), vector.contains(where: { $0 != 0 }) {
      var force = Force.gravity(Vector(vector[0], vector[1], vector[2]))
      force.space = object.bool("isLocal") ?? false ? .local : .world
      forces.append(force)
    }
    let damping = number("dampingFactor", 0)
    if damping != 0 {
      // Documented as 0 to 1; files say 5, and the engine takes off so many hundredths each frame.
      let strength = (min(max(damping, 0), 100) / 100).rounded
      forces.append(.drag(.perFrame60, strength: .constant(strength)))
      note(
        .assumed, "dampingFactor",
        "damping is taken as hundredths of the speed lost in a sixtieth of a second",
        found: "\(damping)")
    }
    return forces
  }
}
