internal import ParticlesCore
internal import ParticlesModel

// Behaviours: changes over life, forces, and sub-emitters.

/// A behaviour, or several that state properties of one kind.
struct QuarksBehavior: Sendable {
  typealias Decode =
    @Sendable (
      _ reader: TreeReader<QuarksFamily>, _ value: JSONValue, _ key: String,
      _ emitter: inout Emitter
    ) -> Void
  typealias Encode = @Sendable (_ writer: inout EmitterWriter<QuarksFamily>) -> [JSONValue]

  /// The names of the behaviours, as files have them.
  let types: [String]
  /// Reads a behaviour at a key.
  let decode: Decode
  /// Returns the behaviours for the properties that an emitter has.
  let encode: Encode
}

extension QuarksFamily {
  /// All behaviours that are read, in the order in which a new file has them.
  static let behaviors: [QuarksBehavior] = [
    QuarksBehavior(
      types: ["ColorOverLife"],
      decode: { reader, value, key, emitter in
        guard let color = value["color"] else { return }
        emitter.color.base.gradient = reader.gradient(color, key)
      },
      encode: { writer in
        writer.colorOverLife().map { [["type": "ColorOverLife", "color": $0]] } ?? []
      }),
    QuarksBehavior(
      types: ["SizeOverLife"], decode: { $0.decodeSize($1, $2, of: &$3) },
      encode: { $0.sizeOverLife() }),
    QuarksBehavior(
      types: ["ForceOverLife", "ApplyForce", "GravityForce", "LimitSpeedOverLife"],
      decode: { reader, value, key, emitter in
        if let force = reader.force(value, key, in: emitter.space) { emitter.forces.append(force) }
      }, encode: { $0.forces() }),
    QuarksBehavior(
      types: ["RotationOverLife"],
      decode: { reader, value, key, emitter in
        emitter.rotation.velocity =
          reader.overLife(value["angularVelocity"], key, times: degrees) ?? 0
      },
      encode: { writer in
        let spin = writer.spinOverLife()
        guard spin != 0 else { return [] }
        let speed = writer.overLife(spin, .rotationSpeed, at: "rotation.velocity", times: radians)
        return [["type": "RotationOverLife", "angularVelocity": speed]]
      }),
    QuarksBehavior(
      types: ["SpeedOverLife"],
      decode: { $3.motion.speed = $0.overLife($1["speed"], $2) },
      encode: { writer in
        guard let speed = writer.emitter.motion.speed else { return [] }
        let factor = writer.overLife(speed, .speedCurve, at: "motion.speed")
        return [["type": "SpeedOverLife", "speed": factor]]
      }),
    QuarksBehavior(
      types: ["OrbitOverLife"],
      decode: { reader, value, key, emitter in
        emitter.motion.orbitVelocity =
          reader.overLife(value["orbitSpeed"], key, times: degrees) ?? 0
        let axis = QuarksValue.vector(value, "axis")
        emitter.motion.orbitAxis = axis == .zero ? Vector(0, 1, 0) : axis
      }, encode: { $0.orbitOverLife() }),
    QuarksBehavior(
      types: ["FrameOverLife"],
      decode: { reader, value, key, emitter in
        if value["frame.type"]?.string == "PiecewiseBezier" {
          emitter.flipbook?.fps = .life
        } else if let start = value["frame"].flatMap({ reader.generated($0, key) }) {
          emitter.flipbook?.start = start.notNegative
        }
      }, encode: { $0.frameOverLife() }),
    QuarksBehavior(
      types: [QuarksScene.subEmitter],
      decode: { reader, value, key, emitter in
        guard let other = value["subParticleSystem"]?.int else {
          return reader.note(.uninterpreted, key, "the sub-emitter is not in the file")
        }
        let (mode, share) = (value["mode"]?.int ?? 0, value["emitProbability"]?.double ?? 1)
        let event = events.indices.contains(mode) ? events[mode] : .death
        emitter.triggers.append(trigger(event, other, Interval.unit.clamp(share)))
      }, encode: { $0.subEmitters() }),
  ]

  /// The events that start a sub-emitter, by their numbers.
  static let events: [TriggerEvent] = [.death, .birth, .frame]

  /// A sub-emitter in the document: a copy of an emitter at the place of the particle.
  static func trigger(_ event: TriggerEvent, _ emitter: Int, _ probability: Double) -> Trigger {
    var trigger = Trigger(event, emitter: emitter)
    (trigger.probability, trigger.inherit) = (probability, [.position])
    return trigger
  }
}

// MARK: Reading

