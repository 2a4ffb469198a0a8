package import ParticlesCore

/// A value of the model that knows its form in JSON.
///
/// Objects get everything from their table of properties (see ``Extensible``). What is left to do
/// by hand are numbers, names and the few values that have more than one form.
package protocol JSONConvertible: Sendable, Hashable {
  /// Reads the value that stands at `path`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type``.
  init(json: JSONValue, at path: JSONPath) throws

  /// The value as JSON, in the shortest of its forms.
  var json: JSONValue { get }

  /// What the catalogue calls the type, such as "number".
  static var typeName: String { get }

  /// The objects that may stand in such a value, for the catalogue.
  static var objects: [any ModelObject.Type] { get }

  /// The schema of such a value, whose numbers the property restricts to `bounds`.
  static func schema(_ bounds: Bounds?) -> JSONSchema

  /// Appends what is wrong with this value, whose numbers the property at `path` restricts to
  /// `bounds`.
  func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic])

  /// Appends where `other`, which stands at the same place of another document, differs; see
  /// ``ParticleSystem/differences(from:)``.
  func compare(_ other: Self, at path: JSONPath, into differences: inout [PropertyDifference])

  /// Puts in order what can be without guessing, and appends what was done.
  mutating func mend(at path: JSONPath, into repairs: inout [Repair])
}

extension JSONConvertible {
  /// No objects.
  package static var objects: [any ModelObject.Type] { [] }

  /// Finds nothing wrong.
  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {}

  /// Finds nothing to do.
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {}
}

extension JSONValue {
  /// The diagnostic that says that this is not what should stand at `path`.
  func mismatch(_ expected: String, at path: JSONPath) -> Diagnostic {
    let found: String =
      switch self {
      case .number(let number): number.text
      case .string(let string): "'\(string)'"
      default: kind
      }
    return Diagnostic(.type, at: path.location, expected: expected, found: found)
  }

  /// The number as JSON. JSON has no infinity: what is too large becomes the largest number, and
  /// what is no number becomes 0. Validation reports both.
  package static func finite(_ value: Double) -> JSONValue {
    if value.isNaN { return .int(0) }
    let most = Double.greatestFiniteMagnitude
    return .double(min(max(value, -most), most))
  }

  /// The elements, if there are as many as `counts` allows.
  func elements(_ counts: ClosedRange<Int>, _ what: String, at path: JSONPath) throws
    -> [JSONValue]
  {
    guard let array, counts.contains(array.count) else { throw mismatch(what, at: path) }
    return array
  }
}
