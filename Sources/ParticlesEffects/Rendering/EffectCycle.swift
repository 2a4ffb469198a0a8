internal import ParticlesCore
internal import ParticlesImages
package import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// How an effect goes on in time: whether it ends, and otherwise how it repeats.
package struct EffectCycle {
  /// Whether emitters emit again and again.
  let isEndless: Bool
  /// The seconds of a visible cycle: the life of particles, as whole periods if there are some.
  let duration: Double
  /// When all that happens once has been emitted: delays, short emitters, single bursts. In seconds.
  package let settled: Double
  /// Whether there are moments with much less to see than at others: bursts, pauses, few particles.
  let isPulsing: Bool
  /// The seconds that particles live at most, including triggered particles.
  let longestLife: Double
  /// Whether the emission of an emitter depends on the number of its living particles.
  let isRegulated: Bool

  /// The longest cycle. A longer animation would be a large file, and its repetition is not noticed anyway.
  static let longest = 8.0
  /// A shorter loop looks hectic.
  private static let least = 2.0

  package init(_ system: ParticleSystem, profile: ParticleSystem.Profile?) {
    let enabled = system.emitters.filter { $0.enabled && !$0.timing.isStopped }
    let starting = system.startingEmitters.filter(system.emitters.indices.contains)
      .map { system.emitters[$0] }.filter { $0.enabled && !$0.timing.isStopped }
    let endless = starting.filter { $0.isEndless }
    isEndless = !endless.isEmpty
    func most(_ emitters: [Emitter], _ value: (Emitter) -> Double) -> Double {
      let most = emitters.map { value($0) / max($0.timing.speed, 0.01) }.max() ?? 0
      return most.isNaN ? 0 : min(max(most, 0), 600)
    }
    let life = most(endless) { $0.lifetime.bounds.upper }
    let gap = most(endless) { emitter in
      let rate = emitter.emission.rate.mean
      return rate > 0 ? 1 / rate : 0
    }
    let rhythm = most(endless) { $0.rhythm }
    let wanted = min(max(life, gap, Self.least), Self.longest)
    if rhythm <= 0 || rhythm > Self.longest {
      duration = rhythm > Self.longest ? Self.longest : wanted
    } else {
      // Whole periods, so that their rhythm goes on in the next round.
      let periods = min(
        (wanted / rhythm - 1e-9).rounded(.up), (Self.longest / rhythm + 1e-9).rounded(.down))
      duration = rhythm * max(1, periods)
    }
    settled = min(most(starting) { $0.settling }, 10)
    let law = (profile ?? system.asset.profile).law
    let alive = endless.reduce(0) { $0 + $1.emission.rate.mean * max(0, $1.lifetime.mean) }
    isPulsing = alive < 3 || endless.contains { $0.isPulsing }
    longestLife = system.longestLife
    isRegulated = enabled.contains { $0.isRegulated(bySlots: law?.account == .slots) }
  }

  /// The number of moments of a cycle that are compared.
  private static let moments = 24

  /// Returns a moment after ``settled`` and within a cycle at which much is visible and little changes, for
  /// effects with moments at which little is visible. A loop begins and ends there.
  func calmest(
    _ system: ParticleSystem, profile: ParticleSystem.Profile?, seed: UInt64?, limits: Limits
  ) throws(Failure) -> Double {
    guard isPulsing else { return settled }
    let simulation = Simulation(
      system, profile: profile, seed: seed, capacity: 2_000,
      budget: SimulationBudget(
        steps: limits.particleSteps / 8, particles: 50_000,
        duration: Simulation.stepCount(of: settled + Self.longest + duration)))
    // Particles of an earlier cycle are there, too.
    let lead = min(longestLife, Self.longest)
    let rounds = (lead / duration - 1e-9).rounded(.up)
    simulation.advance(by: settled + rounds * duration)
    let step = duration / Double(Self.moments)
    var covers: [Double] = []
    for _ in 0..<Self.moments {
      covers.append(simulation.cover)
      simulation.advance(by: step)
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    let most = covers.max() ?? 0
    var best = (moment: 0, change: Double.infinity)
    for moment in covers.indices where covers[moment] >= 0.4 * most {
      let before = covers[(moment + covers.count - 1) % covers.count]
      let after = covers[(moment + 1) % covers.count]
      let change = max(abs(covers[moment] - before), abs(after - covers[moment]))
      if change < best.change * 0.98 { best = (moment, change) }
    }
    return settled + Double(best.moment) * step
  }
}

extension Emitter {
  /// Whether it emits again and again.
  fileprivate var isEndless: Bool {
    guard emission.total == nil, lifetime.bounds.upper > 0 else { return false }
    let isContinuous =
      emission.rate.bounds.upper > 0 || emission.ratePerDistance.bounds.upper > 0
      || emission.minAlive > 0
    if timing.duration != nil { return timing.loop && (isContinuous || !emission.bursts.isEmpty) }
    return isContinuous || emission.bursts.contains { $0.cycles == 0 }
  }

  /// The seconds between equal moments, on its clock. 0 if all are equal.
  fileprivate var rhythm: Double {
    if let duration = timing.duration {
      return timing.loop ? max(0, duration.mean) + max(0, timing.idle.mean) : 0
    }
    return emission.bursts.filter { $0.cycles == 0 }.map { $0.interval }.max() ?? 0
  }

  fileprivate var isPulsing: Bool {
    if timing.duration != nil {
      return timing.idle.bounds.upper > 0 || !emission.bursts.isEmpty
        || emission.explosiveness > 0
    }
    return emission.bursts.contains { $0.cycles == 0 }
  }

  /// When its delay is over, and all that it emits only once, on its clock.
  fileprivate var settling: Double {
    let delay = max(0, timing.delay.bounds.upper)
    guard isEndless else { return delay + max(0, timing.duration?.bounds.upper ?? lastBurst) }
    return timing.duration == nil ? delay + lastBurst : delay
  }

  /// When the last burst is over that does not repeat without end.
  private var lastBurst: Double {
    let ends = emission.bursts.filter { $0.cycles != 0 }.map { burst in
      burst.time + Double(burst.cycles - 1) * burst.interval + 2 * Simulation.longestStep
    }
    return ends.max() ?? 0
  }

  /// - Parameter bySlots: whether the engine emits from slots, of which there are as many as particles
  ///   may live.
  fileprivate func isRegulated(bySlots: Bool) -> Bool {
    if emission.minAlive > 0 { return true }
    guard let most = emission.maxAlive, !bySlots else { return false }
    return Double(most) < 0.95 * emission.rate.mean * max(0, lifetime.mean)
  }
}
