internal import ParticlesCore
internal import ParticlesModel

/// The particles of an emitter and its running activations.
final class EmitterState {
  typealias Fixed = EmitterPlan.Fixed

  /// Equal plans, one for each thread: threads that count references to the same object delay each
  /// other.
  let plans: [EmitterPlan]
  let plan: EmitterPlan
  let columns: ParticleColumns
  let random: RandomNumbers
  /// How many particles were emitted, including those that the probability left out.
  var ordinal: UInt64 = 0
  /// How many particles came to life.
  var born = 0
  /// The particles in the slots of the law `slots`.
  var slots: [UInt64?] = []
  /// The slots that restart in this step because their particle has died.
  var freed: Set<Int> = []
  /// Seconds of the last step.
  var lastStep: Float = 0
  /// How far the effect moves in the present step; nil if it rests.
  var travel: Travel?
  /// Part of a millisecond that the law `milliseconds` has not counted yet.
  var fraction = 0.0
  /// Particles that wait for room.
  var waiting = 0
  /// One if the emitter starts with the effect; one more for each copy that a trigger starts.
  var activations: [Activation] = []
  /// The most particles that may live at once, over all reasons.
  let capacity: Int
  /// The most particles that may live after the present step, by the budget of the simulation.
  var allowed = Int.max
  /// The greatest rate, where `capacity` limits the particles: that at which it is reached when the first
  /// ones die, or after half a second. With a higher one, all would come to life and die together.
  let mostRate: Double
  /// Whether particles trigger emitters.
  let isTriggering: Bool
  /// Whether particles of any emitter trigger this one.
  private let isTriggered: Bool
  // Kept here because a copy of the emitter takes longer than the step of a small effect.
  private let life: (longest: Double, speed: Double)
  let emission: Emission
  private let burstCount: Int
  /// Whether it takes part in steps, and how fast its clock is.
  let (isEnabled, speed): (Bool, Double)
  /// Those that come with time, and with the death of particles.
  let (timedTriggers, deathTriggers): ([Trigger], [Trigger])
  /// The share of the budget that its particles take.
  let weight: EmitterWeight
  /// The number of the first particle for which the budget of the present step does not suffice.
  var endOfEmission = UInt64.max
  /// The number of the next particle before the present step.
  var firstOfStep: UInt64 = 0
  /// The most events of the present step for which the budget suffices, and how many there were.
  var mostEvents = Int.max
  var raised = 0
  /// How often the present step tried to emit a particle for which there was no room.
  var misses = 0
  /// Whether particles or events were left out because of `capacity` or the budget.
  var isOverCapacity = false
  /// Events of this step that trigger other emitters, in the order in which they happened.
  var events: [Event] = []
  /// The place of the first particle that was emitted in this step.
  var firstNew = 0
  /// Particles that have their place, but whose numbers are not sampled yet: the last ones.
  var spawned: [Spawn] = []
  /// Those that were emitted one after another, after which nothing was emitted yet; they are not in `spawned`.
  var series: SpawnSeries?
  /// Copies of their activations at the emission.
  var sources: [Activation] = []
  /// Clock and period of the last one of these, if it is the activation that emits now.
  var lastSource: (clock: Double, period: UInt64)?
  /// How many came to life in the last step.
  var lastEmitted = 0
  /// How many died in the last step.
  var lastBuried = 0
  /// How many of these still take room.
  var held = 0
  /// Where there may be particles that have reached their lifetime.
  var suspects = 0..<0
  /// How many have reached it, if `deadMemory` has the places of all.
  var knownDead: Int?
  var deadMemory = allocateColumns(bytes: 0)
  var deadCapacity = 0
  /// The threads that share the work on many particles; nil for the calling thread alone.
  let team: WorkerTeam?
  let workspaces: Workspaces
  /// The number of the thread that steps the emitter, where emitters share the team.
  var thread = 0

  /// - Parameters:
  ///   - plans: for each thread of the team.
  ///   - isTriggered: whether particles of any emitter trigger this one.
  ///   - workspaces: for the threads of the team; emitters share them.
  init(
    _ plans: [EmitterPlan], random: RandomNumbers, capacity: Int, isTriggered: Bool,
    team: WorkerTeam?, workspaces: Workspaces
  ) {
    self.plans = plans
    plan = plans[0]
    self.random = random
    self.capacity = capacity
    self.isTriggered = isTriggered
    self.team = team
    self.workspaces = workspaces
    mostRate = plans[0].emitter.mostRate(capacity: Double(capacity))
    let triggers = plan.emitter.triggers
    isTriggering = !triggers.isEmpty
    timedTriggers = triggers.filter { [.frame, .interval].contains($0.event) }
    deathTriggers = triggers.filter { $0.event == .death }
    emission = plan.emitter.emission
    (isEnabled, speed) = (plan.emitter.enabled, plan.emitter.timing.speed)
    burstCount = emission.bursts.count
    life = (plan.emitter.lifetime.bounds.upper, speed)
    weight = EmitterWeight(plan.emitter)
    columns = ParticleColumns(width: plan.layoutWidth)
    columns.hasDepth = !plan.isFlat
  }

