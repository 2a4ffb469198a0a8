internal import ParticlesCore
public import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

// How the frames of an animation follow each other.

extension EffectAnimation {
  /// The most living particles of an emitter in a picture: 200,000, but at least 20,000 and together at
  /// most 3 million in the frames of an animation. More would hide each other, and take long. With trails, each
  /// of which has several sprites, half as many.
  private var mostParticles: Int {
    let most = min(max(3_000_000 / timing.count, 20_000), 200_000)
    return hasTrails ? most / 2 : most
  }

  private var hasTrails: Bool {
    system.emitters.contains { $0.enabled && $0.render.trail?.length ?? 0 > 0 }
  }

  /// Seconds from a frame to the next.
  private var step: Double { 1 / plan.framesPerSecond }

  /// - Parameters:
  ///   - share: how many such simulations share the work.
  ///   - frames: the number of frames after the start in which particles are emitted.
  ///   - tail: the number of frames after these.
  func simulation(
    share: Int = 1, frames: Int, tail: Int = 0
  ) -> Simulation {
    let stepsOfFrame = Simulation.stepCount(of: step)
    let capacity = min(limits.particles, mostParticles)
    let simulation = Simulation(
      system, profile: plan.profile, seed: plan.seed, capacity: capacity,
      team: .suited(to: system, capacity: capacity, atMost: plan.threads),
      budget: SimulationBudget(
        steps: limits.particleSteps / share, particles: (hasTrails ? 1 : 2) * mostParticles,
        duration: Simulation.stepCount(of: start) + frames * stepsOfFrame,
        tail: tail * stepsOfFrame,
        mostOfStep: limits.frameSteps / max(1, timing.count > 1 ? stepsOfFrame * share : share)))
    if let route { simulation.begin(at: route.place(at: -start, of: length)) }
    return simulation
  }

  /// Advances a simulation, along the path of the effect if there is one.
  func advance(_ simulation: Simulation, by seconds: Double) {
    guard let route else { return simulation.advance(by: seconds) }
    let count = Simulation.stepCount(of: seconds)
    guard count > 0 else { return }
    let part = seconds / Double(count)
    for _ in 0..<count {
      let from = simulation.time - start
      if let begin = route.jump(from: from, to: from + part, of: length) {
        simulation.jump(to: begin)
      }
      simulation.advance(by: part, to: route.place(at: from + part, of: length))
    }
  }

  /// Draws all frames.
  /// - Parameter body: receives the frames in their order.
  /// - Throws: errors of `body`; `CancellationError` if the current task is cancelled.
  public func draw(_ body: (Bitmap) throws -> Void) throws {
    try budget.run { try drawWithinBudget(body) }
  }

  private func drawWithinBudget(_ body: (Bitmap) throws -> Void) throws {
    (emptiness, paidSteps) = (Emptiness(), 0)
    if isStill {
      try drawStill(body)
    } else if loop == .seamless, timing.count > 1 {
      // A loop has no beginning of its own: empty frames at it are moved to the end.
      var empty = 0
      var isBegun = plan.start != nil
      let shift: (Bitmap) throws -> Void = { frame in
        isBegun = try isBegun || !self.isEmpty(frame)
        if isBegun { try body(frame) } else { empty += 1 }
      }
      try isOverlaid ? drawOverlaid(shift) : drawBlended(shift)
      if empty > 0 { try Self.repeated(renderer.draw([]), empty, body) }
    } else {
      try drawOnce(body)
    }
    emptiness.conclude(system)
  }

  private static func repeated(
    _ frame: Bitmap, _ count: Int, _ body: (Bitmap) throws -> Void
  ) throws {
    for _ in 0..<count { try body(frame) }
  }

  /// Whether a frame shows the background only; the law of a profile may round it in another way.
  private func isEmpty(_ frame: Bitmap) throws -> Bool {
    guard frame.hasOneColor else { return false }
    return zip(frame.pixels.prefix(4), try renderer.draw([]).pixels).allSatisfy {
      max($0, $1) - min($0, $1) <= 2
    }
  }

  private func picture(of simulations: [Simulation]) throws -> Bitmap {
    try Task.checkCancellation()
    let used = simulations.reduce(0) { $0 + $1.usedSteps }
    try WorkBudget.spend(particleSteps: used - paidSteps)
    paidSteps = used
    let bitmap = try renderer.draw(simulations)
    emptiness.look(at: bitmap, of: simulations, by: renderer)
    return bitmap
  }

  // MARK: From a moment on

