internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Shapes of emission.

/// The names of shapes; their numbers differ between classes and generations.
enum GodotShape: String {
  case point, sphere, surface, box, points, directed, ring

  /// The shapes in the order of their numbers.
  static func all(_ generation: GodotGeneration) -> [GodotShape] {
    generation == .three
      ? [.point, .surface, .box, .points, .directed, .ring]
      : [.point, .sphere, .surface, .box, .points, .directed, .ring]
  }
}

extension GodotReader {
  func decodeShape(of emitter: inout Emitter) throws {
    let kinds = GodotShape.all(kind.generation)
    switch choice("emission_shape", kinds, .point) {
    case .point: break
    case .sphere: emitter.shape = ball(isHollow: false)
    case .surface: emitter.shape = ball(isHollow: true)
    case .box: emitter.shape = box
    case .points: try decodePoints(of: &emitter)
    case .directed: try decodePoints(of: &emitter, isDirected: true)
    case .ring: emitter.shape = ring
    }
    let flat = kind.isSpace ? 1.0 : 0
    if kind.path("emission_shape_offset") != nil {
      if let offset = vector("emission_shape_offset") {
        emitter.shape.transform.translation = Vector(offset.x, offset.y, offset.z * flat)
      }
      if let scale = numbers(at: kind.path("emission_shape_scale"), 3...3) {
        emitter.shape.transform.scale = Scale(
          scale[0] * emitter.shape.transform.scale.x, scale[1] * emitter.shape.transform.scale.y,
          scale[2] * emitter.shape.transform.scale.z)
      }
    }
  }

  /// A sphere, in 2D seen from the front. Its volume is denser at the centre.
  private func ball(isHollow: Bool) -> Shape {
    let radius = number("emission_sphere_radius", 1, atLeast: 0)
    if !isHollow, !kind.isSpace, !kind.isGPU {
      var disc = Shape.ellipse(radius, radius)
      disc.distribution = .radialLinear
      return disc
    }
    var shape = Shape.sphere(radius: radius)
    if isHollow { shape.placement = .surface } else { shape.distribution = .radialLinear }
    if !kind.isSpace { shape.transform.scale.z = 0 }
    return shape
  }

  private var box: Shape {
    let key = kind.isSpace ? "emission_box_extents" : "emission_rect_extents"
    let half = (numbers(at: kind.path(key), 2...3) ?? [1, 1, 1]).map { 2 * $0.magnitude }
    return kind.isSpace
      ? .box(Vector(half[0], half[1], half.count > 2 ? half[2] : 0))
      : .rect(width: half[0], height: half[1])
  }

  private var ring: Shape {
    let outer = number("emission_ring_radius", 1, atLeast: 0)
    let inner = number("emission_ring_inner_radius", 0, atLeast: 0)
    var shape = Shape(kind.isSpace ? .tube : .ellipse)
    (shape.radius, shape.radii) = (outer, Vector2(outer, outer))
    shape.inner = outer > 0 ? min((inner / outer).rounded, 1) : 0
    guard kind.isSpace else { return shape }
    shape.radii = Vector2(0, 0)
    shape.height = number("emission_ring_height", 1, atLeast: 0)
    let axis = vector("emission_ring_axis") ?? Vector(0, 0, 1)
    shape.transform.rotation = Quaternion(turning: .up, to: axis)
    if number("emission_ring_cone_angle", 90) != 90 {
      note(.approximated, "emission_ring_cone_angle", "a ring with slanted walls has straight ones")
    }
    return shape
  }

  private func decodePoints(of emitter: inout Emitter, isDirected: Bool = false) throws {
    guard kind.path("emission_points") == "emission_points" else {
      return note(
        .uninterpreted, "process_material/emission_point_texture",
        "points in a texture are not read; particles are emitted at the origin")
    }
    func vectors(_ key: String) throws -> [Vector] {
      let count = kind.isSpace ? 3 : 2
      let numbers = try list(at: key) ?? []
      return stride(from: 0, to: numbers.count - count + 1, by: count).map {
        Vector(numbers[$0], numbers[$0 + 1] * kind.y + 0, count == 3 ? numbers[$0 + 2] : 0)
      }
    }
    let positions = try vectors("emission_points")
    guard !positions.isEmpty else { return }
    var shape = Shape(.points)
    shape.positions = positions
    let normals = try vectors("emission_normals")
    if isDirected, normals.count == positions.count { shape.normals = normals }
    let colors = try list(at: "emission_colors") ?? []
    if colors.count == 4 * positions.count {
      shape.colors = positions.indices.map { Color(Array(colors[4 * $0..<4 * $0 + 4])) }
    }
    emitter.shape = shape
  }
}

