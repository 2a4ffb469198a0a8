internal import ParticlesCore
internal import ParticlesModel

// Launch, forces and rotation.

/// The properties of forces besides gravity, in the order in which the engine applies them.
private let forceKeys: [(key: String, kind: ForceKind)] = [
  ("linear_accel", .linear), ("radial_accel", .radial), ("tangential_accel", .tangential),
  ("damping", .drag),
]

extension GodotReader {
  func decodeLaunch(of emitter: inout Emitter) throws(Failure) {
    let direction = vector("direction") ?? Vector(1, 0)
    if !emitter.shape.normals.isEmpty {
      emitter.shape.normals = emitter.shape.normals.map { aimed(direction, from: $0) }
      emitter.launch.direction = Direction(.normal)
    } else if kind.isSpace {
      emitter.launch.direction = Direction(
        vector: direction == .zero ? Vector(1, 0) : direction)
    } else {
      let angle = Angle.direction(direction.x, direction.y) ?? 0
      emitter.launch.direction = Direction(angle: .constant(angle))
    }
    if kind.isSpace { emitter.launch.flatness = min(max(number("flatness", 0), 0), 1) }
    emitter.launch.spread = min(max(number("spread", 45), 0), 180)
    if kind.isSpace, emitter.launch.spread > 0 { emitter.launch.spreadLaw = kind.spreadLaw }
    emitter.launch.speed = range("initial_velocity")
    if let curve = try curve("initial_velocity_curve") {
      emitter.motion.speed = Track(from: 0, to: 1, curve: curve)
      emitter.motion.speedMode = .replace
    }
    try decodeRadialVelocity(of: &emitter)
    decodeDirectionalVelocity(of: &emitter)
  }

  /// Whether particles are launched with a velocity away from the centre only.
  var isRadial: Bool {
    kind.path("radial_velocity") != nil && range("radial_velocity") != 0
      && range("initial_velocity") == 0
  }

  /// A velocity away from the centre of the emitter. The engine adds it to the initial velocity,
  /// and it does not accumulate (`particle_process_material.cpp` of Godot 4.3,
  /// `process_radial_displacement`). From a point it has a random direction.
  private func decodeRadialVelocity(of emitter: inout Emitter) throws(Failure) {
    guard kind.path("radial_velocity") != nil else { return }
    let speed = range("radial_velocity")
    guard speed != 0 else { return }
    guard isRadial else {
      return note(
        .uninterpreted, "radial_velocity",
        "particles have one velocity at launch, from initial_velocity",
        found: "\(shortText(speed.mean)) on average")
    }
    emitter.launch.speed = speed
    emitter.launch.spread = 0
    emitter.launch.spreadLaw = nil
    emitter.launch.flatness = 0
    switch emitter.shape.kind {
    case .rect, .ellipse, .box, .sphere: emitter.launch.direction = Direction(.normal)
    default: emitter.launch.direction = Direction(.random)
    }
    if let curve = try curve("radial_velocity_curve") {
      emitter.motion.speed = Track(from: 0, to: 1, curve: curve)
      emitter.motion.speedMode = .multiply
    }
    if speed.bounds.lower < 0 {
      note(
        .approximated, "radial_velocity", "particles fly through the centre, and do not stop there")
    } else if vector("gravity") != .zero {
      note(
        .approximated, "radial_velocity",
        "particles are launched away from the centre, and fly on as gravity bends their way",
        severity: .note)
    }
    if let pivot = vector("velocity_pivot"), pivot != .zero {
      note(.approximated, "velocity_pivot", "the centre is the emitter")
    }
  }

