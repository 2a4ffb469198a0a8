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
