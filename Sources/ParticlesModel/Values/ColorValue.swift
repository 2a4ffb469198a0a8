public import ParticlesCore

extension ParticleSystem {
  /// The colour of a particle: constant or random.
  ///
  /// In JSON a colour, or an object that is identified by its keys: `color`, `min` and `max`,
  /// `gradient`, or `oneOf`.
  public enum ColorValue: Sendable, Hashable {
    /// A fixed colour.
    case constant(Color)
    /// One colour with random jitter of hue, saturation, brightness and alpha.
    indirect case varied(Varied)
    /// Between two colours.
    indirect case range(Range)
    /// A random position in a gradient.
    indirect case gradient(Pick)
    /// One of several colours.
    indirect case choice(Choice)

    /// Creates a random colour between two. `mode` is how channels are randomised. Default: independently.
    public static func range(_ min: Color, _ max: Color, _ mode: ColorMode = .channels)
      -> ColorValue
    {
      .range(Range(min, max, mode))
    }

    /// Opaque white, always.
    public static let white = ColorValue.constant(.white)
  }

  /// How the channels of a colour range are randomised.
  public enum ColorMode: String, ClosedName {
    /// Channels are randomised independently.
    case channels
    /// One random number for all channels: colours on the line between the two colours.
    case line
    /// Hue, saturation and brightness are sampled independently. The hue increases from the first colour.
    case hsb
  }
}

extension ColorValue: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let expected = "a colour, or an object with color, min and max, gradient, or oneOf"
    switch json {
    case .array: self = .constant(try Color(json: json, at: path))
    case .object(let object):
      if object["color"] != nil {
        self = .varied(try Varied(json: json, at: path))
      } else if object["oneOf"] != nil {
        self = .choice(try Choice(json: json, at: path))
      } else if object["gradient"] != nil {
        self = .gradient(try Pick(json: json, at: path))
      } else if object["min"] != nil || object["max"] != nil {
        self = .range(try Range(json: json, at: path))
      } else {
        throw json.mismatch(expected, at: path)
      }
    default: throw json.mismatch(expected, at: path)
    }
  }

  package var json: JSONValue {
    switch self {
    case .constant(let color): color.json
    case .varied(let value): value.json
    case .range(let value): value.json
    case .gradient(let value): value.json
    case .choice(let value): value.json
    }
  }

  package static var typeName: String { "ColorValue" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(typeName) }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    switch self {
    case .constant(let color): color.check(bounds, at: path, into: &diagnostics)
    case .varied(let value): value.check(nil, at: path, into: &diagnostics)
    case .range(let value): value.check(nil, at: path, into: &diagnostics)
    case .gradient(let value): value.check(nil, at: path, into: &diagnostics)
    case .choice(let value): value.check(nil, at: path, into: &diagnostics)
    }
  }
}

extension ColorValue {
  /// One colour with random jitter.
  public struct Varied: ModelObject {
    /// The colour. Default: white.
    public var color = Color.white
    /// The random jitter. Default: nil (none).
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
    /// The first colour. Default: white.
    public var min = Color.white
    /// The second colour. Default: white.
    public var max = Color.white
    /// How channels are randomised. Default: independently.
    public var mode = ParticleSystem.ColorMode.channels
    /// The random jitter of the result. Default: nil (none).
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save. See ``Extensible``.
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
    /// The gradient. It needs keys.
    public var gradient = ParticleSystem.Gradient()
    /// The random jitter of the result. Default: nil (none).
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a value without a gradient. It is not valid before it has one.
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
    /// The colours, at least one.
    public var colors: [ParticleSystem.Color] = []
    /// The weight of each colour. Default: empty (equal weights).
    public var weights: [Double] = []
    /// The random jitter of the result. Default: nil (none).
    public var jitter: ParticleSystem.ColorJitter?
    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates an empty choice. It is not valid before it has a colour.
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

extension ParticleSystem {
  /// The colour of a particle over its life, component by component as encoded:
  ///
  ///     clamp(from + (to − from) · curve(t) + rate · age) × gradient(t)
  ///
  /// where t is the relative age of the particle. In JSON a ``ColorValue`` is the short form of a track that has only
  /// ``from``. An object with `gradient` is always a track.
  public struct ColorTrack: Sendable, Hashable {
    /// The colour where the curve is 0. Default: white.
    public var from = ColorValue.white

    /// The colour where the curve is 1. Default: nil (the curve is not used).
    public var to: ColorValue?

    /// The curve from ``from`` to ``to``. Default: linear.
    public var curve = Curve.linear

    /// The change per second of age, per channel. Default: 0.
    public var rate = ColorRate.zero

    /// The gradient that the result is multiplied by. Default: nil (none).
    public var gradient: Gradient?

    /// The bounds of every component before ``gradient`` is applied. Default: 0 to 1.
    public var clamp = Interval.unit

    /// Unknown JSON members, preserved on save. See ``Extensible``.
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

extension MixingSpace {
  /// The coordinates of a colour in this space, and alpha.
  func components(of color: Color) -> [Double] {
    switch self {
    case .srgb: return color.components
    case .linear: return color.light + [color.alpha]
    case .oklab: return Self.oklab(color.light) + [color.alpha]
    }
  }

  /// The colour of coordinates in this space, and alpha.
  func color(of components: [Double]) -> Color {
    switch self {
    case .srgb: Color(components: components)
    case .linear: Color(light: components, alpha: components[3])
    case .oklab: Color(light: Self.light(oklab: components), alpha: components[3])
    }
  }

  // Björn Ottosson's matrices (public domain) of 2021.

  private static func oklab(_ rgb: [Double]) -> [Double] {
    let l = cubeRoot(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2])
    let m = cubeRoot(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2])
    let s = cubeRoot(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2])
    return [
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
  }

  private static func light(oklab lab: [Double]) -> [Double] {
    let l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2]
    let m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2]
    let s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2]
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return [
      4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
      -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
      -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3,
    ]
  }
}

extension Color {
  /// Linear red, green and blue. Negative values are mirrored, so that nothing is lost.
  fileprivate var light: [Double] {
    [red, green, blue].map { value in
      let size = value.magnitude
      let light = size <= 0.04045 ? size / 12.92 : power((size + 0.055) / 1.055, 2.4)
      return value < 0 ? -light : light
    }
  }

  fileprivate init(light: [Double], alpha: Double) {
    let encoded = light.prefix(3).map { value in
      let size = value.magnitude
      let encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * power(size, 1 / 2.4) - 0.055
      return value < 0 ? -encoded : encoded
    }
    self.init(encoded[0], encoded[1], encoded[2], alpha)
  }
}
