internal import ParticlesCore
internal import ParticlesModel

// Emission. SceneKit states the number of particles per period; in a period of length 0 all of them
// are emitted at once.

extension KeyedEmitter<SceneKitFamily> {
  func decodePeriod(of emitter: inout Emitter) {
    emitter.timing.duration = value("emissionDuration", 1, scope: .cycle)
    emitter.timing.idle = value("idleDuration", scope: .cycle)
    emitter.timing.loop = flag("loops", true)
    let duration = number("emissionDuration", 1, atLeast: 0)
    if case .uniform? = emitter.timing.duration {
      note(
        .approximated, "emissionDurationVariation",
        duration > 0
          ? "periods of different length have the same rate instead of the same number of particles"
          : "bursts have no duration")
    }
    guard duration == 0 else {
      emitter.emission.rate = Value(
        center: (number("birthRate", 1) / duration).rounded,
        halfWidth: number("birthRateVariation") / duration / 2, scope: .cycle)
      return
    }
    emitter.emission.bursts = [Burst(count: value("birthRate", 1, scope: .cycle))]
    emitter.timing.duration = 0
    if emitter.timing.loop, emitter.timing.idle == 0 {
      emitter.timing.idle = .constant(1 / 60)
      note(
        .assumed, "emissionDuration", "bursts without pause are assumed to repeat 60 times a second"
      )
    }
  }

  func decodeWarmup(of emitter: inout Emitter) {
    let warmup = number("warmupDuration")
    emitter.timing.prewarm = max(warmup, 0)
    guard warmup < 0 else { return }
    emitter.timing.delay = .constant(-warmup)
    note(.assumed, "warmupDuration", "a negative warm-up is read as a delay", found: "\(warmup)")
  }
}

extension EmitterWriter<SceneKitFamily> {
  private struct Period {
    var duration: Value
    var idle: Value
    var loops: Bool
    /// The particles of a period: a value times this factor.
    var count: Value
    var factor = 1.0
  }

  mutating func encodePeriod() {
    let emission = emitter.emission
    var period = (emission.rate == 0 ? burst() : nil) ?? continuous()
    limitTotal(&period)
    concentrate(&period)
    set("emissionDuration", period.duration, .duration, at: "timing.duration", scope: .cycle)
    set("idleDuration", period.idle, .idle, at: "timing.idle", scope: .cycle)
    set("loops", flag: period.loops)
    let isBurst = emission.rate == 0 && !emission.bursts.isEmpty
    set(
      "birthRate", emitter.enabled ? period.count : 0, isBurst ? .burst : .randomRate,
      at: isBurst ? "emission.bursts" : "emission.rate", scope: .cycle,
      times: period.factor * emission.probability)
    if case .uniform = period.duration {
      lose(
        .approximated, .duration, at: "timing.duration",
        "periods of different length have the same number of particles instead of the same rate")
    }
    if !emitter.enabled {
      lose(.restated, .rate, at: "enabled", also: ["emission"], "no particles are emitted")
    }
    if emission.probability != 1 {
      lose(
        .approximated, .probability, at: "emission.probability",
        also: ["emission.rate", "emission.bursts"], "spawn probability is not supported",
        recipe: "rate × probability")
    }
  }

  /// The period for bursts; nil if there are none.
  private mutating func burst() -> Period? {
    let bursts = emitter.emission.bursts
    guard let burst = emitter.emission.largestBurst else { return nil }
    let timing = emitter.timing
    var period = Period(duration: 0, idle: timing.idle, loops: timing.loop, count: burst.count)
    period.factor = burst.probability
    if bursts != [Burst(count: burst.count)] {
      lose(
        .approximated, .burstList, at: "emission.bursts",
        "only one burst at the start of each period is supported",
        recipe: "the largest burst, at the start")
    }
    if burst.cycles != 1 {
      (period.loops, period.idle) = (true, .constant(burst.interval))
    } else if timing.loop, let duration = timing.duration, duration != 0 {
      let (length, pause) = (duration.spread, timing.idle.spread)
      period.idle = Value(
        center: length.center + pause.center, halfWidth: length.half + pause.half, scope: .cycle)
    }
    if timing.duration != 0 || period.idle != timing.idle || period.loops != timing.loop {
      lose(
        .restated, .duration, at: "timing.duration", also: ["timing.idle", "timing.loop"],
        "a burst is written as a period of length 0")
    }
    return period
  }

  private mutating func continuous() -> Period {
    let (timing, emission) = (emitter.timing, emitter.emission)
    if !emission.bursts.isEmpty {
      lose(
        .lost, .burst, at: "emission.bursts",
        "SceneKit supports either a rate or bursts; bursts dropped")
    }
    guard let duration = timing.duration else {
      lose(
        .restated, .duration, at: "timing.duration", also: ["timing.loop", "timing.idle"],
        "endless emission is written as a period of one second that repeats", target: .init("loops")
      )
      return Period(duration: 1, idle: 0, loops: true, count: emission.rate)
    }
    if duration.mean <= 0 {
      lose(
        .dead, .rate, at: "emission", also: ["timing"],
        "a rate emits nothing in a period of length 0")
      return Period(duration: 0, idle: timing.idle, loops: timing.loop, count: 0)
    }
    return Period(
      duration: duration, idle: timing.idle, loops: timing.loop, count: emission.rate,
      factor: duration.mean)
  }

  /// Converts a total number of particles to a duration.
  private mutating func limitTotal(_ period: inout Period) {
    guard let total = emitter.emission.total else { return }
    let rate = emitter.emission.rate.mean
    guard emitter.timing.duration == nil, rate > 0 else {
      return lose(.lost, .total, at: "emission.total", "a particle total is not supported; dropped")
    }
    let seconds = Double(total) / rate
    period = Period(
      duration: .constant(seconds), idle: 0, loops: false, count: emitter.emission.rate,
      factor: seconds)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing"],
      "the emitter stops after the time that the total takes", recipe: "total / rate",
      target: .init("emissionDuration", .finite(seconds)), level: .low)
  }

  /// Converts emission at the start of a period to a shorter period with a longer pause.
  private mutating func concentrate(_ period: inout Period) {
    let share = emitter.emission.explosiveness
    guard share > 0 else { return }
    guard case .constant(let seconds) = period.duration, seconds > 0 else {
      return lose(.lost, .explosiveness, at: "emission.explosiveness", "emission is always even")
    }
    period.duration = .constant((seconds * (1 - share)).rounded)
    let pause = period.idle.spread
    period.idle = Value(
      center: pause.center + seconds * share, halfWidth: pause.half, scope: .cycle)
    lose(
      .approximated, .explosiveness, at: "emission", also: ["timing"],
      "written as a shorter period with a longer pause")
  }

  /// Writes a delay as a negative warm-up.
  mutating func encodeWarmup() {
    let timing = emitter.timing
    guard timing.delay != 0, timing.prewarm == 0 else {
      if timing.delay != 0 {
        lose(
          .lost, .delay, at: "timing.delay", "a delay cannot be combined with prewarming; dropped")
      }
      return set("warmupDuration", timing.prewarm)
    }
    let delay = timing.delay.mean
    let isNumber = timing.delay.isNumber
    lose(
      isNumber ? .assumed : .approximated, .delay, at: "timing.delay",
      "a negative warm-up is read as a delay", recipe: isNumber ? nil : "the mean",
      target: isNumber ? .init("warmupDuration", .finite(-delay)) : nil)
    set("warmupDuration", -delay)
  }
}
