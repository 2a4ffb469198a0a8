import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The engine that a property list was made for")
struct CocosEngineTests {
  private func read(
    _ changes: [(String, String)], as engine: Profile? = nil
  ) throws -> Imported {
    var context = DecodingContext(fileName: "a.plist")
    context.engine = engine
    return try ParticleFormat.cocos2d.decode(CocosForge.propertyList(changes), context)
  }

  private func ignored(_ imported: Imported) -> [String?] {
    imported.diagnostics.filter { $0.rule == .ignoredKey }.map { $0.location.position?.description }
  }

  // MARK: The choice

  @Test(
    "is told by the file, or else it is cocos2d-x",
    arguments: [
      ([], .cocos2dX, .usual), ([("yCoordFlipped", "1")], .cocos2dX, .usual),
      ([("configName", "a"), ("minRadiusVariance", "0")], .cocos2dX, .usual),
      ([("yCoordFlipped", "-1")], .cocos2dX, .file),
      ([("spriteFrameUuid", "4aa8")], .cocosCreator, .file),
      ([("blendFuncSource", "2"), ("blendFuncDestination", "1")], .cocosCreator, .file),
      ([("blendFuncSource", "1"), ("blendFuncDestination", "4")], .cocosCreator, .file),
      ([("blendFuncSource", "1"), ("blendFuncDestination", "1")], .cocos2dX, .usual),
      ([("blendFuncSource", "1"), ("blendFuncDestination", "0")], .cocos2dX, .usual),
      ([("blendFuncSource", "2"), ("blendFuncDestination", "771")], .cocos2dX, .usual),
      ([("blendFuncSource", "1"), ("blendFuncDestination", "771")], .cocos2dX, .usual),
    ] as [([(String, String)], Profile, EngineChoice.Ground)])
  func choice(keys: [(String, String)], profile: Profile, ground: EngineChoice.Ground) throws {
    let imported = try read(keys)
    let choice = try #require(imported.engine)
    #expect(choice.profile == profile && choice.ground == ground)
    #expect(imported.system.asset.profile == profile)
    #expect(!choice.reasons.isEmpty)
    #expect(choice.others.isEmpty == (ground == .file))
  }

  @Test("is what the caller names, whatever the file tells")
  func named() throws {
    for keys in [[], [("spriteFrameUuid", "4aa8")]] as [[(String, String)]] {
      let imported = try read(keys, as: .cocos2d)
      #expect(imported.engine?.profile == .cocos2d && imported.engine?.ground == .named)
      #expect(imported.system.asset.profile == .cocos2d)
    }
    // An engine that does not read the format gets the effect as the usual one reads it.
    let foreign = try read([], as: .libgdx)
    #expect(foreign.system.asset.profile == .libgdx && foreign.engine?.profile == .cocos2dX)
  }

  @Test("the others fit, with what their blending shows")
  func others() throws {
    let additive = try #require(try read([]).engine)
    #expect(additive.others.map(\.profile) == [.cocos2d, .cocosCreator])
    #expect(additive.others.map(\.drawsEqually) == [true, false])
    let mixed = [("blendFuncSource", "1"), ("blendFuncDestination", "771")]
    #expect(try read(mixed).engine?.others.map(\.drawsEqually) == [false, false])
    // cocos2d-html5 loads nothing without the type.
    let bytes = CocosForge.xml("<dict><key>maxParticles</key><integer>9</integer></dict>")
    let bare = try ParticleFormat.cocos2d.decode(bytes, DecodingContext(fileName: "a.plist"))
    #expect(bare.engine?.others.map(\.profile) == [.cocosCreator])
  }

  @Test("of other formats is no choice")
  func otherFormats() throws {
    for (format, bytes) in [
      (ParticleFormat.starling, CocosForge.starling()),
      (.particleDesigner, CocosForge.json()),
    ] {
      let imported = try format.decode(bytes, DecodingContext(fileName: "a"))
      #expect(imported.engine == nil)
    }
    #expect(ParticleFormat.particleDesigner.capabilities?.profile == .cocos2dX)
  }

  // MARK: The laws

  @Test("only cocos2d-x reflects motion")
  func reflection() throws {
    let flag = [("yCoordFlipped", "-1"), ("angle", "90"), ("speed", "1")]
    let x = try read(flag)
    #expect(x.system.emitters[0].launch.direction.angle == 270 && ignored(x).isEmpty)
    for engine in [Profile.cocos2d, .cocosCreator] {
      let other = try read(flag, as: engine)
      #expect(other.system.emitters[0].launch.direction.angle == 90)
      #expect(ignored(other) == ["yCoordFlipped"])
      #expect(other.diagnostics.contains { $0.rule == .ignoredKey && $0.severity == .warning })
    }
  }

  @Test("a rate counts in Cocos Creator only, and elsewhere the report states what counts")
  func rate() throws {
    let keys = [("emissionRate", "7"), ("maxParticles", "100"), ("particleLifespan", "2")]
    let creator = try read(keys, as: .cocosCreator)
    #expect(creator.system.emitters[0].emission.rate == 7 && ignored(creator).isEmpty)
    for engine in [Profile.cocos2d, .cocos2dX] {
      let other = try read(keys, as: engine)
      #expect(other.system.emitters[0].emission.rate == 50)
      #expect(ignored(other) == ["emissionRate"])
    }
    #expect(ignored(try read([("emissionRate", "50")])).isEmpty)
  }

