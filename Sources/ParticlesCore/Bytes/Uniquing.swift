extension Dictionary {
  /// Creates a dictionary from pairs. Of several with one key, the first counts. The initialiser of the standard library
  /// cannot be compiled for pages.
  @inlinable
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    for (key, value) in pairs {
      // Keys are seldom equal, so that each is looked up once.
      if let first = updateValue(value, forKey: key) { updateValue(first, forKey: key) }
    }
  }

  /// Creates a dictionary from pairs. Of several with one key, the last counts.
  @inlinable
  package init(last pairs: some Sequence<(Key, Value)>) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    for (key, value) in pairs { updateValue(value, forKey: key) }
  }

  /// Adds the values of keys that are not in this dictionary.
  @inlinable
  package mutating func addMissing(_ other: [Key: Value]) {
    for (key, value) in other where self[key] == nil { updateValue(value, forKey: key) }
  }
}
