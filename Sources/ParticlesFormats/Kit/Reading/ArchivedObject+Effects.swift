internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// Numbers as effects need them: within reason, and as somebody wrote them.

extension ArchivedObject {
  /// A number. Garbage below all measure, which old editors left behind, is zero.
  func number(_ key: String, _ standard: Double) -> Double {
    guard let number = double(key) else { return standard }
    guard number.magnitude < 1e15 else {
      mismatch(key, expected: "a number below 1e15", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  /// A number that must not be less than `least`.
  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    let found = number(key, standard)
    guard found < least else { return found }
    reader.report(
      Diagnostic(
        .approximated, at: .key(path(of: key)), expected: "at least \(least)", found: "\(found)"))
    return least
  }
}
