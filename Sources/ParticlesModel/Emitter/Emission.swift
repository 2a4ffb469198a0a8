public import ParticlesCore

extension Emitter {
  /// The emission of an emitter: rate, bursts and limits.
  public struct Emission: Sendable, Hashable {
    /// Particles per second. Default: 0.
    public var rate: ParticleSystem.Value = 0

    /// Particles per unit of distance that the emitter moves. Default: 0.
    public var ratePerDistance: ParticleSystem.Value = 0

    /// Particles emitted at once. Default: none.
    public var bursts: [Burst] = []

    /// The maximum number of particles alive. Default: nil (no limit).
    public var maxAlive: Int?

    /// The behaviour when ``maxAlive`` is reached. Default: emission is skipped.
    public var whenFull = WhenFull.skip

    /// The minimum number of particles alive while emitting. Default: 0.
    public var minAlive = 0

    /// The number of particles after which the emitter stops. Default: nil (never).
    public var total: Int?

    /// How far the emission of a period is concentrated at its start: 0, the default, for even
    /// emission, 1 for all particles at once.
    public var explosiveness = 0.0

    /// How irregular the emission is: 0, the default, for constant intervals, 1 for a random time
    /// in each interval.
    public var jitter = 0.0

    /// The probability that a scheduled particle is emitted. Default: 1.
    public var probability = 1.0

    /// The initial age of particles, in seconds. Default: 0.
    public var lifeOffset: ParticleSystem.Value = 0

    /// When particles are emitted. Default: at their exact times.
    public var schedule = Schedule.continuous

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
      label: "Initial age", "The initial age of particles."),
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

  /// A burst: particles emitted at once, optionally repeated.
  public struct Burst: Sendable, Hashable {
    /// The time of the first burst, in seconds from the start of the period. Default: 0.
    public var time = 0.0

    /// The number of particles. Default: 1.
    public var count: ParticleSystem.Value = 1

    /// The number of repetitions, 0 for endless. Default: 1.
    public var cycles = 1

    /// Seconds between two bursts. Default: 1.
    public var interval = 1.0

    /// The probability of each occurrence. Default: 1.
    public var probability = 1.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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

extension Emitter {
  /// Starts another emitter when an event happens to a particle of this one.
  public struct Trigger: Sendable, Hashable {
    /// The event.
    public var event = TriggerEvent.birth

    /// The index of the emitter that the event starts.
    public var emitter = 0

    /// The number of particles emitted for each event. Default: nil (a copy of the whole emitter starts).
    public var count: ParticleSystem.Value?

    /// For ``TriggerEvent/interval``: seconds between two events. Default: 1.
    public var interval = 1.0

    /// The probability of each occurrence. Default: 1.
    public var probability = 1.0

    /// The properties that emitted particles inherit. Default: none.
    public var inherit: [Inheritance] = []

    /// The fraction of the velocity that is inherited. Default: 1.
    public var velocityFactor = 1.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a trigger that starts the first emitter when a particle is emitted.
    public init() {}

    /// Creates a trigger.
    public init(_ event: Emitter.TriggerEvent, emitter: Int, count: ParticleSystem.Value? = nil) {
      self.event = event
      self.emitter = emitter
      self.count = count
    }
  }
}

extension Trigger: ModelObject {
  package static let title = "Trigger"
  package static let about = "Starts another emitter when an event happens to a particle."

  package static let properties: [Property<Trigger>] = [
    .required("event", { $1(&$0.event) }, "The event."),
    .required("emitter", { $1(&$0.emitter) }, "The index of the other emitter."),
    .optional(
      "count", { $1(&$0.count) }, in: .nonNegative,
      "The number of particles emitted for each event; null starts a copy of the whole emitter."),
    .value(
      "interval", { $1(&$0.interval) }, unit: "s", in: .positive,
      "interval: time between two events."),
    .value(
      "probability", { $1(&$0.probability) }, in: .fraction, "The probability of each occurrence."),
    .value(
      "inherit", { $1(&$0.inherit) }, label: "Inherits",
      "The properties that emitted particles inherit."),
    .value(
      "velocityFactor", { $1(&$0.velocityFactor) },
      "The fraction of the velocity that is inherited."),
  ]
}

extension Emitter {
  /// The events of a particle.
  public enum TriggerEvent: String, ClosedName {
    /// The particle is emitted.
    case birth
    /// Its lifetime ends.
    case death
    /// It collides.
    case collision
    /// An interval has passed.
    case interval
    /// A frame is rendered.
    case frame
    /// While the particle is alive. The triggered emitter runs for the lifetime of the particle.
    case living
  }

  /// The properties that a particle can inherit.
  public enum Inheritance: String, ClosedName {
    /// The position.
    case position
    /// The velocity.
    case velocity
    /// The colour.
    case color
    /// The rotation.
    case rotation
    /// The size.
    case size
  }
}

// The rate at which particles are really emitted, if there are places for some only.

extension Emitter {
  /// The most particles that are emitted to find the rate. Beyond that number, the difference is small.
  private static let mostEmissions = 60_000.0

  /// The mean number of particles that are emitted per second. The result is less than `emission.rate` if particles
  /// wait for places or are lost without one. Bursts and periods are not counted.
  /// - Parameter duration: the seconds of emission, or nil for endless emission, whose start does not count.
  package func throughput(over duration: Double?) -> Double {
    let rate = emission.rate.mean
    guard let most = emission.maxAlive, rate > 0, emission.bursts.isEmpty,
      emission.whenFull != .recycle
    else { return rate }
    let longest = lifetime.bounds.upper
    let time = duration ?? 8 * longest
    // Few particles that just fit wait for each other's death, which takes a part of an interval.
    let room = Double(most) * ((2..<12).contains(most) ? 0.999 : 1.001)
    guard longest > 0, longest.isFinite, time > 0, rate * longest > room else { return rate }
    // Particles with a lifetime below 0 take no place.
    let mean = lifetime.clampedSamples(to: Interval(0, .infinity)).mean
    let bound = min(rate, Double(most) / max(mean, 1e-6))
    guard rate * time < Self.mostEmissions else { return bound }
    let step = max(1.0 / 60, time / 20_000)
    let steps = Int(saturating: (time / step).rounded(.up))
    var deaths = [Int](repeating: 0, count: steps + 1)
    var (alive, emitted, counted, counter) = (0, 0, 0, 0.0)
    for index in 0..<steps {
      if emission.whenFull == .skip || alive < most { counter += step }
      while counter > 1 / rate {
        counter -= 1 / rate
        guard alive < most else {
          if emission.whenFull == .skip { continue }
          break
        }
        // Shares of the golden ratio are evenly spread, in any order.
        let share = Double(emitted) * 0.618_033_988_749_895
        let unit = share - share.rounded(.down)
        emitted += 1
        if duration != nil || index >= steps / 2 { counted += 1 }
        let life = lifetime.sample(unit)
        guard life > 0 else { continue }
        alive += 1
        // Before the addition: a life may be as long as numbers go.
        deaths[index + min(Int(saturating: (life / step).rounded(.up)), steps - index)] += 1
      }
      alive -= deaths[index + 1]
    }
    let seconds = duration ?? Double(steps - steps / 2) * step
    return min(rate, Double(counted) / seconds)
  }
}
