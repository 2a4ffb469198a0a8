internal import ParticlesCore
internal import ParticlesModel

// Where and when particles are emitted, apart from the shape.

extension TreeReader<QuarksFamily> {
  /// A value of new particles. A curve over the period becomes a ramp.
  func generated(_ key: String, _ standard: Double = 0, times factor: Double = 1) -> Value {
    (self[key].flatMap { generated($0, key) } ?? .constant(standard)).scaled(by: factor)
  }

  func generated(_ value: JSONValue, _ key: String) -> Value? {
    if !QuarksValue.isGenerator(value) {
      note(.uninterpreted, key, "a generator that is not known", found: value["type"]?.shortExcerpt)
    }
    return QuarksValue.value(of: value)
  }

  func decodeEmission(of emitter: inout Emitter) {
    emitter.emission.rate = generated("ps.emissionOverTime", 10).notNegative
    emitter.emission.ratePerDistance = generated("ps.emissionOverDistance").notNegative
    emitter.emission.bursts = (array("ps.emissionBursts") ?? []).prefix(1000).map { value in
      var burst = Burst(time: max(value["time"]?.coerced ?? 0, 0), count: 1)
      let count = value["count"].flatMap { generated($0, "ps.emissionBursts") } ?? 1
      burst.count = count.notNegative.inWholeParticles
      burst.probability = min(max(value["probability"]?.coerced ?? 1, 0), 1)
      return burst
    }
    emitter.timing.duration = .constant(max(number("ps.duration", 1), 0))
    // Only a file without the key repeats by itself: `null` is false.
    emitter.timing.loop = flag("ps.looping", value["ps.looping"] == nil)
    if flag("ps.prewarm", false), emitter.timing.loop {
      emitter.timing.prewarm = number("ps.duration", 1)
    }
    emitter.space = flag("ps.worldSpace", false) ? .world : .local
    emitter.transform = AffineTransform(matrix: value["matrix"]).transform
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func generator(
    _ value: Value, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if case .ramp(let ramp) = value {
      if !(ramp.low == 0 && ramp.high == 1) {
        let isNumber = ramp.low.isNumber && ramp.high.isNumber
        lose(
          isNumber ? .restated : .approximated, capability, at: place,
          "a value over the period is one curve")
      }
      return QuarksValue.generator(ramp.meanCurve(times: factor))
    }
    let bounds = bounds(of: value, capability, at: place)
    return QuarksValue.generator(bounds.least * factor, bounds.most * factor)
  }

  mutating func encodePlace() {
    guard surroundings.origin == nil else { return }
    set("name", .string(emitter.name))
    set("matrix", AffineTransform(emitter.transform).matrix)
    if emitter.transform.angle != 0 {
      lose(.restated, .place, at: "transform", "the rotation is one matrix")
    }
  }

  mutating func encodeEmission() {
    let timing = emitter.timing
    set("ps.emissionOverTime", generator(rateOfChance(), .randomRate, at: "emission.rate"))
    set(
      "ps.emissionOverDistance",
      generator(emitter.emission.ratePerDistance, .rateOverDistance, at: "emission.ratePerDistance")
    )
    encodeBursts()
    set(
      "ps.duration",
      single(period(endless: 1), .duration, at: "timing.duration", "it cannot be random"))
    set("ps.looping", flag: timing.loop || timing.duration == nil)
    set("ps.prewarm", flag: timing.prewarm > 0)
    if timing.prewarm > 0, timing.prewarm != timing.duration?.mean || !timing.loop {
      lose(.approximated, .prewarm, at: "timing.prewarm", "prewarming is one period of a loop")
    }
    set("ps.worldSpace", flag: isInWorld())
    let isTriggered = system.roots.map { !$0.contains(index) } ?? false
    if isTriggered || surroundings.origin?["ps.onlyUsedByOther"] != nil {
      set("ps.onlyUsedByOther", flag: isTriggered)
    }
  }

  private mutating func encodeBursts() {
    let old = surroundings.origin?["ps.emissionBursts"]?.array ?? []
    let all = singleBursts()
    let bursts = all.enumerated().map { number, single -> JSONValue in
      let burst = single.burst
      let path = "emission.bursts[\(single.index)].count"
      if burst.count.isConstant, burst.count.mean != burst.count.mean.rounded() {
        lose(.approximated, .burst, at: path, "bursts have whole numbers of particles", level: .low)
      }
      let count = generator(burst.count.asLoopBound, .burst, at: path)
      // Older files state counts as numbers.
      let isNumber = old.count == all.count && old[number]["count"]?.double != nil
      return [
        "time": format.real(burst.time), "count": isNumber ? count["value"] ?? count : count,
        "cycle": .int(1), "interval": .double(0.01),
        "probability": format.real(burst.probability),
      ]
    }
    set("ps.emissionBursts", .array(bursts))
  }
}

extension Value {
  /// The number of rounds of a loop up to this value, in which a part counts as one (`ParticleSystem.ts`, `spawn`).
  fileprivate var inWholeParticles: Value {
    isConstant ? .constant(mean.rounded(.up)) : mapped { $0 + 0.5 }
  }

