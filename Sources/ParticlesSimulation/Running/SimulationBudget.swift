internal import ParticlesCore
internal import ParticlesModel

/// The work that a simulation may take. It stops an effect that asks for endless particles, with equal
/// results on every machine.
///
/// Work is counted in particle steps. An emitted particle counts 16, and 1 for each step that it may live. Both are
/// paid at its emission, so that living particles always move. ``EmitterWeight`` adds to both. An attempt without room
/// counts 2, an event of a trigger 128. Each step counts 128 for an enabled emitter, 160 for a running copy, 1 for 4
/// slots of the law `slots`, and 4 for each burst of an emitter after the fourth. An effect that is expected to exceed
/// the budget has an equal part in each step, and the rest of earlier steps. Any other effect may use half of the
/// budget at once, and the second half in equal parts. If the work does not suffice, particles are not emitted. If it
/// does not even suffice for the emitters, the effect pauses for a step. A step also has a bound of its own, without
/// the future steps of its particles.
///
/// The emissions and events of a step are divided equally among emitters that may have some: they are enabled, and
/// emit, can be triggered, or trigger others. So an emitter that has ended leaves its share to the rest.
package struct SimulationBudget {
  /// The particle steps that an emission counts for.
  private static let emission = 16
  /// The particle steps that an event counts for: the particle is evaluated, and an emitter started.
  private static let event = 128
  /// The particle steps that an attempt counts for that emits nothing, because there is no room.
  private static let miss = 2
  /// The particle steps that an emitter counts for in a step, and each of its copies.
  package static let (emitter, copy) = (128, 160)

  /// The most living particles of all emitters.
  private let mostParticles: Int
  /// The most particle steps that one step takes.
  private let mostOfStep: Int
  private var all: Int
  private var left: Int
  /// The work that is divided into equal parts.
  private var shared: Int
  private var steps: Int
  private var stepsLeft: Int
  /// The steps after the last step with emission.
  private var tail: Int
  /// The particle steps that an emitter counts for in a step.
  private let ofEmitter: Int
  /// The particle steps of each step of an effect that may run without end, or nil for an effect that ends.
  private var ofEachStep: Int?
  /// Whether a step was left out.
  package private(set) var isUsedUp = false

  /// - Parameters:
  ///   - steps: particle steps, such as `Limits.particleSteps`.
  ///   - particles: the most living particles of all emitters.
  ///   - duration: how many steps with emission the simulation takes, without the time before it is first
  ///     seen.
  ///   - tail: how many steps without emission follow.
  ///   - mostOfStep: the most particle steps that one step takes for its emissions, its events and the
  ///     living particles. Unlimited by default.
  ///   - ofEmitter: the particle steps that an emitter counts for in a step, whether it emits or not.
  package init(
    steps: Int, particles: Int, duration: Int, tail: Int = 0, mostOfStep: Int = .max,
    ofEmitter: Int = emitter
  ) {
    self.ofEmitter = ofEmitter
    (all, left, mostParticles, self.mostOfStep) = (steps, steps, particles, mostOfStep)
    shared = steps / 2
    self.steps = max(1, duration)
    stepsLeft = self.steps
    self.tail = tail
  }

  /// Bounds each step of an effect that may run without end, and the time before it is first seen.
  /// - Parameters:
  ///   - step: particle steps.
  ///   - start: particle steps of the time before it is first seen, with the first step. The default is `step`. Without
  ///     such a time, the first step has the bound `step`, too.
  ///   - particles: the most living particles of all emitters.
  package init(ofEachStep step: Int, start: Int? = nil, particles: Int) {
    self.init(steps: start ?? step, particles: particles, duration: 1)
    ofEachStep = step
  }

  /// The particle steps that were used.
  var used: Int { all - left }

  /// Prepares for an effect.
  /// - Parameter prewarm: the number of steps before it is first seen.
  /// - Returns: the number of affordable steps. Much work ends after a minute, from which on an effect
  ///   looks alike.
  mutating func begin(_ system: ParticleSystem, prewarm: Int) -> Int {
    let duration = steps
    if prewarm == 0, let ofEachStep {
      (all, left, shared) = (ofEachStep, ofEachStep, ofEachStep / 2)
    }
    var prewarm = prewarm
    func need() -> Double { system.work(steps: duration + prewarm, perEmission: Self.emission) }
    if prewarm > Self.longPrewarm, need() > Double(all / 2) { prewarm = Self.longPrewarm }
    steps = duration + prewarm
    stepsLeft = steps
    if need() > Double(all) { shared = all }
    return prewarm
  }

  /// A minute.
  private static let longPrewarm = 3_600

  /// The most slots of an emitter by the law `slots`: every step looks at each, whether its particle lives or not.
  func mostSlots(of system: ParticleSystem) -> Int {
    max(1, mostParticles / max(1, system.emitters.count { $0.enabled }))
  }

  /// The work that is available in a step for an emitter that has a share.
  struct Allowance {
    /// The most living particles that it may add.
    var particles: Int
    /// The particle steps that its emissions and events may take.
    var work: Int
    /// The particle steps that its emissions and events may take in this step.
    var now: Int
    /// The number of steps that remain after this one.
    var remaining: Int

    /// The allowance of an emitter without a share.
    var none: Allowance { Allowance(particles: 0, work: 0, now: 0, remaining: remaining) }

    /// The most events. An emitter with triggers may use half of the work for them.
    var events: Int { min(work, now) / 2 / SimulationBudget.event }

    /// The most emissions of particles that live for a number of steps.
    func emissions(living steps: Double, weighing weight: EmitterWeight, hasTriggers: Bool)
      -> UInt64
    {
      let cost = SimulationBudget.cost(living: steps, remaining: remaining, weight)
      let share = hasTriggers ? 2 : 1
      return UInt64(
        min(work / share / cost, now / share / (SimulationBudget.emission + weight.emission)))
    }
  }

  /// Begins a step.
  /// - Returns: nil if the step is to be left out.
  /// - Parameters:
  ///   - moving: the particle steps that the living particles take.
  ///   - emitters: the number of emitters that are enabled.
  ///   - sharing: the number of enabled emitters that have a share.
  ///   - activations: the number of running emitters and copies.
  ///   - places: how many slots, and quarters of bursts, the step looks at.
  mutating func allowance(
    living: Int, moving: Int, emitters: Int, sharing: Int, activations: Int, places: Int
  ) -> Allowance? {
    var cost = ofEmitter * emitters + places / 4
    // A copy of an emitter takes as long as some particles.
    cost += Self.copy * max(0, activations - emitters)
    if let ofEachStep, stepsLeft == 0 {
      (all, left, shared, tail) = (ofEachStep, ofEachStep, 0, 1)
    }
    if stepsLeft > 0 {
      stepsLeft -= 1
    } else if tail > 0 {
      tail -= 1
      cost = 0
    } else {
      // Nothing was paid for steps after the last one.
      cost += moving
    }
    let kept = Int(saturating: Double(shared) * Double(stepsLeft) / Double(steps))
    let free = left - kept - cost
    guard free >= 0 else {
      isUsedUp = true
      return nil
    }
    left -= cost
    func share(of all: Int) -> Int { max(0, all) / max(1, sharing) }
    return Allowance(
      particles: share(of: mostParticles - living), work: share(of: free),
      now: share(of: mostOfStep - moving), remaining: stepsLeft + tail)
  }

  /// Pays for events, emissions of particles that live for a number of steps, and attempts to emit others.
  mutating func use(
    _ emissions: UInt64, living steps: Double, weighing weight: EmitterWeight, events: Int,
    misses: Int = 0
  ) {
    left -= Int(emissions) * Self.cost(living: steps, remaining: stepsLeft + tail, weight)
    left -= events * Self.event + misses * Self.miss
  }

  /// The particle steps of an emission.
  private static func cost(
    living steps: Double, remaining: Int, _ weight: EmitterWeight
  ) -> Int {
    emission + weight.emission
      + Int(saturating: min(max(1, steps), Double(max(1, remaining)))) * weight.step
  }
}

