public import ParticlesCore

extension Value {
  /// A uniformly distributed number from ``min`` to ``max``.
  public struct Uniform: ModelObject {
    /// The minimum.
    public var min = 0.0
    /// The maximum.
    public var max = 0.0
    /// How often the number is sampled; once for each particle by default.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
    /// The weight of each number; empty for equal weights.
    public var weights: [Double] = []
    /// How often the number is sampled; once for each particle by default.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates an empty choice, which is no valid value yet.
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
    /// Whether ``high`` is added to ``low`` instead of replacing it; false by default.
    public var relative = false
    /// How often the two values are sampled; once for each particle by default.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save; see ``Extensible``.
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