  /// Without a stated start, an animation begins with the first frame in which something is visible.
  private func drawOnce(_ body: (Bitmap) throws -> Void) throws {
    let simulation = simulation(frames: timing.count - 1)
    advance(simulation, by: start)
    var (isBegun, skipped) = (plan.start != nil || timing.count == 1, 0)
    var drawn = 0
    while drawn < timing.count, skipped < timing.count {
      if drawn + skipped > 0 { advance(simulation, by: step) }
      let frame = try picture(of: [simulation])
      isBegun = try isBegun || !isEmpty(frame)
      if isBegun {
        try body(frame)
        drawn += 1
      } else {
        skipped += 1
      }
    }
    if drawn > 0 {
      start += Double(skipped) * step
    } else {
      try Self.repeated(renderer.draw([]), timing.count, body)
    }
    warmup = start
  }

  // MARK: Seamless, particles that live past the end are shown at the beginning

  /// The most rounds of a seamless loop that particles live through.
  private static let mostRounds = 64
  /// The bytes that an emitter holds in each of the simulations of these rounds.
  private static let memoryOfRound = 25_000.0

  /// The number of rounds of a seamless loop that particles live through, and how many of them the limits
  /// allow: the simulation of round n runs for n rounds.
  static func rounds(
    _ system: ParticleSystem, life: Double, length: Double, steps: Int, limits: Limits
  ) -> (needed: Double, affordable: Int) {
    let emitters = Double(max(1, system.emitters.count(where: \.enabled)))
    let work = workOfStep * Double(WorkBudget.particlesOfStep) * emitters * Double(max(1, steps))
    let affordable = min(
      (2 * Double(limits.particleSteps) / work).squareRoot(),
      Double(limits.memory / 2) / (emitters * memoryOfRound))
    let needed = life / length + 2
    return (needed, Int(saturating: max(1, min(needed, affordable, Double(mostRounds)))))
  }

  /// Emits for one round only, and shows what lives longer at the same place of the round, under what
  /// is younger: frame f has the particles of the frames f, f + n, f + 2n and so on.
  private func drawOverlaid(_ body: (Bitmap) throws -> Void) throws {
    let most = roundCount
    // Trails show where particles were before the first frame.
    let lead = min(
      Int(saturating: (min(longestTrail, length) * plan.framesPerSecond).rounded(.up)),
      timing.count - 1)
    var rounds: [Simulation] = []
    var living = 0
    while rounds.count < most, living < 2 * mostParticles {
      let next = simulation(
        share: most, frames: timing.count, tail: (most - 1) * timing.count)
      advance(next, by: start)
      next.clear()
      let frames = rounds.count * timing.count
      for frame in 0..<max(0, frames - lead) {
        if frame == timing.count { next.stopEmitting() }
        advance(next, by: step)
      }
      if rounds.count > 0, frames - lead >= timing.count, next.count == 0 { break }
      try Task.checkCancellation()
      rounds.append(next)
      living += next.count
    }
    warmup = start + Double(rounds.count - 1) * length
    for frame in -lead..<timing.count {
      if frame > -lead {
        for (number, round) in rounds.enumerated() where number > 0 || frame > 0 {
          advance(round, by: step)
        }
      }
      if frame < 0 {
        renderer.follow(rounds.reversed())
        continue
      }
      if frame == 0, rounds.count > 1 { rounds[1].stopEmitting() }
      try body(picture(of: rounds.reversed()))
    }
  }

  // MARK: Seamless, the end is blended into the beginning

  /// The share of a loop in which its end is blended into its beginning, and the most seconds.
  private static let (blendedShare, mostBlended) = (0.4, 1.0)

  /// Draws a round and some frames more, which are blended with the first ones. The last frames of the loop
  /// are blended, so that it begins right after them.
  private func drawBlended(_ body: (Bitmap) throws -> Void) throws {
    let count = timing.count
    let affordable = max(1, (64 << 20) / (plan.width * plan.height * 4))
    let blended = max(
      1,
      min(
        Int(saturating: Double(count) * Self.blendedShare),
        Int(saturating: Self.mostBlended * plan.framesPerSecond), affordable))
    let simulation = simulation(frames: count + blended)
    advance(simulation, by: start)
    var beginning: [Bitmap] = []
    for frame in 0..<count + blended {
      if frame > 0 { advance(simulation, by: step) }
      let picture = try picture(of: [simulation])
      if frame < blended {
        beginning.append(picture)
      } else if frame < count {
        try body(picture)
      } else {
        let share = Double(frame - count) / Double(blended)
        try body(picture.mixed(with: beginning[frame - count], share: share))
      }
    }
    start += Double(blended) * step
    warmup = start
  }
}
