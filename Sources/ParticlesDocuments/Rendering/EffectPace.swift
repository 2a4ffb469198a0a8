internal import ParticlesModel
internal import ParticlesRender

/// When an effect has begun, how long a picture of it lasts, and when most of it is visible.
struct EffectPace {
  /// When all that it shows has appeared, in seconds.
  let start: Double
  /// The duration of an animation, in seconds.
  let duration: Double
  /// The time after which nothing new happens, in seconds.
  private let end: Double
  /// Whether as much is visible at the beginning as later: endless emitters that have run for most of a
  /// life.
  private let isComplete: Bool

  init(_ system: ParticleSystem) {
    let emitters = system.emitters.filter(\.enabled)
    func most(_ value: (Emitter) -> Double) -> Double {
      min(max(emitters.map { value($0) / max($0.timing.speed, 0.01) }.max() ?? 0, 0), 600)
    }
    let life = most { $0.lifetime.bounds.upper }
    let delay = most { $0.timing.delay.bounds.upper }
    let period = most { emitter in
      emitter.timing.duration.map { $0.bounds.upper + emitter.timing.idle.bounds.upper } ?? 0
    }
    let isEndless = emitters.contains { $0.timing.loop || $0.timing.duration == nil }
    let isSteady = emitters.contains { $0.timing.duration == nil }
    let warmup = system.preview.warmup
    isComplete = emitters.allSatisfy { emitter in
      let needed = emitter.timing.delay.bounds.upper + 0.9 * emitter.lifetime.mean
      return emitter.timing.duration == nil && emitter.timing.prewarm >= needed
    }
    end = min(delay + period + life, 20)
    if isSteady {
      // A life after it began, an endless emitter shows all that it will ever show.
      start = max(warmup, min(delay + life, 10))
      duration = system.preview.duration ?? min(max(life, 2), 4)
    } else if isEndless {
      start = max(warmup, 0)
      duration = system.preview.duration ?? min(max(period, 0.5), 6)
    } else {
      start = max(warmup, 0)
      duration = system.preview.duration ?? min(max(delay + period + life, 0.5), 6)
    }
  }

  /// The number of moments that are compared.
  private static let moments = 16

  /// The moment at which the particles cover most, with what they let through left out.
  func showing(
    _ system: ParticleSystem, profile: ParticleSystem.Profile?, seed: UInt64?
  ) -> Double {
    let step = max(end, start, 0.1) / Double(Self.moments)
    if isComplete { return step }
    let simulation = Simulation(
      system, profile: profile, seed: seed, capacity: 2_000,
      budget: SimulationBudget(steps: 50_000_000, particles: 50_000))
    var best = (time: start, cover: 0.0)
    for moment in 1...Self.moments {
      simulation.advance(by: step)
      let cover = simulation.cover
      // Later moments look alike in a steady effect; an earlier one is faster to reach.
      if cover > best.cover * 1.1 { best = (Double(moment) * step, cover) }
    }
    return best.time
  }
}
