import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Every value that the file behind a code holds becomes a statement, or is reported as lost.
@Suite struct CodeTableTests {
  @Test("each key of an archive of SpriteKit has a statement, a report, or no effect")
  func spriteKit() {
    // The name, the image and the start colour.
    let others = ["_name", "_particleTexture"] + ["R", "G", "B", "A"].map { "_startColor\($0)" }
    let stated = Set(SpriteKitStatement.all.map(\.key) + others)
    let reported: Set = ["_particleSpeedSequence", "_particleRotationSequence"]
    let plain = Set(
      SpriteKitFamily.nodeRows.filter { $0.decode == nil }.flatMap(\.keys)
        + [
          "_particleAction", "_shader", "_target", "_fieldInfluenceSequence", "_emissionDistance",
          "_emissionDistanceRange",
        ])
    for key in SpriteKitFamily.spriteKit.table.keys {
      #expect(
        stated.contains(key) || reported.contains(key) || plain.contains(key), "\(key)")
    }
  }

  @Test("each key of an archive of SceneKit has a statement, a report, or no effect")
  func sceneKit() {
    let others = [
      "emitterShape", "emittingDirection", "acceleration", "orientationDirection", "particleColor",
      "particleColorVariation", "particleImage", "propertyControllers", "systemSpawnedOnCollision",
      "systemSpawnedOnDying", "systemSpawnedOnLiving",
    ]
    let gaps = ["fixedTimeStep", "physicsCollisionsEnabled", "softParticlesEnabled", "seed"]
    let constants = ["fresnelExponent", "renderingMode"]
    let known = Set(SceneKitStatement.all.map(\.key) + others + gaps + constants)
    for key in SceneKitFamily.shared.table.keys { #expect(known.contains(key), "\(key)") }
  }

  @Test("a value that only archives have is reported")
  func gaps() throws {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
    system.emitters[0].emission.rate = 5
    system.emitters[0].timing.fixedStep = 0.5
    system.emitters[0].physics.collides = true
    system.emitters[0].motion.speed = Track(from: 1, to: 0)
    system.seed = 7
    func lost(_ format: ParticleFormat) throws -> [String] {
      try format.export(system, EncodingContext(fileName: "a.swift")).losses
        .filter { $0.rule == .lost }.compactMap { $0.loss?.path }
    }
    #expect(
      try Set(lost(.swiftSceneKit)).isSuperset(of: [
        "seed", "emitters[0].timing.fixedStep", "emitters[0].physics.collides",
      ]))
    #expect(try lost(.swiftSpriteKit).contains("emitters[0].motion.speed"))
  }

  @Test("lifetimes below 0, which LÖVE refuses, are 0 in its code")
  func lifetimes() throws {
    var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
    system.emitters[0].lifetime = .range(-1.5, 2.5)
    let parts = try ParticleFormat.luaLove.export(system, EncodingContext(fileName: "a.lua")).parts
    let code = String(decoding: parts[0].bytes, as: UTF8.self)
    #expect(code.contains("system:setParticleLifetime(0, 2.5)"))
  }

  @Test("the shape in Unity's code has what its kind needs, and nothing else")
  func unityShape() throws {
    func shape(isFlat: Bool, _ change: (inout Emitter) -> Void) throws -> [String: String] {
      var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
      system.asset.dimension = isFlat ? .plane : .space
      system.emitters[0].emission.rate = 5
      system.emitters[0].launch.speed = 10
      change(&system.emitters[0])
      let parts = try ParticleFormat.unityCSharp.export(
        system, EncodingContext(fileName: "a.cs")
      ).parts
      var found: [String: String] = [:]
      for line in String(decoding: parts[0].bytes, as: UTF8.self).split(separator: "\n") {
        guard let start = line.firstRange(of: "shape.") else { continue }
        let words = line[start.upperBound...].split(separator: " ", maxSplits: 2)
        if words.count == 3, words[1] == "=" { found[String(words[0])] = String(words[2]) }
      }
      return found
    }
    func keys(_ found: [String: String]) -> [String] { found.keys.sorted() }
    let cone = try shape(isFlat: false) { $0.launch.spread = 20 }
    #expect(keys(cone) == ["angle", "radius", "rotation", "shapeType"])
    #expect(cone["shapeType"] == "ParticleSystemShapeType.Cone;" && cone["angle"] == "20f;")
    #expect(cone["rotation"]?.hasPrefix("Quaternion.FromToRotation(Vector3.forward") == true)
    let sphere = try shape(isFlat: false) { $0.launch.spread = 180 }
    #expect(keys(sphere) == ["radius", "shapeType"])
    #expect(sphere["shapeType"] == "ParticleSystemShapeType.Sphere;")
    let circle = try shape(isFlat: true) { $0.launch.spread = 20 }
    #expect(keys(circle) == ["arc", "radius", "rotation", "shapeType"])
    #expect(circle["shapeType"] == "ParticleSystemShapeType.Circle;" && circle["arc"] == "40f;")
    let box = try shape(isFlat: false) { $0.shape = .rect(width: 3, height: 2) }
    #expect(keys(box) == ["rotation", "scale", "shapeType"])
    #expect(box["shapeType"] == "ParticleSystemShapeType.Box;")
    #expect(box["rotation"] == cone["rotation"])
    let wide = try shape(isFlat: false) {
      $0.shape = .rect(width: 3, height: 2)
      $0.launch.spread = 90
    }
    #expect(wide["randomDirectionAmount"] == "0.5f;")
  }

  @Test("Unity's code has sub-emitters only for effects that have some")
  func unitySpawns() throws {
    for hasSpawns in [false, true] {
      var system = ParticleSystem(name: "a", emitters: ["a", "b"].map { Emitter(name: $0) })
      for index in 0..<2 { system.emitters[index].emission.rate = 5 }
      if hasSpawns { system.emitters[0].triggers = [Trigger(.death, emitter: 1)] }
      let parts = try ParticleFormat.unityCSharp.export(
        system, EncodingContext(fileName: "a.cs")
      ).parts
      let code = parts.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      #expect(code.contains("subEmitters.enabled = true;") == hasSpawns)
      #expect(code.contains("AddSubEmitter(") == hasSpawns)
    }
  }

  @Test("only Unity's code repeats all frames in each mode, and says so")
  func frameModes() throws {
    func rule(_ format: ParticleFormat, _ mode: FlipbookMode, _ rate: FrameRate) throws -> Rule? {
      var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
      system.images = [ImageReference(uri: "Images/a.png")]
      (system.images[0].width, system.images[0].height) = (64, 32)
      system.sprites = [Sprite(image: 0)]
      system.sprites[0].grid = SpriteGrid(columns: 4, rows: 2)
      system.emitters[0].sprites = [0]
      system.emitters[0].emission.rate = 5
      var flipbook = Emitter.Flipbook()
      (flipbook.mode, flipbook.fps) = (mode, rate)
      system.emitters[0].flipbook = flipbook
      let losses = try format.export(system, EncodingContext(fileName: "a.x")).losses
      return losses.first { $0.loss?.path == "emitters[0].flipbook.mode" }?.rule
    }
    for rate in [FrameRate.life, .fixed(5)] {
      for mode in FlipbookMode.allCases {
        #expect(try rule(.swiftRealityKit, mode, rate) == nil)
      }
      #expect(try rule(.unityCSharp, .loop, rate) == nil)
      #expect(try rule(.unityCSharp, .pingpong, rate) == .lost)
      #expect(try rule(.unityCSharp, .once, rate) == (rate == .life ? .restated : .lost))
    }
  }

  @Test(
    "a size that does not change has no report and no curve, one that changes has one",
    arguments: [ParticleFormat.swiftRealityKit, .unityCSharp, .swiftCoreAnimation])
  func sizes(format: ParticleFormat) throws {
    for (width, isConstant) in [
      (Track(3), true), (Track(.range(2, 4)), true), (Track(from: .range(2, 4), to: 1), false),
    ] {
      var system = ParticleSystem(name: "a", emitters: [Emitter(name: "a")])
      system.emitters[0].emission.rate = 5
      system.emitters[0].size.width = width
      let exported = try format.export(system, EncodingContext(fileName: "a.x"))
      let lines = exported.losses.filter { $0.loss?.path == "emitters[0].size.width" }
      #expect(lines.isEmpty == isConstant, "\(width): \(lines)")
      guard format.name == ParticleFormat.unityCSharp.name else { continue }
      let code = String(decoding: exported.parts[0].bytes, as: UTF8.self)
      #expect(code.contains("sizeOverLifetime") != isConstant)
    }
  }

  @Test("names become identifiers and literals that cannot end early")
  func names() {
    #expect(CodeLanguage.identifier("my fire-2", isType: true, or: "Effect") == "MyFire2")
    #expect(CodeLanguage.identifier("2 äö", isType: true, or: "Effect") == "Effect")
    #expect(CodeLanguage.swift.string("a\"\\(b)\n") == #""a\"\\(b)\u{a}""#)
    #expect(CodeLanguage.csharp.string("\u{2028}") == #""\u2028""#)
    #expect(CodeLanguage.lua.string("\u{1}") == #""\001""#)
    #expect(CodeLanguage.csharp.number(0.5) == "0.5f")
    #expect(CodeLanguage.plain("a\nb\u{2028}c") == "a b c")
  }
}
