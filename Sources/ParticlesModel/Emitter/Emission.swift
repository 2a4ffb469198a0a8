public import ParticlesCore

extension Emitter {
  /// The emission of an emitter: rate, bursts and limits.
  public struct Emission: Sendable, Hashable {
    /// Particles per second; 0 by default.
    public var rate: ParticleSystem.Value = 0

    /// Particles per unit of distance that the emitter moves; 0 by default.
    public var ratePerDistance: ParticleSystem.Value = 0

    /// Particles emitted at once; none by default.
    public var bursts: [Burst] = []

    /// The maximum number of particles alive; nil, the default, for no limit.
    public var maxAlive: Int?

    /// The behaviour when ``maxAlive`` is reached; emission is skipped by default.
    public var whenFull = WhenFull.skip

    /// The minimum number of particles alive while emitting; 0 by default.
    public var minAlive = 0

    /// The number of particles after which the emitter stops; nil, the default, for never.
    public var total: Int?

    /// How far the emission of a period is concentrated at its start: 0, the default, for even
    /// emission, 1 for all particles at once.
    public var explosiveness = 0.0

    /// How irregular the emission is: 0, the default, for constant intervals, 1 for a random time
    /// in each interval.
    public var jitter = 0.0

    /// The probability that a scheduled particle is emitted; 1 by default.
    public var probability = 1.0

    /// The initial age of particles, in seconds; 0 by default.
    public var lifeOffset: ParticleSystem.Value = 0

    /// When particles are emitted; at their exact times by default.
    public var schedule = Schedule.continuous

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Emission: ModelObject {
  package static let title = "Emission"
  package static let about = "The emission of an emitter: rate, bursts and limits."

  package static let properties: [Property<Emission>] = [
    .value("rate", { $1(&$0.rate) }, unit: "1/s", in: .nonNegative, "Particles per second."),
    .value(
      "ratePerDistance", { $1(&$0.ratePerDistance) }, unit: "1/unit", in: .nonNegative,
      "Particles per unit of distance that the emitter moves."),
    .value("bursts", { $1(&$0.bursts) }, "Particles emitted at once."),
    .optional(
      "maxAlive", { $1(&$0.maxAlive) }, in: .nonNegative, "The maximum number of particles alive."),
    .value("whenFull", { $1(&$0.whenFull) }, "The behaviour when `maxAlive` is reached."),
    .value(
      "minAlive", { $1(&$0.minAlive) }, in: .nonNegative,
      "The minimum number of particles alive while emitting."),
    .optional(
      "total", { $1(&$0.total) }, in: .nonNegative,
      "The number of particles after which the emitter stops."),
    .value(
      "explosiveness", { $1(&$0.explosiveness) }, in: .fraction,
      "How far the emission of a period is concentrated at its start: 0 even, 1 all at once."),
    .value(
      "jitter", { $1(&$0.jitter) }, in: .fraction,
      "How irregular the emission is: 0 constant intervals, 1 a random time in each interval."),
    .value(
      "probability", { $1(&$0.probability) }, in: .fraction,
      "The probability that a scheduled particle is emitted."),
    .value(
      "lifeOffset", { $1(&$0.lifeOffset) }, unit: "s", in: .nonNegative,
      "The initial age of particles."),
    .value("schedule", { $1(&$0.schedule) }, "When particles are emitted."),
  ]
}

extension Emitter {
  /// The behaviour of emission when `maxAlive` particles are alive.
  public enum WhenFull: String, ClosedName {
    /// Particles are emitted as soon as there is room.
    case wait
    /// Particles are skipped.
    case skip
    /// The rate is lowered so that the limit is not reached.
    case spread
    /// The oldest particle is removed.
    case recycle
  }

  /// When particles are emitted.
  public enum Schedule: String, ClosedName {
    /// At their exact times, also within a step of the simulation.
    case continuous
    /// At the beginning of a step.
    case frame
  }
}
