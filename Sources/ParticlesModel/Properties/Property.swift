internal import ParticlesCore

/// A row of the table of an object: a key, the storage of its value, and its description.
///
/// Key paths, types and defaults are instantiated when a row is used: instantiating a whole table
/// takes longer than reading a document, which uses only a few rows.
package struct Property<Root: ModelObject>: Sendable {
  /// The key.
  let key: String
  /// Whether the property is required.
  let isRequired: Bool

  let read: @Sendable (JSONValue, JSONPath, inout Root) throws -> Void
  /// The value as JSON, or nil if it is that of `standard`, a root with every property at its
  /// default.
  let write: @Sendable (_ root: Root, _ standard: Root) -> JSONValue?
  let check: @Sendable (Root, JSONPath, inout [Diagnostic]) -> Void
  /// Appends the differences of the value of the second root from that of the first.
  let compare: @Sendable (Root, Root, JSONPath, inout [PropertyDifference]) -> Void
  let mend: @Sendable (inout Root, JSONPath, inout [Repair]) -> Void

  private let describe: @Sendable () -> PropertyInfo

  /// The entry of the property in the catalogue.
  package var info: PropertyInfo { describe() }

  /// A property that may be missing. Its default is the value in `Root()`, so that it is stated
  /// once.
  static func value<T: JSONConvertible>(
    _ key: String, _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, T>,
    unit: String? = nil, in bounds: Bounds? = nil,
    schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    Property(
      key: key, isRequired: false,
      read: { $2[keyPath: path()] = try T(json: $0, at: $1) },
      write: { root, standard in
        let path = path()
        return root[keyPath: path] == standard[keyPath: path] ? nil : root[keyPath: path].json
      },
      check: { $0[keyPath: path()].check(bounds, at: $1, into: &$2) },
      compare: { $0[keyPath: path()].compare($1[keyPath: path()], at: $2, into: &$3) },
      mend: { $0[keyPath: path()].mend(at: $1, into: &$2) },
      describe: {
        PropertyInfo(
          key: key, type: T.typeName, unit: unit, bounds: bounds,
          standardValue: Root()[keyPath: path()].json, schema: schema ?? T.schema(bounds),
          summary: summary, objects: T.objects)
      })
  }

  /// A property without a value by default. `null` is equivalent to leaving it out.
  static func optional<T: JSONConvertible>(
    _ key: String, _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, T?>,
    unit: String? = nil, in bounds: Bounds? = nil,
    schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    Property(
      key: key, isRequired: false,
      read: { $2[keyPath: path()] = $0 == .null ? nil : try T(json: $0, at: $1) },
      write: { root, _ in root[keyPath: path()]?.json },
      check: { $0[keyPath: path()]?.check(bounds, at: $1, into: &$2) },
      compare: { $0[keyPath: path()].compare($1[keyPath: path()], at: $2, into: &$3) },
      mend: { $0[keyPath: path()]?.mend(at: $1, into: &$2) },
      describe: {
        PropertyInfo(
          key: key, type: T.typeName + " or null", unit: unit, bounds: bounds,
          standardValue: .null, schema: (schema ?? T.schema(bounds)).orNull, summary: summary,
          objects: T.objects)
      })
  }

  /// A required property. It is always written.
  static func required<T: JSONConvertible>(
    _ key: String, _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, T>,
    unit: String? = nil, in bounds: Bounds? = nil,
    schema: JSONSchema? = nil, _ summary: String
  ) -> Property {
    Property(
      key: key, isRequired: true,
      read: { $2[keyPath: path()] = try T(json: $0, at: $1) },
      write: { root, _ in root[keyPath: path()].json },
      check: { $0[keyPath: path()].check(bounds, at: $1, into: &$2) },
      compare: { $0[keyPath: path()].compare($1[keyPath: path()], at: $2, into: &$3) },
      mend: { $0[keyPath: path()].mend(at: $1, into: &$2) },
      describe: {
        PropertyInfo(
          key: key, type: T.typeName, unit: unit, bounds: bounds, standardValue: nil,
          schema: schema ?? T.schema(bounds), summary: summary, objects: T.objects)
      })
  }
}
