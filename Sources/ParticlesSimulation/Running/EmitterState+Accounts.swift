internal import ParticlesCore
internal import ParticlesModel

/// How engines count the particles of a step; see `Spec/profiles.md`, switch `account`.
extension EmitterState {
  /// Emits the particles of a step by the engine's account.
  func emitByCounter(_ h: Double, in activation: inout Activation) {
    let account = plan.law.account
    if account == .milliseconds {
      emitByMilliseconds(h, in: &activation)
      return
    }
    if account == .perStep {
      // The dead of the step before are removed after the emission, unless others replace them.
      held = emission.whenFull == .recycle ? 0 : lastBuried
      emitOnce(h, in: &activation)
      held = 0
      return
    }
    if account == .roundedUp, activation.isDone, activation.account > 0 {
      // Particles that were counted in the last step are emitted after the end.
      for _ in 0..<Int(saturating: min(activation.account.rounded(.up), mostTried)) {
        emit(rest: h, in: activation)
      }
      activation.account = 0
    }
    let target = activation.clock + h
    var isOver = target > activation.end
    if !activation.isDone, activation.clock >= activation.start {
      activation.setProgress(at: activation.clock)
      let rate = rate(activation)
      if account == .roundedUp {
        emitRoundedUp(h, rate: rate, in: &activation)
      } else if account == .reaching {
        isOver = emitReaching(h, rate: rate, in: &activation)
      } else {
        if rate > 0 { emitByCounter(h, interval: 1 / rate, in: &activation) }
        // A rate without end fills all places at once; those who die at once count, too.
        let room = min(emission.minAlive, capacity) - columns.count
        for _ in 0..<max(0, room) { emit(rest: h, in: activation) }
        // A period that begins within a step emits from the next step on, and its first bursts then.
        emitBursts(
          from: activation.hasBegun ? activation.clock : activation.start, to: target, rest: h,
          in: activation)
        activation.hasBegun = true
      }
      if account == .counter {
        let left = (activation.left ?? Float(activation.end - activation.start)) - Float(h)
        activation.left = left
        isOver = left < 0
      }
    }
    activation.clock = target
    if plan.law.clock == .perEmission {
      isOver = activation.spent >= activation.end - activation.start
    }
    guard !activation.isDone, isOver else { return }
    activation.endPeriod(plan.emitter, numbers)
    if account != .roundedUp { activation.account = 0 }
    (activation.spent, activation.left, activation.hasBegun) = (0, nil, false)
  }

  private func emitBursts(
    from start: Double, to end: Double, rest: Double, in activation: Activation
  ) {
    for burst in bursts(from: start, to: end, factor: 1, activation) {
      emit(burst.count, rest: rest, in: activation)
    }
  }

  /// A counter of milliseconds falls by each step, and emits as soon as it is not above 0. Counters are of
  /// single precision, as in the engine: their last bit decides whether a step just reaches an interval.
  /// - Returns: whether the period is over.
  private func emitReaching(_ h: Double, rate: Double, in activation: inout Activation) -> Bool {
    let wave = rate > 0 ? nil : emission.bursts.firstIndex { $0.cycles == 0 }
    let seconds = rate > 0 ? 1 / rate : wave.map { max(emission.bursts[$0].interval, 1e-6) }
    let step = h * 1_000
    func milliseconds(_ seconds: Double) -> Double { (seconds * 1e9).rounded() / 1e6 }
    func single(_ number: Double) -> Double { Double(Float(number)) }
    if let length = seconds.map(milliseconds), length > 0 {
      if !activation.hasBegun {
        activation.account = wave.map { milliseconds(emission.bursts[$0].time) } ?? length
      }
      activation.account = max(single(activation.account - step), -length * mostTried)
      while activation.account <= 0 {
        emit(wave.map { count(ofBurst: $0, 0) } ?? 1, rest: 0, in: activation)
        activation.account = single(activation.account + length)
      }
    }
    let missing = min(emission.minAlive, capacity) - columns.count
    for _ in 0..<max(0, missing) { emit(rest: h, in: activation) }
    // Sums of steps may end just below the moment that they amount to.
    let start = activation.hasBegun ? activation.clock + 1e-9 : activation.start
    let bursts = bursts(
      from: start, to: activation.clock + h + 1e-9, factor: 1, activation, besides: wave)
    for burst in bursts {
      // The first burst is the start of the emitter, before the step.
      emit(burst.count, rest: burst.moment > activation.start ? 0 : h, in: activation)
    }
    activation.hasBegun = true
    activation.spent = single(activation.spent + step)
    return activation.spent >= milliseconds(activation.end - activation.start)
  }