extension EmitterWriter<GodotFamily> {
  private mutating func put(_ shape: GodotShape) {
    put(
      "emission_shape",
      .integer(GodotShape.all(kind.generation).firstIndex(of: shape) ?? 0))
  }

  /// Whether a shape has an offset of its own.
  private var canMoveShape: Bool { kind.generation == .four && kind.isGPU }

  /// Moves the node to its shape, if that cannot be moved.
  mutating func placeShape() {
    let place = emitter.shape.transform.translation
    let around: Set<ForceKind> = [.radial, .tangential, .vortex]
    guard !canMoveShape, kind.hasNode, place != .zero, emitter.motion.orbitVelocity == 0,
      !emitter.forces.contains(where: { around.contains($0.kind) })
    else { return }
    emitter.transform.translation = emitter.transform.place(of: place)
    emitter.shape.transform.translation = .zero
    lose(
      .restated, .place, at: "shape.transform", also: ["transform"],
      "the place of the shape is written as that of the node")
  }

  /// Restates a shape whose normals are directions by points with normals.
  mutating func placeNormals() {
    let shape = emitter.shape
    guard emitter.launch.direction.mode == .normal, kind.hasNode, !kind.isGPU,
      let points = shape.directedPoints
    else { return }
    emitter.shape = Shape(.points)
    emitter.shape.positions = points.map(\.place)
    emitter.shape.normals = points.map(\.normal)
    lose(
      .approximated, .dirNormal, at: "shape", "only points have normals",
      recipe: "\(points.count) points of it with their normals", level: .low)
  }

  mutating func encodeShape() {
    var shape = emitter.shape
    if shape.kind == .point {
      if shape != Shape() { lose(.dead, .shRect, at: "shape", "a point has no other properties") }
      return put(.point)
    }
    let transform = shape.transform
    let flat = Scale(1, 1, 0)
    let isFlattened = !kind.isSpace && transform.scale == flat
    let isRound = shape.kind == .tube && kind.isSpace
    var plain = Transform()
    if isRound { plain.rotation = transform.rotation }
    if isFlattened { plain.scale = flat }
    if canMoveShape, transform.angle == 0 {
      (plain.translation, plain.scale) = (transform.translation, transform.scale)
      put("emission_shape_offset", transform.translation)
      let scale = isFlattened ? Scale.one : transform.scale
      put("emission_shape_scale", .call("Vector3", [scale.x, scale.y, scale.z].map(format.real)))
    }
    if transform != plain {
      lose(
        .lost, .place, at: "shape.transform", "the transform of a shape is not supported",
        level: .medium)
      shape.transform = plain
    }
    if shape.sweep != .random {
      lose(.lost, .shDisc, at: "shape.sweep", "the order along the shape is random")
    }
    encode(shape)
  }

  private mutating func encode(_ shape: Shape) {
    switch shape.kind {
    case .sphere, .hemisphere: encodeBall(shape)
    case .ellipse: encodeDisc(shape)
    case .rect, .box: encodeBox(shape)
    case .line where shape.angle.truncatingRemainder(dividingBy: 90) == 0:
      lose(.restated, .shLine, at: "shape", "a line is a rectangle without height")
      putBox(shape.halfSize.x, shape.halfSize.y, 0)
    case .tube where kind.isSpace && shape.placement == .volume: encodeRing(shape)
    case .points where !shape.positions.isEmpty: putPoints(shape)
    case .line, .polyline:
      let points = shape.sampled
      guard !points.isEmpty else { return put(.point) }
      putSampled(points, shape, .shPoly)
    case .mesh, .points:
      put(.point)
      lose(.lost, .shMesh, at: "shape", "particles are emitted at the origin")
    default:
      let half = shape.halfSize
      putBox(half.x, half.y, kind.isSpace ? half.x : 0)
      lose(
        .approximated, .sh3D, at: "shape", "the shape is not supported",
        recipe: "a box of similar size")
    }
  }

  private mutating func encodeBall(_ shape: Shape) {
    let isHollow = shape.placement != .volume || kind.generation == .three
    put(isHollow ? .surface : .sphere)
    put("emission_sphere_radius", shape.radius)
    var read = Shape.sphere(radius: shape.radius)
    if isHollow { read.placement = .surface } else { read.distribution = .radialLinear }
    read.transform = shape.transform
    if !kind.isSpace { read.transform.scale.z = 0 }
    guard read != shape || !kind.isSpace && !kind.isGPU && !isHollow else { return }
    lose(
      .approximated, .sh3D, at: "shape",
      isHollow ? "particles are emitted on the surface" : "the centre of a sphere is denser",
      recipe: "a sphere of the same radius")
  }

