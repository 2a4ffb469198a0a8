public import ParticlesCore

extension Emitter {
  /// Position, rotation and scale. Scale is applied first, then rotation, then translation.
  public struct Transform: Sendable, Hashable {
    /// The translation; none by default.
    public var translation = Vector.zero

    /// The rotation in space; none by default.
    public var rotation = Quaternion.identity

    /// The rotation in the plane in degrees, counter-clockwise, applied before ``rotation``; 0 by
    /// default.
    public var angle = 0.0

    /// The scale factors; 1 by default.
    public var scale = Scale.one

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the identity.
    public init() {}

    /// Creates a translation.
    public init(translation: ParticleSystem.Vector) { self.translation = translation }
  }
}

extension Transform: ModelObject {
  package static let title = "Transform"
  package static let about = "Position, rotation and scale."

  package static let properties: [Property<Transform>] = [
    .value("translation", { $1(&$0.translation) }, unit: "unit", "The translation."),
    .value("rotation", { $1(&$0.rotation) }, "The rotation in space: x, y, z, w of a quaternion."),
    .value(
      "angle", { $1(&$0.angle) }, unit: "°",
      "The rotation in the plane, counter-clockwise, applied before `rotation`."),
    .value("scale", { $1(&$0.scale) }, "The scale factors."),
  ]
}
