public import ParticlesCore

extension Emitter {
  /// How particles are turned: by an angle, a velocity that adds up, and the way they face.
  public struct Rotation: Sendable, Hashable {
    /// The angle in degrees, counter-clockwise; 0 by default.
    public var angle: ParticleSystem.Track = 0

    /// How fast it grows, in degrees per second; 0 by default.
    public var velocity: ParticleSystem.Track = 0

    /// How fast that grows, in degrees per second²; 0 by default.
    public var acceleration: ParticleSystem.Value = 0

    /// What else the angle counts from; nothing by default.
    public var align = RotationAlign.none

    /// What is added when ``align`` is not none, in degrees; 0 by default.
    public var alignOffset = 0.0

    /// What particles turn about; the direction of view by default.
    public var axis = RotationAxis.screen

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Rotation: ModelObject {
  package static let title = "Rotation"
  package static let about = "How particles are turned."

  package static let properties: [Property<Rotation>] = [
    .value("angle", \.angle, unit: "°", "The angle, counter-clockwise."),
    .value("velocity", \.velocity, unit: "°/s", "How fast the angle grows."),
    .value("acceleration", \.acceleration, unit: "°/s²", "How fast the velocity grows."),
    .value("align", \.align, "What the angle counts from."),
    .value("alignOffset", \.alignOffset, unit: "°", "What is added unless `align` is `none`."),
    .value("axis", \.axis, "What particles turn about: `\"screen\"`, `\"random\"` or a vector."),
  ]
}

extension Emitter {
  /// What the angle of a particle counts from.
  public enum RotationAlign: String, ClosedName {
    /// +x.
    case none
    /// The direction in which the particle set off.
    case birth
    /// The direction in which the particle flies.
    case velocity
  }
}
