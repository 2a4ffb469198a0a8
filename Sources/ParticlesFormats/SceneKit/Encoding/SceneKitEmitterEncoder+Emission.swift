internal import ParticlesCore
internal import ParticlesModel

// When and how many particles are born. SceneKit counts births by period; in a period without
// length all of them are born at once.

extension SceneKitEmitterEncoder {
  /// A period of births.
  private struct Period {
    var duration: Value
    var idle: Value
    var loops: Bool
    /// Births in a period, as this many times a value.
    var births: Value
    var factor = 1.0
  }

  mutating func encodeTiming() {
    let timing = emitter.timing
    var period = emitter.emission.rate == 0 ? burst() : nil
    period = period ?? continuous()
    limitTotal(&period)
    concentrate(&period)
    if let period { write(period) }
    if !emitter.enabled {
      lose(.restated, .rate, at: "enabled", also: ["emission"], "nothing is born")
    }
    encodeDelay()
    set("speedFactor", number: timing.speed)
    set("fixedTimeStep", number: timing.fixedStep)
    loseRest(of: emitter.emission)
  }

  private mutating func write(_ period: Period) {
    set("emissionDuration", period.duration, .duration, at: "timing.duration", scope: .cycle)
    set("idleDuration", period.idle, .idle, at: "timing.idle", scope: .cycle)
    set("loops", flag: period.loops)
    let isBurst = emitter.emission.rate == 0 && !emitter.emission.bursts.isEmpty
    set(
      "birthRate", emitter.enabled ? period.births : 0, isBurst ? .burst : .rateRand,
      at: isBurst ? "emission.bursts" : "emission.rate", scope: .cycle,
      times: period.factor * emitter.emission.probability)
    if case .uniform = period.duration {
      lose(
        .approximated, .duration, at: "timing.duration",
        "periods of different length have the same number of births instead of the same rate")
    }
  }

  // MARK: Kinds of periods

  /// All at once; nil if there are no bursts.
  private mutating func burst() -> Period? {
    let bursts = emitter.emission.bursts
    guard let burst = bursts.max(by: { $0.count.mean < $1.count.mean }) else { return nil }
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
      lose(
        .lost, .burst, at: "emission.bursts",
        "a system of SceneKit has either a rate or bursts")
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

  // MARK: Changes

  /// A number of births after which it is over becomes a length of time.
  private mutating func limitTotal(_ period: inout Period?) {
    guard let total = emitter.emission.total else { return }
    let rate = emitter.emission.rate.mean
    guard emitter.timing.duration == nil, rate > 0 else {
      lose(.lost, .total, at: "emission.total", "the emitter does not stop after so many")
      return
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
  private mutating func concentrate(_ period: inout Period?) {
    let share = emitter.emission.explosiveness
    guard share > 0, var shorter = period else { return }
    guard case .constant(let seconds) = shorter.duration, seconds > 0 else {
      lose(.lost, .explos, at: "emission.explosiveness", "births are spread evenly")
      return
    }
    shorter.duration = .constant((seconds * (1 - share)).rounded)
    let pause = shorter.idle.spread
    shorter.idle = Value(
      center: pause.center + seconds * share, halfWidth: pause.half, scope: .cycle)
    period = shorter
    lose(
      .approximated, .explos, at: "emission", also: ["timing"],
      "the period is shorter and the pause is longer")
  }

  /// A negative warm-up is a delay.
  private mutating func encodeDelay() {
    let timing = emitter.timing
    guard timing.delay != 0 else { return set("warmupDuration", number: timing.prewarm) }
    guard timing.prewarm == 0 else {
      lose(.lost, .delay, at: "timing.delay", "a system that is warmed up does not wait")
      return set("warmupDuration", number: timing.prewarm)
    }
    let delay = timing.delay.mean
    if timing.delay.isNumber {
      lose(
        .assumed, .delay, at: "timing.delay", "a negative warm-up is taken as a delay",
        target: .init("warmupDuration", .finite(-delay)))
    } else {
      lose(
        .approximated, .delay, at: "timing.delay", "a negative warm-up is taken as a delay",
        recipe: "the mean")
    }
    set("warmupDuration", number: -delay)
  }

  private mutating func loseRest(of emission: Emission) {
    lose(
      .rateWay, at: "emission.ratePerDistance", emission.ratePerDistance, unless: 0,
      "births do not depend on the motion of the emitter")
    lose(
      .maxAlive, at: "emission.maxAlive", emission.maxAlive, unless: nil,
      "there is no limit to living particles")
    if emission.whenFull != .skip {
      lose(
        emission.maxAlive == nil ? .dead : .lost, .maxAlive, at: "emission.whenFull",
        "there is no limit to living particles")
    }
    lose(
      .maxAlive, at: "emission.minAlive", emission.minAlive, unless: 0,
      "there is no least number of living particles")
    lose(.explos, at: "emission.jitter", emission.jitter, unless: 0, "births are spread evenly")
    if emission.lifeOffset != 0 {
      lose(
        .lost, .extra, at: "emission.lifeOffset", "particles are born at age 0", level: .medium)
    }
    lose(
      .extra, at: "emission.schedule", emission.schedule, unless: .continuous,
      "births do not wait for the frame")
    if emission.probability != 1 {
      lose(
        .approximated, .prob, at: "emission.probability",
        also: ["emission.rate", "emission.bursts"],
        "births are certain", recipe: "rate × probability")
    }
  }
}
