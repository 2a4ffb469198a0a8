extension ParticleSystem {
  /// The law by which an engine moves particles: the switches in which engines differ from the
  /// simulation that the specification describes, as plain data.
  ///
  /// `Spec/profiles.md` explains every switch, with the version of the engine and the source.
  public struct EngineLaw: Sendable, Hashable {
    /// Whether particles are emitted before or after the living ones are moved.
    public var order = Order.motionFirst
    /// The part of the step that a particle lives through in the step in which it is emitted.
    public var firstStep = FirstStep.rest
    /// How the number of particles to emit is counted.
    public var account = Account.exact
    /// When a particle dies.
    public var death = Death.atLifetime
    /// How positions are advanced.
    public var integrator = Integrator.semiImplicit
    /// Where sizes and colours are clamped.
    public var clamping = Clamping.result
    /// The least size that is sampled, in units; nil for the lower end of the property's range.
    public var leastSize: Double?
    /// The law that replaces `exponential` and `euler` drag; nil if each drag has its own.
    public var drag: Drag?
    /// Whether the emitter's clock is advanced before or after particles are emitted.
    public var clock = Clock.beforeEmission

    /// Creates the law of the specification, `neutral`.
    public init() {}
  }
}

extension ParticleSystem.EngineLaw {
  /// See ``order``.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// The living are moved, then particles are emitted.
    case motionFirst
    /// Particles are emitted, then all are moved.
    case emissionFirst
  }

  /// See ``firstStep``.
  public enum FirstStep: String, Sendable, Hashable, CaseIterable {
    /// From the moment of its emission to the end of the step.
    case rest
    /// The whole step, whenever it was emitted.
    case whole
    /// Nothing: its age is 0 at the end of the step.
    case none
  }

  /// See ``account``.
  public enum Account: String, Sendable, Hashable, CaseIterable {
    /// A particle whenever rate × time reaches a whole number.
    case exact
    /// Time is counted only while there is room; a particle while the counter exceeds 1 ÷ rate.
    case whileRoom
    /// A particle at the start and then every 1 ÷ rate; the interval is stretched in the step in
    /// which the limit would be exceeded.
    case stretched
    /// Time is always counted; a particle while the counter exceeds 1 ÷ rate, lost if there is no
    /// room.
    case counter
  }

  /// See ``death``.
  public enum Death: String, Sendable, Hashable, CaseIterable {
    /// In the step in which its age reaches the lifetime.
    case atLifetime
    /// One step later: the step in which it reaches the lifetime ends exactly there, and shows it.
    case afterLastFrame
  }

  /// See ``integrator``.
  public enum Integrator: String, Sendable, Hashable, CaseIterable {
    /// The velocity is advanced first; the position then moves with the new velocity.
    case semiImplicit
    /// The position moves with the mean of the old and the new velocity.
    case trapezoid
  }

  /// See ``clamping``.
  public enum Clamping: String, Sendable, Hashable, CaseIterable {
    /// Sampled values are not clamped, the result at each moment is.
    case result
    /// Start and end are clamped when they are sampled; the result is not, but sizes stay ≥ 0.
    case samples
    /// Sizes are clamped when they are sampled; colours never are.
    case sizeSamples
  }

  /// See ``drag``.
  public enum Drag: String, Sendable, Hashable, CaseIterable {
    /// v ÷ (1 + s · h).
    case implicit
  }

  /// See ``clock``.
  public enum Clock: String, Sendable, Hashable, CaseIterable {
    /// Emission ends exactly at the end of the period.
    case beforeEmission
    /// The clock is compared with the duration after the emission of a step, which is emitted whole.
    case afterEmission
  }
}
