internal import ParticlesCore

/// The uses of a row of a table besides reading and checks.
struct PropertyAspects<Root>: Sendable {
  /// The value as JSON, or nil if it is that of `standard`, a root with every property at its
  /// default.
  let write: @Sendable (_ root: inout Root, _ standard: inout Root) -> JSONValue?
  /// Whether the value has no fault of a range or an order. The value in `standard`, a root with every property at its
  /// default, has none, unless the property is required.
  let isSound: @Sendable (_ root: inout Root, _ standard: inout Root) -> Bool
  /// Appends the differences of the value of the second root from that of the first.
  let compare: @Sendable (inout Root, inout Root, JSONPath, inout [PropertyDifference]) -> Void
  let mend: @Sendable (inout Root, JSONPath, inout Mender) -> Void
  let describe: @Sendable () -> PropertyInfo

  /// The name of the type, for messages.
  var typeName: String { describe().type }
}

extension Property {
  /// The entry of the property in the catalogue.
  package var info: PropertyInfo { aspects.describe() }
}

extension PropertyAspects where Root: ModelObject {
  /// Those of a property with a value.
  init<T: JSONConvertible>(
    _ access: @escaping Accessor<Root, T>, unit: String?, bounds: Bounds?,
    schema: @escaping @Sendable () -> JSONSchema?,
    _ summary: String, isRequired: Bool, key: String
  ) {
    write = { root, standard in
      var json: JSONValue?
      access(&root) { value in
        access(&standard) { if isRequired || value != $0 { json = value.json } }
      }
      return json
    }
    isSound = { root, standard in
      var isSound = true
      access(&root) { value in
        access(&standard) { isSound = !isRequired && value == $0 || value.isSound(bounds) }
      }
      return isSound
    }
    compare = { root, other, path, differences in
      access(&root) { value in
        access(&other) { value.compare($0, at: path, into: &differences) }
      }
    }
    mend = { root, path, mender in
      access(&root) { value in
        let isLost = mender.loses { value.mend(bounds, at: path, by: &$0) }
        guard isLost else { return }
        // A required property has no default: the value that it is part of is replaced.
        guard !isRequired else { return mender.loseNumber() }
        var standard = Root()
        access(&standard) {
          mender.replace(&value, by: $0, at: path)
        }
      }
    }
    describe = {
      var (root, standard): (Root, JSONValue?) = (Root(), nil)
      if !isRequired { access(&root) { standard = $0.json } }
      return PropertyInfo(
        key: key, type: T.typeName, unit: unit, bounds: bounds, standardValue: standard,
        schema: schema() ?? T.schema(bounds), summary: summary, objects: T.objects)
    }
  }

  /// Those of a property without a value by default.
  init<T: JSONConvertible>(
    optional access: @escaping Accessor<Root, T?>, unit: String?, bounds: Bounds?,
    schema: @escaping @Sendable () -> JSONSchema?, _ summary: String, key: String
  ) {
    write = { root, _ in
      var json: JSONValue?
      access(&root) { json = $0?.json }
      return json
    }
    isSound = { root, _ in
      var isSound = true
      access(&root) { isSound = $0?.isSound(bounds) ?? true }
      return isSound
    }
    compare = { root, other, path, differences in
      access(&root) { value in
        access(&other) { value.compare($0, at: path, into: &differences) }
      }
    }
    mend = { root, path, mender in
      access(&root) { value in
        guard mender.loses({ value?.mend(bounds, at: path, by: &$0) }) else { return }
        mender.note(.replacement, .range, at: path, "removed the value, which was not allowed")
        value = nil
      }
    }
    describe = {
      PropertyInfo(
        key: key, type: T.typeName + " or null", unit: unit, bounds: bounds,
        standardValue: .null, schema: (schema() ?? T.schema(bounds)).orNull, summary: summary,
        objects: T.objects)
    }
  }
}
