public import ParticlesCore

extension Emitter {
  /// A force changes the velocity of particles. Each kind uses some of the parameters. Unused parameters are kept and
  /// ignored.
  public struct Force: Sendable, Hashable {
    /// The kind of force.
    public var kind = ForceKind.gravity

    /// Gravity: the acceleration in units per second². Default: 0.
    public var vector = VectorTrack.zero

    /// Other kinds: the strength, in units per second² unless the kind specifies another unit. Default: 0.
    public var strength: ParticleSystem.Track = 0

    /// The coordinate space of ``vector``, ``center``, ``axis`` and ``direction``. Default: the world.
    public var space = ForceSpace.world

    /// Radial and tangential: the centre, relative to the emitter. Default: its origin.
    public var center = Vector.zero

    /// Tangential and vortex: the axis. Default: towards the viewer.
    public var axis = ParticleSystem.Vector(0, 0, 1)

    /// Radial, tangential and vortex: the distance beyond which there is no force. Default: nil (no limit).
    public var maxDistance: Double?

    /// Radial, tangential and vortex: the exponent of the distance that the strength is divided by. Default: 0.
    public var falloff = 0.0

    /// Drag: the law. Default: exponential.
    public var law = DragLaw.exponential

    /// Drag with ``DragLaw/limit``: the speed in units per second above which there is drag. Default: 0.
    public var limit = 0.0

    /// Drag: the direction along which it acts. Default: nil (the direction of motion).
    public var direction: ParticleSystem.Vector?

    /// Noise: the size of its features. Default: 1.
    public var scale = 1.0

    /// Noise: how fast it changes, in features per second. Default: 0.
    public var speed = 0.0

    /// Noise: the number of layers, each twice as fine. Default: 1.
    public var octaves = 1

    /// Noise: the property that it changes. Default: the velocity.
    public var target = NoiseTarget.velocity

    /// Field: the name of a field of the scene. Default: nil.
    public var field: String?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates gravity that is 0.
    public init() {}

    /// Creates a force of a kind.
    public init(_ kind: Emitter.ForceKind, strength: ParticleSystem.Track = 0) {
      self.kind = kind
      self.strength = strength
    }

    /// Creates a force with a constant acceleration everywhere, in units per second².
    public static func gravity(_ vector: ParticleSystem.Vector) -> Emitter.Force {
      var force = Force(.gravity)
      force.vector = VectorTrack(vector)
      return force
    }

    /// Creates drag of the given strength.
    public static func drag(_ law: Emitter.DragLaw, strength: ParticleSystem.Track) -> Emitter.Force
    {
      var force = Force(.drag, strength: strength)
      force.law = law
      return force
    }
  }
}

extension Force: ModelObject {
  package static let title = "Force"
  package static let about = "A force: changes the velocity of particles."

  package static let properties: [Property<Force>] = [
    .required("type", { $1(&$0.kind) }, label: "Force", "The kind of force."),
    .value(
      "vector", { $1(&$0.vector) }, unit: "unit/s²", label: "Acceleration",
      "gravity: the acceleration."),
    .value(
      "strength", { $1(&$0.strength) },
      "Other kinds: the strength, in unit/s²; drag: in the unit of `law`."),
    .value(
      "space", { $1(&$0.space) },
      "The coordinate space of `vector`, `center`, `axis` and `direction`."),
    .value(
      "center", { $1(&$0.center) }, unit: "unit",
      label: "Centre", "radial, tangential, vortex: the centre, relative to the emitter."),
    .value("axis", { $1(&$0.axis) }, "tangential, vortex: the axis."),
    .optional(
      "maxDistance", { $1(&$0.maxDistance) }, unit: "unit", in: .nonNegative,
      "radial, tangential, vortex: the distance beyond which there is no force."),
    .value(
      "falloff", { $1(&$0.falloff) },
      "radial, tangential, vortex: the exponent of the distance that the strength is divided by."),
    .value("law", { $1(&$0.law) }, "drag: the law."),
    .value(
      "limit", { $1(&$0.limit) }, unit: "unit/s", in: .nonNegative,
      "drag with law `limit`: the speed above which there is drag."),
    .optional(
      "direction", { $1(&$0.direction) },
      "drag: the direction along which it acts; the direction of motion if null."),
    .value(
      "scale", { $1(&$0.scale) }, unit: "unit", in: .positive, label: "Feature size",
      "noise: the size of its features."),
    .value("speed", { $1(&$0.speed) }, unit: "1/s", "noise: how fast it changes."),
    .value(
      "octaves", { $1(&$0.octaves) }, in: .between(1, 16),
      "noise: the number of layers, each twice as fine."),
    .value("target", { $1(&$0.target) }, label: "Changes", "noise: the property that it changes."),
    .optional("field", { $1(&$0.field) }, "field: the name of a field of the scene."),
  ]