  private func emitByCounter(
    _ h: Double, interval: Double, in activation: inout Activation
  ) {
    switch plan.law.account {
    case .exact, .milliseconds, .reaching, .roundedUp, .perStep, .slots: break
    case .whileRoom:
      if hasRoom { activation.account += h }
      // Particles that die at once leave room for ever; their number has a limit.
      var left = capacity
      while left > 0, hasRoom, activation.account > interval {
        emit(rest: h, in: activation)
        activation.account -= interval
        left -= 1
      }
      if activation.account > interval { noteFull() }
    case .counter:
      // In single precision, which decides where periods end with frames.
      let interval = Float(interval)
      var account = min(Float(activation.account) + Float(h), interval * Float(capacity))
      var left = capacity
      while left > 0, account > interval {
        emit(rest: 0, in: activation)
        account -= interval
        left -= 1
      }
      activation.account = Double(account)
    case .stretched:
      if !hasRoom { noteFull() }
      var interval = interval
      activation.account += h
      let room = Double(room)
      if room > 0, activation.account / interval > room { interval = activation.account / room }
      bound(&activation, interval: interval)
      while activation.account > 0 {
        if hasRoom { emit(rest: activation.account, in: activation) }
        activation.account -= interval
      }
    case .intervals:
      let length = activation.end - activation.start
      activation.account += h
      bound(&activation, interval: interval)
      while activation.account >= 0 {
        if plan.law.clock == .perEmission, length.isFinite {
          activation.spent += interval
          guard activation.spent < length else { return }
        }
        if hasRoom { emit(rest: activation.account, in: activation) } else { noteFull() }
        activation.account -= interval
      }
    }
  }

  /// Bounds what a step emits by the capacity and the budget.
  private func bound(_ activation: inout Activation, interval: Double) {
    activation.account = min(activation.account, interval * mostTried)
  }

  /// Emits the count of the steps before, rounded up; the excess is subtracted from the next.
  private func emitRoundedUp(_ h: Double, rate: Double, in activation: inout Activation) {
    let count = min(activation.account.rounded(.up), mostTried)
    if count > 0 {
      for _ in 0..<Int(saturating: count) { emit(rest: h, in: activation) }
      activation.account -= count
    }
    // Bursts up to the clock as it was before the step.
    let clock = activation.clock
    let start = activation.hasBegun ? (clock - h).nextUp : activation.start
    emitBursts(from: start, to: clock.nextUp, rest: h, in: activation)
    activation.hasBegun = true
    activation.account = min(activation.account + rate * h, Double(capacity))
  }

  /// At most one emission in a step: a particle of the rate, or a burst that repeats for ever. The counter
  /// goes on from period to period, and begins full, less the time of the burst.
  private func emitOnce(_ h: Double, in activation: inout Activation) {
    activation.clock += h
    guard !activation.isDone else { return }
    // Sums of steps may end just below the duration that they amount to.
    let slack = h * 1e-6
    let isLaw = plan.law.clock == .beforeStep
    if isLaw, activation.clock >= activation.end - slack {
      activation.endPeriod(plan.emitter, numbers, step: h)
    }
    // A delay lasts whole steps, the last of which emits.
    guard !activation.isDone, activation.clock >= activation.start - slack else { return }
    activation.setProgress(at: activation.clock)
    let rate = rate(activation)
    let endless = emission.bursts.firstIndex { $0.cycles == 0 }
    let repeated = rate > 0 ? nil : endless
    let interval = rate > 0 ? 1 / rate : repeated.map { max(emission.bursts[$0].interval, 1e-6) }
    if !activation.hasBegun {
      activation.hasBegun = true
      for (index, burst) in emission.bursts.enumerated() where burst.cycles != 0 {
        emit(count(ofBurst: index, 0), rest: h, in: activation)
      }
      activation.account = (interval ?? 0) - (repeated.map { emission.bursts[$0].time } ?? 0)
    }
    if let interval {
      activation.account += h
      if activation.account >= interval - slack {
        activation.account -= interval
        // Each burst has its own number.
        let number = UInt64(saturating: max(activation.spent, 0))
        activation.spent += 1
        emit(repeated.map { count(ofBurst: $0, number) } ?? 1, rest: h, in: activation)
      }
      // Missed emissions are made up for, but not for ever.
      activation.account = min(activation.account, interval * Double(capacity))
    }
    if !isLaw, activation.clock >= activation.end { activation.endPeriod(plan.emitter, numbers) }
  }

