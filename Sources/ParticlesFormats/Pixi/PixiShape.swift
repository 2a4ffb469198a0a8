internal import ParticlesCore
internal import ParticlesModel

// Shape.

extension TreeReader<PixiFamily> {
  func decodeShape(of emitter: inout Emitter) {
    let hasBurst = has("behaviors[spawnBurst]")
    let type = hasBurst ? "burst" : text("spawnShape/type") ?? "point"
    switch type {
    case "point": break
    case "rect":
      let (width, height) = (number("rect/w", 0), number("rect/h", 0))
      emitter.shape = .rect(width: width.magnitude, height: height.magnitude)
      emitter.shape.transform.translation = Vector(
        (number("rect/x", 0) + width / 2).rounded, 0 - (number("rect/y", 0) + height / 2).rounded)
    case "circle", "ring", "torus":
      let radius = number("circle/radius", 0).magnitude
      let inner = number("circle/innerRadius", 0)
      emitter.shape = .ellipse(radius, radius)
      if type != "circle", radius > 0 {
        emitter.shape.inner = min(max(inner / radius, 0), 1).rounded
      }
      emitter.shape.distribution = .radialLinear
      emitter.shape.transform.translation = Vector(
        number("circle/x", 0), 0 - number("circle/y", 0))
      if format.isFlat ? type == "ring" : flag("circle/affectRotation", false) {
        setNormal(of: &emitter)
      }
    case "burst" where format.isFlat || hasBurst: decodeBurst(of: &emitter)
    case "polygonalChain":
      let lines = PixiChain.lines(array("polygonalChain/") ?? [])
      guard !lines.isEmpty else {
        return note(.assumed, "polygonalChain/", "without points particles are emitted at one")
      }
      emitter.shape = Shape(.polyline)
      emitter.shape.points = lines
      emitter.shape.placement = .edge
    default:
      note(
        unknown: type, "spawnShape/type", "particles are emitted at a point",
        known: ["point", "rect", "circle", "ring", "torus", "burst", "polygonalChain"])
    }
  }

  /// Particles fly outwards, turned by their start rotation.
  private func setNormal(of emitter: inout Emitter) {
    let angle = emitter.launch.direction.angle
    if !angle.isConstant, angle.mean == 0 {
      emitter.launch.spread = min(angle.bounds.upper, 180)
      emitter.launch.direction = Direction(.normal)
      return
    }
    // Turned by any angle, they fly anywhere.
    if angle.bounds.upper - angle.bounds.lower >= 360 {
      emitter.launch.direction = Direction(.random)
      return
    }
    if angle.mean != 0 || !angle.isConstant {
      note(
        .approximated, "circle/",
        "directions that depend on the place and are random as well lose "
          + "their start rotation")
    }
    emitter.launch.direction = Direction(.normal)
  }

  private func decodeBurst(of emitter: inout Emitter) {
    let (start, spacing) = (number("spawnBurst/start", 0), number("spawnBurst/spacing", 0))
    let distance = number("spawnBurst/distance", 0).magnitude
    emitter.shape = .ellipse(distance, distance)
    emitter.shape.placement = .edge
    if spacing != 0 {
      let count = max(number("particlesPerWave", 1), 1)
      // In equal parts of the arc, each in the middle of its own: of a wave that is cut, the engine emits the first
      // ones (`BurstSpawn.ts`, `initParticles`). Angles of the engine are clockwise.
      let (first, last) = (start - spacing / 2, start + spacing * (count - 0.5))
      if spacing > 0 {
        emitter.shape.arc = Interval(first.rounded, last.rounded)
        emitter.shape.transform.rotation = .aboutX
      } else {
        emitter.shape.arc = Interval((-first).rounded, (-last).rounded)
      }
      emitter.shape.sweep = .spread
    }
    emitter.launch.direction = Direction(.normal)
  }
}

extension EmitterWriter<PixiFamily> {
  /// Whether the shape states directions.
  var hasNormal: Bool {
    emitter.launch.direction.mode == .normal && emitter.shape.kind == .ellipse
      && emitter.launch.spread == 0 && emitter.shape.radii.x == emitter.shape.radii.y
  }

