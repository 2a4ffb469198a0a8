internal import ParticlesCore

extension ParticleSystem {
  /// How a number is drawn: a constant, a random distribution, or one that changes while the
  /// emitter emits.
  ///
  /// A value is drawn once for each particle, unless its ``scope`` says otherwise. What a property
  /// allows is enforced after drawing, so that a range may reach beyond it.
  public enum Value: Sendable, Hashable {
    /// Always the same number. A number in JSON.
    case constant(Double)
    /// Any number between two, each as likely as the others.
    case uniform(Uniform)
    /// One of several numbers.
    case choice(Choice)
    /// Between two values, depending on how far the emission is.
    indirect case ramp(Ramp)

    /// Creates the value that is drawn between two numbers. They may be equal.
    public static func range(_ min: Double, _ max: Double, scope: Scope = .particle) -> Value {
      .uniform(Uniform(min, max, scope: scope))
    }

    /// Creates the value that is one of these numbers, each as likely as the others unless there
    /// are weights.
    public static func oneOf(
      _ numbers: [Double], weights: [Double] = [], scope: Scope = .particle
    ) -> Value {
      .choice(Choice(numbers, weights: weights, scope: scope))
    }

    /// Creates what other formats call "v ± variance": a constant if the half width is 0. The sign
    /// of the half width does not matter. Bounds have no digits that only the addition made.
    public init(center: Double, halfWidth: Double, scope: Scope = .particle) {
      let half = halfWidth.magnitude
      self =
        half == 0
        ? .constant(center)
        : .range((center - half).rounded, (center + half).rounded, scope: scope)
    }

    /// When the value is drawn. A constant has none to speak of; setting it does nothing.
    public var scope: Scope {
      get {
        switch self {
        case .constant: .particle
        case .uniform(let value): value.scope
        case .choice(let value): value.scope
        case .ramp(let value): value.scope
        }
      }
      set {
        switch self {
        case .constant: break
        case .uniform(var value):
          value.scope = newValue
          self = .uniform(value)
        case .choice(var value):
          value.scope = newValue
          self = .choice(value)
        case .ramp(var value):
          value.scope = newValue
          self = .ramp(value)
        }
      }
    }
  }

  /// How often a value is drawn.
  public enum Scope: String, ClosedName {
    /// For each particle.
    case particle
    /// For each period of the emitter.
    case cycle
    /// Once for the effect.
    case effect
  }
}

extension Value: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A constant.
  public init(floatLiteral value: Double) { self = .constant(value) }

  /// A constant.
  public init(integerLiteral value: Int) { self = .constant(Double(value)) }
}
