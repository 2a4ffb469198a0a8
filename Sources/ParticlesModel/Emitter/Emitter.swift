public import ParticlesCore

/// Emits particles of one kind. With every property at its default it emits none.
public struct Emitter: Sendable, Hashable {
  /// A display name. Default: empty.
  public var name: String {
    get { parts.storage.contents.name }
    _modify { yield &parts.contents.name }
  }

  /// Whether the emitter is enabled. Default: true.
  public var enabled: Bool {
    get { parts.storage.contents.enabled }
    _modify { yield &parts.contents.enabled }
  }

  /// Position, rotation and scale in the effect. Default: none.
  public var transform: Transform {
    get { parts.storage.contents.transform }
    _modify { yield &parts.contents.transform }
  }

  /// The coordinate space in which particles move. Default: the world.
  public var space: EmitterSpace {
    get { parts.storage.contents.space }
    _modify { yield &parts.contents.space }
  }

  /// When the emitter emits. Default: from the start, without end.
  public var timing: Timing {
    get { parts.storage.contents.timing }
    _modify { yield &parts.contents.timing }
  }

  /// Emission: rate, bursts and limits. Default: nothing is emitted.
  public var emission: Emission {
    get { parts.storage.contents.emission }
    _modify { yield &parts.contents.emission }
  }

  /// Where particles are emitted. Default: at the origin.
  public var shape: Shape {
    get { parts.storage.contents.shape }
    _modify { yield &parts.contents.shape }
  }

  /// Initial direction and speed of particles. Default: at rest.
  public var launch: Launch {
    get { parts.storage.contents.launch }
    _modify { yield &parts.contents.launch }
  }

  /// The lifetime in seconds. Default: 1. A particle with a lifetime of 0 or less is not emitted.
  public var lifetime: ParticleSystem.Value {
    get { parts.storage.contents.lifetime }
    _modify { yield &parts.contents.lifetime }
  }

  /// Physical properties of particles.
  public var physics: Physics {
    get { parts.storage.contents.physics }
    _modify { yield &parts.contents.physics }
  }

  /// How particles move. Default: by velocity and forces.
  public var motion: Motion {
    get { parts.storage.contents.motion }
    _modify { yield &parts.contents.motion }
  }

  /// The forces on particles, in order of application. Default: none.
  public var forces: [Force] {
    get { parts.storage.contents.forces }
    _modify { yield &parts.contents.forces }
  }

  /// The rotation of particles. Default: none.
  public var rotation: Rotation {
    get { parts.storage.contents.rotation }
    _modify { yield &parts.contents.rotation }
  }

  /// The size of particles. Default: 1 unit wide.
  public var size: Size {
    get { parts.storage.contents.size }
    _modify { yield &parts.contents.size }
  }

  /// The colour of particles. Default: the colour of the sprite.
  public var color: Tint {
    get { parts.storage.contents.color }
    _modify { yield &parts.contents.color }
  }

  /// The indices of the sprites that particles show. Default: empty (a white square).
  public var sprites: [Int] {
    get { parts.storage.contents.sprites }
    _modify { yield &parts.contents.sprites }
  }

  /// Which of the sprites a particle shows. Default: the first.
  public var spriteSelection: SpriteSelection {
    get { parts.storage.contents.spriteSelection }
    _modify { yield &parts.contents.spriteSelection }
  }

  /// How the frames of the sprite are animated. Default: nil (particles show the first frame only).
  public var flipbook: Flipbook? {
    get { parts.storage.contents.flipbook }
    _modify { yield &parts.contents.flipbook }
  }

  /// How particles are rendered.
  public var render: Render {
    get { parts.storage.contents.render }
    _modify { yield &parts.contents.render }
  }

  /// Events that start other emitters. Default: none.
  public var triggers: [Trigger] {
    get { parts.storage.contents.triggers }
    _modify { yield &parts.contents.triggers }
  }

  /// Unknown JSON members, preserved on save. See ``Extensible``.
  public var additions: JSONObject {
    get { parts.storage.contents.additions }
    _modify { yield &parts.contents.additions }
  }

  private var parts = Self.standardParts

  private static let standardParts = CopyOnWrite(Parts())

  /// Creates an emitter that emits nothing.
  public init() {}

  /// Creates an emitter of a name that emits nothing.
  public init(name: String) { self.name = name }

  /// The storage of the properties, with their defaults. It is large: copies of an emitter share it.
  private struct Parts: Hashable {
    var name = ""
    var enabled = true
    var transform = Transform()
    var space = EmitterSpace.world
    var timing = Timing()
    var emission = Emission()
    var shape = Shape()
    var launch = Launch()
    var lifetime: ParticleSystem.Value = 1
    var physics = Physics()
    var motion = Motion()
    var forces: [Force] = []
    var rotation = Rotation()
    var size = Size()
    var color = Tint()
    var sprites: [Int] = []
    var spriteSelection = SpriteSelection.first
    var flipbook: Flipbook?
    var render = Render()
    var triggers: [Trigger] = []
    var additions = JSONObject()
  }
}

extension Emitter: ModelObject {
  package static let title = "Emitter"
  package static let about = "Emits particles of one kind."

