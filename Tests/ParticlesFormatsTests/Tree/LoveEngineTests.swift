import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// LÖVE runs the code that is written for it, and has read equal values.
@Suite struct LoveEngineTests {
  private static let program = Run.find("love")

  /// What LÖVE has read of each system, by the names of the methods.
  private func read(_ code: [UInt8]) throws -> [JSONValue] {
    let scratch = try Scratch()
    let file = scratch.file("effect.lua")
    try SafeSave.file(file, replacing: true) { try $0.write(code) }
    let output = scratch.file("out.json")
    _ = try Run.succeeding(
      try #require(Self.program), [Repository.path("Tests/Engines/love-read"), file, output],
      environment: ["SDL_VIDEODRIVER": "offscreen", "HOME": scratch.file("")])
    return try #require(JSONParser.parse(Files.read(output)).array)
  }

  @Test(
    "it reads the values of our writer", .needs("love"),
    arguments: ["libgdx", "pixi", "love", "defold", "phaser", "tsparticles"])
  func values(folder: String) throws {
    var count = 0
    let kinds = ["libgdx": "p", "love": "lua", "defold": "particlefx"]
    for path in Corpus.own(folder, kinds[folder] ?? "json") {
      let imported = try TreeCorpusTests.load(path).imported
      let exported = try imported.package().exported(as: .love, fileName: "effect.lua")
      let code = try #require(exported.parts.first?.bytes)
      let systems = try read(code)
      // Our own reader of this code, which reads the values of the document.
      let again = try ParticleFormat.love.decode(code, DecodingContext(fileName: "effect.lua"))
      #expect(systems.count == again.system.emitters.count, "\(path)")
      for (system, emitter) in zip(systems, again.system.emitters) {
        func numbers(_ name: String) -> [Double] {
          (system.object?[name]?.array ?? []).compactMap(\.double)
        }
        func expect(_ name: String, _ wanted: [Double]) {
          let found = numbers(name)
          #expect(found.count == wanted.count, "\(path) \(name)")
          for (a, b) in zip(found, wanted) {
            #expect((a - b).magnitude <= 1e-5 * (1 + b.magnitude), "\(path) \(name): \(a), \(b)")
          }
          count += found.count
        }
        let radians = Double.pi / 180
        func ends(_ value: Value, times factor: Double = 1) -> [Double] {
          [value.bounds.lower * factor, value.bounds.upper * factor].sorted()
        }
        expect("setBufferSize", [Double(emitter.emission.maxAlive ?? 0)])
        expect("setEmissionRate", [emitter.emission.rate.bounds.lower])
        expect("setEmitterLifetime", [emitter.timing.duration?.bounds.lower ?? -1])
        expect("setParticleLifetime", ends(emitter.lifetime))
        expect("setSpeed", ends(emitter.launch.speed))
        expect("setRotation", ends(emitter.rotation.angle.from, times: -radians))
        if emitter.launch.direction.mode == .angle {
          expect(
            "setDirection", [-emitter.launch.direction.angle.bounds.lower * radians])
        }
        for (name, kind, factor) in [
          ("setRadialAcceleration", Emitter.ForceKind.radial, 1.0),
          ("setTangentialAcceleration", .tangential, -1), ("setLinearDamping", .drag, 1),
        ] {
          let force = emitter.forces.first { $0.kind == kind }
          expect(name, ends(force?.strength.from ?? 0, times: factor))
        }
        let gravity = emitter.forces.first { $0.kind == .gravity }?.vector
        let (x, y) = (gravity?.x.from.bounds, gravity?.y.from.bounds)
        expect(
          "setLinearAcceleration",
          [x?.lower ?? 0, -(y?.upper ?? 0), x?.upper ?? 0, -(y?.lower ?? 0)])
        // In a file of an exporter the program places the system.
        if folder != "love" {
          let place = emitter.transform.translation
          expect("setPosition", [place.x, -place.y])
        }
        let sizes = numbers("setSizes")
        let varies = numbers("setSizeVariation").contains { $0 > 0 }
        if varies, sizes.count == 2, let end = emitter.size.width.to?.bounds {
          // Both ends are random.
          let (start, rises) = (emitter.size.width.from.bounds, sizes[1] >= sizes[0])
          #expect((sizes[0] - (rises ? start.lower : start.upper)).magnitude <= 1e-5, "\(path)")
          #expect((sizes[1] - (rises ? end.upper : end.lower)).magnitude <= 1e-5, "\(path)")
          count += 2
        }
        for (index, size) in sizes.enumerated() where !varies {
          let x = Double(index) / Double(max(sizes.count - 1, 1))
          let track = emitter.size.width
          let wanted = track.value(
            at: x, age: 0, from: track.from.bounds.lower, to: track.to?.bounds.lower ?? 0)
          #expect((size - wanted).magnitude <= 1e-5, "\(path) size \(index)")
          count += 1
        }
        let colors = numbers("setColors")
        for index in 0..<(colors.count / 4) {
          let x = Double(index * 4) / Double(max(colors.count - 4, 1))
          let base = emitter.color.base
          let start: Color = if case .constant(let color) = base.from { color } else { .white }
          let color = base.color(at: x, age: 0, from: start)
          for (channel, wanted) in [color.red, color.green, color.blue, color.alpha].enumerated() {
            #expect((colors[4 * index + channel] - min(max(wanted, 0), 1)).magnitude <= 1e-5)
            count += 1
          }
        }
      }
    }
    print("\(folder): LÖVE read \(count) values as written")
    #expect(count > 0)
  }
}
