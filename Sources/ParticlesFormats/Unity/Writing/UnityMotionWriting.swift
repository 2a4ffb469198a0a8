internal import ParticlesCore
internal import ParticlesModel

// Velocities, forces, limits and collisions.

extension EmitterWriter<UnityFamily> {
  mutating func encodeVelocity() {
    let motion = emitter.motion
    loseMotionMode()
    let hasOrbit = motion.orbitVelocity != 0
    let isOn = motion.drift != .zero || motion.speed != nil || hasOrbit
    turn("VelocityModule", isOn || place.number("VelocityModule.enabled") == 1)
    guard isOn || !place.isNew else {
      if motion.orbitAxis != Vector(0, 0, 1) { drop("motion.orbitAxis", "there is no orbit") }
      return
    }
    let path = "motion.drift"
    let isWorld = emitter.space == .world
    if place.isNew { set("VelocityModule.inWorldSpace", flag: isWorld) }
    var drift = motion.drift
    let inWorld = place.number("VelocityModule.inWorldSpace").map { $0 == 1 } ?? isWorld
    if inWorld != isWorld, drift != .zero,
      let numbers = [drift.x, drift.y, drift.z].numbers
    {
      // The file states the drift in world space and the effect in the emitter's, or the reverse.
      let rotation = emitter.transform.rotation
      let back = Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
      drift = VectorTrack((inWorld ? rotation : back).turned(numbers).tidied)
    }
    let axes = [(drift.x, 1.0), (drift.y, 1), (drift.z, -1)].map {
      number($0.0, .drift, at: path, times: $0.1)
    }
    setAxes(axes, "VelocityModule", ["x", "y", "z"], .drift, at: path)
    if let speed = motion.speed {
      set("VelocityModule.speedModifier", number(speed, .speedCurve, at: "motion.speed"))
    } else if place.origin("VelocityModule.speedModifier") != nil {
      set("VelocityModule.speedModifier", UnityCurves.constant(1))
    }
    encodeOrbit(hasOrbit)
  }

  private mutating func encodeOrbit(_ hasOrbit: Bool) {
    let motion = emitter.motion
    guard hasOrbit else {
      if motion.orbitAxis != Vector(0, 0, 1) { drop("motion.orbitAxis", "there is no orbit") }
      if place.origin("VelocityModule.orbitalX") != nil {
        for key in ["orbitalX", "orbitalY", "orbitalZ"] {
          set("VelocityModule.\(key)", UnityCurves.constant(0))
        }
      }
      return
    }
    let axis = motion.orbitAxis.unit
    let signs = [-axis.x, -axis.y, axis.z]
    let orbits = signs.map { sign in
      sign.magnitude < 1e-9
        ? UnityCurves.constant(0)
        : number(
          motion.orbitVelocity, .orbitalVelocity, at: "motion.orbitVelocity",
          times: sign / UnityFormat.degrees)
    }
    setAxes(
      orbits, "VelocityModule", ["orbitalX", "orbitalY", "orbitalZ"], .orbitalVelocity,
      at: "motion.orbitVelocity")
  }

  /// Writes accelerations, drag and noise. There is one of each.
  mutating func encodeForces() {
    var gravities: [Int] = []
    var (drag, noise): (Int?, Int?)
    for (index, force) in emitter.forces.enumerated() {
      switch force.kind {
      case .gravity: gravities.append(index)
      case .drag where drag == nil && force.direction == nil: drag = index
      case .drag where force.law == .limit || force.direction != nil: dropForce(index)
      case .drag:
        lose(
          .lost, force.kind.capability, at: "forces[\(index)]", "there is one drag", level: .medium)
      case .noise where noise == nil: noise = index
      default: dropForce(index)
      }
    }
    encodeGravity(&gravities)
    encodeDrag(drag)
    encodeNoise(noise)
    // In files of Unity, drag is before accelerations.
    let order = [drag, gravities.first, noise].compactMap { $0 }
    if order != order.sorted() || gravities.count > 1 || order.count < emitter.forces.count {
      lose(.restated, .gravity, at: "forces", "there is one force of each kind, in another order")
    }
  }

