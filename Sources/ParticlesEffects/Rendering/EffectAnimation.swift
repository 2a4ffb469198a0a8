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
    /// The width of a picture in pixels. Default: 512.
    public var width = 512
    /// The height of a picture in pixels. Default: 512.
    public var height = 512
    /// The time of the first frame in seconds. Nil, the default, for the preview's `warmup`, or once an endless
    /// effect is complete. Nil for a still picture: when most is visible.
    public var start: Double?
    /// The duration in seconds, without the pause. Nil, the default, for the duration of the path, of the preview, or
    /// of the visible effect: the lives of the particles of an endless effect, in whole periods, from 2 to 8 s, or
    /// all of an effect that ends, up to 8 s.
    public var duration: Double?
    /// Frames per second. Default: 30.
    public var framesPerSecond = 30.0
    /// How the animation ends. Nil, the default, for `seamless` if the effect is endless and `once` if it ends.
    public var loop: Loop?
    /// The extra seconds for which the last frame is shown. Nil, the default, for 1 if the effect ends and `loop` is
    /// nil, and 0 otherwise.
    public var pause: Double?
    /// The path along which the effect moves. Nil, the default, if it rests. A view that is found automatically
    /// contains it.
    public var path: EffectPath?
    /// The colour behind the particles. By default the background of the preview, nearly black, grey, or nearly
    /// white, so that the particles are visible.
    public var background = Background.automatic
    /// The seed. Nil, the default, for the seed of the effect.
    public var seed: UInt64?
    /// The engine whose law is followed. Nil, the default, for the engine that the effect names.
    public var profile: ParticleSystem.Profile?
    /// A factor of the size at which everything is shown. Default: 1.
    public var scale = 1.0
    /// The view. Default: found automatically.
    public var view = EffectRenderer.View.automatic
    /// Samples of a pixel in each direction, 1 to 4. Default: 1.
    public var samples = 1
    /// The number of threads that run and draw the effect. Default: the number of processors.
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
    /// The colour of the document's preview, or nearly black without one.
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
  /// The seconds of the effect before the first frame. Known once the frames are drawn.
  public internal(set) var warmup = 0.0
  /// Warnings about the pictures: images without pixels, particles and times beyond the limits, and, once they are
  /// drawn, that every frame looks empty.
  public var problems: [Diagnostic] {
    timeProblems + textures.problems + renderer.problems + emptiness.problems
  }

  /// The speed of the effect if its own speed is 0, so that nothing would be visible. Nil otherwise.
  public let speed: Double?

  let system: ParticleSystem
  let isStill: Bool
  let plan: Plan
  let limits: Limits
  /// Seconds of all frames, without the pause. For a still picture, the seconds that an animation would have.
  let length: Double
  /// The path of the effect, or nil if it rests.
  let route: EffectRoute?
  /// Whether a seamless loop shows particles that live past its end at its beginning. Otherwise the end is blended
  /// into the beginning.
  let isOverlaid: Bool
  /// The most rounds of a seamless loop that particles live through.
  let roundCount: Int
  private let textures: EffectTextures
  let renderer: EffectRenderer
  private let timeProblems: [Diagnostic]
  var emptiness = VisibilityCheck()
  /// The particle steps that are paid for.
  var paidSteps = 0
  /// The work of the animation, from the search for its moment to its last frame.
  let budget: WorkBudget

  /// The next step if an effect takes too much work.
  package static let hint =
    "draw a smaller picture or fewer frames, lower the number of emitters, or allow more with --work"

  /// The default background of a document, unless a different colour shows more.
  public static let darkness = EffectRenderer.dark

  /// Reads an effect and its images.
  /// - Parameters:
  ///   - package: the effect.
  ///   - plan: the settings of the pictures.
  ///   - isStill: whether one picture is drawn, without the use of `duration`, `framesPerSecond` and `loop`.
  ///   - limits: for reading, for the number and the size of frames, and for living particles.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit`` for too many frames or
  ///   pixels.
  public convenience init(
    _ package: EffectPackage, plan: Plan = Plan(), isStill: Bool = false,
    limits: Limits = .standard
  ) throws(Failure) {
    try self.init(
      package.system(limits: limits), of: package, plan: plan, isStill: isStill, limits: limits)
  }

  /// Prepares the pictures of an effect that may differ from the effect in the package.
  init(
    _ system: ParticleSystem, of package: EffectPackage, plan: Plan, isStill: Bool, limits: Limits
  ) throws(Failure) {
    let (system, speed) = Self.running(system)
    (self.system, self.speed) = (system, speed)
    (self.plan, self.isStill) = (plan, isStill)
    self.limits = limits
    let budget = WorkBudget.shared(limits, hint: Self.hint)
    self.budget = budget
    try budget.run { () throws(Failure) in
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
    route = try plan.path.map { path throws(Failure) in
      let aspect = Double(max(1, plan.width)) / Double(max(1, plan.height))
      if renderer.isFree {
        let span = VisibleSpan(system, from: 0, to: VisibleSpan.firstSeconds(of: system))
        renderer.aim(
          at: try budget.run { () throws(Failure) in
            try renderer.spots(in: span, profile: plan.profile)
          })
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
      start =
        if let seconds { seconds } else {
          try budget.run { () throws(Failure) in try search.best(pace) }
        }
      return
    }
    timeProblems = startProblems + (plan.duration == nil ? pace.durationProblems : [])
    let cycle = pace.cycle
    loop = plan.loop ?? (cycle.isEndless ? .seamless : .once)
    pause = plan.pause ?? (plan.loop == nil && !cycle.isEndless ? 1 : 0)
    let duration = max(plan.duration ?? plan.path?.duration ?? pace.duration, 0)
    let count = max(1, (duration * plan.framesPerSecond).rounded())
    try limits.check(
      count < 1e15 ? Int(saturating: count) : .max, { $0.frames }, "frames of \(duration) seconds")
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
        try budget.run { () throws(Failure) in
          try cycle.calmest(system, profile: plan.profile, seed: plan.seed, limits: limits)
        })
    } else {
      start = pace.start
    }
    // Of a seamless loop, all frames show the effect when it is complete.
    let lead = loop == .seamless ? min(cycle.longestLife, EffectCycle.longest) : 0
    let (first, last) = (start + lead, start + lead + length)
    try budget.run { () throws(Failure) in try aim(from: first, to: last) }
  }

  /// The bytes that an emitter holds while it runs.
  private static let memoryOfEmitter = 50_000

  /// The work that pictures may take besides reading: particle steps, half as many steps in the search for moment and
  /// frame, painted samples, and the fixed work of each frame.
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

  /// Refuses an animation whose emitters would take too much work, before any work is done. Their particles have
  /// separate budgets.
  /// - Parameters:
  ///   - interval: seconds between frames.
  ///   - rounds: how many simulations run. Each runs one round longer than the simulation before.
  private static func checkEmitters(
    _ count: Int, frames: Int, every interval: Double, rounds: Double, limits: Limits
  ) throws(Failure) {
    let steps = rounds * (rounds + 1) / 2 * Double(Simulation.stepCount(of: interval))
    let work = Double(frames) * Double(count) * (steps * workOfStep + rounds * workOfFrame)
    let most = limits.work.multipliedReportingOverflow(by: shareOfEmitters)
    do throws(Failure) {
      try limits.check(
        Int(saturating: work), { _ in most.overflow ? .max : most.partialValue },
        "steps of work for \(count) emitters in \(frames) frames (\(shareOfEmitters) times the limit 'work')"
      )
    } catch {
      guard var fault = Diagnostic.of(error) else { throw error }
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
  /// Whether the view depends on the visible particles.
  fileprivate var isFound: Bool {
    switch self {
    case .automatic, .plane, .space: true
    case .pixels, .camera: false
    }
  }
}

// How the frames of an animation follow each other.

extension EffectAnimation {
  /// The most living particles of an emitter in a picture: 200,000, but at least 20,000 and together at most 3
  /// million in the frames of an animation. More particles would hide each other, and take long. With trails, half as
  /// many, because a trail has several sprites.
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
  ///   - other: such a simulation, which takes turns with this one.
  func simulation(
    share: Int = 1, frames: Int, tail: Int = 0, takingTurnsWith other: Simulation? = nil
  ) -> Simulation {
    let stepsOfFrame = Simulation.stepCount(of: step)
    let capacity = min(limits.particles, mostParticles)
    let simulation = Simulation(
      system, profile: plan.profile, seed: plan.seed, capacity: capacity,
      team: other == nil
        ? .suited(to: system, capacity: capacity, atMost: plan.threads) : nil,
      budget: SimulationBudget(
        steps: limits.particleSteps / share, particles: (hasTrails ? 1 : 2) * mostParticles,
        duration: Simulation.stepCount(of: start) + frames * stepsOfFrame,
        tail: tail * stepsOfFrame,
        mostOfStep: limits.frameSteps / max(1, timing.count > 1 ? stepsOfFrame * share : share)),
      takingTurnsWith: other)
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
  /// - Parameter body: receives the frames in order.
  /// - Throws: errors of `body`, or `CancellationError` if the current task is cancelled.
  public func draw(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    try budget.run { () throws(Failure) in try drawWithinBudget(body) }
  }

  /// Draws all frames into a file.
  /// - Parameters:
  ///   - format: the format of the file.
  ///   - options: of the format.
  ///   - progress: receives the number of frames so far, after each frame.
  ///   - sink: receives the next bytes of the file.
  package func write(
    _ format: AnimationFormat, _ options: AnimationWriter.Options,
    progress: (_ count: Int) throws(Failure) -> Void = { _ in },
    to sink: @escaping ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let writer = try AnimationWriter(
      format, width: plan.width, height: plan.height, timing: timing, options: options, sink: sink)
    try draw { frame throws(Failure) in
      try writer.append(frame)
      try progress(writer.count)
    }
    try writer.finish()
  }

  private func drawWithinBudget(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    (emptiness, paidSteps) = (VisibilityCheck(), 0)
    if isStill {
      try drawStill(body)
    } else if loop == .seamless, timing.count > 1 {
      // A loop has no beginning of its own: empty frames at it are moved to the end.
      var empty = 0
      var isBegun = plan.start != nil
      let shift: (Bitmap) throws(Failure) -> Void = { frame in
        if !isBegun { isBegun = try !self.isEmpty(frame) }
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
    _ frame: Bitmap, _ count: Int, _ body: (Bitmap) throws(Failure) -> Void
  ) throws(Failure) {
    for _ in 0..<count { try body(frame) }
  }

  /// Whether a frame shows the background only, up to rounding by the law of a profile.
  private func isEmpty(_ frame: Bitmap) throws(Failure) -> Bool {
    guard frame.hasOneColor else { return false }
    return zip(frame.pixels.prefix(4), try renderer.draw([]).pixels).allSatisfy {
      max($0, $1) - min($0, $1) <= 2
    }
  }

  private func picture(of simulations: [Simulation]) throws(Failure) -> Bitmap {
    try WorkBudget.checkCancellation()
    let used = simulations.reduce(0) { $0 + $1.usedSteps }
    try WorkBudget.spend(particleSteps: used - paidSteps)
    paidSteps = used
    let bitmap = try renderer.draw(simulations)
    emptiness.look(at: bitmap, of: simulations, by: renderer)
    return bitmap
  }

  // MARK: From a moment on

  /// Without a stated start, an animation begins with the first frame in which something is visible.
  private func drawOnce(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    let simulation = simulation(frames: timing.count - 1)
    advance(simulation, by: start)
    var (isBegun, skipped) = (plan.start != nil || timing.count == 1, 0)
    var drawn = 0
    while drawn < timing.count, skipped < timing.count {
      if drawn + skipped > 0 { advance(simulation, by: step) }
      let frame = try picture(of: [simulation])
      if !isBegun { isBegun = try !isEmpty(frame) }
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

  /// The number of rounds of a seamless loop that particles live through, and how many rounds the limits allow: the
  /// simulation of round n runs for n rounds.
  static func rounds(
    _ system: ParticleSystem, life: Double, length: Double, steps: Int, limits: Limits
  ) -> (needed: Double, affordable: Int) {
    let emitters = Double(max(1, system.emitters.count { $0.enabled }))
    let work = workOfStep * Double(WorkBudget.particlesOfStep) * emitters * Double(max(1, steps))
    let affordable = min(
      (2 * Double(limits.particleSteps) / work).squareRoot(),
      Double(limits.memory / 2) / (emitters * memoryOfRound))
    let needed = life / length + 2
    return (needed, Int(saturating: max(1, min(needed, affordable, Double(mostRounds)))))
  }

  /// Emits for one round only. Particles that live longer are shown in the next rounds, under younger particles:
  /// frame f has the particles of the frames f, f + n, f + 2n and so on.
  private func drawOverlaid(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    let most = roundCount
    // Trails show where particles were before the first frame.
    let lead = min(
      Int(saturating: (min(longestTrail, length) * plan.framesPerSecond).rounded(.up)),
      timing.count - 1)
    var rounds: [Simulation] = []
    var living = 0
    while rounds.count < most, living < 2 * mostParticles {
      let next = simulation(
        share: most, frames: timing.count, tail: (most - 1) * timing.count,
        takingTurnsWith: rounds.last)
      advance(next, by: start)
      next.clear()
      let frames = rounds.count * timing.count
      for frame in 0..<max(0, frames - lead) {
        if frame == timing.count { next.stopEmitting() }
        advance(next, by: step)
      }
      if rounds.count > 0, frames - lead >= timing.count, next.count == 0 { break }
      try WorkBudget.checkCancellation()
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

  /// Draws a round and some extra frames, to be blended with the first frames. The last frames of the loop are
  /// blended, so that it begins right after them.
  private func drawBlended(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
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
