public import ParticlesCore

extension Emitter {
  /// Initial direction and speed of particles.
  public struct Launch: Sendable, Hashable {
    /// The direction. Default: upwards.
    public var direction = Direction()

    /// The maximum deviation to every side, in degrees. Default: 0.
    public var spread = 0.0

    /// How deviations are distributed. Default: nil, for ``SpreadLaw/planar`` in 2D and ``SpreadLaw/polarUniform`` in
    /// 3D.
    public var spreadLaw: SpreadLaw?

    /// How far deviations are flattened into the plane z = 0: 0, the default, not at all, 1
    /// completely. With ``SpreadLaw/azimuthElevation`` and ``SpreadLaw/sideElevation``, how much less than
    /// to the sides directions deviate up and down.
    public var flatness = 0.0

    /// The initial speed, in units per second. Default: 0.
    public var speed: ParticleSystem.Value = 0

    /// The fraction of the velocity of the emitter that particles inherit. Default: 0.
    public var inheritVelocity = 0.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Launch {
  /// How directions deviate.
  /// - Parameter isFlat: whether the effect is in a plane.
  package func deviationLaw(isFlat: Bool) -> SpreadLaw {
    spreadLaw ?? (isFlat ? .planar : .polarUniform)
  }
}

extension Launch: ModelObject {
  package static let title = "Launch"
  package static let about = "Initial direction and speed of particles."

  package static let properties: [Property<Launch>] = [
    .value("direction", { $1(&$0.direction) }, "The direction."),
    .value(
      "spread", { $1(&$0.spread) }, unit: "°", in: .between(0, 180),
      "The maximum deviation, to every side."),
    .optional(
      "spreadLaw", { $1(&$0.spreadLaw) },
      "How deviations are distributed; `planar` in 2D and `polarUniform` in 3D if null."),
    .value(
      "flatness", { $1(&$0.flatness) }, in: .fraction,
      "How far deviations are flattened into the plane z = 0: 0 not at all, 1 completely."),
    .value("speed", { $1(&$0.speed) }, unit: "unit/s", "The initial speed."),
    .value(
      "inheritVelocity", { $1(&$0.inheritVelocity) },
      "The fraction of the velocity of the emitter that particles inherit."),
  ]
}

extension Emitter {
  /// How deviations from a direction are distributed.
  public enum SpreadLaw: String, ClosedName {
    /// The angle in the plane is uniform.
    case planar
    /// The angle to the direction is uniform, which concentrates particles around it.
    case polarUniform
    /// Uniform over the solid angle of the cone.
    case solidUniform
    /// Azimuth and elevation of the direction change by uniform angles.
    case azimuthElevation
    /// The direction tips to the side and up by uniform angles.
    case sideElevation
  }

  /// The initial direction of particles.
  public struct Direction: Sendable, Hashable {
    /// How the direction is specified. Default: by the angle.
    public var mode = DirectionMode.angle

    /// For ``DirectionMode/angle``: degrees from +x, counter-clockwise. Default: 90, up.
    public var angle: ParticleSystem.Value = 90

    /// For ``DirectionMode/vector``: the direction, of any length. Default: up.
    public var vector = Vector.up

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the direction upwards.
    public init() {}

    /// Creates a direction of a mode.
    public init(_ mode: DirectionMode) { self.mode = mode }

    /// Creates a direction in the plane, in degrees from +x.
    public init(angle: ParticleSystem.Value) { self.angle = angle }

    /// Creates a direction in space.
    public init(vector: ParticleSystem.Vector) {
      mode = .vector
      self.vector = vector
    }
  }
}

extension Direction: ModelObject {
  package static let title = "Direction"
  package static let about = "The initial direction of particles."

  package static let properties: [Property<Direction>] = [
    .value("mode", { $1(&$0.mode) }, label: "Direction", "How the direction is specified."),
    .value("angle", { $1(&$0.angle) }, unit: "°", "angle: from +x, counter-clockwise."),
    .value("vector", { $1(&$0.vector) }, "vector: the direction, of any length but 0."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard mode == .vector, vector == .zero else { return }
    diagnostics.add(
      .range, at: path.appending("vector").location, expected: "a vector that is not 0", found: "0")
  }
}

extension Emitter {
  /// How the direction of a particle is specified.
  public enum DirectionMode: String, ClosedName {
    /// An angle in the plane.
    case angle
    /// A vector.
    case vector
    /// The normal of the shape at the point of emission.
    case normal
    /// A random direction.
    case random
    /// None: particles stay in place.
    case none
  }
}
