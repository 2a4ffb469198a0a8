/// Merges an effect into the file that it was imported from, so that only edited values change.
///
/// An encoder lists the keys of its format with their values twice: for the effect in the source
/// file (`then`: the source decoded and encoded again), and for the effect as it is now. Where both
/// agree, the value of the source is kept with its type and position; unknown keys are kept too.
package struct FieldMerge<Key: Hashable, Value: Equatable> {
  /// Keys with their values, in order.
  package typealias Fields = [(key: Key, value: Value)]

  /// Whether the effect equals the source: then the bytes of the source are the result.
  package let isUnchanged: Bool

  /// The fields of the result: those of the source in their order, then new ones.
  package let fields: Fields

  /// The keys whose values are not those of the source.
  package let changed: [Key]

  /// Merges the fields.
  /// - Parameters:
  ///   - source: the fields of the file, with their types.
  ///   - then: the fields that the encoder writes for the effect in the file.
  ///   - now: the fields that the encoder writes for the current effect.
  ///   - adapt: converts a new value to the type of the one that it replaces, if possible.
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
    // A key that the file leaves out is still left out if its value has not changed.
    for (key, value) in now where !known.contains(key) && before[key] != value {
      fields.append((key, value))
      changed.append(key)
    }
    self.fields = fields
    self.changed = changed
    isUnchanged = changed.isEmpty
  }
}
