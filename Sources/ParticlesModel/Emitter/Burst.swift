public import ParticlesCore

extension Emitter {
  /// A burst: particles emitted at once, optionally repeated.
  public struct Burst: Sendable, Hashable {
    /// The time of the first burst, in seconds from the start of the period; 0 by default.
    public var time = 0.0

    /// The number of particles; 1 by default.
    public var count: ParticleSystem.Value = 1

    /// The number of repetitions; 1 by default, 0 for endless.
    public var cycles = 1

    /// Seconds between two bursts; 1 by default.
    public var interval = 1.0

    /// The probability of each occurrence; 1 by default.
    public var probability = 1.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a burst of a single particle at the start of the period.
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
  package static let about = "A burst: particles emitted at once, optionally repeated."

  package static let properties: [Property<Burst>] = [
    .value(
      "time", { $1(&$0.time) }, unit: "s", in: .nonNegative,
      "The time of the first burst, from the start of the period."),
    .value("count", { $1(&$0.count) }, in: .nonNegative, "The number of particles."),
    .value(
      "cycles", { $1(&$0.cycles) }, in: .nonNegative, "The number of repetitions; endless if 0."),
    .value("interval", { $1(&$0.interval) }, unit: "s", in: .positive, "Time between two bursts."),
    .value(
      "probability", { $1(&$0.probability) }, in: .fraction, "The probability of each occurrence."),
  ]
}
