internal import ParticlesCore
internal import ParticlesModel

// Emission: a fixed number of slots, each of which emits once per lifetime.

extension GodotReader {
  private var life: Double { number("lifetime", 1, atLeast: 0.01) }

  var lifetime: Value {
    let random = min(max(number("lifetime_randomness", 0), 0), 1)
    return random == 0 ? .constant(life) : .range((life * (1 - random)).rounded, life)
  }

  var timing: Timing {
    var timing = Timing()
    timing.duration = .constant(life)
    timing.loop = !flag("one_shot")
    timing.speed = number("speed_scale", 1, atLeast: 0)
    timing.prewarm = (number("preprocess", 0, atLeast: 0) * timing.speed).rounded
    let rate = number("fixed_fps", kind.standard("fixed_fps"), atLeast: 0)
    timing.fixedStep = rate > 0 ? (1 / rate).rounded : 0
    return timing
  }

  var emission: Emission {
    var emission = Emission()
    let amount = (min(number("amount", 8, atLeast: 1), 1e9) * place.share).rounded(.down)
    // A slot of a node for the CPU emits again as soon as its particle has died.
    emission.rate = .constant((amount / (kind.isGPU ? life : max(lifetime.mean, 1e-3))).rounded)
    emission.maxAlive = Int(amount)
    emission.whenFull = .recycle
    emission.explosiveness = min(number("explosiveness", 0, atLeast: 0), 1)
    emission.jitter = min(number("randomness", 0, atLeast: 0), 1)
    return emission
  }

  /// Scenes start most particles by a script; an effect is what they are then.
  func decodeEnabled(of emitter: inout Emitter) {
    guard !flag("emitting", true) else { return }
    note(
      .assumed, "emitting", "a script starts the emission; the effect emits from the start",
      severity: .note)
  }
}

extension EmitterWriter<GodotFamily> {
  /// The lifetime of the slots: the longest of a particle.
  private var life: Double { max(emitter.lifetime.bounds.upper, 0.01) }

  /// The time after which a slot emits again.
  private var turn: Double {
    kind.isGPU ? life : max((max(emitter.lifetime.bounds.lower, 0) + life) / 2, 1e-3)
  }

  mutating func encodeEmission() {
    encodeLifetime()
    encodeClock()
    guard kind.hasNode else {
      return lose(
        .lost, .rate, at: "emission",
        also: [
          "timing", "enabled", "space", "transform", "lifetime", "render", "sprites", "flipbook",
        ],
        "a material has only what is the same for each node that uses it")
    }
    if !emitter.enabled {
      lose(
        .restated, .extra, at: "enabled", "written as a node that a script starts", level: .low)
    }
    put("emitting", .flag(emitter.enabled))
    let (emission, timing) = (emitter.emission, emitter.timing)
    let hasRate = emission.rate != 0
    if !hasRate, let burst = emission.largestBurst { return encodeBurst(burst) }
    if !emission.bursts.isEmpty {
      lose(
        .lost, .burst, at: "emission.bursts", "bursts cannot be combined with a rate; dropped")
    }
    let rate = plainRate()
    let period = (timing.duration ?? .constant(life)).mean + (timing.loop ? timing.idle.mean : 0)
    let duration = timing.duration?.mean ?? life
    let isNative =
      timing.duration == .constant(life) && (timing.idle == 0 || !timing.loop)
    if isNative {
      encodeSlots(rate * turn, rate: rate, isOnce: !timing.loop, share: emission.explosiveness)
    } else if timing.duration == nil || timing.loop && timing.idle == 0 {
      lose(
        .restated, .loop, at: "timing.duration", also: ["timing.loop"],
        "emission without end is a period of one lifetime that repeats", level: .info)
      loseShare("emission without end is even")
      encodeSlots(rate * turn, rate: rate, isOnce: false, share: 0)
    } else if duration <= life, !timing.loop || (period - life).magnitude < 1e-6 {
      lose(
        .restated, .duration, at: "timing.duration",
        also: ["timing.idle", "emission.explosiveness", "emission.rate", "emission.maxAlive"],
        "a period is one lifetime, of which emission takes up the first part", level: .info)
      encodeSlots(
        rate * duration, rate: nil, isOnce: !timing.loop, share: (1 - duration / life).rounded)
    } else if !timing.loop, duration < 2 * life {
      lose(
        .approximated, .duration, at: "timing.duration", also: ["timing.idle", "emission.rate"],
        "emission that ends takes up one lifetime at most", recipe: "one lifetime")
      loseShare("emission that ends is even")
      encodeSlots(rate * turn, rate: nil, isOnce: true, share: 0)
    } else {
      lose(
        timing.loop ? .approximated : .lost, timing.loop ? .idle : .duration, at: "timing.duration",
        also: ["timing.idle", "timing.loop", "emission.rate"],
        timing.loop
          ? "a period is one lifetime" : "emission that ends takes up one lifetime at most",
        recipe: timing.loop ? "the mean rate, without pause" : "emission without end")
      loseShare("emission without end is even")
      let mean = timing.loop && period > 0 ? rate * duration / period : rate
      encodeSlots(mean * turn, rate: nil, isOnce: false, share: 0)
    }
  }

