package import ParticlesCore

extension Array: JSONConvertible where Element: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let array = json.array else { throw json.mismatch("an array", at: path) }
    self.init()
    reserveCapacity(array.count)
    for (index, element) in array.enumerated() {
      append(try Element(json: element, at: path.appending(index)))
    }
  }

  package var json: JSONValue { .array(map { $0.json }) }

  package static var typeName: String { "array of \(Element.typeName)" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .array(of: Element.schema(bounds)) }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (index, element) in enumerated() {
      element.check(bounds, at: path.appending(index), into: &diagnostics)
    }
  }
}

/// A closed set of names. Any other name is an error, because its meaning is unknown.
package protocol ClosedName: JSONConvertible, CaseIterable, RawRepresentable
where RawValue == String {}

extension ClosedName {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let name = json.string.flatMap(Self.init(rawValue:)) else {
      throw json.mismatch("one of " + Self.names, at: path)
    }
    self = name
  }

  package var json: JSONValue { .string(rawValue) }

  package static var typeName: String { names }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .oneOf(allCases.map { .string($0.rawValue) })
  }

  private static var names: String {
    allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }
}

/// An open set of names. Unknown names are kept.
package protocol OpenName: JSONConvertible, RawRepresentable where RawValue == String {
  /// A name, known or not.
  init(rawValue: String)
}

extension OpenName {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    self.init(rawValue: try String(json: json, at: path))
  }

  package var json: JSONValue { .string(rawValue) }

  package static var typeName: String { "string" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .type("string") }
}
