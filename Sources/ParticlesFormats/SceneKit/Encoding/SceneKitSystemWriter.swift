internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Makes the archived object of an emitter, with those of the emitters that it triggers inside,
/// merged into what a source says.
struct SceneKitSystemWriter {
  /// Keys with their values, in order.
  typealias Fields = [(key: String, value: Archivable)]

  /// A place in the source and the emitter that was made of it.
  typealias Origin = (index: KeyedArchive.Index, emitter: Int)

  private let now: SceneKitEffect
  private let then: SceneKitEffect?
  var archive: KeyedArchive?

  /// The emitters of the document, in the order in which reading gives them.
  private(set) var emitters: [Int] = []

  private(set) var losses: [Diagnostic] = []
  private var open: [Int] = []

  init(now: SceneKitEffect, then: SceneKitEffect?) {
    self.now = now
    self.then = then
  }

  /// The keys of systems that are spawned, with what spawns them, in the order in which they are
  /// read.
  static let spawns: [(key: String, event: TriggerEvent)] = [
    ("systemSpawnedOnCollision", .collision), ("systemSpawnedOnDying", .death),
    ("systemSpawnedOnLiving", .frame),
  ]

  /// The object of an emitter, and whether it says what the source says.
  mutating func write(
    _ index: Int, from origin: Origin?
  ) -> (value: Archivable, isUnchanged: Bool) {
    emitters.append(index)
    open.append(index)
    defer { open.removeLast() }
    let keys = origin.map { sourceFields(of: $0.index) } ?? []
    let encoder = self.encoder(now, index, keys)
    var fields = encoder.fields
    guard let then, let origin, then.system.emitters.indices.contains(origin.emitter) else {
      losses += encoder.losses
      fields.append(("propertyControllers", SceneKitArchive.controllers(encoder.controllers)))
      for spawn in spawned(by: index) {
        let value: Archivable = write(spawn.target, from: nil).value
        fields.append((spawn.key, value))
      }
      return (object(fields), false)
    }
    // What could not be said then either stands in the source as it was.
    let before = self.encoder(then, origin.emitter, keys)
    let known = Set(before.losses)
    losses += encoder.losses.filter { !known.contains($0) }
    var old = before.fields
    mergeControllers(before.controllers, encoder.controllers, keys, into: &old, &fields)
    mergeSpawned(by: index, origin, keys, into: &old, &fields)
    let merge = FieldMerge<String, Archivable>(source: keys, then: old, now: fields) {
      archive?.adapt($0, to: $1) ?? $0
    }
    return (object(merge.fields), merge.isUnchanged)
  }

  private func object(_ fields: Fields) -> Archivable {
    .object(
      SceneKitArchive.systemClasses,
      fields.map { ArchivableObject.Member($0.key, $0.value) })
  }

  private func encoder(
    _ effect: SceneKitEffect, _ index: Int, _ keys: Fields
  ) -> SceneKitEmitterEncoder {
    let names = Set(keys.map(\.key))
    return SceneKitEmitterEncoder(
      effect.system, emitter: index,
      imageName: effect.image(of: index).flatMap { effect.imageNames[$0] },
      isSpawned: open.count > 1,
      oldAngle: names.contains("particleInitialAngle") && !names.contains("particleAngle"))
  }

  // MARK: Parts that are merged by themselves

  /// What an object of the source holds, as it stands there.
  private func sourceFields(of index: KeyedArchive.Index) -> Fields {
    guard let archive,
      case .dictionary(let keys, let values) = archive.plist[archive.resolve(index)]
    else { return [] }
    return zip(keys, values).compactMap { key, value in
      guard case .string(let name) = archive.plist[key], name != "$class" else { return nil }
      return (name, .kept(value))
    }
  }

  /// Controllers that nobody edited stay, in whichever of the encodings they are.
  private func mergeControllers(
    _ before: Fields, _ after: Fields,
    _ keys: Fields,
    into old: inout Fields,
    _ new: inout Fields
  ) {
    let key = "propertyControllers"
    var source: Fields = []
    if let archive, case .kept(let index)? = keys.first(where: { $0.key == key })?.value {
      source = archive.entries(of: index).map { ($0.key, .kept($0.index)) }
    }
    let merge = FieldMerge<String, Archivable>(source: source, then: before, now: after)
    old.append((key, .null))
    new.append((key, merge.isUnchanged ? .null : SceneKitArchive.controllers(merge.fields)))
  }

