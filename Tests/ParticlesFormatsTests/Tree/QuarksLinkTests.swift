import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Sub-emitters of three.quarks, which name other emitters by their identifiers.
struct QuarksLinkTests {
  /// A scene of three emitters, of which the first starts another.
  private static func scene(_ identifier: String) -> String {
    """
    {"metadata": {}, "object": {"children": [
      {"uuid": "a", "ps": {"startLife": 1, "behaviors": [{"type": "EmitSubParticleSystem",
        "subParticleSystem": \(identifier), "mode": 1, "emitProbability": 0.5}]}},
      {"uuid": "b", "ps": {"startLife": 1, "onlyUsedByOther": true}},
      {"uuid": "c", "ps": {"startLife": 1}}]}}
    """
  }

  private static func imported(_ text: String) throws -> Imported {
    try ParticleFormat.quarks.decode(Array(text.utf8), DecodingContext(fileName: "a.json"))
  }

  private static func edited(_ text: String, _ edit: (inout ParticleSystem) -> Void) throws
    -> String
  {
    let imported = try imported(text)
    var package = try imported.package()
    var system = imported.system
    edit(&system)
    try package.setSystem(system)
    let exported = try package.exported(as: .quarks, fileName: "a.json")
    return String(decoding: try #require(exported.parts.first?.bytes), as: UTF8.self)
  }

  @Test("an identifier is the place of an emitter in the document") func places() throws {
    let system = try Self.imported(Self.scene("\"b\"")).system
    let trigger = try #require(system.emitters[0].triggers.first)
    #expect(trigger.emitter == 1 && trigger.event == .birth && trigger.probability == 0.5)
    #expect(system.roots == [0, 2])
  }

  @Test("edits keep the identifiers of the file") func edits() throws {
    let text = Self.scene("\"b\"")
    let likelier = try Self.edited(text) { $0.emitters[0].triggers[0].probability = 0.75 }
    #expect(likelier == text.replacing("0.5", with: "0.75"))
    let other = try Self.edited(text) { $0.emitters[0].triggers[0].emitter = 2 }
    #expect(other == text.replacing("tem\": \"b\"", with: "tem\": \"c\""))
  }

  @Test("emitters that start each other are reported, and the document is valid") func cycle()
    throws
  {
    let text = Self.scene("\"a\"")
    let imported = try Self.imported(text)
    #expect(imported.system.emitters[0].triggers.isEmpty)
    #expect(imported.system.diagnostics().allSatisfy { $0.severity < .error })
    #expect(imported.diagnostics.contains { $0.found == "a start of 'a 1'" })
    #expect(try Self.edited(text) { _ in } == text)
  }

  @Test(
    "a sub-emitter that is not in the file is reported, and stays there",
    arguments: ["\"x\"", "7", "null", "[]"])
  func missing(_ identifier: String) throws {
    let text = Self.scene(identifier)
    let imported = try Self.imported(text)
    #expect(imported.system.emitters[0].triggers.isEmpty)
    #expect(
      imported.diagnostics.contains {
        $0.rule == .uninterpreted && $0.detail == "the sub-emitter is not in the file"
      })
    let edited = try Self.edited(text) { $0.emitters[0].lifetime = 2 }
    #expect(edited.contains("\"subParticleSystem\": \(identifier)"))
  }

  @Test("new files name emitters by identifiers") func newFile() throws {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a"), Emitter(name: "b")])
    system.emitters[0].triggers = [Trigger(.death, emitter: 1)]
    let exported = try ParticleFormat.quarks.export(system, EncodingContext(fileName: "a.json"))
    let root = try JSONValue(parsing: exported.parts[0].bytes)
    let children = try #require(root["object"]?["children"]?.array)
    let behavior = children[0]["ps"]?["behaviors"]?.array?.first
    let name = try #require(behavior?["subParticleSystem"]?.string)
    #expect(children[1]["uuid"]?.string == name)
  }
}
