internal import ParticlesCore
internal import ParticlesModel

// When and how many particles are emitted. SceneKit counts births by period; in a period without
// length all of them are at once.

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
          ? "periods of different length have the same rate instead of the same number of births"
          : "bursts have no length")
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
      note(.assumed, "emissionDuration", "bursts that repeat without pause do so 60 times a second")
    }
  }

  func decodeWarmup(of emitter: inout Emitter) {
    let warmup = number("warmupDuration")
    emitter.timing.prewarm = max(warmup, 0)
    guard warmup < 0 else { return }
    emitter.timing.delay = .constant(-warmup)
    note(.assumed, "warmupDuration", "a negative warm-up is taken as a delay", found: "\(warmup)")
  }
}

extension EmitterWriter<SceneKitFamily> {
  private struct Period {
    var duration: Value
    var idle: Value
    var loops: Bool
    /// Births in a period, as this many times a value.
    var births: Value
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
      "birthRate", emitter.enabled ? period.births : 0, isBurst ? .burst : .rateRand,
      at: isBurst ? "emission.bursts" : "emission.rate", scope: .cycle,
      times: period.factor * emission.probability)
    if case .uniform = period.duration {
      lose(
        .approximated, .duration, at: "timing.duration",
        "periods of different length have the same number of births instead of the same rate")
    }
    if !emitter.enabled {
      lose(.restated, .rate, at: "enabled", also: ["emission"], "nothing is born")
    }
    if emission.probability != 1 {
      lose(
        .approximated, .prob, at: "emission.probability",
        also: ["emission.rate", "emission.bursts"], "births are certain",
        recipe: "rate × probability")
    }
  }

  /// All at once; nil if there are no bursts.
  private mutating func burst() -> Period? {
    let bursts = emitter.emission.bursts
    guard let burst = emitter.emission.largestBurst else { return nil }
    let timing = emitter.timing
    var period = Period(duration: 0, idle: timing.idle, loops: timing.loop, births: burst.count)
    period.factor = burst.probability
    if bursts != [Burst(count: burst.count)] {
      lose(
        .approximated, .burstList, at: "emission.bursts", "one burst starts each period",
        recipe: "the largest burst, at the beginning")
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
        "a burst is a period without length")
    }
    return period
  }

  private mutating func continuous() -> Period {
    let (timing, emission) = (emitter.timing, emitter.emission)
    if !emission.bursts.isEmpty {
      lose(.lost, .burst, at: "emission.bursts", "a system of SceneKit has either a rate or bursts")
    }
    guard let duration = timing.duration else {
      lose(
        .restated, .duration, at: "timing.duration", also: ["timing.loop", "timing.idle"],
        "emission without end is a period of a second that repeats", target: .init("loops"))
      return Period(duration: 1, idle: 0, loops: true, births: emission.rate)
    }
    if duration.mean <= 0 {
      lose(
        .dead, .rate, at: "emission", also: ["timing"],
        "no rate has births in a period of no length")
      return Period(duration: 0, idle: timing.idle, loops: timing.loop, births: 0)
    }
    return Period(
      duration: duration, idle: timing.idle, loops: timing.loop, births: emission.rate,
      factor: duration.mean)
  }

  /// A number of births after which it is over becomes a length of time.
  private mutating func limitTotal(_ period: inout Period) {
    guard let total = emitter.emission.total else { return }
    let rate = emitter.emission.rate.mean
    guard emitter.timing.duration == nil, rate > 0 else {
      return lose(.lost, .total, at: "emission.total", "the emitter does not stop after so many")
    }
    let seconds = Double(total) / rate
    period = Period(
      duration: .constant(seconds), idle: 0, loops: false, births: emitter.emission.rate,
      factor: seconds)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing"],
      "the emitter stops after the time that so many take", recipe: "total / rate",
      target: .init("emissionDuration", .finite(seconds)), level: .low)
  }

  /// Births at the beginning of a period only are a shorter one with a longer pause.
  private mutating func concentrate(_ period: inout Period) {
    let share = emitter.emission.explosiveness
    guard share > 0 else { return }
    guard case .constant(let seconds) = period.duration, seconds > 0 else {
      return lose(.lost, .explos, at: "emission.explosiveness", "births are spread evenly")
    }
    period.duration = .constant((seconds * (1 - share)).rounded)
    let pause = period.idle.spread
    period.idle = Value(
      center: pause.center + seconds * share, halfWidth: pause.half, scope: .cycle)
    lose(
      .approximated, .explos, at: "emission", also: ["timing"],
      "the period is shorter and the pause is longer")
  }

  /// A negative warm-up is a delay.
  mutating func encodeWarmup() {
    let timing = emitter.timing
    guard timing.delay != 0, timing.prewarm == 0 else {
      if timing.delay != 0 {
        lose(.lost, .delay, at: "timing.delay", "a system that is warmed up does not wait")
      }
      return set("warmupDuration", timing.prewarm)
    }
    let delay = timing.delay.mean
    let isNumber = timing.delay.isNumber
    lose(
      isNumber ? .assumed : .approximated, .delay, at: "timing.delay",
      "a negative warm-up is taken as a delay", recipe: isNumber ? nil : "the mean",
      target: isNumber ? .init("warmupDuration", .finite(-delay)) : nil)
    set("warmupDuration", -delay)
  }
}