  private mutating func encodeDisc(_ shape: Shape) {
    let isCircle = shape.radii.x == shape.radii.y && shape.arc == Interval(0, 360)
    if isCircle, shape.inner == 0, shape.placement == .volume, shape.distribution != .normal {
      let isHollow = kind.generation == .three
      put(isHollow ? .surface : .sphere)
      put("emission_sphere_radius", shape.radii.x)
      let isExact = !isHollow && !kind.isSpace && !kind.isGPU
      guard !isExact || shape.distribution != .radialLinear else { return }
      return lose(
        .approximated, .shDisc, at: "shape",
        isHollow ? "a disc is a sphere as seen from the front" : "the centre of a disc is denser",
        recipe: "the same radius", level: .low)
    }
    putSampled(shape.sampled, shape, shape.isRing ? .shRing : .shDisc)
  }

  private mutating func encodeBox(_ shape: Shape) {
    putBox(shape.size.x / 2, shape.size.y / 2, kind.isSpace ? shape.size.z / 2 : 0)
    let isWhole = shape.placement == .volume && shape.distribution == .uniform
    if !isWhole {
      lose(
        .approximated, .shRing, at: "shape", "particles are emitted evenly over the whole shape")
    } else if (shape.kind == .box) != kind.isSpace {
      lose(
        shape.size.z == 0 || kind.isSpace ? .restated : .lost, .sh3D, at: "shape",
        kind.isSpace ? "a rectangle is a box without depth" : "Godot 2D has no depth")
    }
  }

  private mutating func putBox(_ x: Double, _ y: Double, _ z: Double) {
    put(.box)
    let isPlane = !kind.isSpace && !kind.isGPU
    put(
      kind.isSpace ? "emission_box_extents" : "emission_rect_extents",
      vector(Vector(x, y, z), isPlane: isPlane))
  }

  private mutating func encodeRing(_ shape: Shape) {
    put(.ring)
    let axis = shape.transform.rotation.turned(.up)
    put("emission_ring_axis", vector(axis, isPlane: false))
    put("emission_ring_height", shape.height)
    put("emission_ring_radius", shape.radius)
    put("emission_ring_inner_radius", shape.radius * shape.inner)
    if shape.arc != Interval(0, 360) || shape.distribution != .uniform {
      lose(.approximated, .sh3D, at: "shape", "a ring is whole and even")
    }
  }

  private mutating func putPoints(_ shape: Shape) {
    guard !kind.isGPU else {
      put(.point)
      return lose(
        .lost, .shPoly, at: "shape", "points of a material are in a texture; they are dropped")
    }
    let isDirected =
      shape.normals.count == shape.positions.count && emitter.launch.direction.mode == .normal
    put(isDirected ? .directed : .points)
    set("emission_points", list(shape.positions))
    if isDirected { set("emission_normals", list(shape.normals)) }
    if !isDirected, !shape.normals.isEmpty {
      lose(.dead, .dirNormal, at: "shape.normals", "the direction does not use them")
    }
    guard !shape.colors.isEmpty else { return }
    let name = kind.generation == .three ? "PoolColorArray" : "PackedColorArray"
    set(
      "emission_colors",
      .call(name, shape.colors.flatMap { $0.channels.map(format.real) }))
  }

  private func list(_ points: [Vector]) -> GodotValue {
    let name =
      (kind.generation == .three ? "PoolVector" : "PackedVector")
      + (kind.isSpace ? "3Array" : "2Array")
    return .call(
      name,
      points.flatMap { point in
        [point.x, point.y * kind.y + 0] + (kind.isSpace ? [point.z] : [])
      }.map(format.real))
  }

  /// Writes points in place of a shape.
  private mutating func putSampled(_ points: [Vector], _ shape: Shape, _ capability: Capability) {
    guard !kind.isGPU else {
      putBox(shape.halfSize.x, shape.halfSize.y, 0)
      return lose(
        .approximated, capability, at: "shape", "the shape is not supported",
        recipe: "a rectangle of similar size")
    }
    put(.points)
    set("emission_points", list(points))
    lose(
      .approximated, capability, at: "shape", "the shape is not supported",
      recipe: "\(points.count) points of it", level: .low)
  }
}