  private mutating func encodeGravity(_ gravities: inout [Int]) {
    var rest = gravities
    // A file with a factor of the gravity of the scene keeps it.
    if let modifier = place.origin("InitialModule.gravityModifier"),
      modifier != .null
    {
      let old = place.gravity
      var factor = 0.0
      if old != 0, let first = rest.first,
        let vector = emitter.forces[first].numbers, vector.x == 0, vector.z == 0
      {
        factor = (-vector.y / UnityFormat.gravity).rounded
        rest.removeFirst()
      }
      set("InitialModule.gravityModifier", UnityCurves.constant(factor))
    }
    turn("ForceModule", !rest.isEmpty)
    guard let first = rest.first else { return }
    let force = emitter.forces[first]
    set("ForceModule.inWorldSpace", flag: force.space == .world)
    let path = "forces[\(first)]"
    var axes = [force.vector.x, force.vector.y, force.vector.z]
    if rest.count > 1 {
      var sum = Vector.zero
      for index in rest {
        sum = sum.plus(acceleration(of: emitter.forces[index], at: "forces[\(index)]"))
        if emitter.forces[index].space != force.space {
          lose(
            .approximated, .gravity, at: "forces[\(index)]",
            "all accelerations are in the space of the first")
        }
      }
      axes = [sum.x, sum.y, sum.z].map { Track(.constant($0.rounded)) }
      lose(.restated, .gravity, at: "forces", "accelerations are added up")
    }
    let numbers = zip(axes, [1.0, 1, -1]).map { number($0, .gravity, at: path, times: $1) }
    setAxes(numbers, "ForceModule", ["x", "y", "z"], .gravity, at: path)
    if place.isNew { set("ForceModule.randomizePerFrame", integer: 0) }
  }

  /// Limit of the speed, and drag.
  private mutating func encodeDrag(_ index: Int?) {
    let limit = emitter.motion.maxSpeed
    let force = index.map { emitter.forces[$0] }
    let module = "ClampVelocityModule"
    turn(module, limit != nil || force != nil)
    guard limit != nil || force != nil else { return }
    let path = index.map { "forces[\($0)]" } ?? ""
    var (dampen, drag) = (1.0, Track(0))
    var most = limit
    switch force?.law {
    case nil: break
    case .limit:
      let strength = single(
        force?.strength.from ?? 0, .linearDrag, at: path, "it cannot be random")
      dampen = Interval.unit.clamp(strength / 20)
      if dampen < strength / 20 {
        lose(.clamped, .linearDrag, at: path, "damping is at most 1", level: .low)
      }
      if most != nil {
        lose(.lost, .linearDrag, at: path, "there is one limit of the speed", level: .low)
      } else {
        most = Track(.constant(force?.limit ?? 0))
      }
    case .exponential: drag = force?.strength ?? 0
    case .euler:
      drag = force?.strength ?? 0
      lose(
        .approximated, .linearDrag, at: path,
        "drag is a share of the speed per second, exactly", level: .low)
    case .perFrame60:
      let strength = Interval(0, 0.999).clamp(force?.strength.mean(lifetime: lifetime) ?? 0)
      drag = Track(.constant((-60 * logarithm(1 - strength)).rounded))
      lose(
        .approximated, .exponentialDrag, at: path, "drag is a share of the speed per second",
        level: .low)
    case .constant:
      let speed = max(emitter.launch.speed.mean.magnitude, 1e-3)
      let strength = force?.strength.mean(lifetime: lifetime) ?? 0
      drag = Track(.constant((strength / speed).rounded))
      lose(
        .approximated, .constantDrag, at: path, "drag is a share of the speed per second",
        recipe: "the deceleration / the initial speed")
    }
    if place.isNew { set("\(module).separateAxis", integer: 0) }
    set(
      "\(module).magnitude",
      most.map { number($0, .speedCurve, at: "motion.maxSpeed") }
        ?? place.origin("\(module).magnitude") ?? UnityCurves.constant(1e9))
    set("\(module).dampen", most == nil ? 0 : dampen)
    set("\(module).drag", number(drag, .exponentialDrag, at: path))
    guard place.isNew else { return }
    set("\(module).multiplyDragByParticleSize", integer: 0)
    set("\(module).multiplyDragByParticleVelocity", integer: 0)
  }

