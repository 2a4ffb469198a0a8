internal import ParticlesCore
internal import ParticlesModel

/// A property that ``EffectEditor`` can set.
public struct SettableKey: Sendable, Hashable {
  /// The key; empty brackets mean the index of any element: `emitters[].emission.rate`.
  public var key: String
  /// The type, or the allowed names in quotes.
  public var type: String
  /// The unit; nil for values without a unit.
  public var unit: String?
  /// The allowed range; nil if the property has no limits or is not a number.
  public var range: String?
  /// The least number that is allowed, or the greatest one that is not; nil if there is none.
  public var minimum: Double?
  /// The greatest number that is allowed; nil if there is none.
  public var maximum: Double?
  /// The default as JSON; nil for a required property.
  public var standard: String?
  /// A description, one sentence.
  public var summary: String
  /// How an editor shows it.
  public var hint: PropertyHint

  /// Returns the keys that begin with `prefix`, or that have a component beginning with it; all
  /// keys if it is empty. Indices in `prefix` are ignored. Components of values, such as the start and
  /// the end of a track and the components of a vector, are listed only if `prefix` includes the key of the value. Those
  /// that are amounts of the property have its unit, its limits and its hint.
  public static func all(_ prefix: String = "") -> [SettableKey] {
    let wanted = withoutIndices(prefix)
    return keys(of: [ParticleSystem.self], below: "", open: wanted).filter {
      $0.key.hasPrefix(wanted) || $0.key.contains(".\(wanted)")
    }
  }

  private static func keys(
    of types: [any ModelObject.Type], below prefix: String, open: String,
    in value: SettableKey? = nil
  ) -> [SettableKey] {
    var seen: Set<String> = []
    return types.flatMap { type in
      type.keys.filter { seen.insert($0).inserted }.flatMap { key -> [SettableKey] in
        guard let info = type.property(key) else { return [] }
        let whole = prefix + key
        let isArray = info.type.hasPrefix("array of ") && !info.objects.isEmpty
        let parts = isArray ? "\(whole)[]" : whole
        // An object without a short form is set member by member.
        let isPlain = info.objects.count == 1 && !info.objects[0].hasShortForm
        let isOpen =
          isPlain || open == parts || open.hasPrefix("\(parts).")
          || open.hasPrefix("\(whole)[]")
        var own = SettableKey(whole, info)
        if let value, Self.amounts.contains(key) { own.take(value) }
        let isValue = !isPlain && !isArray
        let components = isOpen && isValue ? own.component(info, open) : []
        // Members of the components of a vector are below them.
        let isVector = info.element != nil && isValue
        let inside =
          isOpen && (!isVector || open.hasPrefix("\(whole)[]"))
          ? keys(
            of: info.objects, below: isVector ? "\(whole)[]." : "\(parts).", open: open,
            in: isValue ? own : nil)
          : []
        return (isPlain && !isArray ? [] : [own]) + components + inside
      }
    }
  }

  /// The members of values that are amounts of the property.
  private static let amounts: Set = ["min", "max", "low", "high", "from", "to", "oneOf"]

  /// Takes what holds for all amounts of a property.
  private mutating func take(_ value: SettableKey) {
    (unit, range, minimum, maximum) = (value.unit, value.range, value.minimum, value.maximum)
    hint.numbers = value.hint.numbers
  }

  /// The components of a vector, as one row; none for other values.
  private func component(_ info: PropertyInfo, _ open: String) -> [SettableKey] {
    guard hint.numbers != nil, let element = info.element else { return [] }
    var component = SettableKey("\(key)[]", element)
    component.take(self)
    return [component]
  }

  private init(_ key: String, _ info: PropertyInfo) {
    self.key = key
    type = info.type
    unit = info.unit
    range = info.bounds?.description
    (minimum, maximum) = (info.bounds?.lower, info.bounds?.upper)
    standard = info.standard
    summary = info.summary
    hint = PropertyHint(key, info)
  }

  /// Replaces `emitters[0]` and `emitters["Smoke"]` with `emitters[]`.
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
