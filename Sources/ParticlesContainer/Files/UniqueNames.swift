/// Assigns unique file names in one folder. Names that differ in case only count as the same, because
/// some file systems ignore case.
package struct UniqueNames {
  private var taken: Set<String>

  /// The number to try next, by stem and endings.
  private var next: [String: Int] = [:]

  package init(taken: [String] = []) { self.taken = Set(taken.map(UnicodeForms.folded)) }

  /// Claims `stem`, or `stem-2` and so on, such that it makes a new name with each ending.
  package mutating func claim(_ stem: String, endings: [String]) -> String {
    let key = UnicodeForms.folded(stem) + endings.joined()
    var number = next[key, default: 1]
    while true {
      let unique = number == 1 ? stem : "\(stem)-\(number)"
      let names = Set(endings.map { UnicodeForms.folded(unique + $0) })
      number += 1
      guard taken.isDisjoint(with: names) else { continue }
      taken.formUnion(names)
      next[key] = number
      return unique
    }
  }
}