  private mutating func mergeSpawned(
    by index: Int, _ origin: Origin, _ keys: Fields,
    into old: inout Fields,
    _ new: inout Fields
  ) {
    var targets: [String: Int] = [:]
    if let then {
      for (key, event) in Self.spawns {
        targets[key] =
          then.system.emitters[origin.emitter].triggers.first { $0.event == event }?.emitter
      }
    }
    old += targets.map { ($0.key, .null) }
    for spawn in spawned(by: index) {
      guard let target = targets[spawn.key],
        case .kept(let place)? = keys.first(where: { $0.key == spawn.key })?.value, let archive
      else {
        new.append((spawn.key, write(spawn.target, from: nil).value))
        continue
      }
      let written = write(spawn.target, from: (archive.resolve(place), target))
      new.append((spawn.key, written.isUnchanged ? .null : written.value))
    }
  }

  // MARK: Triggers

  /// The emitters that the particles of one spawn, under the keys that they stand behind.
  private mutating func spawned(by index: Int) -> [(key: String, target: Int)] {
    var targets: [String: Int] = [:]
    let triggers = now.system.emitters[index].triggers
    for (number, trigger) in triggers.enumerated() {
      let place = "emitters[\(index)].triggers[\(number)]"
      guard let key = trigger.sceneKitKey else {
        lose(.lost, trigger, at: place, "particles spawn when they collide, die or live")
        continue
      }
      guard now.system.emitters.indices.contains(trigger.emitter) else {
        lose(.dead, trigger, at: place, "there is no such emitter")
        continue
      }
      guard targets[key] == nil else {
        lose(.lost, trigger, at: place, "particles spawn one system at a time")
        continue
      }
      guard !open.contains(trigger.emitter), open.count <= SceneKitDecoder.spawnLevels else {
        lose(.lost, trigger, at: place, "a system that spawns itself")
        continue
      }
      targets[key] = trigger.emitter
      loseRest(of: trigger, at: place)
    }
    return Self.spawns.compactMap { spawn in targets[spawn.key].map { (spawn.key, $0) } }
  }

  private mutating func loseRest(of trigger: Trigger, at place: String) {
    var plain = Trigger(trigger.event, emitter: trigger.emitter)
    plain.inherit = [.position]
    guard trigger != plain else { return }
    let isContinuous = trigger.event == .living || trigger.event == .interval
    lose(
      .approximated, trigger, at: place,
      isContinuous
        ? "the system starts in every frame" : "the whole system starts where the particle is")
  }

  private mutating func lose(
    _ rule: Rule, _ trigger: Trigger, at place: String, _ detail: String
  ) {
    losses.append(Diagnostic(rule, trigger.event.capability, at: place, detail))
  }
}

extension Trigger {
  /// The key behind which SceneKit keeps what it starts; nil if there is none.
  fileprivate var sceneKitKey: String? {
    switch event {
    case .collision: "systemSpawnedOnCollision"
    case .death: "systemSpawnedOnDying"
    case .frame, .living, .interval: "systemSpawnedOnLiving"
    case .birth: nil
    }
  }
}

extension TriggerEvent {
  /// The row of the capability matrix that an event belongs to.
  package var capability: Capability {
    switch self {
    case .birth: .subBirth
    case .death: .subDeath
    case .collision: .subColl
    case .interval, .frame, .living: .subLive
    }
  }
}

extension KeyedArchive {
  /// The entries of an archived dictionary.
  fileprivate func entries(of index: Index) -> [(key: String, index: Index)] {
    guard case .dictionary(let keys, let values) = value(at: index), className(of: index) != nil
    else { return [] }
    return zip(keys, values).compactMap { key, place in
      guard case .string(let name) = value(at: key) else { return nil }
      return (name, place)
    }
  }

  /// A new number spelled as the one that stood there, if that can hold it.
  fileprivate func adapt(_ new: Archivable, to old: Archivable) -> Archivable {
    guard case .kept(let index) = old, case .inline(let scalar) = new else { return new }
    var adapted = scalar
    switch (scalar, plist[resolve(index)]) {
    case (.real(let number, _), .integer):
      if let whole = Int(exactly: number) { adapted = .integer(whole) }
    case (.real(let number, _), .real(_, let width)):
      adapted = .real(width == 4 ? Double(Float(number)) : number, width: width)
    case (.integer(let number), .real(_, let width)):
      adapted = .real(Double(number), width: width)
    default: break
    }
    if case .uid = plist[index] { return .shared(adapted) }
    return .inline(adapted)
  }
}
