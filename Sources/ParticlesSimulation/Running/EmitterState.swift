internal import ParticlesCore
internal import ParticlesModel

/// The particles of an emitter and its running activations.
final class EmitterState {
  typealias Fixed = EmitterPlan.Fixed

  /// Equal plans for the threads: threads that count references to one object delay each other.
  let plans: [EmitterPlan]
  let plan: EmitterPlan
  let columns: ParticleColumns
  let random: RandomNumbers
  /// The number of emitted particles, with particles that the probability left out.
  var ordinal: UInt64 = 0
  /// How many particles came to life.
  var born = 0
  /// The particles in the slots of the law `slots`.
  var slots: [UInt64?] = []
  /// The slots that restart in this step because their particle has died.
  var freed: Set<Int> = []
  /// Seconds of the last step.
  var lastStep: Float = 0
  /// How far the effect moves in the present step, or nil if it rests.
  var travel: Travel?
  /// Part of a millisecond that the law `milliseconds` has not counted yet.
  var fraction = 0.0
  /// Particles that wait for room.
  var waiting = 0
  /// One activation if the emitter starts with the effect, and one for each copy that a trigger starts.
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
  /// Triggers by time, and triggers by the death of particles.
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
  /// Particles that were emitted one after another, with no emission since. They are not in `spawned`.
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
  /// The threads that share the work on many particles. With nil, the calling thread works alone.
  let team: Workers?
  let workspaces: Workspaces
  /// The number of the thread that steps the emitter, where emitters share the team.
  var thread = 0

  /// - Parameters:
  ///   - plans: for each thread of the team.
  ///   - isTriggered: whether particles of any emitter trigger this one.
  ///   - workspaces: for the threads of the team. All emitters share them.
  init(
    _ plans: [EmitterPlan], random: RandomNumbers, capacity: Int, isTriggered: Bool,
    team: Workers?, workspaces: Workspaces
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

  /// The most emissions of a step that are tried at once: one more than the budget suffices for, so that
  /// left-out particles are noticed.
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
  ///   - index: its place among particles that are emitted at one moment, and the number of these particles.
  /// - Returns: its ordinal, or nil if it did not come to life.
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
        // Particles that the budget leaves out are not paid for: they would take the particles of later steps.
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
  /// The greatest rate if the capacity limits the particles, see ``EmitterState/mostRate``. Infinite if
  /// no period emits more than the capacity.
  fileprivate func mostRate(capacity: Double) -> Double {
    let ofPeriod = emission.rate.bounds.upper * (timing.duration?.bounds.upper ?? .infinity)
    guard min(ofPeriod, Double(min(emission.total ?? .max, emission.maxAlive ?? .max))) > capacity
    else { return .infinity }
    return capacity / min(max(lifetime.center, 1e-9), 0.5)
  }
}

extension EmitterState {
  /// Seconds of the effect that have passed when it is first seen.
  var prewarm: Double {
    let timing = plan.emitter.timing
    return plan.emitter.enabled && timing.speed > 0 ? timing.prewarm / timing.speed : 0
  }

  /// Starts the emitter with the effect.
  func start() { activations.append(Activation(plan.emitter, numbers)) }

  /// Advances clock, particles and emission.
  /// - Parameter dt: seconds of the effect.
  func step(_ dt: Double) {
    guard isEnabled else { return }
    let h = dt * speed
    guard h > 0 else { return }
    lastStep = Float(h)
    var time = h
    if plan.law.ages == .milliseconds {
      fraction += h * 1_000
      time = fraction.rounded(.down) / 1_000
      fraction -= time * 1_000
      guard time > 0 else { return }
    }
    let (clock, progress) = (activations.first?.clock ?? 0, activations.first?.progress ?? 0)
    if !plan.law.death.isAtOnce { bury() }
    if plan.law.order == .emissionFirst {
      emitParticles(time)
      if plan.law.initialAge == .moved, emission.lifeOffset != 0 {
        moveByAge(from: max(0, columns.count - lastEmitted), clock: clock, progress: progress)
      }
      move(
        from: 0, time: .whole(Float(h)), ageTime: Float(time), clock: clock, progress: progress)
      raiseEvents(h)
      bury()
      return
    }
    move(
      from: 0, time: .whole(Float(h)), ageTime: Float(time), clock: clock, progress: progress)
    raiseEvents(h)
    if plan.law.death.isAtOnce { bury() }
    firstNew = columns.count
    emitParticles(time)
    moveNew(from: firstNew, h, clock: clock, progress: progress)
  }

