internal import ParticlesCore

// Lookup of properties by their keys.

extension ModelObject {
  /// The keys of the table, in its order.
  package static var keys: [String] { properties.map { $0.key } }

  /// The entry of a key; nil if the table does not have it.
  package static func property(_ key: String) -> PropertyInfo? {
    let type = ObjectIdentifier(Self.self)
    if let known = madeEntries.withLock({ $0[type]?[key] }) { return known }
    guard let info = properties.first(where: { $0.key == key })?.info else { return nil }
    madeEntries.withLock { $0[type, default: [:]][key] = info }
    return info
  }

  /// Whether the object has a shorter form, such as a number for a track.
  package static var hasShortForm: Bool { Self().json.object == nil }
}

/// The entries that were needed, by their types and keys. Making one takes longer than finding it, and a
/// report needs some for each line; most reports need few of them.
private let madeEntries = Lock<[ObjectIdentifier: [String: PropertyInfo]]>([:])

extension PropertyInfo {
  /// The description of an element; nil if this property is not an array.
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
      schema: schema.elements ?? schema, summary: summary, objects: objects)
  }
}
