internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

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

  /// One of the names behind the numbers of an enumeration.
  func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = int(key) else { return standard }
    guard choices.indices.contains(number) else {
      mismatch(key, expected: "0 to \(choices.count - 1)", found: "\(number)")
      return standard
    }
    return choices[number]
  }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String? = nil) {
    reader.report(Diagnostic(rule, at: .key(path(of: key)), detail, found: found))
  }
}

extension Value {
  /// A number and the full width of the range around it.
  init(center: Double, width: Double, scope: Scope = .particle) {
    // Of a decimal number and its half, sums may end in digits that nobody wrote.
    let half = width.magnitude / 2
    self =
      half == 0
      ? .constant(center)
      : .range((center - half).rounded, (center + half).rounded, scope: scope)
  }
}
