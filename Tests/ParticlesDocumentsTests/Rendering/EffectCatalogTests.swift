import ParticlesCore
import ParticlesDocuments
import ParticlesRender
import ParticlesTestSupport
import Testing

@Suite("Catalogues of folders")
struct EffectCatalogTests {
  @Test("have an entry for each document in order, and the error of one that cannot be read")
  func entries() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a.plist"), Fixture.read("cocos2d/ember.plist"))
    try Files.create(scratch.file("b.pex"), Array("<particleEmitterConfig><".utf8))
    try Files.create(scratch.file("c.txt"), Array("text".utf8))
    let set = DocumentSet([scratch.path], isRecursive: true)
    var catalog = EffectCatalog()
    (catalog.plan.width, catalog.plan.height) = (16, 16)
    catalog.plan.duration = 0.2
    var entries: [EffectCatalog.Entry] = []
    try catalog.draw(set.documents) { entries.append($0) }
    #expect(entries.map { Files.lastComponent(of: $0.path) } == ["a.plist", "b.pex"])
    #expect(entries[0].failure == nil && entries[0].card.media != nil)
    #expect(!entries[0].card.parameters.isEmpty)
    #expect(entries[1].failure != nil && entries[1].card.media == nil)
    #expect(!entries[1].card.problems.isEmpty)
  }
}
