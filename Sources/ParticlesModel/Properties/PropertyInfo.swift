package import ParticlesCore

/// What there is to know of a property: the row of a table in the documentation.
package struct PropertyInfo: Sendable {
  /// The key in JSON.
  package let key: String

  /// The type, such as "number", "Track" or the names that may stand there.
  package let type: String

  /// The unit, such as "s" or "°"; nil for plain numbers and for what is no number.
  package let unit: String?

  /// The numbers allowed; nil if all are, or if there are none.
  package let bounds: Bounds?

  /// The default as JSON on one line; nil if the property must be there.
  package var standard: String? { standardValue?.line }

  /// The default; nil if the property must be there.
  package let standardValue: JSONValue?

  package let schema: JSONSchema

  /// What the property means, in a sentence.
  package let summary: String

  package let objects: [any ModelObject.Type]

  /// Whether the property must be there.
  package var isRequired: Bool { standard == nil }
}
