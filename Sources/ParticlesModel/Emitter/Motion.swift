public import ParticlesCore

extension Emitter {
  /// How particles move.
  public struct Motion: Sendable, Hashable {
    /// How positions are computed. Default: from velocity and forces.
    public var mode = MotionMode.ballistic

    /// Speed over life. Default: nil (no change).
    public var speed: ParticleSystem.Track?

    /// Whether ``speed`` is a factor or replaces the speed. Default: a factor.
    public var speedMode = SpeedMode.multiply

    /// For ``MotionMode/orbit``: the orbit. Default: nil.
    public var orbit: Orbit?

    /// The angular velocity of particles about the emitter, in degrees per second. Default: 0.
    public var orbitVelocity: ParticleSystem.Track = 0

    /// The axis of ``orbitVelocity``. Default: towards the viewer.
    public var orbitAxis = ParticleSystem.Vector(0, 0, 1)

    /// A velocity that moves particles in addition to their own and does not accumulate, in units per second. Default:
    /// none.
    public var drift = VectorTrack.zero

    /// For ``MotionMode/path``: the path. Default: nil.
    public var path: MotionPath?

    /// The maximum speed in units per second. Default: nil (no limit).
    public var maxSpeed: ParticleSystem.Track?

    /// The direction of motion over life, an angle in degrees in the plane, counterclockwise from +x. Default: nil, for
    /// the direction that follows from launch and forces.
    public var direction: ParticleSystem.Track?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Motion: ModelObject {
  package static let title = "Motion"
  package static let about = "How particles move."

  package static let properties: [Property<Motion>] = [
    .value("mode", { $1(&$0.mode) }, "How positions are computed."),
    .optional(
      "speed", { $1(&$0.speed) },
      label: "Speed over life",
      "Speed over life: a factor or units per second, depending on `speedMode`."),
    .value(
      "speedMode", { $1(&$0.speedMode) }, "Whether `speed` is a factor or replaces the speed."),
    .optional("orbit", { $1(&$0.orbit) }, "orbit: the orbit."),
    .value(
      "orbitVelocity", { $1(&$0.orbitVelocity) }, unit: "°/s",
      label: "Circling", "The angular velocity of particles about the emitter."),
    .value(
      "orbitAxis", { $1(&$0.orbitAxis) }, label: "Circling axis", "The axis of `orbitVelocity`."),
    .value(
      "drift", { $1(&$0.drift) }, unit: "unit/s",
      "A velocity that moves particles in addition to their own and does not accumulate."),
    .optional("path", { $1(&$0.path) }, "path: the path."),
    .optional(
      "maxSpeed", { $1(&$0.maxSpeed) }, unit: "unit/s", in: .nonNegative, "The maximum speed."),
    .optional(
      "direction", { $1(&$0.direction) }, unit: "°",
      label: "Direction over life",
      "The direction of motion over life, in the plane; it replaces that of the velocity."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let isMissing =
      switch mode {
      case .ballistic: false
      case .orbit: orbit == nil
      case .path: self.path == nil
      }
    guard isMissing else { return }
    let key = mode.rawValue
    diagnostics.add(
      .range, at: path.appending(key).location, expected: "\(key), because the mode is \(key)",
      found: "nothing", severity: .warning)
  }
}

extension Emitter {
  /// How positions are computed.
  public enum MotionMode: String, ClosedName {
    /// From velocity and forces.
    case ballistic
    /// From the distance and the angle of an orbit.
    case orbit
    /// Along a path.
    case path
  }

  /// How a speed over life is applied.
  public enum SpeedMode: String, ClosedName {
    /// As a factor of the speed that follows from forces.
    case multiply
    /// The speed itself. Forces change only the direction.
    case replace
  }

  /// Motion around a centre, specified by a distance and an angle.
  public struct Orbit: Sendable, Hashable {
    /// The initial angle in degrees. Default: 0.
    public var angle: ParticleSystem.Value = 0

    /// The angular velocity in degrees per second. Default: 0.
    public var angularVelocity: ParticleSystem.Value = 0

    /// The distance from the centre. Default: 0.
    public var radius: ParticleSystem.Track = 0

    /// The centre. Default: the emitter.
    public var center = OrbitCenter.emitter

    /// Whether the angle counts from −x instead of +x. Default: false.
    public var phase180 = false

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Orbit: ModelObject {
  package static let title = "Orbit"
  package static let about = "Motion around a centre."

  package static let properties: [Property<Orbit>] = [
    .value("angle", { $1(&$0.angle) }, unit: "°", label: "Orbit angle", "The initial angle."),
    .value(
      "angularVelocity", { $1(&$0.angularVelocity) }, unit: "°/s", label: "Orbit velocity",
      "The angular velocity."),
    .value(
      "radius", { $1(&$0.radius) }, unit: "unit", label: "Orbit radius",
      "The distance from the centre."),
    .value("center", { $1(&$0.center) }, label: "Orbit centre", "The centre."),
    .value(
      "phase180", { $1(&$0.phase180) }, label: "Opposite phase",
      "Whether the angle counts from −x instead of +x."),
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
    /// How far the path is to the right, as a formula of the distance x ahead. Default: nil. It is used if there are no
    /// ``points``.
    public var expression: String?

    /// The points of the path. Default: none.
    public var points: [ParticleSystem.Vector] = []

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
      label: "Path formula",
      "How far to the right, as a formula of the distance x ahead; used without points."),
    .value(
      "points", { $1(&$0.points) }, unit: "unit", label: "Path points", "The points of the path."),
  ]
}
