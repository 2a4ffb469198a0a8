public import ParticlesCore

extension ColorValue {
  /// One colour with random jitter.
  public struct Varied: ModelObject {
    /// The colour; white by default.
    public var color = Color.white
    /// The random jitter; nil, the default, for none.
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates white.
    public init() {}

    /// Creates a colour with random jitter.
    public init(_ color: ParticleSystem.Color, jitter: ParticleSystem.ColorJitter? = nil) {
      self.color = color
      self.jitter = jitter
    }

    package static let title = "ColorValue (varied)"
    package static let about = "One colour with random jitter."
    package static let properties: [Property<Varied>] = [
      .required("color", { $1(&$0.color) }, "The colour."),
      .jitter({ $1(&$0.jitter) }),
    ]
  }

  /// Between two colours.
  public struct Range: ModelObject {
    /// The one colour; white by default.
    public var min = Color.white
    /// The other colour; white by default.
    public var max = Color.white
    /// How channels are randomised; independently by default.
    public var mode = ParticleSystem.ColorMode.channels
    /// The random jitter of the result; nil, the default, for none.
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a range of white only.
    public init() {}

    /// Creates a range.
    public init(
      _ min: ParticleSystem.Color, _ max: ParticleSystem.Color,
      _ mode: ParticleSystem.ColorMode = .channels
    ) {
      self.min = min
      self.max = max
      self.mode = mode
    }

    package static let title = "ColorValue (range)"
    package static let about = "A colour between two."
    package static let properties: [Property<Range>] = [
      .required("min", { $1(&$0.min) }, "The one colour."),
      .required("max", { $1(&$0.max) }, "The other colour."),
      .value("mode", { $1(&$0.mode) }, "How channels are randomised."),
      .jitter({ $1(&$0.jitter) }),
    ]
  }

  /// A random position in a gradient.
  public struct Pick: ModelObject {
    /// The gradient; it needs keys.
    public var gradient = ParticleSystem.Gradient()
    /// The random jitter of the result; nil, the default, for none.
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a value without a gradient, which is not valid yet.
    public init() {}

    /// Creates a random colour of a gradient.
    public init(_ gradient: ParticleSystem.Gradient) { self.gradient = gradient }

    package static let title = "ColorValue (gradient)"
    package static let about = "The colour at a random position in a gradient."
    package static let properties: [Property<Pick>] = [
      .required("gradient", { $1(&$0.gradient) }, "The gradient."),
      .jitter({ $1(&$0.jitter) }),
    ]
  }

  /// One of several colours.
  public struct Choice: ModelObject {
    /// The colours; at least one.
    public var colors: [ParticleSystem.Color] = []
    /// The weight of each colour; empty, the default, for equal weights.
    public var weights: [Double] = []
    /// The random jitter of the result; nil, the default, for none.
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates an empty choice, which is not valid yet.
    public init() {}

    /// Creates a choice.
    public init(_ colors: [ParticleSystem.Color], weights: [Double] = []) {
      self.colors = colors
      self.weights = weights
    }

    package static let title = "ColorValue (choice)"
    package static let about = "One of several colours."
    package static let properties: [Property<Choice>] = [
      .required(
        "oneOf", { $1(&$0.colors) }, schema: .someArray(of: Color.schema(nil)),
        "The colours; at least one."),
      .value(
        "weights", { $1(&$0.weights) }, in: .nonNegative,
        "The weight of each colour; as many as colours, or none for equal weights."),
      .jitter({ $1(&$0.jitter) }),
    ]

    package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
      checkChoice(colors.count, weights: weights, at: path, into: &diagnostics)
    }
  }
}

extension Property where Root: ModelObject {
  /// The property that every object of a colour value has.
  fileprivate static func jitter(
    _ access: @escaping Accessor<Root, ColorJitter?>
  ) -> Property {
    .optional(
      "jitterHSBA", access,
      "Half widths of a random change in hue (degrees), saturation, brightness and alpha.")
  }
}
