public import ParticlesCore
public import ParticlesModel

/// A running effect.
///
/// Equal effects, profiles and seeds give equal particles on every machine: random numbers are
/// computed from their purpose, and arithmetic uses only IEEE 754 operations in a fixed order.
///
/// A simulation starts no threads. It hands parts of its work on many particles to the team that the caller passes.
public final class Simulation {
  /// The longest step, in seconds.
  public static let longestStep = 1.0 / 60

  /// The effect that runs.
  public let system: ParticleSystem
  /// The engine whose law it follows.
  public let profile: ParticleSystem.Profile
  /// Seconds since the effect was first seen.
  public private(set) var time = 0.0
  /// Where the effect is in the world. Emitters are placed relative to it. The default is the origin.
  public internal(set) var place = ParticleSystem.Vector.zero

  /// The most living particles of an emitter.
  package let capacity: Int
  let states: [EmitterState]
  private let enabledCount: Int
  /// The threads that share the work. With nil, the calling thread works alone.
  package let team: Workers?
  /// Whether emitters do not depend on each other within a step.
  private let isIndependent: Bool
  private let law: ParticleSystem.EngineLaw
  private let random: RandomNumbers
  /// Bounds the work. With nil, the work has no bound.
  private var budget: SimulationBudget?

  /// Creates an effect at its start. Emitters with `timing.prewarm` have run for that time.
  /// - Parameters:
  ///   - system: the effect.
  ///   - profile: the law to follow. By default, the effect names it. A name without a law means
  ///     `neutral`.
  ///   - seed: takes the place of the seed of the effect.
  ///   - capacity: the most living particles of an emitter. More are not emitted.
  ///   - team: the threads that share the work on some thousand particles and more. With nil, the default,
  ///     the calling thread works alone. The particles do not depend on the number of threads.
  public convenience init(
    _ system: ParticleSystem, profile: ParticleSystem.Profile? = nil, seed: UInt64? = nil,
    capacity: Int = 1_000_000, team: Workers? = nil
  ) {
    self.init(system, profile: profile, seed: seed, capacity: capacity, team: team, budget: nil)
  }

  /// Creates an untrusted effect at its start.
  /// - Parameters:
  ///   - budget: the work that this simulation may take.
  ///   - other: a simulation that never runs at the same time. Its team replaces `team`, and both use its memory for
  ///     intermediate results.
  package convenience init(
    _ system: ParticleSystem, profile: ParticleSystem.Profile? = nil, seed: UInt64? = nil,
    capacity: Int, team: Workers? = nil, budget: SimulationBudget?,
    takingTurnsWith other: Simulation? = nil
  ) {
    self.init(
      resting: system, profile: profile ?? system.asset.profile,
      RandomNumbers(seed: seed ?? system.seed), capacity: capacity,
      team: other == nil ? team : other?.team, budget: budget,
      workspaces: other?.states.first?.workspaces)
    for index in system.startingEmitters where states.indices.contains(index) {
      states[index].start()
    }
    prewarm()
  }

  /// Starts at the effect and moment of another simulation, with other properties, and without its particles.
  convenience init(continuing other: Simulation, with system: ParticleSystem) {
    self.init(
      resting: system, profile: other.profile, other.random, capacity: other.capacity,
      team: other.team, budget: other.budget)
    (time, place) = (other.time, other.place)
  }

