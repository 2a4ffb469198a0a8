import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SceneKitFixtureTests {
  @Test func fixturesAreWhatTheForgeMakes() throws {
    #expect(try Fixture.matches("scenekit/ember.scnp", SceneKitForge.ember))
    #expect(try Fixture.matches("scenekit/ember.particles", SceneKitForge.ember))
    #expect(try Fixture.matches("scenekit/ember-c3d.scnp", SceneKitForge.emberC3D))
    for fixture in Self.broken {
      #expect(try Fixture.matches("rules/\(fixture.rule.code).scnp", fixture.bytes))
    }
  }

  @Test(arguments: ["ember.scnp", "ember.particles", "ember-c3d.scnp"])
  func embersImport(name: String) throws {
    let imported = try Self.load("scenekit/\(name)")
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.system.diagnostics().isEmpty)
    #expect(imported.sourcePath == "Source/original.\(Files.pathExtension(of: name))")
    #expect(imported.system.asset.name == Files.stem(of: name))
    #expect(imported.images.keys.sorted() == ["Images/ember.png"])
    #expect(imported.system.images.first?.width == 16)
    #expect(imported.system.images.first?.mimeType == "image/png")
    #expect(try ParticleSystem(decoding: imported.system.encoded()) == imported.system)
  }

  @Test func bothEncodingsOfCurvesSayTheSame() throws {
    var a = try #require(try Self.load("scenekit/ember.scnp").system.emitters.first)
    let b = try #require(try Self.load("scenekit/ember-c3d.scnp").system.emitters.first)
    a.name = b.name
    #expect(a == b)
  }

  // MARK: Broken ones

  struct Broken: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var bytes: [UInt8]
    var testDescription: String { rule.code }
  }

  /// A file for each rule that reading can break, with that fault and no other.
  static let broken: [Broken] = [
    Broken(rule: .plist, bytes: rootOutside(SceneKitForge.archive())),
    Broken(
      rule: .keyedArchive,
      bytes: ArchiveForge.file(root: .uid(7), objects: [.string("$null"), .int(1)])),
    Broken(
      rule: .archiveRoot,
      bytes: ArchiveForge.archive(.object(["SKEmitterNode", "SKNode", "NSObject"], []))),
    Broken(
      rule: .archiveValue, bytes: SceneKitForge.archive(.init("birthRate", .string("many")))),
    Broken(rule: .unknownFormat, bytes: Array("This is no particle system.\n".utf8)),
    Broken(
      rule: .approximated,
      bytes: SceneKitForge.archive(.init("emissionDurationVariation", .real(0.5)))),
    Broken(rule: .assumed, bytes: SceneKitForge.archive(.init("warmupDuration", .real(-0.5)))),
    Broken(rule: .uninterpreted, bytes: SceneKitForge.archive(.init("renderingMode", .int(1)))),
    Broken(
      rule: .missingImage,
      bytes: SceneKitForge.archive(
        .init("particleImage", SceneKitForge.image("/Users/somebody/nowhere.png")))),
  ]

  /// The archive with a trailer that names a missing root.
  private static func rootOutside(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - 9] = 0xFF
    bytes[bytes.count - 10] = 0xFF
    return bytes
  }

  @Test(arguments: broken) func eachBreaksItsRuleOnly(fixture: Broken) throws {
    let found: [Rule]
    do {
      found = try Self.load("rules/\(fixture.rule.code).scnp").diagnostics.map(\.rule)
    } catch let fault as Diagnostic {
      found = [fault.rule]
    }
    #expect(found == [fixture.rule])
  }

  static func load(_ name: String) throws -> Imported {
    let bytes = try Fixture.read(name)
    let fileName = Files.lastComponent(of: name)
    let format = try FormatRegistry.standard.recognising(bytes, fileName: fileName)
    let finder = ImageFinder(besides: Fixture.path(name))
    return try format.decode(bytes, DecodingContext(fileName: fileName, findImage: finder.find))
  }
}