  mutating func encodeShape() {
    let shape = emitter.shape
    let center = shape.transform.translation
    var plain = Emitter.Transform(translation: Vector(center.x, center.y))
    if isBurst, shape.runsClockwise { plain.rotation = .aboutX }
    var isExact = shape.transform == plain
    switch shape.kind {
    case .rect where shape.placement == .volume && shape.distribution == .uniform:
      writeRect(shape.size.x, shape.size.y, center)
    case .point where center == .zero:
      format.isFlat
        ? set("spawnShape/type", .string("point")) : set("spawnPoint/", .object(JSONObject()))
    case .point: writeRect(0, 0, center)
    case .ellipse where isBurst: writeBurst()
    case .ellipse: isExact = writeCircle() && isExact
    case .polyline:
      writeChain(shape.points.map { shape.closed ? $0 + $0.prefix(1) : $0 })
      isExact = isExact && center == .zero && !shape.closed && shape.sweep == .random
    case .line:
      writeChain([shape.lineEnds])
      lose(.restated, .shapeLine, at: "shape", "a line is written as a chain of two points")
    default:
      writeRect(2 * shape.halfSize.x, 2 * shape.halfSize.y, center)
      isExact = false
    }
    if !isExact, !hasLine(at: "shape") {
      lose(
        .approximated, shape.kind == .rect ? .shapeRectangle : .shape3D, at: "shape",
        "only rectangles, circles, rings and chains of lines are supported",
        recipe: "the nearest supported shape")
    }
  }

  private mutating func writeRect(_ width: Double, _ height: Double, _ center: Vector) {
    set("spawnShape/type", .string("rect"))
    set("rect/x", center.x - width / 2)
    set("rect/y", -center.y - height / 2)
    set("rect/w", width)
    set("rect/h", height)
    if emitter.shape.kind == .point, center != .zero {
      lose(
        .restated, .shapeRectangle, at: "shape", "a point is written as a rectangle without a size")
    }
  }

  /// - Returns: whether it is exact.
  private mutating func writeCircle() -> Bool {
    let shape = emitter.shape
    let center = shape.transform.translation
    let isEdge = shape.placement != .volume
    let inner = isEdge ? 1 : shape.inner
    let radius = max(shape.radii.x, shape.radii.y)
    let isRing = inner > 0 || hasNormal
    let type = format.isFlat ? (isRing ? "ring" : "circle") : "torus"
    set("spawnShape/type", .string(type))
    set("circle/x", center.x)
    set("circle/y", -center.y)
    set("circle/radius", radius)
    if type != "circle" { set("circle/innerRadius", (inner * radius).rounded) }
    if !format.isFlat {
      set("circle/affectRotation", flag: hasNormal)
    } else if isRing, !hasNormal {
      lose(
        .approximated, .directionNormal, at: "launch.direction", also: ["launch.spread"],
        "directions depend on the place")
    }
    if shape.radii.x != shape.radii.y || shape.arc != Interval(0, 360) || isEdge { return false }
    if shape.distribution != .radialLinear {
      lose(
        .approximated, .shapeDisc, at: "shape.distribution", "radii are sampled evenly",
        metric: Loss.Metric("particles near the centre", 2, "times as many"))
    }
    return shape.sweep == .random
  }

  /// Whether the engine has the shape as a burst.
  private var isBurst: Bool {
    let shape = emitter.shape
    return hasNormal && shape.placement == .edge && (shape.sweep == .spread || shape.radii.x == 0)
  }

  private mutating func writeBurst() {
    let shape = emitter.shape
    let count = max(emitter.emission.largestBurst?.count.mean ?? 1, 1)
    let isSpread = shape.sweep == .spread
    let direction = shape.runsClockwise ? 1.0 : -1
    let spacing =
      isSpread ? (direction * (shape.arc.upper - shape.arc.lower) / count).rounded : 0
    let start = isSpread ? (spacing / 2 + direction * shape.arc.lower).rounded : 0
    set("spawnBurst/start", start)
    set("spawnBurst/spacing", spacing)
    if !format.isFlat {
      set("spawnBurst/distance", shape.radii.x)
    } else {
      set("spawnShape/type", .string("burst"))
      if shape.radii.x != 0 {
        lose(.lost, .shapeRing, at: "shape.radii", "bursts start at a point")
      }
    }
    if shape.transform.translation != .zero {
      lose(.lost, .shapeRing, at: "shape.transform", "bursts start at the emitter")
    }
  }

  private mutating func writeChain(_ lines: [[Vector]]) {
    set("spawnShape/type", .string("polygonalChain"))
    set("polygonalChain/", PixiChain.value(lines, format.real))
    if emitter.shape.transform.translation != .zero, emitter.shape.kind == .polyline {
      lose(.lost, .shapePoints, at: "shape.transform", "chains are relative to the emitter")
    }
  }
}