extension TreeReader<QuarksFamily> {
  func decodeBehaviors(of emitter: inout Emitter) {
    for (index, value) in (array("ps.behaviors") ?? []).enumerated() {
      let (type, key) = (value["type"]?.string ?? "", "ps.behaviors[\(index)]")
      if let behavior = QuarksFamily.behaviors.first(where: { $0.types.contains(type) }) {
        behavior.decode(self, value, key, &emitter)
      } else {
        note(.uninterpreted, key, "a behaviour that is not supported", found: "'\(type.excerpt)'")
      }
    }
  }

  /// A value over life: a number for each particle, or a curve.
  fileprivate func overLife(_ value: JSONValue?, _ key: String, times factor: Double = 1) -> Track?
  {
    guard let value else { return nil }
    if let curve = QuarksValue.curve(of: value) {
      return Track(from: 0, to: .constant(factor), curve: curve)
    }
    return generated(value, key).map { Track($0.scaled(by: factor)) }
  }

  fileprivate func decodeSize(_ value: JSONValue, _ key: String, of emitter: inout Emitter) {
    guard let track = overLife(value["size"], key) else { return }
    let start = emitter.size.width.from
    guard track.to == nil else {
      return emitter.size.width = Track(from: 0, to: start, curve: track.curve)
    }
    emitter.size.width = Track(start.scaled(by: track.from.mean))
    if !track.from.isNumber { note(.approximated, key, "a random factor is its mean") }
  }

  fileprivate func force(
    _ value: JSONValue, _ key: String, in space: EmitterSpace
  ) -> Force? {
    func number(_ name: String) -> Double { value[name]?.coerced ?? 0 }
    var force = Force(.gravity)
    // Of particles that are local, their own space (`ApplyForce.ts`, `GravityForce.ts`).
    force.space = space == .world ? .world : .local
    switch value["type"]?.string {
    case "ForceOverLife":
      // Always the world (`ForceOverLife.ts`, `update`).
      force.space = .world
      let axes = ["x", "y", "z"].map { overLife(value[$0], key) ?? 0 }
      force.vector = VectorTrack(axes[0], axes[1], axes[2])
      // Nothing else would tell it from no force.
      if force.vector == .zero { return nil }
    case "ApplyForce":
      let magnitude = value["magnitude"].flatMap { generated($0, key) } ?? 0
      func axis(_ part: Double) -> Track { part == 0 ? 0 : Track(magnitude.scaled(by: part)) }
      let way = QuarksValue.vector(value, "direction")
      force.vector = VectorTrack(axis(way.x), axis(way.y), axis(way.z))
    case "GravityForce":
      force = Force(.radial, strength: .constant(-number("magnitude")))
      (force.center, force.falloff) = (QuarksValue.vector(value, "center"), 2)
    default:
      force = .drag(.limit, strength: .constant((number("dampen") * 20).rounded))
      force.limit = max(value["speed"].flatMap { generated($0, key) }?.mean ?? 0, 0)
    }
    return force
  }
}

// MARK: Writing

extension EmitterWriter<QuarksFamily> {
  mutating func encodeBehaviors() {
    set("ps.behaviors", .array(QuarksFamily.behaviors.flatMap { $0.encode(&self) }))
  }

  fileprivate mutating func overLife(
    _ track: Track, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if track.isPlainValue { return generator(track.from, capability, at: place, times: factor) }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    let isPlain = track.from == 0 && (track.to?.isNumber ?? false) && !track.relative
    if !isExact || !isPlain {
      lose(
        isExact ? .restated : .approximated, capability, at: place,
        "all particles have equal values over life")
    }
    let segments = QuarksValue.generator(curve.multiplied(by: factor))
    let again = QuarksValue.curve(of: segments).map { Track(from: 0, to: 1, curve: $0) }
    if factor == 1, again != track, !hasLine(at: place) {
      lose(.restated, capability, at: place, "curves go from 0 to 1, in Bézier segments")
    }
    return segments
  }

  fileprivate mutating func sizeOverLife() -> [JSONValue] {
    let width = emitter.size.width
    guard width.to != nil else {
      if width.rate != 0 || width.range != nil {
        lose(.lost, .sizeCurve, at: "size.width", "sizes change over life")
      }
      return []
    }
    let factor = width.from == 0 ? Track(from: 0, to: 1, curve: width.curve) : width
    let value = overLife(factor, .sizeCurve, at: "size.width")
    let isPlain = width == Track(from: 0, to: width.to, curve: width.curve)
    if !isPlain, !hasLine(at: "size.width") {
      lose(.restated, .sizeCurve, at: "size.width", "written as a factor over life")
    }
    return [["type": "SizeOverLife", "size": value]]
  }

