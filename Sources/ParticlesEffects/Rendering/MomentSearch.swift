internal import ParticlesCore
internal import ParticlesImages
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

  /// - Returns: the time in seconds. If nothing is ever visible, the time with most particles, or `pace.start`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the work for it is used up.
  func best(_ pace: EffectPace) throws(Failure) -> Double {
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
      // In a steady effect later moments look alike, and an earlier moment is faster to reach.
      if worth > best.worth * 1.1 { best = (Double(moment) * step, worth) }
    }
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    return best.worth > 0 ? best.time : try first(pace) ?? fullest.time
  }

  /// The best moment of an effect that shows something between the moments that were compared, or later.
  private func first(_ pace: EffectPace) throws(Failure) -> Double? {
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

  /// How much is visible: the contrast of all particles, weighted by size. It is reduced where particles hide each
  /// other, or are lost in a large picture.
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

/// Finds out whether nothing, or next to nothing, is visible in all frames of an animation, and why.
struct VisibilityCheck {
  private(set) var problems: [Diagnostic] = []
  /// Whether a frame shows more than next to nothing.
  private var isVisible = false
  /// The most visible pixels of a frame, and the number that would be enough.
  private var visible = (most: 0, enough: 1)
  /// The most particles that lived in a frame, and why they could not be seen.
  private var hidden: (living: Int, reason: EffectRenderer.Hiding)?

  mutating func look(
    at frame: Bitmap, of simulations: [Simulation], by renderer: EffectRenderer
  ) {
    guard !isVisible else { return }
    look(at: PictureLook(frame, background: renderer.background), of: simulations, by: renderer)
  }

  /// Looks at a frame whose visible pixels are known.
  mutating func look(
    at look: PictureLook, of simulations: [Simulation], by renderer: EffectRenderer
  ) {
    visible.most = max(visible.most, look.visible)
    visible.enough = look.enough
    isVisible = !look.isPoor
    let living = simulations.reduce(0) { $0 + $1.count }
    // The reason is determined again only if the number of particles has more than doubled.
    guard !isVisible, living > 2 * (hidden?.living ?? 0) else { return }
    hidden = (living, renderer.hiding(of: simulations))
  }

  /// Reports that nothing is visible, if so, behind the last frame.
  mutating func conclude(_ system: ParticleSystem) {
    if !isVisible { problems = [reason(system)] }
  }

  private func reason(_ system: ParticleSystem) -> Diagnostic {
    let emitters = system.emitters.filter { $0.enabled }
    if let hidden { return reason(hidden.reason, living: hidden.living) }
    guard !emitters.isEmpty else {
      return Diagnostic(
        .emptyPicture, expected: "an emitter that is enabled",
        found: "\(system.emitters.count) emitters")
    }
    let life = emitters.map { $0.lifetime.bounds.upper / max($0.timing.speed, 1e-6) }.max() ?? 0
    if life < Simulation.longestStep {
      return Diagnostic(
        .emptyPicture, "particles live for less than a step of the simulation",
        expected: "a lifetime of 1/60 s or more", found: "\(life) s")
    }
    return Diagnostic(
      .emptyPicture, "no particle lives in any frame", expected: "a particle",
      hint: "choose other times with --at and --duration")
  }

  private func reason(_ hiding: EffectRenderer.Hiding, living: Int) -> Diagnostic {
    let (detail, hint) =
      switch hiding {
      case .outside:
        ("the particles are outside of it", "choose another view with --camera or --scale")
      case .transparent: ("the particles are transparent", "raise the opacity of the effect")
      case .likeBackground:
        (
          "the particles have the colour of the background",
          "choose another colour with --background"
        )
      case .small: ("the particles are too small", "choose another view with --camera or --scale")
      }
    return Diagnostic(
      .emptyPicture, detail,
      expected: "\(visible.enough) pixels that differ from the background",
      found: "\(visible.most) pixels of \(living) particles", hint: hint)
  }
}
