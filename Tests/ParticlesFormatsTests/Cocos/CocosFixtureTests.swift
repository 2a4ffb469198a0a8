import ParticlesPropertyLists
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct CocosFixtureTests {
  private static func image() throws -> [(String, String)] {
    let png = try Fixture.read("scenekit/ember.png")
    return [
      ("textureFileName", "ember.png"), ("textureImageData", CocosForge.storedGzip(png).base64),
    ]
  }

  private static let starlingEmber = CocosForge.starling(
    """
      <sourcePosition x="0" y="0"/>
      <sourcePositionVariance x="20" y="4"/>
      <angle value="270"/>
      <angleVariance value="15"/>
      <speed value="60"/>
      <speedVariance value="20"/>
      <gravity x="0" y="-30"/>
      <radialAcceleration value="-5"/>
      <startParticleSize value="12"/>
      <startParticleSizeVariance value="4"/>
      <finishParticleSize value="2"/>
      <FinishParticleSizeVariance value="0"/>
    """)

  @Test func fixturesAreWhatTheForgeMakes() throws {
    let ember = CocosForge.ember + (try Self.image())
    #expect(try Fixture.matches("cocos2d/ember.plist", CocosForge.propertyList(ember)))
    let list = try PropertyListValue(decoding: CocosForge.propertyList(ember))
    #expect(try Fixture.matches("cocos2d/ember-binary.plist", list.binary))
    let ring =
      CocosForge.ring + [
        ("textureFileName", "ring"),
        ("textureImageData", CocosForge.storedGzip(CocosForge.tiff).base64),
      ]
    #expect(try Fixture.matches("cocos2d/ring.plist", CocosForge.propertyList(ring)))
    #expect(try Fixture.matches("particle-designer/ember.json", CocosForge.json(ember)))
    #expect(try Fixture.matches("starling/ember.pex", Self.starlingEmber))
    let lanica = String(decoding: Self.starlingEmber, as: UTF8.self)
      .replacing("particleEmitterConfig", with: "lanicaAnimoParticles")
    #expect(try Fixture.matches("starling/ember.lap", Array(lanica.utf8)))
    for fixture in Self.broken {
      #expect(try Fixture.matches("rules/\(fixture.rule.code).plist", fixture.bytes))
    }
  }

  private static func load(_ name: String) throws -> Imported {
    let bytes = try Fixture.read(name)
    let fileName = Files.lastComponent(of: name)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: fileName)
    return try format.decode(bytes, DecodingContext(fileName: fileName))
  }

  @Test(arguments: [
    "cocos2d/ember.plist", "cocos2d/ember-binary.plist", "particle-designer/ember.json",
  ])
  func embersAreTheSameEverywhere(name: String) throws {
    let imported = try Self.load(name)
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.images.keys.sorted() == ["Images/ember.png"])
    #expect(imported.images["Images/ember.png"] == (try Fixture.read("scenekit/ember.png")))
    let emitter = try #require(imported.system.emitters.first)
    #expect(emitter.emission.rate == 40)
    #expect(emitter.launch.speed == .range(40, 80))
    #expect(emitter.sprites == [0])
  }

  @Test(arguments: ["starling/ember.pex", "starling/ember.lap"])
  func embersOfStarling(name: String) throws {
    let imported = try Self.load(name)
    #expect(imported.diagnostics.isEmpty)
    let emitter = try #require(imported.system.emitters.first)
    #expect(emitter.launch.direction.angle == .range(-285, -255))
    #expect(emitter.forces.first == .gravity(Vector(0, 30)))
  }

  @Test func embeddedTIFFBecomesPNG() throws {
    let imported = try Self.load("cocos2d/ring.plist")
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.images.keys.sorted() == ["Images/ring.png", "Source/ring.tiff"])
    let picture = try PNG.decode(imported.images["Images/ring.png"] ?? [])
    #expect(picture == (try TIFF.decode(CocosForge.tiff)))
    #expect(picture.pixels.suffix(4) == [240, 128, 15, 255])
    #expect(imported.system.images.first?.width == 4)
    // And the file comes back as it was.
    let exported = try imported.package().exported(as: .cocos2d, fileName: "ring.plist")
    #expect(exported.parts[0].bytes == imported.source)
  }

  // MARK: Broken ones

  struct Broken: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var bytes: [UInt8]
    var testDescription: String { rule.code }
  }

  /// A file for each rule that reading can break, with that fault and no other.
  static let broken: [Broken] = [
    Broken(rule: .xml, bytes: Array(CocosForge.propertyList().dropLast(20))),
    Broken(
      rule: .xmlDeclarations,
      bytes: Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist [
        <!ENTITY a "ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha">
        <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
        ]>
        <plist version="1.0"><dict><key>maxParticles</key><string>&c;</string></dict></plist>

        """.utf8)),
    Broken(
      rule: .emitterRoot,
      bytes: CocosForge.xml("<array><string>maxParticles</string></array>")),
    Broken(rule: .emitterValue, bytes: CocosForge.propertyList([("speed", "fast")])),
    Broken(
      rule: .embeddedImage,
      bytes: CocosForge.propertyList([
        (
          "textureImageData",
          Array(CocosForge.storedGzip(CocosForge.tiff).dropLast(9)).base64
        )
      ])),
  ]

  @Test(arguments: broken) func eachBreaksItsRuleOnly(fixture: Broken) throws {
    let found: [Rule]
    do {
      found = try Self.load("rules/\(fixture.rule.code).plist").diagnostics.map(\.rule)
    } catch let fault as Diagnostic {
      found = [fault.rule]
      #expect(fault.location.position != nil || fault.rule == .emitterRoot)
    }
    #expect(found == [fixture.rule])
  }
}
