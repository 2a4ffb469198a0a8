internal import ParticlesCore
internal import ParticlesModel

// Shapes, from which directions follow.

extension QuarksFamily {
  /// The shapes by their names; of several names of a shape, the first is that of its volume.
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
    // A sphere without a size: speeds are as stated, and not those in a ball.
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
        // Points of a grid, from the left lower corner; the rectangle has their mean and deviation.
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
        .approximated, "ps.shape.angle", "directions in a cone are those of its sides",
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
    let names = QuarksFamily.shapes.filter { $0.kind == kind }.map(\.name)
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
}

extension EmitterWriter<QuarksFamily> {
  /// A sphere without a size, because the engine's point emits speeds as in a ball; that of a file stays.
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
