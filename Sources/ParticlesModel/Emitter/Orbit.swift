public import ParticlesCore

extension Emitter {
  /// Motion around a centre, as a distance and an angle.
  public struct Orbit: Sendable, Hashable {
    /// The angle at birth in degrees; 0 by default.
    public var angle: ParticleSystem.Value = 0

    /// How fast the angle grows, in degrees per second; 0 by default.
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
    .value("angle", \.angle, unit: "°", "The angle at birth."),
    .value("angularVelocity", \.angularVelocity, unit: "°/s", "How fast the angle grows."),
    .value("radius", \.radius, unit: "unit", "The distance from the centre."),
    .value("center", \.center, "The centre."),
    .value("phase180", \.phase180, "Whether the angle counts from −x instead of +x."),
  ]
}

extension Emitter {
  /// What particles orbit.
  public enum OrbitCenter: String, ClosedName {
    /// The emitter, wherever it goes.
    case emitter
    /// The place where the emitter was at their birth.
    case birthEmitter
  }

  /// A path that particles follow, relative to where they set off and in.
  public struct MotionPath: Sendable, Hashable {
    /// The height over the distance x, as a formula; nil by default. It is kept for programs that
    /// know such formulas.
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
    .optional("expression", \.expression, "The height over the distance x, as a formula."),
    .value("points", \.points, unit: "unit", "The points of the path."),
  ]
}