  /// Reports explosiveness where the period is another one.
  private mutating func loseShare(_ detail: String) {
    drop(\.emission.explosiveness, .explos, at: "emission.explosiveness", detail)
  }

  private mutating func encodeLifetime() {
    explain(emitter.lifetime, .life, at: "lifetime")
    let least = max(emitter.lifetime.bounds.lower, 0)
    put("lifetime", life)
    put("lifetime_randomness", (1 - min(least / life, 1)).rounded)
    let bounds = emitter.lifetime.bounds
    if bounds.upper < 0.01 || bounds.lower < 0 {
      lose(.clamped, .life, at: "lifetime", "lifetimes are at least 0, and the longest 0.01 s")
    }
  }

  private mutating func encodeClock() {
    let timing = emitter.timing
    put("preprocess", timing.speed > 0 ? (timing.prewarm / timing.speed).rounded : 0)
    put("speed_scale", timing.speed)
    let rate = timing.fixedStep > 0 ? (1 / timing.fixedStep).rounded() : 0
    put("fixed_fps", .integer(Int(min(rate, 1000))))
    if kind.hasNode, timing.fixedStep > 0, (1 / rate - timing.fixedStep).magnitude > 1e-9 {
      lose(
        .approximated, .speed, at: "timing.fixedStep", "steps are whole fractions of a second",
        level: .low)
    }
    if timing.duration == nil || !timing.loop {
      drop(\.timing.idle, .idle, at: "timing.idle", "without repetition it has no effect", .dead)
    }
    if timing.duration?.isNumber == false {
      lose(
        .approximated, .duration, at: "timing.duration", "the duration cannot be random",
        recipe: "the mean")
    }
  }

  /// Writes the number of slots.
  /// - Parameters:
  ///   - count: how many particles are emitted in a lifetime.
  ///   - rate: the rate that has to result; nil if a line of the report covers it.
  ///   - share: the part of the lifetime without emission.
  private mutating func encodeSlots(_ count: Double, rate: Double?, isOnce: Bool, share: Double) {
    let emission = emitter.emission
    let known = emission.maxAlive.map(Double.init)
    let wanted = max(1, min(count.rounded(), 1e7))
    let amount = known.map { min($0, wanted) } ?? wanted
    put("amount", .integer(Int(min(max(amount / surroundings.share, 1), 1e9))))
    put("one_shot", .flag(isOnce))
    put("explosiveness", share)
    put("randomness", emission.jitter)
    if known != amount || emission.whenFull != .recycle {
      lose(
        known == nil || known ?? 0 >= wanted ? .restated : .approximated, .maxAlive,
        at: "emission.maxAlive", also: ["emission.whenFull"],
        "there are as many slots as are emitted in a lifetime", level: .info)
    }
    guard let rate else { return }
    let found = amount / turn
    guard rate == 0 || (found - rate).magnitude > 1e-6 * rate else { return }
    lose(
      rate > 0 && amount == wanted && wanted > 1 ? .restated : .approximated, .rate,
      at: "emission.rate", "the rate is a whole number of particles in a lifetime",
      metric: rate > 0
        ? Loss.Metric("rate error", ((found / rate - 1).magnitude * 1e5).rounded() / 1e3, "%")
        : nil, level: rate == 0 ? .low : nil)
  }

  private mutating func encodeBurst(_ burst: Burst) {
    let emission = emitter.emission
    let repeats = burst.cycles != 1 || emitter.timing.loop
    let interval = burst.cycles != 1 ? burst.interval : emitter.timing.duration?.mean ?? life
    let isExact =
      emission.bursts.count == 1 && burst.count.isNumber && burst.time == 0
      && burst.probability == 1 && (!repeats || (interval - life).magnitude < 1e-6)
    lose(
      isExact ? .restated : .approximated,
      emission.bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      also: [
        "emission.rate", "emission.explosiveness", "emission.maxAlive", "emission.whenFull",
        "timing.duration", "timing.loop", "timing.idle",
      ],
      isExact
        ? "a burst is a period with explosiveness 1"
        : "one burst of a whole number of particles is emitted, each lifetime if it repeats",
      recipe: isExact ? nil : "the largest burst, at its mean count",
      level: isExact ? .info : nil)
    put("amount", .integer(Int(min(max(burst.count.mean.rounded(), 1), 1e9))))
    put("one_shot", .flag(!repeats))
    put("explosiveness", 1)
    put("randomness", 0)
    drop(\.emission.jitter, .explos, at: "emission.jitter", "a burst is emitted at once", .dead)
  }
}
