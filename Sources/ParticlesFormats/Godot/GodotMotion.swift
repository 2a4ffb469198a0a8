internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Launch, forces and rotation.

extension GodotReader {
  func decodeLaunch(of emitter: inout Emitter) throws {
    let direction = vector("direction") ?? Vector(1, 0)
    if kind.isSpace {
      emitter.launch.direction = Direction(
        vector: direction == .zero ? Vector(1, 0) : direction)
      emitter.launch.flatness = min(max(number("flatness", 0), 0), 1)
    } else {
      let angle = Angle.direction(direction.x, direction.y) ?? 0
      emitter.launch.direction = Direction(angle: .constant(angle))
    }
    if !emitter.shape.normals.isEmpty {
      emitter.shape.normals = emitter.shape.normals.map { aimed(direction, from: $0) }
      emitter.launch.direction = Direction(.normal)
    }
    emitter.launch.spread = min(max(number("spread", 45), 0), 180)
    if kind.isSpace, emitter.launch.spread > 0 { emitter.launch.spreadLaw = kind.spreadLaw }
    emitter.launch.speed = range("initial_velocity")
    guard let curve = try curve("initial_velocity_curve") else { return }
    emitter.motion.speed = Track(from: 0, to: 1, curve: curve)
    emitter.motion.speedMode = .replace
  }

  /// The direction in the axes of a directed point: the first is the normal in the plane, the third in
  /// space.
  private func aimed(_ direction: Vector, from normal: Vector) -> Vector {
    guard kind.isSpace else {
      let angle = Angle.direction(direction.x, direction.y) ?? 0
      let (x, y) = Angle.turned(normal.x, normal.y, by: -angle)
      return Vector(x.rounded, y.rounded)
    }
    func unit(_ vector: Vector) -> Vector {
      vector.length > 0 ? vector.times(1 / vector.length) : vector
    }
    let first = unit((normal.z.magnitude < 0.999 ? Vector(0, 0, 1) : .up).cross(normal))
    let second = unit(first.cross(normal))
    let sum = unit(
      first.times(direction.x).plus(second.times(direction.y)).plus(normal.times(direction.z)))
    return Vector(sum.x.rounded, sum.y.rounded, sum.z.rounded)
  }

  func decodeForces(of emitter: inout Emitter) throws {
    var forces: [Force] = []
    let gravity = vector("gravity") ?? Vector(0, kind.standard("gravity.y") * kind.y)
    if gravity != .zero { forces.append(.gravity(gravity)) }
    func add(_ kind: ForceKind, _ key: String, times factor: Double = 1) throws {
      let strength = try track(key)
      if strength != 0 { forces.append(Force(kind, strength: strength.scaled(by: factor))) }
    }
    try add(.linear, "linear_accel")
    try add(.radial, "radial_accel")
    let count = forces.count
    try add(.tangential, "tangential_accel", times: kind.y)
    if forces.count > count, kind.isSpace, !isFlat {
      // About the direction against gravity, in which there is none without gravity.
      if gravity == .zero {
        forces.removeLast()
        note(.assumed, "tangential_accel", "without gravity it has no axis, and no effect")
      } else {
        forces[count].axis = gravity.times(-1 / gravity.length)
      }
    }
    let damping = try track("damping")
    if damping != 0 { forces.append(.drag(.constant, strength: damping)) }
    for index in forces.indices where emitter.space == .local { forces[index].space = .local }
    emitter.forces = forces
    let orbit = try track("orbit_velocity")
    guard orbit != 0 else { return }
    guard !kind.isSpace || isFlat else {
      return note(
        .uninterpreted, "orbit_velocity", "in 3D it needs particle_flag_disable_z")
    }
    emitter.motion.orbitVelocity = orbit.scaled(by: -360 * kind.y)
  }

  /// Whether a 3D node moves its particles in a plane.
  private var isFlat: Bool { flag("particle_flag_disable_z") }

