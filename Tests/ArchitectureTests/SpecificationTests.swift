import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Rules and the specification")
struct SpecificationTests {
  @Test("every rule is stated by a section that is there")
  func anchors() throws {
    let pages = try SpecificationPage.all()
    for rule in Rule.all {
      let parts = rule.anchor.split(separator: "#").map { String($0) }
      try #require(parts.count == 2, "\(rule.code): \(rule.anchor)")
      let page = try #require(
        pages.first { $0.name == parts[0] }, "\(rule.code): there is no \(parts[0])")
      #expect(page.anchors.contains(parts[1]), "\(rule.code): there is no \(rule.anchor)")
    }
  }

  /// These sections describe the behaviour of programs, which no diagnostic reports.
  static let duties: Set = ["Duties of writers", "Duties of readers", "Conformance"]

  @Test("each requirement names the rule that reports its violation")
  func requirements() throws {
    let codes = Set(Rule.all.map(\.code))
    for page in try SpecificationPage.all() {
      for block in page.blocks where !Self.duties.contains(block.heading) {
        // The paragraph that defines the words contains no requirement.
        guard let last = block.text.matches(of: /\*\*MUST( NOT)?\*\*/).last,
          !block.text.contains("RFC 2119")
        else { continue }
        let rules = block.text[last.range.upperBound...].matches(of: /\[`?(\w+\/[\w-]+)`?\]/)
        #expect(
          rules.contains { codes.contains(String($0.1)) },
          "Spec/\(page.name):\(block.line) requires something and names no rule")
      }
    }
  }

  @Test("rules that the specification names are in the table")
  func names() throws {
    let codes = Set(Rule.all.map(\.code))
    let families = Set(Rule.all.map(\.family))
    for page in try SpecificationPage.all() {
      for block in page.blocks {
        for match in block.text.matches(of: /\[`?((\w+)\/[\w-]+)`?\]/)
        where families.contains(String(match.2)) {
          #expect(
            codes.contains(String(match.1)),
            "Spec/\(page.name):\(block.line): there is no \(match.1)")
        }
      }
    }
  }

  @Test("pages are cut as GitHub does")
  func pages() {
    let page = SpecificationPage(
      name: "a.md",
      text: """
        # The `.particles` container, version 1
        one
        two

        - three
          four
        - five
        ## Worked example *(Informative)*
        six
        | seven |
        | eight |
        """)
    #expect(page.anchors == ["the-particles-container-version-1", "worked-example-informative"])
    #expect(
      page.blocks.map(\.text) == [
        "one\ntwo", "- three\n  four", "- five", "six", "| seven |", "| eight |",
      ])
    #expect(page.blocks.map(\.line) == [2, 5, 7, 9, 10, 11])
  }
}
