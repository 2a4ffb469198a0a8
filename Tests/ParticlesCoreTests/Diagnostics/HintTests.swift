import ParticlesCore
import Testing

@Suite("Hints")
struct HintTests {
  @Test("the library knows of no options and commands of the tool", arguments: Rule.all.map(\.code))
  func neutral(code: String) throws {
    let hint = try #require(Rule.all.first { $0.code == code }).hint ?? ""
    #expect(!hint.contains("--") && !hint.contains("'particles "))
  }
}