  private func count(ofBurst index: Int, _ number: UInt64) -> Int {
    let count = numbers.sample(emission.bursts[index].count, .burst(UInt64(index)), number)
    return Int(saturating: min(max(0, count), mostTried).rounded())
  }

  /// Time and the account in whole milliseconds. A period ends in the first step that begins with its
  /// whole duration counted; this step emits for the next one, and is not counted.
  /// - Parameter h: a whole number of milliseconds, in seconds.
  private func emitByMilliseconds(_ h: Double, in activation: inout Activation) {
    let step = (h * 1_000).rounded()
    activation.clock += h
    guard !activation.isDone else { return }
    if activation.paused < (activation.pause * 1_000).rounded() {
      activation.paused += step
      return
    }
    if !activation.hasBegun {
      activation.hasBegun = true
      activation.setProgress(at: activation.start)
      emit(rest: h, in: activation)
    }
    let duration = ((activation.end - activation.start) * 1_000).rounded()
    var before = activation.milliseconds
    if before < duration {
      activation.milliseconds += step
    } else {
      activation.endPeriod(plan.emitter, numbers)
      guard !activation.isDone else { return }
      activation.milliseconds -= duration
      (activation.paused, before) = (0, 0)
    }
    func moment(_ milliseconds: Double) -> Double { activation.start + milliseconds / 1_000 }
    activation.setProgress(at: moment(activation.milliseconds))
    activation.account += step
    let rate = rate(activation)
    if rate > 0 {
      let interval = 1_000 / rate
      if activation.account >= interval {
        let wanted = (activation.account / interval).rounded(.down)
        let count = min(wanted, Double(room))
        if wanted > count { noteFull() }
        // The engine's counter is a whole number: the quotient's rest is cut, twice.
        activation.account = (activation.account - count * interval).rounded(.towardZero)
        activation.account = activation.account.truncatingRemainder(dividingBy: interval)
          .rounded(.towardZero)
        for _ in 0..<Int(saturating: count) { emit(rest: h, in: activation) }
      }
    }
    let missing = min(emission.minAlive, capacity) - columns.count
    for _ in 0..<max(0, missing) { emit(rest: h, in: activation) }
    emitBursts(
      from: moment(before), to: moment(activation.milliseconds), rest: h, in: activation)
  }

  // MARK: Slots

