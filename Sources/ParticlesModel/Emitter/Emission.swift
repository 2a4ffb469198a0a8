public import ParticlesCore

extension Emitter {
  /// How many particles an emitter emits.
  public struct Emission: Sendable, Hashable {
    /// Particles per second; 0 by default.
    public var rate: ParticleSystem.Value = 0

    /// Particles per unit of distance that the emitter moves; 0 by default.
    public var ratePerDistance: ParticleSystem.Value = 0

    /// Particles emitted at once; none by default.
    public var bursts: [Burst] = []

    /// The greatest number of particles alive; nil, the default, for any.
    public var maxAlive: Int?

    /// What happens to births beyond ``maxAlive``; they are skipped by default.
    public var whenFull = WhenFull.skip

    /// The number of particles that is never undercut while emitting; 0 by default.
    public var minAlive = 0

    /// The number of particles after which the emitter is done; nil, the default, for never.
    public var total: Int?

    /// How far the births of a period are moved to its beginning: 0, the default, for evenly, 1 for
    /// all at once.
    public var explosiveness = 0.0

    /// How irregular births are: 0, the default, for a constant interval, 1 for any moment of it.
    public var jitter = 0.0

    /// How likely a particle is born when its time has come; 1 by default.
    public var probability = 1.0

    /// The age at which particles are born, in seconds; 0 by default.
    public var lifeOffset: ParticleSystem.Value = 0

    /// When births happen; at their exact times by default.
    public var schedule = Schedule.continuous

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Emission: ModelObject {
  package static let title = "Emission"
  package static let about = "How many particles an emitter emits."

  package static let properties: [Property<Emission>] = [
    .value("rate", \.rate, unit: "1/s", in: .nonNegative, "Particles per second."),
    .value(
      "ratePerDistance", \.ratePerDistance, unit: "1/unit", in: .nonNegative,
      "Particles per unit of distance that the emitter moves."),
    .value("bursts", \.bursts, "Particles emitted at once."),
    .optional("maxAlive", \.maxAlive, in: .nonNegative, "The greatest number of particles alive."),
    .value("whenFull", \.whenFull, "What happens to births beyond `maxAlive`."),
    .value(
      "minAlive", \.minAlive, in: .nonNegative,
      "The number of particles that is never undercut while emitting."),
    .optional(
      "total", \.total, in: .nonNegative,
      "The number of particles after which the emitter is done."),
    .value(
      "explosiveness", \.explosiveness, in: .fraction,
      "How far the births of a period are moved to its beginning: 0 evenly, 1 all at once."),
    .value(
      "jitter", \.jitter, in: .fraction,
      "How irregular births are: 0 for a constant interval, 1 for any moment of it."),
    .value(
      "probability", \.probability, in: .fraction,
      "How likely a particle is born when its time has come."),
    .value(
      "lifeOffset", \.lifeOffset, unit: "s", in: .nonNegative,
      "The age at which particles are born."),
    .value("schedule", \.schedule, "When births happen."),
  ]
}

extension Emitter {
  /// What happens to births when as many particles are alive as may be.
  public enum WhenFull: String, ClosedName {
    /// They happen when there is room.
    case wait
    /// They do not happen.
    case skip
    /// The rate is lowered so that the particles fill the time.
    case spread
    /// The oldest particle makes room.
    case recycle
  }

  /// When births happen.
  public enum Schedule: String, ClosedName {
    /// At their exact times, also within a step of the simulation.
    case continuous
    /// At the beginning of a step.
    case frame
  }
}
