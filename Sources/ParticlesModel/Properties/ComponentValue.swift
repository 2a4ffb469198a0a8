package import ParticlesCore

/// A value with a fixed number of components of one type: an array in JSON, which leaves out a last
/// component that has its default.
package protocol ComponentValue: JSONConvertible {
  /// The type of a component: a number or a track.
  associatedtype Component: JSONConvertible

  /// Creates a value of exactly ``count`` components.
  init(components: [Component])

  /// The components, ``count`` of them.
  var components: [Component] { get }

  /// The number of components.
  static var count: Int { get }

  /// The last component of an array that leaves it out; nil, the default, if all are required.
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
