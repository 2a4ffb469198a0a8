internal import ParticlesCore
internal import ParticlesModel

// Periods, bursts, place and shape of emitters that code makes.

extension FieldReader<CodeFamily> {
  func decodePeriod(of emitter: inout Emitter) {
    let duration = number("duration", -1)
    emitter.timing.duration = duration < 0 ? nil : .constant(duration)
    emitter.timing.loop = flag("loops") ?? false
    emitter.timing.idle = .constant(number("idle", 0, atLeast: 0))
  }

  func decodeBursts(of emitter: inout Emitter) {
    if let count = number("burst"), count > 0 {
      emitter.emission.bursts = [Burst(count: .constant(count))]
    }
    for numbers in lists("bursts") where numbers.count == 6 {
      var burst = Burst(
        time: numbers[0], count: Value(center: numbers[1], halfWidth: numbers[2]))
      (burst.cycles, burst.interval) = (Int(saturating: min(max(numbers[3], 0), 1e9)), numbers[4])
      burst.probability = numbers[5]
      emitter.emission.bursts.append(burst)
    }
  }

  /// Lists of numbers: elements are separated by semicolons, numbers by blanks.
  func lists(_ key: String) -> [[Double]] {
    (text(key) ?? "").split(separator: ";").map { list in
      list.split(separator: " ").compactMap { Double($0) }
    }
  }

  func list(_ key: String) -> [Double]? { lists(key).first }

  var shape: Shape {
    let size = Vector(
      number("shapeWidth") ?? 0, number("shapeHeight") ?? 0, number("shapeDepth") ?? 0)
    var shape = Shape()
    switch text("shape") {
    case "rect": shape = .rect(width: size.x, height: size.y)
    case "ellipse": shape = .ellipse(size.x, size.y)
    case "box": shape = .box(size)
    case "sphere": shape = .sphere(radius: size.x)
    default: break
    }
    shape.transform.translation = Vector(
      number("shapeX") ?? 0, number("shapeY") ?? 0, number("shapeZ") ?? 0)
    return shape
  }
}

extension EmitterWriter<CodeFamily> {
  mutating func set(_ key: String, lists: [[Double]]) {
    let text = lists.map { $0.map(shortText).joined(separator: " ") }
    set(key, .text(text.joined(separator: ";")))
  }

  mutating func encodeRate() {
    let emission = emitter.emission
    loseRateChanges()
    if emission.probability != 1 {
      lose(
        .approximated, .probability, at: "emission.probability",
        also: ["emission.rate", "emission.bursts"], "spawn probability is not supported",
        recipe: "rate × probability")
    }
    set("rate", emission.rate.mean * emission.probability)
  }

  mutating func encodeDelay() {
    let delay = emitter.timing.delay
    if !delay.isNumber {
      lose(
        .approximated, .delay, at: "timing.delay", "the delay is constant", recipe: "the mean")
    }
    if delay.mean != 0 { set("delay", max(delay.mean, 0)) }
  }

