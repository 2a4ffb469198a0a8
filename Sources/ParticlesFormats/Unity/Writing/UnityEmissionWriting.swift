internal import ParticlesCore
internal import ParticlesModel

// Periods, emission, the place of an emitter, and emitters that others start.

extension EmitterWriter<UnityFamily> {
  private var place: UnityPlace { surroundings }

  /// Writes whether a module is on. A module that is off and not in the file stays out of it.
  mutating func turn(_ module: String, _ isOn: Bool) {
    set("\(module).enabled", flag: isOn)
  }

  mutating func encodeTiming() {
    let timing = emitter.timing
    // A burst of endless emission comes once.
    let isEndless = timing.duration == nil
    let period = period(endless: emitter.emission.bursts.isEmpty ? 5 : 100_000)
    let duration = single(period, .duration, at: "timing.duration", "it cannot be random")
    if duration < 0.05 {
      lose(.clamped, .duration, at: "timing.duration", "Unity clamps it to 0.05 s", level: .low)
    }
    set("lengthInSec", duration)
    set("looping", flag: timing.loop || isEndless)
    let isWarm = timing.prewarm > 0 && (timing.loop || isEndless)
    set("prewarm", flag: isWarm)
    if timing.prewarm > 0, !isWarm || timing.prewarm != duration {
      lose(
        isWarm ? .approximated : .lost, .prewarm, at: "timing.prewarm",
        "prewarming is one period of a loop")
    }
    set("startDelay", number(timing.delay.notNegative, .delay, at: "timing.delay"))
    if timing.delay.bounds.lower < 0 {
      lose(.clamped, .delay, at: "timing.delay", "values below 0 are 0")
    }
    set(
      place.origin("simulationSpeed") == nil && place.origin("speed") != nil
        ? "speed" : "simulationSpeed", timing.speed)
    guard place.isNew else { return }
    for (key, value) in [("playOnAwake", 1), ("useUnscaledTime", 0), ("autoRandomSeed", 1)] {
      set(key, integer: value)
    }
  }

  mutating func encodeSpace() {
    let isWorld = isInWorld()
    let isReversed = (place.number("serializedVersion") ?? 8) <= 4
    set("moveWithTransform", integer: isWorld != isReversed ? 1 : 0)
  }

