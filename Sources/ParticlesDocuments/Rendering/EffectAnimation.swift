public import ParticlesCore
internal import ParticlesImages
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
    /// The duration in seconds, without the pause; nil, the default, for that of the path, of the preview, or
    /// of what is visible: the lives of the particles of an endless effect, in whole periods, from 2 to 8 s,
    /// or all of an effect that ends, up to 8 s.
    public var duration: Double?
    /// Frames per second; 30 by default.
    public var framesPerSecond = 30.0
    /// How the animation ends; nil, the default, for `seamless` if the effect is endless and `once` if it
    /// ends.
    public var loop: Loop?
    /// The seconds for which the last frame is shown longer; nil, the default, for 1 if the effect ends and
    /// `loop` is nil, and 0 otherwise.
    public var pause: Double?
    /// The path along which the effect moves; nil, the default, if it rests. A view that is found
    /// automatically contains it.
    public var path: EffectPath?
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
    /// The most texels that all textures keep at one resolution, of 16 bytes each.
    package var mostTexels = SpriteTexture.mostTexels

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
    /// The colour of the document's preview; without one, nearly black.
    case automatic
    /// Nothing.
    case transparent
    /// A colour.
    case color(ParticleSystem.Color)
  }

  /// The number of frames, and their duration.
  public let timing: FrameTiming
  /// How the animation ends.
  public let loop: Loop
  /// The seconds for which the last frame is shown longer.
  public let pause: Double
  /// The time of the first frame, in seconds. For a seamless loop, when the emission begins whose particles
  /// are shown.
  public internal(set) var start: Double
  /// The seconds of the effect before the first frame; known once the frames are drawn.
  public internal(set) var warmup = 0.0
  /// Warnings about the pictures: images without pixels, particles and times beyond the limits, and, once
  /// they are drawn, that nothing is visible in any of them.
  public var problems: [Diagnostic] {
    timeProblems + textures.problems + renderer.problems + emptiness.problems
  }

  /// How fast the effect runs, where its own speed is 0: nothing would ever be visible; nil otherwise.
  public let speed: Double?

  let system: ParticleSystem
  let isStill: Bool
  let plan: Plan
  let limits: Limits
  /// Seconds of all frames, without the pause; of a still picture, those that an animation has.
  let length: Double
  /// The path of the effect; nil if it rests.
  let route: EffectRoute?
  /// Whether a seamless loop shows particles that live past its end at its beginning; otherwise the end is
  /// blended into the beginning.
  let isOverlaid: Bool
  /// The most rounds of a seamless loop that particles live through.
  let roundCount: Int
  private let textures: EffectTextures
  let renderer: EffectRenderer
  private let timeProblems: [Diagnostic]
  var emptiness = Emptiness()
  /// The particle steps that are paid for.
  var paidSteps = 0
  /// The work of the animation, from the search for its moment to its last frame.
  let budget: WorkBudget

  /// The next step if an effect takes too much work.
  package static let hint =
    "draw a smaller picture or fewer frames, lower the number of emitters, or allow more with --work"

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
    let budget = WorkBudget.shared(limits, hint: Self.hint)
    self.budget = budget
    try budget.run {
      try WorkBudget.spend(
        work: system.emitters.count,
        memory: system.emitters.count * Self.memoryOfEmitter, on: "the emitters that run")
    }
    textures = EffectTextures(package, of: system, limits: limits)
    var settings = EffectRenderer.Settings(
      width: plan.width, height: plan.height,
      background: plan.background.color(for: system), view: plan.view)
    settings.isBackgroundOpen = plan.background == .automatic
    settings.scale = plan.scale
    settings.samples = plan.samples
    settings.threads = plan.threads
    settings.mostTexels = plan.mostTexels
    let renderer = try EffectRenderer(
      unaimed: system, textures: textures.bitmaps, settings: settings, limits: limits)
    self.renderer = renderer
    route = try plan.path.map { path in
      let aspect = Double(max(1, plan.width)) / Double(max(1, plan.height))
      if renderer.isFree {
        let span = VisibleSpan(system, from: 0, to: VisibleSpan.firstSeconds(of: system))
        renderer.aim(at: try budget.run { try renderer.spots(in: span, profile: plan.profile) })
      }
      let camera = renderer.camera
      let isFound = plan.view.isFound
      let route = EffectRoute(
        path: path, reach: camera.visibleHeight * min(aspect, 1) * (isFound ? 0.75 : 0.3),
        isFlat: system.asset.dimension == .plane)
      if isFound { renderer.hold(camera.containing(route, aspect: aspect)) }
      return route
    }
    let pace = EffectPace(system, profile: plan.profile, limits: limits)
    let startProblems = plan.start == nil ? pace.startProblems : []
    if isStill {
      timeProblems = startProblems
      timing = .still
      (loop, pause, isOverlaid, roundCount) = (.once, 0, false, 1)
      length = max(plan.duration ?? plan.path?.duration ?? pace.duration, 0.1)
      renderer.limitWork(pictures: 1)
      budget.grant(work: Self.work(of: plan, frames: 1, limits))
      let (search, seconds) = (
        MomentSearch(
          system: system, renderer: renderer, profile: plan.profile, seed: plan.seed, limits: limits
        ), plan.start
      )
      start = try budget.run { try seconds ?? search.best(pace) }
      return
    }
    timeProblems = startProblems + (plan.duration == nil ? pace.durationProblems : [])
    let cycle = pace.cycle
    loop = plan.loop ?? (cycle.isEndless ? .seamless : .once)
    pause = plan.pause ?? (plan.loop == nil && !cycle.isEndless ? 1 : 0)
    let duration = max(plan.duration ?? plan.path?.duration ?? pace.duration, 0)
    let count = max(1, (duration * plan.framesPerSecond).rounded())
    try limits.check(
      count < 1e15 ? Int(saturating: count) : .max, \.frames, "frames of \(duration) seconds")
    timing = FrameTiming(count: Int(saturating: count), rate: plan.framesPerSecond, pause: pause)
    renderer.limitWork(pictures: timing.count)
    budget.grant(work: Self.work(of: plan, frames: timing.count, limits))
    length = count / plan.framesPerSecond
    let rounds = EffectAnimation.rounds(
      system, life: cycle.longestLife, length: length,
      steps: Int(saturating: count) * Simulation.stepCount(of: 1 / plan.framesPerSecond),
      limits: limits)
    roundCount = rounds.affordable
    isOverlaid = !cycle.isRegulated && rounds.needed < Double(rounds.affordable) + 1
    try Self.checkEmitters(
      system.emitters.count { $0.enabled }, frames: timing.count, every: 1 / plan.framesPerSecond,
      rounds: loop == .seamless && isOverlaid ? min(rounds.needed, Double(roundCount)) : 1,
      limits: limits)
    if let start = plan.start {
      self.start = start
    } else if loop == .seamless, isOverlaid {
      start = max(
        pace.warmup,
        try budget.run {
          try cycle.calmest(system, profile: plan.profile, seed: plan.seed, limits: limits)
        })
    } else {
      start = pace.start
    }
    // Of a seamless loop, all frames show the effect when it is complete.
    let lead = loop == .seamless ? min(cycle.longestLife, EffectCycle.longest) : 0
    let (first, last) = (start + lead, start + lead + length)
    try budget.run { try aim(from: first, to: last) }
  }

  /// The bytes that an emitter holds while it runs.
  private static let memoryOfEmitter = 50_000

  /// The work that pictures may take beside that of reading: that of their particle steps, and half as many in
  /// the search for moment and frame, that of painted samples, and what each frame may take.
  private static func work(of plan: Plan, frames: Int, _ limits: Limits) -> Int {
    let samples = plan.width * plan.height * plan.samples * plan.samples
    let paint = max(
      Double(min(limits.paint, limits.animationPaint)),
      Double(EffectRenderer.leastLayers * samples) * Double(frames))
    let work =
      1.5 * Double(limits.particleSteps) / Double(WorkBudget.particlesOfStep)
      + paint / Double(WorkBudget.samplesOfStep) + Double(limits.frameWork) * Double(frames)
    return work < 1e15 ? Int(saturating: work) : .max
  }

  /// Steps of work that an emitter takes for a step of a simulation, and to be drawn in a frame.
  static let (workOfStep, workOfFrame) = (2.5, 3.0)
  /// The emitters of all frames may take so many times the work of an operation.
  private static let shareOfEmitters = 4

  /// Refuses an animation whose emitters would take too much work, before any of it is done. Their particles have
  /// budgets of their own.
  /// - Parameters:
  ///   - interval: seconds from a frame to the next.
  ///   - rounds: how many simulations run, each for a round more than the one before.
  private static func checkEmitters(
    _ count: Int, frames: Int, every interval: Double, rounds: Double, limits: Limits
  ) throws {
    let steps = rounds * (rounds + 1) / 2 * Double(Simulation.stepCount(of: interval))
    let work = Double(frames) * Double(count) * (steps * workOfStep + rounds * workOfFrame)
    let most = limits.work.multipliedReportingOverflow(by: shareOfEmitters)
    do {
      try limits.check(
        Int(saturating: work), { _ in most.overflow ? .max : most.partialValue },
        "steps of work for \(count) emitters in \(frames) frames (\(shareOfEmitters) times the limit 'work')"
      )
    } catch {
      var fault = error
      fault.hint = hint
      throw fault
    }
  }

  /// The seconds of the longest trail.
  var longestTrail: Double {
    system.emitters.compactMap { $0.enabled ? $0.render.trail?.length : nil }.max() ?? 0
  }
}

extension EffectRenderer.View {
  /// Whether the view depends on what is to be seen.
  fileprivate var isFound: Bool {
    switch self {
    case .automatic, .plane, .space: true
    case .pixels, .camera: false
    }
  }
}
