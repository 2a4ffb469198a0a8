internal import ParticlesCore
internal import ParticlesModel

/// A property that can be set by its key, for lists of them.
public struct SettableKey: Sendable, Hashable {
  /// The key; empty brackets stand for the index of an element: `emitters[].emission.rate`.
  public var key: String
  /// The type, or the names that may stand there.
  public var type: String
  /// The unit; nil for plain numbers and for what is no number.
  public var unit: String?
  /// The numbers allowed; nil if all are, or if there are none.
  public var range: String?
  /// The default as JSON; nil if the property must be there.
  public var standard: String?
  /// What it means, in a sentence.
  public var summary: String

  /// The keys that begin with `prefix`, or have a part that does; all if it is empty. Indices in it
  /// do not matter. Parts of values, such as the start and the end of a track, are listed for a
  /// prefix that leads there only.
  public static func all(_ prefix: String = "") -> [SettableKey] {
    let wanted = withoutIndices(prefix)
    return keys(of: [ParticleSystem.self], below: "", open: wanted).filter {
      $0.key.hasPrefix(wanted) || $0.key.contains(".\(wanted)")
    }
  }

  private static func keys(
    of types: [any ModelObject.Type], below prefix: String, open: String
  ) -> [SettableKey] {
    var seen: Set<String> = []
    return types.flatMap { type in
      type.keys.filter { seen.insert($0).inserted }.flatMap { key -> [SettableKey] in
        guard let info = type.property(key) else { return [] }
        let whole = prefix + key
        let isArray = info.type.hasPrefix("array of ") && !info.objects.isEmpty
        let parts = isArray ? "\(whole)[]" : whole
        // What has no other form than an object is set part by part.
        let isPlain = info.objects.count == 1 && !info.objects[0].hasShortForm
        let isOpen = isPlain || open == parts || open.hasPrefix("\(parts).")
        let inside = isOpen ? keys(of: info.objects, below: "\(parts).", open: open) : []
        return (isPlain && !isArray ? [] : [SettableKey(whole, info)]) + inside
      }
    }
  }

  private init(_ key: String, _ info: PropertyInfo) {
    self.key = key
    type = info.type
    unit = info.unit
    range = info.bounds?.description
    standard = info.standard
    summary = info.summary
  }

  /// `emitters[0]` and `emitters["Smoke"]` as `emitters[]`.
  private static func withoutIndices(_ key: String) -> String {
    var (text, isInside) = ("", false)
    for character in key {
      if character == "]" { isInside = false }
      if !isInside { text.append(character) }
      if character == "[" { isInside = true }
    }
    return text
  }
}