  mutating func encodePeriod() {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      set("duration", -1)
      if timing.loop || timing.idle != 0 {
        lose(.dead, .loop, at: "timing.loop", also: ["timing.idle"], "emission is endless")
      }
      return
    }
    if !duration.isNumber {
      lose(
        .approximated, .duration, at: "timing.duration", "the duration is constant",
        recipe: "the mean")
    }
    guard timing.loop else {
      set("duration", duration.mean)
      explainShort(duration.mean)
      if timing.idle != 0 {
        lose(.dead, .idle, at: "timing.idle", "only periods that repeat have pauses")
      }
      return
    }
    let hasLoops = format.isSpatial
    if !hasLoops, timing.idle.mean == 0, emitter.emission.bursts.isEmpty {
      set("duration", -1)
      return lose(
        .restated, .loop, at: "timing.loop", also: ["timing.duration", "timing.idle"],
        "periods without pause become endless emission")
    }
    set("duration", duration.mean)
    explainShort(duration.mean)
    guard hasLoops else {
      return lose(
        .lost, .loop, at: "timing.loop", also: ["timing.idle"], "there is one period only")
    }
    set("loops", flag: true)
    guard timing.idle != 0 else { return }
    guard format.target == .realityKit else {
      return lose(.lost, .idle, at: "timing.idle", "a pause between periods is not supported")
    }
    set("idle", timing.idle.mean)
    if !timing.idle.isNumber {
      lose(.approximated, .idle, at: "timing.idle", "pauses are constant", recipe: "the mean")
    }
  }

  /// Reports a period that is shorter than Unity allows.
  private mutating func explainShort(_ seconds: Double) {
    guard format.target == .unity, seconds < 0.05 else { return }
    lose(
      .clamped, .duration, at: "timing.duration", "Unity clamps it to 0.05 s", level: .low)
  }

  mutating func encodeCapacity() {
    guard let most = emitter.emission.maxAlive else { return }
    set("capacity", integer: most)
    guard format.target == .love, !(1...1_000_000).contains(most) else { return }
    lose(
      .clamped, .aliveLimit, at: "emission.maxAlive", "LÖVE has room for 1 to 1,000,000 particles",
      level: .low)
  }

  mutating func encodeBursts() {
    let (bursts, probability) = (emitter.emission.bursts, emitter.emission.probability)
    guard let largest = emitter.emission.largestBurst else { return }
    guard format.target != .unity else {
      return set(
        "bursts",
        lists: bursts.enumerated().map { index, burst in
          let place = "emission.bursts[\(index)].count"
          explain(burst.count, .burst, at: place, scope: burst.count.scope)
          let count = burst.count.spread
          return [
            burst.time, count.center * probability, count.half * probability,
            Double(burst.cycles), burst.interval, burst.probability,
          ]
        })
    }
    guard format.target != .coreAnimation else {
      return lose(.lost, .burst, at: "emission.bursts", "bursts are not supported")
    }
    let count = (largest.count.mean * largest.probability * probability).rounded()
    if count > 0 { set("burst", min(count, 1e9)) }
    let plain = Burst(count: .constant(count))
    if count <= 0, bursts == [plain] {
      return lose(.dead, .burst, at: "emission.bursts", "a burst of no particles has no effect")
    }
    guard bursts != [plain] || emitter.timing.loop else { return }
    lose(
      .approximated, bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      "only one burst at the start is supported", recipe: "the largest burst, once")
  }

  mutating func encodePlace() {
    let transform = emitter.transform
    if format.isSpatial { return drop("transform") }
    set("x", transform.translation.x)
    set("y", transform.translation.y)
    let place = Vector(transform.translation.x, transform.translation.y)
    guard transform != Transform(translation: place) else { return }
    lose(
      .lost, .place, at: "transform", "emitters are not rotated, scaled or moved in depth",
      level: .medium)
  }

  mutating func encodeSpace() {
    let space = emitter.space
    guard format.isSpatial else {
      if space != .world {
        lose(.lost, .space, at: "space", "particles do not follow the emitter")
      }
      return
    }
    set("isLocal", flag: space != .world)
    if space == .parent {
      lose(.approximated, .space, at: "space", "particles follow the emitter itself")
    }
  }

  mutating func encodeShape() {
    let shape = emitter.shape
    var written = reduced(shape)
    let transform = shape.transform
    let (scale, isPoint) = (transform.scale, written.kind == .point)
    if scale != .one {
      written.scale(by: scale)
      lose(.restated, .shapeRectangle, at: "shape", "the scale is applied to the shape")
    }
    if !isPoint, transform.angle != 0 || transform.rotation != .identity {
      lose(.lost, .shape3D, at: "shape.transform", "shapes are always upright")
    }
    let center = written.transform.translation
    written.transform = Transform(
      translation: Vector(
        transform.translation.x + center.x * scale.x, transform.translation.y + center.y * scale.y,
        format.isSpatial ? transform.translation.z : 0))
    if !format.isSpatial, transform.translation.z != 0 {
      lose(.lost, .shape3D, at: "shape.transform", "\(format.engine) is 2D only")
    }
    write(written)
    if format.target == .unity, [.rect, .box].contains(written.kind), !isLaunchAlongAxis {
      lose(
        .approximated, .shapeRectangle, at: "shape", "shapes turn with the direction of particles",
        level: .low)
    }
    guard !hasLine(at: "shape") else { return }
    if hasLine(at: "shape.placement") { written.placement = shape.placement }
    if hasLine(at: "shape.transform") { written.transform = shape.transform }
    guard written != shape else { return }
    lose(.dead, .shapeRectangle, at: "shape", "only the position and the size of a shape are used")
  }

  private var isLaunchAlongAxis: Bool {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .angle: return direction.angle.mean.truncatingRemainder(dividingBy: 90) == 0
    case .vector:
      let vector = direction.vector
      return [vector.x, vector.y, vector.z].count { $0 != 0 } == 1
    default: return true
    }
  }

  private mutating func write(_ shape: Shape) {
    var size = Vector.zero
    switch shape.kind {
    case .rect: size = Vector(shape.size.x, shape.size.y)
    case .ellipse: size = Vector(shape.radii.x, shape.radii.y)
    case .box: size = shape.size
    case .sphere: size = Vector(shape.radius, 0)
    default: break
    }
    set("shape", .text(shape.kind.rawValue))
    let center = shape.transform.translation
    for (key, number) in [
      ("shapeWidth", size.x), ("shapeHeight", size.y), ("shapeDepth", size.z),
      ("shapeX", center.x), ("shapeY", center.y), ("shapeZ", center.z),
    ] where number != 0 { set(key, number) }
  }

  /// The shape, reduced to a shape that the code can state, with its centre unchanged.
  private mutating func reduced(_ shape: Shape) -> Shape {
    switch shape.kind {
    case .point: return Shape()
    case .rect, .box, .sphere, .ellipse:
      let isKnown = shape.kind == .rect || format.shapes.contains(shape.kind)
      let isEven =
        shape.kind != .ellipse || format.target == .love || shape.radii.x == shape.radii.y
      if isKnown, isEven, shape.placement != .volume || shape.isHollow {
        lose(
          .lost, .shapeRing, at: "shape", "edges and arcs are not supported. The whole shape emits")
      } else if isKnown, isEven, shape.distribution != .uniform || shape.sweep != .random {
        lose(.lost, .extra, at: "shape", "positions are always random and even", level: .low)
      }
      guard !isKnown || !isEven else { return shape.plain }
      let isRing = shape.kind == .ellipse && shape.isRing
      lose(
        isRing ? .lost : .approximated,
        isRing ? .shapeRing : shape.kind == .ellipse ? .shapeDisc : .shape3D,
        at: "shape", "the shape becomes a rectangle", recipe: "of equal area")
      return shape.bounding
    case .line:
      explainLine(shape)
      return shape.bounding
    case .polyline, .points:
      lose(.lost, .shapePoints, at: "shape", "point shapes are not supported. Their bounds emit")
      return shape.bounding
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape", "meshes are not supported. Particles start at the origin")
      return Shape()
    case .hemisphere, .capsule, .torus, .cone, .cylinder, .tube:
      lose(.approximated, .shape3D, at: "shape", "the shape becomes its bounding rectangle")
      return shape.bounding
    }
  }
}

