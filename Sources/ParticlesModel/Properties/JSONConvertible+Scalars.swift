package import ParticlesCore

extension Double: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let value = json.double else { throw json.mismatch("a number", at: path) }
    self = value
  }

  package var json: JSONValue { .finite(self) }

  package static var typeName: String { "number" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .number(bounds) }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    let bounds = bounds ?? .any
    guard !bounds.contains(self) else { return }
    diagnostics.add(.range, at: path.location, expected: bounds.description, found: plain)
  }
}

extension Int: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    // Where integers have 32 bits, greater ones mean as much as the greatest.
    guard case .number(let number) = json,
      let value = Int64(number.text) ?? number.double.flatMap({ Int64(exactly: $0) })
    else { throw json.mismatch("a whole number", at: path) }
    self = Int(clamping: value)
  }

  package var json: JSONValue { .int(self) }

  package static var typeName: String { "integer" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .integer(bounds, least: JSONNumber(Int.min), most: JSONNumber(Int.max))
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let bounds, !bounds.contains(Double(self)) else { return }
    diagnostics.add(.range, at: path.location, expected: bounds.description, found: "\(self)")
  }
}

extension UInt64: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard case .number(let number) = json,
      let value = UInt64(number.text) ?? number.double.flatMap({ UInt64(exactly: $0) })
    else { throw json.mismatch("a whole number from 0 to 18446744073709551615", at: path) }
    self = value
  }

  package var json: JSONValue { .number(JSONNumber(self)) }

  package static var typeName: String { "integer" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .integer(bounds, least: JSONNumber(UInt64.min), most: JSONNumber(UInt64.max))
  }
}

extension Bool: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let value = json.bool else { throw json.mismatch("true or false", at: path) }
    self = value
  }

  package var json: JSONValue { .bool(self) }

  package static var typeName: String { "boolean" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .type("boolean") }
}

extension String: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let value = json.string else { throw json.mismatch("a string", at: path) }
    self = value
  }

  package var json: JSONValue { .string(self) }

  package static var typeName: String { "string" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .type("string") }
}
