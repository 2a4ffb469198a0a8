import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

struct ReadingTests {
  private func read(_ text: String) throws -> ParticleSystem {
    try ParticleSystem(decoding: Array(text.utf8))
  }

  @Test("the emitters of a document have a limit")
  func emitterLimit() throws {
    let bytes = ParticleSystem(name: "a", emitters: [Emitter(name: "b"), Emitter(name: "c")])
      .encoded()
    var limits = Limits()
    limits.emitters = 2
    #expect(throws: Never.self) { try ParticleSystem(decoding: bytes, limits: limits) }
    limits.emitters = 1
    let fault = expectThrows(.limit) { try ParticleSystem(decoding: bytes, limits: limits) }
    #expect(fault?.message.contains("emitters of an effect") == true)
  }

  @Test func nothingButTheVersionIsWrittenOfAnEmptyEffect() throws {
    let text = """
      {
        "asset": {"version": "1.0"}
      }

      """
    #expect(String(decoding: ParticleSystem().encoded(), as: UTF8.self) == text)
    #expect(try read(text) == ParticleSystem())
    #expect(ParticleSystem().diagnostics().isEmpty)
  }

  @Test func propertiesAreReadAndDefaultsLeftOut() throws {
    let system = try read(
      """
      {"asset": {"version": "1.0", "unit": "parsec", "profile": "mine"}, "emitters": [{
        "lifetime": {"min": 2.375, "max": 2.625}, "timing": {"duration": 1, "loop": true},
        "emission": {"rate": 455}, "size": {"width": {"from": 0, "to": 1, "curve": 2}}}]}
      """)
    let emitter = try #require(system.emitters.first)
    #expect(system.asset.unit == LengthUnit(rawValue: "parsec"))
    #expect(emitter.lifetime == Value(center: 2.5, halfWidth: 0.125))
    #expect(emitter.timing.duration == 1)
    #expect(emitter.size.width == Track(from: 0, to: 1, curve: .constant(2)))
    #expect(emitter.emission.rate.isConstant)
    let size = system.json.object?["emitters"]?.array?.first?.object?["size"]
    #expect(size == ["width": ["to": .int(1), "curve": .int(2)]])
  }

  @Test(arguments: [
    ("[]", "", "an object"),
    ("{}", "asset", "Asset"),
    (#"{"asset": {}}"#, "asset.version", "string"),
    (#"{"asset": {"version": "1"}}"#, "asset.version", "a version such as \"1.0\""),
    (
      #"{"asset": {"version": "1.0"}, "emitters": [{"timing": {"delay": true}}]}"#,
      "emitters[0].timing.delay",
      "a number, or an object with min and max, oneOf, or low and high"
    ),
    (
      #"{"asset": {"version": "1.0"}, "emitters": [{"forces": [{"type": "magic"}]}]}"#,
      "emitters[0].forces[0].type",
      """
      one of "gravity", "linear", "radial", "tangential", "vortex", "drag", "noise", "field"
      """
    ),
    (
      #"{"asset": {"version": "1.0"}, "emitters": [{"physics": {"fieldMask": 4294967296}}]}"#,
      "emitters[0].physics.fieldMask", "a whole number from 0 to 4294967295"
    ),
    (
      #"{"asset": {"version": "1.0"}, "extensions": 3}"#, "extensions", "an object"
    ),
  ])
  func wrongTypesAreSaid(text: String, path: String, expected: String) throws {
    let diagnostic = try #require(throws: Diagnostic.self) { try read(text) }
    #expect(diagnostic.rule == .type)
    #expect(diagnostic.location == .key(path))
    #expect(diagnostic.expected == expected)
    #expect(diagnostic.found != nil)
  }

  @Test(arguments: [
    (#"{"asset": {"version": "2.0"}, "emitters": 3}"#, "asset.version"),
    (#"{"asset": {"version": "1.7", "minVersion": "1.1"}}"#, "asset.minVersion"),
    (
      #"{"asset": {"version": "1.0"}, "extensionsRequired": ["X_y"]}"#, "extensionsRequired[0]"
    ),
  ])
  func theFutureIsRefused(text: String, path: String) throws {
    let diagnostic = try #require(throws: Diagnostic.self) { try read(text) }
    #expect(diagnostic.rule == .documentVersion)
    #expect(diagnostic.location == .key(path))
  }

  @Test func rampsOfRampsEnd() throws {
    let nested = String(repeating: #"{"high": 0, "low": "#, count: 100)
    let text =
      #"{"asset": {"version": "1.0"}, "emitters": [{"lifetime": "# + nested + "0"
      + String(repeating: "}", count: 100) + "}]}"
    let diagnostic = try #require(throws: Diagnostic.self) { try read(text) }
    #expect(diagnostic.rule == .limit)
  }

  @Test func wholeNumbersAreExact() throws {
    var system = ParticleSystem(name: "one", emitters: [Emitter()])
    system.emitters[0].render.layer = (1 << 60) + 1
    #expect(try ParticleSystem(decoding: system.encoded()) == system)
  }

  @Test func newerMinorVersionsAreRead() throws {
    let system = try read(#"{"asset": {"version": "1.9"}, "news": 1}"#)
    #expect(system.asset.version == "1.9")
    #expect(system.unknown == ["news": .int(1)])
  }

  @Test func seedsHave64Bits() throws {
    var system = ParticleSystem()
    system.seed = .max
    #expect(try ParticleSystem(decoding: system.encoded()).seed == .max)
  }

  @Test func additionsAreReachable() {
    var timing = Timing()
    timing.extras = "mine"
    timing.extensions["TEST_a"] = .int(1)
    #expect(timing.extensions == ["TEST_a": .int(1)])
    #expect(timing.unknown.isEmpty)
    timing.extensions = [:]
    #expect(timing.json == ["extras": "mine"])
  }

  @Test func infinitiesDoNotStopTheWriter() {
    var system = ParticleSystem()
    system.sprites = [Sprite()]
    system.sprites[0].scale = .infinity
    system.sprites[0].pivot.x = .nan
    #expect(throws: Never.self) { try ParticleSystem(decoding: system.encoded()) }
    #expect(system.diagnostics().count { $0.rule == .range } == 2)
  }
}
