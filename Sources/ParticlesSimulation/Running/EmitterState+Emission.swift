internal import ParticlesCore
internal import ParticlesModel

extension EmitterState {
  /// Emits the particles of a step, of all activations.
  /// - Parameter h: the length of the step on the clock of the emitter.
  func emitParticles(_ h: Double) {
    let before = born
    defer { lastEmitted = born - before }
    // Those that waited find room first, and begin at the end of the step.
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
      // Other emitters take over what the particles look like now.
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
      // Some of them may not come to life.
      var left = 2 * min(emission.minAlive, Int(saturating: mostTried))
      while left > 0, columns.count < emission.minAlive, hasRoom {
        emit(rest: 0, in: activation)
        left -= 1
      }
    }
  }

  /// Emits what falls into a part of a period.
  /// - Parameters:
  ///   - start: on the clock of the activation, as is `end`.
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
      // Where limits leave particles out, the others are spread over the time whose particles are seen at
      // its end: the first ones of the step alone could all have died.
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
        // Where none has room, the last one, or by jitter the one before, decides how far the period is.
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

  /// Emits particles at the same time.
  func emit(_ count: Int, rest: Double, in activation: Activation) {
    let areAllCounted = plan.law.spreading == .tried
    var number = 0
    for _ in 0..<count {
      // The same happens to all after the first for which there is no room.
      let isLast = isSure && isClosed
      let isEmitted = emit(rest: rest, in: activation, index: (number, of: count)) != nil
      if isEmitted || areAllCounted { number += 1 }
      if isLast { return }
    }
  }

  /// Whether the same happens to all particles of a step after the first for which there is no room.
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

  /// The most particles of the accumulator, or of a burst, that a step can emit. Those for which there is no room are
  /// not even counted, unless they would wait, replace others, or be left out at random.
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
