internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Nested particle systems that particles of others spawn.

struct SceneKitSystems {
  /// The maximum nesting depth of systems.
  fileprivate static let levels = 8

  /// The keys of systems that are spawned, in the order in which they are read.
  fileprivate static let keys: [(key: String, event: TriggerEvent, suffix: String)] = [
    ("systemSpawnedOnCollision", .collision, "on collision"),
    ("systemSpawnedOnDying", .death, "on dying"), ("systemSpawnedOnLiving", .frame, "on living"),
  ]

  /// The systems, each before those that its particles spawn.
  var found: [KeyedEmitter<SceneKitFamily>] {
    systems.map {
      KeyedEmitter(format: .shared, object: $0.object, name: $0.name, place: $0.place)
    }
  }

  private var systems: [(object: ArchivedObject, name: String, place: SceneKitFamily.Place)] = []

  private var numbers: [KeyedArchive.Index: Int] = [:]

  /// Adds a system and, after it, those that its particles spawn.
  @discardableResult
  mutating func add(_ object: ArchivedObject, name: String, below above: [Int]) throws -> Int {
    let index = systems.count
    numbers[object.index] = index
    systems.append((object, name, SceneKitFamily.Place(above: above)))
    for (key, event, suffix) in Self.keys {
      guard let spawned = try object.object(key),
        let target = try spawn(spawned, name: "\(name) \(suffix)", below: above + [index])
      else { continue }
      var trigger = Trigger(event, emitter: target)
      trigger.inherit = [.position]
      systems[index].place.triggers.append(trigger)
    }
    return index
  }

  private mutating func spawn(_ object: ArchivedObject, name: String, below above: [Int]) throws
    -> Int?
  {
    let className = SceneKitFamily.shared.classes[0]
    guard object.isA(className) else {
      object.mismatch(
        "$class", expected: className, found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    let known = numbers[object.index]
    var fault: String?
    if let known, above.contains(known) {
      fault = "a particle system that spawns itself"
    } else if known == nil, above.count > Self.levels {
      fault = "particle systems spawned \(above.count) levels deep"
    }
    if let fault {
      object.note(.uninterpreted, fault)
      return nil
    }
    return try known ?? add(object, name: name, below: above)
  }
}

extension EmitterWriter<SceneKitFamily> {
  /// Nests the emitters that the particles spawn, in the order of reading.
  mutating func encodeTriggers() {
    let above = surroundings.place.above + [index]
    for (number, trigger) in emitter.triggers.enumerated() {
      let isContinuous = trigger.event == .living || trigger.event == .interval
      let event = isContinuous ? .frame : trigger.event
      var fault: (rule: Rule, detail: String)?
      let key = SceneKitSystems.keys.first { $0.event == event }?.key
      if key == nil {
        fault = (.lost, "only triggers on collision, death and life are supported")
      } else if !system.emitters.indices.contains(trigger.emitter) {
        fault = (.dead, "the emitter does not exist")
      } else if inner.contains(where: { $0.key == key }) {
        fault = (.lost, "only one system per event is supported")
      } else if above.contains(trigger.emitter) || above.count > SceneKitSystems.levels {
        fault = (.lost, "a system that spawns itself")
      } else {
        inner.append((key ?? "", trigger.emitter))
        var plain = Trigger(event, emitter: trigger.emitter)
        plain.inherit = [.position]
        if trigger != plain {
          fault = (
            .approximated,
            isContinuous
              ? "the spawned system starts in every frame"
              : "the whole system starts at the position of the particle"
          )
        }
      }
      if let fault {
        lose(fault.rule, trigger.event.capability, at: "triggers[\(number)]", fault.detail)
      }
    }
    let order = SceneKitSystems.keys.map(\.key)
    inner.sort { order.firstIndex(of: $0.key) ?? 0 < order.firstIndex(of: $1.key) ?? 0 }
  }
}
