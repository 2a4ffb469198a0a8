internal import ParticlesCore
internal import ParticlesPropertyLists
internal import ParticlesModel

// Time, numbers of particles, and where they are emitted.

extension TreeReader<LibGDXFamily> {
  func timing(_ timing: Timing) -> Timing {
    var timing = timing
    timing.duration = ranged("Duration", times: 0.001, scope: .cycle)?.notNegative ?? 0.001
    timing.delay = timing.delay.notNegative
    timing.loop = flag("Options.continuous", false)
    if timing.loop, timing.duration == 0 {
      // The emitter restarts in every step.
      (timing.loop, timing.duration) = (false, nil)
    }
    if timing.loop { timing.idle = timing.delay }
    return timing
  }

  /// A time of particles, which all particles of a period share unless the block is independent.
  func life(_ block: String) -> Value? {
    let scope: Scope = flag("\(block).independent", false) ? .particle : .cycle
    return scaled(block, scope: scope, times: 0.001, isWhole: true)?.value(scope).notNegative
  }

  var shape: Shape {
    let name = text("Spawn Shape.shape")?.trimmed ?? "point"
    let offset = [ranged("X Offset") ?? 0, ranged("Y Offset") ?? 0]
    let extents = ["Spawn Width", "Spawn Height"].map {
      LibGDXExtent(scaled($0, scope: .cycle)?.value(.cycle) ?? 0)
    }
    let (x, y) = (extents[0].size, extents[1].size)
    var shape = Shape()
    switch name {
    case "point":
      if !offset.allSatisfy({ $0.isConstant }) {
        shape = .rect(width: 2 * offset[0].halfWidth, height: 2 * offset[1].halfWidth)
      }
      shape.transform.translation = Vector(offset[0].mean, offset[1].mean)
      return shape
    case "square": shape = .rect(width: x.magnitude, height: y.magnitude)
    case "line":
      shape = .line(
        length: (x * x + y * y).squareRoot().rounded, angle: Angle.direction(x, y) ?? 0)
      // The line starts at the emitter, but a line of the document is centred.
      shape.transform.translation = Vector((x / 2).rounded, (y / 2).rounded)
    case "ellipse":
      shape = .ellipse((x / 2).magnitude, (y / 2).magnitude)
      // Without width or height, the engine takes a point.
      guard x != 0, y != 0 else {
        shape = Shape()
        break
      }
      guard flag("Spawn Shape.edges", false) else { break }
      shape.placement = .edge
      shape.arc = choice(
        "Spawn Shape.side",
        ["both": shape.arc, "top": Interval(-179, 0), "bottom": Interval(0, 179)])
    default:
      note(
        unknown: name, "Spawn Shape.shape", "particles are emitted at a point",
        known: ["point", "line", "square", "ellipse"])
    }
    if shape.kind != .point {
      shape.extent = ValueScale(extents[0].factor, extents[1].factor)
    }
    if shape.extent == .one, offset.allSatisfy({ $0.isConstant }) {
      let center = shape.transform.translation
      shape.transform.translation = Vector(
        (center.x + offset[0].mean).rounded, (center.y + offset[1].mean).rounded)
    } else {
      shape.offset = ValueVector(offset[0], offset[1])
    }
    return shape
  }
}

/// Width or height of a shape: the greatest extent over a period, and its factor at each time.
private struct LibGDXExtent {
  let size: Double
  let factor: Value

  init(_ value: Value) {
    let bounds = value.bounds
    let most = bounds.upper.magnitude < bounds.lower.magnitude ? bounds.lower : bounds.upper
    size = value.isConstant ? value.mean.rounded : most
    factor = value.isConstant || most == 0 ? 1 : value.mapped(isFalling: most < 0) { $0 / most }
  }
}

extension EmitterWriter<LibGDXFamily> {
  mutating func encodeDelay() {
    let timing = emitter.timing
    let delay = bounds(of: timing.delay, .delay, at: "timing.delay", scope: .cycle)
    set("Delay.active", flag: delay != (0, 0))
    if delay != (0, 0) {
      setRange("Delay", ((delay.least * 1000).rounded, (delay.most * 1000).rounded))
    }
    guard timing.idle != (timing.loop ? timing.delay : 0) else { return }
    lose(
      timing.loop ? .approximated : .dead, .idle, at: "timing.idle",
      timing.loop
        ? "the delay is repeated before each period"
        : "without repetition the pause has no effect")
  }

  mutating func encodeDuration() {
    if isBurst { return setRange("Duration", (1, 1)) }
    let duration = period(endless: 3)
    let bounds = bounds(of: duration, .duration, at: "timing.duration", scope: .cycle)
    setRange("Duration", ((bounds.least * 1000).rounded, (bounds.most * 1000).rounded))
  }

  mutating func encodeCount() {
    let emission = emitter.emission
    var least = emission.minAlive
    var most = emission.maxAlive
    if !emission.bursts.isEmpty {
      let largest = emission.largestBurst ?? Burst()
      let count = Int(saturating: min(max(largest.count.mean * largest.probability, 0), 1e9))
      if isBurst {
        least = count
        most = max(most ?? count, count)
        lose(
          .approximated, .burst, at: "emission.bursts",
          also: ["emission.minAlive", "emission.maxAlive", "timing.duration", "timing.delay"],
          "bursts are not supported", recipe: "the largest burst as the minimum")
      } else {
        lose(.lost, .burst, at: "emission.bursts", "bursts are not supported")
      }
    }
    set("Count.min", integer: least)
    set("Count.max", integer: capacity(most, atLeast: least))
  }

