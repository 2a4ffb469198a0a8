internal import ParticlesCore
internal import ParticlesModel

// When, where and how many particles are born.

extension CocosWriter {
  mutating func writeTiming() {
    set(
      "particleLifespan", "particleLifespanVariance", emitter.lifetime, .life, at: "lifetime")
    if dialect == .starling, emitter.lifetime.spread.center < 0.01 {
      remove("particleLifespan")
      set("particleLifespan", 0.01)
      lose(.clamped, .life, "lifetime", "particles live for a hundredth of a second at least")
    }
    drop(\.enabled, .extra, "enabled", "the file has no switch; the emitter emits", level: .medium)
    drop(\.timing.delay, .delay, "timing.delay", "emission starts at once")
    drop(\.timing.prewarm, .prewarm, "timing.prewarm", "the effect starts from nothing")
    drop(
      \.timing.speed, .speed, "timing.speed", "clocks do not stand still")
    drop(\.timing.fixedStep, .extra, "timing.fixedStep", "steps are those of the display")
    guard emitter.emission.bursts.isEmpty || hasRate else { return }
    writeDuration()
  }

  private var hasRate: Bool { emitter.emission.rate != 0 }

  private mutating func writeDuration() {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      drop(\.timing.loop, .loop, "timing.loop", "what has no end is not repeated", .dead)
      drop(\.timing.idle, .idle, "timing.idle", "what has no end has no pause", .dead)
      return set("duration", -1)
    }
    if timing.loop {
      // Without pause, one period is like the next unless something happens at its beginning.
      guard timing.idle == 0 else {
        lose(
          .lost, .loop, "timing.loop", also: ["timing.idle"], "there is one period and no more")
        return set("duration", duration.mean)
      }
      lose(
        .restated, .loop, "timing.loop", also: ["timing.duration"],
        "periods without pause become one without end")
      return set("duration", -1)
    }
    set("duration", duration.mean)
    if !duration.isConstant {
      lose(
        .approximated, .duration, "timing.duration", "the duration is always the same",
        recipe: "the mean")
    }
    drop(\.timing.idle, .idle, "timing.idle", "without repetition there is no pause", .dead)
  }

  mutating func writeEmission() {
    let emission = emitter.emission
    drop(
      \.emission.ratePerDistance, .rateWay, "emission.ratePerDistance",
      "nothing is emitted on the way")
    drop(\.emission.explosiveness, .explos, "emission.explosiveness", "births are even")
    drop(\.emission.jitter, .explos, "emission.jitter", "births are even")
    drop(
      \.emission.lifeOffset, .extra, "emission.lifeOffset", "particles are born with age 0",
      level: .medium)
    drop(\.emission.schedule, .extra, "emission.schedule", "births are spread over time", .restated)
    var rate = emission.rate.mean
    switch emission.rate {
    case .constant: break
    case .ramp:
      lose(
        .approximated, .rateCurve, "emission.rate", "the rate does not change", recipe: "the mean")
    default:
      lose(.approximated, .rateRand, "emission.rate", "the rate is not random", recipe: "the mean")
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .prob, "emission.probability", also: ["emission.rate"],
        "every particle is born", recipe: "the rate is less by this")
    }
    if let total = emission.total { writeTotal(total, rate: rate) }
    if !emission.bursts.isEmpty {
      if hasRate {
        lose(.lost, .burst, "emission.bursts", "there is one rate and no burst beside it")
      } else {
        return writeBurst()
      }
    }
    write(rate: rate)
  }

  private mutating func writeTotal(_ total: Int, rate: Double) {
    guard rate > 0, emitter.timing.duration == nil || emitter.timing.loop else {
      return lose(.lost, .total, "emission.total", "particles are not counted")
    }
    remove("duration")
    set("duration", Double(total) / rate)
    lose(
      .approximated, .total, "emission.total", also: ["timing.duration", "timing.loop"],
      "particles are not counted", recipe: "the time in which so many are born",
      metric: Loss.Metric("births", 1, "±"))
  }

  /// Programs divide the capacity by the lifespan to get the rate; Starling takes one less.
  private mutating func write(rate: Double) {
    let emission = emitter.emission
    guard rate > 0, life > 0, emission.minAlive == 0 else { return writeFilling(rate: rate) }
    let spare = dialect == .starling ? 1.0 : 0
    let needed = max(1, (rate * life).rounded() + spare)
    func error(_ capacity: Double) -> Double { abs((capacity - spare) / life - rate) / rate }
    let known = emission.maxAlive.map(Double.init)
    let keepsKnown = known.map { dialect != .starling || error($0) < 1e-6 } ?? false
    let capacity = keepsKnown ? known ?? needed : min(needed, 1e9)
    write(capacity: Self.count(capacity))
    if known != nil, !keepsKnown {
      lose(
        .approximated, .maxAlive, "emission.maxAlive",
        "the greatest number of particles decides the rate", recipe: "rate × lifetime + 1")
    }
    guard error(capacity) >= 1e-6 else { return }
    let metric = Loss.Metric("rate error", (error(capacity) * 1e5).rounded() / 1e3, "%")
    if dialect == .starling {
      lose(
        .approximated, .rate, "emission.rate",
        "the rate is that of a whole number of particles", recipe: "(particles − 1) / lifetime",
        metric: metric)
    } else {
      set("emissionRate", rate)
      lose(
        error(capacity) < 0.01 ? .restated : .approximated, .rate, "emission.rate",
        "programs that do not read 'emissionRate' divide the capacity by the lifespan",
        metric: metric)
    }
  }

  /// Without a rate, or with a number of particles that is never undercut. Where the lifespan is 0,
  /// all programs but Starling fill up at once.
  private mutating func writeFilling(rate: Double) {
    let emission = emitter.emission
    let fills = emission.minAlive > 0
    let capacity = fills ? emission.maxAlive ?? emission.minAlive : 0
    let born = rate > 0 ? max(capacity, Self.count((rate * life).rounded())) : capacity
    write(capacity: born)
    let isExact =
      fills && rate == 0 && emission.minAlive == emission.maxAlive && dialect != .starling
      && emitter.lifetime.spread.center <= 0
    guard !isExact else { return }
    lose(
      fills || rate > 0 ? .approximated : .restated, .rate, "emission.rate",
      also: ["emission.minAlive", "emission.maxAlive", "lifetime"],
      fills || rate > 0
        ? "births come at the rate that fits the lifespan" : "there are no particles")
  }

  private mutating func write(capacity: Int) {
    set("maxParticles", integer: capacity)
    checkCapacity()
  }

  /// The format always has a greatest number, and a rule of its own for when it is reached.
  private mutating func checkCapacity() {
    guard
      !losses.contains(where: { $0.loss?.alsoPaths.contains("\(path).emission.whenFull") == true })
    else { return }
    let rule: WhenFull = dialect == .starling ? .spread : .wait
    let emission = emitter.emission
    if emission.maxAlive == nil {
      lose(
        .assumed, .maxAlive, "emission.maxAlive",
        also: ["emission.whenFull", "emission.minAlive"],
        "there are no more particles than are alive on average", level: .low)
    } else if emission.whenFull != rule {
      lose(
        .approximated, .maxAlive, "emission.whenFull", also: ["emission.whenFull"],
        "births that find no room \(rule == .wait ? "wait" : "are spread out")", level: .low)
    }
  }

  /// A burst is a rate that is so high for a tenth of a second: six pictures, less half of one so
  /// that there is no seventh.
  private mutating func writeBurst() {
    let bursts = emitter.emission.bursts
    let largest = bursts.max { $0.count.mean < $1.count.mean } ?? Burst()
    let count = max(1, (largest.count.mean * largest.probability).rounded())
    let rest = [
      "emission.rate", "emission.maxAlive", "emission.whenFull", "timing.duration", "timing.loop",
      "timing.idle",
    ]
    if largest.cycles == 0 || emitter.timing.loop {
      let pause =
        emitter.timing.loop
        ? (emitter.timing.duration?.mean ?? 0) + emitter.timing.idle.mean : largest.interval
      let rate = count / max(pause, 1.0 / 60)
      set("duration", -1)
      write(
        capacity: Self.count(max(1, (rate * life).rounded() + (dialect == .starling ? 1 : 0))))
      return lose(
        .approximated, .burst, "emission.bursts", also: rest, "births are even",
        recipe: "as many in the same time")
    }
    let length = 0.1
    set("duration", length - 1.0 / 120)
    let capacity = (count * max(life, length) / length + (dialect == .starling ? 1 : 0)).rounded()
    write(capacity: Self.count(capacity))
    if life < length { set("emissionRate", count / length) }
    lose(
      .approximated, .burst, "emission.bursts", also: rest, "nothing happens at an instant",
      recipe: "all births of the largest burst in a tenth of a second",
      metric: Loss.Metric("births spread over", length, "s"))
    if bursts.count > 1 || largest.cycles > 1 {
      lose(.lost, .burstList, "emission.bursts", "there is one burst")
    }
  }
}
