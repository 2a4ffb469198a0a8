internal import ParticlesCore
internal import ParticlesModel

// Modules that move particles.

extension UnityFormat {
  /// Three numbers over life, with the axes of a document.
  private static func axes(_ module: SourceNode) -> [Track] {
    [("x", 1.0), ("y", 1.0), ("z", -1.0)].map { UnityNumber(module[$0.0], times: $0.1).track }
  }

  static func decodeVelocity(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("VelocityModule") else { return }
    defer { module.passAll() }
    let axes = axes(module)
    var drift = VectorTrack(axes[0], axes[1], axes[2])
    let isWorld = module.flag("inWorldSpace")
    if drift != .zero, isWorld != (emitter.space == .world),
      emitter.transform.rotation != .identity || emitter.transform.angle != 0
    {
      // Velocities of the document are in the space in which particles move.
      if axes.allSatisfy({ $0.isPlainValue && $0.from.isNumber }) {
        let rotation = emitter.transform.rotation
        let vector = Vector(axes[0].from.mean, axes[1].from.mean, axes[2].from.mean)
        let way =
          isWorld
          ? Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w).turned(vector)
          : rotation.turned(vector)
        drift = VectorTrack(way.tidied)
      } else {
        module.note(
          .approximated, "inWorldSpace", "velocities are in the space in which particles move")
      }
    }
    emitter.motion.drift = drift
    let modifier = UnityNumber(module["speedModifier"], 1)
    if !modifier.isAlways(1) { emitter.motion.speed = modifier.track }
    decodeRadial(module, &emitter)
    decodeOrbit(module, &emitter)
  }

  /// A velocity away from the centre is a part of the initial speed where particles start in this direction.
  private static func decodeRadial(_ module: SourceNode, _ emitter: inout Emitter) {
    let radial = UnityNumber(module["radial"])
    guard !radial.isAlways(0) else { return }
    let isRound = [.sphere, .hemisphere, .ellipse, .torus].contains(emitter.shape.kind)
    let isOutwards =
      emitter.launch.direction.mode == .normal && isRound
      || emitter.launch.direction.mode == .random && emitter.shape.kind == .point
    guard isOutwards else {
      return module.note(.uninterpreted, "radial", "velocities away from the centre")
    }
    let more = radial.mean
    emitter.launch.speed = emitter.launch.speed.mapped { ($0 + more).rounded }
    module.note(
      .approximated, "radial", "velocities away from the centre are a part of the initial speed")
  }

  private static func decodeOrbit(_ module: SourceNode, _ emitter: inout Emitter) {
    let orbits = ["orbitalX", "orbitalY", "orbitalZ"].map {
      UnityNumber(module[$0], times: degrees)
    }
    let used = orbits.indices.filter { !orbits[$0].isAlways(0) }
    guard let first = used.first else { return }
    if used.count == 1 {
      emitter.motion.orbitVelocity = orbits[first].track
      // Mirroring z reverses rotations about x and y.
      emitter.motion.orbitAxis = [Vector(-1, 0, 0), Vector(0, -1, 0), Vector(0, 0, 1)][first]
    } else {
      let mean = Vector(-orbits[0].mean, -orbits[1].mean, orbits[2].mean)
      if mean != .zero {
        emitter.motion.orbitAxis = mean.unit.tidied
        emitter.motion.orbitVelocity = Track(.constant(mean.length.rounded))
      }
      let isPlain = used.allSatisfy { if case .constant = orbits[$0].form { true } else { false } }
      if !isPlain {
        module.note(.approximated, "orbitalX", "orbits about several axes become their mean")
      }
    }
    let offsets = ["orbitalOffsetX", "orbitalOffsetY", "orbitalOffsetZ"]
    if offsets.contains(where: { !UnityNumber(module[$0]).isAlways(0) }) {
      module.note(.uninterpreted, "orbitalOffsetX", "orbits about another centre")
    }
  }

  static func decodeLimit(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("ClampVelocityModule") else { return }
    defer { module.passAll() }
    let limit = UnityNumber(module["magnitude"], 1)
    let dampen = Interval.unit.clamp(module.number("dampen", 1))
    if module.flag("separateAxis") {
      module.note(.uninterpreted, "separateAxis", "limits for each axis")
    } else if dampen == 1 {
      emitter.motion.maxSpeed = limit.track.clampedToZero
    } else if dampen > 0 {
      // three.quarks, which follows Unity, removes 20 × dampen of the excess in a second (`LimitSpeedOverLife.ts`).
      var force = Force.drag(.limit, strength: .constant((dampen * 20).rounded))
      force.limit = max(limit.mean, 0).rounded
      emitter.forces.append(force)
      module["dampen"]?.note(
        .approximated, "the excess falls by 20 × dampen a second", severity: .note)
    }
    let drag = UnityNumber(module["drag"])
    guard !drag.isAlways(0) else { return }
    emitter.forces.append(.drag(.exponential, strength: drag.track.clampedToZero))
    if module.flag("multiplyDragByParticleSize", true)
      || module.flag("multiplyDragByParticleVelocity", true)
    {
      module.note(
        .approximated, "drag", "drag depends neither on the size nor on the speed of a particle")
    }
  }

  static func decodeInheritance(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("InheritVelocityModule") else { return }
    let share = UnityNumber(module["m_Curve"])
    emitter.launch.inheritVelocity = share.mean.rounded
    if module.number("m_Mode") == 1 {
      module.note(
        .approximated, "m_Mode", "particles keep the velocity of the emitter at their start")
    } else if case .constant = share.form {
    } else {
      module.note(.approximated, "m_Curve", "shares that change or are random become their mean")
    }
  }

  static func decodeForce(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("ForceModule") else { return }
    var force = Force(.gravity)
    let axes = axes(module)
    force.vector = VectorTrack(axes[0], axes[1], axes[2])
    force.space = module.flag("inWorldSpace") ? .world : .local
    if force.vector != .zero { emitter.forces.append(force) }
    if module.flag("randomizePerFrame") {
      module.note(
        .approximated, "randomizePerFrame",
        "random forces do not change during the life of a particle"
      )
    }
    module.passAll()
  }

  static func decodeNoise(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("NoiseModule") else { return }
    defer { module.passAll() }
    let frequency = module.number("frequency", 0.5, atLeast: 1e-4)
    let strength = UnityNumber(module["strength"], 1)
    // With damping, the strength is in proportion to the size of the features.
    let factor = module.flag("damping", true) ? 1 / frequency : 1
    if !UnityNumber(module["positionAmount"], 1).isAlways(0), !strength.isAlways(0) {
      var force = Force(.noise, strength: strength.track.scaled(by: factor))
      force.target = .position
      force.scale = (1 / frequency).rounded
      force.octaves = min(max(Int(saturating: module.number("octaves", 1)), 1), 4)
      force.speed = max(UnityNumber(module["scrollSpeed"]).mean, 0).rounded
      emitter.forces.append(force)
      module.note(.approximated, "the noise of Unity is another function")
    }
    if module.flag("separateAxes") {
      module.note(.approximated, "separateAxes", "noise is equally strong along all axes")
    }
    if module.flag("remapEnabled") {
      module.note(.uninterpreted, "remapEnabled", "curves for the values of noise")
    }
    for (key, what) in [("rotationAmount", "rotations by noise"), ("sizeAmount", "sizes by noise")]
    where !UnityNumber(module[key]).isAlways(0) {
      module.note(.uninterpreted, key, what)
    }
  }

  static func decodeCollision(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("CollisionModule") else { return }
    func share(_ key: String, _ standard: Double) -> Value {
      UnityNumber(module[key] ?? module[key.dropFirst(2).lowercased()], standard).value.notNegative
    }
    emitter.physics.collides = true
    emitter.physics.bounce = share("m_Bounce", 1)
    let loss = UnityNumber(module["m_EnergyLossOnCollision"])
    emitter.physics.diesOnCollision = loss.isAlways(1)
    if !loss.isAlways(1), !loss.isAlways(0) {
      module.note(.uninterpreted, "m_EnergyLossOnCollision", "lifetimes that collisions shorten")
    }
    emitter.physics.friction = share("m_Dampen", 0)
    module.passAll()
  }
}

