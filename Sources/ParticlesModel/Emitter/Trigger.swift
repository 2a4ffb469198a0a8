public import ParticlesCore

extension Emitter {
  /// Starts another emitter when an event happens to a particle of this one.
  public struct Trigger: Sendable, Hashable {
    /// The event.
    public var event = TriggerEvent.birth

    /// The index of the other emitter.
    public var emitter = 0

    /// The number of particles emitted for each event; nil, the default, to start a copy of the
    /// whole emitter.
    public var count: ParticleSystem.Value?

    /// For ``TriggerEvent/interval``: seconds between two events; 1 by default.
    public var interval = 1.0

    /// The probability of each occurrence; 1 by default.
    public var probability = 1.0

    /// The properties that emitted particles inherit; none by default.
    public var inherit: [Inheritance] = []

    /// The fraction of the velocity that is inherited; all of it by default.
    public var velocityFactor = 1.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
    .value("inherit", { $1(&$0.inherit) }, "The properties that emitted particles inherit."),
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
    /// It is alive: the other emitter runs for the lifetime of the particle.
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
