internal import ParticlesCore
internal import ParticlesDatabase

/// A set of numbers of documents, one bit for each. A complement has all other numbers, which need not be known.
struct IdentifierSet {
  private var words: [UInt64] = []
  /// Whether it has all numbers except the stored bits.
  private(set) var isComplement = false

  /// The greatest number of a document: a set has at most 16 MiB, also with a damaged database.
  static let most = 1 << 27

  /// Adds a number, unless it is a complement.
  /// - Throws: ``ParticlesCore/Rule/indexDamaged`` for a number that no document can have.
  mutating func insert(_ number: Int, at path: String) throws {
    try Self.check(number, at: path)
    let word = number >> 6
    if word >= words.count {
      words += [UInt64](repeating: 0, count: max(64, word + 1 + words.count / 2) - words.count)
    }
    words[word] |= 1 << UInt64(number & 63)
  }

  /// - Throws: ``ParticlesCore/Rule/indexDamaged`` for a number that no document can have.
  static func check(_ number: Int, at path: String) throws {
    guard number >= 0, number < most else {
      throw Diagnostic(
        .indexDamaged, at: Location(file: path), "the number of a document",
        expected: "0 to \(most - 1)", found: "\(number)")
    }
  }

  func contains(_ number: Int) -> Bool {
    let hasBit =
      number >= 0 && number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    return hasBit != isComplement
  }

  /// The number of bits. Not for a complement.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Replaces the set by all other numbers.
  mutating func invert() { isComplement.toggle() }

  mutating func formUnion(_ other: IdentifierSet) {
    // By De Morgan: the union lacks the numbers that both sets lack.
    invert()
    formIntersection(other.inverted)
    invert()
  }

  mutating func formIntersection(_ other: IdentifierSet) {
    switch (isComplement, other.isComplement) {
    case (false, false): keepBits(of: other)
    case (false, true): clearBits(of: other)
    case (true, false):
      let excluded = self
      self = other
      clearBits(of: excluded)
    case (true, true): addBits(of: other)
    }
  }

  mutating func subtract(_ other: IdentifierSet) { formIntersection(other.inverted) }

  private var inverted: IdentifierSet {
    var set = self
    set.invert()
    return set
  }

  private mutating func addBits(of other: IdentifierSet) {
    if other.words.count > words.count {
      words += [UInt64](repeating: 0, count: other.words.count - words.count)
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  private mutating func keepBits(of other: IdentifierSet) {
    if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
    for index in words.indices { words[index] &= other.words[index] }
  }

  private mutating func clearBits(of other: IdentifierSet) {
    for index in words.indices.prefix(other.words.count) { words[index] &= ~other.words[index] }
  }

  /// Calls `body` with each number, in order. Not for a complement.
  func forEach(_ body: (Int) throws -> Void) rethrows {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        try body(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}

extension SQLite {
  /// Adds the numbers in the first column to a set. Large answers mainly contain numbers.
  func collect(_ text: String, _ values: [Value], into set: inout IdentifierSet) throws {
    try run(text, values) { row in
      try set.insert(row.integer(0), at: path)
      return true
    }
  }
}
