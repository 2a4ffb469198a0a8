import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SpriteKitSceneTests {
  private func emitter(_ entries: ForgedValue.Entry...) -> ForgedValue {
    SpriteKitForge.emitter([.init("_startSize", .string("{10, 10}"))] + entries)
  }

  private func group(_ children: [ForgedValue], _ entries: ForgedValue.Entry...) -> ForgedValue {
    SpriteKitForge.node("SKNode", entries + [.init("_children", .array(children))])
  }

  @Test func emittersStandWhereTheirNodesPutThem() throws {
    let inner = group(
      [
        emitter(
          .init("_position", SpriteKitForge.point("{10, 0}")), .init("_name", .string("inner")),
          .init("_zPosition", .real(1)))
      ],
      .init("_position", SpriteKitForge.point("{100, 50}")),
      .init("_zRotation", .real(Double(Float(Double.pi / 2)))), .init("_xScale", .real(2)),
      .init("_yScale", .real(2)), .init("_zPosition", .real(3)))
    let scene = SpriteKitForge.node(
      "SKScene",
      [
        .init(
          "_children",
          .array([inner, emitter(), SpriteKitForge.node("SKSpriteNode", [])])),
        .init("_backgroundColorR", .real(0.5)), .init("_backgroundColorG", .real(0.25)),
        .init("_backgroundColorB", .real(0)), .init("_backgroundColorA", .real(1)),
        .init("_position", SpriteKitForge.point("{7, 7}")),
      ])
    let imported = try decodeSpriteKit(scene)
    let emitters = imported.system.emitters
    #expect(emitters.map(\.name) == ["inner", "test 2"])
    #expect(emitters[0].transform.translation == Vector(100, 70))
    #expect(emitters[0].transform.angle == 90)
    #expect(emitters[0].transform.scale == Scale(2, 2))
    #expect(emitters[0].render.order == 4)
    #expect(emitters[1].transform == Transform())
    #expect(imported.system.preview.background == Color(0.5, 0.25, 0))
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
    #expect(imported.diagnostics.first?.found == "1 SKNode, 1 SKSpriteNode")
  }

  @Test func emittersInsideOfEmittersCount() throws {
    let root = emitter(
      .init("_children", .array([emitter(.init("_position", SpriteKitForge.point("{1, 2}")))])),
      .init("_position", SpriteKitForge.point("{3, 4}")))
    let emitters = try decodeSpriteKit(root).system.emitters
    #expect(emitters.map(\.transform.translation) == [Vector(3, 4), Vector(4, 6)])
  }

  @Test func theEditorOfOlderVersionsKeptItsColourInTheNode() throws {
    let info = ForgedValue.dictionary([
      .init("_PB_previewBackgroundColor", SpriteKitForge.color("0.1 0.2 0.3"))
    ])
    let imported = try decodeSpriteKit(emitter(.init("_info", info)))
    #expect(imported.system.preview.background == Color(0.1, 0.2, 0.3))
  }

  @Test func aNodeThatIsItsOwnChildIsReadOnce() throws {
    // 1 is the emitter, 2 its children, 3 and 4 the classes.
    let bytes = ArchiveForge.file(
      root: .uid(1),
      objects: [
        .string("$null"),
        .dictionary([
          .init("_children", .uid(2)), .init("$class", .uid(3)),
          .init("_startSize", .string("{1, 1}")),
        ]),
        .dictionary([.init("NS.objects", .array([.uid(1)])), .init("$class", .uid(4))]),
        .dictionary([
          .init("$classname", .string("SKEmitterNode")),
          .init("$classes", .array([.string("SKEmitterNode"), .string("SKNode")])),
        ]),
        .dictionary([
          .init("$classname", .string("NSArray")), .init("$classes", .array([.string("NSArray")])),
        ]),
      ])
    let imported = try ParticleFormat.spriteKit.decode(
      bytes, DecodingContext(fileName: "circle.sks"))
    #expect(imported.system.emitters.count == 1)
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
  }

  @Test func depthIsLimited() throws {
    var node = emitter()
    for _ in 0..<200 { node = group([node]) }
    let fault = #expect(throws: Diagnostic.self) { try decodeSpriteKit(node) }
    #expect(fault?.rule == .limit)
  }

  // MARK: Look-alikes

  @Test(arguments: [
    (SpriteKitForge.node("SKScene", []), "a scene without nodes"),
    (
      SpriteKitForge.node(
        "SKScene",
        [
          .init(
            "_children",
            .array([SpriteKitForge.node("SKSpriteNode", []), SpriteKitForge.node("SKNode", [])]))
        ]), "a scene of 1 SKNode, 1 SKSpriteNode"
    ),
    (SpriteKitForge.node("SKReferenceNode", []), "a reference to another file"),
    (SpriteKitForge.node("SKSpriteNode", []), "nodes: 1 SKSpriteNode"),
    (.object(["SKTileSet", "NSObject"], []), "a tile set"),
    (.object(["SKFade", "SKAction", "NSObject"], []), "an action"),
    (
      .dictionary([.init("jump", .array([.object(["SKMove", "SKAction"], [])]))]), "an action"
    ),
  ])
  func filesOfAnotherKindAreNamed(root: ForgedValue, name: String) throws {
    let bytes = ArchiveForge.archive(root)
    #expect(ParticleFormat.spriteKit.recognise(bytes, "a.sks"))
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.spriteKit.decode(bytes, DecodingContext(fileName: "a.sks"))
    }
    #expect(fault?.rule == .lookAlike)
    #expect(fault?.found == name)
  }

  @Test func archivesOfOtherProgramsAreNoLookAlikes() throws {
    let bytes = ArchiveForge.archive(.object(["SCNParticleSystem", "NSObject"], []))
    #expect(!ParticleFormat.spriteKit.recognise(bytes, "a.bin"))
    let fault = #expect(throws: Diagnostic.self) {
      try ParticleFormat.spriteKit.decode(bytes, DecodingContext(fileName: "a.sks"))
    }
    #expect(fault?.rule == .archiveRoot)
  }
}
