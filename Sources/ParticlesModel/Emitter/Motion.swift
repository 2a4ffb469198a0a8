public import ParticlesCore

extension Emitter {
  /// How particles move.
  public struct Motion: Sendable, Hashable {
    /// What decides where particles are; velocity and forces by default.
    public var mode = MotionMode.ballistic

    /// What becomes of the speed; nil, the default, for nothing.
    public var speed: ParticleSystem.Track?

    /// What ``speed`` is; a factor by default.
    public var speedMode = SpeedMode.multiply

    /// For ``MotionMode/orbit``: the orbit; nil by default.
    public var orbit: Orbit?

    /// How fast particles turn about the emitter, in degrees per second; 0 by default.
    public var orbitVelocity: ParticleSystem.Track = 0

    /// The axis of ``orbitVelocity``; towards the viewer by default.
    public var orbitAxis = ParticleSystem.Vector(0, 0, 1)

    /// What is added to the velocity without becoming part of it, in units per second; nothing by
    /// default.
    public var drift = VectorTrack.zero

    /// For ``MotionMode/path``: the path; nil by default.
    public var path: MotionPath?

    /// The greatest speed in units per second; nil, the default, for any.
    public var maxSpeed: ParticleSystem.Track?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Motion: ModelObject {
  package static let title = "Motion"
  package static let about = "How particles move."

  package static let properties: [Property<Motion>] = [
    .value("mode", \.mode, "What decides where particles are."),
    .optional(
      "speed", \.speed,
      "What becomes of the speed: a factor or units per second, as `speedMode` says."),
    .value("speedMode", \.speedMode, "What `speed` is."),
    .optional("orbit", \.orbit, "orbit: the orbit."),
    .value(
      "orbitVelocity", \.orbitVelocity, unit: "°/s",
      "How fast particles turn about the emitter."),
    .value("orbitAxis", \.orbitAxis, "The axis of `orbitVelocity`."),
    .value(
      "drift", \.drift, unit: "unit/s",
      "What is added to the velocity without becoming part of it."),
    .optional("path", \.path, "path: the path."),
    .optional("maxSpeed", \.maxSpeed, unit: "unit/s", in: .nonNegative, "The greatest speed."),
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
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending(key).location, expected: "\(key), as the mode is \(key)",
        found: "nothing", severity: .warning))
  }
}

extension Emitter {
  /// What decides where particles are.
  public enum MotionMode: String, ClosedName {
    /// Their velocity and the forces.
    case ballistic
    /// A distance and an angle.
    case orbit
    /// A path.
    case path
  }

  /// What a speed that changes over life is.
  public enum SpeedMode: String, ClosedName {
    /// A factor of the speed that forces give.
    case multiply
    /// The speed itself; forces decide the direction only.
    case replace
  }
}
