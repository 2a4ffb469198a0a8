public import ParticlesCore

extension Value {
  /// Any number from ``min`` to ``max``, each as likely as the others.
  public struct Uniform: ModelObject {
    /// The least number.
    public var min = 0.0
    /// The greatest number.
    public var max = 0.0
    /// When the number is drawn; for each particle by default.
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
    package static let about = "Any number between two, each as likely as the others."
    package static let properties: [Property<Uniform>] = [
      .required("min", \.min, "The least number."),
      .required("max", \.max, "The greatest number."),
      .value("scope", \.scope, "When the number is drawn."),
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
    /// How likely each number is, in proportion; empty if all are equally likely.
    public var weights: [Double] = []
    /// When the number is drawn; for each particle by default.
    public var scope = ParticleSystem.Scope.particle
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a choice of nothing, which is no valid value yet.
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
        "oneOf", \.numbers, schema: .someArray(of: .number()), "The numbers; at least one."),
      .value(
        "weights", \.weights, in: .nonNegative,
        "How likely each number is, in proportion; as many as numbers, or none if all are equally "
          + "likely."),
      .value("scope", \.scope, "When the number is drawn."),
    ]

    package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
      checkChoice(numbers.count, weights: weights, at: path, into: &diagnostics)
    }
  }

  /// Between two values, along a curve over the progress of the emission.
  public struct Ramp: ModelObject {
    /// The value where the curve is 0.
    public var low: ParticleSystem.Value = 0
    /// The value where the curve is 1, or what is added there if ``relative``.
    public var high: ParticleSystem.Value = 0
    /// Over the progress of the emission, from 0 to 1.
    public var curve = Curve.linear
    /// Whether ``high`` is added to ``low`` instead of taking its place; false by default.
    public var relative = false
    /// When the two values are drawn; for each particle by default.
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
      "Between two values, along a curve over the progress of the emission."
    package static let properties: [Property<Ramp>] = [
      .required("low", \.low, "The value where the curve is 0."),
      .required("high", \.high, "The value where the curve is 1."),
      .value("curve", \.curve, "Over the progress of the emission, from 0 to 1."),
      .value("relative", \.relative, "Whether `high` is added to `low` instead of replacing it."),
      .value("scope", \.scope, "When the two values are drawn."),
    ]
  }
}

/// Appends a diagnostic if there is nothing to choose from, or the weights do not fit.
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
