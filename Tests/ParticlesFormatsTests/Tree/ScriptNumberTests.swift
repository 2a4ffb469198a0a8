import ParticlesCore
@testable import ParticlesFormats
import ParticlesModel
import Testing

/// What engines in JavaScript make of values that are no numbers, from their sources.
@Suite("Numbers as JavaScript reads them")
struct ScriptNumberTests {
  private func decode(_ text: String, _ format: ParticleFormat) throws -> Imported {
    try format.decode(Array(text.utf8), DecodingContext(fileName: "effect.json"))
  }

  private func particles(_ options: String, emitter: String = "") throws -> Imported {
    try decode(
      #"{"particles": {"number": {"value": 0}, \#(options)}, "emitters": {\#(emitter)}}"#,
      .tsParticles)
  }

  @Test(
    "tsParticles stops at a range that is neither a number nor a range",
    arguments: [
      "null", #""12""#, "true",
    ])
  func ranges(value: String) throws {
    let imported = try particles(#""size": {"value": \#(value)}"#)
    #expect(imported.system.emitters[0].size.width == 6)
    let finding = imported.diagnostics.first { $0.rule == .ignoredKey }
    #expect(finding?.detail?.contains("stops") == true)
    let sound = try particles(#""size": {"value": 12}"#)
    #expect(sound.system.emitters[0].size.width == 24)
    #expect(!sound.diagnostics.contains { $0.rule == .ignoredKey })
  }

  @Test("conditions of tsParticles hold for all but null, false, 0 and an empty text")
  func conditions() throws {
    for (value, isMoving) in [
      ("true", true), ("false", false), ("null", false), ("0", false), ("1", true),
      (#""false""#, true), (#""""#, false),
    ] {
      let imported = try particles(#""move": {"enable": \#(value), "speed": 2}"#)
      #expect((imported.system.emitters[0].launch.speed == 60) == isMoving, "\(value)")
    }
    let text = #"{"particles": {"number": {"value": "80"}}}"#
    #expect(try decode(text, .tsParticles).system.emitters[0].emission.bursts[0].count == 80)
  }

  @Test(
    "Phaser takes the default of a property for a scalar that is no number",
    arguments: [
      "null", #""500""#, "true", "false",
    ])
  func phaser(value: String) throws {
    let imported = try decode(
      #"{"lifespan": \#(value), "quantity": 1, "speed": 5, "frequency": 100}"#, .phaser)
    #expect(imported.system.emitters[0].lifetime == 1)
    #expect(imported.diagnostics.contains { $0.rule == .ignoredKey } == (value != "null"))
  }

  @Test("a frequency of null never emits in Phaser, and a time scale of null stops the clock")
  func nothing() throws {
    let text = #"{"lifespan": 500, "quantity": 1, "speed": 5, "frequency": 100, "timeScale": null}"#
    #expect(try decode(text, .phaser).system.emitters[0].timing.speed == 0)
    let other = #"{"lifespan": 500, "quantity": 1, "speed": 5, "frequency": null}"#
    let emitter = try decode(other, .phaser).system.emitters[0]
    #expect(emitter.emission.rate == 0 && emitter.emission.bursts.isEmpty)
  }

  @Test("three.quarks multiplies: null is 0, and texts are their numbers")
  func quarks() throws {
    func life(_ value: String) throws -> Value {
      try decode(
        #"""
        {"object": {"type": "ParticleEmitter", "ps": {"looping": null, "startSpeed": {"type": "ConstantValue",
        "value": \#(value)}, "shape": {"type": "point"}, "behaviors": []}}}
        """#, .quarks
      ).system.emitters[0].launch.speed
    }
    #expect(try life("null") == 0)
    #expect(try life("true").bounds.upper > 0)
    let (five, text) = (try life("5"), try life(#""5""#))
    #expect(five == text && five.bounds.upper > 0)
  }

  @Test("Phaser and three.quarks calculate with null as 0 inside of values")
  func nulls() throws {
    func speed(_ value: String) throws -> Value {
      try decode(
        #"{"lifespan": 500, "quantity": 1, "frequency": 100, "speed": \#(value)}"#, .phaser
      ).system.emitters[0].launch.speed
    }
    #expect(try speed(#"{"min": null, "max": 9}"#) == .range(0, 9))
    #expect(try speed(#"{"random": [null, 9]}"#).bounds.lower == 0)
    let text = #"""
      {"object": {"type": "ParticleEmitter", "ps": {"startColor": {"type": "ConstantColor",
      "color": {"r": null, "g": 0.5, "a": 1}}, "shape": {"type": "point"}, "behaviors": []}}}
      """#
    let color = try decode(text, .quarks).system.emitters[0].color.base.from
    guard case .constant(let color) = color else {
      Issue.record("\(color)")
      return
    }
    #expect(color.red == 0 && color.green > 0 && color.blue > 0)
  }

  @Test("a repetition of null is none in three.quarks, and one that is absent is one")
  func repetition() throws {
    for (key, loops) in [(#""looping": null,"#, false), ("", true), (#""looping": true,"#, true)] {
      let text = #"""
        {"object": {"type": "ParticleEmitter", "ps": {\#(key) "duration": 2, "shape": {"type": "point"},
        "behaviors": []}}}
        """#
      #expect(try decode(text, .quarks).system.emitters[0].timing.loop == loops, "\(key)")
    }
  }
}
