internal import ParticlesCore

extension ModelObject {
  /// Checks every property, the object as a whole, and notes unknown properties.
  func checkObject(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    var root = self
    for property in Self.properties {
      property.aspects.check(&root, path.appending(property.key), &diagnostics)
    }
    checkWhole(at: path, into: &diagnostics)
    for member in unknown.members {
      diagnostics.append(Diagnostic(.unknownKey, at: path.appending(member.key).location))
    }
  }
}
