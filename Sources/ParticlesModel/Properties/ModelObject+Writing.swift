package import ParticlesCore

extension ModelObject {
  /// The object, as ``objectJSON`` writes it.
  package var json: JSONValue { objectJSON }

  /// The object. Properties at their defaults are left out; then follow the additions.
  var objectJSON: JSONValue {
    var members: [JSONObject.Member] = []
    var root = self
    var standard = Self()
    for property in Self.properties {
      guard let value = property.aspects.write(&root, &standard) else { continue }
      members.append(.init(key: property.key, value: value))
    }
    if !additions.isEmpty {
      // A key of the table must not be repeated by the additions; the table wins.
      let known = Set(Self.properties.map { $0.key })
      members += additions.members.filter { !known.contains($0.key) }
    }
    return .object(JSONObject(members: members))
  }
}