  /// An effect none of whose emitters has started.
  private init(
    resting system: ParticleSystem, profile name: ParticleSystem.Profile, _ random: RandomNumbers,
    capacity: Int, team: Workers?, budget: SimulationBudget?, workspaces: Workspaces? = nil
  ) {
    self.budget = budget
    self.capacity = max(1, capacity)
    self.team = team
    let workspaces = workspaces ?? Workspaces(threads: team?.threads ?? 1)
    isIndependent = system.emitters.allSatisfy { $0.triggers.isEmpty }
    enabledCount = system.emitters.count { $0.enabled }
    self.system = system
    self.random = random
    (profile, law) = name.law.map { (name, $0) } ?? (.neutral, ParticleSystem.EngineLaw())
    let triggered = Set(system.emitters.flatMap { $0.triggers.map { $0.emitter } })
    let law = self.law
    var most = self.capacity
    if let budget, law.account == .slots { most = min(most, budget.mostSlots(of: system)) }
    states = system.emitters.enumerated().map { index, emitter in
      let plans = (0..<workspaces.threads).map { _ in
        EmitterPlan(
          emitter, index: index, isFlat: system.asset.dimension == .plane, law: law,
          isTriggered: triggered.contains(index))
      }
      return EmitterState(
        plans, random: random, capacity: most, isTriggered: triggered.contains(index), team: team,
        workspaces: workspaces)
    }
  }

  /// Whether particles were left out because an emitter reached the capacity, or because the limit of
  /// work was reached.
  public var isOverCapacity: Bool {
    budget?.isUsedUp == true || states.contains(where: { $0.isOverCapacity })
  }

  /// The particle steps that it has used of its budget so far, or 0 without a budget.
  package var usedSteps: Int { budget?.used ?? 0 }

  /// The number of living particles.
  public var count: Int { states.reduce(0) { $0 + $1.columns.count } }

  /// The number of living particles of an emitter, and how many it has emitted so far.
  public func population(ofEmitter index: Int) -> (alive: Int, emitted: Int) {
    (states[index].columns.count, states[index].born)
  }

  /// Advances the effect by a time, in steps of at most ``longestStep``.
  /// - Parameter seconds: at least 0.
  public func advance(by seconds: Double) {
    let count = Self.stepCount(of: seconds)
    guard count > 0 else { return }
    for _ in 0..<count { bounded(seconds / Double(count)) { step($0) } }
    time += seconds
  }

  /// The number of steps in which a simulation advances by a time.
  package static func stepCount(of seconds: Double) -> Int {
    guard seconds > 0, seconds.isFinite else { return 0 }
    return Int(saturating: min(max(1, (seconds / longestStep - 1e-9).rounded(.up)), 1e9))
  }

  /// Advances the effect by a time, while it moves in a straight line.
  ///
  /// New particles appear where the effect is at that moment. Particles in the space `world` stay in place when it
  /// moves on, and particles in `parent` and `local` go with it. An effect that never moves costs nothing more.
  /// - Parameters:
  ///   - seconds: at least 0.
  ///   - target: ``place`` at the end.
  public func advance(by seconds: Double, to target: ParticleSystem.Vector) {
    let count = Self.stepCount(of: seconds)
    guard count > 0 else { return }
    for index in 0..<count {
      bounded(seconds / Double(count)) { dt in
        travel((target - place) * (1 / Double(count - index)), dt)
        step(dt)
      }
    }
    for state in states { state.travel = nil }
    time += seconds
  }

  /// Removes all living particles, without the triggers of their death, and the copies of emitters that
  /// particles have started. Emission goes on.
  package func clear() {
    for state in states { state.clear() }
  }

  /// Runs a step within the budget.
  func bounded(_ dt: Double, _ step: (Double) -> Void) {
    guard budget != nil else { return step(dt) }
    var (moving, activations, places) = (0, 0, 0)
    for state in states {
      moving += state.columns.count * state.weight.step
      activations += state.activations.count
      places += state.activations.count * state.places
    }
    guard
      let allowance = budget?.allowance(
        living: count, moving: moving, emitters: enabledCount,
        sharing: states.count { $0.hasShare }, activations: activations, places: places)
    else { return }
    for state in states {
      let allowance = state.hasShare ? allowance : allowance.none
      state.allowed = state.columns.count + allowance.particles
      let emissions = allowance.emissions(
        living: state.stepsOfLife(dt), weighing: state.weight, hasTriggers: state.isTriggering)
      state.firstOfStep = state.ordinal
      state.endOfEmission = state.ordinal + emissions
      (state.mostEvents, state.raised, state.misses) = (allowance.events, 0, 0)
    }
    step(dt)
    for state in states {
      budget?.use(
        state.ordinal - state.firstOfStep, living: state.stepsOfLife(dt), weighing: state.weight,
        events: state.raised, misses: state.misses)
    }
  }

