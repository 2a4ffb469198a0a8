import ParticlesPropertyLists
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct StarlingTests {
  private func read(_ elements: String) throws -> (emitter: Emitter, rules: [Rule]) {
    try CocosForge.emitter(CocosForge.starling(elements), as: .starling)
  }

  @Test func yPointsDown() throws {
    let (emitter, rules) = try read(
      """
      <sourcePosition x="10" y="20"/><sourcePositionVariance x="3" y="4"/>
      <angle value="270"/><angleVariance value="15"/><speed value="9"/>
      <gravity x="1" y="2"/><radialAcceleration value="3"/><tangentialAcceleration value="4"/>
      <rotationStart value="30"/><startParticleSize value="8"/>
      """)
    #expect(rules.isEmpty)
    #expect(emitter.transform.translation == .zero)
    #expect(emitter.shape == .rect(width: 6, height: 8))
    #expect(emitter.launch.direction.angle == .range(-285, -255))
    #expect(
      emitter.forces == [
        .gravity(Vector(1, -2)), Force(.radial, strength: 3), Force(.tangential, strength: -4),
      ])
    #expect(emitter.rotation.angle == Track(from: -30, to: 0))
    #expect(emitter.size.aspect == .sprite)
    #expect(emitter.emission.rate == 50)
    #expect(emitter.emission.whenFull == .spread)
  }

  @Test func starlingDoesNotReadTheFlag() throws {
    let (emitter, rules) = try read(
      #"<yCoordFlipped value="1"/><angle value="270"/><gravity x="1" y="2"/>"#)
    #expect(rules == [.ignoredKey])
    #expect(emitter.launch.direction.angle == -270)
    #expect(emitter.forces == [.gravity(Vector(1, -2))])
  }

  @Test func orbits() throws {
    let emitter = try read(
      """
      <emitterType value="1"/><angle value="30"/><rotatePerSecond value="90"/>
      <maxRadius value="100"/><minRadius value="-1"/>
      """
    ).emitter
    let orbit = try #require(emitter.motion.orbit)
    #expect(orbit.angle == -30)
    #expect(orbit.angularVelocity == -90)
    #expect(orbit.radius == Track(from: 100, to: -1))
    #expect(orbit.center == .emitter)
  }

  @Test func spellingsOfOtherPrograms() throws {
    let emitter = try read(
      #"<FinishParticleSizeVariance value="2"/><finishParticleSize value="9"/>"#
    ).emitter
    #expect(emitter.size.width == Track(from: 0.1, to: .range(7, 11)))
    let text = String(decoding: CocosForge.starling(), as: UTF8.self)
    let lanica = text.replacing("particleEmitterConfig", with: "lanicaAnimoParticles")
    let format = try FormatRegistry.standard.recognising(Array(lanica.utf8), fileName: "x")
    #expect(format.name == "starling")
    _ = try CocosForge.emitter(Array(lanica.utf8), as: .starling)
  }

  @Test func lifeIsNeverZero() throws {
    let text = String(decoding: CocosForge.starling(), as: UTF8.self)
    let (emitter, rules) = try CocosForge.emitter(
      Array(text.replacing(#"value="2.0""#, with: #"value="0""#).utf8), as: .starling)
    #expect(rules == [.assumed])
    #expect(emitter.lifetime == 0.01)
    #expect(emitter.emission.rate == 10000)
  }

  @Test("a lifespan that is no number is 0, which Starling replaces")
  func noNumber() throws {
    let text = String(decoding: CocosForge.starling(), as: UTF8.self)
    let imported = try ParticleFormat.starling.decode(
      Array(text.replacing(#"value="2.0""#, with: #"value="long""#).utf8),
      DecodingContext(fileName: "a.pex"))
    #expect(imported.system.emitters[0].lifetime == 0.01)
    let lines = imported.diagnostics.filter { $0.rule == .assumed }
    #expect(lines.map(\.found) == ["0"], "\(imported.diagnostics)")
  }

  @Test func whatIsNotOursStays() throws {
    let bytes = CocosForge.starling(
      #"<speed value="1.00" unit="px"/><other a="b"><inner/></other>"#)
    let imported = try ParticleFormat.starling.decode(bytes, DecodingContext(fileName: "a.pex"))
    #expect(Set(imported.diagnostics.map(\.location)) == [.key("speedUnit"), .key("otherA")])
    var package = try imported.package()
    var system = imported.system
    system.emitters[0].launch.speed = 2
    try package.setSystem(system)
    let root = try XMLParser.parse(
      package.exported(as: .starling, fileName: "a.pex").parts[0].bytes)
    let speed = try #require(root.children.first { $0.name == "speed" })
    #expect(speed.attributes.map(\.value) == ["2", "px"])
    #expect(root.children.last?.children.map(\.name) == ["inner"])
    let old = try XMLParser.parse(bytes)
    #expect(root.children.map(\.name) == old.children.map(\.name))
  }
}