  fileprivate mutating func orbitOverLife() -> [JSONValue] {
    let motion = emitter.motion
    guard motion.orbitVelocity != 0 else {
      drop("motion.orbitAxis", "there is no orbit")
      return []
    }
    let speed = overLife(
      motion.orbitVelocity, .orbitalVelocity, at: "motion.orbitVelocity",
      times: QuarksFamily.radians)
    return [["type": "OrbitOverLife", "orbitSpeed": speed, "axis": point(motion.orbitAxis)]]
  }

  fileprivate func frameOverLife() -> [JSONValue] {
    guard emitter.flipbook?.fps == .life else { return [] }
    let count = Double((sprite?.grid?.columns ?? 1) * (sprite?.grid?.rows ?? 1))
    let frames = Curve([CurveKey(0, 0), CurveKey(1, max(count - 1, 0))])
    return [["type": "FrameOverLife", "frame": QuarksValue.generator(frames)]]
  }

  fileprivate mutating func forces() -> [JSONValue] {
    emitter.forces.enumerated().compactMap { index, force in
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let (x, y, z) = (force.vector.x, force.vector.y, force.vector.z)
        if force.space == .local, [x, y, z].allSatisfy({ $0.isPlainValue && $0.from.isNumber }),
          emitter.space != .world
        {
          return applyForce(force.vector)
        }
        let value: JSONValue = [
          "type": "ForceOverLife", "x": overLife(x, .gravity, at: place),
          "y": overLife(y, .gravity, at: place), "z": overLife(z, .gravity, at: place),
        ]
        if force.space == .local, !hasLine(at: place) {
          let isTurned = emitter.transform.angle != 0 || emitter.transform.rotation != .identity
          lose(
            isTurned ? .approximated : .restated, .gravity, at: place,
            "accelerations act in the space of the world")
        }
        return value
      case .radial where force.falloff == 2:
        let strength = single(
          force.strength.from, .attract, at: place, "the strength cannot be random")
        if force.maxDistance != nil || !force.strength.isPlainValue {
          lose(.approximated, .attract, at: place, "the strength is constant, at any distance")
        }
        return [
          "type": "GravityForce", "center": point(force.center), "magnitude": .real(-strength),
        ]
      case .drag where force.law == .limit:
        let strength = single(force.strength.from, .linearDrag, at: place, "it cannot be random")
        if force.direction != nil || !force.strength.isPlainValue {
          lose(.approximated, .linearDrag, at: place, "drag acts along the motion")
        }
        return limit(of: force.limit, dampen: strength / 20)
      case .drag:
        guard let share = force.dragShare(over: lifetime) else { fallthrough }
        lose(
          .approximated, force.law == .euler ? .linearDrag : .exponentialDrag, at: place,
          "drag is a limit of the speed", recipe: "a limit of 0")
        // In each frame, the engine removes a third of `dampen`.
        return limit(of: 0, dampen: 3 * share)
      default:
        dropForce(index)
        return nil
      }
    }
  }

  /// A constant acceleration in the space of the particles.
  private func applyForce(_ vector: VectorTrack) -> JSONValue {
    [
      "type": "ApplyForce",
      "direction": point(Vector(vector.x.from.mean, vector.y.from.mean, vector.z.from.mean)),
      "magnitude": QuarksValue.constant(1),
    ]
  }

  private func limit(of speed: Double, dampen: Double) -> JSONValue {
    [
      "type": "LimitSpeedOverLife", "speed": QuarksValue.constant(speed),
      "dampen": .real(dampen.rounded),
    ]
  }

  fileprivate mutating func subEmitters() -> [JSONValue] {
    emitter.triggers.enumerated().compactMap { index, trigger in
      let place = "triggers[\(index)]"
      guard let mode = QuarksFamily.events.firstIndex(of: trigger.event) else {
        lose(.lost, trigger.event.capability, at: place, "this event starts no emitter")
        return nil
      }
      if trigger != QuarksFamily.trigger(trigger.event, trigger.emitter, trigger.probability) {
        lose(
          .approximated, trigger.event.capability, at: place,
          "a copy of the sub-emitter is started")
      }
      return [
        "type": .string(QuarksScene.subEmitter), "subParticleSystem": .int(trigger.emitter),
        "useVelocityAsBasis": .bool(false), "mode": .int(mode),
        "emitProbability": .real(trigger.probability),
      ]
    }
  }
}
