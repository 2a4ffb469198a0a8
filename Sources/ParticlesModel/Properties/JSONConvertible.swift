package import ParticlesCore

/// A value of the model that can be converted from and to JSON.
///
/// Objects get everything from their table of properties (see ``Extensible``). Only numbers, names
/// and the few values with several forms conform by hand.
package protocol JSONConvertible: Sendable, Hashable, JSONDescribed {
  /// Reads the value at `path`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type``.
  init(json: JSONValue, at path: JSONPath) throws(Diagnostic)

  /// The value as JSON, in its shortest form.
  var json: JSONValue { get }

  /// The name of the type in the catalogue, such as "number".
  static var typeName: String { get }

  /// The schema of such a value, whose numbers the property restricts to `bounds`.
  static func schema(_ bounds: Bounds?) -> JSONSchema

  /// Appends the problems of this value, whose numbers the property at `path` restricts to
  /// `bounds`.
  func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic])
}

extension JSONConvertible {
  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {}
}

extension JSONValue {
  /// The diagnostic for a value of another type than expected at `path`.
  func mismatch(_ expected: String, at path: JSONPath) -> Diagnostic {
    let found: String =
      switch self {
      case .number(let number): number.text
      case .string(let string): "'\(string)'"
      default: kind
      }
    return Diagnostic(.type, at: path.location, expected: expected, found: found)
  }

  /// The number as JSON. JSON has no infinity: an infinite number becomes the largest finite one,
  /// and NaN becomes 0. Validation reports both.
  package static func finite(_ value: Double) -> JSONValue {
    if value.isNaN { return .int(0) }
    let most = Double.greatestFiniteMagnitude
    return .double(min(max(value, -most), most))
  }

  /// The elements, if there are as many as `counts` allows.
  func elements(_ counts: ClosedRange<Int>, _ what: String, at path: JSONPath) throws(Diagnostic)
    -> [JSONValue]
  {
    guard let array, counts.contains(array.count) else { throw mismatch(what, at: path) }
    return array
  }
}

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

extension UInt32: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard case .number(let number) = json,
      let value = UInt32(number.text) ?? number.double.flatMap({ UInt32(exactly: $0) })
    else { throw json.mismatch("a whole number from 0 to 4294967295", at: path) }
    self = value
  }

  package var json: JSONValue { .number(JSONNumber(UInt64(self))) }

  package static var typeName: String { "integer" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema { UInt64.schema(bounds) }
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
  /// Reads the elements of an array of any type. Their number comes first.
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

/// A value with a fixed number of components of one type: an array in JSON, which leaves out a last
/// component that has its default.
package protocol ComponentValue: JSONConvertible {
  /// The type of a component: a number or a track.
  associatedtype Component: JSONConvertible

  /// Creates a value of exactly ``count`` components.
  init(components: [Component])

  /// The components. There are ``count``.
  var components: [Component] { get }

  static var count: Int { get }

  /// The last component of an array that leaves it out. Default: nil (all are required).
  static var lastComponent: Component? { get }

  /// The array as messages name it: "two or three numbers".
  static var expected: String { get }
}

extension ComponentValue {
  package static var lastComponent: Component? { nil }

  private static var counts: ClosedRange<Int> { (lastComponent == nil ? count : count - 1)...count }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let array = json.array, Self.counts.contains(array.count) else {
      throw json.mismatch(Self.expected, at: path)
    }
    var components = try [Component](json: json, at: path)
    if components.count < Self.count, let last = Self.lastComponent { components.append(last) }
    self.init(components: components)
  }

  package var json: JSONValue {
    let components = components
    let isShort = components.last == Self.lastComponent
    return .array((isShort ? components.dropLast() : components[...]).map { $0.json })
  }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: Component.schema(bounds), counts)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    components.check(bounds, at: path, into: &diagnostics)
  }
}
