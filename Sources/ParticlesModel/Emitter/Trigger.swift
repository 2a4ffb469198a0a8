public import ParticlesCore

extension Emitter {
  /// What makes another emitter emit: something that happens to a particle of this one.
  public struct Trigger: Sendable, Hashable {
    /// What has to happen.
    public var event = TriggerEvent.birth

    /// The index of the other emitter.
    public var emitter = 0

    /// How many particles it emits; nil, the default, to start a copy of the whole emitter.
    public var count: ParticleSystem.Value?

    /// For ``TriggerEvent/interval``: seconds between two times; 1 by default.
    public var interval = 1.0

    /// How likely it happens, each time; 1 by default.
    public var probability = 1.0

    /// What new particles take over from the particle; nothing by default.
    public var inherit: [Inheritance] = []

    /// The share of the velocity that is taken over; all of it by default.
    public var velocityFactor = 1.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a trigger of the first emitter at birth.
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
  package static let about = "What makes another emitter emit."

  package static let properties: [Property<Trigger>] = [
    .required("event", \.event, "What has to happen."),
    .required("emitter", \.emitter, "The index of the other emitter."),
    .optional(
      "count", \.count, in: .nonNegative,
      "How many particles it emits; null starts a copy of the whole emitter."),
    .value("interval", \.interval, unit: "s", in: .positive, "interval: time between two events."),
    .value("probability", \.probability, in: .fraction, "How likely it happens, each time."),
    .value("inherit", \.inherit, "What new particles take over from the particle."),
    .value("velocityFactor", \.velocityFactor, "The share of the velocity that is taken over."),
  ]
}

extension Emitter {
  /// What can happen to a particle.
  public enum TriggerEvent: String, ClosedName {
    /// It is born.
    case birth
    /// Its life ends.
    case death
    /// It hits something.
    case collision
    /// Some time has passed.
    case interval
    /// A picture is drawn.
    case frame
    /// It is alive: the emitter runs as long as it does.
    case living
  }

  /// What a new particle can take over.
  public enum Inheritance: String, ClosedName {
    /// Where the particle is.
    case position
    /// How it moves.
    case velocity
    /// Its colour.
    case color
    /// How it is turned.
    case rotation
    /// How large it is.
    case size
  }
}
