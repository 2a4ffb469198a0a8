import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesSimulation
import Testing

@Suite("Effects that tasks share")
struct RunningEffectTests {
  private static func fountain(rate: Double = 50) -> ParticleSystem {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = .init(floatLiteral: rate)
    emitter.lifetime = 1
    emitter.launch.speed = 40
    emitter.size.width = 4
    return ParticleSystem(name: "fountain", emitters: [emitter])
  }

  private static let settings = EffectRenderer.Settings(width: 64, height: 64)

  @Test("particles and pictures are those of a simulation", arguments: [0.5, 0.99, 2])
  func same(seconds: Double) async throws {
    let system = Self.fountain()
    let simulation = Simulation(system)
    let renderer = try EffectRenderer(system, settings: Self.settings)
    let effect = RunningEffect(system, settings: Self.settings)
    for target in [nil, ParticleSystem.Vector(10, 5, 0)] {
      if let target {
        simulation.advance(by: seconds, to: target)
      } else {
        simulation.advance(by: seconds)
      }
      try await effect.advance(by: seconds, to: target)
      #expect(await effect.count == simulation.count)
      #expect(try await effect.population(ofEmitter: 0) == simulation.population(ofEmitter: 0))
      #expect(try await effect.draw() == renderer.draw(simulation))
    }
    await #expect(throws: Diagnostic.self) { try await effect.population(ofEmitter: 1) }
  }

  @Test("tasks share an effect, and the one that is cancelled stops")
  func cancelled() async throws {
    let effect = RunningEffect(Self.fountain(rate: 2000))
    let task = Task { try await effect.advance(by: 1e6) }
    // This task has its turn only after the cancelled task has stopped.
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let before = await effect.time
    #expect(before < 1e6)
    try await effect.advance(by: 0.5)
    #expect(await effect.time > before)
    let drawing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await effect.draw()
    }
    await #expect(throws: CancellationError.self) { try await drawing.value }
  }

  @Test("limits bound the particles")
  func limits() async throws {
    var limits = Limits.untrusted
    limits.particles = 10
    let effect = RunningEffect(Self.fountain(), limits: limits)
    try await effect.advance(by: 1)
    #expect(await effect.count == 10)
    #expect(await effect.isOverCapacity)
  }
}
