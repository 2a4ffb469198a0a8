package import ParticlesCore

extension Value: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    let expected = "a number, or an object with min and max, oneOf, or low and high"
    switch json {
    case .number: self = .constant(try Double(json: json, at: path))
    case .object(let object):
      if object["oneOf"] != nil {
        self = .choice(try Choice(json: json, at: path))
      } else if object["low"] != nil || object["high"] != nil {
        // Ramps are the only recursive type; the limit protects the stack.
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