  func decodeRotation(of emitter: inout Emitter) throws {
    let sense = -kind.y
    if flag("particle_flag_align_y") {
      // The bottom of the image points ahead.
      emitter.rotation.align = .velocity
      emitter.rotation.alignOffset = 90
      return
    }
    emitter.rotation.angle = try track("angle").scaled(by: sense)
    var velocity = try track("angular_velocity", 0, .bothWays).scaled(by: sense)
    // The angle is age · velocity(age), and not an integral.
    if velocity.to != nil { velocity.curve = velocity.curve.turning }
    emitter.rotation.velocity = velocity
    if kind.isSpace, flag("particle_flag_rotate_y") {
      emitter.rotation.axis = .vector(.up)
      emitter.render.billboard = .mesh
    }
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodeLaunch() {
    let launch = emitter.launch
    var spread = launch.spread
    let law = kind.spreadLaw
    switch launch.direction.mode {
    case .angle:
      let angle = launch.direction.angle.spread
      explain(launch.direction.angle, .spread2D, at: "launch.direction")
      spread += angle.half
      putDirection(
        Vector(cos(Angle.radians(angle.center)).rounded, sin(Angle.radians(angle.center)).rounded))
      if angle.half > 0 || kind.isSpace || !(-179.999_999...180 ~= angle.center) {
        lose(
          kind.isSpace && spread > 0 ? .approximated : .restated, .spread2D, at: "launch.direction",
          also: ["launch.spread", "launch.spreadLaw"],
          kind.isSpace ? "fans become cones" : "the range of the angle is a spread")
      }
    case .vector:
      putDirection(launch.direction.vector)
      if !kind.isSpace {
        lose(
          launch.direction.vector.z == 0 ? .restated : .approximated, .cone3D,
          at: "launch.direction", "directions of 2D nodes are in the plane")
      }
    case .normal
    where emitter.shape.kind == .points && !emitter.shape.normals.isEmpty && !kind.isGPU:
      // In space, the third axis of the particle is the normal.
      putDirection(kind.isSpace ? Vector(0, 0, 1) : Vector(1, 0))
    case .random, .none, .normal:
      spread = 180
      putDirection(Vector(1, 0))
      let isLost = launch.direction.mode == .normal
      lose(
        isLost ? .lost : kind.isSpace ? .approximated : .restated, isLost ? .dirNormal : .spread2D,
        at: "launch.direction",
        also: ["launch.spread"],
        isLost ? "normals of shapes are not supported" : "written as a spread to all sides",
        recipe: isLost ? "a random direction" : nil)
    }
    put("spread", min(spread, 180).rounded)
    if spreadLaw != law, spread > 0 {
      lose(.approximated, .cone3D, at: "launch.spreadLaw", "the spread has one law")
    } else if !kind.isSpace || spread == 0 {
      drop(
        \.launch.spreadLaw, .spread2D, at: "launch.spreadLaw", "it is the law of the node",
        .restated)
    }
    if kind.isSpace {
      put("flatness", launch.flatness)
    } else {
      drop(\.launch.flatness, .cone3D, at: "launch.flatness", "directions are in the plane", .dead)
    }
    encodeSpeed()
  }

  /// Writes a direction; its length has no meaning.
  private mutating func putDirection(_ direction: Vector) {
    var direction = direction
    if !kind.isSpace { direction.z = 0 }
    put("direction", direction)
  }

  private mutating func encodeSpeed() {
    let speed = launchSpeed()
    put("initial_velocity", speed, .speedRange, at: "launch.speed")
    guard let track = emitter.motion.speed else {
      return drop(
        \.motion.speedMode, .speedCurve, at: "motion.speedMode", "without a curve it has no effect",
        .dead)
    }
    var (curve, isExact) = track.curve(lifetime: lifetime)
    if emitter.motion.speedMode == .multiply {
      curve = curve.multiplied(by: speed.mean)
      isExact = false
    }
    if !isExact || track != Track(from: 0, to: 1, curve: curve) {
      lose(
        isExact ? .restated : .approximated, .speedCurve, at: "motion.speed",
        also: ["motion.speedMode"], "a curve is the speed of all particles itself",
        recipe: isExact ? nil : "the curve of the means")
    }
    put("initial_velocity_curve", curve: curve, .speedCurve, at: "motion.speed")
  }

  mutating func encodeForces() {
    var gravity = Vector.zero
    var tracks: [String: Track] = [:]
    var kept: [ForceKind] = []
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      let key: String
      switch force.kind {
      case .gravity:
        gravity = gravity.plus(acceleration(of: force, at: place))
        kept.append(.gravity)
        continue
      case .linear: key = "linear_accel"
      case .radial: key = "radial_accel"
      case .tangential, .vortex: key = "tangential_accel"
      case .drag: key = "damping"
      case .noise, .field:
        lose(.lost, force.kind.capability, at: place, force.kind.consequence)
        continue
      }
      guard tracks[key] == nil else {
        lose(
          .approximated, force.kind.capability, at: place, "there is one force of each kind",
          recipe: "the first", level: .high)
        continue
      }
      let isRound = key == "radial_accel" || key == "tangential_accel"
      if isRound, force.center != .zero || force.falloff != 0 || force.maxDistance != nil {
        lose(
          .approximated, .attract, at: place,
          "forces start at the emitter and are independent of the distance",
          recipe: "the same strength")
      }
      tracks[key] = key == "damping" ? damping(of: force, at: place) : force.strength
      kept.append(force.kind == .vortex ? .tangential : force.kind)
    }
    put("gravity", gravity)
    let rows: [(key: String, kind: ForceKind, factor: Double)] = [
      ("linear_accel", .linear, 1), ("radial_accel", .radial, 1),
      ("tangential_accel", .tangential, kind.y), ("damping", .drag, 1),
    ]
    for (key, force, factor) in rows {
      let index = emitter.forces.firstIndex {
        ($0.kind == .vortex ? .tangential : $0.kind) == force
      }
      put(
        key, (tracks[key] ?? 0).scaled(by: factor), force.capability, curved: force.capability,
        at: "forces[\(index ?? 0)].strength")
    }
    encodeOrder(kept, gravity)
  }

