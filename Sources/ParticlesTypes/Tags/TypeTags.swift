/// The tags of a type by their class, each class in the order of preference.
public struct TypeTags: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The tags of one class.
  struct Entry: Sendable, Hashable {
    var tagClass: TagClass
    var values: [String]
  }

  /// An array: a type has tags of few classes.
  private(set) var entries: [Entry]

  /// No tags.
  public init() { entries = [] }

  /// These tags.
  public init(dictionaryLiteral elements: (TagClass, [String])...) {
    entries = []
    for (tagClass, values) in elements { self[tagClass] = values }
  }

  /// The tags of a class, the preferred one first; empty if there are none.
  public subscript(tagClass: TagClass) -> [String] {
    get { entries.first { $0.tagClass == tagClass }?.values ?? [] }
    set {
      let index = entries.firstIndex { $0.tagClass == tagClass }
      switch (index, newValue.isEmpty) {
      case (let index?, false): entries[index].values = newValue
      case (let index?, true): entries.remove(at: index)
      case (nil, false): entries.append(Entry(tagClass: tagClass, values: newValue))
      case (nil, true): break
      }
    }
  }

  /// The classes with tags, in the order of the declaration.
  public var classes: [TagClass] { entries.map(\.tagClass) }

  /// The tags as a dictionary.
  public var dictionary: [TagClass: [String]] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.tagClass, $0.values) })
  }

  /// Adds the tags of a class that has none yet.
  mutating func add(_ values: [String], new tagClass: TagClass) {
    if !values.isEmpty { entries.append(Entry(tagClass: tagClass, values: values)) }
  }

  mutating func append(_ value: String, to tagClass: TagClass) {
    if let index = entries.firstIndex(where: { $0.tagClass == tagClass }) {
      entries[index].values.append(value)
    } else {
      entries.append(Entry(tagClass: tagClass, values: [value]))
    }
  }
}
