internal import ParticlesCore
internal import ParticlesModel

extension EmitterState {
  /// Emits the particles of a step, of all activations.
  /// - Parameter h: the length of the step on the clock of the emitter.
  func emitParticles(_ h: Double) {
    let before = born
    defer { lastEmitted = born - before }
    // Particles that have waited find room first, and begin at the end of the step.
    if waiting > 0, emission.whenFull == .wait, var activation = activations.first {
      activation.setProgress(at: activation.clock)
      lastSource = nil
      while waiting > 0, hasRoom {
        waiting -= 1
        emit(rest: 0, in: activation)
      }
    }
    for index in activations.indices {
      var activation = activations[index]
      lastSource = nil
      switch plan.law.account {
      case .exact: emitExactly(h, in: &activation)
      case .slots: emitFromSlots(h, in: &activation)
      default: emitByCounter(h, in: &activation)
      }
      // Other emitters take over the present appearance of the particles.
      if plan.isTriggeringOnEmission { sampleSpawned() }
      activations[index] = activation
    }
    sampleSpawned()
    activations.removeAll { $0.isDone && ($0.origin != nil || $0.parent != nil) }
  }

  // MARK: The account of the specification

  private func emitExactly(_ h: Double, in activation: inout Activation) {
    let target = activation.clock + h
    var from = activation.clock
    // A period may end and the next begin within the step. Of very short ones, the last are emitted.
    if activation.end < target, activation.skipPeriods(to: target, plan.emitter) {
      isOverCapacity = true
    }
    for _ in 0..<Activation.mostPeriods + 1 where !activation.isDone && activation.start < target {
      let start = max(from, activation.start)
      let end = min(target, activation.end)
      activation.clock = start
      emit(from: start, to: end, step: target, in: &activation)
      guard activation.end <= target else { break }
      from = activation.end
      activation.endPeriod(plan.emitter, numbers)
    }
    activation.clock = target
    if emission.minAlive > 0, activation.isEmitting {
      // Some particles may not come to life.
      var left = 2 * min(emission.minAlive, Int(saturating: mostTried))
      while left > 0, columns.count < emission.minAlive, hasRoom {
        emit(rest: 0, in: activation)
        left -= 1
      }
    }
  }

  /// Emits the particles of a part of a period.
  /// - Parameters:
  ///   - start: on the clock of the activation, like `end`.
  ///   - step: the end of the step.
  private func emit(
    from start: Double, to end: Double, step: Double, in activation: inout Activation
  ) {
    activation.setProgress(at: start)
    // Copies of an emitter that has emitted all of its particles may be thousands.
    if isComplete { return }
    let isFrame = emission.schedule == .frame
    var moments: [Double] = []
    let factor = activation.end.isFinite ? 1 - emission.explosiveness : 1
    let rate = rate(activation)
    if rate > 0 {
      // The moments that the account would give without explosiveness.
      func plain(_ clock: Double) -> Double {
        let time = clock - activation.start
        let length = activation.end - activation.start
        return factor >= 1 ? time : min(factor > 0 ? time / factor : length, length)
      }
      let from = start <= activation.start && factor < 1 ? 0 : plain(start)
      let to = plain(end)
      let sum = activation.account + rate * max(0, to - from)
      // Sums of steps may end just below the whole number that they amount to.
      let whole = (sum + 1e-9).rounded(.down)
      let most = mostEmitted()
      var (count, skipped, stride) = (min(whole, most), 0.0, 1.0)
      // If limits leave particles out, the rest are spread over the time whose particles still live at
      // the end of the step. The first particles of the step alone could all have died.
      if count < whole, isCapped || count > Double(affordable) {
        let living = (rate * plan.emitter.lifetime.bounds.upper).rounded(.up)
        skipped = whole - min(whole, max(1, living))
        count = min(whole - skipped, most)
        stride = max(1, (whole - skipped) / max(1, count))
      }
      if count >= 1, areAllEmitted(Int(saturating: count)) {
        // Nothing is between them, and none can be left out.
        let series = SpawnSeries(
          count: Int(saturating: count), ordinal: ordinal, source: source(of: activation),
          activation: activation, start: start, step: step, isFrame: isFrame, from: from,
          account: activation.account, skipped: skipped, stride: stride, rate: rate,
          factor: factor)
        append(series)
        activation.setProgress(at: series.moment(series.count))
      } else if count >= 1 {
        // If none has room, the last particle decides how far the period is, or with jitter the last but one.
        let first =
          isSure && isClosed ? max(1, Int(saturating: count) - (emission.jitter > 0 ? 1 : 0)) : 1
        for number in first...Int(saturating: count) {
          let plainMoment =
            from + (skipped + Double(number) * stride - activation.account) / rate
          var moment = activation.start + plainMoment * factor
          if emission.jitter > 0 {
            let unit = random.unit(
              emitter: plan.index, particle: ordinal + UInt64(number - 1), channel: .birthJitter)
            moment += emission.jitter * unit / rate
          }
          moments.append(moment)
        }
      }
      activation.account = max(0, sum - whole)
    }
    if moments.isEmpty, emission.bursts.isEmpty { return }
    let continuous = moments.count
    var sizes = [Int](repeating: 1, count: moments.count)
    for (moment, count) in bursts(from: start, to: end, factor: factor, activation) {
      moments.append(moment)
      sizes.append(count)
    }
    let order =
      moments.count == continuous
      ? Array(moments.indices)
      : moments.indices.sorted { (moments[$0], $0) < (moments[$1], $1) }
    for place in order {
      activation.setProgress(at: moments[place])
      // Particles that jitter delays beyond the step begin at its end.
      let rest = isFrame ? step - start : max(0, step - moments[place])
      let isLast = isSure && isClosed
      emit(sizes[place], rest: rest, in: activation)
      if isLast, let last = order.last {
        activation.setProgress(at: moments[last])
        return
      }
    }
  }

