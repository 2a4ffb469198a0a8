import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Mapping tables: each is the table on the page of its format, and cites a source for each claim.
/// Serialized, because several sections of a page are recorded.
@Suite(.serialized) struct MappingTests {
  @Test(
    "the tables of the Spec are those that decode and encode",
    arguments: [
      ("cocos2d", ParticleFormat.cocos2d), ("scenekit", .sceneKit), ("spritekit", .spriteKit),
      ("libgdx", .libGDX), ("pixi", .pixi), ("pixi-legacy", .pixiLegacy),
      ("love", .love), ("defold", .defold), ("phaser", .phaser),
      ("quarks", .quarks), ("tsparticles", .tsParticles),
      ("godot", .godot4),
    ])
  func pages(name: String, format: ParticleFormat) throws {
    let table = try #require(format.table)
    try Golden.checkSection("mapping", of: "Spec/conversion/\(name).md", is: table().markdown)
  }

  @Test(
    "the tables of code and of formats that are only read are those of the Spec",
    arguments: [
      ("code", "swift-caemitter", ParticleFormat.swiftCoreAnimation),
      ("code", "swift-realitykit", .swiftRealityKit), ("code", "unity-csharp", .unityCSharp),
      ("code", "lua-love", .luaLove), ("vortex", "mapping", .vortex),
      ("caemitter", "mapping", .coreAnimation), ("effekseer", "mapping", .effekseer),
      ("unity", "mapping", .unity),
    ])
  func otherPages(page: String, section: String, format: ParticleFormat) throws {
    let table = try #require(format.table)
    try Golden.checkSection(
      section, of: "Spec/conversion/\(page).md", is: table().markdown)
  }

  @Test("every row with keys cites a source of its format")
  func sources() {
    #expect(CocosFamily(.cocos2d).table.uncited == [])
    #expect(SceneKitFamily.shared.table.uncited == [])
    #expect(SpriteKitFamily.spriteKit.table.uncited == [])
    #expect(LibGDXFamily.shared.table.uncited == [])
    #expect(PixiFamily.behaviors.table.uncited == [])
    #expect(PixiFamily.flat.table.uncited == [])
    #expect(LoveFamily.shared.table.uncited == [])
    #expect(DefoldFamily.shared.table.uncited == [])
    #expect(PhaserFamily.shared.table.uncited == [])
    #expect(QuarksFamily.shared.table.uncited == [])
    #expect(TSParticlesFamily.shared.table.uncited == [])
    #expect(GodotFamily.four.table.uncited == [])
    for target in CodeFamily.Target.allCases { #expect(CodeFamily(target).table.uncited == []) }
  }

  @Test("no key is in two rows, but where a row says so")
  func keys() {
    for format in FormatRegistry.standard.formats {
      let keys = format.table?().keys ?? []
      #expect(keys.count == Set(keys).count, "\(format.name)")
    }
  }

}
