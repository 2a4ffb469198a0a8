internal import ParticlesCore
internal import ParticlesModel

// Shapes of emission.

/// The names of shapes. Their numbers differ between generations.
enum GodotShape {
  case point, sphere, surface, box, points, directed, ring

  /// The shapes in the order of their numbers.
  static func all(_ generation: GodotGeneration) -> [GodotShape] {
    generation == .three
      ? [.point, .surface, .box, .points, .directed, .ring]
      : [.point, .sphere, .surface, .box, .points, .directed, .ring]
  }
}

extension GodotClass {
  /// A sphere, in 2D seen from the front. Its volume is denser at the centre.
  fileprivate func ball(_ radius: Double, isHollow: Bool) -> Shape {
    var shape = Shape.sphere(radius: radius)
    if !isHollow, !isSpace, !isGPU { shape = .ellipse(radius, radius) }
    if isHollow { shape.placement = .surface } else { shape.distribution = .radialLinear }
    if !isSpace, shape.kind == .sphere { shape.transform.scale.z = 0 }
    return shape
  }
}

extension GodotReader {
  func decodeShape(of emitter: inout Emitter) throws(Failure) {
    let shape = choice("emission_shape", GodotShape.all(kind.generation)) ?? .point
    switch shape {
    case .point: break
    case .sphere, .surface:
      emitter.shape = kind.ball(
        number("emission_sphere_radius", 1, atLeast: 0), isHollow: shape == .surface)
    case .box: emitter.shape = box
    case .points, .directed: try decodePoints(of: &emitter, isDirected: shape == .directed)
    case .ring: emitter.shape = ring
    }
    if let offset = vector("emission_shape_offset") {
      emitter.shape.transform.translation = Vector(
        offset.x, offset.y, kind.isSpace ? offset.z : 0)
    }
    if let scale = numbers("emission_shape_scale", 3...3) {
      let own = emitter.shape.transform.scale
      emitter.shape.transform.scale = Scale(scale[0] * own.x, scale[1] * own.y, scale[2] * own.z)
    }
  }

  private var box: Shape {
    let size = (numbers("emission_box_extents", 2...3) ?? [1, 1, 1]).map { 2 * $0.magnitude }
    return kind.isSpace
      ? .box(Vector(size[0], size[1], size.count > 2 ? size[2] : 0))
      : .rect(width: size[0], height: size[1])
  }

  private var ring: Shape {
    let outer = number("emission_ring_radius", 1, atLeast: 0)
    let inner = number("emission_ring_inner_radius", 0, atLeast: 0)
    var shape = Shape(kind.isSpace ? .tube : .ellipse)
    (shape.radius, shape.radii) = (outer, kind.isSpace ? Vector2(0, 0) : Vector2(outer, outer))
    shape.inner = outer > 0 ? min((inner / outer).rounded, 1) : 0
    guard kind.isSpace else { return shape }
    shape.height = number("emission_ring_height", 1, atLeast: 0)
    shape.transform.rotation = Quaternion(
      turning: .up, to: vector("emission_ring_axis") ?? Vector(0, 0, 1))
    if number("emission_ring_cone_angle", 90) != 90 {
      note(.approximated, "emission_ring_cone_angle", "a ring with slanted walls has straight ones")
    }
    return shape
  }

  private func decodePoints(of emitter: inout Emitter, isDirected: Bool) throws(Failure) {
    guard !kind.isGPU else {
      return note(
        .uninterpreted, "process_material/emission_point_texture",
        "points in a texture are not read. Particles are emitted at the origin")
    }
    var shape = Shape(.points)
    shape.positions = try points("emission_points")
    let count = shape.positions.count
    guard count > 0 else { return }
    let normals = try points("emission_normals")
    if isDirected, normals.count == count { shape.normals = normals }
    let colors = try list("emission_colors") ?? []
    if colors.count == 4 * count {
      shape.colors = (0..<count).map { Color(Array(colors[4 * $0..<4 * $0 + 4])) }
    }
    emitter.shape = shape
  }
}

