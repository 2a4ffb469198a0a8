import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SpriteKitFixtureTests {
  @Test func fixturesAreWhatTheWriterMakes() throws {
    #expect(try Fixture.matches("spritekit/sparks.sks", Self.sparks()))
    #expect(try Fixture.matches("spritekit/stage.sks", Self.stage))
    for (name, bytes) in Self.lookAlikes {
      #expect(try Fixture.matches("rules/convert/look-alike-\(name).sks", bytes))
    }
  }

  @Test func sparksImport() throws {
    let imported = try Self.load("sparks.sks")
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.system.diagnostics().isEmpty)
    #expect(imported.images.keys.sorted() == ["Images/ember.png"])
    #expect(imported.system.sprites == [Sprite(image: 0)])
    var emitter = Self.emitter
    emitter.sprites = [0]
    #expect(imported.system.emitters == [emitter])
  }

  @Test func theStageHasTwoEmitters() throws {
    let imported = try Self.load("stage.sks")
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
    #expect(imported.system.emitters.map(\.name) == ["left", "right"])
    #expect(imported.system.emitters.map(\.transform.translation.x) == [-100, 100])
    #expect(imported.system.emitters.map(\.transform.scale.x) == [1, -1])
  }

  @Test(arguments: lookAlikes.map(\.name)) func lookAlikesAreNamed(name: String) throws {
    let path = "rules/convert/look-alike-\(name).sks"
    let fault = #expect(throws: Diagnostic.self) {
      try OpenedEffect(path: Fixture.path(path))
    }
    #expect(fault?.rule == .lookAlike)
  }

  // MARK: The effects

  /// Sparks of our own, with the image of the embers.
  static let emitter: Emitter = {
    var emitter = Emitter(name: "sparks")
    emitter.space = .local
    emitter.emission.rate = 60
    emitter.lifetime = .range(0.75, 1.25)
    emitter.shape = .rect(width: 20, height: 0)
    emitter.launch.direction = Direction(angle: 90)
    emitter.launch.spread = 30
    emitter.launch.speed = .range(80, 160)
    var gravity = Force.gravity(Vector(0, -150))
    gravity.space = .local
    emitter.forces = [gravity]
    emitter.rotation.angle = Track(.range(0, 90))
    emitter.rotation.velocity = 45
    emitter.size.mode = .textureScale
    emitter.size.width = Track(from: .range(0.25, 0.75), rate: -0.25)
    emitter.color.opacity = Track(from: 1, rate: -0.75)
    emitter.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(1, 0.9, 0.5)), GradientKey(0.4, Color(1, 0.5, 0.1)),
        GradientKey(1, Color(0.6, 0.1, 0)),
      ]))
    emitter.render.blend = Blend(.add)
    emitter.render.sort = .youngestFirst
    return emitter
  }()

  private static func sparks() throws -> [UInt8] {
    let png = try Fixture.read("spritekit/ember.png")
    var system = ParticleSystem(name: "sparks", emitters: [emitter])
    system.images = [ImageReference(describing: png, at: "Images/ember.png")]
    system.sprites = [Sprite(image: 0)]
    system.emitters[0].sprites = [0]
    system.preview.background = Color(0.15, 0.15, 0.15)
    let exported = try ParticleFormat.spriteKit.export(
      system, EncodingContext(fileName: "sparks.sks") { _ in png })
    return exported.parts[0].bytes
  }

  /// A scene with two emitters on either side, of which one is mirrored, and a sprite.
  private static let stage: [UInt8] = {
    func emitter(_ name: String) -> ForgedValue {
      SpriteKitForge.emitter([
        .init("_name", .string(name)), .init("_birthrate", .real(20)), .init("_lifetime", .real(2)),
        .init("_startSpeed", .real(50)), .init("_startSize", .string("{8, 8}")),
        .init("_startColorR", .real(1)), .init("_startColorG", .real(1)),
        .init("_startColorB", .real(1)), .init("_startColorA", .real(1)),
        .init("_startColorMix", .real(1)),
      ])
    }
    func side(_ x: Int, _ entries: ForgedValue.Entry..., holding child: ForgedValue) -> ForgedValue
    {
      SpriteKitForge.node(
        "SKNode",
        [
          .init("_position", SpriteKitForge.point("{\(x), 0}")),
          .init("_children", .array([child])),
        ] + entries)
    }
    return ArchiveForge.archive(
      SpriteKitForge.node(
        "SKScene",
        [
          .init(
            "_children",
            .array([
              SpriteKitForge.node("SKSpriteNode", []), side(-100, holding: emitter("left")),
              side(100, .init("_xScale", .real(-1)), holding: emitter("right")),
            ]))
        ]))
  }()

  /// Files of SpriteKit that hold no particles.
  static let lookAlikes: [(name: String, bytes: [UInt8])] = [
    ("scene", ArchiveForge.archive(SpriteKitForge.node("SKScene", []))),
    (
      "actions",
      ArchiveForge.archive(
        .dictionary([.init("jump", .object(["SKMove", "SKAction", "NSObject"], []))]))
    ),
    ("reference", ArchiveForge.archive(SpriteKitForge.node("SKReferenceNode", []))),
  ]

  static func load(_ name: String) throws -> Imported {
    let path = "spritekit/\(name)"
    return try ParticleFormat.spriteKit.decode(
      Fixture.read(path),
      DecodingContext(
        fileName: name, findImage: ImageFinder(besides: Fixture.path(path)).find))
  }
}