  /// Ends the emission of the emitters that started with the effect. Living particles, and emitters
  /// that they trigger, go on.
  public func stopEmitting() {
    for state in states {
      for index in state.activations.indices where state.activations[index].parent == nil {
        state.activations[index].finish()
      }
    }
  }

  /// The sum of the extents of the living particles, each times its opacity: a measure of how much there
  /// is to see.
  package var cover: Double {
    let look = Appearance()
    var sum = 0.0
    for index in states.indices {
      appearance(ofEmitter: index, into: look)
      for particle in 0..<look.count {
        let area = Double(look.width[particle] * look.height[particle]).magnitude
        let opacity = Double(min(max(look.alpha[particle], 0), 1))
        if area.isFinite { sum += opacity * area.squareRoot() }
      }
    }
    return sum
  }

  /// Evaluates how the particles of an emitter look now.
  package func appearance(ofEmitter index: Int, into result: Appearance) {
    states[index].appearance(
      into: result, progress: states[index].activations.first?.progress ?? 0)
  }

  private func prewarm() {
    let longest = states.map { $0.prewarm }.max() ?? 0
    // Every effect reaches its lasting look within an hour.
    let most = Int(saturating: (min(longest, 3_600) / Self.longestStep).rounded(.up))
    let steps = budget?.begin(system, prewarm: most) ?? most
    for index in 0..<steps {
      let left = Double(steps - index) * Self.longestStep
      bounded(Self.longestStep) { dt in
        for state in states where state.prewarm >= left - 1e-9 { state.step(dt) }
        dispatch()
      }
    }
  }

  func step(_ dt: Double) {
    if isIndependent, isManySmall {
      nonisolated(unsafe) let states = states
      Workers.run(states.count, on: team) { index, thread in
        states[index].thread = thread
        states[index].step(dt)
        states[index].thread = 0
      }
      return
    }
    for state in states {
      state.endOrphans { states.indices.contains($0) && states[$0].lives($1) }
      state.step(dt)
    }
    dispatch()
  }

  /// Whether threads take whole emitters, not parts of an emitter. They do if there are many
  /// particles, but no emitter has half of all.
  private var isManySmall: Bool {
    guard team != nil, states.count > 1 else { return false }
    let (most, all) = states.reduce((0, 0)) {
      (max($0.0, $1.columns.count), $0.1 + $1.columns.count)
    }
    return all > EmitterState.leastShared && most < all / 2
  }

  /// Starts what particles triggered. Events of particles that are emitted here count, too, but not
  /// without end: a circle of triggers goes on with the next step.
  private func dispatch() {
    for _ in 0..<8 {
      let events = states.flatMap { state in
        defer { state.events.removeAll(keepingCapacity: true) }
        return state.events
      }
      guard !events.isEmpty else { return }
      for event in events where states.indices.contains(event.trigger.emitter) {
        states[event.trigger.emitter].react(to: event)
      }
    }
  }
}

// Properties that are changed while an effect runs, as an editor and a page do.

extension Simulation {
  /// Whether the effect is over: no particle lives, and none will be emitted.
  public var isOver: Bool { states.allSatisfy { $0.isOver } }

  /// Continues with changed properties. Living particles keep the samples of their emission, and go on
  /// under the new properties. The time goes on.
  /// - Parameter system: the changed effect, with as many emitters as before.
  /// - Returns: nil if an emitter would need other columns for its particles than it has. This happens if
  ///   emitters were added or removed, or if a number is constant in only one of both effects.
  package func continued(with system: ParticleSystem) -> Simulation? {
    guard system.emitters.count == states.count else { return nil }
    let simulation = Simulation(continuing: self, with: system)
    let pairs = zip(simulation.states, states)
    guard pairs.allSatisfy({ $0.plan.hasSameColumns(as: $1.plan) }) else { return nil }
    for (state, other) in pairs { state.takeOver(other) }
    return simulation
  }

