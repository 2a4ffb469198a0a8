public import ParticlesCore

extension Emitter {
  /// Particles emitted at once, perhaps repeatedly.
  public struct Burst: Sendable, Hashable {
    /// When the first happens, in seconds from the beginning of the period; 0 by default.
    public var time = 0.0

    /// How many particles are emitted; 1 by default.
    public var count: ParticleSystem.Value = 1

    /// How often it happens; 1 by default, 0 for without end.
    public var cycles = 1

    /// Seconds between two times; 1 by default.
    public var interval = 1.0

    /// How likely it happens, each time; 1 by default.
    public var probability = 1.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a single particle at the beginning of the period.
    public init() {}

    /// Creates a burst that happens once.
    public init(time: Double = 0, count: ParticleSystem.Value) {
      self.time = time
      self.count = count
    }
  }
}

extension Burst: ModelObject {
  package static let title = "Burst"
  package static let about = "Particles emitted at once, perhaps repeatedly."

  package static let properties: [Property<Burst>] = [
    .value(
      "time", \.time, unit: "s", in: .nonNegative,
      "When the first happens, from the beginning of the period."),
    .value("count", \.count, in: .nonNegative, "How many particles are emitted."),
    .value("cycles", \.cycles, in: .nonNegative, "How often it happens; without end if 0."),
    .value("interval", \.interval, unit: "s", in: .positive, "Time between two bursts."),
    .value("probability", \.probability, in: .fraction, "How likely it happens, each time."),
  ]
}
