internal import ParticlesCore

extension ParticleSystem {
  /// A number: a constant, a random distribution, or one that changes while the emitter emits.
  ///
  /// A value is sampled once for each particle, unless its ``scope`` specifies otherwise. The
  /// bounds of a property are applied to the sample, so a range may extend beyond them. All cases but
  /// constants are indirect: an emitter has dozens of values, and copies of it stay small.
  public enum Value: Sendable, Hashable {
    /// Always the same number. A number in JSON.
    case constant(Double)
    /// A uniformly distributed number between two bounds.
    indirect case uniform(Uniform)
    /// One of several numbers.
    indirect case choice(Choice)
    /// Between two values, depending on the progress of the emission.
    indirect case ramp(Ramp)

    /// Creates a uniform range. Both numbers may be equal.
    public static func range(_ min: Double, _ max: Double, scope: Scope = .particle) -> Value {
      .uniform(Uniform(min, max, scope: scope))
    }

    /// Creates a choice of numbers, equally likely unless weights are given.
    public static func oneOf(
      _ numbers: [Double], weights: [Double] = [], scope: Scope = .particle
    ) -> Value {
      .choice(Choice(numbers, weights: weights, scope: scope))
    }

    /// Creates what other formats call "v ± variance": a constant if the half width is 0. The sign
    /// of the half width does not matter. Bounds have no rounding errors of the addition.
    public init(center: Double, halfWidth: Double, scope: Scope = .particle) {
      let half = halfWidth.magnitude
      self =
        half == 0
        ? .constant(center)
        : .range((center - half).rounded, (center + half).rounded, scope: scope)
    }

    /// How often the value is sampled. It is not stored for constants; setting it does nothing.
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

  /// How often a value is sampled.
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
