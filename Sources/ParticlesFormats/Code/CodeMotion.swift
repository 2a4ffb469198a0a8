internal import ParticlesCore
internal import ParticlesModel

// Launch, forces and rotation of emitters that code makes.

extension FieldReader<CodeFamily> {
  func decodeDirection(of emitter: inout Emitter) {
    if let x = number("directionX"), let y = number("directionY"), let z = number("directionZ") {
      emitter.launch.direction = Direction(vector: Vector(x, y, z))
    } else {
      emitter.launch.direction = Direction(angle: .constant(number("angle", 90)))
    }
    emitter.launch.spread = min(number("spread", 0, atLeast: 0), 180)
    if flag("isPlanar") == true { emitter.launch.spreadLaw = .planar }
  }

  func decodeForces(of emitter: inout Emitter) {
    let gravity = Vector(
      number("gravityX") ?? 0, number("gravityY") ?? 0, number("gravityZ") ?? 0)
    if gravity != .zero { emitter.forces.append(.gravity(gravity)) }
    for (key, kind) in [("radial", ForceKind.radial), ("tangential", .tangential)] {
      let strength = value(key)
      if strength != 0 { emitter.forces.append(Force(kind, strength: Track(strength))) }
    }
    let drag = number("drag", 0, atLeast: 0)
    if drag != 0 { emitter.forces.append(.drag(.exponential, strength: .constant(drag))) }
    if let noise { emitter.forces.append(noise) }
  }

  func decodeRotation(of emitter: inout Emitter) {
    emitter.rotation.angle = Track(value("rotation"))
    emitter.rotation.velocity = Track(value("spin"))
  }
}

extension EmitterWriter<CodeFamily> {
  mutating func encodeDirection() {
    let launch = emitter.launch
    var spread = launch.spread
    if format.isSpatial, launch.direction.mode == .vector {
      encodeVector(launch.direction)
    } else {
      set(
        "angle",
        planarAngle(&spread, "directions away from the shape are not supported and become random"))
    }
    if spread != 0 { set("spread", spread) }
    encodeLaw(spread)
  }

  private mutating func encodeVector(_ direction: Direction) {
    let vector = direction.vector
    for (key, number) in [
      ("directionX", vector.x), ("directionY", vector.y), ("directionZ", vector.z),
    ] { set(key, number) }
    if direction != Direction(vector: vector) {
      lose(.dead, .cone3D, at: "launch.direction", "only the vector is used")
    }
  }

  /// Writes how directions are distributed.
  private mutating func encodeLaw(_ spread: Double) {
    let launch = emitter.launch
    let isPlanar = spreadLaw == .planar
    switch format.target {
    case .coreAnimation, .love: loseCone(spread)
    case .realityKit, .unity:
      let isFan = format.target == .unity && isPlanar && emitter.shape.kind == .point
      if isFan {
        set("isPlanar", flag: true)
        if launch.spreadLaw != .planar {
          lose(.restated, .spread2D, at: "launch.spreadLaw", "directions are in the plane")
        }
      } else if spread > 0, isPlanar || format.target == .unity && emitter.shape.kind != .point {
        lose(
          .approximated, isPlanar ? .spread2D : .cone3D, at: "launch.spread",
          also: ["launch.spreadLaw"], "directions deviate to every side in space",
          recipe: "an equal angle")
      } else if format.target == .unity, spread > 90, spread < 180 {
        lose(
          .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
          "cones are at most 180° wide, and wider ones are random")
      } else if launch.spreadLaw != nil {
        lose(.assumed, .cone3D, at: "launch.spreadLaw", "\(format.engine)'s own law is used")
      }
    }
  }

