public import ParticlesCore
public import ParticlesImages
public import ParticlesModel
public import ParticlesRender
internal import ParticlesSimulation
internal import ParticlesSystem

/// A running effect that tasks share: a ``ParticlesSimulation/Simulation`` with its renderer, on a thread
/// outside of the task pool.
///
/// ```swift
/// let effect = RunningEffect(system, textures: [0: spark])
/// try await effect.advance(by: 2)
/// let picture = try await effect.draw()
/// ```
///
/// Particles and pictures match ``ParticlesSimulation/Simulation`` and ``ParticlesRender/EffectRenderer``. Calls run one after another.
/// Cancelling the waiting task ends its call between two steps. The steps that were done stay.
public actor RunningEffect {
  /// The effect.
  public nonisolated let system: ParticleSystem
  /// The executor of its calls.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private let queue = FileQueue()
  private let textures: [Int: Bitmap]
  private let settings: EffectRenderer.Settings
  private let profile: ParticleSystem.Profile?
  private let limits: Limits
  private let seed: UInt64?
  private var started: Simulation?
  private var painter: EffectRenderer?

  /// Creates an effect at its start. Nothing is simulated before the first call.
  /// - Parameters:
  ///   - system: the effect.
  ///   - textures: the images of the effect, by their index in `images`.
  ///   - settings: the size, the background and the camera of pictures.
  ///   - profile: the law to follow. With nil, the default, the effect names it.
  ///   - seed: takes the place of the seed of the effect.
  ///   - limits: the most living particles of an emitter (`particles`), the work of each step (`frameSteps`), and
  ///     the size and the work of a picture (`pixels`, `paint`).
  public init(
    _ system: ParticleSystem, textures: [Int: Bitmap] = [:],
    settings: EffectRenderer.Settings = EffectRenderer.Settings(),
    profile: ParticleSystem.Profile? = nil, seed: UInt64? = nil, limits: Limits = .standard
  ) {
    self.system = system
    self.textures = textures
    self.settings = settings
    self.profile = profile
    self.seed = seed
    self.limits = limits
  }

  private var simulation: Simulation {
    if let started { return started }
    let simulation = Simulation(
      system, profile: profile, seed: seed, capacity: limits.particles,
      team: .suited(to: system, capacity: limits.particles),
      budget: SimulationBudget(ofEachStep: limits.frameSteps, particles: limits.particles))
    started = simulation
    return simulation
  }

  /// Seconds since the effect was first seen.
  public var time: Double { simulation.time }

  /// The number of living particles.
  public var count: Int { simulation.count }

  /// Whether no particle lives, and none will be emitted.
  public var isOver: Bool { simulation.isOver }

  /// Whether particles were left out because of the limits.
  public var isOverCapacity: Bool { simulation.isOverCapacity }

  /// The number of living particles of an emitter, and how many it has emitted so far.
  /// - Parameter index: of an emitter of the effect.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/range`` for another index.
  public func population(ofEmitter index: Int) throws(Failure) -> (
    alive: Int, emitted: Int
  ) {
    guard system.emitters.indices.contains(index) else {
      throw Diagnostic(
        .range, at: .key("emitters"), "the index of an emitter",
        expected: "less than \(system.emitters.count)", found: "\(index)")
    }
    return simulation.population(ofEmitter: index)
  }

  /// Advances the effect by a time, in steps of at most ``ParticlesSimulation/Simulation/longestStep``.
  /// - Parameters:
  ///   - seconds: at least 0.
  ///   - target: the place of the effect at the end, to which it moves in a straight line. With nil, the default,
  ///     it rests.
  /// - Throws: `CancellationError` if the current task is cancelled.
  public func advance(by seconds: Double, to target: ParticleSystem.Vector? = nil) throws(Failure) {
    let simulation = simulation
    let count = Simulation.stepCount(of: seconds)
    for index in 0..<count {
      try Task.checkCancellation()
      let part = seconds / Double(count)
      guard let target else {
        simulation.advance(by: part)
        continue
      }
      let (from, share) = (simulation.place, 1 / Double(count - index))
      let next = ParticleSystem.Vector(
        from.x + (target.x - from.x) * share, from.y + (target.y - from.y) * share,
        from.z + (target.z - from.z) * share)
      simulation.advance(by: part, to: next)
    }
  }

  /// Ends the emission of the emitters that started with the effect.
  public func stopEmitting() { simulation.stopEmitting() }

  /// Draws the particles as they are now.
  /// - Returns: the picture, with straight alpha if the background is transparent.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit`` if the picture is too large,
  ///   or `CancellationError` if the current task is cancelled.
  public func draw() throws(Failure) -> Bitmap {
    try Task.checkCancellation()
    let renderer =
      try painter
      ?? EffectRenderer(
        system, textures: textures, settings: settings, profile: profile, limits: limits)
    painter = renderer
    return try renderer.draw(simulation)
  }
}
