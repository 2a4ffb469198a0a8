public import ParticlesCore

extension Emitter {
  /// When an emitter emits: after a delay for a while, perhaps again after a pause.
  public struct Timing: Sendable, Hashable {
    /// Seconds before the first period starts; 0 by default.
    public var delay: ParticleSystem.Value = 0

    /// How long a period lasts, in seconds; nil, the default, for ever.
    public var duration: ParticleSystem.Value?

    /// Whether another period follows; false by default.
    public var loop = false

    /// The pause between two periods in seconds; 0 by default.
    public var idle: ParticleSystem.Value = 0

    /// How much of the effect has happened when it is first seen, in seconds; 0 by default.
    public var prewarm = 0.0

    /// How fast time runs; 1 by default.
    public var speed = 1.0

    /// The length of a step of the simulation in seconds; 0, the default, for any.
    public var fixedStep = 0.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Timing: ModelObject {
  package static let title = "Timing"
  package static let about = "When an emitter emits."

  package static let properties: [Property<Timing>] = [
    .value("delay", \.delay, unit: "s", in: .nonNegative, "Time before the first period starts."),
    .optional(
      "duration", \.duration, unit: "s", in: .nonNegative,
      "How long a period lasts; for ever if null."),
    .value("loop", \.loop, "Whether another period follows."),
    .value("idle", \.idle, unit: "s", in: .nonNegative, "The pause between two periods."),
    .value(
      "prewarm", \.prewarm, unit: "s", in: .nonNegative,
      "How much of the effect has happened when it is first seen."),
    .value("speed", \.speed, in: .nonNegative, "How fast time runs."),
    .value(
      "fixedStep", \.fixedStep, unit: "s", in: .nonNegative,
      "The length of a step of the simulation; any if 0."),
  ]
}