  /// Reports forces whose order, space or axis is not that of the engine.
  private mutating func encodeOrder(_ kept: [ForceKind], _ gravity: Vector) {
    let order: [ForceKind] = [.gravity, .linear, .radial, .tangential, .drag]
    let space: ForceSpace = emitter.space == .world ? .world : .local
    if kept != order.filter(kept.contains) || emitter.forces.contains(where: { $0.space != space })
    {
      lose(
        .restated, .gravity, at: "forces",
        "one force of each kind acts, in a fixed order, in the space of the particles")
    }
    for (index, force) in emitter.forces.enumerated()
    where force.kind == .tangential || force.kind == .vortex {
      let length = gravity.length
      let axis = !kind.isSpace || length == 0 ? Vector(0, 0, 1) : gravity.times(-1 / length)
      if force.kind == .vortex || (force.axis.plus(axis.times(-1))).length > 1e-6
        || kind.isSpace && length == 0
      {
        lose(
          kind.isSpace ? .approximated : .restated, .tangent, at: "forces[\(index)]",
          kind.isSpace ? "the axis is that of gravity" : "written as a tangential acceleration")
      }
    }
  }

  /// Drag by a constant deceleration, which covers the same distance.
  private mutating func damping(of force: Force, at place: String) -> Track {
    guard force.law != .constant || force.direction != nil else { return force.strength }
    let speed = emitter.launch.speed.spread.center.magnitude
    let share = force.speedShare(from: speed, over: lifetime) ?? 1
    // The deceleration a with v·t − a·t²/2 = share · v·t, if it does not stop before.
    let time = max(lifetime, 1e-6)
    let strength =
      share >= 0.5
      ? 2 * (1 - share) * speed / time : share > 0 ? speed / (2 * share * time) : speed / time
    lose(
      .approximated, force.law == .euler ? .dragLin : .dragExp, at: place,
      "drag is a constant deceleration", recipe: "the same distance in the mean life")
    return .constant(strength.rounded)
  }

  mutating func encodeOrbit() {
    let motion = emitter.motion
    if kind.isSpace {
      return drop(
        \.motion.orbitVelocity, .orbitVel, at: "motion.orbitVelocity",
        "motion about the emitter is for 2D only")
    }
    put(
      "orbit_velocity", motion.orbitVelocity.scaled(by: 1 / 360), .orbitVel, curved: .orbitVel,
      at: "motion.orbitVelocity")
  }

  /// Whether particles are aligned with their motion as the engine does it, or nearly so: the bottom of
  /// the image points ahead.
  var isAligned: Bool {
    let off = (emitter.rotation.alignOffset - 90).remainder(dividingBy: 360)
    return kind.isSpace || off.magnitude <= 30 && emitter.rotation.angle == 0
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let sense = -kind.y
    put("particle_flag_align_y", .flag(rotation.align != .none))
    if rotation.align != .none {
      if rotation.align != .velocity {
        lose(.approximated, .align, at: "rotation.align", "particles are aligned with their motion")
      }
      if rotation.alignOffset != 90 {
        lose(
          .lost, .align, at: "rotation.alignOffset", "the bottom of the image points ahead")
      }
      if rotation.angle != 0 || rotation.velocity != 0 || rotation.acceleration != 0 {
        lose(
          .lost, .align, at: "rotation.angle",
          also: ["rotation.velocity", "rotation.acceleration"],
          "the direction replaces the angle")
      }
      return
    }
    drop(
      \.rotation.alignOffset, .align, at: "rotation.alignOffset",
      "without alignment the offset has no effect", .dead)
    put(
      "angle", rotation.angle.scaled(by: sense), .rot, curved: .rotCurve, at: "rotation.angle")
    var velocity = rotation.velocity
    if rotation.acceleration != 0 {
      let mean = rotation.acceleration.mean
      let curve = velocity.curve(lifetime: lifetime).curve
      velocity = Track(
        from: 0, to: 1, curve: .through(16) { curve.value(at: $0) + mean * self.lifetime * $0 })
      lose(
        .approximated, .rotAcc, at: "rotation.acceleration", also: ["rotation.velocity"],
        "the angular velocity has a curve", recipe: "acceleration × mean lifetime")
    }
    if !velocity.isPlainValue {
      let isNative = velocity.to.map { velocity == Track(from: 0, to: $0, curve: velocity.curve) }
      if isNative != true {
        velocity = Track(from: 0, to: 1, curve: velocity.curve(lifetime: lifetime).curve)
      }
      velocity.curve = velocity.curve.turned
      if rotation.acceleration == 0 {
        lose(
          .approximated, .rotVel, at: "rotation.velocity",
          "the angle is the age times a curve, not an integral",
          recipe: "the mean velocity until each age", level: isNative == true ? .low : nil)
      }
    }
    put(
      "angular_velocity", velocity.scaled(by: sense), .rotVel, curved: .rotVel,
      at: "rotation.velocity", .bothWays)
  }
}
