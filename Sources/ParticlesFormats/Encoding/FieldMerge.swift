/// Writes an effect into the file that it came from, so that only what was edited changes.
///
/// An encoder lists the keys of its format with their values twice: for the effect as the source
/// file says it (`then`: it decodes the source and encodes that), and for the effect as it is now.
/// Where both agree, the source's value stays as it stands, with its type and its place; keys that
/// the encoder does not know stay too.
package struct FieldMerge<Key: Hashable, Value: Equatable> {
  /// Keys with their values, in order.
  package typealias Fields = [(key: Key, value: Value)]

  /// Whether the effect says what the source says: then the bytes of the source are the result.
  package let isUnchanged: Bool

  /// The fields of the result: those of the source in their order, then new ones.
  package let fields: Fields

  /// The keys whose values are not those of the source.
  package let changed: [Key]

  /// Merges.
  /// - Parameters:
  ///   - source: what the file holds, with the types that it has there.
  ///   - then: what the encoder makes of the effect that the file holds.
  ///   - now: what the encoder makes of the effect as it is.
  ///   - adapt: gives a new value the type of the one that it replaces, where that can hold it.
  package init(
    source: Fields, then: Fields, now: Fields,
    adapt: (_ new: Value, _ old: Value) -> Value = { new, _ in new }
  ) {
    func dictionary(_ fields: Fields) -> [Key: Value] {
      Dictionary(fields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (dictionary(then), dictionary(now))
    var fields: Fields = []
    var changed: [Key] = []
    for (key, value) in source {
      switch (before[key], after[key]) {
      case (let old, let new?) where old != new:
        fields.append((key, adapt(new, value)))
        changed.append(key)
      case (.some, nil): changed.append(key)
      default: fields.append((key, value))
      }
    }
    let known = Set(source.map(\.key))
    // What the file leaves out and the effect does not mention anew is still left out.
    for (key, value) in now where !known.contains(key) && before[key] != value {
      fields.append((key, value))
      changed.append(key)
    }
    self.fields = fields
    self.changed = changed
    isUnchanged = changed.isEmpty
  }
}
