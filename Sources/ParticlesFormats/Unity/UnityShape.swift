internal import ParticlesCore
internal import ParticlesModel

// Shapes, from which directions follow. Shapes of Unity are along +z, the −z of a document.

extension UnityFormat {
  /// The kinds of shapes by their numbers (`ParticleSystemShapeType`), with the part that emits.
  private static let shapes: [(name: String, kind: ShapeKind?, placement: Placement)] = [
    ("sphere", .sphere, .volume), ("sphere", .sphere, .surface),
    ("hemisphere", .hemisphere, .volume),
    ("hemisphere", .hemisphere, .surface), ("cone", .cone, .volume), ("box", .box, .volume),
    ("mesh", nil, .volume), ("cone", .cone, .surface), ("volume of a cone", .cone, .volume),
    ("volume of a cone", .cone, .surface), ("circle", .ellipse, .volume),
    ("circle", .ellipse, .edge),
    ("edge", .line, .volume), ("renderer of a mesh", nil, .volume),
    ("renderer of a skinned mesh", nil, .volume),
    ("box", .box, .surface), ("box", .box, .edge), ("donut", .torus, .volume),
    ("rectangle", .rect, .volume),
    ("sprite", nil, .volume), ("renderer of a sprite", nil, .volume),
  ]

  /// Turns +y, along which round shapes of a document are, to −z.
  static let alongZ = Quaternion(
    -0.5.squareRoot().rounded, 0, 0, 0.5.squareRoot().rounded)

  private static let sweeps: [Sweep] = [.random, .loop, .pingpong, .spread]

  static func decodeShape(_ reader: UnityReader, _ emitter: inout Emitter) {
    // Without a shape, particles start at the origin and fly forwards.
    emitter.launch.direction = Direction(vector: Vector(0, 0, -1))
    guard let module = reader.module("ShapeModule", isOn: true) else { return }
    defer { module.passAll() }
    let number = Int(saturating: module.number("type"))
    guard shapes.indices.contains(number), let kind = shapes[number].kind else {
      var name = shapes.indices.contains(number) ? shapes[number].name : "shape \(number)"
      if number == 6 { name += " \(reader.nameOfMesh(UnityReference(node: module["m_Mesh"])))" }
      module.note(.uninterpreted, "type", "particles are emitted at a point", found: name)
      emitter.launch.direction = Direction(.random)
      return
    }
    var shape = Shape(kind)
    shape.placement = shapes[number].placement
    place(&shape, module)
    // Of an object of its own, or the number itself in old files.
    func measure(_ key: String, _ standard: Double) -> Double {
      let node = module[key]
      return ((node?.text == nil ? node?["value"]?.number : node?.number) ?? standard).magnitude
    }
    let radius = measure("radius", 1)
    let isRound = [.sphere, .hemisphere, .cone, .torus].contains(kind)
    switch kind {
    case .ellipse: shape.radii = Vector2(radius, radius)
    case .line: shape.length = 2 * radius
    case .box, .rect: measureBox(&shape, module)
    default: shape.radius = radius
    }
    if kind == .torus { shape.pipe = module.number("donutRadius", 0.2).magnitude }
    if isRound {
      shape.transform.rotation = shape.transform.rotation.times(alongZ)
      emitter.launch.direction = Direction(.normal)
    }
    thin(&shape, module)
    switch kind {
    case .cone: decodeCone(&shape, &emitter, module, isVolume: number == 8 || number == 9)
    case .ellipse: emitter.launch.direction = Direction(.normal)
    case .line: emitter.launch.direction = Direction(vector: Vector(0, 1, 0))
    default: break
    }
    decodeArc(&shape, module, isRound: isRound)
    emitter.shape = shape
    if radius <= pointRadius { aimPoint(&emitter) }
    decodeDirections(module, &emitter)
  }

  /// The greatest radius of a shape that only aims particles.
  private static let pointRadius = 0.001

