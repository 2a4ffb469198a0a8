import ParticlesCore
import ParticlesImages
import ParticlesModel
import Testing

@testable import ParticlesRender

/// Effects that ask for endless particles, under limits of work.
@Suite("Limits of work")
struct SimulationBudgetTests {
  private static func endless(rate: Double = 1e9, lifetime: Double = 2) -> Emitter {
    var emitter = Emitter(name: "endless")
    emitter.emission.rate = .constant(rate)
    emitter.lifetime = .constant(lifetime)
    emitter.launch.speed = 100
    emitter.size.width = 40
    return emitter
  }

  private static func simulation(
    _ emitters: [Emitter], steps: Int, particles: Int, threads: Int = 1
  ) -> Simulation {
    Simulation(
      ParticleSystem(name: "test", emitters: emitters), seed: 1, capacity: 100_000,
      threads: threads, budget: SimulationBudget(steps: steps, particles: particles))
  }

  @Test("all emitters together have at most as many particles as the budget allows")
  func particles() {
    let simulation = Self.simulation(
      Array(repeating: Self.endless(), count: 30), steps: 10_000_000, particles: 3_000)
    for _ in 0..<30 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count <= 3_000)
    }
    #expect(simulation.count > 2_500)
    #expect(simulation.isOverCapacity)
  }

  @Test("emission becomes slower where the work is used up, the same for any number of threads")
  func emission() {
    let counts = [1, 3].map { threads in
      let simulation = Self.simulation(
        [Self.endless(lifetime: 0.02)], steps: 2_000_000, particles: 50_000, threads: threads)
      var counts: [Int] = []
      for _ in 0..<60 {
        simulation.advance(by: 1 / 60)
        counts.append(simulation.population(ofEmitter: 0).emitted)
      }
      return counts
    }
    // Half of the work is kept for frames, and each emission takes 16 steps. Particles that die in the last
    // step are replaced once more.
    #expect(counts[0][59] <= 2_000_000 / 2 / 16 + 50_000)
    #expect(counts[0][59] > 40_000)
    #expect(counts[0] == counts[1])
  }

  @Test("frames have particles where the work before them is used up")
  func frames() {
    let budget = SimulationBudget(steps: 1_600_000, particles: 50_000)
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [Self.endless(lifetime: 0.02)]), seed: 1,
      capacity: 50_000, threads: 1, budget: budget)
    simulation.advance(by: 2)
    budget.beginFrames(seconds: 1)
    for frame in 0..<60 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count > 200, "frame \(frame)")
    }
    // All work together, with the particles that live.
    let emitted = simulation.population(ofEmitter: 0).emitted
    #expect(emitted * 16 <= 1_600_000)
  }

  @Test("a long prewarming ends when its work is used up; the particles stay")
  func prewarm() {
    var emitter = Self.endless(lifetime: 1e9)
    emitter.timing.prewarm = 3_600
    let simulation = Self.simulation([emitter], steps: 500_000, particles: 1_000)
    #expect(simulation.isOverCapacity)
    #expect(simulation.count == 1_000)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    // Most of the hour is left out.
    #expect(look.age[0] > 1 && look.age[0] < 20)
  }

  @Test("an effect that needs less is the same with and without a budget")
  func within() {
    for (name, system) in GoldenEffects.all {
      let digests = [nil, SimulationBudget(steps: 50_000_000, particles: 200_000)].map { budget in
        let simulation = Simulation(
          system, seed: 5, capacity: 100_000, threads: 1, budget: budget)
        budget?.beginFrames(seconds: 2)
        var digest = BitDigest()
        let look = Appearance()
        for _ in 0..<30 {
          simulation.advance(by: 1 / 20)
          for index in system.emitters.indices {
            simulation.appearance(ofEmitter: index, into: look)
            digest.add(look)
          }
        }
        return "\(digest)"
      }
      #expect(digests[0] == digests[1], "\(name)")
    }
  }

  @Test("bursts for which there is no room are not counted one by one")
  func bursts() throws {
    var emitter = Self.endless(rate: 0)
    emitter.emission.bursts = [Emitter.Burst(count: 50)]
    emitter.emission.bursts[0].cycles = 0
    emitter.emission.bursts[0].interval = 1e-6
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), seed: 1, capacity: 1_000)
    let state = simulation.states[0]
    let activation = try #require(state.activations.first)
    let bursts = state.bursts(from: 0, to: 1, factor: 1, activation)
    #expect(bursts.count == 21)
    simulation.advance(by: 0.5)
    #expect(simulation.count == 1_000 && simulation.isOverCapacity)
  }

  @Test("statistics of many endless emitters have at most twice the particles of one")
  func statistics() {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.seeds, plan.every, plan.capacity) = (20, 2, 5, 1_000)
    let statistics = ParticleStatistics(
      of: ParticleSystem(name: "test", emitters: Array(repeating: Self.endless(), count: 10)),
      plan: plan)
    #expect(statistics.isOverCapacity)
    for frame in statistics.sampledFrames.indices {
      let counts = statistics.emitters.compactMap { emitter in
        emitter.columns.first { $0.name == "count" }?.values[frame]
      }
      #expect(counts.count == 10)
      #expect(counts.reduce(0, +) <= 2_000)
      #expect(counts.reduce(0, +) > 1_500)
    }
  }

  // MARK: Painting

  @Test("pictures of an animation share the samples that may be painted")
  func paint() throws {
    let system = ParticleSystem(name: "test", emitters: [Self.endless(rate: 2_000)])
    let simulation = Simulation(system, seed: 1)
    simulation.advance(by: 1)
    var limits = Limits()
    limits.animationPaint = 1_000_000
    func renderer(pictures: Int?) throws -> EffectRenderer {
      let renderer = try EffectRenderer(
        system, settings: EffectRenderer.Settings(width: 64, height: 64, view: .pixels),
        limits: limits)
      if let pictures { renderer.limitWork(pictures: pictures) }
      return renderer
    }
    // 64 × 64 pixels may have 64 layers in any case.
    for (pictures, most) in [(nil, nil), (1, 1_000_000), (2, 500_000), (1_000, 262_144)]
      as [(Int?, Int?)]
    {
      let renderer = try renderer(pictures: pictures)
      let picture = try renderer.draw(simulation)
      let expected = most.map { ["at most \($0) painted samples (limit 'animationPaint')"] } ?? []
      #expect(renderer.problems.compactMap(\.expected) == expected, "\(pictures ?? 0)")
      #expect(stride(from: 3, to: picture.pixels.count, by: 4).contains { picture.pixels[$0] > 0 })
    }
  }
}
