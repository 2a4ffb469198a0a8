public import ParticlesCore

extension Emitter {
  /// Motion around a centre, specified by a distance and an angle.
  public struct Orbit: Sendable, Hashable {
    /// The initial angle in degrees; 0 by default.
    public var angle: ParticleSystem.Value = 0

    /// The angular velocity in degrees per second; 0 by default.
    public var angularVelocity: ParticleSystem.Value = 0

    /// The distance from the centre; 0 by default.
    public var radius: ParticleSystem.Track = 0

    /// The centre; the emitter by default.
    public var center = OrbitCenter.emitter

    /// Whether the angle counts from −x instead of +x; false by default.
    public var phase180 = false

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Orbit: ModelObject {
  package static let title = "Orbit"
  package static let about = "Motion around a centre."

  package static let properties: [Property<Orbit>] = [
    .value("angle", { $1(&$0.angle) }, unit: "°", "The initial angle."),
    .value("angularVelocity", { $1(&$0.angularVelocity) }, unit: "°/s", "The angular velocity."),
    .value("radius", { $1(&$0.radius) }, unit: "unit", "The distance from the centre."),
    .value("center", { $1(&$0.center) }, "The centre."),
    .value("phase180", { $1(&$0.phase180) }, "Whether the angle counts from −x instead of +x."),
  ]
}

extension Emitter {
  /// The centre of an orbit.
  public enum OrbitCenter: String, ClosedName {
    /// The current position of the emitter.
    case emitter
    /// The position of the emitter when the particle was emitted.
    case birthEmitter
  }

  /// A path that particles follow, relative to their initial position and direction.
  public struct MotionPath: Sendable, Hashable {
    /// How far the path is to the right, as a formula of the distance x ahead; nil by default. It is used if
    /// there are no ``points``.
    public var expression: String?

    /// The points of the path; none by default.
    public var points: [ParticleSystem.Vector] = []

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension MotionPath: ModelObject {
  package static let title = "Path"
  package static let about = "A path that particles follow."

  package static let properties: [Property<MotionPath>] = [
    .optional(
      "expression", { $1(&$0.expression) },
      "How far to the right, as a formula of the distance x ahead; used without points."),
    .value("points", { $1(&$0.points) }, unit: "unit", "The points of the path."),
  ]
}