extension Track {
  /// The track without values below 0.
  fileprivate var clampedToZero: Track {
    if to == nil { return Track(from.notNegative) }
    var track = self
    if curve.keys.contains(where: { $0.value < 0 }) { track.range = Interval(0, 1e9) }
    return track
  }
}

// Sub-emitters.

extension UnityImport {
  /// The events by their numbers (`ParticleSystemSubEmitterType`), nil for starts by a program.
  private static let events: [(name: String, event: TriggerEvent?)] = [
    ("birth", .living), ("collision", .collision), ("death", .death), ("trigger", nil),
    ("manual", nil),
  ]

  func decodeTriggers(
    _ reader: UnityReader, _ indices: [Int64: Int], _ emitter: inout Emitter
  ) {
    guard let module = reader.module("SubModule") else { return }
    defer { module.passAll() }
    var found: [(id: Int64, type: Int, properties: Int, probability: Double)] = []
    for element in (module["subEmitters"]?.all() ?? []).prefix(256) {
      guard let other = UnityReference(node: element["emitter"]) else { continue }
      found.append(
        (
          other.id, Int(saturating: element.number("type")),
          Int(saturating: element.number("properties")),
          Interval.unit.clamp(element.number("emitProbability", 1))
        ))
    }
    // Up to version 4, each kind has two keys.
    for (type, key) in ["subEmitterBirth", "subEmitterCollision", "subEmitterDeath"].enumerated() {
      for other in ["", "1"].compactMap({ UnityReference(node: module[key + $0]) }) {
        found.append((other.id, type, 0, 1))
      }
    }
    for (id, type, properties, probability) in found {
      guard let event = Self.events.indices.contains(type) ? Self.events[type].event : nil else {
        module.note(.uninterpreted, "sub-emitters that a program or a volume starts")
        continue
      }
      guard let index = scene.object(id).flatMap({ indices[$0.id] }) else {
        module.note(.uninterpreted, "a sub-emitter that is not in the file", found: "fileID \(id)")
        continue
      }
      var trigger = Trigger(event, emitter: index)
      trigger.probability = probability
      trigger.inherit = [.position]
      for (bit, property) in [(1, Inheritance.color), (2, .size), (4, .rotation)]
      where properties & bit != 0 {
        trigger.inherit.append(property)
      }
      if properties & 24 != 0 {
        module.note(
          .uninterpreted, "sub-emitters that take lifetime or duration from their particle")
      }
      emitter.triggers.append(trigger)
    }
  }
}