  /// Moves new particles by their initial age, in whole milliseconds, but not to their end.
  private func moveByAge(from first: Int, clock: Double, progress: Double) {
    let (ages, lives, rests) = (columns[Fixed.age], columns[Fixed.life], columns[Fixed.rest])
    for place in first..<columns.count {
      let age = (ages[place] * 1_000 + 0.01).rounded(.down) / 1_000
      rests[place] = max(0, min(age, lives[place] - 0.001))
      ages[place] = 0
    }
    move(from: first, time: .rest, clock: clock, progress: progress)
  }

  /// Moves the particles that were emitted in this step through their own part of the step.
  func moveNew(from first: Int, _ h: Double, clock: Double, progress: Double) {
    let rests = columns[Fixed.rest]
    switch plan.law.firstStep {
    case .none:
      // The rest is 0 for a particle of the account, and the length of the step for one from a burst.
      guard (first..<columns.count).contains(where: { rests[$0] > 0 }) else { return }
    case .shifted:
      for place in first..<columns.count {
        for (axis, velocity) in [(Fixed.x, Fixed.vx), (Fixed.y, Fixed.vy), (Fixed.z, Fixed.vz)] {
          columns[axis][place] += columns[velocity][place] * rests[place]
        }
        rests[place] = 0
      }
      return
    case .whole: for place in first..<columns.count { rests[place] = Float(h) }
    case .rest: break
    }
    move(from: first, time: .rest, clock: clock, progress: progress)
    for place in first..<columns.count { rests[place] = 0 }
    if plan.law.death.isAtOnce { bury() }
  }

  /// Removes the dead, and notes the triggers of their death.
  private func bury() {
    lastBuried = 0
    withDead { dead in
      lastBuried = dead.count
      if !deathTriggers.isEmpty {
        for place in dead {
          let over = columns[Fixed.age][place] - columns[Fixed.life][place]
          for trigger in deathTriggers { raise(trigger, place: place, rest: max(0, Double(over))) }
        }
      }
      freeSlots(dead)
      columns.remove(
        dead, on: teamForMoving(min(dead[dead.count - 1], columns.count - dead[0])))
    }
  }

  /// The threads that share moving so many particles to other places. With nil, the calling thread works alone.
  func teamForMoving(_ count: Int) -> Workers? { count < Self.leastShared ? nil : team }

  /// Notes the events of living particles that come with time.
  private func raiseEvents(_ h: Double) {
    for trigger in timedTriggers {
      switch trigger.event {
      case .frame:
        for place in 0..<columns.count { raise(trigger, place: place, rest: 0) }
      case .interval:
        guard trigger.interval > 0 else { continue }
        for place in 0..<columns.count {
          let age = Double(columns[Fixed.age][place])
          let before = ((age - h) / trigger.interval).rounded(.down)
          let now = (age / trigger.interval).rounded(.down)
          guard now > max(before, 0) else { continue }
          raise(trigger, place: place, rest: age - now * trigger.interval)
        }
      case .birth, .death, .collision, .living: break
      }
    }
  }

  /// Ends the activations whose particle is gone.
  /// - Parameter lives: whether a particle of an emitter lives.
  func endOrphans(_ lives: (Int, UInt64) -> Bool) {
    for index in activations.indices where activations[index].endsWithParent {
      guard let parent = activations[index].parent, !lives(parent.emitter, parent.ordinal) else {
        continue
      }
      activations[index].finish()
    }
  }

  /// Whether a particle lives. Particles are in the order of their numbers.
  func lives(_ ordinal: UInt64) -> Bool { place(of: ordinal) != nil }

  /// The place of a particle, or nil if it does not live.
  func place(of ordinal: UInt64) -> Int? {
    let place = firstPlace(since: ordinal)
    return place < columns.count && columns.ordinals[place] == ordinal ? place : nil
  }

