public import ParticlesCore

extension Emitter {
  /// Where particles are emitted, around the origin of the emitter. Each kind uses some of the parameters. Unused
  /// parameters are kept and ignored.
  public struct Shape: Sendable, Hashable {
    /// The kind of shape. Default: a point.
    public var kind = ShapeKind.point

    /// Line: its length. Default: 0.
    public var length = 0.0

    /// Line: its direction in degrees from +x. Cone: half its opening angle. 0 by default.
    public var angle = 0.0

    /// Rect: width and height. Box: width, height and depth. 0 by default.
    public var size = Vector.zero

    /// Ellipse: the radii along x and y. Default: 0.
    public var radii = ParticleSystem.Vector2(0, 0)

    /// Round shapes in space: the radius. Default: 0.
    public var radius = 0.0

    /// Round shapes: the inner radius as a fraction of the outer one, from 0, the default, to 1.
    public var inner = 0.0

    /// Torus: the radius of the tube. Default: 0.
    public var pipe = 0.0

    /// Cone, cylinder, capsule and tube: the height along +y. Default: 0.
    public var height = 0.0

    /// Round shapes: the arc that is used, in degrees from +x. Default: the full circle.
    public var arc = ParticleSystem.Interval(0, 360)

    /// Polyline: its lines, each a list of points. Default: none.
    public var points: [[ParticleSystem.Vector]] = []

    /// Polyline: whether each line returns to its first point. Default: false.
    public var closed = false

    /// Points: the positions. Default: none.
    public var positions: [ParticleSystem.Vector] = []

    /// Points: the normal of each. Default: none.
    public var normals: [ParticleSystem.Vector] = []

    /// Points: the colour of each, multiplied with the colour of the particle. Default: none.
    public var colors: [ParticleSystem.Color] = []

    /// Mesh: the index of the mesh. Default: nil.
    public var mesh: Int?

    /// The part of the shape that emits. Default: its volume.
    public var placement = Placement.volume

    /// How points of emission are distributed. Default: uniformly.
    public var distribution = Distribution.uniform

    /// The order of points of emission along an arc or a line. Default: random.
    public var sweep = Sweep.random

    /// Position, rotation and scale in the emitter. Default: none.
    public var transform = Transform()

    /// Factors of places in the transformed shape, sampled for each particle: with ramps, the shape
    /// changes while the emitter emits. 1 by default. Normals stay as they are.
    public var extent: ParticleSystem.ValueScale {
      get { change.storage.contents.extent }
      _modify { yield &change.contents.extent }
    }

    /// A vector that is added to places after that, sampled for each particle. Default: 0.
    public var offset: ParticleSystem.ValueVector {
      get { change.storage.contents.offset }
      _modify { yield &change.contents.offset }
    }

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    private var change = Self.none

    private static let none = CopyOnWrite(ShapeChange())

    /// Creates a point.
    public init() {}

    /// Creates a shape of a kind, with every parameter at its default.
    public init(_ kind: ShapeKind) { self.kind = kind }
  }

  /// Places that change over time, which few shapes have. Shapes without them share one default.
  fileprivate struct ShapeChange: Hashable {
    var extent = ValueScale.one
    var offset = ValueVector.zero
  }
}

extension Shape: ModelObject {
  package static let title = "Shape"
  package static let about = "Where particles are emitted."

  package static let properties: [Property<Shape>] = [
    .value("type", { $1(&$0.kind) }, label: "Shape", "The kind of shape."),
    .value("length", { $1(&$0.length) }, unit: "unit", in: .nonNegative, "line: its length."),
    .value(
      "angle", { $1(&$0.angle) }, unit: "°",
      "line: its direction from +x. cone: half its opening angle."),
    .value(
      "size", { $1(&$0.size) }, unit: "unit", in: .nonNegative,
      "rect: width and height. box: width, height and depth."),
    .value(
      "radii", { $1(&$0.radii) }, unit: "unit", in: .nonNegative,
      "ellipse: the radii along x and y."),
    .value(
      "radius", { $1(&$0.radius) }, unit: "unit", in: .nonNegative,
      "sphere, hemisphere, cone (at the bottom), cylinder, capsule, tube, torus: the radius."),
    .value(
      "inner", { $1(&$0.inner) }, in: .fraction,
      label: "Inner radius",
      "ellipse and round shapes: the inner radius as a fraction of the outer one."),
    .value(
      "pipe", { $1(&$0.pipe) }, unit: "unit", in: .nonNegative, label: "Pipe radius",
      "torus: the radius of the tube."),
    .value(
      "height", { $1(&$0.height) }, unit: "unit", in: .nonNegative,
      "cone, cylinder, capsule, tube: the height along +y."),
    .value(
      "arc", { $1(&$0.arc) }, unit: "°", "ellipse and round shapes: the arc that is used, from +x."),
    .value(
      "points", { $1(&$0.points) }, unit: "unit", label: "Lines",
      "polyline: its lines, each a list of points."),
    .value("closed", { $1(&$0.closed) }, "polyline: whether each line returns to its first point."),
    .value("positions", { $1(&$0.positions) }, unit: "unit", "points: the positions."),
    .value("normals", { $1(&$0.normals) }, "points: the normal of each."),
    .value(
      "colors", { $1(&$0.colors) },
      label: "Colours", "points: the colour of each, multiplied with the colour of the particle."),
    .optional("mesh", { $1(&$0.mesh) }, "mesh: the index of the mesh."),
    .value("placement", { $1(&$0.placement) }, "The part of the shape that emits."),
    .value("distribution", { $1(&$0.distribution) }, "How points of emission are distributed."),
    .value("sweep", { $1(&$0.sweep) }, "The order of points of emission along an arc or a line."),
    .value(
      "transform", { $1(&$0.transform) }, label: "Shape",
      "Position, rotation and scale in the emitter."),
    .value(
      "extent", { $1(&$0.extent) },
      "Factors of places in the transformed shape, at the time of emission."),
    .value(
      "offset", { $1(&$0.offset) }, unit: "unit",
      "What is added to places after that, sampled for each particle."),
  ]