  /// A velocity over life in a fixed direction, which does not accumulate: a drift. Without a curve
  /// the engine has none (`process_directional_displacement` of `particle_process_material.cpp`).
  private func decodeDirectionalVelocity(of emitter: inout Emitter) {
    guard let path = kind.path("directional_velocity_curve") else { return }
    let speed = range("directional_velocity")
    func curve(_ axis: String) -> Curve? {
      guard case .array(let points)? = value("\(path)/curve_\(axis)/_data") else { return nil }
      return Curve(godot: points)
    }
    guard speed != 0 else { return }
    var drift = VectorTrack.zero
    for (axis, sign) in [("x", 1.0), ("y", kind.y), ("z", 1.0)] {
      guard let curve = curve(axis), axis != "z" || kind.isSpace else { continue }
      let track = Track(from: 0, to: .constant((speed.mean * sign).rounded), curve: curve)
      switch axis {
      case "x": drift.x = track
      case "y": drift.y = track
      default: drift.z = track
      }
    }
    guard drift != .zero else { return }
    emitter.motion.drift = drift
    if !speed.isConstant {
      note(.approximated, "directional_velocity", "all particles have its mean")
    }
  }

  /// The direction in the axes of a directed point: the first is the normal in the plane, the third in
  /// space.
  private func aimed(_ direction: Vector, from normal: Vector) -> Vector {
    guard kind.isSpace else {
      let angle = Angle.direction(direction.x, direction.y) ?? 0
      let (x, y) = Angle.turned(normal.x, normal.y, by: -angle)
      return Vector(x, y).tidied
    }
    let first = (normal.z.magnitude < 0.999 ? Vector(0, 0, 1) : .up).cross(normal).unit
    let second = first.cross(normal).unit
    let along = first.times(direction.x).plus(second.times(direction.y))
    return along.plus(normal.times(direction.z)).unit.tidied
  }

  func decodeForces(of emitter: inout Emitter) throws(Failure) {
    var forces: [Force] = []
    let gravity = vector("gravity") ?? Vector(0, kind.standard("gravity.y") * kind.y)
    if gravity != .zero { forces.append(.gravity(gravity)) }
    // Whether a 3D node moves its particles in a plane.
    let isFlat = !kind.isSpace || flag("particle_flag_disable_z")
    for (key, force) in forceKeys {
      let strength = try track(key)
      guard strength != 0 else { continue }
      switch force {
      case .drag: forces.append(.drag(.constant, strength: strength))
      case .tangential:
        forces.append(Force(force, strength: strength.scaled(by: kind.y)))
        if isFlat { continue }
        // About the direction against gravity, in which there is none without gravity.
        if gravity == .zero {
          forces.removeLast()
          note(.assumed, key, "without gravity it has no axis, and no effect")
        } else {
          forces[forces.count - 1].axis = gravity.times(-1 / gravity.length)
        }
      default: forces.append(Force(force, strength: strength))
      }
    }
    if isRadial, gravity == .zero {
      // These forces act along the initial velocity, and here it is 0.
      forces.removeAll { $0.kind == .linear || $0.kind == .drag }
    }
    for index in forces.indices where emitter.space == .local { forces[index].space = .local }
    emitter.forces = forces
    try decodeTurbulence(of: &emitter)
    let orbit = try track("orbit_velocity")
    guard orbit != 0 else { return }
    guard isFlat else {
      return note(
        .uninterpreted, "orbit_velocity", "in 3D it needs particle_flag_disable_z")
    }
    emitter.motion.orbitVelocity = orbit.scaled(by: -360 * kind.y)
  }

