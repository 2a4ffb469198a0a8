internal import ParticlesCore

/// How many values of a file rows have read, and how many no row has.
struct ReadCount {
  var read = 0
  var rest = 0

  static func += (a: inout ReadCount, b: ReadCount) {
    a.read += b.read
    a.rest += b.rest
  }

  /// The loss of a whole file: it has values, and none of them is known.
  var finding: Diagnostic? {
    guard read == 0, rest > 0 else { return nil }
    var finding = Diagnostic(
      .uninterpreted, "no value of the file is known, so that the effect is made of defaults",
      found: rest == 1 ? "1 value" : "\(rest) values",
      hint: "it may be of another version of the program: open it there, and save it again")
    finding.loss = Loss(feature: "values", level: .high, path: "emitters")
    finding.loss?.basis = .estimated
    return finding
  }
}
