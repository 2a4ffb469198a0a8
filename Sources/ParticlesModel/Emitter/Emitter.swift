public import ParticlesCore

/// Emits particles of one kind. With every property at its default it emits none.
public struct Emitter: Sendable, Hashable {
  /// A name for people; empty by default.
  public var name = ""

  /// Whether it takes part; true by default.
  public var enabled = true

  /// Where it is in the effect; at the origin by default.
  public var transform = Transform()

  /// What particles move in once they are born; the world by default.
  public var space = EmitterSpace.world

  /// When it emits; from the beginning for ever by default.
  public var timing = Timing()

  /// How many particles it emits; none by default.
  public var emission = Emission()

  /// Where they are born; at the origin by default.
  public var shape = Shape()

  /// How they set off; not at all by default.
  public var launch = Launch()

  /// How long they live, in seconds; 1 by default. A particle whose life is 0 or less is not born.
  public var lifetime: ParticleSystem.Value = 1

  /// What they are like for the world around them.
  public var physics = Physics()

  /// How they move; by velocity and forces by default.
  public var motion = Motion()

  /// What changes their velocity, in this order; nothing by default.
  public var forces: [Force] = []

  /// How they are turned; not at all by default.
  public var rotation = Rotation()

  /// How large they are; 1 unit wide by default.
  public var size = Size()

  /// What colour they have; that of the sprite by default.
  public var color = Tint()

  /// The indices of the sprites that they show; none, the default, for a white square.
  public var sprites: [Int] = []

  /// Which of the sprites a particle shows; the first by default.
  public var spriteSelection = SpriteSelection.first

  /// How the frames of the sprite are shown; nil, the default, for the first one only.
  public var flipbook: Flipbook?

  /// How they are drawn.
  public var render = Render()

  /// What makes other emitters emit; nothing by default.
  public var triggers: [Trigger] = []

  /// Unknown JSON members, preserved on save; see ``Extensible``.
  public var additions = JSONObject()

  /// Creates an emitter that emits nothing.
  public init() {}

  /// Creates an emitter of a name that emits nothing.
  public init(name: String) { self.name = name }
}

extension Emitter: ModelObject {
  package static let title = "Emitter"
  package static let about = "Emits particles of one kind."

  package static let properties: [Property<Emitter>] = [
    .value("name", \.name, "A name for people."),
    .value("enabled", \.enabled, "Whether it takes part."),
    .value("transform", \.transform, "Where it is in the effect."),
    .value("space", \.space, "What particles move in once they are born."),
    .value("timing", \.timing, "When it emits."),
    .value("emission", \.emission, "How many particles it emits."),
    .value("shape", \.shape, "Where particles are born."),
    .value("launch", \.launch, "How particles set off."),
    .value(
      "lifetime", \.lifetime, unit: "s", in: .nonNegative,
      "How long particles live; one that draws 0 or less is not born."),
    .value("physics", \.physics, "What particles are like for the world around them."),
    .value("motion", \.motion, "How particles move."),
    .value("forces", \.forces, "What changes their velocity, in this order."),
    .value("rotation", \.rotation, "How particles are turned."),
    .value("size", \.size, "How large particles are."),
    .value("color", \.color, "What colour particles have."),
    .value(
      "sprites", \.sprites,
      "The indices of the sprites that they show; a white square if there are none."),
    .value("spriteSelection", \.spriteSelection, "Which of the sprites a particle shows."),
    .optional(
      "flipbook", \.flipbook,
      "How the frames of the sprite are shown; the first one only if null."),
    .value("render", \.render, "How particles are drawn."),
    .value("triggers", \.triggers, "What makes other emitters emit."),
  ]
}

extension Emitter {
  /// What particles move in once they are born.
  public enum EmitterSpace: String, ClosedName {
    /// The world: they stay where they are when the emitter moves.
    case world
    /// The effect: they follow it, but not the emitter in it.
    case parent
    /// The emitter: they follow it.
    case local
  }
}
