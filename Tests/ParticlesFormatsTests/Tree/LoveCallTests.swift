import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Calls of LÖVE: directions relative to the direction from the place to the centre, and the order of calls.
@Suite("Calls of LÖVE")
struct LoveCallTests {
  private static func imported(_ area: String, direction: Double, spread: Double = 0.2) throws
    -> Imported
  {
    let code = """
      local ps = love.graphics.newParticleSystem(image, 100)
      ps:setSpeed(10, 20)
      ps:setDirection(\(direction))
      ps:setSpread(\(spread))
      ps:setEmissionArea("\(area)", 30, 20, 0, true)
      return ps
      """
    return try ParticleFormat.love.decode(
      Array(code.utf8), DecodingContext(fileName: "effect.lua"))
  }

  @Test("away from the centre is the normal", arguments: ["uniform", "ellipse", "normal"])
  func outward(area: String) throws {
    let imported = try Self.imported(area, direction: 0)
    let launch = imported.system.emitters[0].launch
    #expect(launch.direction == Direction(.normal) && launch.speed == .range(10, 20))
    #expect((launch.spread - 0.1 * 180 / .pi).magnitude < 1e-6)
    #expect(imported.diagnostics.isEmpty)
    let written = try ParticleFormat.love.export(
      imported.system, EncodingContext(fileName: "effect.lua"))
    let code = String(decoding: written.parts[0].bytes, as: UTF8.self)
    #expect(code.contains("20, 0, true)") && code.contains("setSpread(0.2)"), "\(code)")
  }

  @Test("towards the centre the speed is negative")
  func inward() throws {
    let launch = try Self.imported("ellipse", direction: 3.14159265).system.emitters[0].launch
    #expect(launch.direction == Direction(.normal) && launch.speed == .range(-20, -10))
  }

  /// LÖVE gives particles the values that were set before they are emitted.
  @Test("particles are emitted after everything is set")
  func bursts() throws {
    var emitter = Emitter(name: "Burst")
    emitter.emission.bursts = [Burst(count: 30)]
    emitter.lifetime = 2
    let written = try ParticleFormat.love.export(
      ParticleSystem(name: "Burst", emitters: [emitter]),
      EncodingContext(fileName: "effect.lua"))
    let lines = String(decoding: written.parts[0].bytes, as: UTF8.self).split(separator: "\n")
    let calls = lines.filter { $0.contains("ps:") }
    #expect(calls.count > 10 && calls.last?.contains("ps:emit(30)") == true, "\(calls)")
  }

  @Test("other angles are reported; with all directions there is nothing to report")
  func others() throws {
    let aside = try Self.imported("uniform", direction: 1.5)
    #expect(aside.system.emitters[0].launch.direction == Direction(.random))
    #expect(aside.diagnostics.count == 1)
    let near = try Self.imported("uniform", direction: 0.3)
    #expect(near.system.emitters[0].launch.direction == Direction(.normal))
    #expect(near.diagnostics.count == 1)
    #expect(try Self.imported("borderrectangle", direction: 0).diagnostics.count == 1)
    #expect(try Self.imported("uniform", direction: 1, spread: 6.2831853).diagnostics.isEmpty)
  }
}