  /// Restarts the slots whose time falls into the step, and those whose particle has died. After the end
  /// of the emission, the former only lose their particle.
  func emitFromSlots(_ h: Double, in activation: inout Activation) {
    let before = activation.clock
    activation.clock += h
    // Emission without repetition ends before the step that leaves its period emits.
    if !plan.emitter.timing.loop { endPeriod(of: &activation) }
    defer {
      freed.removeAll()
      endPeriod(of: &activation)
    }
    let lifetime = plan.emitter.lifetime.bounds.upper
    guard activation.clock > activation.start, lifetime > 0,
      !activation.isDone || slots.contains(where: { $0 != nil })
    else { return }
    let wanted = emission.maxAlive ?? slotCount(activation, lifetime)
    let amount = min(wanted, capacity)
    if wanted > amount { isOverCapacity = true }
    if slots.count != amount { slots = Array(repeating: nil, count: amount) }
    let (from, to) = (before - activation.start, activation.clock - activation.start)
    let turns = (to / lifetime).rounded(.down)
    let start = from - (from / lifetime).rounded(.down) * lifetime
    let end = to - turns * lifetime
    let cycle =
      UInt32(truncatingIfNeeded: Int64(saturating: turns))
      &+ UInt32(truncatingIfNeeded: activation.period)
    let wraps = end <= start
    // Read once: a copy of the emission takes longer than a slot.
    let times = SlotTimes(emission, amount: amount, phase: end / lifetime, cycle: cycle)
    let isAnyFreed = !freed.isEmpty
    var restarts: [(slot: Int, rest: Double)] = []
    for slot in 0..<amount {
      let restart = times.moment(of: slot) * lifetime
      var rest: Double?
      if !wraps {
        if restart >= start, restart < end { rest = end - restart }
      } else if restart >= start {
        rest = lifetime - restart + end
      } else if restart < end {
        rest = end - restart
      }
      if rest == nil, isAnyFreed, freed.contains(slot) { rest = h }
      if let rest { restarts.append((slot, rest)) }
    }
    // All at once: the removal of each one would move the others.
    restarts.compactMap { slots[$0.slot].flatMap(place(of:)) }.sorted()
      .withUnsafeBufferPointer { remove($0) }
    for (slot, rest) in restarts {
      slots[slot] = activation.isDone ? nil : emit(rest: rest, in: activation)
    }
  }

  private func endPeriod(of activation: inout Activation) {
    guard !activation.isDone, activation.clock > activation.end else { return }
    activation.endPeriod(plan.emitter, numbers)
  }

  private func slotCount(_ activation: Activation, _ lifetime: Double) -> Int {
    Int(saturating: min((rate(activation) * lifetime).rounded(.up), 1e9))
  }

  /// Notes the slots whose particle is about to be removed, and that restart at once for it.
  /// - Parameter places: of the dead.
  func freeSlots(_ places: UnsafeBufferPointer<Int>) {
    guard plan.law.account == .slots else { return }
    // A few are searched for one by one; of many, which may be all, each slot is looked at once.
    if places.count <= 4 {
      for place in places {
        if let slot = slots.firstIndex(of: columns.ordinals[place]) { freeSlot(slot, of: place) }
      }
      return
    }
    var dead: [UInt64: Int] = [:]
    for place in places { dead[columns.ordinals[place]] = place }
    for slot in slots.indices {
      if let ordinal = slots[slot], let place = dead[ordinal] { freeSlot(slot, of: place) }
    }
  }

  private func freeSlot(_ slot: Int, of place: Int) {
    slots[slot] = nil
    let (age, life) = (columns[Fixed.age][place], columns[Fixed.life][place])
    if Double(age) * (1 - emission.explosiveness) > Double(life) { freed.insert(slot) }
  }
}

/// When the slots of the law `slots` restart.
private struct SlotTimes {
  private let amount: Int
  private let (jitter, spread): (Double, Double)
  private let phase: Double
  private let cycle: UInt32

  init(_ emission: Emission, amount: Int, phase: Double, cycle: UInt32) {
    self.amount = amount
    (jitter, spread) = (emission.jitter, 1 - emission.explosiveness)
    self.phase = phase
    self.cycle = cycle
  }

  /// The moment of a slot, as a fraction of the lifetime. The hash is the engine's own, which
  /// depends on neither the seed nor the file.
  func moment(of slot: Int) -> Double {
    var moment = Double(slot) / Double(amount)
    if jitter > 0 {
      let current = moment >= phase ? cycle &- 1 : cycle
      var hash = current &* UInt32(amount) &+ UInt32(slot)
      hash = ((hash >> 16) ^ hash) &* 0x45d9_f3b
      hash = ((hash >> 16) ^ hash) &* 0x45d9_f3b
      hash = (hash >> 16) ^ hash
      moment += jitter * Double(hash % 65_536) / 65_536 / Double(amount)
    }
    return moment * spread
  }
}