extension ParticleSystem {
  /// An estimate of the particle steps of a simulation.
  fileprivate func work(steps: Int, perEmission: Int) -> Double {
    let seconds = Double(steps) * Simulation.longestStep
    return zip(emitters, populations()).reduce(0) { sum, item in
      let (emitter, population) = item
      guard emitter.enabled, population.rate + population.burst > 0 else { return sum }
      let time = seconds * emitter.timing.speed
      let active =
        emitter.timing.loop ? time : min(time, emitter.timing.duration?.bounds.upper ?? time)
      var emitted = population.rate * active + population.burst
      let life = max(emitter.lifetime.mean, 0)
      if let most = emitter.emission.maxAlive, emitter.emission.whenFull != .recycle {
        emitted = min(emitted, Double(most) * (time / max(life, Simulation.longestStep) + 1))
      }
      if let total = emitter.emission.total { emitted = min(emitted, Double(total)) }
      let lived = min(emitter.stepsOfLife(Simulation.longestStep), Double(steps))
      let weight = EmitterWeight(emitter)
      return sum
        + emitted * (Double(perEmission + weight.emission) + lived * Double(weight.step))
    }
  }
}

extension Emitter {
  /// The most steps that a particle lives.
  /// - Parameter dt: the length of a step in seconds.
  func stepsOfLife(_ dt: Double) -> Double {
    Self.steps(ofLife: lifetime.bounds.upper, speed: timing.speed, dt)
  }

  /// The steps of a lifetime in seconds of an emitter.
  static func steps(ofLife life: Double, speed: Double, _ dt: Double) -> Double {
    let most = (life / (dt * speed)).rounded(.up) + 1
    return most.isNaN ? .infinity : most
  }
}
