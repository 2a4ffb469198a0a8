internal import ParticlesCore

// Lookup of properties by their keys.

extension ModelObject {
  /// The keys of the table, in its order.
  package static var keys: [String] { properties.map(\.key) }

  /// The entry of a key; nil if the table does not have it.
  package static func property(_ key: String) -> PropertyInfo? {
    guard let table = PropertyTable.shared.entries[ObjectIdentifier(Self.self)] else {
      return properties.first { $0.key == key }?.info
    }
    return table[key]
  }

  /// Whether the object has a shorter form, such as a number for a track.
  package static var hasShortForm: Bool { Self().json.object == nil }
}

/// The entries of all objects of a document, by their types and keys. Making an entry takes longer than
/// finding it, and a report needs some for each line.
private struct PropertyTable: Sendable {
  static let shared = PropertyTable()

  let entries: [ObjectIdentifier: [String: PropertyInfo]]

  private init() {
    var entries: [ObjectIdentifier: [String: PropertyInfo]] = [:]
    var open: [any ModelObject.Type] = [ParticleSystem.self]
    while let type = open.popLast() {
      guard entries[ObjectIdentifier(type)] == nil else { continue }
      let infos = type.propertyInfos
      entries[ObjectIdentifier(type)] = Dictionary(
        infos.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      open += infos.flatMap(\.objects)
    }
    self.entries = entries
  }
}

extension ModelObject {
  fileprivate static var propertyInfos: [PropertyInfo] { properties.map(\.info) }
}

extension PropertyInfo {
  /// The description of an element; nil if this property is not an array.
  package var element: PropertyInfo? {
    let elements: [(prefix: String, type: String)] = [
      ("array of ", String(type.dropFirst(9))), ("vector of Tracks", "Track"), ("vector", "number"),
      ("pair", "number"), ("interval", "number"), ("rectangle", "number"), ("scale", "number"),
      ("quaternion", "number"), ("colour", "number"),
    ]
    guard let element = elements.first(where: { type.hasPrefix($0.prefix) }) else { return nil }
    return PropertyInfo(
      key: key, type: element.type, unit: unit, bounds: bounds, standardValue: .null,
      schema: schema.elements ?? schema, summary: summary, objects: objects)
  }
}
