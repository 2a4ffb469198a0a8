public import ParticlesCore

extension Emitter {
  /// Physical properties of particles.
  public struct Physics: Sendable, Hashable {
    /// The mass, in no particular unit; 1 by default.
    public var mass: ParticleSystem.Value = 1

    /// The charge, in no particular unit; 0 by default.
    public var charge: ParticleSystem.Value = 0

    /// The fraction of the speed that is left after a collision; 0.7 by default.
    public var bounce: ParticleSystem.Value = 0.7

    /// The friction in a collision; 1 by default.
    public var friction: ParticleSystem.Value = 1

    /// Whether particles collide with the scene; false by default.
    public var collides = false

    /// Whether a collision ends their life; false by default.
    public var diesOnCollision = false

    /// Whether the gravity of the scene acts on them; false by default.
    public var sceneGravity = false

    /// The fields of the scene that act on them, as a bit mask; none by default.
    public var fieldMask = 0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Physics: ModelObject {
  package static let title = "Physics"
  package static let about = "Physical properties of particles."

  package static let properties: [Property<Physics>] = [
    .value("mass", { $1(&$0.mass) }, "The mass."),
    .value("charge", { $1(&$0.charge) }, "The charge."),
    .value(
      "bounce", { $1(&$0.bounce) }, in: .nonNegative,
      "The fraction of the speed that is left after a collision."),
    .value("friction", { $1(&$0.friction) }, in: .nonNegative, "The friction in a collision."),
    .value("collides", { $1(&$0.collides) }, "Whether particles collide with the scene."),
    .value("diesOnCollision", { $1(&$0.diesOnCollision) }, "Whether a collision ends their life."),
    .value(
      "sceneGravity", { $1(&$0.sceneGravity) }, "Whether the gravity of the scene acts on them."),
    .value(
      "fieldMask", { $1(&$0.fieldMask) }, in: .between(0, 4_294_967_295),
      "The fields of the scene that act on them, as a bit mask."),
  ]
}
