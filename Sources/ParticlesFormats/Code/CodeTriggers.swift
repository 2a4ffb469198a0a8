internal import ParticlesCore
internal import ParticlesModel

// Sub-emitters of emitters that code makes: functions take the emitters that particles spawn.

extension CodeFamily {
  /// The events that start another emitter, in the order of their numbers in a file.
  static func events(_ target: Target) -> [TriggerEvent] {
    switch target {
    case .coreAnimation: [.living]
    case .realityKit: [.birth, .death, .frame]
    case .unity: [.birth, .death]
    case .love: []
    }
  }

  static func triggers(_ target: Target) -> Row<CodeFamily> {
    let notes: [Target: String] = [
      .coreAnimation: "sub-cells, which emit while the particle lives",
      .realityKit: "one emitter, when a particle is emitted, dies, or in each frame",
      .unity: "sub-emitters, when a particle is emitted or dies",
    ]
    guard let note = notes[target] else {
      return .missingTriggers("sub-emitters are not supported; the emitter starts by itself")
    }
    return .idiom(
      ["spawns"], "triggers", note, from: citation(of: target),
      approximated: Set(events(target).map(\.capability)).union([.emissionWhileAlive]),
      decode: { $1.triggers = $0.triggers }, encode: { $0.encodeTriggers() })
  }

  static let inheritance: [Inheritance] = [.position, .velocity, .color, .rotation, .size]
}

/// A spawned emitter in a file.
struct CodeSpawn {
  let event: TriggerEvent
  /// The place of the emitter, relative to the one that spawns it.
  let offset: Int
  /// The number of the emitter in the effect, from 1.
  let number: Int
  let probability: Double
  let inherited: [Inheritance]
  let velocityFactor: Double

  /// The name of the parameter that takes it.
  var parameter: String { "spawned\(number)" }
}

extension FieldReader<CodeFamily> {
  var spawns: [CodeSpawn] {
    let events = CodeFamily.events(format.target)
    return lists("spawns").compactMap { list in
      guard list.count == 6, list.allSatisfy({ $0.magnitude < 1e6 }),
        events.indices.contains(Int(saturating: list[0]))
      else { return nil }
      let inherited = CodeFamily.inheritance.enumerated().filter {
        Int(saturating: list[4]) & 1 << $0.offset != 0
      }
      return CodeSpawn(
        event: events[Int(saturating: list[0])], offset: Int(saturating: list[1]),
        number: Int(saturating: list[2]),
        probability: list[3], inherited: inherited.map(\.element), velocityFactor: list[5])
    }
  }

  fileprivate var triggers: [Trigger] {
    spawns.map { spawn in
      var trigger = Trigger(spawn.event, emitter: spawn.offset)
      (trigger.probability, trigger.inherit) = (spawn.probability, spawn.inherited)
      trigger.velocityFactor = spawn.velocityFactor
      return trigger
    }
  }
}

extension EmitterWriter<CodeFamily> {
  mutating func encodeTriggers() {
    let events = CodeFamily.events(format.target)
    var lists: [[Double]] = []
    for (number, trigger) in emitter.triggers.enumerated() {
      let place = "triggers[\(number)]"
      func fail(_ detail: String, _ writer: inout Self) {
        writer.lose(.lost, trigger.event.capability, at: place, detail)
      }
      guard let event = written(trigger.event), let code = events.firstIndex(of: event) else {
        fail("this event starts no emitter; the other emitter starts by itself", &self)
        continue
      }
      guard system.emitters.indices.contains(trigger.emitter) else {
        lose(.dead, trigger.event.capability, at: place, "the emitter does not exist")
        continue
      }
      guard format.target != .realityKit || lists.isEmpty else {
        fail("only one emitter can be spawned", &self)
        continue
      }
      let plain = plain(trigger, event)
      let inherited = plain.inherit.compactMap(CodeFamily.inheritance.firstIndex)
      lists.append([
        Double(code), Double(trigger.emitter - index), Double(trigger.emitter + 1),
        plain.probability, Double(inherited.reduce(0) { $0 | 1 << $1 }), plain.velocityFactor,
      ])
      explain(trigger, plain, place, isMoved: lists.count <= number)
    }
    if !lists.isEmpty { set("spawns", lists: lists) }
  }

  /// The event that the engine has for one.
  private func written(_ event: TriggerEvent) -> TriggerEvent? {
    switch (event, format.target) {
    case (.living, .unity): .birth
    case (.living, .realityKit): .frame
    case (.frame, .coreAnimation): .living
    default: CodeFamily.events(format.target).contains(event) ? event : nil
    }
  }

  /// The trigger as the engine has it.
  private func plain(_ trigger: Trigger, _ event: TriggerEvent) -> Trigger {
    var plain = Trigger(event, emitter: trigger.emitter)
    let inherited = Set(trigger.inherit)
    switch format.target {
    case .coreAnimation: plain.inherit = [.position, .color, .size]
    case .realityKit:
      let passed: [Inheritance] = [.velocity, .color]
      plain.inherit = [.position] + passed.filter(inherited.contains)
      plain.velocityFactor = trigger.velocityFactor
    default:
      let passed: [Inheritance] = [.color, .rotation, .size]
      plain.inherit = [.position] + passed.filter(inherited.contains)
      plain.probability = min(max(trigger.probability, 0), 1)
    }
    return plain
  }

  private mutating func explain(
    _ trigger: Trigger, _ plain: Trigger, _ place: String, isMoved: Bool
  ) {
    var stated = trigger
    stated.inherit = CodeFamily.inheritance.filter(trigger.inherit.contains)
    if format.target == .unity, stated == plain {
      if trigger != plain || isMoved {
        lose(.restated, trigger.event.capability, at: place, "written in another order")
      }
      return
    }
    let detail =
      switch format.target {
      case .coreAnimation:
        "the cell emits from the particle, relative to its direction, with its scale and colour"
      case .realityKit:
        "the particles of the emitter are spawned, without its shape, speed and timing"
      default: "the whole emitter starts at the position of the particle"
      }
    lose(.approximated, trigger.event.capability, at: place, detail, level: .medium)
  }
}

extension CodeSheet {
  /// Writes the comment for the emitters that a function takes.
  func describe(_ spawns: [CodeSpawn], in text: inout CodeText) {
    for parameter in Set(spawns.map(\.parameter)).sorted() {
      let number = spawns.first { $0.parameter == parameter }?.number ?? 0
      text.documentation("\(parameter): the result of the function for emitter \(number).")
    }
  }
}

extension [CodeSpawn] {
  /// The parameters of a function, each with a comma before it.
  func parameters(_ declare: (String) -> String) -> String {
    Set(map(\.parameter)).sorted().map { ", " + declare($0) }.joined()
  }
}
