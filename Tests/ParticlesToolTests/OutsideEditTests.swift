import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesTestSupport
import Testing

/// The real program edits a document that this process has open.
@Suite("Edits by the tool of an open document")
struct OutsideEditTests {
  @Test(
    "undo takes back our change only; the program that made the other one is told",
    arguments: Container.Form.allCases)
  func edit(form: Container.Form) async throws {
    let scratch = try Scratch()
    let path = scratch.file("fire.particles")
    try #require(EffectTemplate.named("fire")).package().container.write(to: path, as: form)
    var configuration = DocumentConfiguration(dataFolder: scratch.file("data"))
    configuration.autosave = .off
    let document = Document<EffectPackage>(path: path, configuration: configuration)
    try await document.open()
    let old = try await EffectEditor(document.content).value("emitters[0].emission.rate")
    try await document.edit("Rate") { package in
      try package.editValid { try $0.apply("emitters[0].emission.rate=77") }
    }
    try await document.autosave()
    let events = await document.events()
    _ = try Run.succeeding(
      Run.built("particles"),
      ["edit", path, "emitters[0].lifetime=3.25", "asset.author=Second"],
      environment: ["XDG_DATA_HOME": scratch.file("data")])
    var change: OutsideChange?
    for await event in events {
      guard case .outside(let now) = event else { continue }
      change = now
      break
    }
    #expect(change?.program == "particles")
    #expect(change?.parts.contains("asset.author") == true && change?.endsUndo == nil)
    // The tool has kept both states.
    let numbers = try await document.versions().map(\.number)
    #expect(numbers.suffix(2) == [change?.before, change?.after])
    #expect(try await document.undo() == 1)
    try await document.close()
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    #expect(try editor.value("emitters[0].emission.rate") == old)
    #expect(try editor.value("asset.author") == "Second")
    #expect(try editor.value("emitters[0].lifetime") == .double(3.25))
  }
}
