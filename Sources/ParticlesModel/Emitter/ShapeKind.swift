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
  /// The keys of the properties that shapes of this kind use, in addition to those that all kinds
  /// use.
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
    /// The surface; in 2D the outline.
    case surface
    /// The outline of the base; of a box its edges.
    case edge
    /// The corners.
    case vertices
  }

  /// How points of emission are distributed over a shape.
  public enum Distribution: String, ClosedName {
    /// Uniform.
    case uniform
    /// Uniform in the distance from the centre, which is denser at the centre.
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
