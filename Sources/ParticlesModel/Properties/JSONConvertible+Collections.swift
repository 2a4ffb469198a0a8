package import ParticlesCore

extension Array: JSONConvertible where Element: JSONConvertible {
  /// Reads an array.
  package init(json: JSONValue, at path: JSONPath) throws {
    guard let array = json.array else { throw json.mismatch("an array", at: path) }
    self = try array.enumerated().map { try Element(json: $1, at: path.appending($0)) }
  }

  /// An array.
  package var json: JSONValue { .array(map(\.json)) }

  package static var typeName: String { "array of \(Element.typeName)" }

  /// An array of such elements.
  package static func schema(_ bounds: Bounds?) -> JSONSchema { .array(of: Element.schema(bounds)) }

  /// Those of the elements.
  package static var objects: [any ModelObject.Type] { Element.objects }

  /// Checks every element.
  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (index, element) in enumerated() {
      element.check(bounds, at: path.appending(index), into: &diagnostics)
    }
  }
}

extension Array where Element: JSONConvertible {
  /// Puts every element in order.
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    for index in indices { self[index].mend(at: path.appending(index), into: &repairs) }
  }
}

/// A closed set of names. A name outside of it is an error, because nobody could say what the
/// document means.
package protocol ClosedName: JSONConvertible, CaseIterable, RawRepresentable
where RawValue == String {}

extension ClosedName {
  /// Reads one of the names.
  package init(json: JSONValue, at path: JSONPath) throws {
    guard let name = json.string.flatMap(Self.init(rawValue:)) else {
      throw json.mismatch("one of " + Self.names, at: path)
    }
    self = name
  }

  /// The name.
  package var json: JSONValue { .string(rawValue) }

  /// The names, in quotes.
  package static var typeName: String { names }

  /// One of the names.
  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .oneOf(allCases.map { .string($0.rawValue) })
  }

  private static var names: String {
    allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }
}

/// An open set of names, of which a program knows some. Others are kept.
package protocol OpenName: JSONConvertible, RawRepresentable where RawValue == String {
  /// A name, known or not.
  init(rawValue: String)
}

extension OpenName {
  /// Reads a name.
  package init(json: JSONValue, at path: JSONPath) throws {
    self.init(rawValue: try String(json: json, at: path))
  }

  /// The name.
  package var json: JSONValue { .string(rawValue) }

  package static var typeName: String { "string" }

  /// Any string.
  package static func schema(_ bounds: Bounds?) -> JSONSchema { .type("string") }
}
