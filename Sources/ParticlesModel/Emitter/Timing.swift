public import ParticlesCore

extension Emitter {
  /// When an emitter emits: delay, duration, repetition and pause.
  public struct Timing: Sendable, Hashable {
    /// The delay before the first period in seconds; 0 by default.
    public var delay: ParticleSystem.Value = 0

    /// The duration of a period in seconds; nil, the default, for endless.
    public var duration: ParticleSystem.Value?

    /// Whether periods repeat; false by default.
    public var loop = false

    /// The pause between two periods in seconds; 0 by default.
    public var idle: ParticleSystem.Value = 0

    /// The time that is simulated before the effect is first shown, in seconds; 0 by default.
    public var prewarm = 0.0

    /// The playback speed; 1 by default.
    public var speed = 1.0

    /// The step of the simulation in seconds; 0, the default, for a variable step.
    public var fixedStep = 0.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
    .value("idle", { $1(&$0.idle) }, unit: "s", in: .nonNegative, "The pause between two periods."),
    .value(
      "prewarm", { $1(&$0.prewarm) }, unit: "s", in: .nonNegative,
      "The time that is simulated before the effect is first shown."),
    .value("speed", { $1(&$0.speed) }, in: .nonNegative, "The playback speed."),
    .value(
      "fixedStep", { $1(&$0.fixedStep) }, unit: "s", in: .nonNegative,
      "The step of the simulation; variable if 0."),
  ]
}