  mutating func encodeRate() {
    var rate = rateOfChance()
    let (whole, error) = rate.inWholes(times: 1)
    if error > 0 {
      lose(
        .approximated, .rate, at: "emission.rate", "rates are whole numbers", recipe: "rounded",
        metric: Loss.Metric("rate error", (error * 1e3).rounded() / 1e3, "particles a second"))
      rate = whole
    }
    setValue("Emission", rate, .randomRate, at: "emission.rate")
  }

  mutating func encodeLife() { encodeLife("Life", emitter.lifetime, at: "lifetime") }

  mutating func encodeLife(
    _ block: String, _ value: Value, at place: String, hasSwitch: Bool = false
  ) {
    let isIndependent = value.scope == .particle && !value.isNumber
    if hasSwitch, value == 0 {
      set("\(block).active", flag: false)
    } else {
      let (whole, error) = value.inWholes(times: 1000)
      if error > 0 {
        lose(
          error > 1 ? .clamped : .approximated, .life, at: place,
          "times are whole milliseconds, at least 0", recipe: "rounded",
          level: error > 1 ? nil : .info)
      }
      setValue(
        block, whole, .life, at: place, scope: value.scope, times: 1000, hasSwitch: hasSwitch)
    }
    if !isOld { set("\(block).independent", flag: isIndependent) }
  }

  /// The offset of a shape, or of the start of a line.
  mutating func encodeOffset() {
    let shape = emitter.shape
    let line = lineEnd
    let (inner, outer) = (shape.transform.translation, emitter.transform.translation)
    // Only the place of a line changes with its extents.
    let place = Vector((inner.x - line.x / 2).rounded, (inner.y - line.y / 2).rounded)
    if shape.extent != .one, place != .zero {
      lose(
        .approximated, .shapeCurve, at: "shape.transform",
        "the place of a shape does not change with its extents")
    }
    let values = [shape.offset.x, shape.offset.y]
    for (block, (value, more)) in zip(
      ["X Offset", "Y Offset"], zip(values, [place.x + outer.x, place.y + outer.y]))
    {
      let bounds = bounds(of: value, .shapeOffset, at: "shape.offset")
      let (least, most) = ((bounds.least + more).rounded, (bounds.most + more).rounded)
      let isActive = (least, most) != (0, 0)
      set("\(block).active", flag: isActive)
      if isActive { setScaled(block, low: (least, most), high: (0, 0)) }
    }
    if shape.offset.z != 0 || shape.extent.z != 1 {
      lose(
        .dead, .shapeOffset, at: "shape.offset", also: ["shape.extent"], "depth is not supported")
    }
    if emitter.transform.translation != .zero {
      lose(
        .restated, .place, at: "transform", also: ["shape.transform"],
        "the place of the emitter is written as an offset")
    }
  }

  private var lineEnd: Vector {
    guard emitter.shape.kind == .line else { return .zero }
    let end = Angle.turned(emitter.shape.length, 0, by: emitter.shape.angle)
    return Vector(end.x, end.y)
  }

  mutating func encodeShape() {
    let shape = emitter.shape
    var (name, size) = ("point", Vector.zero)
    var capability: Capability?
    switch shape.kind {
    case .point: break
    case .rect:
      (name, size) = ("square", shape.size)
      if shape.placement != .volume { capability = .shapeRing }
    case .line: (name, size) = ("line", lineEnd)
    case .ellipse:
      (name, size) = ("ellipse", Vector(2 * shape.radii.x, 2 * shape.radii.y))
      if size.x == 0 || size.y == 0 {
        // The engine emits at its centre.
        name = "point"
        lose(
          size == .zero ? .restated : .approximated, .shapeDisc, at: "shape.type",
          also: ["shape.radii", "shape.placement", "shape.arc", "shape.inner"],
          "an ellipse without width or height is a point")
        break
      }
      let isEdge = shape.placement != .volume
      set("Spawn Shape.edges", flag: isEdge)
      let sides: [Interval: String] = [
        Interval(0, 360): "both", Interval(-179, 0): "top", Interval(0, 179): "bottom",
      ]
      set("Spawn Shape.side", .string(sides[shape.arc] ?? "both"))
      if sides[shape.arc] == nil || shape.inner > 0 || !isEdge && shape.arc != Interval(0, 360) {
        capability = .shapeRing
      }
    default:
      (name, size) = ("square", Vector(2 * shape.halfSize.x, 2 * shape.halfSize.y))
      capability = [.polyline, .points].contains(shape.kind) ? .shapePoints : .shape3D
    }
    set("Spawn Shape.shape", .string(name))
    for (block, size, factor) in [
      ("Spawn Width", size.x, shape.extent.x), ("Spawn Height", size.y, shape.extent.y),
    ] {
      setValue(
        block, name == "point" ? 0 : factor.scaled(by: size), .shapeCurve, at: "shape.extent")
    }
    if name == "point", shape.extent != .one {
      lose(.dead, .shapeCurve, at: "shape.extent", "a point has no extent")
    }
    if capability == nil, shape.distribution != .uniform, shape.kind != .point {
      capability = shape.kind == .rect ? .shapeRectangle : .shapeDisc
    }
    if let capability {
      lose(
        .approximated, capability, at: "shape",
        "only points, lines, rectangles and ellipses are supported",
        recipe: "the nearest supported shape")
    }
    if shape.transform.angle != 0 || shape.transform.scale != .one
      || shape.transform.rotation != .identity
    {
      lose(.lost, .shapeRectangle, at: "shape.transform", "shapes are not rotated")
    }
    if shape.kind != .point { dropSweep() }
  }
}
