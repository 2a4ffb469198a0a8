import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesSimulation
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// Pictures and statistics of effects that ask for endless particles.
@Suite("Endless effects")
struct EndlessEffectTests {
  @Test("statistics of many endless emitters have at most twice the particles of one")
  func statistics() throws {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.seeds, plan.every, plan.capacity) = (20, 2, 5, 1_000)
    let statistics = try ParticleStatistics(
      of: ParticleSystem(name: "test", emitters: Array(repeating: .endless(), count: 10)),
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

  @Test("a run may have 20,000 particles a second, and more only if all runs together may")
  func leastWork() throws {
    for (rate, steps, isOver) in [
      (20_000, 8_000_000, false), (32_000, 8_000_000, true), (32_000, 80_000_000, false),
    ] {
      var emitter = Emitter(name: "fountain")
      emitter.emission.rate = .constant(Double(rate))
      emitter.lifetime = 1
      var plan = ParticleStatistics.Plan()
      (plan.frames, plan.seeds, plan.every) = (60, 1, 60)
      plan.limits.particleSteps = steps
      let statistics = try ParticleStatistics(
        of: ParticleSystem(name: "test", emitters: [emitter]), plan: plan)
      #expect(statistics.isOverCapacity == isOver, "\(rate), \(steps)")
    }
  }

  @Test("pictures of an animation share the samples that may be painted")
  func paint() throws {
    let system = ParticleSystem(name: "test", emitters: [.endless(rate: 2_000)])
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
