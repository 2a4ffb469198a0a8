internal import ParticlesCore

/// A row of the table of an object: a key, where its value is stored, and what there is to know of
/// it.
public struct Property<Root: ModelObject>: Sendable {
  /// What the catalogue says of the property.
  public let info: PropertyInfo

  let read: @Sendable (JSONValue, JSONPath, inout Root) throws -> Void
  let write: @Sendable (Root) -> JSONValue?
  let check: @Sendable (Root, JSONPath, inout [Diagnostic]) -> Void

  /// A property that may be missing. Its default is what `Root()` holds, so that it is stated in
  /// one place only.
  static func value<T: JSONConvertible>(
    _ key: String, _ path: any WritableKeyPath<Root, T> & Sendable, unit: String? = nil,
    in bounds: Bounds? = nil, _ summary: String
  ) -> Property {
    let standard = Root()[keyPath: path]
    return Property(
      info: PropertyInfo(
        key: key, type: T.typeName, unit: unit, bounds: bounds, standard: standard.json.line,
        summary: summary, objects: T.objects),
      read: { $2[keyPath: path] = try T(json: $0, at: $1) },
      write: { $0[keyPath: path] == standard ? nil : $0[keyPath: path].json },
      check: { $0[keyPath: path].check(bounds, at: $1, into: &$2) })
  }

  /// A property whose default is to have none. `null` says the same as leaving it out.
  static func optional<T: JSONConvertible>(
    _ key: String, _ path: any WritableKeyPath<Root, T?> & Sendable, unit: String? = nil,
    in bounds: Bounds? = nil, _ summary: String
  ) -> Property {
    Property(
      info: PropertyInfo(
        key: key, type: T.typeName + " or null", unit: unit, bounds: bounds, standard: "null",
        summary: summary, objects: T.objects),
      read: { $2[keyPath: path] = $0 == .null ? nil : try T(json: $0, at: $1) },
      write: { $0[keyPath: path]?.json },
      check: { $0[keyPath: path]?.check(bounds, at: $1, into: &$2) })
  }

  /// A property that must be there, and is always written.
  static func required<T: JSONConvertible>(
    _ key: String, _ path: any WritableKeyPath<Root, T> & Sendable, unit: String? = nil,
    in bounds: Bounds? = nil, _ summary: String
  ) -> Property {
    Property(
      info: PropertyInfo(
        key: key, type: T.typeName, unit: unit, bounds: bounds, standard: nil, summary: summary,
        objects: T.objects),
      read: { $2[keyPath: path] = try T(json: $0, at: $1) },
      write: { $0[keyPath: path].json },
      check: { $0[keyPath: path].check(bounds, at: $1, into: &$2) })
  }
}
