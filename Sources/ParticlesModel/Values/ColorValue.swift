package import ParticlesCore

extension ParticleSystem {
  /// The colour of a particle: constant or random.
  ///
  /// In JSON a colour, or an object that is identified by its keys: `color`, `min` and `max`,
  /// `gradient`, or `oneOf`.
  public enum ColorValue: Sendable, Hashable {
    /// Always the same colour.
    case constant(Color)
    /// One colour with random jitter of hue, saturation, brightness and alpha.
    indirect case varied(Varied)
    /// Between two colours.
    indirect case range(Range)
    /// A random position in a gradient.
    indirect case gradient(Pick)
    /// One of several colours.
    indirect case choice(Choice)

    /// Creates a random colour between two. `mode` is how channels are randomised; independently by
    /// default.
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
    /// One random number for all channels: colours on the line from one to the other.
    case line
    /// Hue, saturation and brightness are sampled independently; the hue increases from the first
    /// colour.
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
