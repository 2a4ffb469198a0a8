internal import ParticlesCore
internal import ParticlesModel

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