  /// Takes a round shape without an extent for a point with the directions of the shape.
  private static func aimPoint(_ emitter: inout Emitter) {
    let shape = emitter.shape
    var point = Shape(.point)
    point.transform.translation = shape.transform.translation
    let rotation = shape.transform.rotation
    switch shape.kind {
    case .cone where shape.height == 0:
      emitter.launch.direction = Direction(vector: rotation.turned(Vector(0, 1, 0)).tidied)
      (emitter.launch.spread, emitter.launch.spreadLaw) = (shape.angle, .solidUniform)
    case .sphere where shape.arc == Interval(0, 360):
      emitter.launch.direction = Direction(.random)
    case .ellipse where shape.sweep == .random:
      guard let turn = rotation.angleInPlane else { return }
      let half = ((shape.arc.upper - shape.arc.lower) / 2).rounded
      emitter.launch.direction = Direction(
        angle: .constant(((turn + shape.arc.lower + half) * 1e4).rounded() / 1e4))
      (emitter.launch.spread, emitter.launch.spreadLaw) = (half, .planar)
    default: return
    }
    emitter.shape = point
  }

  private static func place(_ shape: inout Shape, _ module: SourceNode) {
    shape.transform.translation = place(module["m_Position"])
    shape.transform.rotation = rotation(degrees: module["m_Rotation"])
    let scale = vector(module["m_Scale"], 1)
    if ![.box, .rect].contains(shape.kind) {
      shape.transform.scale = Scale(scale.x, scale.y, scale.z)
      // The axes of a round shape are turned after it was scaled.
      if [.sphere, .hemisphere, .cone, .torus].contains(shape.kind) {
        shape.transform.scale = Scale(scale.x, scale.z, scale.y)
      }
    }
  }

  /// A box of old files has three numbers, one of later ones the scale.
  private static func measureBox(_ shape: inout Shape, _ module: SourceNode) {
    let scale = vector(module["m_Scale"], 1)
    var size = [("boxX", scale.x), ("boxY", scale.y), ("boxZ", scale.z)].map {
      module.number($0.0, $0.1).magnitude
    }
    if shape.kind == .rect { size[2] = 0 }
    shape.size = Vector(size[0], size[1], size[2])
    let thickness = vector(module["boxThickness"])
    if shape.placement == .surface, thickness != .zero {
      module.note(.approximated, "boxThickness", "particles are emitted at the surface of the box")
    }
  }

  /// The share of the radius that emits: 1 for all, 0 for the surface.
  private static func thin(_ shape: inout Shape, _ module: SourceNode) {
    let thickness = Interval.unit.clamp(module.number("radiusThickness", 1))
    guard [.sphere, .hemisphere, .cone, .ellipse, .torus].contains(shape.kind),
      shape.placement == .volume
    else { return }
    if thickness == 0 {
      shape.placement = shape.kind == .ellipse ? .edge : .surface
    } else if shape.kind == .torus {
      if thickness < 1 {
        module.note(.approximated, "radiusThickness", "the tube of a donut emits as a whole")
      }
    } else {
      shape.inner = (1 - thickness).rounded
    }
  }

  private static func decodeCone(
    _ shape: inout Shape, _ emitter: inout Emitter, _ module: SourceNode, isVolume: Bool
  ) {
    shape.angle = min(max(module.number("angle", 25), 0), 90)
    if isVolume { shape.height = module.number("length", 5).magnitude }
    if shape.angle == 0 {
      emitter.launch.direction = Direction(vector: Vector(0, 1, 0))
    } else if shape.placement != .surface {
      // In Unity they lean more the further from the axis they start.
      emitter.launch.direction = Direction(vector: Vector(0, 1, 0))
      (emitter.launch.spread, emitter.launch.spreadLaw) = (shape.angle, .solidUniform)
      module["angle"]?.note(
        .approximated, "directions in a cone do not depend on where in its base a particle starts",
        severity: .note)
    }
  }

