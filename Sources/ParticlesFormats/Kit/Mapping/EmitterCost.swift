internal import ParticlesCore
internal import ParticlesModel

/// The cost of emitters in the budget of an operation, measured with effects of a thousand of them.
///
/// The work grows with the number of emitters and with what they state, not with the bytes of the file: a
/// shared object of an archive may be in the effect often.
enum EmitterCost {
  /// Pays for an emitter that is read by the rows of a table.
  static func spend(onReading rows: Int) throws {
    try WorkBudget.spend(work: 2 * rows, memory: 12_000, on: "the emitters that are read")
  }

  /// Pays for emitters that are written, read again, and compared.
  static func spend(onWriting emitters: [Emitter]) throws {
    for emitter in emitters {
      let stated = StatedCount(of: emitter)
      try WorkBudget.spend(
        work: 150 + 12 * stated.values + 2 * stated.numbers,
        memory: 10_000 + 400 * stated.values + 60 * stated.numbers,
        on: "the emitters that are written")
    }
  }

  /// Pays for a file that was written, and is read again.
  static func spend(onReadingAgain count: Int) throws {
    try WorkBudget.spend(work: count / 32, memory: 3 * count, on: "the bytes that are written")
  }

  /// Pays for the search for an image by some names, and for its place in the document.
  static func spend(onSearching names: Int) throws {
    try WorkBudget.spend(
      work: 50 * names, memory: 2_000 * names, on: "the images that are searched for")
  }

  /// Pays for the bytes of a file.
  static func spend(onBytes count: Int) throws {
    try WorkBudget.spend(work: count / 32, on: "the bytes that are read")
  }
}

/// How much an emitter states, without the data of other programs.
private struct StatedCount {
  /// Values of properties.
  private(set) var values = 0
  /// Numbers in arrays: keys of curves, stops of gradients, points, vectors.
  private(set) var numbers = 0

  init(of emitter: Emitter) {
    var plain = emitter
    if !plain.additions.isEmpty { plain.additions = JSONObject() }
    count(plain.json, isElement: false)
  }

  private mutating func count(_ value: JSONValue, isElement: Bool) {
    switch value {
    case .object(let object): for member in object.members { count(member.value, isElement: false) }
    case .array(let elements): for element in elements { count(element, isElement: true) }
    default: if isElement { numbers += 1 } else { values += 1 }
    }
  }
}