extension Shape {
  /// Whether a part of the shape emits nothing.
  fileprivate var isHollow: Bool { inner > 0 || arc != Interval(0, 360) }

  /// The shape with kind and lengths only.
  fileprivate var plain: Shape {
    switch kind {
    case .rect: .rect(width: size.x, height: size.y)
    case .ellipse: .ellipse(radii.x, radii.y)
    case .box: .box(size)
    default: .sphere(radius: radius)
    }
  }

  fileprivate var bounding: Shape {
    let half = halfSize
    return .rect(width: (2 * half.x).magnitude, height: (2 * half.y).magnitude)
  }

  fileprivate mutating func scale(by scale: Scale) {
    size = Vector(
      (size.x * scale.x).magnitude, (size.y * scale.y).magnitude, (size.z * scale.z).magnitude)
    radii = Vector2((radii.x * scale.x).magnitude, (radii.y * scale.y).magnitude)
    radius *= scale.x.magnitude
  }
}

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
      return .missingTriggers(
        "sub-emitters are not supported, so that the emitter starts by itself")
    }
    return .idiom(
      ["spawns"], "triggers", note, from: citation(of: target),
      approximated: Set(events(target).map { $0.capability }).union([.emissionWhileAlive]),
      decode: { $1.triggers = $0.triggers }, encode: { $0.encodeTriggers() })
  }

  static let inheritance: [Inheritance] = [.position, .velocity, .color, .rotation, .size]
}

/// A spawned emitter in a file.
struct CodeSpawn {
  let event: TriggerEvent
  /// The place of the emitter, relative to the emitter that spawns it.
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
        probability: list[3], inherited: inherited.map { $0.element }, velocityFactor: list[5])
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
        fail("this event starts no emitter, so that the sub-emitter starts by itself", &self)
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
    for parameter in Set(spawns.map({ $0.parameter })).sorted() {
      let number = spawns.first { $0.parameter == parameter }?.number ?? 0
      text.documentation("\(parameter): the result of the function for emitter \(number).")
    }
  }
}

extension [CodeSpawn] {
  /// The parameters of a function, each with a comma before it.
  func parameters(_ declare: (String) -> String) -> String {
    Set(map { $0.parameter }).sorted().map { ", " + declare($0) }.joined()
  }
}
