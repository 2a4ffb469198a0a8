import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

@Suite("Threads that share the work on an effect")
struct ThreadCountTests {
  private static let threads = [1, 2, 3, 7]

  /// All numbers of all particles.
  private static func numbers(of simulation: Simulation) -> [[UInt32]] {
    let look = Appearance()
    return simulation.system.emitters.indices.flatMap { emitter in
      simulation.appearance(ofEmitter: emitter, into: look)
      return [
        look.x, look.y, look.z, look.velocityX, look.velocityY, look.velocityZ, look.width,
        look.height, look.angle, look.red, look.green, look.blue, look.alpha, look.intensity,
        look.mix, look.depth, look.age, look.life,
      ].map { $0.map(\.bitPattern) } + [look.ordinal.map { UInt32(truncatingIfNeeded: $0) }]
    }
  }

  @Test(
    "templates with many particles have the same bits with any number of threads",
    // These three do not get so many particles by a rate.
    arguments: Sample.of(
      EffectTemplate.all.map(\.name).filter { !["blank", "rain", "sparks"].contains($0) }, 4))
  func templates(name: String) throws {
    let template = try #require(EffectTemplate.all.first { $0.name == name })
    var system = try template.package().system()
    // Enough that every part of the work is shared out.
    for index in system.emitters.indices where system.emitters[index].triggers.isEmpty {
      system.emitters[index].emission.rate = .constant(20_000)
      system.emitters[index].emission.maxAlive = 12_000
    }
    let runs = Self.threads.map { threads in
      let simulation = Simulation(
        system, seed: 3, capacity: 20_000, team: WorkerTeam(threads: threads))
      for _ in 0..<30 { simulation.advance(by: 1 / 60) }
      return Self.numbers(of: simulation)
    }
    #expect(runs[0].contains { $0.count > EmitterState.leastShared })
    for (threads, run) in zip(Self.threads, runs) {
      #expect(run == runs[0], "\(threads) threads")
    }
  }

  @Test("sums over particles have the same bits with any number of threads")
  func sums() {
    var emitter = Emitter(name: "crowd")
    emitter.emission.rate = .constant(60_000)
    emitter.lifetime = .constant(0.5)
    emitter.launch.speed = .constant(70)
    emitter.launch.spread = 180
    let system = ParticleSystem(name: "crowd", emitters: [emitter])
    let simulation = Simulation(system, seed: 1)
    simulation.advance(by: 0.5)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    #expect(look.count > 25_000)
    let all = ([nil] + Self.threads.map { WorkerTeam(threads: $0) }).map { team in
      FrameSums(
        look, emitted: 30_000, view: EngineUnits(.neutral, .plane), index: 0, emitter: emitter,
        team: team
      ).values
    }
    for sums in all { #expect(sums == all[0]) }
  }

  @Test("large emitters are worth several threads, which the caller passes")
  func threads() {
    var emitter = Emitter(name: "fountain")
    emitter.lifetime = 1
    emitter.launch.speed = 100
    emitter.emission.rate = 20_000
    let large = ParticleSystem(name: "test", emitters: [emitter])
    func threads(_ system: ParticleSystem, capacity: Int = 1_000_000, atMost: Int? = 64) -> Int? {
      Workers.suited(to: system, capacity: capacity, atMost: atMost)?.threads
    }
    // One for each 1,250 of 20,000 particles.
    #expect(threads(large) == 16)
    #expect(threads(large, capacity: 12_500) == 10)
    #expect(threads(large, atMost: 3) == 3)
    #expect(threads(large, atMost: 1) == nil)
    #expect(threads(large, capacity: 500) == nil)
    let all = min(16, ParticlesSystem.Parallel.defaultThreads)
    #expect(threads(large, atMost: nil) == (all > 1 ? all : nil))
    emitter.emission.rate = 100
    #expect(threads(ParticleSystem(name: "test", emitters: [emitter])) == nil)
    #expect(Simulation(large).team == nil)
  }
}