  mutating func encodeForces() {
    var gravity = Vector.zero
    var drag = 0.0
    var kinds: [ForceKind] = []
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let vector = acceleration(of: force, at: place)
        gravity = Vector(
          gravity.x + vector.x, gravity.y + vector.y, gravity.z + (format.isSpatial ? vector.z : 0))
        explainGravity(force, vector, place)
        kinds.append(.gravity)
      case .radial where format.target == .love && !kinds.contains(.radial),
        .tangential where format.target == .love && !kinds.contains(.tangential):
        guard encodeCentral(force, place) else { continue }
        kinds.append(force.kind)
      case .drag where format.target != .coreAnimation:
        guard let rate = dragRate(force, place) else { continue }
        drag += rate
        kinds.append(.drag)
      case .noise where format.isSpatial && !kinds.contains(.noise):
        encodeNoise(force, place)
        kinds.append(.noise)
      default:
        lose(
          .lost, lostCapability(of: force), at: place,
          force.kind == .drag ? "drag is not supported" : force.kind.consequence)
      }
    }
    for (key, number) in [
      ("gravityX", gravity.x), ("gravityY", gravity.y), ("gravityZ", gravity.z), ("drag", drag),
    ] where number != 0 { set(key, number) }
    let order: [ForceKind] = [.gravity, .radial, .tangential, .drag, .noise]
    let isOrdered = kinds == order.filter(kinds.contains)
    if !isOrdered || kinds.count < emitter.forces.count
      || kinds.contains(.gravity) && gravity == .zero
      || kinds.contains(.drag) && drag == 0
    {
      lose(.restated, .gravity, at: "forces", "there is one force of each kind")
    }
  }

  private func lostCapability(of force: Force) -> Capability {
    let isSupported = format.table.capabilities[force.kind.capability] == .exact
    return isSupported ? .extra : force.kind.capability
  }

  private mutating func explainGravity(_ force: Force, _ vector: Vector, _ place: String) {
    loseTraits(ofGravity: force, at: place)
    if !format.isSpatial, vector.z != 0 {
      lose(.lost, .extra, at: "\(place).vector", "\(format.engine) is 2D only", level: .medium)
    }
    if force.space != .world {
      lose(
        emitter.transform.angle == 0 && emitter.transform.rotation == .identity
          ? .restated : .approximated, .space, at: "\(place).space",
        "accelerations are not in the coordinate space of the emitter")
    }
  }

  /// Writes a force about the emitter. False, after a report, if it cannot be stated.
  private mutating func encodeCentral(_ force: Force, _ place: String) -> Bool {
    guard force.center == .zero, force.falloff == 0, force.maxDistance == nil else {
      lose(
        .lost, .extra, at: place, "a centre, a distance and a falloff are not supported",
        level: .high)
      return false
    }
    let isRadial = force.kind == .radial
    let capability: Capability = isRadial ? .radial : .tangent
    var strength = force.strength.from
    if !force.strength.isPlainValue {
      strength = .constant(force.strength.mean(lifetime: lifetime))
      lose(
        .approximated, capability, at: place, "the force is constant over life", recipe: "the mean")
    } else if strength == 0 || force != Force(force.kind, strength: Track(strength)) {
      lose(.dead, capability, at: place, "only the strength is used")
    }
    set(isRadial ? "radial" : "tangential", strength, capability, at: "\(place).strength")
    return strength.spread.center != 0 || strength.spread.half != 0
  }

  /// The share of the speed that is lost per second. Nil, after a report, for other laws.
  private mutating func dragRate(_ force: Force, _ place: String) -> Double? {
    let strength = force.strength.mean(lifetime: lifetime)
    let capability: Capability = force.law == .euler ? .linearDrag : .exponentialDrag
    let rate: Double
    switch force.law {
    case .exponential, .euler: rate = max(strength, 0)
    case .perFrame60 where strength < 1: rate = max(-60 * logarithm(1 - max(strength, 0)), 0)
    default:
      lose(.lost, .constantDrag, at: place, "drag is always proportional to the speed")
      return nil
    }
    if force != .drag(.exponential, strength: .constant(rate)) || rate == 0 {
      lose(
        .approximated, capability, at: place, "drag is a constant share of the speed per second",
        recipe: "\(shortText(rate.rounded)) per second")
    } else if format.target == .realityKit {
      lose(
        .assumed, capability, at: place,
        "dampingFactor is assumed to be the share of the speed that is lost per second")
    }
    return rate
  }

  mutating func loseMotion() {
    let motion = emitter.motion
    loseMotionMode()
    if motion.speed != nil || motion.speedMode != .multiply {
      lose(
        motion.speed == nil ? .dead : .lost, .speedCurve, at: "motion.speed",
        also: ["motion.speedMode"], "speed over life is not supported")
    }
    loseOrbitVelocity()
    drop("motion.drift")
    drop("motion.maxSpeed")
    drop("motion.direction")
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var spin = rotation.velocity.isPlainValue ? rotation.velocity.from : 0
    if !rotation.velocity.isPlainValue {
      spin = .constant(rotation.velocity.mean(lifetime: lifetime))
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity",
        "the rotation speed is constant over life",
        recipe: "the mean")
    }
    if rotation.acceleration != 0 {
      let more = rotation.acceleration.mean * lifetime / 2
      let spread = spin.spread
      spin = Value(center: spread.center + more, halfWidth: spread.half)
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration",
        also: ["rotation.velocity"],
        "angular acceleration is not supported", recipe: "the mean velocity")
    }
    if format.target == .coreAnimation {
      drop("rotation.angle")
    } else if rotation.angle.isPlainValue {
      set("rotation", rotation.angle.from, .rotation, at: "rotation.angle")
    } else {
      let ends = TrackEnds(rotation.angle, lifetime: lifetime)
      set("rotation", ends.start.center)
      set("rotation ±", ends.start.half)
      let change = lifetime > 0 ? (ends.end.center - ends.start.center) / lifetime : 0
      let spread = spin.spread
      spin = Value(center: spread.center + change, halfWidth: spread.half)
      lose(
        .approximated, .rotationCurve, at: "rotation.angle", also: ["rotation.velocity"],
        "rotation is a start angle and a speed", recipe: "the best-fit line")
    }
    if format.target == .love, spin.spread.half != 0 {
      let (center, half, _) = spin.spread
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity",
        "speeds at the start and at the end of life are randomised independently",
        recipe: half > center.magnitude / 2 ? "the range is at most the speed itself" : nil)
      spin = Value(center: center, halfWidth: min(half, center.magnitude / 2))
    }
    set("spin", spin, .rotationSpeed, at: "rotation.velocity")
  }
}

