package import ParticlesCore

/// A value of another type, or a name in its place.
package protocol NamedAlternative: JSONConvertible {
  associatedtype Stated: JSONConvertible

  /// The values that are names.
  static var named: [Self] { get }

  /// Both forms, for messages.
  static var expected: String { get }

  /// The range of the stated value; nil for that of the property.
  static var bounds: Bounds? { get }

  /// Whether JSON is of the kind of a stated value.
  static func states(_ json: JSONValue) -> Bool

  init(stating value: Stated)

  /// The name; not used if there is a stated value.
  var name: String { get }

  /// The stated value; nil for a name.
  var stated: Stated? { get }
}

extension NamedAlternative {
  package static var bounds: Bounds? { nil }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    if let name = json.string, let value = Self.named.first(where: { $0.name == name }) {
      self = value
    } else if Self.states(json) {
      self.init(stating: try Stated(json: json, at: path))
    } else {
      throw json.mismatch(Self.expected, at: path)
    }
  }

  package var json: JSONValue { stated?.json ?? .string(name) }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(named.map { .string($0.name) }), Stated.schema(Self.bounds)])
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    stated?.check(Self.bounds ?? bounds, at: path, into: &diagnostics)
  }
}
