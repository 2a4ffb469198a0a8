internal import ParticlesCore

/// Lends a part of a root to a function that reads or changes it in place: `{ $1(&$0.rate) }`.
package typealias Accessor<Root, Part> =
  @Sendable (_ root: inout Root, _ use: (inout Part) -> Void) -> Void

/// A row of the table of an object: a key, the storage of its value, and its description.
///
/// Defaults and descriptions are made when a row is used: those of a whole table take longer than
/// reading a document, which uses only a few rows. Rows that only read are lent roots, too: callers
/// make one copy for all rows. The type of roots has no constraint here, since the runtime would search all
/// conformances for each type with a table.
package struct Property<Root>: Sendable {
  /// The key.
  let key: String
  /// Whether the property is required.
  let isRequired: Bool

  let read: @Sendable (JSONValue, JSONPath, inout Root) throws(Diagnostic) -> Void
  /// Writing, checks, comparison, mending and the entry in the catalogue.
  let aspects: PropertyAspects<Root>
}

extension Property where Root: ModelObject {
  /// A property that may be missing. Its default is the value in `Root()`, so that it is stated
  /// once.
  static func value<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    stated(key, access, unit, bounds, schema, summary, isRequired: false)
  }

  /// A required property. It is always written.
  static func required<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    stated(key, access, unit, bounds, schema, summary, isRequired: true)
  }

  private static func stated<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T>, _ unit: String?, _ bounds: Bounds?,
    _ schema: JSONSchema?, _ summary: String, isRequired: Bool
  ) -> Property {
    Property(
      key: key, isRequired: isRequired,
      read: { (json, path, root) throws(Diagnostic) in
        let value = try T(json: json, at: path)
        access(&root) { $0 = value }
      },
      aspects: PropertyAspects(
        access, unit: unit, bounds: bounds, schema: schema, summary, isRequired: isRequired,
        key: key))
  }

  /// A property without a value by default. `null` is equivalent to leaving it out.
  static func optional<T: JSONConvertible>(
    _ key: String, _ access: @escaping Accessor<Root, T?>, unit: String? = nil,
    in bounds: Bounds? = nil, schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    Property(
      key: key, isRequired: false,
      read: { (json, path, root) throws(Diagnostic) in
        let value = json == .null ? nil : try T(json: json, at: path)
        access(&root) { $0 = value }
      },
      aspects: PropertyAspects(
        optional: access, unit: unit, bounds: bounds, schema: schema, summary, key: key))
  }
}
