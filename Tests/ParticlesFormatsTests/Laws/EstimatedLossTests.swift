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

  /// The level of a line about some properties of an emitter that a result has with other values.
  private func level(
    _ paths: [String], of source: ParticleSystem, after change: (inout Emitter) -> Void
  ) throws -> Loss.Level {
    var result = source
    change(&result.emitters[0])
    var line = Diagnostic(.lost, at: .key("emitters[0]"), "lost")
    let places = paths.map { "emitters[0].\($0)" }
    line.loss = Loss(
      feature: "maxAlive", level: .high, path: places[0], alsoPaths: Array(places.dropFirst()))
    var estimates = try #require(
      EstimatedLosses(source, result, EncodingContext(fileName: "a.x")))
    return try #require(estimates.leveled([line]).first).lossLevel
  }

  @Test("a rotation of a sphere is no change")
  func sphere() throws {
    var system = system {
      ($0.shape.kind, $0.shape.radius) = (.sphere, 20)
      ($0.launch.direction.mode, $0.launch.spread) = (.normal, 0)
      $0.shape.transform.rotation = Quaternion(0.7071067811865476, 0, 0, 0.7071067811865476)
    }
    system.asset.dimension = .space
    let level = try level(["shape.transform"], of: system) { $0.shape.transform = Transform() }
    #expect(level == .info)
  }

  @Test("a limit at the mean number loses the particles that would exceed it")
  func limit() throws {
    let system = system { ($0.emission.rate, $0.lifetime) = (62.5, .range(2, 3)) }
    #expect(try level(["emission.maxAlive"], of: system) { $0.emission.maxAlive = 156 } == .low)
    #expect(try level(["emission.maxAlive"], of: system) { $0.emission.maxAlive = 180 } == .info)
  }

  @Test("particles that are kept alive are emitted once, if half of the lifetimes are below 0")
  func kept() throws {
    let system = system {
      ($0.emission.rate, $0.emission.minAlive, $0.emission.maxAlive) = (0, 100, 100)
      ($0.lifetime, $0.timing.duration, $0.timing.loop) = (.range(-1, 1), 0.01, false)
    }
    let level = try level(["emission", "lifetime"], of: system) {
      ($0.emission, $0.lifetime) = (Emission(), .range(0, 1))
      $0.emission.rate = 0
      $0.emission.bursts = [Burst(count: 50)]
    }
    #expect(level == .info)
  }

  @Test("a rotation is visible also where the number of particles changes more")
  func rotation() throws {
    let system = system { $0.rotation.velocity = 60 }
    let level = try level(["rotation.velocity"], of: system) {
      ($0.rotation.velocity, $0.emission.rate) = (0, 10)
    }
    #expect(level >= .medium)
  }

  @Test("what cannot be estimated keeps the level of its feature")
  func unknown() throws {
    let noise = system { $0.forces = [Force(.noise, strength: 0.001)] }
    #expect(try level("forces", of: noise) == Capability.noise.weight)
  }
}