  private mutating func encodeNoise(_ index: Int?) {
    turn("NoiseModule", index != nil)
    guard let index else { return }
    let (force, path) = (emitter.forces[index], "forces[\(index)]")
    let frequency = (1 / max(force.scale, 1e-6)).rounded
    var factor = 1.0
    var recipe = "equal numbers"
    if force.target == .velocity {
      factor = lifetime / 2
      recipe = "a velocity: the acceleration × half of the mean lifetime"
    }
    // With damping, the strength is in proportion to the size of the features.
    let isDamped = place.isNew ? false : place.number("NoiseModule.damping") ?? 1 != 0
    if isDamped { factor *= frequency }
    if place.isNew { set("NoiseModule.damping", integer: 0) }
    set("NoiseModule.strength", number(force.strength.scaled(by: factor), .noise, at: path))
    set("NoiseModule.frequency", frequency)
    set("NoiseModule.scrollSpeed", UnityCurves.constant(force.speed))
    set("NoiseModule.octaves", integer: min(max(force.octaves, 1), 4))
    if place.isNew {
      set("NoiseModule.separateAxes", integer: 0)
      set("NoiseModule.octaveMultiplier", 0.5)
      set("NoiseModule.octaveScale", 2)
      set("NoiseModule.positionAmount", UnityCurves.constant(1))
    }
    lose(
      .approximated, .noise, at: path, "the noise of Unity is another function", recipe: recipe,
      level: .medium)
  }

  mutating func encodeInheritance() {
    let share = emitter.launch.inheritVelocity
    turn("InheritVelocityModule", share != 0)
    guard share != 0 || place.origin("InheritVelocityModule.m_Curve") != nil else { return }
    if place.isNew { set("InheritVelocityModule.m_Mode", integer: 0) }
    set("InheritVelocityModule.m_Curve", UnityCurves.constant(share))
  }

  mutating func encodeCollision() {
    let physics = emitter.physics
    turn("CollisionModule", physics.collides)
    guard physics.collides else { return losePhysics() }
    // Old files have other names.
    func key(_ name: String) -> String {
      let old = String(name.dropFirst(2)).lowercased()
      let isOld =
        place.origin("CollisionModule.\(old)") != nil
        && place.origin("CollisionModule.\(name)") == nil
      return "CollisionModule.\(isOld ? old : name)"
    }
    if place.isNew { set("CollisionModule.type", integer: 1) }
    set(
      key("m_Bounce"), number(physics.bounce.notNegative, .collide, at: "physics.bounce"))
    set(
      key("m_Dampen"), number(physics.friction.notNegative, .collide, at: "physics.friction"))
    let isFatal =
      place.origin("CollisionModule.m_EnergyLossOnCollision") == nil
      || physics.diesOnCollision
      || place.number("CollisionModule.m_EnergyLossOnCollision.scalar") == 1
    if isFatal {
      set(
        "CollisionModule.m_EnergyLossOnCollision",
        UnityCurves.constant(physics.diesOnCollision ? 1 : 0))
    }
    var kept = Emitter.Physics()
    (kept.collides, kept.diesOnCollision) = (true, physics.diesOnCollision)
    (kept.bounce, kept.friction) = (physics.bounce, physics.friction)
    if kept != physics {
      lose(.lost, .collide, at: "physics", "only bouncing, friction and death are supported")
    }
  }
}

extension Force {
  /// The acceleration, if it is equal for all particles all the time.
  fileprivate var numbers: Vector? { [vector.x, vector.y, vector.z].numbers }
}

extension [Track] {
  /// The three numbers of axes that do not change.
  fileprivate var numbers: Vector? {
    guard allSatisfy({ $0.isPlainValue && $0.from.isNumber }) else { return nil }
    return Vector(self[0].from.mean, self[1].from.mean, self[2].from.mean)
  }
}

extension UnityPlace {
  /// The factor of the gravity of the scene in the file.
  fileprivate var gravity: Double {
    number("InitialModule.gravityModifier")
      ?? number("InitialModule.gravityModifier.scalar") ?? 0
  }
}
