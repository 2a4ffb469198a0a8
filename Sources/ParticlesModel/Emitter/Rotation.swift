public import ParticlesCore

extension Emitter {
  /// The rotation of particles: an angle, an angular velocity that accumulates, and the alignment.
  public struct Rotation: Sendable, Hashable {
    /// The angle in degrees, counter-clockwise. Default: 0.
    public var angle: ParticleSystem.Track = 0

    /// The angular velocity, in degrees per second. Default: 0.
    public var velocity: ParticleSystem.Track = 0

    /// The angular acceleration, in degrees per second². Default: 0.
    public var acceleration: ParticleSystem.Value = 0

    /// The direction that the angle is relative to. Default: none.
    public var align = RotationAlign.none

    /// An angle that is added unless ``align`` is none, in degrees. Default: 0.
    public var alignOffset = 0.0

    /// The axis of rotation. Default: the view direction.
    public var axis = RotationAxis.screen

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Rotation: ModelObject {
  package static let title = "Rotation"
  package static let about = "The rotation of particles."

  package static let properties: [Property<Rotation>] = [
    .value("angle", { $1(&$0.angle) }, unit: "°", "The angle, counter-clockwise."),
    .value("velocity", { $1(&$0.velocity) }, unit: "°/s", label: "Spin", "The angular velocity."),
    .value(
      "acceleration", { $1(&$0.acceleration) }, unit: "°/s²", label: "Spin change",
      "The angular acceleration."),
    .value(
      "align", { $1(&$0.align) }, label: "Align to", "The direction that the angle is relative to."),
    .value(
      "alignOffset", { $1(&$0.alignOffset) }, unit: "°",
      "An angle that is added unless `align` is `none`."),
    .value(
      "axis", { $1(&$0.axis) }, "The axis of rotation: `\"screen\"`, `\"random\"` or a vector."),
  ]
}

extension Emitter {
  /// The direction that the angle of a particle is relative to.
  public enum RotationAlign: String, ClosedName {
    /// +x.
    case none
    /// The initial direction of the particle.
    case birth
    /// The direction of motion.
    case velocity
  }

  /// The axis that a particle rotates about.
  public enum RotationAxis: Sendable, Hashable {
    /// The view direction.
    case screen
    /// A random direction for each particle.
    case random
    /// A direction, of any length but 0.
    case vector(ParticleSystem.Vector)
  }
}

extension RotationAxis: NamedAlternative {
  package static let named: [RotationAxis] = [.screen, .random]
  package static let expected = "\"screen\", \"random\" or a vector"
  package static let typeName = "axis"
  package static func states(_ json: JSONValue) -> Bool { json.array != nil }
  package init(stating vector: Vector) { self = .vector(vector) }
  package var name: String { self == .screen ? "screen" : "random" }
  package var stated: Vector? { if case .vector(let vector) = self { vector } else { nil } }
}

extension Emitter {
  /// The axis along which a particle is stretched.
  public enum StretchAxis: Sendable, Hashable {
    /// Its velocity.
    case velocity
    /// Its own axes, by amounts that are added to the scale factors.
    case factors(ParticleSystem.VectorTrack)
  }
}

extension StretchAxis: NamedAlternative {
  package static let named: [StretchAxis] = [.velocity]
  package static let expected = "\"velocity\" or a vector of tracks"
  package static let typeName = "stretch axis"
  package static func states(_ json: JSONValue) -> Bool { json.array != nil }
  package init(stating factors: VectorTrack) { self = .factors(factors) }
  package var name: String { "velocity" }
  package var stated: VectorTrack? { if case .factors(let factors) = self { factors } else { nil } }
}
