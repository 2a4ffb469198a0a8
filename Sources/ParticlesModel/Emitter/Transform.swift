public import ParticlesCore

extension Emitter {
  /// Where something is, how it is turned and how large. Scale comes first, then rotation, then
  /// translation.
  public struct Transform: Sendable, Hashable {
    /// How far it is moved; not at all by default.
    public var translation = Vector.zero

    /// How it is turned in space; not at all by default.
    public var rotation = Quaternion.identity

    /// By how many degrees it is turned in the plane, counter-clockwise, before ``rotation``; 0 by
    /// default.
    public var angle = 0.0

    /// The factors by which it is larger; 1 by default.
    public var scale = Scale.one

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the transform that changes nothing.
    public init() {}

    /// Creates a transform that moves something.
    public init(translation: ParticleSystem.Vector) { self.translation = translation }
  }
}

extension Transform: ModelObject {
  package static let title = "Transform"
  package static let about = "Where something is, how it is turned and how large."

  package static let properties: [Property<Transform>] = [
    .value("translation", \.translation, unit: "unit", "How far it is moved."),
    .value("rotation", \.rotation, "How it is turned in space: x, y, z, w of a quaternion."),
    .value(
      "angle", \.angle, unit: "°",
      "By how much it is turned in the plane, counter-clockwise, before `rotation`."),
    .value("scale", \.scale, "The factors by which it is larger."),
  ]
}
