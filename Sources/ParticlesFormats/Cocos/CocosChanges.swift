/// How the fields of a file become others, by the indices that they have there.
struct CocosChanges<Container: CocosContainer> {
  typealias Value = Container.Value

  /// Fields with new values.
  private(set) var replaced: [(index: Int, value: Value)] = []

  /// Fields that are no more.
  private(set) var removed: [Int] = []

  /// New fields, and those that they are written behind; nil if they come first. Such a field stays.
  private(set) var added: [(key: CocosKey, value: Value, after: Int?)] = []

  private let kept: [CocosKey: Int]

  /// - Parameters:
  ///   - source: the keys and values that the file has. One that is the same number stays.
  ///   - fields: the keys and values that it gets.
  ///   - changed: the keys that are new, have new values or are no more.
  init(of source: Container.Fields, to fields: Container.Fields, changed: [CocosKey]) {
    let places = Dictionary(
      source.indices.map { (source[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
    let values = Dictionary(
      fields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    kept = places.filter { values[$0.key] != nil }
    for key in changed {
      switch (places[key], values[key]) {
      case (let index?, let value?) where Self.isSame(source[index].value, value, key): break
      case (let index?, let value?): replaced.append((index, value))
      case (let index?, nil): removed.append(index)
      case (nil, let value?): added.append((key, value, predecessor(of: key)))
      case (nil, nil): break
      }
    }
  }

  private static func isSame(_ old: Value, _ new: Value, _ key: CocosKey) -> Bool {
    guard CocosProperty.byKey[key]?.kind != .text, let old = Container.read(old).number else {
      return false
    }
    return old == Container.read(new).number
  }

  /// Whether nothing of the file stays that new fields could be written beside.
  var isWhole: Bool { kept.isEmpty }

  /// The field that stays and has the property nearest before that of a key, in our order.
  private func predecessor(of key: CocosKey) -> Int? {
    CocosProperty.all.prefix { $0.key != key }.reversed().lazy.compactMap { kept[$0.key] }.first
  }

  /// The first field that stays behind one that does, or behind the beginning.
  func successor(of index: Int?) -> Int? {
    kept.values.filter { $0 > index ?? -1 }.min()
  }
}

extension CocosValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): text.trimmed.double
    case .flag, .other: nil
    }
  }
}
