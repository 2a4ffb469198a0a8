public import ParticlesCore

extension Emitter {
  /// A force: changes the velocity of particles. Each kind uses some of the parameters; the others
  /// are kept and ignored.
  public struct Force: Sendable, Hashable {
    /// The kind of force.
    public var kind = ForceKind.gravity

    /// Gravity: the acceleration in units per second²; 0 by default.
    public var vector = VectorTrack.zero

    /// Other kinds: the strength, in units per second² unless the kind specifies another unit; 0 by
    /// default.
    public var strength: ParticleSystem.Track = 0

    /// The coordinate space of ``vector``, ``center``, ``axis`` and ``direction``; the world by
    /// default.
    public var space = ForceSpace.world

    /// Radial and tangential: the centre, relative to the emitter; its origin by default.
    public var center = Vector.zero

    /// Tangential and vortex: the axis; towards the viewer by default.
    public var axis = ParticleSystem.Vector(0, 0, 1)

    /// Radial, tangential and vortex: the distance beyond which there is no force; nil, the
    /// default, for no limit.
    public var maxDistance: Double?

    /// Radial, tangential and vortex: the exponent of the distance that the strength is divided by;
    /// 0 by default.
    public var falloff = 0.0

    /// Drag: the law; exponential by default.
    public var law = DragLaw.exponential

    /// Drag with ``DragLaw/limit``: the speed in units per second above which there is drag; 0 by
    /// default.
    public var limit = 0.0

    /// Drag: the direction along which it acts; nil, the default, for the direction of motion.
    public var direction: ParticleSystem.Vector?

    /// Noise: the size of its features; 1 by default.
    public var scale = 1.0

    /// Noise: how fast it changes, in features per second; 0 by default.
    public var speed = 0.0

    /// Noise: the number of layers, each twice as fine; 1 by default.
    public var octaves = 1

    /// Noise: the property that it changes; the velocity by default.
    public var target = NoiseTarget.velocity

    /// Field: the name of a field of the scene; nil by default.
    public var field: String?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates gravity that is 0.
    public init() {}

    /// Creates a force of a kind.
    public init(_ kind: Emitter.ForceKind, strength: ParticleSystem.Track = 0) {
      self.kind = kind
      self.strength = strength
    }

    /// Creates a force with the same acceleration everywhere, in units per second².
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
    .required("type", { $1(&$0.kind) }, "The kind of force."),
    .value("vector", { $1(&$0.vector) }, unit: "unit/s²", "gravity: the acceleration."),
    .value(
      "strength", { $1(&$0.strength) },
      "Other kinds: the strength, in unit/s²; drag: in the unit of `law`."),
    .value(
      "space", { $1(&$0.space) },
      "The coordinate space of `vector`, `center`, `axis` and `direction`."),
    .value(
      "center", { $1(&$0.center) }, unit: "unit",
      "radial, tangential, vortex: the centre, relative to the emitter."),
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
      "scale", { $1(&$0.scale) }, unit: "unit", in: .positive, "noise: the size of its features."),
    .value("speed", { $1(&$0.speed) }, unit: "1/s", "noise: how fast it changes."),
    .value(
      "octaves", { $1(&$0.octaves) }, in: .between(1, 16),
      "noise: the number of layers, each twice as fine."),
    .value("target", { $1(&$0.target) }, "noise: the property that it changes."),
    .optional("field", { $1(&$0.field) }, "field: the name of a field of the scene."),
  ]

  /// Whether a force of this kind ignores the property of a key.
  package func ignores(_ key: String) -> Bool {
    ForceKind.allParameters.contains(key)
      && (!kind.parameters.contains(key) || key == "limit" && law != .limit)
  }
}