  /// Whether a force of this kind ignores the property of a key.
  package func ignores(_ key: String) -> Bool {
    ForceKind.allParameters.contains(key)
      && (!kind.parameters.contains(key) || key == "limit" && law != .limit)
  }
}

extension Emitter {
  /// The kinds of forces.
  public enum ForceKind: String, ClosedName {
    /// A constant acceleration everywhere.
    case gravity
    /// Along the velocity.
    case linear
    /// Away from a centre.
    case radial
    /// Counter-clockwise about a centre, perpendicular to the radius.
    case tangential
    /// Counter-clockwise about an axis.
    case vortex
    /// Against the velocity.
    case drag
    /// In a direction that varies smoothly over space.
    case noise
    /// By a field of the scene, of unknown effect.
    case field
  }
}

extension ForceKind {
  /// The keys of the properties that forces of this kind use, besides the properties of all kinds.
  package var parameters: [String] {
    switch self {
    case .gravity: ["vector"]
    case .linear: ["strength"]
    case .radial: ["strength", "center", "maxDistance", "falloff"]
    case .tangential, .vortex: ["strength", "center", "maxDistance", "falloff", "axis"]
    case .drag: ["strength", "law", "direction", "limit"]
    case .noise: ["strength", "scale", "speed", "octaves", "target"]
    case .field: ["strength", "field"]
    }
  }

  /// The keys that some kinds use and others do not.
  package static let allParameters = Set(allCases.flatMap { $0.parameters })
}

extension Emitter {
  /// The coordinate space of a force.
  public enum ForceSpace: String, ClosedName {
    /// World coordinates.
    case world
    /// Emitter coordinates.
    case local
  }

  /// How drag of strength s slows a particle.
  public enum DragLaw: String, ClosedName {
    /// The speed is multiplied by (1 − s) for each sixtieth of a second.
    case perFrame60
    /// The speed is multiplied by e to the power of −s for each second.
    case exponential
    /// In a step of dt the speed is reduced by the fraction min(s · dt, 1).
    case euler
    /// The speed decreases by s units per second each second.
    case constant
    /// In a step of dt, the excess over the limit is reduced by the fraction min(s · dt, 1).
    case limit
  }

  /// The property that noise changes.
  public enum NoiseTarget: String, ClosedName {
    /// The position. The velocity does not change.
    case position
    /// The velocity.
    case velocity
  }

  /// Physical properties of particles.
  public struct Physics: Sendable, Hashable {
    /// The mass, in no particular unit. Default: 1.
    public var mass: ParticleSystem.Value = 1

    /// The charge, in no particular unit. Default: 0.
    public var charge: ParticleSystem.Value = 0

    /// The fraction of the speed that is left after a collision. Default: 0.7.
    public var bounce: ParticleSystem.Value = 0.7

    /// The friction in a collision. Default: 1.
    public var friction: ParticleSystem.Value = 1

    /// Whether particles collide with the scene. Default: false.
    public var collides = false

    /// Whether a collision ends their life. Default: false.
    public var diesOnCollision = false

    /// Whether the gravity of the scene acts on them. Default: false.
    public var sceneGravity = false

    /// The fields of the scene that act on them, as a bit mask. Default: none.
    public var fieldMask: UInt32 = 0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