  /// The place of the first particle with a number or a greater one.
  private func firstPlace(since ordinal: UInt64) -> Int {
    var (low, high) = (0, columns.count)
    while low < high {
      let middle = (low + high) / 2
      if columns.ordinals[middle] < ordinal { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Starts the copy, or emits the particles, that the trigger of an event specifies.
  func react(to event: Event) {
    guard isEnabled else { return }
    let (trigger, particle) = (event.trigger, event.particle)
    let numbers = numbers
    var activation =
      trigger.count == nil ? Activation(plan.emitter, numbers) : .single(plan.emitter, numbers)
    for inheritance in trigger.inherit {
      switch inheritance {
      case .position: activation.origin = particle.place
      case .velocity: activation.inheritedVelocity = particle.velocity * trigger.velocityFactor
      case .color: activation.inheritedColor = particle.color
      case .rotation: activation.inheritedAngle = particle.angle
      case .size: activation.inheritedSize = particle.size
      }
    }
    guard let count = trigger.count else {
      activation.parent = (particle.emitter, particle.ordinal)
      activation.endsWithParent = trigger.event == .living
      // Copies without end would pile up.
      if activations.count < 10_000 { activations.append(activation) }
      return
    }
    let draws = ParticleRandoms(
      random: random, emitter: UInt64(particle.emitter), particle: particle.ordinal, period: 0,
      progress: 0)
    let sampled = draws.sample(count, .property("triggers.count"))
    let size = Int(saturating: min(max(0, sampled), mostTried).rounded())
    firstNew = columns.count
    lastSource = nil
    emit(size, rest: event.rest * speed, in: activation)
    sampleSpawned()
    moveNew(
      from: firstNew, event.rest, clock: activation.clock, progress: 0)
  }
}

/// A particle that is emitted in this step.
struct Spawn {
  let ordinal: UInt64
  /// Seconds from its emission to the end of the step.
  let rest: Double
  /// Its place among particles that are emitted at one moment, and the number of these particles.
  let index: (Int, of: Int)
  /// How far the emission of the period is, 0…1.
  let progress: Double
  /// The place of its activation in `sources`.
  let source: Int
}

/// Particles that are emitted one after another in a step, each at its own moment.
struct SpawnSeries {
  let count: Int
  /// The ordinal of the first one.
  let ordinal: UInt64
  /// The place of their activation in `sources`.
  let source: Int
  /// The activation, with its progress at the start.
  let activation: Activation
  /// The start and the end of the step on its clock, and whether all begin at the start.
  let (start, step, isFrame): (Double, Double, Bool)
  /// The account of the emission: where it begins, the particles that it has counted already or leaves out, and how
  /// many it counts for each.
  let (from, account, skipped, stride, rate): (Double, Double, Double, Double, Double)
  /// The share of the period in which all are emitted.
  let factor: Double

  /// When a particle is emitted, on the clock of the activation.
  /// - Parameter number: from 1.
  func moment(_ number: Int) -> Double {
    let plain = from + (skipped + Double(number) * stride - account) / rate
    return activation.start + plain * factor
  }

  /// - Parameter index: from 0.
  subscript(index: Int) -> Spawn {
    let moment = moment(index + 1)
    return Spawn(
      ordinal: ordinal &+ UInt64(index), rest: isFrame ? step - start : max(0, step - moment),
      index: (0, of: 1), progress: activation.progress(at: moment), source: source)
  }
}

extension EmitterState {
  /// Gives the particles of a series their places.
  func append(_ series: SpawnSeries) {
    settleSeries()
    columns.append(series.count, from: series.ordinal, on: teamForMoving(columns.count))
    ordinal += UInt64(series.count)
    born += series.count
    self.series = series
  }

  /// Adds the particles of a series to `spawned`, before others that follow them.
  private func settleSeries() {
    guard let last = series else { return }
    series = nil
    for index in 0..<last.count { spawned.append(last[index]) }
  }

  /// Gives a particle its place, if it comes to life.
  /// - Returns: whether it does.
  func add(rest: Double, index: (Int, of: Int), _ activation: Activation) -> Bool {
    // If emission precedes motion, a particle of lifetime 0 takes up room until it is moved.
    if !plan.isSurelyLiving, plan.law.order == .motionFirst {
      let draws = ParticleRandoms(
        random: random, emitter: plan.index, particle: ordinal, period: activation.period,
        progress: activation.progress)
      guard plan.lifetime(draws, index.0) > plan.startAge.sample(draws) else {
        ordinal += 1
        return false
      }
    }
    append(rest: rest, index: index, source(of: activation), progress: activation.progress)
    return true
  }

  /// Gives the next particle its place.
  func append(rest: Double, index: (Int, of: Int), _ source: Int, progress: Double) {
    settleSeries()
    _ = columns.append(ordinal: ordinal)
    spawned.append(
      Spawn(ordinal: ordinal, rest: rest, index: index, progress: progress, source: source))
    ordinal += 1
    born += 1
  }

  /// The place of an activation in `sources`.
  func source(of activation: Activation) -> Int {
    let moment = (activation.clock, activation.period)
    if let last = lastSource, last == moment { return sources.count - 1 }
    sources.append(activation)
    lastSource = moment
    return sources.count - 1
  }

  /// Samples the numbers of the particles that have a place only.
  func sampleSpawned() {
    if !spawned.isEmpty { settleSeries() }
    let count = series?.count ?? spawned.count
    guard count > 0 else { return }
    let first = columns.count - count
    let series = series
    let size = max(64, min(1_024, count / (2 * workspaces.threads)))
    let own = thread
    let travel = travel
    let team = count >= 4 * size ? team : nil
    plans.withUnsafeBufferPointer { plans in
      spawned.withUnsafeBufferPointer { spawned in
        sources.withUnsafeBufferPointer { sources in
          Workers.share((count + size - 1) / size, on: team) { helper, next in
            let plan = plans[max(own, helper)]
            func sample(_ part: UnsafeBufferPointer<Spawn>, from start: Int) {
              plan.sample(
                SpawnBatch(
                  spawned: part, sources: sources, random: random, table: columns.table,
                  first: first + start, travel: travel))
            }
            while let number = next() {
              let places = number * size..<min(count, (number + 1) * size)
              guard let series else {
                sample(UnsafeBufferPointer(rebasing: spawned[places]), from: places.lowerBound)
                continue
              }
              withUnsafeTemporaryAllocation(of: Spawn.self, capacity: places.count) { part in
                for index in places {
                  part.initializeElement(at: index - places.lowerBound, to: series[index])
                }
                sample(UnsafeBufferPointer(part), from: places.lowerBound)
              }
            }
          }
        }
      }
    }
    if !columns.hasDepth {
      columns.hasDepth = (first..<columns.count).contains {
        columns[Fixed.z][$0] != 0 || columns[Fixed.vz][$0] != 0
      }
    }
    if plan.canBeginLater { suspect(first..<columns.count) }
    if plan.isTriggeringOnEmission {
      for index in 0..<count {
        for trigger in plan.emitter.triggers where [.birth, .living].contains(trigger.event) {
          raise(trigger, place: first + index, rest: (series?[index] ?? spawned[index]).rest)
        }
      }
    }
    spawned.removeAll(keepingCapacity: true)
    self.series = nil
    sources.removeAll(keepingCapacity: true)
    lastSource = nil
  }

  /// The time that a step gives to particles.
  enum StepTime {
    /// All particles get this time.
    case whole(Float)
    /// Each particle gets its time from the column `rest`.
    case rest
  }

  /// Fewer particles than this are not worth several threads.
  static let leastShared = 4 * Chunk.size

  /// The chunks of the particles from one on.
  func chunks(from first: Int) -> Chunk.Division {
    let places = first..<columns.count
    let threads = places.count >= Self.leastShared ? team?.threads ?? 1 : 1
    return Chunk.Division(places, of: columns, threads: threads)
  }

  /// Runs `body` for chunks, on several threads if there are many particles.
  /// - Parameter body: gets the plan of the thread and the number of the chunk, too.
  func forEach(
    _ chunks: Chunk.Division, progress: Double,
    _ body: (EmitterPlan, Chunk, _ number: Int) -> Void
  ) {
    let (table, own) = (columns.table, thread)
    let team = chunks.places.count >= Self.leastShared ? team : nil
    plans.withUnsafeBufferPointer { plans in
      Workers.share(chunks.count, on: team, leavingLast: true) { helper, next in
        // A thread that steps an emitter of its own is alone here.
        let thread = max(own, helper)
        let (plan, scratch) = (plans[thread], workspaces[thread])
        while let number = next() {
          body(
            plan, Chunk(chunks[number], of: table, progress: progress, scratch: scratch), number)
        }
      }
    }
  }

  /// Moves particles by a step, in the order of the specification: age, forces, drag, speed, orbit
  /// velocity, place.
  /// - Parameter ageTime: the growth of ages, if it differs from the time of the step.
  func move(
    from first: Int, time: StepTime, ageTime: Float? = nil, clock: Double, progress: Double
  ) {
    let count = columns.count
    guard first < count else { return }
    let chunks = chunks(from: first)
    let dead = deadPlaces(count)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: chunks.count) { found in
      found.initialize(repeating: 0)
      forEach(chunks, progress: progress) { plan, chunk, number in
        if plan.move(chunk, time: time, ageTime: ageTime, clock: clock) {
          found[number] = chunk.age.dead(
            life: chunk.life, first: chunk.first, into: dead + chunk.first)
        }
      }
      // Each chunk has noted its own behind its first place.
      var total = 0
      for number in 0..<chunks.count where found[number] > 0 {
        (dead + total).update(from: dead + chunks[number].lowerBound, count: found[number])
        total += found[number]
      }
      guard total > 0 else { return }
      if suspects.isEmpty, first == 0 {
        suspects = 0..<count
        knownDead = total
      } else {
        suspect(dead[0]..<dead[total - 1] + 1)
      }
    }
  }

  /// Notes that there may be dead particles in a range.
  func suspect(_ places: Range<Int>) {
    knownDead = nil
    suspects =
      suspects.isEmpty
      ? places
      : min(suspects.lowerBound, places.lowerBound)..<max(suspects.upperBound, places.upperBound)
  }

  /// Runs `body` with the places of particles that have reached their lifetime, if there are any. The
  /// places are kept until particles are moved again.
  func withDead(_ body: (UnsafeBufferPointer<Int>) -> Void) {
    let range = suspects.clamped(to: 0..<columns.count)
    let places = deadPlaces(columns.count)
    let known = knownDead
    (suspects, knownDead) = (0..<0, nil)
    guard !range.isEmpty else { return }
    var dead = known ?? 0
    if known == nil {
      let age = Slice(base: columns[Fixed.age] + range.lowerBound, count: range.count)
      let life = Slice(base: columns[Fixed.life] + range.lowerBound, count: range.count)
      dead = age.dead(life: life, first: range.lowerBound, into: places)
    }
    if plan.law.death == .pastLifetime || plan.law.death == .nextStep {
      dead = keep(dead, of: places) { columns[Fixed.age][$0] > columns[Fixed.life][$0] }
    }
    if dead > 0 { body(UnsafeBufferPointer(start: places, count: dead)) }
  }

  /// Room for the places of so many dead particles, and one more.
  private func deadPlaces(_ count: Int) -> UnsafeMutablePointer<Int> {
    if count >= deadCapacity {
      knownDead = nil
      freeColumns(deadMemory)
      deadCapacity = 2 * count + Chunk.size
      deadMemory = allocateColumns(bytes: deadCapacity * MemoryLayout<Int>.stride)
    }
    return deadMemory.assumingMemoryBound(to: Int.self)
  }

  /// Moves the places that fulfil a condition to the front.
  /// - Returns: their number.
  private func keep(
    _ count: Int, of places: UnsafeMutablePointer<Int>, where isKept: (Int) -> Bool
  ) -> Int {
    var kept = 0
    for index in 0..<count where isKept(places[index]) {
      places[kept] = places[index]
      kept += 1
    }
    return kept
  }
}