extension EmitterWriter<GodotFamily> {
  private mutating func put(_ shape: GodotShape) {
    set("emission_shape", shape, of: GodotShape.all(kind.generation))
  }

  mutating func encodeShape() {
    var shape = emitter.shape
    if shape.kind == .point {
      if shape != Shape() {
        lose(.dead, .shapeRectangle, at: "shape", "a point has no other properties")
      }
      return put(.point)
    }
    let transform = shape.transform
    let isFlattened = !kind.isSpace && transform.scale == Scale(1, 1, 0)
    var plain = Transform()
    if shape.kind == .tube, kind.isSpace { plain.rotation = transform.rotation }
    if isFlattened { plain.scale = transform.scale }
    if kind.path("emission_shape_offset") != nil, transform.angle == 0 {
      (plain.translation, plain.scale) = (transform.translation, transform.scale)
      put("emission_shape_offset", transform.translation)
      let scale = isFlattened ? Scale.one : transform.scale
      set("emission_shape_scale", .vector(Vector(scale.x, scale.y, scale.z)))
    }
    if transform != plain {
      lose(
        .lost, .place, at: "shape.transform", "the transform of a shape is not supported",
        level: .medium)
      shape.transform = plain
    }
    dropSweep()
    encode(shape)
  }

  private mutating func encode(_ shape: Shape) {
    let half = shape.halfSize
    let isDisc =
      shape.kind == .ellipse && !shape.isRing && shape.radii.x == shape.radii.y
      && shape.distribution != .normal
    switch shape.kind {
    case .sphere, .hemisphere: encodeBall(shape, shape.radius)
    case .ellipse where isDisc: encodeBall(shape, shape.radii.x)
    case .ellipse: putSampled(shape, shape.isRing ? .shapeRing : .shapeDisc)
    case .rect, .box: encodeBox(shape)
    case .line where shape.angle.truncatingRemainder(dividingBy: 90) == 0:
      lose(.restated, .shapeLine, at: "shape", "a line is a rectangle without height")
      putBox(half.x, half.y, 0)
    case .line, .polyline: putSampled(shape, .shapePoints)
    case .tube where kind.isSpace && shape.placement == .volume: encodeRing(shape)
    case .points where !shape.positions.isEmpty: putPoints(shape)
    case .mesh, .points:
      put(.point)
      lose(.lost, .shapeMesh, at: "shape", "particles are emitted at the origin")
    default:
      putBox(half.x, half.y, kind.isSpace ? half.x : 0)
      lose(
        .approximated, .shape3D, at: "shape", "the shape is not supported",
        recipe: "a box of similar size")
    }
  }

  private mutating func encodeBall(_ shape: Shape, _ radius: Double) {
    let isHollow = shape.placement != .volume || kind.generation == .three
    put(isHollow ? .surface : .sphere)
    set("emission_sphere_radius", radius)
    var read = kind.ball(radius, isHollow: isHollow)
    let isDisc = shape.kind == .ellipse
    if isDisc, read.kind == .ellipse, shape.distribution == read.distribution { return }
    read.transform = shape.transform
    if !kind.isSpace { read.transform.scale.z = 0 }
    guard read != shape else { return }
    lose(
      .approximated, isDisc ? .shapeDisc : .shape3D, at: "shape",
      !isHollow
        ? "the centre of a \(isDisc ? "disc" : "sphere") is denser"
        : isDisc
          ? "a disc is a sphere as seen from the front" : "particles are emitted on the surface",
      recipe: isDisc ? "an equal radius" : "a sphere of equal radius", level: isDisc ? .low : nil
    )
  }

  private mutating func encodeBox(_ shape: Shape) {
    putBox(shape.size.x / 2, shape.size.y / 2, kind.isSpace ? shape.size.z / 2 : 0)
    if shape.placement != .volume || shape.distribution != .uniform {
      lose(
        .approximated, .shapeRing, at: "shape", "particles are emitted evenly over the whole shape")
    } else if (shape.kind == .box) != kind.isSpace {
      lose(
        shape.size.z == 0 || kind.isSpace ? .restated : .lost, .shape3D, at: "shape",
        kind.isSpace ? "a rectangle is a box without depth" : "Godot 2D has no depth")
    }
  }

