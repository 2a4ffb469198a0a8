import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct CocosDecodingTests {
  @Test func everythingExact() throws {
    let (emitter, rules) = try CocosForge.cocos2d([
      ("sourcePositionx", "160"), ("sourcePositiony", "-3.5"), ("sourcePositionVariancex", "-7"),
      ("sourcePositionVariancey", "2"), ("angle", "45"), ("angleVariance", "10"), ("speed", "50"),
      ("speedVariance", "-5"), ("gravityx", "1"), ("gravityy", "-98.1"),
      ("radialAcceleration", "-80"), ("tangentialAcceleration", "3"),
      ("tangentialAccelVariance", "1"), ("startParticleSize", "32"),
      ("startParticleSizeVariance", "4"), ("finishParticleSize", "8"), ("rotationStart", "90"),
      ("rotationEndVariance", "45"), ("startColorRed", "0.5"), ("startColorVarianceRed", "0.25"),
    ])
    #expect(rules.isEmpty)
    #expect(emitter.emission.rate == 50)
    #expect(emitter.emission.maxAlive == 100)
    #expect(emitter.emission.whenFull == .wait)
    #expect(emitter.timing.duration == nil)
    #expect(emitter.lifetime == 2)
    #expect(emitter.transform.translation == Vector(160, -3.5))
    #expect(emitter.shape == .rect(width: 14, height: 4))
    #expect(emitter.launch.direction == Direction(angle: .range(35, 55)))
    #expect(emitter.launch.speed == .range(45, 55))
    #expect(
      emitter.forces == [
        .gravity(Vector(1, -98.1)), Force(.radial, strength: -80),
        Force(.tangential, strength: Track(.range(2, 4))),
      ])
    #expect(emitter.size.width == Track(from: .range(28, 36), to: 8))
    #expect(emitter.size.aspect == .ratio(1))
    #expect(emitter.rotation.angle == Track(from: -90, to: .range(-45, 45)))
    #expect(
      emitter.color.base.from == .range(Color(0.25, 0, 0), Color(0.75, 0, 0)))
    #expect(emitter.color.base.to == .constant(.black))
    #expect(emitter.render.blend == Blend(.add))
    #expect(emitter.space == .world)
  }

  @Test func orbits() throws {
    let (emitter, rules) = try CocosForge.cocos2d([
      ("emitterType", "1.0"), ("angle", "30"), ("maxRadius", "100"), ("maxRadiusVariance", "5"),
      ("minRadius", "20"), ("rotatePerSecond", "90"), ("gravityy", "-100"), ("speed", "7"),
    ])
    #expect(rules.isEmpty)
    let orbit = try #require(emitter.motion.orbit)
    #expect(emitter.motion.mode == .orbit)
    #expect(orbit.angle == 30)
    #expect(orbit.angularVelocity == 90)
    #expect(orbit.radius == Track(from: .range(95, 105), to: 20))
    #expect(orbit.phase180)
    #expect(orbit.center == .birthEmitter)
    // What means nothing in orbits is not taken over.
    #expect(emitter.forces.isEmpty)
    #expect(emitter.launch == Launch())
    let stays = try CocosForge.cocos2d([
      ("emitterType", "1"), ("maxRadius", "50"), ("minRadius", "-1"),
    ])
    #expect(stays.emitter.motion.orbit?.radius == 50)
  }

  @Test func sizesThatStay() throws {
    let size = try CocosForge.cocos2d([
      ("startParticleSize", "10"), ("startParticleSizeVariance", "2"), ("finishParticleSize", "-1"),
    ]).emitter.size
    #expect(size.width == Track(.range(8, 12)))
  }

  @Test func textsAreNumbersToo() throws {
    let bytes = CocosForge.xml(
      """
      <dict><key>maxParticles</key><string> 20 </string><key>particleLifespan</key><string>1.00</string>
      <key>duration</key><string>-1</string><key>positionType</key><string>0</string>
      <key>blendFuncSource</key><real>770.0</real><key>blendFuncDestination</key><real>771.0</real>
      <key>speed</key><true/></dict>
      """)
    let (emitter, rules) = try CocosForge.emitter(bytes, as: .cocos2d)
    #expect(rules.isEmpty)
    #expect(emitter.emission.rate == 20)
    #expect(emitter.launch.speed == 1)
    #expect(emitter.render.blend == Blend(.alpha))
  }

  @Test func keysAreForgiven() throws {
    let (emitter, rules) = try CocosForge.cocos2d([
      ("// angle", ""), ("angle", "10"), ("ANGLE", "20"), ("- rotationEnd", "-30"),
      ("tangentialAcceleration", "5"), ("tangentialAccelVariation", "1"),
    ])
    #expect(emitter.launch.direction.angle == 10)
    #expect(emitter.rotation.angle == Track(from: 0, to: 30))
    #expect(emitter.forces == [Force(.tangential, strength: Track(.range(4, 6)))])
    // The key in capitals.
    #expect(rules == [.uninterpreted])
  }

  @Test func floatsBecomeTheDecimalsThatTheyWere() throws {
    let emitter = try CocosForge.cocos2d([
      ("speed", "276.20999145507812"), ("speedVariance", "0.1299999952316284"),
    ]).emitter
    #expect(emitter.launch.speed == .range(276.08, 276.34))
  }

  // MARK: What has to be assumed

  @Test(arguments: [
    ([("particleLifespan", "0"), ("particleLifespanVariance", "1")], Rule.assumed),
    ([("emissionRate", "7")], .ignoredKey), ([("duration", "-3")], .assumed),
    ([("blendFuncSource", "737")], .assumed), ([("blendFuncDestination", "5")], .assumed),
    ([("emitterType", "2")], .assumed), ([("positionType", "9")], .assumed),
    ([("yCoordFlipped", "-1")], .assumed),
    ([("absolutePosition", "1")], .uninterpreted),
    ([("particleType", "1")], .uninterpreted), ([("speed", "fast")], .emitterValue),
    ([("textureFileName", "nowhere.png")], .missingImage),
    ([("textureImageData", "!")], .embeddedImage),
    ([("rotationIsDir", "1"), ("rotationEndVariance", "1")], .approximated),
  ])
  func findings(changes: [(String, String)], rule: Rule) throws {
    #expect(try CocosForge.cocos2d(changes).rules == [rule])
  }

  @Test func withoutLifespanAllAreBornAtOnce() throws {
    let emitter = try CocosForge.cocos2d([
      ("particleLifespan", "0"), ("particleLifespanVariance", "1"),
    ]).emitter
    #expect(emitter.emission.rate == 0)
    #expect(emitter.emission.minAlive == 100)
    #expect(emitter.lifetime == .range(-1, 1))
  }

  @Test func factorsThatAreNone() throws {
    #expect(
      try CocosForge.cocos2d([("blendFuncSource", "737")]).emitter.render.blend == Blend(.add))
    let bytes = CocosForge.xml(
      """
      <dict><key>maxParticles</key><integer>1</integer><key>particleLifespan</key><real>1</real>
      <key>blendAdditive</key><real>1.0</real></dict>
      """)
    #expect(try CocosForge.emitter(bytes, as: .cocos2d).emitter.render.blend == Blend(.add))
  }

  @Test(arguments: [
    (770, 771, Blend(.alpha)), (774, 771, Blend(.multiplyAlpha)), (1, 769, Blend(.screen)),
    (1, 0, Blend(.replace)), (770, 772, Blend(source: 770, destination: 772)),
    (1, 771, premultiplied(1, 771)), (775, 1, premultiplied(775, 1)),
    (1, 1, premultiplied(1, 1)),
  ])
  func blending(source: Int, destination: Int, blend: Blend) throws {
    let emitter = try CocosForge.cocos2d([
      ("blendFuncSource", "\(source)"), ("blendFuncDestination", "\(destination)"),
    ]).emitter
    #expect(emitter.render.blend == blend)
  }

  static func premultiplied(_ source: Int, _ destination: Int) -> Blend {
    var blend = Blend(source: source, destination: destination)
    blend.premultiply = .always
    return blend
  }

  @Test func colorsAreClamped() throws {
    let color = try CocosForge.cocos2d([("startColorAlpha", "-10")]).emitter.color.base
    #expect(color.from == .constant(Color(0, 0, 0, 0)))
  }

  @Test func cocosReflectsBothAxes() throws {
    let changes = [
      ("yCoordFlipped", "-1"), ("angle", "90"), ("gravityx", "1"), ("gravityy", "2"),
      ("radialAcceleration", "3"), ("tangentialAcceleration", "4"), ("speed", "1"),
    ]
    let emitter = try CocosForge.cocos2d(changes).emitter
    #expect(emitter.launch.direction.angle == 270)
    #expect(
      emitter.forces == [
        .gravity(Vector(-1, -2)), Force(.radial, strength: -3), Force(.tangential, strength: -4),
      ])
    // Solar2D's readers turn y only.
    let json = try CocosForge.emitter(CocosForge.json(changes), as: .particleDesigner).emitter
    #expect(json.launch.direction.angle == -90)
    #expect(
      json.forces == [
        .gravity(Vector(1, -2)), Force(.radial, strength: 3), Force(.tangential, strength: -4),
      ])
  }

  @Test func facingTheWay() throws {
    let rotation = try CocosForge.cocos2d([
      ("rotationIsDir", "true"), ("rotationStart", "10"), ("rotationEnd", "40"),
    ]).emitter.rotation
    #expect(rotation.align == .birth)
    #expect(rotation.angle == Track(from: 0, to: -30))
  }

  @Test func theBagKeepsKeysTypesAndTexts() throws {
    let imported = try ParticleFormat.cocos2d.decode(
      CocosForge.propertyList([("speed", "7.50"), ("note", "by hand")]),
      DecodingContext(fileName: "a.plist"))
    let source = imported.system.extensions[ParticleSystem.sourceExtension]?.object
    let bag = try #require(source?["bag"]?.object)
    #expect(source?["encoding"] == ["container": "xml"])
    #expect(bag["speed"]?.object?["t"] == "f64")
    #expect(bag["speed"]?.object?["v"]?.text == "7.50\n")
    #expect(bag["note"] == ["t": "s", "v": "by hand"])
    #expect(bag["maxParticles"]?.object?["t"] == "i")
  }

  @Test func namesOfEmitters() throws {
    #expect(try CocosForge.cocos2d([]).emitter.name == "test")
    #expect(try CocosForge.cocos2d([("configName", "Blaze")]).emitter.name == "Blaze")
  }
}