  deinit { freeColumns(deadMemory) }

  /// Something that happened to a particle.
  struct Event {
    let trigger: Trigger
    /// Seconds before the end of the step.
    let rest: Double
    let particle: ParticleSnapshot
  }

  /// Whether the next step may emit, or trigger others, so that it needs a share of the budget.
  var hasShare: Bool {
    guard isEnabled else { return false }
    // Particles that this law has counted are emitted after the end.
    let isLate = plan.law.account == .roundedUp
    return isTriggered || waiting > 0 || isTriggering && columns.count > 0
      || activations.contains { !$0.isDone || isLate && $0.account > 0 }
  }

  /// Whether all particles that the emitter may ever emit have come to life.
  var isComplete: Bool { emission.total.map { born >= $0 } ?? false }

  /// Whether another particle may live.
  var hasRoom: Bool { room > 0 }

  /// Whether limits, and not the emitter, decide how many particles may live.
  var isCapped: Bool { min(capacity, allowed) < emission.maxAlive ?? .max }

  /// How many more particles may live.
  var room: Int {
    min(
      max(0, min(emission.maxAlive ?? .max, capacity, allowed) - columns.count - held), affordable)
  }

  /// How many more emissions the budget of the present step suffices for.
  var affordable: Int {
    endOfEmission > ordinal ? Int(clamping: endOfEmission - ordinal) : 0
  }

  /// The most emissions of a step that are tried, at once: one more than the budget suffices for, so that
  /// those that are left out are noticed.
  var mostTried: Double { min(Double(capacity), Double(affordable) + 1) }

  /// The most steps that a particle lives.
  /// - Parameter dt: the length of a step in seconds.
  func stepsOfLife(_ dt: Double) -> Double {
    Emitter.steps(ofLife: life.longest, speed: life.speed, dt)
  }

  /// Work of a step for each activation: its slots, and 16 for each burst but a few.
  var places: Int { slots.count + 16 * max(0, burstCount - 4) }

  /// The random numbers of periods.
  var numbers: PeriodNumbers { PeriodNumbers(random: random, emitter: plan.index) }

  /// Emits a particle.
  /// - Parameters:
  ///   - rest: seconds from now to the end of the step.
  ///   - index: its number among those emitted at the same time, and how many these are.
  /// - Returns: its number; nil if it did not come to life.
  @discardableResult
  func emit(
    rest: Double, in activation: Activation, index: (Int, of: Int) = (0, of: 1)
  ) -> UInt64? {
    if isComplete {
      misses += 1
      return nil
    }
    let probability = emission.probability
    if probability < 1,
      random.unit(emitter: plan.index, particle: ordinal, channel: .probability) >= probability
    {
      ordinal += 1
      return nil
    }
    if !hasRoom {
      noteFull()
      if emission.whenFull == .recycle, columns.count > 0, affordable > 0 {
        removeOldest()
      } else {
        if emission.whenFull == .wait { waiting = min(waiting + 1, capacity) }
        // What the budget leaves out is not paid for: it would take the particles of later steps.
        if affordable > 0 { misses += 1 }
        return nil
      }
    }
    return add(rest: rest, index: index, activation) ? ordinal - 1 : nil
  }

  /// Notes that a particle is left out, if not because of the emitter's own `maxAlive`.
  func noteFull() {
    if columns.count >= min(capacity, allowed) || affordable == 0 { isOverCapacity = true }
  }

  /// Removes the oldest particle to make room for another.
  private func removeOldest() {
    withUnsafePointer(to: 0) { remove(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Removes particles to make room for others.
  /// - Parameter places: ascending.
  func remove(_ places: UnsafeBufferPointer<Int>) {
    guard !places.isEmpty else { return }
    // Particles without numbers are the last ones, and are found by that.
    sampleSpawned()
    columns.remove(places, on: teamForMoving(columns.count))
    firstNew -= places.prefix { $0 < firstNew }.count
    suspect(0..<columns.count)
  }

  /// Notes an event of a particle, if its trigger is as likely as that.
  func raise(_ trigger: Trigger, place: Int, rest: Double) {
    if trigger.probability < 1 {
      let unit = random.unit(
        emitter: plan.index, particle: columns.ordinals[place], channel: .trigger)
      guard unit < trigger.probability else { return }
    }
    guard raised < mostEvents else {
      isOverCapacity = true
      return
    }
    raised += 1
    events.append(Event(trigger: trigger, rest: rest, particle: snapshot(place)))
  }
}

extension Emitter {
  /// The greatest rate, where the capacity limits the particles; see ``EmitterState/mostRate``. Infinite
  /// if a period emits no more than that.
  fileprivate func mostRate(capacity: Double) -> Double {
    let ofPeriod = emission.rate.bounds.upper * (timing.duration?.bounds.upper ?? .infinity)
    guard min(ofPeriod, Double(min(emission.total ?? .max, emission.maxAlive ?? .max))) > capacity
    else { return .infinity }
    return capacity / min(max(lifetime.center, 1e-9), 0.5)
  }
}