  /// Copies the present moment without living particles. From now on, both simulations emit alike, with
  /// equal random numbers. The particles of this simulation are removed, and the rest stays unchanged.
  package func withoutParticles() -> Simulation {
    clear()
    let simulation = Simulation(continuing: self, with: system)
    for (state, other) in zip(simulation.states, states) {
      state.takeClocks(of: other)
      state.freed = other.freed
    }
    return simulation
  }
}

extension EmitterState {
  /// Whether no particle lives, and none will be emitted.
  fileprivate var isOver: Bool {
    columns.count == 0 && waiting == 0 && activations.allSatisfy { $0.isDone }
  }

  /// Takes over the particles and the clocks of another state, whose use ends here.
  fileprivate func takeOver(_ other: EmitterState) {
    other.sampleSpawned()
    columns.takeOver(other.columns)
    takeClocks(of: other)
    (firstNew, lastEmitted) = (columns.count, other.lastEmitted)
    suspect(0..<columns.count)
  }

  fileprivate func takeClocks(of other: EmitterState) {
    (ordinal, born, fraction, waiting) = (other.ordinal, other.born, other.fraction, other.waiting)
    (slots, lastStep, activations) = (other.slots, other.lastStep, other.activations)
  }
}

extension EmitterPlan {
  /// Whether the columns of both plans hold numbers of equal meaning.
  fileprivate func hasSameColumns(as other: EmitterPlan) -> Bool {
    layoutWidth == other.layoutWidth && turned == other.turned && launchAngle == other.launchAngle
      && (inherited == nil) == (other.inherited == nil) && isFlat == other.isFlat
      && (path == nil) == (other.path == nil) && (orbit == nil) == (other.orbit == nil)
      && samples.count == other.samples.count && colorSamples.count == other.colorSamples.count
      && zip(samples, other.samples).allSatisfy {
        $0.channel == $1.channel && $0.column == $1.column
      }
      && zip(colorSamples, other.colorSamples).allSatisfy {
        $0.columns == $1.columns && $0.isEnd == $1.isEnd
      }
  }
}

// The coordinates of particles are relative to the effect, so that shapes, centres of forces and orbits stay
// where they are when it moves. Particles that stay in place in the world are moved against its way.

extension Simulation {
  /// Moves the effect at once: nothing is emitted on the way. Particles in the space `world` stay in place.
  public func jump(to target: ParticleSystem.Vector) {
    travel(target - place, Self.longestStep)
    for state in states { state.travel = nil }
  }

  /// Places the effect with all its particles, before it is advanced.
  package func begin(at target: ParticleSystem.Vector) { place = target }

  /// Moves the effect in the next step.
  /// - Parameter dt: the length of the step in seconds.
  func travel(_ way: Vector, _ dt: Double) {
    place = place + way
    for state in states { state.follow(way, dt) }
  }
}

extension EmitterState {
  /// Keeps living particles in their place in the world, if they stay there, while the effect moves.
  func follow(_ way: Vector, _ dt: Double) {
    travel = nil
    guard way != .zero, !plan.emitter.timing.isStopped else { return }
    travel = Travel(
      way: way, step: dt * plan.emitter.timing.speed, isInWorld: plan.emitter.space == .world,
      inheritance: plan.emitter.launch.inheritVelocity)
    for index in activations.indices {
      if let origin = activations[index].origin { activations[index].origin = origin - way }
    }
    guard plan.emitter.space == .world else { return }
    var places = [(Fixed.x, way.x), (Fixed.y, way.y), (Fixed.z, way.z)]
    if let path = plan.path { places += [(path.x, way.x), (path.y, way.y), (path.z, way.z)] }
    if way.z != 0 { columns.hasDepth = true }
    for (column, distance) in places where distance != 0 {
      let (numbers, shift) = (columns[column], Float(distance))
      for place in 0..<columns.count { numbers[place] -= shift }
    }
  }