  private mutating func putBox(_ x: Double, _ y: Double, _ z: Double) {
    put(.box)
    set("emission_box_extents", .vector(Vector(x, y, z), isPlane: !kind.isSpace && !kind.isGPU))
  }

  private mutating func encodeRing(_ shape: Shape) {
    put(.ring)
    set("emission_ring_axis", .vector(shape.transform.rotation.turned(.up)))
    set("emission_ring_height", shape.height)
    set("emission_ring_radius", shape.radius)
    set("emission_ring_inner_radius", shape.radius * shape.inner)
    if shape.arc != Interval(0, 360) || shape.distribution != .uniform {
      lose(.approximated, .shape3D, at: "shape", "a ring is whole and even")
    }
  }

  private mutating func putPoints(_ shape: Shape) {
    guard !kind.isGPU else {
      put(.point)
      return lose(
        .lost, .shapePoints, at: "shape", "points of a material are in a texture, and dropped")
    }
    let isDirected =
      shape.normals.count == shape.positions.count && emitter.launch.direction.mode == .normal
    put(isDirected ? .directed : .points)
    set("emission_points", .list(shape.positions, kind))
    if isDirected {
      set("emission_normals", .list(shape.normals, kind))
    } else if !shape.normals.isEmpty {
      lose(.dead, .directionNormal, at: "shape.normals", "the direction does not use them")
    }
    if !shape.colors.isEmpty { set("emission_colors", .list(shape.colors, kind.generation)) }
  }

  /// Writes points in place of a shape.
  private mutating func putSampled(_ shape: Shape, _ capability: Capability) {
    let points = shape.sampled
    if points.isEmpty { return put(.point) }
    if kind.isGPU {
      putBox(shape.halfSize.x, shape.halfSize.y, 0)
    } else {
      put(.points)
      set("emission_points", .list(points, kind))
    }
    lose(
      .approximated, capability, at: "shape", "the shape is not supported",
      recipe: kind.isGPU ? "a rectangle of similar size" : "\(points.count) of its points",
      level: kind.isGPU ? nil : .low)
  }
}

// The place of the emitter in its scene.

extension GodotReader {
  func decodePlace(of emitter: inout Emitter) {
    emitter.space = flag("local_coords", kind.generation == .three) ? .local : .world
    emitter.enabled = node.position.isVisible
    emitter.render.order = node.position.order
    let axes = node.position.axes
    emitter.transform = kind.isSpace ? axes.transformInSpace : axes.transformInPlane
    if axes.isSkewed {
      note(
        .approximated, kind.isSpace ? "transform" : "skew",
        kind.isSpace ? "skewing by stretched parents is not supported" : "skewing is not supported")
    }
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodePlace() {
    set("local_coords", flag: emitter.space != .world)
    if emitter.space == .parent, kind.hasNode {
      lose(.approximated, .space, at: "space", "particles follow the node")
    }
    guard kind.hasNode else { return }
    let whole = AffineTransform(emitter.transform, y: kind.y)
    guard let own = whole.inside(of: surroundings.above.axes) else {
      return lose(
        .lost, .place, at: "transform", "the parent of the node has a scale of 0", level: .medium)
    }
    guard !kind.isSpace else {
      set("transform", .transform(own, kind.generation))
      return drop("render.order", "3D nodes are drawn by distance")
    }
    let transform = own.transformInPlane
    set("position", .vector(own.origin, isPlane: true))
    set("rotation", Angle.radians(-transform.angle))
    set("scale", .vector(Vector(transform.scale.x, transform.scale.y), isPlane: true))
    let order = emitter.render.order - surroundings.above.order
    set("z_index", integer: min(max(order, -4096), 4096))
    let given = emitter.transform
    if given.translation.z != 0 || given.rotation != .identity || given.scale.z != 1 {
      lose(.lost, .frame2D, at: "transform", "Godot 2D has no depth", level: .low)
    }
  }
}
