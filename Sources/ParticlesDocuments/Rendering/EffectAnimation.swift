public import ParticlesCore
public import ParticlesImages
public import ParticlesModel
public import ParticlesRender
internal import ParticlesSimulation

/// Pictures of a running effect: one, or the frames of an animation.
///
/// ```swift
/// let animation = try EffectAnimation(package, plan: plan)
/// let writer = try AnimationWriter(.gif, width: 512, height: 512, timing: animation.timing) { … }
/// try animation.draw { try writer.append($0) }
/// try writer.finish()
/// ```
public final class EffectAnimation {
  /// The settings of pictures.
  public struct Plan: Sendable, Hashable {
    /// The width of a picture in pixels; 512 by default.
    public var width = 512
    /// The height of a picture in pixels; 512 by default.
    public var height = 512
    /// The time of the first frame in seconds; nil, the default, for the preview's `warmup`, or once an
    /// endless effect is complete; for a still picture, when most is visible.
    public var start: Double?
    /// The duration in seconds; nil, the default, for that of the preview or one period of the effect.
    public var duration: Double?
    /// Frames per second; 30 by default.
    public var framesPerSecond = 30.0
    /// How the animation ends; it begins again by default.
    public var loop = Loop.forever
    /// The colour behind the particles; by default, the one of those that show what there is to see: that of
    /// the preview, nearly black, grey, or nearly white.
    public var background = Background.automatic
    /// The seed; nil, the default, for that of the effect.
    public var seed: UInt64?
    /// The engine whose law is followed; nil, the default, for the one that the effect names.
    public var profile: ParticleSystem.Profile?
    /// A factor of the size at which everything is shown; 1 by default.
    public var scale = 1.0
    /// The view; found automatically by default.
    public var view = EffectRenderer.View.automatic
    /// Samples of a pixel in each direction, 1 to 4; 1 by default.
    public var samples = 1
    /// The number of threads that run and draw the effect; that of the processors by default.
    package var threads: Int?

    /// Creates the default plan.
    public init() {}
  }

  /// How an animation ends.
  public enum Loop: String, Sendable, Hashable, CaseIterable {
    /// It begins again at once.
    case forever
    /// It plays once.
    case once
    /// It begins again, and the last frame leads into the first: particles that live past the end are
    /// shown at the beginning.
    case seamless
  }

  /// The background of the particles.
  public enum Background: Sendable, Hashable {
    /// The colour of the document's preview, or nearly black; where it does not show what there is to see,
    /// another one of these, grey, or nearly white.
    case automatic
    /// Nothing.
    case transparent
    /// A colour.
    case color(ParticleSystem.Color)
  }

  /// The number of frames, and their duration.
  public let timing: FrameTiming
  /// The time of the first frame, in seconds.
  public let start: Double
  /// Warnings about the pictures: images without pixels, particles and times beyond the limits, and, once
  /// they are drawn, that nothing is visible in any of them.
  public var problems: [Diagnostic] {
    timeProblems + textures.problems + renderer.problems + emptiness.problems
  }

  /// How fast the effect runs, where its own speed is 0: nothing would ever be visible; nil otherwise.
  public let speed: Double?

  let system: ParticleSystem
  private let isStill: Bool
  let plan: Plan
  let limits: Limits
  private let textures: EffectTextures
  let renderer: EffectRenderer
  private let timeProblems: [Diagnostic]
  var emptiness = Emptiness()
  /// The particle steps that are paid for.
  private var paidSteps = 0

  /// The background of a document that states none, unless it shows less than another one.
  public static let darkness = EffectRenderer.dark

  /// Reads an effect and its images.
  /// - Parameters:
  ///   - package: the effect.
  ///   - plan: the settings of the pictures.
  ///   - isStill: whether one picture is drawn; `duration`, `framesPerSecond` and `loop` are not used
  ///     then.
  ///   - limits: for reading, for the number and the size of frames, and for living particles.
  /// - Throws: the error that makes the document unreadable; ``ParticlesCore/Rule/limit`` for too many
  ///   frames or pixels.
  public convenience init(
    _ package: EffectPackage, plan: Plan = Plan(), isStill: Bool = false,
    limits: Limits = .standard
  ) throws {
    try self.init(
      package.system(limits: limits), of: package, plan: plan, isStill: isStill, limits: limits)
  }

  /// The same for an effect that may differ from that in the package.
  init(
    _ system: ParticleSystem, of package: EffectPackage, plan: Plan, isStill: Bool, limits: Limits
  ) throws {
    let (system, speed) = Self.running(system)
    (self.system, self.speed) = (system, speed)
    (self.plan, self.isStill) = (plan, isStill)
    self.limits = limits
    textures = EffectTextures(package, of: system, limits: limits)
    var settings = EffectRenderer.Settings(
      width: plan.width, height: plan.height,
      background: plan.background.color(for: system), view: plan.view)
    settings.isBackgroundOpen = plan.background == .automatic
    settings.scale = plan.scale
    settings.samples = plan.samples
    settings.threads = plan.threads
    renderer = try EffectRenderer(
      unaimed: system, textures: textures.bitmaps, settings: settings, limits: limits)
    let pace = EffectPace(system, limits: limits)
    let startProblems = plan.start == nil ? pace.startProblems : []
    if isStill {
      timeProblems = startProblems
      timing = .still
      renderer.limitWork(pictures: 1)
      start =
        try plan.start
        ?? MomentSearch(
          system: system, renderer: renderer, profile: plan.profile, seed: plan.seed, limits: limits
        ).best(pace)
      return
    }
    timeProblems = startProblems + (plan.duration == nil ? pace.durationProblems : [])
    let duration = max(plan.duration ?? pace.duration, 0)
    let count = max(1, (duration * plan.framesPerSecond).rounded())
    try limits.check(
      count < 1e15 ? Int(count) : .max, \.frames, "frames of \(duration) seconds")
    timing = FrameTiming(count: Int(count), rate: plan.framesPerSecond)
    renderer.limitWork(pictures: timing.count)
    start = plan.start ?? (plan.loop == .seamless ? 0 : pace.start)
    try aim(from: start, to: start + timing.total)
  }

