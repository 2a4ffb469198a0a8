import ParticlesPropertyLists
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct CocosEncodingTests {
  static let formats: [ParticleFormat] = [.cocos2d, .particleDesigner, .starling]

  /// What becomes of an emitter when it is written and read again, and the report without notes.
  private func roundTrip(
    _ emitter: Emitter, _ format: ParticleFormat = .cocos2d
  ) throws -> (emitter: Emitter, losses: [Diagnostic]) {
    var system = ParticleSystem(name: "test", emitters: [emitter])
    system.asset.unit = format.capabilities?.unit ?? .point
    system.asset.profile = format.capabilities?.profile ?? .neutral
    let exported = try format.export(system, EncodingContext(fileName: "test.x"))
    let read = try format.decode(exported.parts[0].bytes, DecodingContext(fileName: "test.x"))
    return (
      try #require(read.system.emitters.first), exported.losses.filter { $0.rule != .restated }
    )
  }

  /// An emitter that every format of the family can say.
  private func plain(_ format: ParticleFormat = .cocos2d) -> Emitter {
    var emitter = Emitter(name: "test")
    emitter.emission.rate = 50
    emitter.emission.maxAlive = format.name == "starling" ? 101 : 100
    emitter.emission.whenFull = format.name == "starling" ? .spread : .wait
    emitter.lifetime = .range(1, 3)
    emitter.size.width = Track(from: .range(8, 12), to: 4)
    emitter.size.aspect = .ratio(1)
    emitter.launch.speed = .range(10, 30)
    emitter.launch.direction.angle = .range(80, 100)
    emitter.render.blend = Blend(.add)
    return emitter
  }

  @Test func onlyTheFirstEmitterGoesIntoTheFileOfTheSource() throws {
    let source = CocosForge.propertyList([("vendorKey", "7")])
    var system = try ParticleFormat.cocos2d.decode(source, DecodingContext(fileName: "a.plist"))
      .system
    system.emitters.append(plain())
    let exported = try ParticleFormat.cocos2d.export(
      system,
      EncodingContext(fileName: "a.plist", source: .init(name: "a.plist", bytes: source)))
    let texts = exported.parts.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(texts.map { $0.contains("vendorKey") } == [true, false])
  }

  private func features(_ losses: [Diagnostic]) -> [String] {
    losses.compactMap { $0.loss?.feature }
  }

  @Test(arguments: formats) func whatTheFormatSaysIsExact(format: ParticleFormat) throws {
    var emitter = plain(format)
    if format.name != "starling" { emitter.transform.translation = Vector(5, 7) }
    emitter.shape = .rect(width: 10, height: 20)
    emitter.forces = [
      .gravity(Vector(3, -9.5)), Force(.radial, strength: Track(.range(-20, -10))),
      Force(.tangential, strength: 4),
    ]
    emitter.rotation.angle = Track(from: .range(0, 90), to: -45)
    emitter.color.base = ColorTrack(
      from: .range(Color(0.5, 0, 0), Color(1, 0.25, 0)), to: .constant(Color(0, 0, 0, 0)))
    emitter.timing.duration = 3
    let (read, losses) = try roundTrip(emitter, format)
    #expect(losses.isEmpty)
    var expected = emitter
    // Without image, Starling's square is a square, too.
    if format.name == "starling" { expected.size.aspect = .sprite } else { expected.sprites = [0] }
    #expect(read == expected)
  }

  @Test(arguments: formats) func orbitsAreExact(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.launch = Launch()
    emitter.motion.mode = .orbit
    var orbit = Orbit()
    orbit.angle = .range(-10, 50)
    orbit.angularVelocity = 90
    orbit.radius = Track(from: 100, to: .range(10, 20))
    orbit.phase180 = true
    orbit.center = format.name == "starling" ? .emitter : .birthEmitter
    emitter.motion.orbit = orbit
    let (read, losses) = try roundTrip(emitter, format)
    #expect(losses.isEmpty)
    #expect(read.motion == emitter.motion)
  }

  @Test(arguments: formats) func clocksOfTheirOwnAreFoldedIn(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.forces = [.gravity(Vector(3, -9.5)), Force(.radial, strength: Track(.range(-20, -10)))]
    emitter.rotation.angle = Track(from: .range(0, 90), to: -45)
    emitter.timing.duration = 3
    emitter.timing.speed = 2.5
    let (read, losses) = try roundTrip(emitter, format)
    #expect(losses.isEmpty)
    #expect(read.timing.speed == 1)
    // After a time, the effect that was read looks like the original, for every random number.
    func isSame(_ meant: Double, _ said: Double) -> Bool { (meant - said).magnitude < 1e-6 }
    let duration = try #require(read.timing.duration).sample(0)
    #expect(isSame(3 / 2.5, duration))
    #expect(isSame(emitter.emission.rate.sample(0) * 3, read.emission.rate.sample(0) * duration))
    for draw in [0, 0.25, 0.5, 0.99] {
      func life(_ emitter: Emitter) -> Double { emitter.lifetime.sample(draw) }
      func way(_ emitter: Emitter, after time: Double) -> Double {
        let clock = time * emitter.timing.speed
        let pull = emitter.forces[0].vector.y.from.sample(draw)
        let push = emitter.forces[1].strength.from.sample(draw)
        return emitter.launch.speed.sample(draw) * clock + (pull + push) / 2 * clock * clock
      }
      #expect(isSame(life(emitter) / 2.5, life(read)))
      for time in [0.1, 0.4, 0.8] {
        #expect(isSame(way(emitter, after: time), way(read, after: time)))
      }
    }
    #expect(read.rotation == emitter.rotation)
  }

  @Test(arguments: formats) func clocksOfOrbitsToo(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.launch = Launch()
    emitter.motion.mode = .orbit
    var orbit = Orbit()
    orbit.angularVelocity = .range(80, 100)
    orbit.radius = Track(from: 100, to: 20)
    orbit.phase180 = true
    orbit.center = format.name == "starling" ? .emitter : .birthEmitter
    emitter.motion.orbit = orbit
    emitter.timing.speed = 0.5
    let (read, losses) = try roundTrip(emitter, format)
    #expect(losses.isEmpty)
    #expect(read.motion.orbit?.angularVelocity == .range(40, 50))
    #expect(read.motion.orbit?.radius == orbit.radius)
    #expect(read.lifetime == .range(2, 6))
  }

  @Test func foldingIsReportedAndClocksThatStandStillAreLost() throws {
    func lines(_ speed: Double) throws -> [Diagnostic] {
      var emitter = plain()
      emitter.timing.speed = speed
      let system = ParticleSystem(name: "test", emitters: [emitter])
      return try ParticleFormat.cocos2d.export(system, EncodingContext(fileName: "a.plist")).losses
        .filter { $0.loss?.feature == "speed" }
    }
    let folded = try #require(try lines(2).first)
    #expect(folded.rule == .restated && folded.lossLevel == .info)
    #expect(folded.loss?.path == "emitters[0].timing.speed")
    #expect(folded.loss?.emitter == "test")
    #expect(folded.loss?.source?.value == .int(2))
    #expect(folded.loss?.recipe != nil)
    #expect(try lines(1).isEmpty)
    #expect(try lines(0).map(\.rule) == [.lost])
    #expect(try lines(0).map(\.lossLevel) == [.high])
  }

  @Test(arguments: formats) func orbitsOfWhichNothingIsStated(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.motion.mode = .orbit
    let (read, losses) = try roundTrip(emitter, format)
    #expect(read.motion.mode == .orbit)
    #expect(read.motion.orbit?.radius == 0)
    #expect(!losses.contains { $0.rule == .changed })
  }

  @Test func starlingsParticlesLiveForAHundredthOfASecondAtLeast() throws {
    var emitter = plain(.starling)
    emitter.lifetime = 0.004
    let (read, losses) = try roundTrip(emitter, .starling)
    #expect(read.lifetime == 0.01)
    #expect(losses.contains { $0.rule == .clamped && $0.loss?.path == "emitters[0].lifetime" })
    #expect(!losses.contains { $0.rule == .changed })
    emitter.lifetime = 0.01
    #expect(try roundTrip(emitter, .starling).losses.allSatisfy { $0.rule != .clamped })
  }

  @Test(arguments: formats + [.spriteKit])
  func theOrderOfBirthsAlongAShapeIsLost(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.shape = .rect(width: 10, height: 20)
    emitter.shape.sweep = .loop
    let losses = try roundTrip(emitter, format).losses
    #expect(losses.contains { $0.rule == .lost && $0.loss?.path == "emitters[0].shape.sweep" })
  }

  @Test func randomSizesThatStay() throws {
    var emitter = plain()
    emitter.size.width = Track(.range(8, 12))
    #expect(try roundTrip(emitter).emitter.size.width == emitter.size.width)
    #expect(features(try roundTrip(emitter, .starling).losses).contains("sizeSE"))
  }

  @Test func ratesThatDoNotFollow() throws {
    var emitter = plain()
    emitter.emission.rate = 7
    let (read, losses) = try roundTrip(emitter)
    #expect(read.emission.rate == 7)
    // cocos2d divides the capacity by the lifetime of 2 s.
    #expect(read.emission.maxAlive == 14)
    #expect(features(losses) == ["maxAlive"])
    emitter.emission.maxAlive = nil
    let starling = try roundTrip(emitter, .starling)
    #expect(starling.emitter.emission.rate == 7)
    #expect(starling.emitter.emission.maxAlive == 15)
  }

  @Test(arguments: formats) func bursts(format: ParticleFormat) throws {
    var emitter = plain(format)
    emitter.emission = Emission()
    emitter.emission.bursts = [Burst(count: 40)]
    let (read, losses) = try roundTrip(emitter, format)
    let duration = try #require(read.timing.duration).mean
    let born = read.emission.rate.mean * duration
    #expect((36...44).contains(born), "\(born)")
    #expect(duration < 0.1)
    #expect(losses.contains { $0.rule == .approximated && $0.loss?.feature == "burst" })
  }

  @Test func curvesBecomeLines() throws {
    var emitter = plain()
    emitter.size.width = Track(
      from: 0, to: 10, curve: Curve(through: [(0, 0), (0.5, 1), (1, 0)]))
    let (read, losses) = try roundTrip(emitter)
    #expect(features(losses) == ["sizeCurve"])
    // The line of least squares through a symmetrical roof is level.
    #expect(abs(read.size.width.from.mean - 5) < 0.5)
    #expect(losses.first?.loss?.metric?.value ?? 0 > 4)
  }

  @Test func opacityThatIsAFactorOfAlpha() throws {
    var emitter = plain()
    emitter.color.base = ColorTrack(.constant(Color(1, 0.5, 0.25)))
    emitter.color.opacity = Track(from: 1, to: 0)
    let (read, losses) = try roundTrip(emitter)
    #expect(losses.isEmpty)
    #expect(read.color.base.from == .constant(Color(1, 0.5, 0.25, 1)))
    #expect(read.color.base.to == .constant(Color(1, 0.5, 0.25, 0)))
  }

  @Test func gradientsAreFitted() throws {
    var emitter = plain()
    emitter.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, .white), GradientKey(0.5, Color(1, 0, 0)), GradientKey(1, .clear),
      ]))
    let losses = try roundTrip(emitter).losses
    #expect(features(losses) == ["grad"])
    #expect(losses.first?.rule == .approximated)
  }

  /// A change that the family cannot say, and the row of the matrix that the report names.
  struct Lossy: Sendable, CustomTestStringConvertible {
    var feature: String
    var change: @Sendable (inout Emitter) -> Void
    var testDescription: String { feature }

    init(_ feature: String, _ change: @escaping @Sendable (inout Emitter) -> Void) {
      self.feature = feature
      self.change = change
    }
  }

  static let lossy = [
    Lossy("dragExp") { $0.forces = [.drag(.exponential, strength: 1)] },
    Lossy("noise") { $0.forces = [Force(.noise, strength: 1)] },
    Lossy("drift") { $0.motion.drift = VectorTrack(1, 0) },
    Lossy("trail") { $0.render.trail = Trail() },
    Lossy("delay") { $0.timing.delay = 1 },
    Lossy("prewarm") { $0.timing.prewarm = 1 },
    Lossy("dirNormal") { $0.launch.direction.mode = .normal },
    Lossy("inherit") { $0.launch.inheritVelocity = 1 },
    Lossy("stretch") { $0.size.stretch = Stretch() },
    Lossy("sizeXY") { $0.size.height = 3 },
    Lossy("shRing") {
      $0.shape = .ellipse(5, 5)
      $0.shape.inner = 0.5
    },
    Lossy("shDisc") { $0.shape = .ellipse(5, 5) },
    Lossy("sh3D") { $0.shape = .box(Vector(1, 2, 3)) },
    Lossy("rotVel") { $0.rotation.velocity = 90 },
    Lossy("blSub") { $0.render.blend = Blend(.subtract) },
    Lossy("rateRand") { $0.emission.rate = .range(40, 60) },
    Lossy("prob") { $0.emission.probability = 0.5 },
    Lossy("speedCurve") { $0.motion.speed = Track(from: 1, to: 0) },
    Lossy("collide") { $0.physics.collides = true },
    Lossy("rot3D") { $0.rotation.axis = .random },
  ]

  @Test(arguments: lossy)
  func lossesAreSaid(lossy: Lossy) throws {
    for format in Self.formats {
      var emitter = plain(format)
      lossy.change(&emitter)
      let losses = try roundTrip(emitter, format).losses
      #expect(features(losses).contains(lossy.feature), "\(format.name): \(losses)")
      #expect(!losses.contains { $0.rule == .changed }, "\(format.name): \(losses)")
    }
  }

  @Test func severalEmittersBecomeSeveralFiles() throws {
    let system = ParticleSystem(name: "two", emitters: [plain(), plain()])
    let exported = try ParticleFormat.cocos2d.export(
      system, EncodingContext(fileName: "two.plist"))
    #expect(exported.parts.map(\.name) == ["two.plist", "two-2.plist"])
    #expect(exported.parts.map(\.emitters) == [[0], [1]])
    #expect(features(exported.losses).contains("multi"))
  }

  @Test func equalEffectsGiveEqualBytes() throws {
    let system = ParticleSystem(name: "a", emitters: [plain()])
    for format in Self.formats {
      let context = EncodingContext(fileName: "a.x")
      let first = try format.export(system, context).parts[0].bytes
      #expect(try format.export(system, context).parts[0].bytes == first)
      #expect(try FormatRegistry.standard.recognising(first, fileName: "x").name == format.name)
    }
  }

  @Test func binaryStaysBinary() throws {
    let list = PropertyListValue.dictionary([
      .init("maxParticles", .integer("10")), .init("particleLifespan", .real("1.0", width: 4)),
      .init("speed", .real("5.0")), .init("extra", .array([.string("x"), .data([1, 2])])),
    ])
    let imported = try ParticleFormat.cocos2d.decode(
      list.binary, DecodingContext(fileName: "a.plist"))
    var package = try imported.package()
    #expect(
      try package.exported(as: .cocos2d, fileName: "a.plist").parts[0].bytes == list.binary)
    var system = imported.system
    system.emitters[0].launch.speed = 6
    try package.setSystem(system)
    let bytes = try package.exported(as: .cocos2d, fileName: "a.plist").parts[0].bytes
    #expect(bytes.starts(with: Array("bplist00".utf8)))
    var expected = try #require(PropertyListValue(decoding: list.binary).members)
    expected[2].value = .real("6.0")
    #expect(try PropertyListValue(decoding: bytes) == .dictionary(expected))
  }
}
