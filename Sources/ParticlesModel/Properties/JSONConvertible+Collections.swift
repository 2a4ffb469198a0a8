package import ParticlesCore

extension Array: JSONConvertible where Element: JSONConvertible {
  @inline(never)
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    self.init()
    try json.readElements(at: path, { reserveCapacity($0) }) {
      (element, path) throws(Diagnostic) in append(try Element(json: element, at: path))
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

extension JSONValue {
  /// Reads the elements of an array, of any type; their number comes first.
  @inline(never)
  fileprivate func readElements(
    at path: JSONPath, _ begin: (Int) -> Void,
    _ read: (JSONValue, JSONPath) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    guard let array else { throw mismatch("an array", at: path) }
    begin(array.count)
    for (index, element) in array.enumerated() { try read(element, path.appending(index)) }
  }
}

/// A closed set of names. Any other name is an error, because its meaning is unknown.
package protocol ClosedName: JSONConvertible, CaseIterable, RawRepresentable
where RawValue == String {}

extension ClosedName {
  @inline(never)
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let name = json.string, let value = Self(rawValue: name) else {
      throw json.mismatch("one of " + Self.names, at: path)
    }
    self = value
  }

  package var json: JSONValue { .string(rawValue) }

  package static var typeName: String { names }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .oneOf(allCases.map { .string($0.rawValue) })
  }

  private static var names: String {
    var names: [String] = []
    for name in allCases { names.append(name.rawValue) }
    return list(names)
  }
}

/// The names in quotation marks.
@inline(never)
private func list(_ names: [String]) -> String {
  names.map { "\"\($0)\"" }.joined(separator: ", ")
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
