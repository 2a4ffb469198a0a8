internal import ParticlesCore

/// The members of a JSON object that were not read yet: what reading has in common for all tables, so that it is
/// compiled once.
struct ObjectReader {
  private let object: JSONObject
  private let path: JSONPath
  private var unread: [String: JSONValue] = [:]

  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type`` if it is no object.
  @inline(never)
  init(_ json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard let object = json.object else { throw json.mismatch("an object", at: path) }
    (self.object, self.path) = (object, path)
    for member in object.members { unread[member.key] = member.value }
  }

  /// Returns the value of a key, which is read then.
  @inline(never)
  mutating func take(_ key: String) -> JSONValue? { unread.removeValue(forKey: key) }

  /// The error for a required property that is missing.
  @inline(never)
  func missing(_ key: String, _ type: String) -> Diagnostic {
    Diagnostic(.type, at: path.appending(key).location, expected: type, found: "nothing")
  }

  /// Returns the members that are in no table, in document order; nil if there are none.
  @inline(never)
  func rest() throws(Diagnostic) -> JSONObject? {
    if let extensions = unread["extensions"], extensions.object == nil {
      throw extensions.mismatch("an object", at: path.appending("extensions"))
    }
    guard !unread.isEmpty else { return nil }
    return JSONObject(members: object.members.filter { unread[$0.key] != nil })
  }
}