  func decodeRotation(of emitter: inout Emitter) throws(Failure) {
    if flag("particle_flag_align_y") {
      // The bottom of the image points ahead.
      emitter.rotation.align = .velocity
      emitter.rotation.alignOffset = 90
      return
    }
    emitter.rotation.angle = try track("angle").scaled(by: -kind.y)
    var velocity = try track("angular_velocity").scaled(by: -kind.y)
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
    if surroundings.isRadial, [.normal, .random].contains(launch.direction.mode) {
      put("radial_velocity", launchSpeed(), .speedRange, at: "launch.speed")
      if let speed = emitter.motion.speed {
        put("radial_velocity_curve", curve: speed.curve, .speedCurve, at: "motion.speed")
      }
      return
    }
    let direction = launch.direction
    var spread = launch.spread
    // Its length has no meaning.
    var vector = Vector(1, 0)
    switch direction.mode {
    case .angle:
      let angle = direction.angle.spread
      explain(direction.angle, .spread2D, at: "launch.direction")
      spread += angle.half
      let turn = Angle.radians(angle.center)
      vector = Vector(cosine(turn).rounded, sine(turn).rounded)
      if angle.half > 0 || kind.isSpace || !(-179.999_999...180 ~= angle.center) {
        lose(
          kind.isSpace && spread > 0 ? .approximated : .restated, .spread2D, at: "launch.direction",
          also: ["launch.spread", "launch.spreadLaw"],
          kind.isSpace ? "fans become cones" : "the range of the angle is a spread")
      }
    case .vector:
      vector = direction.vector
      if kind.isSpace { break }
      vector.z = 0
      lose(
        direction.vector.z == 0 ? .restated : .approximated, .cone3D,
        at: "launch.direction", "directions of 2D nodes are in the plane")
    case .normal
    where emitter.shape.kind == .points && !emitter.shape.normals.isEmpty && !kind.isGPU:
      // In space, the third axis of the particle is the normal.
      if kind.isSpace { vector = Vector(0, 0, 1) }
    case .random, .none, .normal:
      spread = 180
      let isLost = direction.mode == .normal
      lose(
        isLost ? .lost : kind.isSpace ? .approximated : .restated,
        isLost ? .directionNormal : .spread2D,
        at: "launch.direction", also: ["launch.spread"],
        isLost ? "normals of shapes are not supported" : "written as a spread to all sides",
        recipe: isLost ? "a random direction" : nil)
    }
    put("direction", vector)
    set("spread", min(spread, 180).rounded)
    if spreadLaw != kind.spreadLaw, spread > 0 {
      lose(.approximated, .cone3D, at: "launch.spreadLaw", "the spread has one law")
    } else if !kind.isSpace || spread == 0 {
      drop("launch.spreadLaw", "it is the law of the node")
    }
    if kind.isSpace {
      set("flatness", launch.flatness)
    } else {
      drop("launch.flatness", "directions are in the plane")
    }
    encodeSpeed()
  }

  private mutating func encodeSpeed() {
    let speed = launchSpeed()
    put("initial_velocity", speed, .speedRange, at: "launch.speed")
    guard let track = emitter.motion.speed else { return dropSpeedMode() }
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
    let order = [.gravity] + forceKeys.map { $0.kind }
    let others = Set(order + [.vortex] + (writesTurbulence ? [.noise] : []))
    let gravity = gravity(besides: others.subtracting([.gravity]), in: nil)
    var strengths: [ForceKind: Track] = [:]
    var kept: [ForceKind] = []
    for (index, force) in emitter.forces.enumerated() {
      let (place, written) = ("forces[\(index)]", force.kind.withoutVortex)
      guard order.contains(written) else { continue }
      guard strengths[written] == nil else {
        lose(
          .approximated, force.kind.capability, at: place, "there is one force of each kind",
          recipe: "the first", level: .high)
        continue
      }
      kept.append(written)
      if written == .gravity { continue }
      if [.radial, .tangential].contains(written) { loseDistance(of: force, at: place) }
      strengths[written] = written == .drag ? constantDrag(of: force, at: place) : force.strength
    }
    put("gravity", gravity)
    for (key, force) in forceKeys {
      let index = emitter.forces.firstIndex { $0.kind.withoutVortex == force }
      put(
        key, (strengths[force] ?? 0).scaled(by: force == .tangential ? kind.y : 1),
        force.capability, curved: force.capability, at: "forces[\(index ?? 0)].strength")
    }
    explainOrder(of: kept, by: order, in: emitter.space == .world ? .world : .local)
    explainAxes(gravity)
    encodeTurbulence()
  }

