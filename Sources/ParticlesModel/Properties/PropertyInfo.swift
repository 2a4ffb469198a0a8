package import ParticlesCore

/// The description of a property: a row of a table in the documentation.
package struct PropertyInfo: Sendable {
  /// The key in JSON.
  package let key: String

  /// The type, such as "number" or "Track", or the names that are allowed.
  package let type: String

  /// The unit, such as "s" or "°"; nil for plain numbers and other types.
  package let unit: String?

  /// The range; nil if unrestricted or not numeric.
  package let bounds: Bounds?

  /// The default as JSON on one line; nil if the property is required.
  package var standard: String? { standardValue?.line }

  /// The default; nil if the property is required.
  package let standardValue: JSONValue?

  package let schema: JSONSchema

  /// The meaning of the property, in one sentence.
  package let summary: String

  package let objects: [any ModelObject.Type]

  /// Whether the property is required.
  package var isRequired: Bool { standard == nil }
}
