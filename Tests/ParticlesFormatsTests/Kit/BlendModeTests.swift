import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct BlendModeTests {
  /// What each format makes of a mode that it lacks: darkening stays darkening, brightening stays
  /// brightening.
  private static let substitutes: [(format: ParticleFormat, mode: BlendMode, written: String)] = [
    (.pixi, .subtract, "\"multiply\""), (.pixiLegacy, .multiplyX2, "\"multiply\""),
    (.phaser, .screen, "\"SCREEN\""), (.phaser, .premultiplied, "\"NORMAL\""),
    (.phaser, .subtract, "\"MULTIPLY\""), (.defold, .multiply, "BLEND_MODE_MULT"),
    (.defold, .replace, "BLEND_MODE_ALPHA"), (.love, .multiplyAlpha, "\"multiply\""),
    (.love, .replace, "\"replace\""), (.quarks, .screen, "\"blending\": 2"),
    (.quarks, .premultiplied, "\"blending\": 1"), (.quarks, .multiplyX2, "\"blending\": 4"),
    (.libGDX, .screen, "additive: true"), (.libGDX, .subtract, "additive: false"),
  ]

  @Test(arguments: substitutes.indices)
  func aModeThatAFormatLacksBecomesTheNearest(_ index: Int) throws {
    let (format, mode, written) = Self.substitutes[index]
    var emitter = Emitter(name: "fire")
    emitter.render.blend = Blend(mode)
    var system = ParticleSystem(name: "Fire", emitters: [emitter])
    system.asset.profile = try #require(format.capabilities).profile
    let exported = try format.export(system, EncodingContext(fileName: "a.x"))
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text.contains(written), "\(format.name): \(text.prefix(2000))")
    // A line reports it, except for the modes that the format has.
    let isKnown =
      (format.name, mode) == (ParticleFormat.phaser.name, .screen)
      || (format.name, mode) == (ParticleFormat.love.name, .replace)
    let lines = exported.losses.filter { $0.loss?.path == "emitters[0].render.blend" }
    #expect(lines.isEmpty == isKnown, "\(format.name): \(lines)")
  }

  @Test func aNumberTakesThePlaceOfANameInPhaserOnly() throws {
    let text = #"{"lifespan": 1000, "frequency": 20, "blendMode": 1}"#
    func blend(_ text: String) throws -> Blend {
      try ParticleFormat.phaser.decode(Array(text.utf8), DecodingContext(fileName: "a.json"))
        .system.emitters[0].render.blend
    }
    #expect(try blend(text) == Blend(.add))
    #expect(try blend(text.replacing("1}", with: "\"screen\"}")) == Blend(.screen))
    #expect(try blend(text.replacing("1}", with: "9}")) == Blend(.alpha))
    // An edit keeps the kind of the value.
    var system = try ParticleFormat.phaser.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json")
    ).system
    system.emitters[0].render.blend = Blend(.multiply)
    let context = EncodingContext(
      fileName: "a.json", source: .init(name: "a.json", bytes: Array(text.utf8)))
    let exported = try ParticleFormat.phaser.export(system, context)
    #expect(
      String(decoding: exported.parts[0].bytes, as: UTF8.self).contains("\"blendMode\": 2"))
  }
}
