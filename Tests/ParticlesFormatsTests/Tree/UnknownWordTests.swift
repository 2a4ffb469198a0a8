import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Words of engines that none of their keys has.
@Suite("Unknown words of JSON of engines")
struct UnknownWordTests {
  private static func findings(_ text: String, _ format: ParticleFormat) throws -> [Diagnostic] {
    try format.decode(Array(text.utf8), DecodingContext(fileName: "a.json")).diagnostics.filter {
      $0.rule == .emitterValue
    }
  }

  @Test(
    "tsParticles: a warning names the word, the known ones and what was taken",
    arguments: [
      (#""number": {"value": 5, "limit": {"value": 9, "mode": "WORD"}}"#, "'delete' is used"),
      (
        #""rotate": {"direction": "WORD", "animation": {"enable": true, "speed": 5}}"#,
        "'clockwise' is used"
      ),
      (
        #""size": {"value": {"min": 1, "max": 5}, "animation": {"enable": true, "startValue": "WORD"}}"#,
        "'random' is used"
      ),
      (
        #""opacity": {"value": {"min": 0, "max": 1}, "animation": {"enable": true, "destroy": "WORD"}}"#,
        "'none' is used"
      ),
    ])
  func tsParticles(particles: String, taken: String) throws {
    let text = #"{"particles": {"number": {"value": 5}, "life": {}, \#(particles)}}"#
    let found = try Self.findings(text.replacing("WORD", with: "donut"), .tsParticles)
    #expect(found.map(\.detail) == [taken], "\(found)")
    #expect(found.first?.found == "'donut'" && found.first?.severity == .warning)
    let known = String(taken.dropFirst().prefix { $0 != "'" })
    #expect(try Self.findings(text.replacing("WORD", with: known), .tsParticles).isEmpty)
  }

  @Test("tsParticles: shapes of emitters, and the unit of their size")
  func emitters() throws {
    let text = """
      {"particles": {}, "emitters": [{"shape": "donut", "size": {"width": 9, "height": 9, "mode": "cm"}}]}
      """
    let found = try Self.findings(text, .tsParticles)
    #expect(found.compactMap(\.found).sorted() == ["'cm'", "'donut'"], "\(found)")
  }

  @Test("Phaser: the kind of a zone", arguments: ["donut", "random", "edge"])
  func phaser(word: String) throws {
    let text = """
      {"lifespan": 500, "speed": 9, "emitZone": {"type": "\(word)", "source": {"type": 0, "radius": 5}}}
      """
    let found = try Self.findings(text, .phaser)
    #expect(found.count == (word == "donut" ? 1 : 0), "\(found)")
  }
}
