package import ParticlesCore

extension ParticleSystem {
  /// How a colour is drawn for a particle.
  ///
  /// In JSON a colour, or an object that is told by its keys: `color`, `min` and `max`, `gradient`,
  /// or `oneOf`.
  public enum ColorValue: Sendable, Hashable {
    /// Always the same colour.
    case constant(Color)
    /// One colour, changed at random in hue, saturation, brightness and alpha.
    case varied(Varied)
    /// Between two colours.
    case range(Range)
    /// A random place in a gradient.
    case gradient(Pick)
    /// One of several colours.
    case choice(Choice)

    /// Creates the colour that lies between two, each channel drawn by itself unless `mode` says
    /// otherwise.
    public static func range(_ min: Color, _ max: Color, _ mode: ColorMode = .channels)
      -> ColorValue
    {
      .range(Range(min, max, mode))
    }

    /// Opaque white, always.
    public static let white = ColorValue.constant(.white)
  }

  /// What lies between two colours.
  public enum ColorMode: String, ClosedName {
    /// Every channel is drawn by itself.
    case channels
    /// One draw for all: the colours on the line from one to the other.
    case line
    /// Hue, saturation and brightness are sampled independently; the hue from the first colour
    /// upwards.
    case hsb
  }
}

extension ColorValue: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws {
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

  package static var objects: [any ModelObject.Type] {
    [Varied.self, Range.self, Pick.self, Choice.self]
  }

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
