import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Files of particles.js 2, by its law. The recordings of the engine are in `Fixtures/engines`.
@Suite("Files of particles.js")
struct ParticlesJSTests {
  private static func imported(_ text: String, engine: Profile? = nil) throws -> Imported {
    var context = DecodingContext(fileName: "a.json")
    context.engine = engine
    return try ParticleFormat.tsParticles.decode(Array(text.utf8), context)
  }

  @Test(
    "the engine is found by the keys of the file",
    arguments: [
      (#""line_linked": {"enable": true}"#, "", "particlesjs", "file"),
      (#""size": {"value": 3}"#, #", "retina_detect": true"#, "particlesjs", "file"),
      (#""opacity": {"anim": {"enable": false}}"#, "", "particlesjs", "file"),
      (#""size": {"value": 3}"#, "", "tsparticles", "usual"),
      (#""line_linked": {}, "links": {}"#, "", "tsparticles", "file"),
      (#""line_linked": {}"#, #", "emitters": []"#, "tsparticles", "file"),
      (#""move": {"out_mode": "out"}"#, #", "fpsLimit": 60"#, "tsparticles", "file"),
    ])
  func choice(particles: String, rest: String, profile: String, ground: String) throws {
    let imported = try Self.imported(#"{"particles": {\#(particles)}\#(rest)}"#)
    #expect(imported.engine?.profile.rawValue == profile)
    #expect(imported.engine?.ground.rawValue == ground)
    #expect(imported.system.asset.profile.rawValue == profile)
    #expect(imported.engine?.reasons.isEmpty == false)
  }

  @Test("the engine that is named reads the file, unless it has emitters")
  func named() throws {
    let text = #"{"particles": {"size": {"value": 3}}}"#
    let imported = try Self.imported(text, engine: .particlesJS)
    #expect(imported.engine?.ground == .named)
    #expect(imported.system.emitters[0].emission.bursts[0].count == 300)
    let others = try Self.imported(#"{"particles": {}, "emitters": {}}"#, engine: .particlesJS)
    #expect(others.engine?.profile == .tsParticles)
  }

  /// Numbers that the engine made on a canvas of 1000 × 600 pixels, under node.
  @Test(
    "so many particles are on the canvas",
    arguments: [
      ("{}", 300), (#"{"value": 50}"#, 38), (#"{"value": 25}"#, 19), (#"{"value": 269}"#, 202),
      (#"{"value": 80, "density": {"enable": true, "value_area": 800}}"#, 60),
      (#"{"value": 114, "density": {"value_area": 690}}"#, 100),
      (#"{"value": 10, "density": {"value_area": 100}}"#, 60),
      (#"{"value": 7, "density": {"value_area": 90}}"#, 47),
      (#"{"value": 12.5, "density": {"value_area": 700}}"#, 11),
      (#"{"value": 12.5, "density": {"enable": false}}"#, 13),
      (#"{"value": 33, "density": {"enable": 0}}"#, 33), (#"{"value": 0}"#, 0),
    ])
  func numbers(number: String, count: Double) throws {
    let imported = try Self.imported(
      #"{"particles": {"number": \#(number), "line_linked": {"enable": false}}}"#)
    #expect(imported.system.emitters[0].emission.bursts[0].count == .constant(count))
  }

  @Test("a speed of 6 is up to 113 pixels a second, 69 in the mean")
  func speeds() throws {
    let text = #"{"particles": {"line_linked": {"enable": false}, "move": {"speed": 6}}}"#
    let launch = try Self.imported(text).system.emitters[0].launch
    #expect(launch.direction.mode == .random)
    #expect((launch.speed.mean - 68.87).magnitude < 0.01)
    #expect((launch.speed.bounds.upper - 113.3).magnitude < 0.1)
  }

  @Test("an object as colour leaves particles white, a text does not")
  func colors() throws {
    for (color, isWhite) in [
      (#"{"r": 255, "g": 0, "b": 0}"#, true), (##""#ff0000""##, false), (#""ff0000""#, false),
    ] {
      let imported = try Self.imported(
        #"{"particles": {"line_linked": {}, "color": {"value": \#(color)}}}"#)
      #expect((imported.system.emitters[0].color.base == Tint().base) == isWhite)
      #expect(imported.diagnostics.contains { $0.rule == .ignoredKey } == isWhite)
    }
  }

  @Test("a value goes to and fro in two frames of 60 a second at the least")
  func fastest() throws {
    for (speed, seconds) in [(1e6, 1.0 / 30), (10, 1)] {
      let text =
        #"{"particles": {"line_linked": {}, "size": {"value": 4, "anim": {"enable": true, "#
        + #""speed": \#(speed), "size_min": 1, "sync": false}}}}"#
      let width = try Self.imported(text).system.emitters[0].size.width
      #expect(width.over == .age && width.curve.extend == .mirror)
      let domain = try #require(width.domain)
      #expect(domain.lower == 0 && (domain.upper - seconds).magnitude < 1e-6, "\(domain)")
    }
  }

  private static let file = """
    {
      "particles": {
        "number": { "value": 80, "density": { "enable": true, "value_area": 800 } },
        "shape": { "type": "star", "polygon": { "nb_sides": 5 } },
        "opacity": { "value": 0.5, "random": true },
        "size": {
          "value": 4,
          "anim": { "enable": true, "speed": 10, "size_min": 1, "sync": false }
        },
        "line_linked": { "enable": true, "distance": 150 },
        "move": {
          "speed": 6,
          "direction": "bottom"
        }
      },
      "retina_detect": true
    }
    """

  @Test(
    "an edited value is one changed line of the file",
    arguments: [
      ("count", #""value": 80"#, #""value": 160"#), ("speed", #""speed": 6"#, #""speed": 12"#),
      ("direction", #""direction": "bottom""#, #""direction": "top""#),
      ("opacity", #""value": 0.5"#, #""value": 0.25"#), ("none", "", ""),
    ])
  func edits(what: String, old: String, new: String) throws {
    let imported = try Self.imported(Self.file)
    #expect(imported.system.asset.profile == .particlesJS)
    var system = imported.system
    switch what {
    case "count": system.emitters[0].emission.bursts[0].count = 120
    case "speed": system.emitters[0].launch.speed = system.emitters[0].launch.speed.scaled(by: 2)
    case "direction": system.emitters[0].launch.direction = Direction(angle: 90)
    case "opacity": system.emitters[0].color.opacity = Track(.range(0, 0.25))
    default: break
    }
    var package = try imported.package()
    try package.setSystem(system)
    let exported = try package.exported(as: .tsParticles, fileName: "a.json")
    let text = String(decoding: try #require(exported.parts.first?.bytes), as: UTF8.self)
    let wanted = old.isEmpty ? Self.file : Self.file.replacing(old, with: new, maxReplacements: 1)
    #expect(text == wanted)
    #expect(exported.beside.isEmpty)
    #expect(exported.losses.isEmpty, "\(exported.losses)")
  }

  @Test("what the engine cannot do is a loss")
  func losses() throws {
    let imported = try Self.imported(Self.file)
    var system = imported.system
    system.emitters[0].forces = [.gravity(Vector(0, -50))]
    system.emitters[0].rotation.velocity = 90
    system.emitters[0].lifetime = 2
    var package = try imported.package()
    try package.setSystem(system)
    let exported = try package.exported(as: .tsParticles, fileName: "a.json")
    #expect(exported.parts.first?.bytes == imported.source)
    for place in ["forces", "rotation", "lifetime"] {
      #expect(
        exported.losses.contains {
          $0.rule == .lost && $0.loss?.path == "emitters[0].\(place)"
        }, "\(place): \(exported.losses)")
    }
  }
}
