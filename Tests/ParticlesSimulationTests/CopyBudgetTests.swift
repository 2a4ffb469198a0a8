import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

/// Copies of emitters, which triggers start, and emissions for which there is no room.
@Suite("Work of copies") struct CopyBudgetTests {
  /// An emitter whose particles start copies of another emitter when they are emitted.
  private static func chain(_ last: Emitter) -> Simulation {
    var first = Emitter.endless(rate: 600, lifetime: 1)
    first.triggers = [Trigger(.birth, emitter: 1)]
    return Simulation(
      ParticleSystem(name: "chain", emitters: [first, last]), seed: 1, capacity: 100_000,
      budget: SimulationBudget(steps: 400_000_000, particles: 200_000, duration: 120))
  }

  /// The attempts of each step that emitted nothing, most.
  private static func misses(_ simulation: Simulation) -> Int {
    (0..<120).map { _ in
      simulation.advance(by: 1 / 60)
      return simulation.states[1].misses
    }.max() ?? 0
  }

  @Test("copies of an emitter that has emitted all of its particles try no more")
  func total() {
    var last = Emitter.endless(rate: 6e6, lifetime: 0.5)
    last.emission.total = 3
    let simulation = Self.chain(last)
    #expect(Self.misses(simulation) <= 2)
    #expect(simulation.population(ofEmitter: 1).emitted == 3)
    #expect(simulation.states[1].activations.count > 1_000)
  }

  @Test("copies of an emitter that is full try once in a step each", arguments: [0, 1.0])
  func full(jitter: Double) {
    var last = Emitter.endless(rate: 6e6, lifetime: 0.5)
    last.emission.maxAlive = 5
    last.emission.jitter = jitter
    let simulation = Self.chain(last)
    let most = Self.misses(simulation)
    #expect(most > 100 && most <= 2 * simulation.states[1].activations.count)
    #expect(simulation.population(ofEmitter: 1).alive == 5)
  }

  @Test("attempts without room, emitters and their copies use the work up")
  func payment() {
    func used(_ misses: Int, ofEmitter: Int = SimulationBudget.emitter) -> Int {
      var budget = SimulationBudget(
        steps: 1_000_000, particles: 100, duration: 10, ofEmitter: ofEmitter)
      let allowance = budget.allowance(
        living: 0, moving: 0, emitters: 2, sharing: 1, activations: 5, places: 0)
      #expect(allowance != nil)
      budget.use(
        0, living: 1, weighing: EmitterWeight(Emitter.endless()), events: 0, misses: misses)
      return budget.used
    }
    let own = 2 * SimulationBudget.emitter + 3 * SimulationBudget.copy
    #expect(used(0) == own && used(100) == own + 200)
    #expect(used(0, ofEmitter: 16) == 32 + 3 * SimulationBudget.copy)
  }
}