  /// Reports forces whose axis differs from the axis in the engine.
  private mutating func explainAxes(_ gravity: Vector) {
    let length = kind.isSpace ? gravity.length : 0
    let axis = length == 0 ? Vector(0, 0, 1) : gravity.times(-1 / length)
    for (index, force) in emitter.forces.enumerated()
    where force.kind.withoutVortex == .tangential
      && (force.kind == .vortex || force.axis.plus(axis.times(-1)).length > 1e-6
        || kind.isSpace && length == 0)
    {
      lose(
        kind.isSpace ? .approximated : .restated, .tangent, at: "forces[\(index)]",
        kind.isSpace
          ? "the axis is the direction of gravity" : "written as a tangential acceleration")
    }
  }

  mutating func encodeOrbit() {
    if kind.isSpace {
      return drop("motion.orbitVelocity", "motion about the emitter is for 2D only")
    }
    put(
      "orbit_velocity", emitter.motion.orbitVelocity.scaled(by: 1 / 360), .orbitalVelocity,
      curved: .orbitalVelocity, at: "motion.orbitVelocity")
  }

  /// Whether particles are aligned with their motion as the engine does it, or nearly so: the bottom of
  /// the image points ahead.
  var isAligned: Bool {
    let off = (emitter.rotation.alignOffset - 90).remainder(dividingBy: 360)
    return kind.isSpace || off.magnitude <= 30 && emitter.rotation.angle == 0
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    set("particle_flag_align_y", flag: rotation.align != .none)
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
    dropAlignOffset()
    put(
      "angle", rotation.angle.scaled(by: -kind.y), .rotation, curved: .rotationCurve,
      at: "rotation.angle")
    put(
      "angular_velocity", spin().scaled(by: -kind.y), .rotationSpeed, curved: .rotationSpeed,
      at: "rotation.velocity")
  }

  /// The angular velocity. At each age, its curve has the mean velocity until this age.
  private mutating func spin() -> Track {
    let rotation = emitter.rotation
    var velocity = rotation.velocity
    if rotation.acceleration != 0 {
      let mean = rotation.acceleration.mean
      let curve = velocity.curve(lifetime: lifetime).curve
      velocity = Track(
        from: 0, to: 1, curve: .through(16) { curve.value(at: $0) + mean * self.lifetime * $0 })
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration",
        also: ["rotation.velocity"],
        "the angular velocity has a curve", recipe: "acceleration × mean lifetime")
    }
    if velocity.isPlainValue { return velocity }
    let isNative = velocity.to.map { velocity == Track(from: 0, to: $0, curve: velocity.curve) }
    if isNative != true {
      velocity = Track(from: 0, to: 1, curve: velocity.curve(lifetime: lifetime).curve)
    }
    velocity.curve = velocity.curve.turned
    if rotation.acceleration == 0 {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity",
        "the angle is the age times a curve, not an integral",
        recipe: "the mean velocity until each age", level: isNative == true ? .low : nil)
    }
    return velocity
  }
}

// Turbulence of process materials of Godot 4.

/// The law of the turbulence of Godot 4 (`particle_process_material.cpp` of Godot 4.3): in each step, the velocity turns
/// towards a noise direction by a share, the influence, and keeps its magnitude.
private enum Turbulence {
  /// The frequency of the noise, in features per unit, for the value 0 of `turbulence_noise_scale`. At 10 it is 0.
  static let mostFrequency = 4.0
  static let mostScale = 10.0
  static let leastFrequency = 1e-3

  /// The size of features for a value of `turbulence_noise_scale`.
  static func features(_ scale: Double) -> Double {
    let root = (min(max(scale, 0), mostScale) / mostScale).squareRoot().squareRoot()
    return (1 / max(mostFrequency * (1 - root), leastFrequency)).rounded
  }

