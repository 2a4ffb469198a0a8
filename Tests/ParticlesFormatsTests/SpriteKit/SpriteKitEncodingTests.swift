import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SpriteKitEncodingTests {
  private func encode(
    _ system: ParticleSystem, images: [String: [UInt8]] = [:], from source: Imported? = nil
  ) throws -> Exported {
    try ParticleFormat.spriteKit.export(
      system,
      EncodingContext(
        fileName: "result.sks",
        source: source.map { .init(name: $0.sourceName, bytes: $0.source) }
      ) { images[$0] ?? source?.images[$0] })
  }

  /// The keys of the emitter in a written effect, and the report.
  private func encode(
    _ change: (inout Emitter) -> Void
  ) throws -> (lines: [String: String], losses: [Diagnostic]) {
    var emitter = Emitter(name: "result")
    emitter.space = .local
    emitter.render.sort = .youngestFirst
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    let exported = try encode(ParticleSystem(name: "result", emitters: [emitter]))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let losses = exported.losses.filter { $0.loss?.feature != "frame2D" }
    return (try ArchiveContent(exported.parts[0].bytes).lines, losses)
  }

  // MARK: What is exact

  @Test func plainEmittersNeedNoWord() throws {
    let (lines, losses) = try encode {
      $0.emission.rate = 10
      $0.lifetime = .range(1, 3)
      $0.launch.speed = .range(50, 150)
      $0.launch.direction = Direction(angle: 270)
      $0.launch.spread = 15
      $0.rotation.velocity = 90
      $0.color.base = ColorTrack(.constant(Color(0.2, 0.4, 0.6)))
    }
    #expect(losses.isEmpty, "\(losses)")
    #expect(lines["root._birthrate"] == "f64 10.0")
    #expect(lines["root._lifetime"] == "f64 2.0")
    #expect(lines["root._lifetimeVariance"] == "f64 2.0")
    #expect(lines["root._startSpeedVariance"] == "f64 100.0")
    #expect(lines["root._emissionAngle"] == "f64 \(Double(Float(1.5 * Double.pi)))")
    #expect(lines["root._particleColorSequence._values.NS.objects[0].NSRGB"] != nil)
  }

  @Test("a mask of fields has 32 bits") func fields() throws {
    let (lines, losses) = try encode { $0.physics.fieldMask = .max }
    #expect(losses.isEmpty, "\(losses)")
    #expect(lines["root._fieldBitMask"] == "an integer 4294967295")
  }

  @Test func colourThatVariesNeedsNoSequence() throws {
    let (lines, losses) = try encode {
      $0.emission.rate = 1
      $0.color.base = ColorTrack(.range(Color(0.2, 0, 0), Color(0.6, 0, 0)))
      $0.color.base.rate = ColorRate(0, 0, 0.5, 0)
    }
    #expect(losses.isEmpty, "\(losses)")
    #expect(lines["root._particleColorSequence"] == "-> nil")
    #expect(lines["root._startColorR"] == "f64 \(Double(Float(0.4)))")
    #expect(lines["root._startColorVarianceR"] == "f64 \(Double(Float(0.4)))")
    #expect(lines["root._colorSpeedB"] == "f64 0.5")
  }

  /// SpriteKit ignores the start beside a sequence. With 1, it has no effect in readers that multiply.
  @Test func besideASequenceTheStartIsOne() throws {
    let (lines, _) = try encode {
      $0.emission.rate = 1
      $0.color.opacity = Track(
        from: 0, to: 1, curve: Curve(through: [(0, 0.25), (0.5, 1), (1, 0)]))
    }
    #expect(lines.keys.contains { $0.hasPrefix("root._particleAlphaSequence._values") })
    #expect(lines["root._startOpacity"] == "f64 1.0")
    #expect(lines["root._startOpacityVariance"] == "f64 0.0")
    #expect(lines["root._opacitySpeed"] == "f64 0.0")
  }

  @Test func aSpeedThatReplacesTheLaunchSpeedKeepsItsValues() throws {
    let (lines, _) = try encode {
      $0.emission.rate = 1
      $0.motion.speedMode = .replace
      $0.motion.speed = Track(
        from: 0, to: 1, curve: Curve(through: [(0, 25), (0.5, 100), (1, 50)]))
    }
    for (index, value) in ["25.0", "100.0", "50.0"].enumerated() {
      let line = lines["root._particleSpeedSequence._values.NS.objects[\(index)]"]
      #expect(line?.hasSuffix(" \(value)") == true, "\(line ?? "")")
    }
  }

  // MARK: What is not

  /// A change of an emitter with the line that it leads to.
  struct Change: Sendable, CustomTestStringConvertible {
    var feature: String
    var rule: Rule
    var change: @Sendable (inout Emitter) -> Void
    var testDescription: String { "\(feature) \(rule.code)" }

    init(_ feature: String, _ rule: Rule, _ change: @escaping @Sendable (inout Emitter) -> Void) {
      self.feature = feature
      self.rule = rule
      self.change = change
    }
  }

  static let changes: [Change] = [
    Change("radial", .approximated) { $0.forces = [Force(.radial, strength: 5)] },
    Change("radial", .lost) { $0.forces = [Force(.radial, strength: -50)] },
    Change("dragExp", .approximated) { $0.forces = [.drag(.exponential, strength: 1)] },
    Change("noise", .lost) { $0.forces = [Force(.noise, strength: 5)] },
    Change("orbit", .approximated) {
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
    },
    Change("drift", .lost) { $0.motion.drift = VectorTrack(1, 0) },
    Change("space", .approximated) { $0.space = .world },
    Change("shDisc", .approximated) { $0.shape = .ellipse(3, 4) },
    Change("sh3D", .approximated) { $0.shape = .box(Vector(1, 2, 3)) },
    Change("stretch", .lost) { $0.size.stretch = Stretch() },
    Change("align", .lost) { $0.rotation.align = .velocity },
    Change("delay", .lost) { $0.timing.delay = 2 },
    Change("prewarm", .lost) { $0.timing.prewarm = 2 },
    Change("duration", .approximated) { $0.timing.duration = 2 },
    Change("prob", .approximated) { $0.emission.probability = 0.5 },
    Change("rateRand", .lost) { $0.emission.rate = .range(1, 2) },
    Change("sort", .assumed) { $0.render.sort = .oldestFirst },
    Change("sort", .lost) { $0.render.sort = .depth },
    Change("blCustom", .approximated) { $0.render.blend = Blend(source: 770, destination: 772) },
    Change("collide", .lost) { $0.physics.collides = true },
    Change("trail", .lost) { $0.render.trail = Trail() },
    Change("rotVel", .approximated) { $0.rotation.velocity = Track(.range(0, 90)) },
    Change("flip", .lost) { $0.flipbook = Flipbook() },
  ]

  @Test(arguments: changes) func everyLossHasItsLine(change: Change) throws {
    let (_, losses) = try encode {
      $0.emission.rate = 10
      $0.launch.speed = 10
      change.change(&$0)
    }
    #expect(losses.map { $0.loss?.feature } == [change.feature], "\(losses)")
    #expect(losses.map(\.rule) == [change.rule], "\(losses)")
  }

  @Test func aBurstIsAVeryFastEmission() throws {
    let (lines, losses) = try encode { $0.emission.bursts = [Burst(count: 40)] }
    #expect(lines["root._birthrate"] == "f64 2400.0")
    #expect(lines["root._numParticlesToEmit"] == "-> an integer 40")
    #expect(losses.map { $0.loss?.feature } == ["burst"])
  }

  @Test func dragBecomesASpeedThatComesAsFar() throws {
    let (lines, _) = try encode {
      $0.emission.rate = 1
      $0.lifetime = 2
      $0.launch.speed = 100
      $0.forces = [.drag(.constant, strength: 25)]
    }
    // 100 · 2 − ½ · 25 · 2² = 150 units in two seconds.
    #expect(lines["root._startSpeed"] == "f64 75.0")
  }

  @Test func alphaOfAColourThatCountsInPartBecomesOpacity() throws {
    let (lines, losses) = try encode {
      $0.emission.rate = 1
      $0.color.mix = 0
      $0.color.base = ColorTrack(.constant(Color(1, 0, 0, 0.5)))
    }
    #expect(lines["root._startOpacity"] == "f64 0.5")
    #expect(losses.map(\.rule) == [.restated])
  }

  @Test func emittersThatOthersSpawnAreLost() throws {
    var first = Emitter(name: "first")
    first.emission.rate = 1
    first.triggers = [Trigger(.death, emitter: 1)]
    let system = ParticleSystem(name: "x", emitters: [first, Emitter(name: "second")])
    let exported = try encode(system)
    #expect(exported.parts[0].emitters == [0])
    let lost = exported.losses.filter { $0.rule == .lost }.map { $0.loss?.path }
    #expect(lost.contains("emitters[0].triggers[0]"))
    #expect(lost.contains("emitters[1]"))
  }

  @Test func anEffectThatStartsNothingIsRefused() throws {
    let fault = #expect(throws: Diagnostic.self) { try encode(ParticleSystem()) }
    #expect(fault?.rule == .lost)
    #expect(fault?.severity == .error)
  }

  // MARK: Several emitters

  @Test func severalEmittersAreTheChildrenOfANode() throws {
    var emitters = ["one", "two"].map { Emitter(name: $0) }
    for index in emitters.indices {
      emitters[index].emission.rate = 5
      emitters[index].transform.translation = Vector(Double(10 * index), 0)
      emitters[index].transform.angle = Double(30 * index)
    }
    let exported = try encode(ParticleSystem(name: "result", emitters: emitters))
    #expect(exported.losses.allSatisfy { $0.rule != .changed })
    let content = try ArchiveContent(exported.parts[0].bytes)
    #expect(content.lines["root"] == "-> SKNode<NSResponder<NSObject")
    let imported = try ParticleFormat.spriteKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "result.sks"))
    #expect(imported.system.emitters.map(\.name) == ["one", "two"])
    #expect(imported.system.emitters.map(\.transform) == emitters.map(\.transform))
  }

  // MARK: Images

  @Test(arguments: [(1.0, "dot.png"), (2, "dot@2x.png"), (3, "dot@3x.png")])
  func imagesAreBeside(scale: Double, file: String) throws {
    let png = try PNG.encode(Bitmap(width: 6, height: 6))
    var system = ParticleSystem(name: "result", emitters: [Emitter(name: "result")])
    system.images = [ImageReference(describing: png, at: "Images/dot.png")]
    var sprite = Sprite(image: 0)
    sprite.scale = scale
    system.sprites = [sprite]
    system.emitters[0].sprites = [0]
    system.emitters[0].emission.rate = 1
    system.emitters[0].size.mode = .textureScale
    let exported = try encode(system, images: ["Images/dot.png": png])
    #expect(exported.beside == [file: png])
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let lines = try ArchiveContent(exported.parts[0].bytes).lines
    #expect(lines["root._particleTexture._imgName"] == "-> a string dot")
    #expect(
      lines["root._particleTexture._size.NS.sizeval"]
        == "-> a string {\(Int(6 / scale)), \(Int(6 / scale))}")
  }

  @Test func anImageThatIsNotThereIsReported() throws {
    var system = ParticleSystem(name: "result", emitters: [Emitter(name: "result")])
    system.images = [ImageReference(uri: "Images/dot.png")]
    system.sprites = [Sprite(image: 0)]
    system.emitters[0].sprites = [0]
    let exported = try encode(system)
    #expect(exported.losses.contains { $0.rule == .missingImage })
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  // MARK: Into the file it came from

  private func scene() throws -> Imported {
    let inner = SpriteKitForge.node(
      "SKNode",
      [
        .init("_position", SpriteKitForge.point("{100, 0}")),
        .init("_zRotation", .real(Double(Float(Double.pi / 2)))),
        .init(
          "_children",
          .array([
            SpriteKitForge.emitter([
              .init("_birthrate", .boxed(.real(5))), .init("_numParticlesToEmit", .int(3)),
              .init("_startSize", .string("{10, 10}")), .init("strange", .string("kept")),
              .init("_position", SpriteKitForge.point("{1, 0}")),
            ])
          ])),
      ])
    return try decodeSpriteKit(
      SpriteKitForge.node(
        "SKScene",
        [
          .init("_children", .array([SpriteKitForge.node("SKSpriteNode", []), inner])),
          .init("other", .real(1)),
        ]))
  }

  @Test func aSceneStaysAScene() throws {
    var imported = try scene()
    #expect(try encode(imported.system, from: imported).parts[0].bytes == imported.source)
    imported.system.emitters[0].emission.rate = 7
    imported.system.emitters[0].emission.total = 4
    imported.system.emitters[0].transform.translation.y += 2
    let bytes = try encode(imported.system, from: imported).parts[0].bytes
    let (new, old) = (try ArchiveContent(bytes), try ArchiveContent(imported.source))
    let path = "root._children.NS.objects[1]._children.NS.objects[0]"
    // Numbers keep their places: one number is behind a reference, the second is not. In the turned
    // node above, up is along x.
    #expect(
      new.differences(from: old) == [
        "\(path)._birthrate: -> f64 7.0, was -> f64 5.0",
        "\(path)._numParticlesToEmit: an integer 4, was an integer 3",
        "\(path)._position.NS.pointval: -> a string {3, 0}, was -> a string {1, 0}",
      ])
  }

  @Test func keysThatNobodyUnderstandsStay() throws {
    var imported = try scene()
    imported.system.emitters[0].emission.rate = 7
    let lines = try ArchiveContent(encode(imported.system, from: imported).parts[0].bytes).lines
    #expect(lines.contains { $0.key.hasSuffix(".strange") && $0.value == "-> a string kept" })
    #expect(lines["root.other"] == "f64 1.0")
  }

  @Test func withOtherEmittersTheFileIsWrittenAnew() throws {
    var imported = try scene()
    imported.system.emitters.append(Emitter(name: "new"))
    let exported = try encode(imported.system, from: imported)
    #expect(exported.parts[0].emitters == [0, 1])
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  @Test func theColourBehindAnEffectCanBeChanged() throws {
    var imported = try Fixtures.load("sparks.sks")
    imported.system.preview.background = Color(0, 0, 0.5)
    let exported = try encode(imported.system, from: imported)
    let again = try ParticleFormat.spriteKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "sparks.sks"))
    #expect(again.system.preview.background == Color(0, 0, 0.5))
    let old = try ArchiveContent(imported.source)
    let differences = try ArchiveContent(exported.parts[0].bytes).differences(from: old)
    #expect(differences.count == 1 && differences[0].contains("NSRGB"), "\(differences)")
  }

  private typealias Fixtures = SpriteKitFixtureTests
}
