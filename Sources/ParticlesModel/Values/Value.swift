public import ParticlesCore

extension ParticleSystem {
  /// A number: constant, randomly distributed, or changing while the emitter emits.
  ///
  /// A value is sampled once for each particle, unless its ``scope`` specifies otherwise. The bounds of a property are
  /// applied to the sample, so a range may extend beyond them. All cases but constants are indirect: an emitter has
  /// dozens of values, and its copies stay small.
  public enum Value: Sendable, Hashable {
    /// A constant. In JSON a number.
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

    /// How often the value is sampled. Constants store no scope: setting it does nothing.
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

extension Value {
  /// A uniformly distributed number from ``min`` to ``max``.
  public struct Uniform: ModelObject {
    /// The minimum.
    public var min = 0.0
    /// The maximum.
    public var max = 0.0
    /// How often the number is sampled. Default: once for each particle.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the range that holds 0 only.
    public init() {}

    /// Creates a range.
    public init(_ min: Double, _ max: Double, scope: ParticleSystem.Scope = .particle) {
      self.min = min
      self.max = max
      self.scope = scope
    }

    package static let title = "Value (range)"
    package static let about = "A uniformly distributed number between two bounds."
    package static let properties: [Property<Uniform>] = [
      .required("min", { $1(&$0.min) }, "The minimum."),
      .required("max", { $1(&$0.max) }, "The maximum."),
      .value("scope", { $1(&$0.scope) }, "How often the number is sampled."),
    ]

    package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
      guard min > max else { return }
      diagnostics.append(
        Diagnostic(
          .range, at: path.appending("max").location, expected: "at least \(min.plain)",
          found: max.plain))
    }
  }

  /// One of several numbers.
  public struct Choice: ModelObject {
    /// The numbers.
    public var numbers: [Double] = []
    /// The weight of each number. Empty: equal weights.
    public var weights: [Double] = []
    /// How often the number is sampled. Default: once for each particle.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates an empty choice. It is not valid before it has a number.
    public init() {}

    /// Creates a choice.
    public init(
      _ numbers: [Double], weights: [Double] = [], scope: ParticleSystem.Scope = .particle
    ) {
      self.numbers = numbers
      self.weights = weights
      self.scope = scope
    }

    package static let title = "Value (choice)"
    package static let about = "One of several numbers."
    package static let properties: [Property<Choice>] = [
      .required(
        "oneOf", { $1(&$0.numbers) }, schema: .someArray(of: .number()),
        "The numbers; at least one."),
      .value(
        "weights", { $1(&$0.weights) }, in: .nonNegative,
        "The weight of each number; as many as numbers, or none for equal weights."),
      .value("scope", { $1(&$0.scope) }, "How often the number is sampled."),
    ]

    package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
      checkChoice(numbers.count, weights: weights, at: path, into: &diagnostics)
    }
  }

  /// A number between two values, along a curve over the progress of the emission.
  public struct Ramp: ModelObject {
    /// The value where the curve is 0.
    public var low: ParticleSystem.Value = 0
    /// The value where the curve is 1, or the amount added there if ``relative``.
    public var high: ParticleSystem.Value = 0
    /// The curve over the progress of the emission, from 0 to 1.
    public var curve = Curve.linear
    /// Whether ``high`` is added to ``low`` instead of replacing it. Default: false.
    public var relative = false
    /// How often the two values are sampled. Default: once for each particle.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a ramp from 0 to 0.
    public init() {}

    /// Creates a ramp.
    public init(
      low: ParticleSystem.Value, high: ParticleSystem.Value, curve: ParticleSystem.Curve,
      relative: Bool = false
    ) {
      self.low = low
      self.high = high
      self.curve = curve
      self.relative = relative
    }

    package static let title = "Value (ramp)"
    package static let about =
      "A number between two values, along a curve over the progress of the emission."
    package static let properties: [Property<Ramp>] = [
      .required("low", { $1(&$0.low) }, "The value where the curve is 0."),
      .required("high", { $1(&$0.high) }, "The value where the curve is 1."),
      .value(
        "curve", { $1(&$0.curve) }, "The curve over the progress of the emission, from 0 to 1."),
      .value(
        "relative", { $1(&$0.relative) },
        "Whether `high` is added to `low` instead of replacing it."),
      .value("scope", { $1(&$0.scope) }, "How often the two values are sampled."),
    ]
  }
}

/// Appends a diagnostic for an empty choice or invalid weights.
func checkChoice(
  _ count: Int, weights: [Double], at path: JSONPath, into diagnostics: inout [Diagnostic]
) {
  if count == 0 {
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("oneOf").location, expected: "at least one element",
        found: "none"))
  }
  let place = path.appending("weights").location
  if !weights.isEmpty, weights.count != count {
    diagnostics.append(
      Diagnostic(
        .range, at: place, expected: "as many weights as elements (\(count))",
        found: "\(weights.count)"))
  } else if !weights.isEmpty, !weights.contains(where: { $0 > 0 }) {
    diagnostics.append(
      Diagnostic(.range, at: place, expected: "a weight of more than 0", found: "none"))
  }
}

extension Value: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let expected = "a number, or an object with min and max, oneOf, or low and high"
    switch json {
    case .number: self = .constant(try Double(json: json, at: path))
    case .object(let object):
      if object["oneOf"] != nil {
        self = .choice(try Choice(json: json, at: path))
      } else if object["low"] != nil || object["high"] != nil {
        // Ramps are the only recursive type. The limit protects the stack.
        guard path.depth < Self.mostLevels else {
          throw Diagnostic(
            .limit, at: path.location, "nested ramps",
            expected: "at most \(Self.mostLevels) levels")
        }
        self = .ramp(try Ramp(json: json, at: path))
      } else if object["min"] != nil || object["max"] != nil {
        self = .uniform(try Uniform(json: json, at: path))
      } else {
        throw json.mismatch(expected, at: path)
      }
    default: throw json.mismatch(expected, at: path)
    }
  }

  /// The maximum depth of a ramp in a document.
  private static let mostLevels = 16

  package var json: JSONValue {
    switch self {
    case .constant(let number): number.json
    case .uniform(let value): value.json
    case .choice(let value): value.json
    case .ramp(let value): value.json
    }
  }

  package static var typeName: String { "Value" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(typeName) }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    switch self {
    case .constant(let number):
      number.check(nil, at: path, into: &diagnostics)
      guard let bounds, number.isFinite, !bounds.contains(number) else { return }
      diagnostics.append(
        Diagnostic(
          .range, at: path.location, expected: bounds.description, found: number.plain,
          severity: .warning))
    case .uniform(let value): value.check(nil, at: path, into: &diagnostics)
    case .choice(let value): value.check(nil, at: path, into: &diagnostics)
    case .ramp(let value): value.check(nil, at: path, into: &diagnostics)
    }
  }
}