  /// Reports a stopped clock, and notes properties of motion that an orbit replaces.
  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if enabled, timing.isStopped {
      let place = path.appending("timing").appending("speed")
      diagnostics.append(Diagnostic(.stopped, at: place.location, expected: "above 0", found: "0"))
    }
    guard motion.mode == .orbit else { return }
    let ignored: [(key: String, isStated: Bool)] = [
      ("launch.direction", launch.direction != Direction()), ("launch.spread", launch.spread != 0),
      ("launch.speed", launch.speed != 0), ("forces", !forces.isEmpty),
    ]
    for (key, isStated) in ignored where isStated {
      let place = key.split(separator: ".").reduce(path) { $0.appending(String($1)) }
      diagnostics.append(
        Diagnostic(
          .inert, at: place.location, "with motion.mode orbit, places follow from motion.orbit"))
    }
  }

  package static let properties: [Property<Emitter>] = [
    .value("name", { $1(&$0.name) }, "A display name."),
    .value("enabled", { $1(&$0.enabled) }, "Whether the emitter is enabled."),
    .value("transform", { $1(&$0.transform) }, "Position, rotation and scale in the effect."),
    .value("space", { $1(&$0.space) }, "The coordinate space in which particles move."),
    .value("timing", { $1(&$0.timing) }, "When the emitter emits."),
    .value("emission", { $1(&$0.emission) }, "Rate, bursts and limits of the emission."),
    .value("shape", { $1(&$0.shape) }, "Where particles are emitted."),
    .value("launch", { $1(&$0.launch) }, "Initial direction and speed of particles."),
    .value(
      "lifetime", { $1(&$0.lifetime) }, unit: "s", in: .nonNegative,
      "The lifetime; a particle with a lifetime of 0 or less is not emitted."),
    .value("physics", { $1(&$0.physics) }, "Physical properties of particles."),
    .value("motion", { $1(&$0.motion) }, "How particles move."),
    .value("forces", { $1(&$0.forces) }, "The forces on particles, in order of application."),
    .value("rotation", { $1(&$0.rotation) }, "The rotation of particles."),
    .value("size", { $1(&$0.size) }, "The size of particles."),
    .value("color", { $1(&$0.color) }, "The colour of particles."),
    .value(
      "sprites", { $1(&$0.sprites) },
      label: "Images",
      "The indices of the sprites that particles show; a white square if there are none."),
    .value(
      "spriteSelection", { $1(&$0.spriteSelection) }, label: "Sprite choice",
      "Which of the sprites a particle shows."),
    .optional(
      "flipbook", { $1(&$0.flipbook) },
      "How the frames of the sprite are animated; only the first frame if null."),
    .value("render", { $1(&$0.render) }, "How particles are rendered."),
    .value("triggers", { $1(&$0.triggers) }, "Events that start other emitters."),
  ]
}

extension Emitter {
  /// The coordinate space in which particles move.
  public enum EmitterSpace: String, ClosedName {
    /// The world: particles stay in place when the effect or the emitter moves.
    case world
    /// The effect: particles follow the effect, but not the emitter inside it.
    case parent
    /// The emitter: particles follow the emitter.
    case local
  }

  /// Position, rotation and scale. Scale is applied first, then rotation, then translation.
  public struct Transform: Sendable, Hashable {
    /// The translation. Default: none.
    public var translation = Vector.zero

    /// The rotation in space. Default: none.
    public var rotation = Quaternion.identity

    /// The rotation in the plane in degrees, counter-clockwise, applied before ``rotation``. Default: 0.
    public var angle = 0.0

    /// The scale factors. Default: 1.
    public var scale = Scale.one

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
    .value(
      "translation", { $1(&$0.translation) }, unit: "unit", label: "Position", "The translation."),
    .value(
      "rotation", { $1(&$0.rotation) }, label: "Rotation in space",
      "The rotation in space: x, y, z, w of a quaternion."),
    .value(
      "angle", { $1(&$0.angle) }, unit: "°",
      "The rotation in the plane, counter-clockwise, applied before `rotation`."),
    .value("scale", { $1(&$0.scale) }, "The scale factors."),
  ]
}

extension Emitter {
  /// When an emitter emits: delay, duration, repetition and pause.
  public struct Timing: Sendable, Hashable {
    /// The delay before the first period in seconds. Default: 0.
    public var delay: ParticleSystem.Value = 0

    /// The duration of a period in seconds. Default: nil (endless).
    public var duration: ParticleSystem.Value?

    /// Whether periods repeat. Default: false.
    public var loop = false

    /// The pause between two periods in seconds. Default: 0.
    public var idle: ParticleSystem.Value = 0

    /// The time that is simulated before the effect is first shown, in seconds. Default: 0.
    public var prewarm = 0.0

    /// The playback speed. Default: 1.
    public var speed = 1.0

    /// The step of the simulation in seconds. Default: 0 (a variable step).
    public var fixedStep = 0.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}

    /// Whether the clock does not advance, so that nothing is emitted.
    public var isStopped: Bool { speed <= 0 }
  }
}

extension Timing: ModelObject {
  package static let title = "Timing"
  package static let about = "When an emitter emits."

  package static let properties: [Property<Timing>] = [
    .value(
      "delay", { $1(&$0.delay) }, unit: "s", in: .nonNegative, "The delay before the first period."),
    .optional(
      "duration", { $1(&$0.duration) }, unit: "s", in: .nonNegative,
      "The duration of a period; endless if null."),
    .value("loop", { $1(&$0.loop) }, "Whether periods repeat."),
    .value(
      "idle", { $1(&$0.idle) }, unit: "s", in: .nonNegative, label: "Pause",
      "The pause between two periods."),
    .value(
      "prewarm", { $1(&$0.prewarm) }, unit: "s", in: .nonNegative,
      "The time that is simulated before the effect is first shown."),
    .value("speed", { $1(&$0.speed) }, in: .nonNegative, "The playback speed."),
    .value(
      "fixedStep", { $1(&$0.fixedStep) }, unit: "s", in: .nonNegative,
      "The step of the simulation; variable if 0."),
  ]
}
