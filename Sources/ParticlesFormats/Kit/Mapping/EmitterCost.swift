internal import ParticlesCore

/// The cost of emitters in the budget of an operation, measured with effects of a thousand of them.
///
/// The work grows with the number of emitters, not with the bytes of the file: a shared object of an
/// archive may be in the effect often.
enum EmitterCost {
  /// Pays for an emitter that is read by the rows of a table.
  static func spend(onReading rows: Int) throws {
    try WorkBudget.spend(work: 4 * rows, memory: 24_000, on: "the emitters that are read")
  }

  /// Pays for emitters that are written, read again, and compared.
  static func spend(onWriting emitters: Int) throws {
    try WorkBudget.spend(
      work: 1_300 * emitters, memory: 100_000 * emitters, on: "the emitters that are written")
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