  mutating func encodeStart() {
    if place.isNew { turn("InitialModule", true) }
    set(
      "InitialModule.startLifetime",
      number(clampNegative(emitter.lifetime, .life, at: "lifetime"), .life, at: "lifetime"))
    set(
      "InitialModule.startSpeed",
      number(launchSpeed(), .speedRange, at: "launch.speed"))
    let emission = emitter.emission
    let most = emission.maxAlive ?? Int(Int32.max)
    set("InitialModule.maxNumParticles", integer: min(most, Int(Int32.max)))
    if emission.maxAlive == nil {
      lose(
        .restated, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a limit is needed; it is never reached")
    } else {
      let isRing = emission.whenFull == .recycle
      set("ringBufferMode", integer: isRing ? 1 : 0)
      if !isRing { skipWhenFull() }
    }
    guard place.isNew else { return }
    set("InitialModule.gravityModifier", UnityCurves.constant(0))
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    turn("EmissionModule", true)
    set("EmissionModule.rateOverTime", number(rateOfChance(), .randomRate, at: "emission.rate"))
    if case .uniform(let range) = emission.rate, range.scope == .particle {
      lose(.restated, .randomRate, at: "emission.rate", "Unity decides when it is sampled")
    }
    set(
      "EmissionModule.rateOverDistance",
      number(emission.ratePerDistance, .rateOverDistance, at: "emission.ratePerDistance"))
    set("EmissionModule.m_BurstCount", integer: emission.bursts.count)
    let bursts = emission.bursts.enumerated().map { index, burst -> JSONValue in
      let path = "emission.bursts[\(index)]"
      let count = burst.count.scaled(by: emission.probability)
      return [
        "serializedVersion": .int(2), "time": format.real(burst.time),
        "countCurve": number(count, .burst, at: "\(path).count"),
        "cycleCount": .int(burst.cycles), "repeatInterval": format.real(burst.interval),
        "probability": format.real(burst.probability),
      ]
    }
    set("EmissionModule.m_Bursts", .array(bursts))
    if emission.probability != 1, !bursts.isEmpty {
      lose(
        .approximated, .probability, at: "emission.bursts", "spawn probability is not supported",
        recipe: "count × probability")
    }
  }

  // MARK: Place

  mutating func encodePlace() {
    if place.isNew || emitter.name != place.origin("m_Name", .gameObject)?.string {
      set("GameObject.m_Name", .string(emitter.name))
    }
    if !place.isBelowInactive { set("GameObject.m_IsActive", flag: emitter.enabled) }
    if place.isNew { set("scalingMode", integer: 1) }
    let transform = emitter.transform
    if place.scaling == 2, transform.scale != .one {
      lose(.lost, .place, at: "transform.scale", "the mode of scaling is Shape", level: .medium)
    }
    guard var own = AffineTransform(transform).inside(of: place.above)?.transformInSpace else {
      return
    }
    if place.isRoot {
      if transform.translation != .zero {
        lose(
          .lost, .place, at: "transform.translation",
          "the place of the root of a prefab means nothing, because each scene places it",
          level: .medium)
      }
      own.translation = .zero
    } else {
      setVector("Transform.m_LocalPosition", UnityFormat.flipped(own.translation))
    }
    let turn = own.rotation
    set(
      "Transform.m_LocalRotation",
      [
        "x": format.real(-turn.x + 0), "y": format.real(-turn.y + 0), "z": format.real(turn.z),
        "w": format.real(turn.w),
      ])
    guard place.scaling != 2 else { return }
    let scale = place.scaling == 1 ? transform.scale : own.scale
    setVector("Transform.m_LocalScale", Vector(scale.x, scale.y, scale.z))
    if transform.angle != 0 {
      lose(.restated, .place, at: "transform", "the rotation is one quaternion")
    }
  }

  /// Writes a vector, with the axes of Unity.
  mutating func setVector(_ key: String, _ vector: Vector) {
    set(
      key, ["x": format.real(vector.x), "y": format.real(vector.y), "z": format.real(vector.z)])
  }

  // MARK: Sub-emitters

  private static var events: [TriggerEvent] { [.living, .collision, .death] }

  mutating func encodeTriggers() {
    var list: [JSONValue] = []
    for (number, trigger) in emitter.triggers.enumerated() {
      let path = "triggers[\(number)]"
      let event = trigger.event == .birth || trigger.event == .frame ? .living : trigger.event
      guard let type = Self.events.firstIndex(of: event),
        place.systems.indices.contains(trigger.emitter)
      else {
        lose(
          .lost, trigger.event.capability, at: path,
          "this event starts no emitter; the other emitter starts by itself")
        continue
      }
      var written = Trigger(event, emitter: trigger.emitter)
      written.probability = trigger.probability
      written.inherit = [.position]
      var properties = 0
      for (bit, property) in [(1, Inheritance.color), (2, .size), (4, .rotation)]
      where trigger.inherit.contains(property) {
        properties |= bit
        written.inherit.append(property)
      }
      list.append([
        "serializedVersion": .int(3),
        "emitter": UnityReference.value(place.systems[trigger.emitter]),
        "type": .int(type), "properties": .int(properties),
        "emitProbability": format.real(trigger.probability),
      ])
      if Set(written.inherit) == Set(trigger.inherit), written.inherit != trigger.inherit {
        lose(.restated, trigger.event.capability, at: path, "written in another order")
      } else if written != trigger {
        lose(
          .approximated, trigger.event.capability, at: path,
          "the whole emitter starts at the position of the particle", level: .medium)
      }
    }
    turn("SubModule", !list.isEmpty)
    if !list.isEmpty || place.origin("SubModule.subEmitters") != nil {
      set("SubModule.subEmitters", .array(list))
    }
    if list.count < emitter.triggers.count, !list.isEmpty {
      lose(.restated, .severalEmitters, at: "triggers", "sub-emitters that are lost leave no gap")
    }
  }
}
