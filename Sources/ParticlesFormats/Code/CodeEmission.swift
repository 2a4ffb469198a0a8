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
      return lose(.lost, .burst, at: "emission.bursts", "bursts are not supported; dropped")
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

  // MARK: - Shape

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

  /// The shape as one that the code can state, centred where the stated one is.
  private mutating func reduced(_ shape: Shape) -> Shape {
    switch shape.kind {
    case .point: return Shape()
    case .rect, .box, .sphere, .ellipse:
      let isKnown = shape.kind == .rect || format.shapes.contains(shape.kind)
      let isEven =
        shape.kind != .ellipse || format.target == .love || shape.radii.x == shape.radii.y
      if isKnown, isEven, shape.placement != .volume || shape.isHollow {
        lose(
          .lost, .shapeRing, at: "shape", "edges and arcs are not supported; the whole shape emits")
      } else if isKnown, isEven, shape.distribution != .uniform || shape.sweep != .random {
        lose(.lost, .extra, at: "shape", "positions are always random and even", level: .low)
      }
      guard !isKnown || !isEven else { return shape.plain }
      let isRing = shape.kind == .ellipse && shape.isRing
      lose(
        isRing ? .lost : .approximated,
        isRing ? .shapeRing : shape.kind == .ellipse ? .shapeDisc : .shape3D,
        at: "shape", "the shape becomes a rectangle", recipe: "of the same area")
      return shape.bounding
    case .line:
      explainLine(shape)
      return shape.bounding
    case .polyline, .points:
      lose(.lost, .shapePoints, at: "shape", "point shapes are not supported; their bounds emit")
      return shape.bounding
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape", "meshes are not supported; particles start at the origin")
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
