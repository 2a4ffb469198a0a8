import ParticlesPropertyLists
import ParticlesContainer
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// The written file of an effect, and the report about the rest.
@Suite struct SceneKitEncodingTests {
  // MARK: The same format again

  @Test(arguments: ["ember.scnp", "ember-c3d.scnp"])
  func untouchedFilesComeOutAsTheyCameIn(name: String) throws {
    let imported = try SceneKitFixtureTests.load("scenekit/\(name)")
    let exported = try Self.encode(imported)
    #expect(exported.parts.map(\.bytes) == [imported.source])
    #expect(exported.losses.isEmpty)
    #expect(exported.beside.keys.sorted() == ["ember.png"])
  }

  @Test(arguments: ["ember.scnp", "ember-c3d.scnp"])
  func onlyWhatWasEditedChanges(name: String) throws {
    var imported = try SceneKitFixtureTests.load("scenekit/\(name)")
    imported.system.emitters[0].lifetime = .range(3, 5)
    let exported = try Self.encode(imported)
    let differences = try ArchiveContent(exported.parts[0].bytes)
      .differences(from: ArchiveContent(imported.source))
    #expect(
      differences == [
        "root.particleLifeSpan: f64 4.0, was f64 2.0",
        "root.particleLifeSpanVariation: f64 2.0, was f64 1.0",
      ])
    #expect(try Self.keys(exported.parts[0].bytes) == Self.keys(imported.source))
    #expect(exported.losses.isEmpty)
  }

  @Test func aControllerThatNobodyEditedKeepsItsEncoding() throws {
    var imported = try SceneKitFixtureTests.load("scenekit/ember-c3d.scnp")
    imported.system.emitters[0].size.width.to = .constant(9)
    imported.system.emitters[0].color.base.gradient?.keys[0].color = .white
    let exported = try Self.encode(imported)
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    // The curve of the size is still a dictionary of blobs. The curve of the colour is an archive now.
    #expect(text.contains("keyframeController") && text.contains("CAKeyframeAnimation"))
  }

  @Test func theOldNameOfTheAngleStays() throws {
    let source = ArchiveForge.archive(
      .object(
        ["SCNParticleSystem", "NSObject"],
        [.init("particleInitialAngle", .real(10)), .init("somebodysOwn", .string("kept"))]))
    var imported = try ParticleFormat.sceneKit.decode(
      source, DecodingContext(fileName: "old.scnp"))
    imported.system.emitters[0].rotation.angle = 20
    let keys = try Self.keys(Self.encode(imported).parts[0].bytes)
    #expect(keys == ["particleInitialAngle", "somebodysOwn"])
  }

  @Test func numbersKeepTheirType() throws {
    let source = ArchiveForge.archive(
      .object(
        ["SCNParticleSystem", "NSObject"],
        [
          .init("birthRate", .int(10)), .init("particleSize", .boxed(.real(2))),
          .init("particleMass", .int(2)),
        ]))
    var imported = try ParticleFormat.sceneKit.decode(
      source, DecodingContext(fileName: "old.scnp"))
    imported.system.emitters[0].emission.rate = 20
    imported.system.emitters[0].size.width = 3
    imported.system.emitters[0].physics.mass = 2.5
    let archive = try KeyedArchive(Self.encode(imported).parts[0].bytes)
    func object(_ key: String) throws -> BinaryPropertyList.Object {
      archive.plist[try #require(archive.plist.value(of: key, in: archive.root))]
    }
    #expect(try object("birthRate") == .integer(20))
    #expect(try object("particleMass") == .real(2.5, width: 8))
    guard case .uid = try object("particleSize") else {
      Issue.record("a number behind a reference stays there")
      return
    }
  }

  @Test func ofSpawnedSystemsOnlyTheEditedOneChanges() throws {
    func spawning(_ name: String, _ entries: [ForgedValue.Entry]) -> ForgedValue.Entry {
      .init(name, .object(["SCNParticleSystem", "NSObject"], entries))
    }
    let source = ArchiveForge.archive(
      .object(
        ["SCNParticleSystem", "NSObject"],
        [
          spawning(
            "systemSpawnedOnDying",
            [.init("birthRate", .int(3)), spawning("systemSpawnedOnLiving", [])]),
          spawning("systemSpawnedOnCollision", [.init("somebodysOwn", .string("kept"))]),
        ]))
    var imported = try ParticleFormat.sceneKit.decode(
      source, DecodingContext(fileName: "old.scnp"))
    let names = imported.system.emitters.map(\.name)
    let place = try #require(names.firstIndex(of: "old on dying"))
    imported.system.emitters[place].emission.rate = 5
    let edited = try Self.encode(imported)
    #expect(edited.parts.map(\.emitters) == [[0, 1, 2, 3]])
    #expect(
      try ArchiveContent(edited.parts[0].bytes).differences(from: ArchiveContent(source))
        == ["root.systemSpawnedOnDying.birthRate: an integer 5, was an integer 3"])
    imported.system.emitters[place].triggers = []
    imported.system.emitters.removeLast()
    let keys = try ArchiveContent(Self.encode(imported).parts[0].bytes)
      .differences(from: ArchiveContent(source))
    #expect(keys.count == 2, "\(keys)")
  }

  // MARK: New files

  @Test func spawnedSystemsStandInside() throws {
    var (rocket, stars, sparks) = (Emitter(name: "a"), Emitter(name: "b"), Emitter(name: "c"))
    var trigger = Trigger(.death, emitter: 1)
    trigger.inherit = [.position]
    rocket.triggers = [trigger]
    trigger.event = .frame
    trigger.emitter = 2
    stars.triggers = [trigger]
    stars.emission.rate = 50
    sparks.lifetime = 0.25
    rocket.timing.loop = true
    let exported = try Self.encode([rocket, stars, sparks])
    #expect(exported.parts.map(\.emitters) == [[0, 1, 2]])
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let read = try ParticleFormat.sceneKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.scnp")
    ).system
    #expect(read.emitters.count == 3)
    #expect(read.emitters[0].triggers == [rocket.triggers[0]])
    #expect(read.emitters[1].emission.rate == 50)
    #expect(read.emitters[2].lifetime == 0.25)
  }

  @Test func aConeWithoutATipIsReported() throws {
    func losses(_ angle: Double) throws -> [String] {
      var emitter = Emitter(name: "a")
      emitter.shape = Shape(.cone)
      emitter.shape.radius = 100
      emitter.shape.angle = angle
      emitter.shape.height = 50
      return try Self.encode([emitter]).losses.map(\.location.description)
        .filter { $0.hasSuffix("shape.angle") }
    }
    #expect(try losses(45).isEmpty)
    #expect(try !losses(90).isEmpty)
    #expect(try !losses(-80).isEmpty)
  }

  @Test func theDomainOfACurveBecomesScaleAndBias() throws {
    var emitter = Emitter(name: "a")
    emitter.color.opacity = Track(from: 1, to: 0, curve: Curve(through: [(0, 0), (1, 1)]))
    emitter.color.opacity.over = .speed
    emitter.color.opacity.domain = Interval(200, 600)
    let content = try ArchiveContent(Self.encode([emitter]).parts[0].bytes)
    func value(_ key: String) -> String? { content.lines.first { $0.key.hasSuffix(key) }?.value }
    // The speed in metres per second × scale + bias: 2 becomes 0, and 6 becomes 1.
    #expect(value(".inputScale") == "f64 0.25" && value(".inputBias") == "f64 -0.5")
  }

  @Test func emittersThatStartByThemselvesHaveFilesOfTheirOwn() throws {
    var (fire, smoke) = (Emitter(name: "fire"), Emitter(name: "smoke"))
    fire.lifetime = 2
    smoke.lifetime = 3
    let exported = try Self.encode([fire, smoke])
    #expect(exported.parts.map(\.name) == ["a.scnp", "a-2.scnp"])
    #expect(exported.parts.map(\.emitters) == [[0], [1]])
    #expect(exported.losses.contains { $0.loss?.feature == "multi" })
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  @Test func anEffectThatIsNotValidIsRefused() throws {
    var (emitter, other) = (Emitter(name: "a"), Emitter(name: "b"))
    emitter.triggers = [Trigger(.death, emitter: 1)]
    other.triggers = [Trigger(.death, emitter: 1)]
    let fault = #expect(throws: Diagnostic.self) { try Self.encode([emitter, other]) }
    #expect(fault?.rule.family == "document")
  }

  @Test func anEffectWithoutEmittersCannotBeWritten() {
    let fault = #expect(throws: Diagnostic.self) { try Self.encode([]) }
    #expect(fault?.severity == .error)
    #expect(fault?.location.description == "emitters")
  }

  @Test func imagesStandBesideUnderNamesOfTheirOwn() throws {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a"), Emitter(name: "b")])
    system.images = [
      ImageReference(uri: "Images/x/dot.png"), ImageReference(uri: "Images/y/Dot.png"),
    ]
    system.sprites = [Sprite(image: 0), Sprite(image: 1)]
    system.emitters[0].sprites = [0]
    system.emitters[1].sprites = [1]
    let exported = try ParticleFormat.sceneKit.export(
      system, EncodingContext(fileName: "a.scnp") { Array($0.utf8) })
    #expect(
      exported.beside.mapValues { String(decoding: $0, as: UTF8.self) } == [
        "dot.png": "Images/x/dot.png", "Dot-2.png": "Images/y/Dot.png",
      ])
    #expect(exported.losses.allSatisfy { $0.rule != .changed })
    let missing = try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
    #expect(missing.losses.count { $0.rule == .missingImage } == 2)
    #expect(missing.losses.allSatisfy { $0.rule != .changed })
  }

  @Test(arguments: [
    ("radial", "high"), ("orbit", "high"), ("trail", "high"),
    ("maxAlive", "low"), ("drift", "medium"), ("subBirth", "high"),
  ])
  func whatSceneKitDoesNotHaveIsLost(feature: String, level: String) throws {
    var emitter = Emitter(name: "a")
    emitter.forces = [Force(.radial, strength: -80)]
    emitter.motion.mode = .orbit
    emitter.motion.speed = 2
    emitter.motion.drift = VectorTrack(1, 0)
    emitter.render.trail = Trail()
    emitter.emission.maxAlive = 100
    emitter.emission.bursts = [Burst(count: 200)]
    emitter.triggers = [Trigger(.birth, emitter: 1)]
    let line = try #require(
      try Self.encode([emitter, Emitter(name: "b")]).losses.first { $0.loss?.feature == feature })
    #expect(line.rule == .lost)
    #expect(line.lossLevel.rawValue == level)
    #expect(line.loss?.emitter == "a")
  }

  @Test("a colour that counts in part is blended towards white, and stays one or a gradient")
  func mixedColors() throws {
    let (red, blue) = (Color(1, 0, 0), Color(0, 0, 1))
    let gradient = Gradient([GradientKey(0, red), GradientKey(1, blue)])
    for base in [ColorTrack(.constant(red)), ColorTrack(gradient: gradient)] {
      var emitter = Emitter(name: "a")
      emitter.emission.rate = 5
      emitter.color.mix = 0.5
      emitter.color.base = base
      let again = try ParticleFormat.sceneKit.decode(
        try Self.encode([emitter]).parts[0].bytes, DecodingContext(fileName: "a.scnp")
      ).system.emitters[0].color
      #expect(again.mix == Emitter.Tint().mix)
      if base.gradient == nil {
        #expect(again.base == ColorTrack(.constant(Color(1, 0.5, 0.5))))
      } else {
        #expect(again.base.gradient?.color(at: 0) == Color(1, 0.5, 0.5))
        #expect(again.base.gradient?.color(at: 1) == Color(0.5, 0.5, 1))
      }
    }
  }

  // MARK: Helpers

  static func encode(_ imported: Imported) throws -> Exported {
    let images = imported.images
    return try ParticleFormat.sceneKit.export(
      imported.system,
      EncodingContext(
        fileName: imported.sourceName,
        source: .init(name: imported.sourceName, bytes: imported.source)
      ) { images[$0] })
  }

  static func encode(_ emitters: [Emitter]) throws -> Exported {
    var system = ParticleSystem(name: "a", emitters: emitters)
    system.roots = emitters.count == 1 ? [0] : nil
    return try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
  }

  /// The keys of the root, in their order.
  static func keys(_ bytes: [UInt8]) throws -> [String] {
    let archive = try KeyedArchive(bytes)
    guard case .dictionary(let keys, _) = archive.plist[archive.root] else { return [] }
    return keys.compactMap { key in
      guard case .scalar(.string(let name)) = archive.plist[key], name != "$class" else {
        return nil
      }
      return name
    }
  }
}