  /// The value of `turbulence_noise_scale` for a size of features.
  static func scale(_ features: Double) -> Double {
    let root = 1 - min(1 / max(features, 1e-9) / mostFrequency, 1)
    return (root * root * root * root * mostScale).rounded
  }

  /// The acceleration that an influence of 1 has: the speed that particles of a node have on average, times the steps of a
  /// second.
  static func acceleration(_ emitter: Emitter) -> Double {
    let fall = emitter.forces.filter { $0.kind == .gravity }.reduce(0.0) {
      let (x, y, z) = ($1.vector.x.from.mean, $1.vector.y.from.mean, $1.vector.z.from.mean)
      return $0 + Vector(x, y, z).length
    }
    let speed = emitter.launch.speed.mean.magnitude + fall * max(emitter.lifetime.mean, 0) / 2
    return speed / (emitter.timing.fixedStep > 0 ? emitter.timing.fixedStep : 1 / 60)
  }
}

extension GodotReader {
  /// Adds the turbulence as noise. Noise changes the velocity at an equal rate, and does not keep its magnitude.
  func decodeTurbulence(of emitter: inout Emitter) throws(Failure) {
    guard kind.path("turbulence_enabled") != nil, flag("turbulence_enabled") else { return }
    let influence = range("turbulence_influence", 0.1)
    guard influence != 0 else { return }
    let factor = Turbulence.acceleration(emitter)
    guard factor > 0 else {
      return note(
        .dead, "turbulence_enabled", "turbulence turns velocities, and nothing moves the particles")
    }
    let strength = influence.scaled(by: factor)
    var force = Force(.noise, strength: Track(strength))
    if let curve = try curve("turbulence_influence_over_life") {
      force.strength = Track(from: 0, to: strength, curve: curve)
    }
    force.scale = Turbulence.features(number("turbulence_noise_scale", 9))
    let speed = vector("turbulence_noise_speed") ?? .zero
    let random = number("turbulence_noise_speed_random", 0.2)
    force.speed = Vector(speed.length, random).length.rounded
    force.space = emitter.space == .local ? .local : .world
    emitter.forces.append(force)
    note(
      .approximated, "turbulence_enabled",
      "turbulence turns velocities. Here, noise accelerates particles at an equal rate")
    let displacement = range("turbulence_initial_displacement")
    guard displacement != 0 else { return }
    note(
      .uninterpreted, "turbulence_initial_displacement", "particles begin where the shape has them",
      found: "\(shortText(displacement.mean)) on average", severity: .note)
  }
}

extension EmitterWriter<GodotFamily> {
  /// Whether the first noise can be written as turbulence.
  var writesTurbulence: Bool { kind.path("turbulence_enabled") != nil }

  /// Writes the first force of the kind noise.
  mutating func encodeTurbulence() {
    guard writesTurbulence else { return }
    guard let index = emitter.forces.firstIndex(where: { $0.kind == .noise }) else {
      return set("turbulence_enabled", flag: false)
    }
    let (force, place) = (emitter.forces[index], "forces[\(index)]")
    let factor = Turbulence.acceleration(emitter)
    guard factor > 0 else {
      lose(.lost, .noise, at: place, "turbulence turns velocities, and nothing moves the particles")
      return set("turbulence_enabled", flag: false)
    }
    set("turbulence_enabled", flag: true)
    lose(
      .approximated, .noise, at: place,
      "turbulence turns velocities, and does not accelerate particles",
      recipe: "the share of the speed by which noise changes it in a step")
    let strength = force.strength.scaled(by: 1 / factor)
    put(
      "turbulence_influence", strength.isPlainValue ? strength.from : strength.randomFactor, .noise,
      at: "\(place).strength")
    if !strength.isPlainValue {
      put(
        "turbulence_influence_over_life", curve: strength.curve(lifetime: lifetime).curve, .noise,
        at: "\(place).strength")
    }
    set("turbulence_noise_scale", Turbulence.scale(force.scale))
    set("turbulence_noise_speed_random", force.speed.rounded)
  }
}