  @Test("orbits: whole numbers in cocos2d-x beside a name, no variance of the end in cocos2d-html5")
  func orbits() throws {
    let keys = [
      ("emitterType", "1"), ("maxRadius", "80.9"), ("minRadius", "20.6"),
      ("minRadiusVariance", "5"), ("rotatePerSecond", "-30.5"),
    ]
    let name = [("configName", "Ring")]
    func radius(_ imported: Imported) -> Track? {
      imported.system.emitters[0].motion.orbit?.radius
    }
    #expect(
      radius(try read(keys + name)) == Track(from: 80, to: .range(15, 25)))
    let speed = try read(keys + name).system.emitters[0].motion.orbit?.angularVelocity
    #expect(speed == -30)
    #expect(
      radius(try read(keys)) == Track(from: 80.9, to: .range(15.6, 25.6)))
    #expect(
      radius(try read(keys + name, as: .cocosCreator)) == Track(from: 80.9, to: .range(15.6, 25.6)))
    let html5 = try read(keys + name, as: .cocos2d)
    #expect(radius(html5) == Track(from: 80.9, to: 20.6))
    #expect(ignored(html5) == ["minRadiusVariance"])
  }

  @Test("Cocos Creator 3 has factors of its own, and keeps the shape of images")
  func creator() throws {
    for (numbers, blend) in [
      ((2, 1), Blend(.add)), ((2, 4), Blend(.alpha)), ((7, 4), Blend(.multiplyAlpha)),
      ((1, 8), Blend(.screen)),
    ] {
      let imported = try read([
        ("blendFuncSource", "\(numbers.0)"), ("blendFuncDestination", "\(numbers.1)"),
      ])
      #expect(imported.system.emitters[0].render.blend == blend, "\(numbers)")
      #expect(imported.system.emitters[0].size.aspect == .sprite)
      #expect(imported.diagnostics.isEmpty, "\(imported.diagnostics)")
    }
  }

  // MARK: Writing

  static let engines: [Profile] = [.cocos2dX, .cocos2d, .cocosCreator]

  @Test(
    "a file comes back as it was for each engine, and an edit changes its key only",
    arguments: engines)
  func sameFormat(engine: Profile) throws {
    let files: [[(String, String)]] = [
      [("yCoordFlipped", "-1"), ("angle", "30"), ("gravityy", "-5"), ("emissionRate", "7")],
      [
        ("emitterType", "1"), ("configName", "Ring"), ("maxRadius", "80.9"), ("minRadius", "20.6"),
        ("minRadiusVariance", "5"), ("rotatePerSecond", "30.5"),
      ],
      [("blendFuncSource", "2"), ("blendFuncDestination", "4"), ("spriteFrameUuid", "4aa8")],
    ]
    for keys in files {
      let imported = try read(keys, as: engine)
      var package = try imported.package()
      let same = try package.exported(as: .cocos2d, fileName: "a.plist")
      #expect(same.parts[0].bytes == imported.source && same.losses.isEmpty, "\(same.losses)")
      var system = imported.system
      system.emitters[0].size.width = 33
      try package.setSystem(system)
      let edited = try package.exported(as: .cocos2d, fileName: "a.plist")
      #expect(edited.losses.isEmpty, "\(engine.rawValue): \(edited.losses)")
      let lines = edited.parts[0].bytes.split(separator: 10).difference(
        from: imported.source.split(separator: 10))
      #expect(lines.removals.isEmpty && lines.insertions.count == 4, "\(lines)")
    }
  }

  @Test("an edited blend mode has the numbers of its file")
  func editedFactors() throws {
    let imported = try read([("blendFuncSource", "2"), ("blendFuncDestination", "1")])
    var package = try imported.package()
    var system = imported.system
    system.emitters[0].render.blend = Blend(.alpha)
    try package.setSystem(system)
    let edited = try package.exported(as: .cocos2d, fileName: "a.plist")
    let again = try ParticleFormat.cocos2d.decode(
      edited.parts[0].bytes, DecodingContext(fileName: "a.plist"))
    #expect(again.engine?.profile == .cocosCreator)
    #expect(again.system.emitters[0].render.blend == Blend(.alpha))
  }

  @Test("files of the corpus name no other engine than their program has")
  func corpus() throws {
    var grounds: [String: Int] = [:]
    for path in Corpus.published("plist", "plist") {
      let imported = try ParticleFormat.cocos2d.decode(
        try Files.read(path), DecodingContext(fileName: Files.lastComponent(of: path)))
      let choice = try #require(imported.engine)
      grounds["\(choice.profile.rawValue) \(choice.ground.rawValue)", default: 0] += 1
      // cocos2d-html5, cocos2d-objc and zame-haxe-particles: Cocos Creator has made no file.
      #expect(choice.profile == .cocos2dX, "\(path)")
    }
    print("engines: \(grounds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }
}
