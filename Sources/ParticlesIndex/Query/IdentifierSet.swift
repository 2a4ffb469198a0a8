internal import ParticlesCore

/// A set of numbers of documents, one bit for each.
struct IdentifierSet {
  private(set) var words: [UInt64] = []

  /// The greatest number of a document: a set has at most 16 MiB, also with a damaged database.
  static let most = 1 << 27

  /// Adds a number.
  /// - Throws: ``ParticlesCore/Rule/indexDamaged`` for a number that is none of a document.
  mutating func insert(_ number: Int, at path: String) throws {
    guard number >= 0, number < Self.most else {
      throw Diagnostic(
        .indexDamaged, at: Location(file: path), "the number of a document",
        expected: "0 to \(Self.most - 1)", found: "\(number)")
    }
    let word = number >> 6
    if word >= words.count {
      words += [UInt64](repeating: 0, count: max(64, word + 1 + words.count / 2) - words.count)
    }
    words[word] |= 1 << UInt64(number & 63)
  }

  func contains(_ number: Int) -> Bool {
    number >= 0 && number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func formUnion(_ other: IdentifierSet) {
    if other.words.count > words.count {
      words += [UInt64](repeating: 0, count: other.words.count - words.count)
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: IdentifierSet) {
    if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: IdentifierSet) {
    for index in words.indices.prefix(other.words.count) { words[index] &= ~other.words[index] }
  }

  /// Calls `body` with each number, in order.
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
