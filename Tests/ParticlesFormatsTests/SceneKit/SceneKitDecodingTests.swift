import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SceneKitDecodingTests {
  private func decode(_ changes: ForgedValue.Entry...) throws -> Imported {
    try decodeSceneKit(SceneKitForge.system(changes))
  }

  /// The only emitter, and the rules of its findings.
  private func emitter(_ changes: ForgedValue.Entry...) throws -> (Emitter, [Rule]) {
    try decodeSceneKitEmitter(changes)
  }

  @Test func defaultsSayLittle() throws {
    let imported = try decode()
    #expect(imported.diagnostics.isEmpty)
    #expect(imported.system.asset.profile == .sceneKit)
    #expect(imported.system.asset.dimension == .space)
    #expect(imported.system.asset.unit == .unit)
    var expected = Emitter(name: "test")
    expected.timing.duration = 1
    expected.timing.loop = true
    expected.emission.rate = 1
    expected.launch.direction = Direction(vector: Vector(0, 0, 1))
    expected.size.aspect = .ratio(1)
    expected.render.blend = Blend(.add)
    expected.render.sort = .none
    #expect(imported.system.emitters == [expected])
  }

  // MARK: Emission

  @Test func birthsAreCountedByPeriod() throws {
    let (emitter, rules) = try emitter(
      .init("birthRate", .real(30)), .init("birthRateVariation", .real(10)),
      .init("emissionDuration", .real(0.5)), .init("idleDuration", .real(2)),
      .init("loops", .bool(false)))
    #expect(rules.isEmpty)
    #expect(emitter.emission.rate == .range(50, 70, scope: .cycle))
    #expect(emitter.timing.duration == 0.5)
    #expect(emitter.timing.idle == 2)
    #expect(!emitter.timing.loop)
  }

  @Test func aPeriodOfNoLengthIsABurst() throws {
    let (emitter, rules) = try emitter(
      .init("birthRate", .real(30)), .init("emissionDuration", .real(0)),
      .init("loops", .bool(false)))
    #expect(rules.isEmpty)
    #expect(emitter.emission.rate == 0)
    #expect(emitter.emission.bursts == [Burst(count: 30)])
    #expect(emitter.timing.duration == 0)
    let again = try self.emitter(.init("emissionDuration", .real(0)))
    #expect(again.1 == [.assumed])
    #expect(again.0.timing.idle != 0)
  }

  @Test func negativeWarmUpIsADelay() throws {
    let (emitter, rules) = try emitter(.init("warmupDuration", .real(-0.6)))
    #expect(emitter.timing.prewarm == 0)
    #expect(emitter.timing.delay == 0.6)
    #expect(rules == [.assumed])
  }

  @Test func variationIsAFullWidth() throws {
    let (emitter, _) = try emitter(
      .init("particleLifeSpan", .real(2.5)), .init("particleLifeSpanVariation", .real(0.5)),
      .init("particleVelocity", .real(0.3)), .init("particleVelocityVariation", .real(0.2)))
    #expect(emitter.lifetime == .range(2.25, 2.75))
    #expect(emitter.launch.speed == .range(0.2, 0.4))
  }

  @Test func garbageAndFloatsAreTidied() throws {
    let (emitter, rules) = try emitter(
      .init("particleAngularVelocity", .real(1.175_494_350_822_287_5e-38)),
      .init("particleBounce", .real(0.699_999_988_079_071)))
    #expect(emitter.rotation.velocity == 0)
    #expect(emitter.physics.bounce == 0.7)
    #expect(rules.isEmpty)
  }

  @Test func directionsHaveALength() throws {
    #expect(
      try emitter(.init("emittingDirection", .vector(0, 1.1, 0))).0.launch.direction.vector == .up)
    #expect(
      try emitter(.init("emittingDirection", .vector(0, 0, 0))).0.launch.direction.vector
        == Vector(0, 0, 1))
    let short = try emitter(.init("emittingDirection", .inline(.data([1, 2, 3]))))
    #expect(short.1 == [.archiveValue])
    #expect(try emitter(.init("birthDirection", .int(1))).0.launch.direction.mode == .normal)
    #expect(try emitter(.init("birthDirection", .int(2))).0.launch.direction.mode == .random)
    #expect(try emitter(.init("birthDirection", .int(3))).1 == [.archiveValue])
    #expect(try emitter(.init("spreadingAngle", .real(30))).0.launch.spread == 15)
  }

  @Test func forces() throws {
    let (emitter, rules) = try emitter(
      .init("acceleration", .vector(0, -2, 0)), .init("dampingFactor", .real(5)),
      .init("affectedByGravity", .bool(true)), .init("affectedByPhysicsFields", .bool(true)))
    #expect(
      emitter.forces == [.gravity(Vector(0, -2)), .drag(.perFrame60, strength: .constant(0.05))])
    #expect(emitter.physics.sceneGravity)
    #expect(emitter.physics.fieldMask == 0xFFFF_FFFF)
    #expect(rules == [.assumed])
  }

  // MARK: Looks

  @Test func olderFilesHaveAnotherKeyForTheAngle() throws {
    var system = SceneKitForge.system([
      .init("particleInitialAngle", .real(10)), .init("particleInitialAngleVariation", .real(4)),
    ])
    guard case .object(let classes, var entries) = system else { return }
    entries.removeAll { ["particleAngle", "particleAngleVariation"].contains($0.key) }
    system = .object(classes, entries)
    let imported = try decodeSceneKit(system)
    #expect(imported.system.emitters.first?.rotation.angle == Track(.range(8, 12)))
    #expect(imported.diagnostics.isEmpty)
  }

  @Test(arguments: [(Float(180), 90.0), (0.25, 45), (360, 180), (1, 180)])
  func hueVariesInDegreesOrTurns(width: Float, half: Double) throws {
    let (emitter, _) = try emitter(
      .init("particleColor", SceneKitForge.color("1 0 0")),
      .init("particleColorVariation", .vector(width, 0.5, 0, 0)))
    let jitter = ColorJitter(hue: half, saturation: 0.25, brightness: 0, alpha: 0)
    #expect(
      emitter.color.base == ColorTrack(.varied(.init(Color(1, 0, 0), jitter: jitter))))
  }

  @Test func framesOfTheImage() throws {
    let (emitter, _) = try emitter(
      .init("imageSequenceColumnCount", .int(4)), .init("imageSequenceRowCount", .int(2)),
      .init("imageSequenceInitialFrame", .real(3)),
      .init("imageSequenceInitialFrameVariation", .real(2)),
      .init("imageSequenceFrameRate", .real(12)), .init("imageSequenceAnimationMode", .int(2)))
    let flipbook = try #require(emitter.flipbook)
    #expect(flipbook.start == .range(2, 4))
    #expect(flipbook.fps == .fixed(12))
    #expect(flipbook.mode == .pingpong)
    #expect(flipbook.crossfade)
  }

  @Test func waysToBeDrawn() throws {
    let modes: [BlendMode] = [.add, .subtract, .multiply, .screen, .alpha, .replace]
    for (number, mode) in modes.enumerated() {
      #expect(try emitter(.init("blendMode", .int(number))).0.render.blend.mode == mode)
    }
    let sorts: [SortMode] = [.none, .depth, .distance, .oldestFirst, .youngestFirst]
    for (number, sort) in sorts.enumerated() {
      #expect(try emitter(.init("sortingMode", .int(number))).0.render.sort == sort)
    }
    let billboards: [Billboard] = [.screen, .view, .free, .axisY]
    for (number, billboard) in billboards.enumerated() {
      #expect(
        try emitter(.init("orientationMode", .int(number))).0.render.billboard == billboard)
    }
  }

  // MARK: Shapes

  private func shape(_ name: String, _ entries: [String: Double]) throws -> (Shape, [Rule]) {
    let (emitter, rules) = try emitter(
      .init("birthLocation", .int(1)),
      .init(
        "emitterShape",
        .object(
          [name, "SCNGeometry", "NSObject"],
          entries.sorted { $0.key < $1.key }.map { .init($0.key, .real($0.value)) })))
    return (emitter.shape, rules)
  }

  @Test func shapes() throws {
    let plane = try shape("SCNPlane", ["width": 3, "height": 1, "widthSegmentCount": 2])
    #expect(plane == (.rect(width: 3, height: 1), []))
    let box = try shape("SCNBox", ["boxwidth": 1, "boxheight": 2, "boxlength": 3])
    #expect(box == (.box(Vector(1, 2, 3)), []))
    #expect(try shape("SCNSphere", ["sphereradius": 2]) == (.sphere(radius: 2), []))
    let tube = try shape("SCNTube", ["tubeouterRadius": 2, "tubeInnerRadius": 1, "tubeheight": 3])
    #expect(tube.0.kind == .tube)
    #expect(tube.0.inner == 0.5)
    #expect(tube.0.height == 3)
    let cone = try shape("SCNCone", ["conetopRadius": 0, "conebottomRadius": 1, "coneheight": 1])
    #expect(cone.0.angle == -45)
    #expect(cone.0.transform.translation == Vector(0, -0.5))
    let torus = try shape("SCNTorus", ["torusringRadius": 2, "toruspipeRadius": 0.5])
    #expect(torus.0.radius == 2)
    #expect(torus.0.pipe == 0.5)
    #expect(try shape("SCNPyramid", ["pyramidwidth": 1]).1 == [.approximated])
    #expect(try shape("SCNBox", ["boxchamferRadius": 1]).1 == [.approximated])
    #expect(try shape("SCNBox", ["boxmystery": 1]).1 == [.uninterpreted])
    #expect(try shape("SCNBox", ["boxwidth": -1]).1 == [.archiveValue])
    #expect(try shape("SCNGeometry", [:]) == (Shape(), [.uninterpreted]))
  }

  // MARK: Nested systems

  @Test func spawnedSystemsBecomeEmitters() throws {
    let spark = SceneKitForge.system([.init("birthRate", .real(5))])
    let imported = try decode(
      .init("systemSpawnedOnDying", spark), .init("systemSpawnedOnLiving", spark))
    let system = imported.system
    #expect(system.emitters.count == 3)
    #expect(system.emitters[0].triggers.map(\.event) == [.death, .frame])
    #expect(system.emitters[0].triggers.map(\.emitter) == [1, 2])
    #expect(system.startingEmitters == [0])
    #expect(system.emitters[1].extensions["PTX_source"] != nil)
    #expect(imported.diagnostics.isEmpty)
  }

  @Test func systemsThatSpawnThemselvesComeToAnEnd() throws {
    let system = ForgedPropertyList.dictionary([
      .init("birthRate", .real(1)), .init("systemSpawnedOnDying", .uid(1)),
      .init("$class", .uid(2)),
    ])
    let record = ForgedPropertyList.dictionary([
      .init("$classname", .string("SCNParticleSystem")),
      .init("$classes", .array([.string("SCNParticleSystem")])),
    ])
    let imported = try ParticleFormat.sceneKit.decode(
      ArchiveForge.file(root: .uid(1), objects: [.string("$null"), system, record]),
      DecodingContext(fileName: "loop.scnp"))
    #expect(imported.system.emitters.count == 1)
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
  }

  @Test func spawningHasALimit() throws {
    var system = SceneKitForge.system([])
    for _ in 0..<12 { system = SceneKitForge.system([.init("systemSpawnedOnDying", system)]) }
    let imported = try decodeSceneKit(system)
    #expect(imported.system.emitters.count == 9)
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
  }

  // MARK: The source

  @Test func everyKeyIsInTheBag() throws {
    let imported = try decode(.init("newInNextYear", .real(2)), .init("gone", .null))
    let source = try #require(imported.system.extensions["PTX_source"]?.object)
    #expect(source["format"] == "scenekit")
    #expect(source["file"] == "Source/original.scnp")
    let bag = try #require(source["bag"]?.object)
    #expect(bag["newInNextYear"] == ["t": "f64", "v": .double(2)])
    #expect(bag["loops"] == ["t": "b", "v": .bool(true)])
    #expect(bag["gone"] == ["t": "nil"])
    #expect(bag["acceleration"] == ["t": "d", "v": "AAAAAAAAAAAAAAAA"])
    #expect(imported.diagnostics.map(\.rule) == [.uninterpreted])
    #expect(imported.diagnostics.first?.location == .key("newInNextYear"))
  }

  @Test func findingsHaveALimitThatIsNamed() throws {
    let imported = try decodeSceneKit(
      SceneKitForge.system((0..<1500).map { .init("unknown\($0)", .int($0)) }))
    #expect(imported.diagnostics.count == 1001)
    #expect(imported.diagnostics.last?.rule == .limit)
  }

  // MARK: Images

  private func imported(_ image: ForgedValue) throws -> Imported {
    let bytes = SceneKitForge.archive(
      .init("particleImage", image), .init("imageSequenceColumnCount", .int(2)))
    return try ParticleFormat.sceneKit.decode(
      bytes, DecodingContext(fileName: "a.scnp", findImage: { _ in [1, 2, 3] }))
  }

  @Test(arguments: [
    ("spark.png", "spark.png"), ("art/Spark 1.png", "Spark 1.png"),
    ("/Users/x/y.png", "y.png"), ("C:\\art\\z.png", "z.png"),
    ("file:///a/b%20c.png", "b c.png"), ("a/..", "image"), ("odd:name?.png", "odd_name_.png"),
  ])
  func imagesHaveTheirLastName(path: String, name: String) throws {
    let imported = try imported(SceneKitForge.image(path))
    #expect(imported.system.images.map(\.uri) == ["Images/\(name)"])
    #expect(imported.images == ["Images/\(name)": [1, 2, 3]])
    #expect(imported.system.sprites.first?.grid == SpriteGrid(columns: 2, rows: 1))
    #expect(imported.system.emitters.first?.sprites == [0])
  }

  @Test func imagesInsideOfTheArchive() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let imported = try imported(.data(png))
    #expect(imported.images == ["Images/particle.png": png])
  }

  @Test func imagesThatFailToLoadAreMissing() throws {
    let bytes = SceneKitForge.archive(.init("particleImage", SceneKitForge.image("x.png")))
    let imported = try ParticleFormat.sceneKit.decode(
      bytes, DecodingContext(fileName: "a.scnp", findImage: { _ in throw Diagnostic(.limit) }))
    #expect(imported.images.isEmpty)
    #expect(imported.diagnostics.map(\.rule) == [.missingImage])
  }
}