  /// Emits particles at one moment.
  func emit(_ count: Int, rest: Double, in activation: Activation) {
    let areAllCounted = plan.law.spreading == .tried
    var number = 0
    for _ in 0..<count {
      // Once there is no room, all further particles are left out alike.
      let isLast = isSure && isClosed
      let isEmitted = emit(rest: rest, in: activation, index: (number, of: count)) != nil
      if isEmitted || areAllCounted { number += 1 }
      if isLast { return }
    }
  }

  /// Whether all further particles of a step are left out alike, once one has found no room.
  private var isSure: Bool { emission.probability == 1 && emission.whenFull != .wait }

  /// Whether nothing more is emitted in the step.
  private var isClosed: Bool {
    if isComplete { return true }
    return emission.whenFull == .recycle ? affordable == 0 : !hasRoom
  }

  /// Whether so many particles come to life one after another, each at its own moment.
  private func areAllEmitted(_ count: Int) -> Bool {
    emission.bursts.isEmpty && emission.jitter == 0 && emission.probability == 1
      && emission.total == nil && count <= room
      && (plan.isSurelyLiving || plan.law.order == .emissionFirst)
  }

  /// The most particles of the accumulator, or of a burst, that a step can emit. Particles without room are not even
  /// counted, unless they would wait, replace others, or be left out at random.
  private func mostEmitted() -> Double {
    let isSkipping = emission.whenFull == .skip || emission.whenFull == .spread
    guard isSkipping, emission.probability == 1, emission.jitter == 0, plan.isSurelyLiving else {
      return mostTried
    }
    // One more than there is room for, so that a full emitter is noticed.
    return Double(room + 1)
  }

  func rate(_ activation: Activation) -> Double {
    // An infinite rate would have intervals of length 0.
    var wanted = numbers.sample(
      emission.rate, .rate, activation.period, progress: activation.progress)
    if let travel { wanted += rate(perDistanceOf: travel, activation) }
    let rate = min(max(0, wanted), 1e15)
    if rate > mostRate {
      isOverCapacity = true
      return mostRate
    }
    guard emission.whenFull == .spread, plan.law.account == .exact, let most = emission.maxAlive
    else { return rate }
    let life = plan.emitter.lifetime.center
    return life > 0 ? min(rate, Double(most) / life) : rate
  }

  /// The bursts of a part of a period, with the number of particles of each.
  /// - Parameter wave: the index of a burst that is left out.
  func bursts(
    from start: Double, to end: Double, factor: Double, _ activation: Activation,
    besides wave: Int? = nil
  ) -> [(moment: Double, count: Int)] {
    var result: [(moment: Double, count: Int)] = []
    // Of many bursts, too, no more are listed than a step can try to emit.
    var all = 2 * mostTried + 1_000
    for (index, burst) in emission.bursts.enumerated() where index != wave && all > 0 {
      let count = numbers.sample(burst.count, .burst(UInt64(index)), activation.period)
      let size = min(max(0, count), mostTried).rounded()
      guard size >= 1 else { continue }
      if count > Double(capacity), min(emission.total ?? .max, emission.maxAlive ?? .max) > capacity
      {
        isOverCapacity = true
      }
      let interval = max(burst.interval, 1e-6)
      func moment(_ number: Double) -> Double {
        activation.start + (burst.time + number * interval) * factor
      }
      var left = mostEmitted()
      let first = factor > 0 ? ((start - activation.start) / factor - burst.time) / interval : 0
      var number = max(0, first.rounded(.up))
      if number > 0, moment(number - 1) >= start { number -= 1 }
      while moment(number) < end || (moment(number) == start && start == end),
        burst.cycles == 0 || number < Double(burst.cycles), left > 0
      {
        defer { number += 1 }
        if factor == 0, start > activation.start { break }
        guard moment(number) >= start else { continue }
        if burst.probability < 1 {
          let channel = RandomChannel.property("emission.bursts[\(index)].probability").rawValue
          let unit = random.unit(
            emitter: plan.index, particle: RandomNumbers.cycle(activation.period),
            channel: RandomChannel(rawValue: channel &+ UInt64(saturating: number)))
          guard unit < burst.probability else { continue }
        }
        result.append((moment(number), Int(saturating: size)))
        left -= size
        all -= size
      }
    }
    return result
  }
}

/// How engines count the particles of a step, see `Spec/profiles.md`, switch `account`.
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
        // An infinite rate fills all places at once. Particles that die at once count, too.
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
      // Particles that die at once always leave room, so the loop has a limit.
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

  /// Bounds the emission of a step by the capacity and the budget.
  private func bound(_ activation: inout Activation, interval: Double) {
    activation.account = min(activation.account, interval * mostTried)
  }

  /// Emits the count that earlier steps have added up, rounded up, and subtracts the excess from the next step.
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

  /// Counts time and the account in whole milliseconds. A period ends in the first step that begins
  /// with its whole duration counted. That step emits for the next period, and is not counted.
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

  /// Restarts the slots whose time falls into the step, and the slots whose particle has died. After the
  /// end of the emission, slots of the first kind only lose their particle.
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
    // Removes all at once, because a removal moves later particles.
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
    // Searches for each of a few slots. With many particles, which may be all, it looks at each slot once.
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