  private static func decodeArc(_ shape: inout Shape, _ module: SourceNode, isRound: Bool) {
    let arc = module["arc"]
    let whole = arc?.text == nil ? arc?["value"]?.number : arc?.number
    let degrees = min(max(whole ?? 360, 0), 360)
    let spread = shape.kind == .line ? module["radius"] : arc
    let mode = Int(saturating: spread?.text == nil ? spread?.number("mode") ?? 0 : 0)
    if sweeps.indices.contains(mode) { shape.sweep = sweeps[mode] }
    if mode == 1 || mode == 2, !UnityNumber(spread?["speed"], 1).isAlways(1) {
      spread?.note(.approximated, "speed", "the place moves once around in a second")
    }
    if (spread?.text == nil ? spread?.number("spread") ?? 0 : 0) > 0, mode > 0 {
      spread?.note(.approximated, "spread", "places along the arc are not in steps")
    }
    guard [.sphere, .hemisphere, .cone, .torus, .ellipse].contains(shape.kind) else { return }
    // Angles of round shapes are reversed, because z is.
    shape.arc = isRound ? Interval(-degrees + 0, 0) : Interval(0, degrees)
    if degrees == 360 { shape.arc = Interval(0, 360) }
  }

  private static func decodeDirections(_ module: SourceNode, _ emitter: inout Emitter) {
    let random = max(module.number("randomDirectionAmount"), module.number("randomDirection"))
    if random >= 1 {
      emitter.launch.direction = Direction(.random)
      emitter.launch.spread = 0
    } else if random > 0 {
      emitter.launch.spread = max(emitter.launch.spread, (180 * random).rounded)
      module.note(.approximated, "randomDirectionAmount", "directions spread by a share of 180°")
    }
    if module.number("sphericalDirectionAmount") > 0, emitter.launch.direction.mode != .normal {
      module.note(
        .uninterpreted, "sphericalDirectionAmount", "directions away from the centre of the shape")
    }
    if module.number("randomPositionAmount") > 0 {
      module.note(.uninterpreted, "randomPositionAmount", "places that are moved at random")
    }
    if module.flag("alignToDirection") { emitter.rotation.align = .birth }
    for key in ["m_Texture", "m_Sprite"] where UnityReference(node: module[key]) != nil {
      module.note(.uninterpreted, key, "shapes that follow a picture")
    }
  }

  static func vector(_ node: SourceNode?, _ standard: Double = 0) -> Vector {
    func number(_ key: String) -> Double { node?.number(key, standard) ?? standard }
    return Vector(number("x"), number("y"), number("z"))
  }

  /// A place, with the axes of a document.
  static func place(_ node: SourceNode?) -> Vector { flipped(vector(node)) }

  static func flipped(_ vector: Vector) -> Vector { Vector(vector.x, vector.y, -vector.z + 0) }

  /// A rotation by angles in degrees: about z, then x, then y.
  static func rotation(degrees node: SourceNode?) -> Quaternion {
    let angles = vector(node)
    func turn(_ degrees: Double, _ axis: Vector) -> Quaternion {
      let half = Angle.radians(degrees) / 2
      let sine = sine(half)
      return Quaternion(axis.x * sine, axis.y * sine, axis.z * sine, cosine(half))
    }
    guard angles != .zero else { return .identity }
    // Mirroring z reverses rotations about x and y.
    return turn(-angles.y, Vector(0, 1, 0)).times(turn(-angles.x, Vector(1, 0, 0)))
      .times(turn(angles.z, Vector(0, 0, 1)))
  }
}

extension Quaternion {
  /// This rotation, applied after `other`.
  func times(_ other: Quaternion) -> Quaternion {
    if self == .identity { return other }
    if other == .identity { return self }
    let (a, b) = (self, other)
    return Quaternion(
      (a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y).rounded,
      (a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x).rounded,
      (a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w).rounded,
      (a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z).rounded)
  }
}

extension UnityReference {
  init?(node: SourceNode?) {
    guard let node, node.text == nil, let id = node["fileID"]?.text.flatMap({ Int64($0) }), id != 0
    else { return nil }
    self.id = id
    guid = node["guid"]?.text?.lowercased()
    node.passAll()
  }
}
