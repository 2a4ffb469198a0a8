import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesRender
import ParticlesSimulation
import ParticlesTestSupport
import Testing

@testable import ParticlesWeb

@Suite("Effects in pages")
struct PlayedEffectTests {
  private func played(
    _ template: String = "fire", _ options: String = "{}"
  ) throws -> PlayedEffect {
    let package = try #require(try EffectTemplate.named(template)?.package())
    return try PlayedEffect(
      package.document(), PlayedEffect.Options(Array(options.utf8)))
  }

  @Test("a changed property acts at the next step, and living particles stay")
  func change() throws {
    let effect = try played()
    effect.advance(by: 1, to: .zero)
    let alive = effect.simulation.count
    #expect(alive > 20)
    try effect.set("emitters[0].emission.rate", to: .int(0))
    #expect(effect.simulation.count == alive)
    #expect(effect.simulation.time == 1)
    effect.advance(by: 0.1, to: .zero)
    #expect(effect.simulation.count < alive)
    #expect(
      effect.document.object?["emitters"]?.array?[0].object?["emission"]?.object?["rate"] == .int(0)
    )
  }

  @Test("a property that needs other numbers of particles simulates the effect again to the moment")
  func otherColumns() throws {
    let effect = try played()
    effect.advance(by: 0.5, to: .zero)
    try effect.set(
      "emitters[0].size.width", to: ["from": .int(3), "to": ["min": .int(1), "max": .int(9)]])
    #expect(abs(effect.simulation.time - 0.5) < 1e-9)
    #expect(effect.simulation.count > 5)
  }

  @Test("a property of an emitter keeps the renderer and its camera, one of the preview does not")
  func rendererStays() throws {
    let effect = try played("magic")
    effect.advance(by: 0.5, to: .zero)
    let renderer = try effect.renderer()
    let camera = renderer.camera
    try effect.set("emitters[0].emission.rate", to: .int(500))
    try effect.set("emitters[0].size.width", to: ["min": .int(1), "max": .int(900)])
    #expect(try effect.renderer() === renderer && renderer.camera == camera)
    effect.advance(by: 0.2, to: .zero)
    #expect(renderer.quads(of: effect.shown).quads.count > 50)
    try effect.set("preview", to: ["camera": ["orthoHeight": .int(3)]])
    #expect(try effect.renderer().camera.orthoHeight == 3)
  }

  @Test("trails go on when a property changes, and begin anew with the effect")
  func trails() throws {
    let document = """
      {"asset": {"version": "1.0"}, "emitters": [{"lifetime": 9, "emission": {"bursts": [{"count": 1}]},
      "launch": {"speed": 100}, "render": {"trail": {"length": 5}}}]}
      """
    let effect = try PlayedEffect(Array(document.utf8), PlayedEffect.Options())
    let renderer = try effect.renderer()
    func reach() -> Float {
      let quads = renderer.quads(of: effect.shown).quads
      let corners = quads.flatMap { [$0.corners.0, $0.corners.1, $0.corners.2, $0.corners.3] }
      let (x, y) = (corners.map(\.x), corners.map(\.y))
      return max((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
    }
    for _ in 0..<60 {
      effect.advance(by: 1 / 60, to: .zero)
      _ = reach()
    }
    let long = reach()
    try effect.set("emitters[0].color.opacity", to: .double(0.5))
    effect.advance(by: 1 / 60, to: .zero)
    #expect(reach() >= long)
    effect.restart()
    effect.advance(by: 1 / 60, to: .zero)
    #expect(try effect.renderer() === renderer)
    #expect(reach() < long / 4)
  }

  @Test(
    "paths and values that are none are refused, and change nothing",
    arguments: [
      "", ".", "emitters[", "emitters[]", "emitters[0", "emitters[0]x", "emitters[7].name",
      "emitters.name", "[0]", "emitters[99999999999]", "emitters[0].", "emitters[0].name.",
      "emitters..name", "emitters[0]..name", "[", "emitters[0][", "emitters]0[", ".emitters",
      "asset..name", ".asset.name", "asset.name.", "emitters[0]name",
    ])
  func badPaths(_ path: String) throws {
    let effect = try played()
    let before = effect.document
    #expect(throws: Diagnostic.self) { try effect.set(path, to: .int(1)) }
    #expect(throws: Diagnostic.self) {
      try effect.set("emitters[0].emission.rate", to: .string("many"))
    }
    #expect(effect.document == before)
  }

  @Test(
    "names that are none are refused as those of properties, and change nothing",
    arguments: [
      "emitters[0].emission.rat", "nonsense", "emitters[0].foo.bar", "emitters[0].emission.Rate",
    ])
  func unknownNames(_ path: String) throws {
    let effect = try played()
    let before = effect.document
    for value in [JSONValue.int(1), .null, ["a": .int(1)]] {
      let fault = #expect(throws: Diagnostic.self) { try effect.set(path, to: value) }
      #expect(fault?.rule == .absentName && fault?.location == .key(path))
    }
    #expect(effect.document == before)
  }

  @Test("every property of the catalogue has a name that is known")
  func knownNames() throws {
    let names = SettableKey.all()
    try #require(names.count > 100)
    for name in names {
      let path = name.key.replacing("emitters[]", with: "emitters[0]")
      guard !path.contains("[]"), let standard = name.standard else { continue }
      let effect = try played()
      do throws(Diagnostic) {
        try effect.set(path, to: JSONParser.parse(Array(standard.utf8)))
      } catch {
        #expect(error.rule != .absentName, "\(path): \(error)")
      }
    }
  }

  @Test("members of extensions, and unknown ones that the document has, can be set")
  func freeNames() throws {
    let document = #"{"asset": {"version": "1.0"}, "new": {"a": 1}, "emitters": [{"newer": 1}]}"#
    let effect = try PlayedEffect(Array(document.utf8), PlayedEffect.Options())
    for path in ["new.b", "emitters[0].newer", "extras", "extras.c", "extensions.VENDOR_a"] {
      try effect.set(path, to: ["d": .int(2)])
    }
    #expect(throws: Diagnostic.self) { try effect.set("emitters[0].newest", to: .int(2)) }
    #expect(effect.document.object?["new"]?.object?["b"] == ["d": .int(2)])
  }

  @Test("a number out of range is refused with range and number, unless it is let through")
  func outOfRange() throws {
    let effect = try played()
    let before = effect.document
    let values: [(String, JSONValue)] = [
      ("emitters[0].emission.rate", .int(-3)), ("emitters[0].launch.spread", .int(200)),
      ("emitters[0].emission", ["rate": .int(-3)]), ("emitters[0].sprites", .array([.int(99)])),
      ("emitters[0].lifetime", ["min": .int(3), "max": .int(1)]),
    ]
    for (path, value) in values {
      #expect(throws: Diagnostic.self) { try effect.set(path, to: value) }
    }
    let fault = #expect(throws: Diagnostic.self) { try effect.set(values[0].0, to: .int(-3)) }
    #expect(fault?.rule == .range && fault?.expected == "at least 0" && fault?.found == "-3")
    #expect(effect.document == before && effect.problems.isEmpty)
    // A reference that leads nowhere is no number out of range.
    #expect(throws: Diagnostic.self) { try effect.set(values[3].0, to: values[3].1, beyond: true) }
    try effect.set(values[0].0, to: .int(-3), beyond: true)
    #expect(effect.problems.map(\.severity) == [.warning] && effect.problems[0].rule == .range)
    // Others can be changed, it stays a warning, and another number out of range is refused.
    try effect.set("emitters[0].color.opacity", to: .double(0.5))
    #expect(effect.problems.count == 1)
    #expect(throws: Diagnostic.self) { try effect.set(values[0].0, to: .int(-4)) }
    try effect.set(values[0].0, to: .int(4))
    #expect(effect.problems.isEmpty)
  }

  @Test("a document with numbers out of range plays, and its other properties can be changed")
  func outOfRangeAlready() throws {
    let document = #"{"asset": {"version": "1.0"}, "emitters": [{"emission": {"rate": -3}}]}"#
    let effect = try PlayedEffect(Array(document.utf8), PlayedEffect.Options())
    #expect(effect.problems.isEmpty)
    try effect.set("emitters[0].color.opacity", to: .double(0.5))
    #expect(throws: Diagnostic.self) { try effect.set("emitters[0].emission.rate", to: .int(-4)) }
  }

  @Test("templates play without warnings under the limits of elements")
  func templates() throws {
    for template in EffectTemplate.all {
      for (particles, steps) in [(100_000, 1_000_000), (20_000, 200_000)] {
        let limits = #"{"limits": {"particles": \#(particles), "particleSteps": \#(steps)}}"#
        let effect = try played(template.name, limits)
        for _ in 0..<60 { effect.advance(by: 1 / 60, to: .zero) }
        #expect(effect.problems.isEmpty, "\(template.name): \(effect.problems)")
      }
    }
  }

  @Test("only the time before an effect is first seen has more work than a step")
  func start() throws {
    func count(_ timing: String) throws -> Int {
      let document = """
        {"asset": {"version": "1.0"}, "emitters": [{"lifetime": 9, "emission": {"rate": 1e6}\(timing)}]}
        """
      let effect = try PlayedEffect(
        Array(document.utf8),
        PlayedEffect.Options(Array(#"{"limits": {"particleSteps": 20000}}"#.utf8)))
      effect.advance(by: 1 / 60, to: .zero)
      return effect.simulation.count
    }
    let (cold, warm) = (try count(""), try count(#", "timing": {"prewarm": 1}"#))
    #expect(cold < 20_000 / 16 && warm > cold, "\(cold), \(warm)")
  }

  @Test("a moment that is sought is that of a simulation in steps, from wherever")
  func seek() throws {
    let effect = try played()
    while !effect.seek(0.7, most: 10) {}
    let count = effect.simulation.count
    effect.advance(by: 1, to: .zero)
    while !effect.seek(0.7, most: 1000) {}
    #expect(effect.simulation.count == count)
    #expect(abs(effect.simulation.time - 0.7) < 1e-9)
  }

  @Test("a moment that is sought has the bits of a native simulation, under the law of each engine")
  func soughtBits() throws {
    for law in ParticleSystem.EngineLaw.all {
      var system = try EffectTemplate.fire.package().system()
      system.asset.profile = law.profile
      let document = system.encoded()
      for seconds in [0.7, 1.1, 2.3] {
        let effect = try PlayedEffect(document, PlayedEffect.Options())
        while !effect.seek(seconds, most: 7) {}
        let other = try PlayedEffect(document, PlayedEffect.Options())
        // Not in parts of a second, as a page does.
        other.simulation.advance(by: seconds)
        #expect(
          bits(effect) == bits(other), "\(law.profile.rawValue) at \(seconds) seconds")
      }
    }
  }

  private func bits(_ effect: PlayedEffect) -> [UInt32] {
    effect.system.emitters.indices.flatMap { emitter in
      let count = effect.simulation.population(ofEmitter: emitter).alive
      return (0..<18).flatMap { column in
        effect.column(column, ofEmitter: emitter).map { numbers in
          (0..<count).map { numbers[$0].bitPattern }
        } ?? []
      }
    }
  }

  @Test(
    "effects that ask for too much end within their limits, with a diagnostic",
    arguments: [
      #"{"rate": 1e9}"#, #"{"rate": 1e300}"#, #"{"rate": 10, "maxAlive": 10000000000}"#,
      #"{"bursts": [{"count": 1e12}]}"#,
    ])
  func excess(_ emission: String) throws {
    let document = """
      {"asset": {"version": "1.0"}, "emitters": [{"lifetime": 1e6, "emission": \(emission)}]}
      """
    let effect = try PlayedEffect(
      Array(document.utf8), PlayedEffect.Options(Array(#"{"limits": {"particles": 500}}"#.utf8)))
    for _ in 0..<10 { effect.advance(by: 1 / 60, to: .zero) }
    #expect(effect.simulation.count <= 500)
    #expect(emission.contains("maxAlive") || effect.problems.contains { $0.rule == .limit })
  }

  @Test("the exact mode paints what the tool draws")
  func paint() throws {
    let effect = try played("snow")
    effect.advance(by: 1, to: .zero)
    try effect.view(.init(width: 64, height: 48, Array(#"{"background": [0, 0, 0]}"#.utf8)))
    let pixels = try #require(try effect.paint())
    let sum = (0..<64 * 48).reduce(0) { $0 + Int(pixels[4 * $1]) }
    #expect(sum > 1000)
  }
}
