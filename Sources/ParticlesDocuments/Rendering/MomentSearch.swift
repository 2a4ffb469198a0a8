internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// Finds the moment of an effect at which most can be seen.
struct MomentSearch {
  let system: ParticleSystem
  let renderer: EffectRenderer
  let profile: ParticleSystem.Profile?
  let seed: UInt64?
  let limits: Limits

  /// The number of moments that are compared.
  private static let moments = 16
  /// The most particles that are looked at, of an emitter and of all.
  private static let (most, mostOfAll) = (250, 25_000)
  /// The longest time that is searched for the first visible particle, in seconds.
  private static let longest = 120.0
  /// The most particles and emitters, summed over all steps, that this search runs.
  private static let mostWork = 400_000
  /// The seconds after the first visible particle in which the best moment is searched.
  private static let afterFirst = 1.0

  /// - Returns: the time in seconds; if nothing can ever be seen, the one with most particles, or
  ///   `pace.start`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the work for it is used up.
  func best(_ pace: EffectPace) throws -> Double {
    let step = max(pace.end, pace.start, 0.1) / Double(Self.moments)
    if pace.isComplete { return step }
    let simulation = simulation(seconds: Double(Self.moments) * step, step: step)
    var best = (time: pace.start, worth: 0.0)
    var fullest = (time: pace.start, living: 0)
    for moment in 1...Self.moments {
      simulation.advance(by: step)
      if simulation.count > fullest.living {
        fullest = (Double(moment) * step, simulation.count)
      }
      let worth = worth(of: simulation)
      // Later moments look alike in a steady effect; an earlier one is faster to reach.
      if worth > best.worth * 1.1 { best = (Double(moment) * step, worth) }
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    return best.worth > 0 ? best.time : try first(pace) ?? fullest.time
  }

  /// The best moment of an effect that shows something between the moments that were compared, or later.
  private func first(_ pace: EffectPace) throws -> Double? {
    guard system.populations().contains(where: { $0.alive > 0 }) else { return nil }
    let longest = min(pace.whole, Self.longest)
    let simulation = simulation(seconds: longest, step: Simulation.longestStep)
    var best: (time: Double, worth: Double)?
    var (time, end, work) = (0.0, longest, 0)
    while time < end, work < Self.mostWork {
      simulation.advance(by: Simulation.longestStep)
      time += Simulation.longestStep
      work += simulation.count + system.emitters.count
      guard simulation.count > 0 else { continue }
      let worth = worth(of: simulation)
      guard worth > (best?.worth ?? 0) * 1.1 else { continue }
      if best == nil { end = min(end, time + Self.afterFirst) }
      best = (time, worth)
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    return best?.time
  }

  private func simulation(seconds: Double, step: Double) -> Simulation {
    Simulation(
      system, profile: profile, seed: seed, capacity: 2_000,
      budget: SimulationBudget(
        steps: limits.particleSteps / 8, particles: 50_000,
        duration: Int(saturating: seconds / step) * Simulation.stepCount(of: step)))
  }

  /// How much there is to see: the contrast of all particles, large ones more than small ones; less where they
  /// hide each other, or are lost in a large picture.
  private func worth(of simulation: Simulation) -> Double {
    guard simulation.count > 0 else { return 0 }
    let most = max(1, min(Self.most, Self.mostOfAll / max(1, system.emitters.count)))
    let spots = renderer.spots(of: simulation, most: most)
    let sum = spots.reduce(0) { sum, spot in
      let contrast = spot.bestContrast < Framing.least ? spot.bestContrast / 8 : spot.bestContrast
      return sum + contrast * (spot.area * spot.count).squareRoot()
    }
    guard sum > 0, sum.isFinite else { return 0 }
    let area = spots.reduce(0) { $0 + $1.area }
    let frame = renderer.extent(of: spots)
    let layers = area / max(frame * frame, 1e-12)
    return sum / (1 + layers) * min(1, layers / Self.leastLayers).squareRoot()
  }

  /// The share of the picture below which particles are lost in it.
  private static let leastLayers = 0.1
}
