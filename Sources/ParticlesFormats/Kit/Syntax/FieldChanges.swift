/// The changes of a text file, by the positions of its members.
struct FieldChanges<Value> {
  private(set) var replaced: [(index: Int, value: Value)] = []

  private(set) var removed: [Int] = []

  /// New members, each with the one that it follows; nil if it comes first.
  private(set) var added: [(key: String, value: Value, after: Int?)] = []

  private let kept: [Int]

  /// Collects the changes of a merge.
  /// - Parameters:
  ///   - source: the fields of the file, one for each member.
  ///   - order: the place of a key in the order of the format, for new members.
  ///   - isSame: whether two values are equal despite different spelling.
  init(
    of source: [(key: FieldKey, value: Value)], by merge: FieldMerge<FieldKey, Value>,
    order: (FieldKey) -> Int, isSame: (_ key: FieldKey, _ old: Value, _ new: Value) -> Bool
  ) where Value: Equatable {
    let places = Dictionary(
      source.indices.map { (source[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
    let values = Dictionary(
      merge.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let kept = places.filter { values[$0.key] != nil }
    self.kept = kept.values.sorted()
    // The kept member that comes closest before a new one in the order of the format.
    let ordered = kept.map { (order: order($0.key), index: $0.value) }.sorted {
      $0.order < $1.order
    }
    for key in merge.changed {
      switch (places[key], values[key]) {
      case (let index?, let value?):
        if !isSame(key, source[index].value, value) { replaced.append((index, value)) }
      case (let index?, nil): removed.append(index)
      case (nil, let value?):
        let place = order(key)
        added.append((key.spelling, value, ordered.last { $0.order < place }?.index))
      case (nil, nil): break
      }
    }
  }

  /// Whether no member is kept next to which new ones could be written.
  var isWhole: Bool { kept.isEmpty }

  /// The first kept member after a given one, or after the beginning.
  func successor(of index: Int?) -> Int? { kept.first { $0 > index ?? -1 } }

  /// The members after the changes: the kept ones in their order, then the new ones.
  func applied(to members: [(key: String, value: Value)]) -> [(key: String, value: Value)] {
    var new = members
    for (index, value) in replaced { new[index].value = value }
    for index in removed.sorted(by: >) { new.remove(at: index) }
    return new + added.map { ($0.key, $0.value) }
  }
}