  /// The most living particles of an emitter in a picture: 200,000, but at least 20,000 and together at
  /// most 3 million in the frames of an animation. More would hide each other, and take long.
  private var mostParticles: Int { min(max(3_000_000 / timing.count, 20_000), 200_000) }

  /// - Parameters:
  ///   - share: how many such simulations share the work.
  ///   - frames: the number of frames after the start in which particles are emitted.
  ///   - tail: the number of frames after these.
  func simulation(
    share: Int = 1, frames: Int, tail: Int = 0
  ) -> Simulation {
    let stepsOfFrame = Simulation.stepCount(of: 1 / plan.framesPerSecond)
    return Simulation(
      system, profile: plan.profile, seed: plan.seed,
      capacity: min(limits.particles, mostParticles), threads: plan.threads,
      budget: SimulationBudget(
        steps: limits.particleSteps / share, particles: 2 * mostParticles,
        duration: Simulation.stepCount(of: start) + frames * stepsOfFrame,
        tail: tail * stepsOfFrame,
        mostOfStep: limits.frameSteps / max(1, timing.count > 1 ? stepsOfFrame * share : share)))
  }

  /// Draws all frames.
  /// - Parameter body: receives the frames in their order.
  /// - Throws: errors of `body`; `CancellationError` if the current task is cancelled.
  public func draw(_ body: (Bitmap) throws -> Void) throws {
    (emptiness, paidSteps) = (Emptiness(), 0)
    if isStill {
      try drawStill(body)
    } else if plan.loop == .seamless, timing.count > 1 {
      try drawSeamless(body)
    } else {
      try drawOnce(body)
    }
    emptiness.conclude(system)
  }

  private func drawOnce(_ body: (Bitmap) throws -> Void) throws {
    let simulation = simulation(frames: timing.count - 1)
    simulation.advance(by: start)
    for frame in 0..<timing.count {
      try Task.checkCancellation()
      if frame > 0 { simulation.advance(by: 1 / plan.framesPerSecond) }
      try body(picture(of: [simulation]))
    }
  }

  private func picture(of simulations: [Simulation]) throws -> Bitmap {
    let used = simulations.reduce(0) { $0 + $1.usedSteps }
    try WorkBudget.spend(particleSteps: used - paidSteps)
    paidSteps = used
    let bitmap = try renderer.draw(simulations)
    emptiness.look(at: bitmap, of: simulations, by: renderer)
    return bitmap
  }

  /// The most rounds of a seamless loop that particles live through.
  private static let mostRounds = 64

  /// The number of rounds of a seamless loop that particles may live through, as far as the limits allow:
  /// the simulation of round n runs for n rounds.
  private var roundCount: Int {
    let emitters = system.emitters.filter(\.enabled)
    let lives = emitters.map { $0.lifetime.bounds.upper / max($0.timing.speed, 1e-6) }
    let longest =
      emitters.allSatisfy(\.triggers.isEmpty) ? lives.max() ?? 0 : lives.reduce(0, +)
    let steps = timing.count * Simulation.stepCount(of: 1 / plan.framesPerSecond)
    let work = Double(16 * max(1, emitters.count) * steps)
    let affordable = (2 * Double(limits.particleSteps) / work).squareRoot()
    return Int(max(1, min(longest / timing.total + 2, affordable, Double(Self.mostRounds))))
  }

  /// Emits for one round only, and shows what lives longer at the same place of the round, under what
  /// is younger: frame f has the particles of the frames f, f + n, f + 2n and so on.
  private func drawSeamless(_ body: (Bitmap) throws -> Void) throws {
    let step = 1 / plan.framesPerSecond
    let most = roundCount
    var rounds: [Simulation] = []
    var living = 0
    while rounds.count < most, living < 2 * mostParticles {
      let next = simulation(
        share: most, frames: timing.count, tail: (most - 1) * timing.count)
      next.advance(by: start)
      for round in 0..<rounds.count {
        for _ in 0..<timing.count { next.advance(by: step) }
        if round == 0 { next.stopEmitting() }
      }
      if !rounds.isEmpty, next.count == 0 { break }
      try Task.checkCancellation()
      rounds.append(next)
      living += next.count
    }
    for frame in 0..<timing.count {
      try Task.checkCancellation()
      if frame > 0 { for round in rounds { round.advance(by: step) } }
      try body(picture(of: rounds.reversed()))
    }
  }
}
