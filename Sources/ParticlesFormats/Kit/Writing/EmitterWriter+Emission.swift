internal import ParticlesCore
internal import ParticlesModel

// Reductions of emission that formats share.

extension EmitterWriter {
  /// The rate in particles per second, with everything that is approximated reported.
  mutating func plainRate() -> Double { meanRate() * spawnShare() }

  /// The rate in particles per second, of which the probability of emission is not a part.
  mutating func meanRate() -> Double {
    let rate = emitter.emission.rate
    switch rate {
    case .constant: break
    case .ramp:
      lose(
        .approximated, .rateCurve, at: "emission.rate", "the rate is constant", recipe: "the mean")
    default:
      lose(
        .approximated, .randomRate, at: "emission.rate", "the rate cannot be random",
        recipe: "the mean")
    }
    return rate.mean
  }

  /// Reports a rate that is not a number, for formats that leave out what it adds to the mean.
  mutating func loseRateChanges() {
    switch emitter.emission.rate {
    case .constant: break
    case .ramp: lose(.lost, .rateCurve, at: "emission.rate", "the rate is constant")
    default: lose(.lost, .randomRate, at: "emission.rate", "the rate cannot be random")
    }
  }

  /// The time between waves of particles, for formats that state it in place of a rate, and have
  /// either a rate or bursts.
  /// - Parameters:
  ///   - count: the number of particles in a wave.
  ///   - isMilliseconds: whether the time is in milliseconds, otherwise in seconds.
  mutating func interval(ofRate rate: Double, count: Double = 1, isMilliseconds: Bool = false)
    -> Double
  {
    dropBursts(isBesideRate: true)
    guard rate > 0 else {
      lose(
        .restated, .rate, at: "emission.rate",
        "one particle in \(isMilliseconds ? "1e6" : "1e9") s")
      return 1e9
    }
    if (count / (count / rate).rounded).rounded != rate {
      lose(.restated, .rate, at: "emission.rate", "written as the time between particles")
    }
    return (count * (isMilliseconds ? 1000 : 1) / rate).rounded
  }

  /// The rate times the probability of emission.
  mutating func rateOfChance() -> Value {
    let (rate, share) = (emitter.emission.rate, spawnShare())
    return share == 1 ? rate : rate.scaled(by: share)
  }

  /// The probability of emission as a factor of the rate.
  mutating func spawnShare() -> Double {
    let share = emitter.emission.probability
    if share != 1 {
      lose(
        .approximated, .probability, at: "emission.probability", also: ["emission.rate"],
        "spawn probability is not supported", recipe: "rate × probability")
    }
    return share
  }

  /// The limit of living particles, for engines that need one and lose emission beyond it.
  /// - Parameters:
  ///   - most: the limit of the document; nil for one that all particles fit into.
  ///   - least: the least such limit.
  mutating func capacity(_ most: Int?, atLeast least: Int = 1) -> Int {
    let emission = emitter.emission
    if most == nil {
      lose(
        .assumed, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a capacity is needed; it holds all particles", level: .info)
    } else {
      skipWhenFull()
    }
    if emission.total != nil {
      lose(.lost, .total, at: "emission.total", "a particle total is not supported")
    }
    var alone = ParticleSystem(name: "", emitters: [emitter])
    alone.emitters[0].triggers = []
    let alive = max(
      emission.rate.bounds.upper * emitter.lifetime.bounds.upper, alone.populations()[0].alive)
    return most ?? max(Int(saturating: min(max(alive, 0), 1e6).rounded(.up)) + 1, least, 1)
  }

  /// Reports emission beyond the capacity that waits, for engines that lose it.
  mutating func skipWhenFull() {
    let emission = emitter.emission
    guard emission.whenFull != .skip else { return }
    if let most = emission.maxAlive, fits(in: most) {
      return lose(.restated, .aliveLimit, at: "emission.whenFull", Self.limitIsFar)
    }
    // Lives that are longer than the mean reach the limit now and then; `--measure` sees nothing of it.
    let alive = emission.rate.mean * emitter.lifetime.mean
    let isRare =
      emission.bursts.isEmpty && emission.maxAlive.map { alive <= Double($0) * 1.001 } ?? true
    lose(
      .approximated, .aliveLimit, at: "emission.whenFull", "emission beyond the capacity is lost",
      level: isRare ? .info : .low)
  }

  /// Whether all that is emitted are bursts within a period that does not repeat.
  var isBurst: Bool {
    emitter.emission.rate == 0 && !emitter.emission.bursts.isEmpty && !emitter.timing.loop
      && emitter.timing.duration != nil
  }

  /// The bursts one by one, for formats whose bursts do not repeat; at most 1000 of each.
  /// - Returns: the bursts, with their places in the document.
  mutating func singleBursts() -> [(index: Int, burst: Burst)] {
    let timing = emitter.timing
    var all: [(index: Int, burst: Burst)] = []
    for (index, burst) in emitter.emission.bursts.enumerated() {
      let duration = timing.duration?.mean ?? burst.time + burst.interval
      let count =
        burst.cycles == 0
        ? Int(saturating: max(min((duration - burst.time) / burst.interval, 999), 0)) + 1
        : min(burst.cycles, 1000)
      if count > 1 || burst.interval != 1 {
        lose(
          burst.cycles == 0 && timing.duration == nil ? .approximated : .restated, .burstList,
          at: "emission.bursts", "a burst that repeats is written as several")
      }
      for cycle in 0..<count {
        var single = burst
        single.time = burst.time + Double(cycle) * burst.interval
        all.append((index, single))
      }
    }
    return all
  }

  /// Reports bursts that are left out, if there are any.
  /// - Parameter isBesideRate: whether the format has bursts, but not together with a rate.
  mutating func dropBursts(isBesideRate: Bool = false) {
    guard !emitter.emission.bursts.isEmpty else { return }
    lose(
      .lost, .burst, at: "emission.bursts",
      isBesideRate
        ? "bursts cannot be combined with a rate; dropped" : "bursts are not supported; dropped")
  }

  /// The duration of a period, for engines that repeat periods in place of endless emission.
  /// - Parameter seconds: the duration to write for endless emission, in seconds.
  mutating func period(endless seconds: Double) -> Value {
    if let duration = emitter.timing.duration { return duration }
    lose(
      .restated, .loop, at: "timing.duration", also: ["timing.loop", "timing.idle"],
      "endless emission is written as periods of \(shortText(seconds)) s without a pause")
    return .constant(seconds)
  }

  /// Whether particles stay in the world; otherwise they follow the emitter.
  mutating func isInWorld() -> Bool {
    if emitter.space == .parent {
      lose(.approximated, .space, at: "space", "particles follow the emitter")
    }
    return emitter.space == .world
  }

  /// Reports the part of the transform besides the place in the plane.
  mutating func loseOrientation() {
    let transform = emitter.transform
    if transform.angle != 0 || transform.rotation != .identity || transform.translation.z != 0 {
      lose(.lost, .place, at: "transform", "emitters are not rotated", level: .medium)
    }
  }
}
