internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<QuarksFamily> {
  static var radians: Double { .pi / 180 }

  // MARK: Generators

  func constant(_ number: Double) -> JSONValue {
    ["type": "ConstantValue", "value": format.real(number)]
  }

  mutating func generator(
    _ value: Value, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if case .ramp(let ramp) = value {
      let (low, high) = (
        ramp.low.mean, ramp.relative ? ramp.high.mean : ramp.high.mean - ramp.low.mean
      )
      var curve = ramp.curve.multiplied(by: high * factor)
      for index in curve.keys.indices { curve.keys[index].value += low * factor }
      if !(ramp.low == 0 && ramp.high == 1) {
        let isNumber = ramp.low.isNumber && ramp.high.isNumber
        lose(
          isNumber ? .restated : .approximated, capability, at: place,
          "a value over the period is one curve")
      }
      return bezier(curve)
    }
    let bounds = bounds(of: value, capability, at: place)
    if bounds.least == bounds.most { return constant(bounds.least * factor) }
    return [
      "type": "IntervalValue", "a": format.real(bounds.least * factor),
      "b": format.real(bounds.most * factor),
    ]
  }

  func bezier(_ curve: Curve) -> JSONValue {
    let functions = curve.segments.map { segment -> JSONValue in
      let (ends, handles) = (segment.ends, segment.handles)
      return [
        "function": [
          "p0": format.real(ends.first), "p1": format.real(handles.first ?? ends.first),
          "p2": format.real(handles.second ?? ends.last), "p3": format.real(ends.last),
        ], "start": format.real(segment.start),
      ]
    }
    return ["type": "PiecewiseBezier", "functions": .array(functions)]
  }

  mutating func overLife(
    _ track: Track, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if track.isPlainValue { return generator(track.from, capability, at: place, times: factor) }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    let isPlain = track.from == 0 && (track.to?.isNumber ?? false) && !track.relative
    if !isExact || !isPlain {
      lose(
        isExact ? .restated : .approximated, capability, at: place,
        "values over life are the same for all particles")
    }
    let segments = bezier(curve.multiplied(by: factor))
    let again = QuarksFamily.curve(of: segments).map { Track(from: 0, to: 1, curve: $0) }
    if factor == 1, again != track, !hasLine(at: place) {
      lose(.restated, capability, at: place, "curves go from 0 to 1, in Bézier segments")
    }
    return segments
  }

  func color(_ color: Color, hasAlpha: Bool = true) -> JSONValue {
    var value: JSONObject = [
      "r": format.real(color.red), "g": format.real(color.green), "b": format.real(color.blue),
    ]
    if hasAlpha { value["a"] = format.real(color.alpha) }
    return .object(value)
  }

  // MARK: Emission

  mutating func encodePlace() {
    guard surroundings.origin == nil else { return }
    set("name", .string(emitter.name))
    set("matrix", AffineTransform(emitter.transform).matrix)
    if emitter.transform.angle != 0 {
      lose(.restated, .place, at: "transform", "the rotation is one matrix")
    }
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    let timing = emitter.timing
    set("ps.emissionOverTime", generator(rateOfChance(), .rateRand, at: "emission.rate"))
    set(
      "ps.emissionOverDistance",
      generator(emission.ratePerDistance, .rateWay, at: "emission.ratePerDistance"))
    var bursts: [JSONValue] = []
    for (index, burst) in emission.bursts.enumerated() {
      // Repeated bursts are written one by one.
      let duration = timing.duration?.mean ?? burst.time + burst.interval
      let count =
        burst.cycles == 0
        ? Int(max(min((duration - burst.time) / burst.interval, 999), 0)) + 1
        : min(burst.cycles, 1000)
      if count > 1 || burst.interval != 1 {
        lose(
          burst.cycles == 0 && timing.duration == nil ? .approximated : .restated, .burstList,
          at: "emission.bursts", "a burst that repeats is written as several")
      }
      for cycle in 0..<count {
        bursts.append([
          "time": format.real(burst.time + Double(cycle) * burst.interval),
          "count": generator(burst.count, .burst, at: "emission.bursts[\(index)].count"),
          "cycle": .int(1), "interval": .double(0.01),
          "probability": format.real(burst.probability),
        ])
      }
    }
    // Older files state counts as numbers.
    if let old = surroundings.origin?["ps.emissionBursts"]?.array, old.count == bursts.count {
      for index in bursts.indices {
        guard old[index]["count"]?.double != nil, let value = bursts[index]["count.value"] else {
          continue
        }
        var burst = bursts[index].object ?? JSONObject()
        burst["count"] = value
        bursts[index] = .object(burst)
      }
    }
    set("ps.emissionBursts", .array(bursts))
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
    drop(\.emission.maxAlive, .maxAlive, at: "emission.maxAlive", "there is no capacity")
    drop(\.emission.whenFull, .maxAlive, at: "emission.whenFull", "there is no capacity", .dead)
  }

  mutating func encodeShape() {
    let shape = emitter.shape
    var value: JSONObject
    var (isExact, radius) = (true, shape.radius)
    let half = 0.5.squareRoot().rounded
    let alongZ = Quaternion(half, 0, 0, half)
    var turn = Quaternion.identity
    switch shape.kind {
    case .point: value = ["type": "point"]
    case .sphere: value = ["type": "sphere"]
    case .hemisphere: (value, turn) = (["type": "hemisphere"], alongZ)
    case .cone:
      (value, turn) = (["type": "cone", "angle": format.real(shape.angle * Self.radians)], alongZ)
    case .torus:
      (value, turn) = (["type": "donut", "donutRadius": format.real(shape.pipe)], alongZ)
    case .ellipse where shape.radii.x == shape.radii.y:
      (value, radius) = (["type": "circle"], shape.radii.x)
    case .rect:
      value = [
        "type": .string(shape.placement == .volume ? "grid" : "rectangle"),
        "width": format.real(shape.size.x), "height": format.real(shape.size.y),
      ]
      if shape.placement == .volume {
        value["column"] = .int(16)
        value["row"] = .int(16)
      }
    default:
      value = ["type": "sphere"]
      radius = max(shape.halfSize.x, shape.halfSize.y, shape.size.z / 2)
      isExact = false
    }
    if ![.point, .rect].contains(shape.kind) {
      value["radius"] = format.real(radius)
      value["arc"] = format.real((shape.arc.upper - shape.arc.lower) * Self.radians)
      let isHollow = shape.placement != .volume
      value["thickness"] = format.real(isHollow ? 0 : 1 - shape.inner)
      if shape.arc.lower != 0 || isHollow && shape.inner != 0 { isExact = false }
      if isHollow && shape.placement != .surface { isExact = false }
      let isRound = shape.kind == .sphere || shape.kind == .hemisphere
      let expected: Distribution = isRound && !isHollow ? .radialLinear : .uniform
      if shape.distribution != expected { isExact = false }
    }
    if shape.kind == .rect, shape.distribution != .uniform { isExact = false }
    let modes: [Sweep] = [.random, .loop, .pingpong, .spread]
    let mode = modes.firstIndex(of: shape.sweep) ?? 0
    if mode != 0 || surroundings.origin?["ps.shape.mode"] != nil { value["mode"] = .int(mode) }
    set("ps.shape", .object(value))
    let expected = Emitter.Transform.rotated(turn)
    if !isExact || shape.transform != expected || shape.height != 0 {
      lose(
        .approximated, shape.kind == .mesh ? .shMesh : .sh3D, at: "shape",
        "shapes are at the emitter, along z", recipe: "the nearest shape")
    }
    let launch = emitter.launch
    let standard: Direction =
      shape.kind == .point
      ? Direction(.random)
      : shape.kind == .rect ? Direction(vector: Vector(0, 0, 1)) : Direction(.normal)
    if launch.direction != standard || launch.spread != 0 {
      lose(
        .approximated, .dirNormal, at: "launch.direction",
        also: ["launch.spread", "launch.spreadLaw"], "directions follow from the shape")
    } else {
      drop(
        \.launch.spreadLaw, .cone3D, at: "launch.spreadLaw", "without a spread it has no effect",
        .dead)
    }
  }

  mutating func encodeStart() {
    set(
      "ps.startLife",
      generator(clampNegative(emitter.lifetime, .life, at: "lifetime"), .life, at: "lifetime"))
    set("ps.startSpeed", generator(launchSpeed(), .speedRange, at: "launch.speed"))
    let factor = sizeFactor(wantsFactor: false)
    shareSizeOverLife()
    let width = emitter.size.width
    let start = clampNegative(
      width.to != nil && width.from == 0 ? width.to ?? 1 : width.from, .size, at: "size.width")
    if width.to == nil || width.from == 0 {
      set("ps.startSize", generator(start, .size, at: "size.width", times: factor))
    } else {
      set("ps.startSize", constant(factor))
    }
    if emitter.size.aspect != .ratio(1) {
      let (w, h) = shownSize
      lose(
        w != nil && w == h ? .restated : .lost, .sizeXY, at: "size.aspect",
        "particles are always square")
    }
    let rotation = emitter.rotation
    if surroundings.origin?["ps.startRotation.type"]?.string.map({
      $0 == "Euler" || $0 == "AxisAngle" || $0 == "RandomQuat"
    }) != true
      || rotation.angle != 0
    {
      let angle =
        rotation.angle.isPlainValue
        ? rotation.angle.from : .constant(rotation.angle.mean(lifetime: lifetime))
      if !rotation.angle.isPlainValue {
        lose(
          .approximated, .rotCurve, at: "rotation.angle", "angles over life are not supported",
          recipe: "the mean")
      }
      let value = generator(angle, .rot, at: "rotation.angle", times: Self.radians)
      if surroundings.origin?["ps.startRotation.type"]?.string == "Euler" {
        set("ps.startRotation.angleZ", value)
      } else {
        set("ps.startRotation", value)
      }
    }
    encodeStartColor()
  }

  private mutating func encodeStartColor() {
    let base = emitter.color.base
    if base.clamp != base.from.componentBounds {
      lose(.restated, .grad, at: "color.base.clamp", "components are not clamped")
    }
    if let parts = colorParts {
      let isLine = if case .range(let range) = base.from { range.mode == .line } else { false }
      return set(
        "ps.startColor",
        parts.low == parts.high
          ? ["type": "ConstantColor", "color": color(parts.low)]
          : [
            "type": .string(isLine ? "ColorRange" : "RandomColor"), "a": color(parts.low),
            "b": color(parts.high),
          ])
    }
    switch base.from {
    case .constant(let plain):
      set("ps.startColor", ["type": "ConstantColor", "color": color(plain)])
    case .range(let range) where range.mode != .hsb && range.jitter == nil:
      set(
        "ps.startColor",
        [
          "type": .string(range.mode == .line ? "ColorRange" : "RandomColor"),
          "a": color(range.min), "b": color(range.max),
        ])
    default:
      let (mean, half) = base.from.uniformLikeness
      // Colours are limited when they are drawn, which would change the mean.
      let halves = zip(mean.channels, half.channels).map { max(min($1, $0, 1 - $0), 0) }
      func end(_ sign: Double) -> JSONValue {
        color(Color(zip(mean.channels, halves).map { ($0 + sign * $1).rounded }))
      }
      set("ps.startColor", ["type": "RandomColor", "a": end(-1), "b": end(1)])
      lose(
        .approximated, .colHSB, at: "color.base.from", also: ["color.base.clamp"],
        "colours are between two", recipe: "a range of the same mean")
    }
  }

  // MARK: Look

  mutating func encodeRender() {
    let render = emitter.render
    let modes: [Billboard: Int] = [
      .screen: 0, .velocity: 1, .mesh: 2, .horizontal: 4, .vertical: 5,
    ]
    var mode = modes[render.billboard] ?? 0
    if render.trail != nil { mode = 3 }
    let stretch = emitter.size.stretch
    if stretch != nil, stretch?.axis == .velocity { mode = 1 }
    set("ps.renderMode", integer: mode)
    if modes[render.billboard] == nil {
      lose(.approximated, .billb, at: "render.billboard", "particles face the screen")
    }
    if mode == 1 {
      let key =
        surroundings.origin?["ps.rendererEmitterSettings.speedFactor"] != nil
        ? "ps.rendererEmitterSettings.speedFactor" : "ps.speedFactor"
      set(key, single(stretch?.factor ?? 0, .stretch, at: "size.stretch", "it cannot be random"))
      if render.billboard != .velocity || stretch == nil {
        lose(
          .restated, .stretch, at: "size.stretch", also: ["render.billboard"],
          "stretched particles are along their velocity")
      }
    }
    if let stretch, stretch.axis != .velocity {
      lose(.lost, .stretch, at: "size.stretch", "only stretching along the velocity is supported")
    }
    if let trail = render.trail, trail != Trail.ofOneSecond || render.billboard != .screen {
      lose(
        .approximated, .trail, at: "render.trail", also: ["render.billboard"],
        "trails have a number of points")
    }
    set("ps.renderOrder", integer: render.order)
    if let soft = render.soft {
      set("ps.softParticles", flag: true)
      set("ps.softNearFade", soft.near)
      set("ps.softFarFade", soft.far)
    }
    encodeTiles()
  }
}

extension Trail {
  fileprivate static let ofOneSecond: Trail = {
    var trail = Trail()
    trail.length = 1
    return trail
  }()
}

extension Emitter.Transform {
  fileprivate static func rotated(_ rotation: Quaternion) -> Emitter.Transform {
    var transform = Emitter.Transform()
    transform.rotation = rotation
    return transform
  }
}
