internal import ParticlesCore

/// Description, comparison, soundness and mending of the values of the model.
package protocol JSONDescribed {
  /// The objects that such a value can hold, for the catalogue.
  static var objects: [any ModelObject.Type] { get }

  /// Appends the differences from `other`, the value at the same path of another document; see
  /// ``ParticleSystem/differences(from:)``.
  func compare(_ other: Self, at path: JSONPath, into differences: inout [PropertyDifference])

  /// Returns whether ``JSONConvertible/check(_:at:into:)`` finds no fault of a range or an order.
  func isSound(_ bounds: Bounds?) -> Bool

  /// Makes this value sound, whose numbers the property at `path` restricts to `bounds`: the counterpart of
  /// ``JSONConvertible/check(_:at:into:)``.
  mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender)

  /// Mends what the table of an object cannot express: the counterpart of ``ModelObject/checkWhole(at:into:)``.
  mutating func mendWhole(at path: JSONPath, by mender: inout Mender)
}

extension JSONConvertible {
  package static var objects: [any ModelObject.Type] { [] }

  package func isSound(_ bounds: Bounds?) -> Bool {
    [Diagnostic].isSound { check(bounds, at: .nowhere, into: &$0) }
  }

  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {}

  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {}
}

extension ModelObject {
  /// The object itself.
  package static var objects: [any ModelObject.Type] { [self] }
}

extension Array: JSONDescribed where Element: JSONConvertible {
  package static var objects: [any ModelObject.Type] { Element.objects }

  package func isSound(_ bounds: Bounds?) -> Bool { allSatisfy { $0.isSound(bounds) } }
}

extension ComponentValue {
  package static var objects: [any ModelObject.Type] { Component.objects }
}

extension NamedAlternative {
  package static var objects: [any ModelObject.Type] { Stated.objects }
}

extension Value {
  package static var objects: [any ModelObject.Type] { [Uniform.self, Choice.self, Ramp.self] }
}

extension ColorValue {
  package static var objects: [any ModelObject.Type] {
    [Varied.self, Range.self, Pick.self, Choice.self]
  }
}