  /// The bound of a loop with so many rounds.
  fileprivate var asLoopBound: Value {
    isConstant ? .constant(mean.rounded()) : mapped { max($0 - 0.5, 0) }
  }
}

// Shapes, from which directions follow.

extension QuarksFamily {
  /// The shapes by their names. If a shape has several names, the first belongs to its volume.
  fileprivate static let shapes: [(name: String, kind: ShapeKind)] = [
    ("point", .point), ("sphere", .sphere), ("hemisphere", .hemisphere), ("cone", .cone),
    ("circle", .ellipse), ("donut", .torus), ("grid", .rect), ("rectangle", .rect),
  ]

  fileprivate static let sweeps: [Sweep] = [.random, .loop, .pingpong, .spread]

  /// The rotation of shapes that are along z, and not along y.
  static let alongZ = Quaternion(0.5.squareRoot().rounded, 0, 0, 0.5.squareRoot().rounded)

  /// The direction of particles of a shape.
  fileprivate static func direction(of kind: ShapeKind) -> Direction {
    switch kind {
    case .point: Direction(.random)
    case .rect: Direction(vector: Vector(0, 0, 1))
    default: Direction(.normal)
    }
  }

  fileprivate static func transform(of kind: ShapeKind) -> Emitter.Transform {
    var transform = Emitter.Transform()
    if [.cone, .torus, .hemisphere, .sphere].contains(kind) { transform.rotation = alongZ }
    return transform
  }
}

extension TreeReader<QuarksFamily> {
  func decodeShape(of emitter: inout Emitter) {
    func part(_ key: String, _ standard: Double = 0) -> Double {
      number("ps.shape.\(key)", standard)
    }
    let name = text("ps.shape.type") ?? "sphere"
    var kind = QuarksFamily.shapes.first { $0.name == name }?.kind
    // A sphere without a size: speeds are as stated, not as in a ball.
    if kind == .sphere, self["ps.shape.radius"]?.double == 0, part("arc", 2 * .pi) > 6.28 {
      kind = .point
    }
    if kind == nil {
      note(.uninterpreted, "ps.shape", "particles are emitted at a point", found: name.excerpt)
    }
    var shape = Shape(kind ?? .point)
    switch shape.kind {
    case .point: break
    case .rect:
      shape.size = Vector(part("width", 1).magnitude, part("height", 1).magnitude)
      if name == "rectangle" {
        // From a point of the outline towards the centre (`RectangleEmitter.ts`).
        let thickness = min(max(part("thickness", 1), 0), 1)
        if thickness == 0 {
          shape.placement = .edge
        } else {
          (shape.inner, shape.distribution) = ((1 - thickness).rounded, .radialLinear)
        }
      } else {
        // Points of a grid, from the left lower corner. The rectangle has their mean and deviation.
        func share(_ key: String) -> (size: Double, shift: Double) {
          let count = max(part(key, 10).rounded(.down), 1)
          return ((count * count - 1).squareRoot() / count, -0.5 / count)
        }
        let (column, row) = (share("column"), share("row"))
        shape.transform.translation = Vector(
          (shape.size.x * column.shift).rounded, (shape.size.y * row.shift).rounded)
        shape.size = Vector(
          (shape.size.x * column.size).rounded, (shape.size.y * row.size).rounded)
      }
    case .ellipse:
      let radius = part("radius", 10).magnitude
      shape.radii = Vector2(radius, radius)
    default: shape.radius = part("radius", 10).magnitude
    }
    if shape.kind == .torus { shape.pipe = part("donutRadius", shape.radius * 0.2).magnitude }
    if shape.kind == .cone {
      shape.angle = (part("angle") * QuarksFamily.degrees).rounded
      note(
        .approximated, "ps.shape.angle", "directions in a cone follow its sides",
        severity: .note)
    }
    if shape.kind != .rect {
      let arc = (part("arc", 2 * .pi) * QuarksFamily.degrees * 1e6).rounded() / 1e6
      shape.arc = Interval(max(min(arc, 0), -360), min(max(arc, 0), 360))
      let thickness = min(max(part("thickness", 1), 0), 1)
      shape.inner = (1 - thickness).rounded
      if thickness == 0, shape.kind != .torus {
        (shape.inner, shape.placement) = (0, .surface)
      } else if [.sphere, .hemisphere, .ellipse].contains(shape.kind)
        || shape.kind == .torus && thickness > 0
      {
        shape.distribution = .radialLinear
      }
    }
    let mode = Int(saturating: part("mode"))
    if QuarksFamily.sweeps.indices.contains(mode) { shape.sweep = QuarksFamily.sweeps[mode] }
    let translation = shape.transform.translation
    shape.transform = QuarksFamily.transform(of: shape.kind)
    shape.transform.translation = translation
    emitter.launch.direction = QuarksFamily.direction(of: shape.kind)
    if name == "rectangle" { emitter.launch.direction = Direction(.normal) }
    emitter.shape = shape
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func encodeShape() {
    let shape = emitter.shape
    var (kind, radius, isExact) = (shape.kind, shape.radius, true)
    if kind == .ellipse, shape.radii.x == shape.radii.y {
      radius = shape.radii.x
    } else if kind == .ellipse || !QuarksFamily.shapes.contains(where: { $0.kind == kind }) {
      (kind, isExact) = (.sphere, false)
      radius = max(shape.halfSize.x, shape.halfSize.y, shape.size.z / 2)
    }
    let names = QuarksFamily.shapes.filter { $0.kind == kind }.map { $0.name }
    let isHollow = shape.placement != .volume
    let isOutline = isHollow || kind == .rect && shape.distribution == .radialLinear
    var value: JSONObject = ["type": .string((isOutline ? names.last : names.first) ?? "point")]
    switch kind {
    case .point: value = point()
    case .cone: value["angle"] = format.real(shape.angle * QuarksFamily.radians)
    case .torus: value["donutRadius"] = format.real(shape.pipe)
    case .rect:
      value["width"] = format.real(shape.size.x)
      value["height"] = format.real(shape.size.y)
      if isOutline {
        value["thickness"] = format.real(isHollow ? 0 : 1 - shape.inner)
      } else {
        (value["column"], value["row"]) = (.int(256), .int(256))
        lose(
          .approximated, .shapeRectangle, at: "shape", "a rectangle is a grid of 256 × 256 points",
          level: .info)
      }
      if shape.distribution != .uniform, !isOutline { isExact = false }
    default: break
    }
    if ![.point, .rect].contains(kind) {
      value["radius"] = format.real(radius)
      value["arc"] = format.real((shape.arc.upper - shape.arc.lower) * QuarksFamily.radians)
      value["thickness"] = format.real(isHollow ? 0 : 1 - shape.inner)
      if shape.arc.lower != 0 || isHollow && shape.inner != 0 { isExact = false }
      if isHollow && shape.placement != .surface { isExact = false }
      let isLinear = !isHollow && kind != .cone && (kind != .torus || shape.inner < 1)
      let expected: Distribution = isLinear ? .radialLinear : .uniform
      if shape.distribution != expected { isExact = false }
    }
    let mode = QuarksFamily.sweeps.firstIndex(of: shape.sweep) ?? 0
    if mode != 0 || surroundings.origin?["ps.shape.mode"] != nil { value["mode"] = .int(mode) }
    set("ps.shape", .object(value))
    if !isExact || shape.transform != QuarksFamily.transform(of: kind) || shape.height != 0 {
      lose(
        .approximated, shape.kind == .mesh ? .shapeMesh : .shape3D, at: "shape",
        "shapes are at the emitter, along z", recipe: "the nearest shape")
    }
    let launch = emitter.launch
    if launch.direction != QuarksFamily.direction(of: shape.kind) || launch.spread != 0 {
      lose(
        .approximated, .directionNormal, at: "launch.direction",
        also: ["launch.spread", "launch.spreadLaw"], "directions follow from the shape")
    } else {
      dropSpreadLaw()
    }
  }

  /// A sphere without a size, because the engine's point emits speeds as in a ball. A point in the file stays a point.
  fileprivate mutating func point() -> JSONObject {
    guard surroundings.origin?["ps.shape.type"]?.string == "point" else {
      return [
        "type": "sphere", "radius": .int(0), "arc": format.real(2 * .pi), "thickness": .int(1),
      ]
    }
    if case .choice = emitter.launch.speed {
    } else {
      lose(
        .approximated, .speedRange, at: "launch.speed", "speeds from a point fill a ball",
        metric: Loss.Metric("mean speed", 0.75, "times"))
    }
    return ["type": "point"]
  }
}

extension Value {
  /// Speeds as `PointEmitter.ts` gives them: times the cube root of a random number, as if velocities filled a ball.
  var ofBall: Value {
    let (low, high) = (bounds.lower, bounds.upper)
    guard low != 0 || high != 0 else { return self }
    let shares = (0..<24).map { (Double($0) + 0.5) / 24 }
    let all = shares.flatMap { root in
      shares.map { low + (high - low) * $0 }.map { $0 * power(root, 1.0 / 3) }
    }.sorted()
    // The middles of equal parts.
    return .oneOf((0..<24).map { all[24 * $0 + 12].rounded })
  }
}
