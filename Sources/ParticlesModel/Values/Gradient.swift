public import ParticlesCore

extension ParticleSystem {
  /// A colour as a function of a number from 0 to 1. It has keys, a curve for each channel, or both. A curve replaces
  /// the channel in the keys.
  public struct Gradient: Sendable, Hashable {
    /// The keys, in ascending order of time. Two keys at one time make a jump. Keys may be empty if every channel has a
    /// curve.
    public var keys: [GradientKey] = []

    /// The interpolation between keys. Default: linear.
    public var interpolation = Interpolation.linear

    /// The colour space in which keys are interpolated. Default: encoded sRGB.
    public var space = MixingSpace.srgb

    /// Red over time, instead of the red of the keys. Default: nil.
    public var red: Curve?
    /// Green over time, instead of the green of the keys. Default: nil.
    public var green: Curve?
    /// Blue over time, instead of the blue of the keys. Default: nil.
    public var blue: Curve?
    /// Alpha over time, instead of the alpha of the keys. Default: nil.
    public var alpha: Curve?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates a gradient without keys. It is not valid before it has keys or curves.
    public init() {}

    /// Creates a gradient from keys.
    public init(
      _ keys: [GradientKey], _ interpolation: Interpolation = .linear, space: MixingSpace = .srgb
    ) {
      self.keys = keys
      self.interpolation = interpolation
      self.space = space
    }

    /// Creates a gradient from a curve for each channel. Without `alpha` the gradient is opaque.
    public init(red: Curve, green: Curve, blue: Curve, alpha: Curve? = nil) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }

  /// The colour space in which colours are interpolated.
  public enum MixingSpace: String, ClosedName {
    /// Encoded sRGB, as in most programs.
    case srgb
    /// Linear sRGB.
    case linear
    /// Oklab, a perceptually uniform space.
    case oklab
  }
}

extension Gradient: ModelObject {
  package static let title = "Gradient"
  package static let about = "A colour as a function of a number from 0 to 1."

  package static let properties: [Property<Gradient>] = [
    .value(
      "keys", { $1(&$0.keys) },
      "The keys, in ascending order of time; two at the same time make a jump."),
    .value("interp", { $1(&$0.interpolation) }, "The interpolation between keys."),
    .value("space", { $1(&$0.space) }, "The colour space in which keys are interpolated."),
    .optional("r", { $1(&$0.red) }, "Red over time, replacing that of the keys."),
    .optional("g", { $1(&$0.green) }, "Green over time, replacing that of the keys."),
    .optional("b", { $1(&$0.blue) }, "Blue over time, replacing that of the keys."),
    .optional("a", { $1(&$0.alpha) }, "Alpha over time, replacing that of the keys."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let channels = [red, green, blue, alpha].compactMap { $0 }
    guard channels.isEmpty || !keys.isEmpty else { return }
    keys.map { $0.time }.checkKeys(at: path.appending("keys"), into: &diagnostics)
  }
}

extension ParticleSystem {
  /// A colour of a gradient. In JSON `[time, [r, g, b, a]]`.
  public struct GradientKey: Sendable, Hashable {
    /// The position in the gradient, from 0 to 1.
    public var time: Double
    /// The colour at that position.
    public var color: Color

    /// Creates a key.
    public init(_ time: Double, _ color: Color) {
      self.time = time
      self.color = color
    }
  }
}

extension GradientKey: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let elements = try json.elements(2...2, "a time and a colour", at: path)
    time = try Double(json: elements[0], at: path.appending(0))
    color = try Color(json: elements[1], at: path.appending(1))
  }

  package var json: JSONValue { .array([time.json, color.json]) }

  package static var typeName: String { "gradient key" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .tuple([.number(), Color.schema(nil)], least: 2)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    time.check(nil, at: path.appending(0), into: &diagnostics)
    color.check(nil, at: path.appending(1), into: &diagnostics)
  }
}
