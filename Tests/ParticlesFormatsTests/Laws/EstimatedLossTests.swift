import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Levels of losses that follow from what an effect does.
@Suite("Estimated levels of losses")
struct EstimatedLossTests {
  private func system(_ change: (inout Emitter) -> Void = { _ in }) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 50
    emitter.lifetime = .range(0.5, 1.5)
    (emitter.launch.speed, emitter.launch.spread) = (100, 30)
    emitter.size.width = 10
    change(&emitter)
    return ParticleSystem(name: "a", emitters: [emitter])
  }

  private func level(
    _ path: String, of system: ParticleSystem, in format: ParticleFormat = .pixi
  ) throws -> Loss.Level {
    let losses = try format.export(system, EncodingContext(fileName: "a.x")).losses
    let line = losses.first { $0.loss?.path.hasPrefix("emitters[0].\(path)") == true }
    return try #require(line, "\(losses)").lossLevel
  }

  @Test(
    "a drift that is lost counts by how far it moves particles",
    arguments: [(0.5, Loss.Level.info), (20, .medium), (300, .high)])
  func drift(speed: Double, level: Loss.Level) throws {
    let system = system { $0.motion.drift.x = .constant(speed) }
    #expect(try self.level("motion.drift", of: system) == level)
  }

  @Test(
    "a delay that is lost counts by its length", arguments: [(0.001, Loss.Level.info), (2, .high)])
  func delay(seconds: Double, level: Loss.Level) throws {
    let system = system { $0.timing.delay = .constant(seconds) }
    #expect(try self.level("timing.delay", of: system) == level)
  }

  @Test("a loss of one emitter counts by its share in the effect")
  func shares() throws {
    var system = system { $0.motion.drift.x = 100 }
    let alone = try level("motion.drift", of: system)
    var large = system.emitters[0]
    (large.motion.drift, large.size.width, large.emission.rate) = (.zero, 400, 500)
    system.emitters.append(large)
    #expect(alone == .high)
    #expect(try level("motion.drift", of: system) < .medium)
  }

  @Test("an emitter that keeps a number alive, or whose lifetimes are partly below 0, is estimated")
  func unusual() throws {
    let kept = system {
      ($0.emission.rate, $0.emission.minAlive, $0.emission.maxAlive) = (0, 100, 100)
      $0.motion.drift.x = 300
    }
    #expect(try level("motion.drift", of: kept) == .high)
    let negative = system {
      $0.lifetime = .range(-0.5, 1.5)
      $0.motion.drift.x = 0.5
    }
    #expect(try level("motion.drift", of: negative) == .info)
  }

  @Test("what cannot be estimated keeps the level of its feature")
  func unknown() throws {
    let noise = system { $0.forces = [Force(.noise, strength: 0.001)] }
    #expect(try level("forces", of: noise) == Capability.noise.weight)
  }
}
