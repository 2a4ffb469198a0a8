import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("The table of rules")
struct RuleTableTests {
  @Test("codes are unique, lower-case and of two parts; texts are short and without full stop")
  func codes() {
    #expect(Set(Rule.all.map(\.code)).count == Rule.all.count)
    for rule in Rule.all {
      #expect(rule.code.wholeMatch(of: /[a-z]+\/[a-z]+(-[a-z]+)*/) != nil, "\(rule.code)")
      for text in [rule.summary, rule.hint ?? "-"] {
        #expect(!text.isEmpty && !text.hasSuffix(".") && text.first?.isUppercase == false)
        #expect(text.escapingControls == text && text.utf8.count <= 80, "\(rule.code)")
      }
    }
  }

  @Test("the list of all rules has every rule of the table, in its order")
  func all() throws {
    let path = "Sources/ParticlesCore/Diagnostics/RuleCatalog.swift"
    let source = try SpecificationPage.text(of: path)
    let written = source.matches(of: /public static let \w+ = Rule\(\s*"([^"]+)"/)
    // Rules of interfaces are no rules of files.
    let others = source.matches(of: /package static let \w+ = Rule\(/)
    #expect(written.count + others.count == source.matches(of: /= Rule\(/).count)
    #expect(written.map { String($0.1) } == Rule.all.map(\.code))
  }

  @Test("rules of a family are contiguous")
  func families() {
    let families = Rule.all.map(\.family)
    let changes = zip(families, families.dropFirst()).count { $0 != $1 }
    #expect(changes + 1 == Set(families).count)
  }

  @Test("Spec/rules.md matches the table")
  func page() throws {
    try Golden.check(try RulePage.text(), against: "Spec/rules.md")
  }
}
