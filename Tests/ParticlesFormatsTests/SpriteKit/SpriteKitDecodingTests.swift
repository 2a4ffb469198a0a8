import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SpriteKitDecodingTests {
  @Test func nothingSaidIsAnEmitterThatEmitsNothing() throws {
    let (emitter, rules) = try decodeSpriteKitEmitter()
    #expect(rules.isEmpty)
    #expect(emitter.name == "test")
    #expect(emitter.space == .local)
    #expect(emitter.emission == Emission())
    #expect(emitter.lifetime == 0)
    #expect(emitter.shape == Shape())
    #expect(emitter.launch.direction == Direction(angle: 0))
    #expect(emitter.render.sort == .youngestFirst)
  }

  @Test func numbersStandInlineOrBehindAReference() throws {
    for number in [ForgedValue.real(5), .boxed(.real(5)), .int(5), .boxed(.int(5))] {
      let (emitter, rules) = try decodeSpriteKitEmitter(.init("_birthrate", number))
      #expect(emitter.emission.rate == 5)
      #expect(rules.isEmpty)
    }
  }

  @Test func propertiesMayHaveTheirPublicNames() throws {
    let (emitter, rules) = try decodeSpriteKitEmitter(
      .init("particleBirthRate", .real(7)), .init("particleLifetime", .real(2)),
      .init("particleLifetimeRange", .real(1)), .init("xAcceleration", .real(3)),
      .init("yAcceleration", .real(-4)), .init("particleColor", SpriteKitForge.color("1 0.5 0")),
      .init("particleColorBlendFactor", .real(1)))
    #expect(emitter.emission.rate == 7)
    #expect(emitter.lifetime == .range(1.5, 2.5))
    #expect(emitter.forces.first?.vector == VectorTrack(Vector(3, -4)))
    #expect(emitter.color.base == ColorTrack(.constant(Color(1, 0.5, 0))))
    #expect(rules.isEmpty)
  }

  @Test func births() throws {
    let (emitter, _) = try decodeSpriteKitEmitter(
      .init("_numParticlesToEmit", .boxed(.int(30))),
      .init("_startPosition", .string("{1, -2}")),
      .init("_startPositionVariance", .string("{50, 0}")))
    #expect(emitter.emission.total == 30)
    #expect(emitter.shape.kind == .rect)
    #expect(emitter.shape.size == Vector(50, 0))
    #expect(emitter.shape.transform.translation == Vector(1, -2))
  }

  @Test(arguments: ["{1,2}", "{ 1 , 2 }", "{1, 2}"]) func pairsAreReadAsTheyCome(text: String)
    throws
  {
    for value in [ForgedValue.string(text), .inline(.string(text)), SpriteKitForge.point(text)] {
      let (emitter, rules) = try decodeSpriteKitEmitter(.init("_acceleration", value))
      #expect(emitter.forces.first?.vector == VectorTrack(Vector(1, 2)))
      #expect(emitter.forces.first?.space == .local)
      #expect(rules.isEmpty)
    }
  }

  @Test(arguments: ["", "{1}", "{1, x}", "{1, 2, 3}", "{nan, 0}", "{1e99, 0}"])
  func whatIsNoPairIsReported(text: String) throws {
    let (emitter, rules) = try decodeSpriteKitEmitter(.init("_acceleration", .string(text)))
    #expect(emitter.forces.isEmpty)
    #expect(rules == [.archiveValue])
  }

  @Test func aNegativeZeroIsNoForce() throws {
    let (emitter, _) = try decodeSpriteKitEmitter(.init("_acceleration", .string("{0, -0}")))
    #expect(emitter.forces.isEmpty)
  }

  /// Degrees that give this angle as a 32-bit float, with as few digits as that takes.
  @Test(
    arguments: [
      (Float(Double.pi / 2), 90), (Float(1.5 * Double.pi), 270), (Float(Double.pi / 6), 30),
      (0, 0), (Float(-Double.pi), -180), (Float(Double.pi / 180), 1),
    ] as [(Float, Double)])
  func anglesAreDegrees(radians: Float, degrees: Double) throws {
    let (emitter, _) = try decodeSpriteKitEmitter(
      .init("_emissionAngle", .real(Double(radians))))
    #expect(emitter.launch.direction.angle == .constant(degrees))
  }

  @Test func anyAngleComesBackAsTheSameFloat() throws {
    var random = UInt64(7)
    for _ in 0..<2000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let radians = Float(Int64(bitPattern: random) >> 40) / Float(1 << 20)
      let degrees = Angle.degrees(Double(radians))
      #expect(Float(Angle.radians(degrees)) == radians)
      #expect(degrees.description.utf8.count <= 14, "\(degrees)")
    }
  }

  @Test func aSpreadOfMoreThanAllAroundIsAllAround() throws {
    let (emitter, rules) = try decodeSpriteKitEmitter(.init("_emissionAngleVariance", .real(6.29)))
    #expect(emitter.launch.spread == 180)
    #expect(rules == [.approximated])
  }

  @Test func rotation() throws {
    let (emitter, _) = try decodeSpriteKitEmitter(
      .init("_startRotation", .real(Double(Float(Double.pi / 2)))),
      .init("_startRotationVariance", .real(Double(Float(Double.pi)))),
      .init("_rotationSpeed", .real(Double(Float(Double.pi)))))
    #expect(emitter.rotation.angle == Track(.range(0, 180)))
    #expect(emitter.rotation.velocity == 180)
  }

  // MARK: Numbers from 0 to 1

  @Test func opacityIsClampedOnlyIfItHasTo() throws {
    func opacity(_ start: Double, _ range: Double, _ speed: Double) throws -> Track {
      try decodeSpriteKitEmitter(
        .init("_lifetime", .real(2)), .init("_startOpacity", .real(start)),
        .init("_startOpacityVariance", .real(range)), .init("_opacitySpeed", .real(speed))
      ).emitter.color.opacity
    }
    #expect(try opacity(0.5, 0.5, 0) == Track(.range(0.25, 0.75)))
    #expect(try opacity(1, 0, -0.5) == Track(from: 1, rate: -0.5))
    #expect(try opacity(1, 0, -0.6).range == .unit)
    #expect(try opacity(0.5, 0, 0.3).range == .unit)
    #expect(try opacity(9.19, 0, 0) == with(Track(from: 9.19)) { $0.range = .unit })
    #expect(try opacity(1, 0.5, 0).range == .unit)
  }

  /// A track with a change.
  private func with(_ track: Track, _ change: (inout Track) -> Void) -> Track {
    var track = track
    change(&track)
    return track
  }

  // MARK: Colour

  @Test func aColourOfAPartCountsInPart() throws {
    func base(_ mix: Double) throws -> (ColorTrack, [Rule]) {
      let (emitter, rules) = try decodeSpriteKitEmitter(
        .init("_startColorR", .real(1)), .init("_startColorA", .real(0.5)),
        .init("_startColorMix", .real(mix)))
      return (emitter.color.base, rules)
    }
    #expect(try base(1) == (ColorTrack(.constant(Color(1, 0, 0, 0.5))), []))
    #expect(try base(0) == (ColorTrack(.constant(Color(1, 0, 0, 1))), []))
    #expect(try base(0.5) == (ColorTrack(.constant(Color(1, 0, 0, 0.75))), [.assumed]))
  }

  @Test func channelsVaryAndChangeByThemselves() throws {
    let (emitter, _) = try decodeSpriteKitEmitter(
      .init("_startColorMix", .real(1)), .init("_startColorR", .real(0.5)),
      .init("_startColorA", .real(1)), .init("_startColorVarianceR", .real(0.5)),
      .init("_colorSpeedB", .real(0.25)))
    var expected = ColorTrack(.range(Color(0.25, 0, 0), Color(0.75, 0, 0)))
    expected.rate = ColorRate(0, 0, 0.25, 0)
    #expect(emitter.color.base == expected)
  }

  @Test func aSequenceStandsInThePlaceOfTheColourAtBirth() throws {
    let colors = [SpriteKitForge.color("1 0 0"), SpriteKitForge.color("0 0 1 0")]
    let (emitter, rules) = try decodeSpriteKitEmitter(
      .init("_startColorMix", .real(1)), .init("_startColorG", .real(1)),
      .init("_particleColorSequence", SpriteKitForge.sequence([0, 0.5], colors)))
    #expect(
      emitter.color.base
        == ColorTrack(
          gradient: Gradient([
            GradientKey(0, Color(1, 0, 0)), GradientKey(0.5, Color(0, 0, 1, 0)),
          ])))
    #expect(rules.isEmpty)
  }

  @Test func aSequenceOfOneKeyIsAColour() throws {
    let (emitter, _) = try decodeSpriteKitEmitter(
      .init("_startColorMix", .real(1)),
      .init(
        "_particleColorSequence",
        SpriteKitForge.sequence([0.3], [SpriteKitForge.color("0.2 0.4 0.6")])))
    #expect(emitter.color.base == ColorTrack(.constant(Color(0.2, 0.4, 0.6))))
  }

  // MARK: Sequences

  @Test func sequencesOfNumbersAreCurves() throws {
    let numbers = [0.0, 1, 0.5].map { ForgedValue.boxed(.real($0)) }
    func sequence(_ mode: Int) -> ForgedValue {
      SpriteKitForge.sequence([0, 0.5, 1], numbers, .init("_interpolationMode", .int(mode)))
    }
    let (emitter, rules) = try decodeSpriteKitEmitter(
      .init("_startScale", .real(7)), .init("_particleScaleSequence", sequence(1)),
      .init("_particleAlphaSequence", sequence(3)),
      .init("_particleRotationSequence", sequence(2)),
      .init("_rotationSpeed", .real(1)))
    let keys = [CurveKey(0, 0), CurveKey(0.5, 1), CurveKey(1, 0.5)]
    #expect(emitter.color.opacity == Track(from: 0, to: 1, curve: Curve(keys, .step)))
    let sizes = [CurveKey(0, 0), CurveKey(0.5, 10), CurveKey(1, 5)]
    #expect(emitter.size.width == Track(from: 0, to: 1, curve: Curve(sizes)))
    #expect(emitter.rotation.angle.curve.interpolation == .cubic)
    #expect(emitter.rotation.velocity == 0)
    #expect(rules == [.assumed])
  }

  @Test func keysOutOfOrderAreSorted() throws {
    let (emitter, rules) = try decodeSpriteKitEmitter(
      .init(
        "_particleAlphaSequence",
        SpriteKitForge.sequence([1, 0], [.boxed(.real(0)), .boxed(.real(1))])))
    #expect(emitter.color.opacity.curve == Curve([CurveKey(0, 1), CurveKey(1, 0)]))
    #expect(rules == [.approximated])
  }

  @Test func sequencesThatMakeNoSenseAreReported() throws {
    let broken: [ForgedValue] = [
      SpriteKitForge.sequence([0], []), SpriteKitForge.sequence([0, 1], [.boxed(.real(1))]),
      SpriteKitForge.sequence([0], [.string("x")]), .object(["NSObject"], []), .int(3),
    ]
    for sequence in broken.dropFirst() {
      let (emitter, rules) = try decodeSpriteKitEmitter(
        .init("_particleAlphaSequence", sequence))
      #expect(emitter.color.opacity == 1)
      #expect(rules == [.archiveValue])
    }
  }

  // MARK: Size and image

  private static func png(_ width: Int, _ height: Int) throws -> [UInt8] {
    try PNG.encode(Bitmap(width: width, height: height))
  }

  @Test func imagesAreFoundAsSpriteKitFindsThem() throws {
    let png = try Self.png(8, 4)
    let cases: [(name: String, file: String, scale: Double)] = [
      ("spark", "spark.png", 1), ("spark.png", "spark.png", 1), ("spark", "spark@2x.png", 2),
      ("spark.png", "spark@2x.png", 2), ("spark", "spark@3x.png", 3), ("a.b", "a.b.png", 1),
      ("spark", "spark.jpg", 1),
    ]
    for (name, file, scale) in cases {
      let imported = try decodeSpriteKit(
        SpriteKitForge.emitter([
          .init("_startScale", .real(0.5)),
          .init("_particleTexture", SpriteKitForge.texture(name)),
        ]), images: [file: png])
      let emitter = try #require(imported.system.emitters.first)
      #expect(imported.system.images.map(\.uri) == ["Images/\(file)"])
      #expect(imported.system.sprites.map(\.scale) == [scale])
      #expect(emitter.sprites == [0])
      #expect(emitter.size.mode == .textureScale)
      #expect(emitter.size.width == 0.5)
      #expect(imported.diagnostics.isEmpty)
    }
  }

  @Test func pointsAreKnownFromTheEditorToo() throws {
    func size(_ text: String) -> ForgedValue { .string(text) }
    let texture = SpriteKitForge.texture(
      "spark", .init("_size", size("{4, 2}")), .init("_pixelSize", size("{8, 4}")),
      .init("_filteringMode", .int(0)), .init("_textRect", size("{{0, 0.5}, {0.5, 0.5}}")))
    let imported = try decodeSpriteKit(
      SpriteKitForge.emitter([.init("_particleTexture", texture)]),
      images: ["spark.png": try Self.png(8, 4)])
    var sprite = Sprite(image: 0, region: Rectangle(x: 0, y: 0, width: 4, height: 2))
    sprite.scale = 2
    sprite.filter = .nearest
    #expect(imported.system.sprites == [sprite])
  }

  @Test(arguments: ["{{5, 0}, {1, 1}}", "{{0, 0.5}, {1, 1}}", "{{-1, 0}, {1, 1}}"])
  func aPartOutsideOfTheImageIsReported(part: String) throws {
    let imported = try decodeSpriteKit(
      SpriteKitForge.emitter([
        .init(
          "_particleTexture", SpriteKitForge.texture("spark", .init("_textRect", .string(part))))
      ]), images: ["spark.png": try Self.png(8, 4)])
    #expect(imported.system.sprites == [Sprite(image: 0)])
    #expect(imported.diagnostics.map(\.rule) == [.archiveValue])
  }

  @Test func anImageThatNobodyHasLeavesItsSize() throws {
    let imported = try decodeSpriteKit(
      SpriteKitForge.emitter([
        .init("_startScale", .real(0.5)),
        .init(
          "_particleTexture",
          SpriteKitForge.texture("spark", .init("_size", .string("{64, 32}")))),
      ]))
    let emitter = try #require(imported.system.emitters.first)
    #expect(emitter.size.mode == .textureScale)
    #expect(emitter.size.width == 0.5)
    let image = try #require(imported.system.images.first)
    #expect((image.name, image.uri) == ("spark", "Images/spark"))
    #expect((image.width, image.height) == (64, 32))
    #expect(imported.diagnostics.map(\.rule) == [.missingImage])
  }

  @Test func withoutImageAndSizeASizeIsAssumed() throws {
    let imported = try decodeSpriteKit(SpriteKitForge.emitter([]))
    #expect(imported.system.emitters.first?.size.width == 32)
    #expect(imported.diagnostics.map(\.rule) == [.assumed])
  }

  // MARK: What has no home

  @Test func whatSaysSomethingIsKeptAndReported() throws {
    let imported = try decodeSpriteKit(
      SpriteKitForge.emitter([
        .init("_startSize", .string("{10, 10}")), .init("_emissionDistance", .real(3)),
        .init("_shader", .object(["SKShader", "NSObject"], [])), .init("_opacity", .real(0.5)),
        .init("_userData", .null), .init("_constraints", .array([])), .init("_xRotation", .real(0)),
        .init("_paused", .bool(true)), .init("_orderAdded", .real(2)),
      ]))
    #expect(
      imported.diagnostics.map(\.location.description)
        == ["_emissionDistance", "_shader", "_opacity"])
    #expect(imported.diagnostics.allSatisfy { $0.rule == .uninterpreted })
    let source = imported.system.extensions[ParticleSystem.sourceExtension]?.object
    let bag = try #require(source?["bag"]?.object)
    #expect(bag.members.map(\.key) == ["_emissionDistance", "_shader", "_opacity"])
    #expect(bag["_emissionDistance"] == ["t": "f64", "v": .double(3)])
  }
}