// Noise of emitters that code makes. No engine documents its noise function.

extension FieldReader<CodeFamily> {
  var noise: Force? {
    guard let strength = number("noiseStrength") else { return nil }
    var force = Force(.noise, strength: .constant(strength))
    force.scale = number("noiseScale", 1, atLeast: 1e-6)
    force.speed = number("noiseSpeed") ?? 0
    force.octaves = min(max(integer("noiseOctaves") ?? 1, 1), 16)
    if format.target == .unity { force.target = .position }
    return force
  }
}

extension EmitterWriter<CodeFamily> {
  mutating func encodeNoise(_ force: Force, _ place: String) {
    let mean = force.strength.mean(lifetime: lifetime)
    var (strength, octaves) = (mean, force.octaves)
    var recipe = "equal numbers"
    switch format.target {
    case .unity:
      octaves = min(octaves, 4)
      if force.target == .velocity {
        strength *= lifetime / 2
        recipe = "a velocity: the acceleration × half of the mean lifetime"
      }
    default:
      octaves = 1
      if force.target == .position { recipe = "equal numbers, as an acceleration" }
    }
    set("noiseStrength", strength)
    set("noiseScale", force.scale)
    if force.speed != 0 { set("noiseSpeed", force.speed) }
    if octaves != 1 { set("noiseOctaves", integer: octaves) }
    var differences = ["the noise of \(format.engine) is another function"]
    if !force.strength.isPlainValue || !force.strength.from.isNumber {
      differences.append("its strength is constant")
    }
    if octaves != force.octaves {
      differences.append("it has at most \(octaves) layer\(octaves == 1 ? "" : "s")")
    }
    lose(
      .approximated, .noise, at: place, differences.joined(separator: ", "), recipe: recipe,
      level: .medium)
  }
}