  /// Particles per second that the way of the effect in this step emits.
  func rate(perDistanceOf travel: Travel, _ activation: Activation) -> Double {
    let perUnit = numbers.sample(
      emission.ratePerDistance, .property("emission.ratePerDistance"), activation.period,
      progress: activation.progress)
    return max(0, perUnit) * travel.way.length / travel.step
  }

  /// Removes all particles and the activations that they have started.
  func clear() {
    let all = Array(0..<columns.count)
    all.withUnsafeBufferPointer { remove($0) }
    for slot in slots.indices { slots[slot] = nil }
    events.removeAll()
    waiting = 0
    activations.removeAll { $0.parent != nil }
  }
}

/// How the effect moves in a step.
struct Travel {
  /// The way in units.
  let way: Vector
  /// Seconds of the step on the clock of the emitter.
  let step: Double
  /// Whether particles stay in place when the effect moves on.
  let isInWorld: Bool
  /// The fraction of the velocity of the effect that particles inherit.
  let inheritance: Double

  /// Where a particle is that the emitter has emitted at a place.
  /// - Parameter rest: seconds since then.
  func place(_ origin: Vector, rest: Double) -> Vector {
    isInWorld ? origin - way * min(rest / step, 1) : origin
  }

  /// The velocity that a particle inherits from the effect, in units per second.
  var velocity: Vector { way * (inheritance / step) }
}

extension ParticleSystem {
  /// The seconds that particles live at most, with particles that they trigger, or 0 without emitters that emit.
  package var longestLife: Double {
    let running = emitters.filter { $0.enabled && !$0.timing.isStopped }
    let lives = running.map { max(0, $0.lifetime.bounds.upper) / max($0.timing.speed, 1e-6) }
    return running.allSatisfy { $0.triggers.isEmpty } ? lives.max() ?? 0 : lives.reduce(0, +)
  }
}

/// The work that particles of an emitter take beyond a usual emitter's work, in particle steps of the
/// budget.
struct EmitterWeight {
  /// For each step of a particle. A usual emitter has 1.
  let step: Int
  /// For each emission, in addition to the work of every emission.
  let emission: Int

  /// Six particles move while the noise of an octave is computed for one.
  private static let octave = 6
  /// So many particles move while one finds its place on a path.
  private static let path = 12
  /// So many forces are usual.
  private static let usualForces = 4
  /// So many numbers to choose from, or keys of a ramp, are looked at in a particle step.
  private static let partsOfStep = 2

  init(_ emitter: Emitter) {
    var step = 1 + max(0, emitter.forces.count - Self.usualForces)
    if emitter.motion.mode == .path { step += Self.path }
    for force in emitter.forces {
      if force.kind == .noise { step += Self.octave * min(max(force.octaves, 1), 16) }
      if force.falloff != 0 { step += 2 }
    }
    self.step = step
    let sampled: [Value?] = [
      emitter.lifetime, emitter.emission.lifeOffset, emitter.launch.speed,
      emitter.launch.direction.angle, emitter.size.width.from, emitter.size.width.to,
      emitter.rotation.angle.from, emitter.rotation.velocity.from, emitter.color.opacity.from,
    ]
    emission = sampled.reduce(0) { sum, value in
      sum + (value.map { $0.partCount / Self.partsOfStep } ?? 0)
    }
  }
}

extension Value {
  /// How many numbers or keys a sample looks at: the weights of a choice, the keys of ramps.
  fileprivate var partCount: Int {
    switch self {
    case .constant, .uniform: 0
    case .choice(let choice): choice.weights.count
    case .ramp(let ramp): ramp.curve.keys.count + ramp.low.partCount + ramp.high.partCount
    }
  }
}
