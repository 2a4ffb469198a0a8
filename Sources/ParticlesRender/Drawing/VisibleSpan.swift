package import ParticlesCore
package import ParticlesModel
package import ParticlesSimulation

/// A part of the time of an effect, in which frames are chosen for what can be seen.
package struct VisibleSpan {
  /// Its ends, in seconds.
  package let start: Double
  package let end: Double
  let seed: UInt64?
  private let system: ParticleSystem

  /// The number of moments that are looked at.
  private static let moments = 24
  /// The most particles of all emitters.
  private static let mostLiving = 100_000
  /// The most particles that are looked at, of an emitter and of all.
  private static let (most, mostOfAll) = (6_000, 240_000)
  /// The most particles of an emitter.
  private static let mostOfEmitter = 20_000
  /// The longest time that is looked at where the caller does not name one, in seconds.
  private static let longest = 4.0

  package init(_ system: ParticleSystem, from start: Double, to end: Double, seed: UInt64? = nil) {
    (self.system, self.start, self.end, self.seed) = (system, start, end, seed)
  }

  /// The time in which everything shows that there is: the longest first period, and a life.
  package static func firstSeconds(of system: ParticleSystem) -> Double {
    let ends = system.emitters.filter { $0.enabled }.map { emitter in
      let timing = emitter.timing
      let speed = timing.speed > 0 ? timing.speed : 1
      let life = max(0, emitter.lifetime.bounds.upper)
      let active = timing.duration.map { max(0, $0.bounds.upper) } ?? life
      return (max(0, timing.delay.bounds.upper) + min(active, 2 * life) + life) / speed
    }
    return min(system.preview.duration ?? max(ends.max() ?? 1, 0.5), longest)
  }

  /// The visible spots at moments that are spread over the time.
  func spots(
    profile: ParticleSystem.Profile?, limits: Limits, threads: Int?,
    look: (Simulation, _ moment: Int, _ most: Int) -> [VisibleSpot]
  ) throws(AnyFailure) -> [VisibleSpot] {
    let interval = max(end - start, 0.05) / Double(Self.moments)
    let capacity = min(limits.particles, Self.mostOfEmitter)
    let simulation = Simulation(
      system, profile: profile, seed: seed, capacity: capacity,
      team: .suited(to: system, capacity: capacity, atMost: threads),
      budget: SimulationBudget(
        steps: limits.particleSteps / 8, particles: Self.mostLiving,
        duration: Simulation.stepCount(of: start)
          + Self.moments * Simulation.stepCount(of: interval)))
    let emitters = max(1, system.emitters.count)
    let most = max(1, min(Self.most, Self.mostOfAll / emitters) / Self.moments)
    simulation.advance(by: start)
    var found = start > 0 ? look(simulation, 0, most) : []
    for moment in 1...Self.moments {
      simulation.advance(by: interval)
      found += look(simulation, moment, most)
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    return found
  }
}

extension EffectRenderer {
  /// The visible spots of the effect in a part of its time.
  /// - Parameter profile: the engine whose law is followed; by default the one that the effect names.
  package func spots(
    in span: VisibleSpan, profile: ParticleSystem.Profile?
  ) throws(AnyFailure) -> [VisibleSpot] {
    try span.spots(profile: profile, limits: limits, threads: settings.threads) {
      spots(of: $0, moment: $1, most: $2)
    }
  }
}
