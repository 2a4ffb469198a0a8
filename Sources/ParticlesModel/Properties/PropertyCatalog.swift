package import ParticlesCore

/// The tables of all objects that a document can hold, for documentation and for programs that
/// edit properties by their names.
package struct PropertyCatalog: Sendable {
  /// A type of objects, with the rows of its table. They are made on demand. The title identifies it.
  package struct Object: Sendable {
    package let title: String
    package let about: String
    /// The name in the schema.
    package let schemaName: String
    private let makeKeys: @Sendable () -> [String]
    private let makeProperties: @Sendable () -> [PropertyInfo]
    private let find: @Sendable (String) -> PropertyInfo?
    private let isShort: @Sendable () -> Bool

    init<Root: ModelObject>(_ root: Root.Type) {
      (title, about, schemaName) = (Root.title, Root.about, Root.schemaName)
      makeKeys = { Root.keys }
      makeProperties = { Root.properties.map { $0.info } }
      find = { Root.property($0) }
      isShort = { Root.hasShortForm }
    }

    /// The keys of the table, in its order.
    package var keys: [String] { makeKeys() }

    /// The rows of the table.
    package var properties: [PropertyInfo] { makeProperties() }

    /// The entry of a key, or nil if the table does not have it.
    package func property(_ key: String) -> PropertyInfo? { find(key) }

    /// Whether the object has a shorter form, such as a number for a track.
    package var hasShortForm: Bool { isShort() }
  }

  package let objects: [Object]

  /// Collects the objects that `root` can hold. Default: all objects of a document.
  package init(_ root: Object = ParticleSystem.object) {
    var objects = [root]
    var seen: Set<String> = [root.title]
    var next = 0
    while next < objects.count {
      for info in objects[next].properties {
        for object in info.objects where seen.insert(object.title).inserted {
          objects.append(object)
        }
      }
      next += 1
    }
    self.objects = objects
  }
}

/// The description of a property: a row of a table in the documentation.
package struct PropertyInfo: Sendable {
  /// The key in JSON.
  package let key: String

  /// The type, such as "number" or "Track", or the names that are allowed.
  package let type: String

  /// The unit, such as "s" or "°". Nil for plain numbers and other types.
  package let unit: String?

  /// The range, or nil if unrestricted or not numeric.
  package let bounds: Bounds?

  /// The default as JSON on one line, or nil if the property is required.
  package var standard: String? { standardValue?.line }

  /// The default, or nil if the property is required.
  package let standardValue: JSONValue?

  package let schema: JSONSchema

  /// The name that editors show, unless it is the words of the key. The names of members of an object begin with it.
  package let label: String?

  /// The meaning of the property, in one sentence.
  package let summary: String

  package let objects: [PropertyCatalog.Object]

  package var isRequired: Bool { standard == nil }
}

// Lookup of properties by their keys.

extension ModelObject {
  /// The keys of the table, in its order.
  package static var keys: [String] { properties.map { $0.key } }

  /// The entry of a key, or nil if the table does not have it.
  package static func property(_ key: String) -> PropertyInfo? {
    let title = title
    if let known = madeEntries.withLock({ $0[title]?[key] }) { return known }
    guard let info = properties.first(where: { $0.key == key })?.info else { return nil }
    madeEntries.withLock { $0[title, default: [:]][key] = info }
    return info
  }

  /// Whether the object has a shorter form, such as a number for a track.
  package static var hasShortForm: Bool { Self().json.object == nil }
}

/// The entries in use, by titles and keys. Making an entry takes longer than finding it. A report needs one for each
/// line, and most reports use few different entries.
private let madeEntries = Lock<[String: [String: PropertyInfo]]>([:])

extension PropertyInfo {
  /// The description of an element, or nil if this property is not an array.
  package var element: PropertyInfo? {
    let elements: [(prefix: String, type: String)] = [
      ("array of ", String(type.dropFirst(9))), ("vector of Tracks", "Track"),
      ("vector of Values", "Value"),
      ("scale of Values", "Value"), ("vector", "number"),
      ("pair", "number"), ("interval", "number"), ("rectangle", "number"), ("scale", "number"),
      ("quaternion", "number"), ("colour", "number"),
    ]
    guard let element = elements.first(where: { type.hasPrefix($0.prefix) }) else { return nil }
    return PropertyInfo(
      key: key, type: element.type, unit: unit, bounds: bounds, standardValue: .null,
      schema: schema.elements ?? schema, label: label, summary: summary, objects: objects)
  }
}

/// Description, comparison, soundness and mending of the values of the model.
package protocol JSONDescribed {
  /// The objects that such a value can hold, for the catalogue.
  static var objects: [PropertyCatalog.Object] { get }

  /// Whether it is an object with a table.
  static var isObject: Bool { get }

  /// Appends the differences from `other`, the value at this path of another document. See
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
  package static var objects: [PropertyCatalog.Object] { [] }

  package static var isObject: Bool { false }

  package func isSound(_ bounds: Bounds?) -> Bool {
    [Diagnostic].isSound { check(bounds, at: .nowhere, into: &$0) }
  }

  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {}

  package mutating func mendWhole(at path: JSONPath, by mender: inout Mender) {}
}

extension ModelObject {
  /// The type as a value.
  package static var object: PropertyCatalog.Object { PropertyCatalog.Object(Self.self) }

  /// The object itself.
  package static var objects: [PropertyCatalog.Object] { [object] }

  package static var isObject: Bool { true }
}

extension Array: JSONDescribed where Element: JSONConvertible {
  package static var objects: [PropertyCatalog.Object] { Element.objects }

  package func isSound(_ bounds: Bounds?) -> Bool { allSatisfy { $0.isSound(bounds) } }
}

extension ComponentValue {
  package static var objects: [PropertyCatalog.Object] { Component.objects }
}

extension NamedAlternative {
  package static var objects: [PropertyCatalog.Object] { Stated.objects }
}

extension Value {
  package static var objects: [PropertyCatalog.Object] {
    [Uniform.object, Choice.object, Ramp.object]
  }
}

extension ColorValue {
  package static var objects: [PropertyCatalog.Object] {
    [Varied.object, Range.object, Pick.object, Choice.object]
  }
}

/// The uses of a row of a table besides reading and checks.
struct PropertyAspects<Root>: Sendable {
  /// The value as JSON. Nil if it equals the value in `standard`, a root with every property at its default.
  let write: @Sendable (_ root: inout Root, _ standard: inout Root) -> JSONValue?
  /// Whether the value has no fault of a range or an order. The value in `standard`, a root with every property at its
  /// default, has none, unless the property is required.
  let isSound: @Sendable (_ root: inout Root, _ standard: inout Root) -> Bool
  /// Appends the differences between the values of the first and the second root.
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
  /// Creates the aspects of a property with a value.
  init<T: JSONConvertible>(
    _ access: @escaping Accessor<Root, T>, unit: String?, bounds: Bounds?,
    schema: @escaping @Sendable () -> JSONSchema?, label: String?,
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
        schema: schema() ?? T.schema(bounds), label: label, summary: summary,
        objects: T.objects)
    }
  }

  /// Creates the aspects of a property without a value by default.
  init<T: JSONConvertible>(
    optional access: @escaping Accessor<Root, T?>, unit: String?, bounds: Bounds?,
    schema: @escaping @Sendable () -> JSONSchema?, label: String?, _ summary: String,
    key: String
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
        standardValue: .null, schema: (schema() ?? T.schema(bounds)).orNull, label: label,
        summary: summary, objects: T.objects)
    }
  }
}
