extension Dictionary {
  /// Creates a dictionary from pairs. Of several with one key, the first counts. The initialiser of the standard library
  /// cannot be compiled for pages.
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init()
    for (key, value) in pairs where self[key] == nil { updateValue(value, forKey: key) }
  }

  /// Creates a dictionary from pairs. Of several with one key, the last counts.
  package init(last pairs: some Sequence<(Key, Value)>) {
    self.init()
    for (key, value) in pairs { updateValue(value, forKey: key) }
  }

  /// Adds the values of keys that are not in this dictionary.
  package mutating func addMissing(_ other: [Key: Value]) {
    for (key, value) in other where self[key] == nil { updateValue(value, forKey: key) }
  }
}
