public import ParticlesCore

extension Emitter {
  /// How particles set off.
  public struct Launch: Sendable, Hashable {
    /// Where they go; upwards by default.
    public var direction = Direction()

    /// How far they may deviate to every side, in degrees; 0 by default.
    public var spread = 0.0

    /// How deviations are distributed; nil, the default, for ``SpreadLaw/planar`` in the plane and
    /// ``SpreadLaw/polarUniform`` in space.
    public var spreadLaw: SpreadLaw?

    /// How far deviations are pressed into the plane: 0, the default, not at all, 1 entirely.
    public var flatness = 0.0

    /// How fast they go, in units per second; 0 by default.
    public var speed: ParticleSystem.Value = 0

    /// The share of the velocity of the emitter that they take along; 0 by default.
    public var inheritVelocity = 0.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Launch: ModelObject {
  package static let title = "Launch"
  package static let about = "How particles set off."

  package static let properties: [Property<Launch>] = [
    .value("direction", \.direction, "Where they go."),
    .value(
      "spread", \.spread, unit: "°", in: .between(0, 180),
      "How far they may deviate, to every side."),
    .optional(
      "spreadLaw", \.spreadLaw,
      "How deviations are distributed; `planar` in the plane and `polarUniform` in space if null."),
    .value(
      "flatness", \.flatness, in: .fraction,
      "How far deviations are pressed into the plane: 0 not at all, 1 entirely."),
    .value("speed", \.speed, unit: "unit/s", "How fast they go."),
    .value(
      "inheritVelocity", \.inheritVelocity,
      "The share of the velocity of the emitter that they take along."),
  ]
}

extension Emitter {
  /// How deviations from a direction are distributed.
  public enum SpreadLaw: String, ClosedName {
    /// The angle in the plane is uniform.
    case planar
    /// The angle to the direction is uniform, which crowds particles around it.
    case polarUniform
    /// As many everywhere in the cone.
    case solidUniform
  }

  /// Where particles go.
  public struct Direction: Sendable, Hashable {
    /// What the direction depends on; the angle by default.
    public var mode = DirectionMode.angle

    /// For ``DirectionMode/angle``: degrees from +x, counter-clockwise; 90 by default, which is up.
    public var angle: ParticleSystem.Value = 90

    /// For ``DirectionMode/vector``: the direction, of any length; up by default.
    public var vector = Vector.up

    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
  package static let about = "Where particles go."

  package static let properties: [Property<Direction>] = [
    .value("mode", \.mode, "What the direction depends on."),
    .value("angle", \.angle, unit: "°", "angle: from +x, counter-clockwise."),
    .value("vector", \.vector, "vector: the direction, of any length but 0."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard mode == .vector, vector == .zero else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("vector").location, expected: "a vector that is not 0",
        found: "0"))
  }
}

extension Emitter {
  /// What the direction of a particle depends on.
  public enum DirectionMode: String, ClosedName {
    /// An angle in the plane.
    case angle
    /// A vector.
    case vector
    /// The normal of the shape where the particle is born.
    case normal
    /// Nothing: any direction.
    case random
    /// There is none: particles stay.
    case none
  }
}
