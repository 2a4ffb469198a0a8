public import ParticlesCore

extension ParticleSystem {
  /// The colour of a particle over its life, component by component as encoded:
  ///
  ///     clamp(from + (to − from) · curve(t) + rate · age) × gradient(t)
  ///
  /// where t is the relative age of the particle. In JSON a ``ColorValue`` is the short form of a
  /// track that has only ``from``; an object with `gradient` is always a track.
  public struct ColorTrack: Sendable, Hashable {
    /// The colour where the curve is 0; white by default.
    public var from = ColorValue.white

    /// The colour where the curve is 1; nil, the default, if the curve is not used.
    public var to: ColorValue?

    /// The curve from ``from`` to ``to``; linear by default.
    public var curve = Curve.linear

    /// The change per second of age, per channel; 0 by default.
    public var rate = ColorRate.zero

    /// The gradient that the result is multiplied by; nil, the default, for none.
    public var gradient: Gradient?

    /// The bounds of every component before ``gradient`` is applied; 0 to 1 by default.
    public var clamp = Interval.unit

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates a track that is white.
    public init() {}

    /// Creates a track that keeps the initial colour of the particle.
    public init(_ from: ColorValue) { self.from = from }

    /// Creates a track from one colour to another.
    public init(from: ColorValue, to: ColorValue, curve: Curve = .linear) {
      self.from = from
      self.to = to
      self.curve = curve
    }

    /// Creates a track along a gradient.
    public init(gradient: Gradient) { self.gradient = gradient }
  }
}

extension ColorTrack: ModelObject {
  package static let title = "ColorTrack"
  package static let about = "The colour of a particle over its life."

  package static let properties: [Property<ColorTrack>] = [
    .value("from", { $1(&$0.from) }, "The colour where the curve is 0."),
    .optional(
      "to", { $1(&$0.to) }, "The colour where the curve is 1; without it the curve is not used."),
    .value("curve", { $1(&$0.curve) }, "The curve from `from` to `to`."),
    .value("rate", { $1(&$0.rate) }, unit: "1/s", "The change per second of age."),
    .optional("gradient", { $1(&$0.gradient) }, "The gradient that the result is multiplied by."),
    .value(
      "clamp", { $1(&$0.clamp) }, "The bounds of every component before the gradient is applied."),
  ]

  package static let schemaName = "ColorTrack.object"

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(title) }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let isValue = json.object.map(Self.isValue) ?? (json.array != nil)
    if isValue {
      self.init(try ColorValue(json: json, at: path))
    } else if json.object != nil {
      try self.init(object: json, at: path)
    } else {
      throw json.mismatch("a colour, a colour value or a colour track", at: path)
    }
  }

  package var json: JSONValue {
    guard self == ColorTrack(from) else { return objectJSON }
    let value = from.json
    return value.object.map(Self.isValue) ?? true ? value : objectJSON
  }

  /// Whether an object is a colour value. One with properties that only a track has is none.
  private static func isValue(_ object: JSONObject) -> Bool {
    let keys = object.members.map { $0.key }
    return keys.contains(where: valueKeys.contains) && !keys.contains(where: ownKeys.contains)
  }

  /// The keys that identify a colour value.
  package static let valueKeys = ["color", "min", "max", "oneOf"]
  /// The keys that only a track has.
  static let ownKeys = ["from", "to", "curve", "rate", "gradient", "clamp"]

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if self == ColorTrack(from) {
      from.check(bounds, at: path, into: &diagnostics)
    } else {
      checkObject(at: path, into: &diagnostics)
    }
  }
}

extension ParticleSystem {
  /// The change of a colour per second.
  public struct ColorRate: Sendable, Hashable {
    /// To red, per second.
    public var red: Double
    /// To green, per second.
    public var green: Double
    /// To blue, per second.
    public var blue: Double
    /// To alpha, per second.
    public var alpha: Double

    /// Creates a rate.
    public init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    /// No change.
    public static let zero = ColorRate(0, 0, 0, 0)
  }
}

extension ColorRate: ComponentValue {
  package static var typeName: String { "colour rate" }
  package static var count: Int { 4 }
  package static var expected: String { "four numbers: r, g, b, a" }

  package init(components: [Double]) {
    self.init(components[0], components[1], components[2], components[3])
  }

  package var components: [Double] { [red, green, blue, alpha] }
}