  /// Whether a shape of this kind ignores the property of a key.
  package func ignores(_ key: String) -> Bool {
    ShapeKind.allParameters.contains(key) && !kind.parameters.contains(key)
  }

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if kind == .mesh, mesh == nil {
      diagnostics.add(
        .range, at: path.appending("mesh").location,
        expected: "the index of a mesh, because the type is mesh", found: "nothing")
    }
    for (key, isEmpty) in [
      ("positions", kind == .points && positions.isEmpty),
      ("points", kind == .polyline && points.allSatisfy { $0.isEmpty }),
    ] where isEmpty {
      diagnostics.add(
        .range, at: path.appending(key).location,
        expected: "at least one, because the type is \(kind.rawValue)", found: "none")
    }
    for (key, count) in [("normals", normals.count), ("colors", colors.count)]
    where count != 0 && count != positions.count {
      diagnostics.add(
        .range, at: path.appending(key).location,
        expected: "as many elements as positions (\(positions.count))", found: "\(count)")
    }
  }
}

extension Emitter {
  /// The kinds of shapes.
  public enum ShapeKind: String, ClosedName {
    /// The origin.
    case point
    /// A line around the origin.
    case line
    /// A rectangle in the plane, around the origin.
    case rect
    /// An ellipse or a ring in the plane.
    case ellipse
    /// Lines through given points.
    case polyline
    /// Single points.
    case points
    /// A box around the origin.
    case box
    /// A sphere around the origin.
    case sphere
    /// The half of a sphere where y is positive.
    case hemisphere
    /// A cone along +y.
    case cone
    /// A cylinder along y, around the origin.
    case cylinder
    /// A cylinder with a hemisphere at both ends.
    case capsule
    /// A cylinder with a hole along y.
    case tube
    /// A ring around y.
    case torus
    /// A mesh.
    case mesh
  }
}

extension ShapeKind {
  /// The keys of the properties that shapes of this kind use, besides the properties of all kinds.
  package var parameters: [String] {
    switch self {
    case .point: []
    case .line: ["length", "angle"]
    case .rect, .box: ["size"]
    case .ellipse: ["radii", "inner", "arc"]
    case .polyline: ["points", "closed"]
    case .points: ["positions", "normals", "colors"]
    case .sphere, .hemisphere: ["radius", "inner", "arc"]
    case .cone: ["radius", "height", "angle", "inner", "arc"]
    case .cylinder, .capsule, .tube: ["radius", "height", "inner", "arc"]
    case .torus: ["radius", "pipe", "arc"]
    case .mesh: ["mesh"]
    }
  }

  /// The keys that some kinds use and others do not.
  package static let allParameters = Set(allCases.flatMap { $0.parameters })
}

extension Emitter {
  /// The part of a shape that emits.
  public enum Placement: String, ClosedName {
    /// The volume.
    case volume
    /// The surface. In 2D: the outline.
    case surface
    /// The outline of the base. For a box: its edges.
    case edge
    /// The corners.
    case vertices
  }

  /// How points of emission are distributed over a shape.
  public enum Distribution: String, ClosedName {
    /// Uniform.
    case uniform
    /// Uniform in the distance from the centre, so the density is higher at the centre.
    case radialLinear
    /// Uniform as seen from the front.
    case projected
    /// Normal along each axis of a rectangle or an ellipse, with its half extents as standard
    /// deviations.
    case normal
  }

  /// The order of points of emission along an arc or a line.
  public enum Sweep: String, ClosedName {
    /// Random.
    case random
    /// In sequence, then from the beginning.
    case loop
    /// Back and forth.
    case pingpong
    /// Evenly over a burst.
    case spread
  }
}

extension Shape {
  /// Creates a line of a length around the origin, at an angle in degrees.
  public static func line(length: Double, angle: Double = 0) -> Emitter.Shape {
    var shape = Shape(.line)
    shape.length = length
    shape.angle = angle
    return shape
  }

  /// Creates a rectangle around the origin.
  public static func rect(width: Double, height: Double) -> Emitter.Shape {
    var shape = Shape(.rect)
    shape.size = Vector(width, height)
    return shape
  }

  /// Creates an ellipse around the origin.
  public static func ellipse(_ radiusX: Double, _ radiusY: Double) -> Emitter.Shape {
    var shape = Shape(.ellipse)
    shape.radii = Vector2(radiusX, radiusY)
    return shape
  }

  /// A box around the origin.
  public static func box(_ size: ParticleSystem.Vector) -> Emitter.Shape {
    var shape = Shape(.box)
    shape.size = size
    return shape
  }

  /// A sphere around the origin.
  public static func sphere(radius: Double) -> Emitter.Shape {
    var shape = Shape(.sphere)
    shape.radius = radius
    return shape
  }
}
