internal import ParticlesCore
internal import ParticlesModel

// Emission: a fixed number of slots. Each slot emits once per lifetime.

extension GodotReader {
  var life: Double { number("lifetime", 1, atLeast: 0.01) }

  var lifetime: Value {
    let random = min(max(number("lifetime_randomness", 0), 0), 1)
    return random == 0 ? .constant(life) : .range((life * (1 - random)).rounded, life)
  }

  func decodeTiming(of emitter: inout Emitter) {
    emitter.timing.duration = .constant(life)
    emitter.timing.loop = !flag("one_shot")
    let rate = number("fixed_fps", kind.standard("fixed_fps"), atLeast: 0)
    emitter.timing.fixedStep = rate > 0 ? (1 / rate).rounded : 0
    // Scripts start the particles of most scenes. The effect shows them started.
    guard !flag("emitting", true) else { return }
    note(
      .assumed, "emitting", "a script starts the emission. The effect emits from the start",
      severity: .note)
  }

  var emission: Emission {
    var emission = Emission()
    let amount = (min(number("amount", 8, atLeast: 1), 1e9) * place.share).rounded(.down)
    // A slot of a node for the CPU emits again as soon as its particle has died.
    emission.rate = .constant((amount / (kind.isGPU ? life : max(lifetime.mean, 1e-3))).rounded)
    emission.maxAlive = Int(saturating: amount)
    emission.whenFull = .recycle
    emission.explosiveness = min(number("explosiveness", 0, atLeast: 0), 1)
    emission.jitter = min(number("randomness", 0, atLeast: 0), 1)
    return emission
  }
}

extension EmitterWriter<GodotFamily> {
  /// The lifetime of the slots: the longest of a particle.
  var life: Double { max(emitter.lifetime.bounds.upper, 0.01) }

  /// The time after which a slot emits again.
  private var turn: Double {
    kind.isGPU ? life : max((max(emitter.lifetime.bounds.lower, 0) + life) / 2, 1e-3)
  }

  mutating func encodeEmission() {
    guard kind.hasNode else {
      return lose(
        .lost, .rate, at: "emission",
        also: [
          "timing", "enabled", "space", "transform", "lifetime", "render", "sprites", "flipbook",
        ],
        "a material has only values that are equal for each node that uses it")
    }
    if emitter.enabled, !surroundings.above.isVisible {
      lose(.lost, .extra, at: "enabled", "a parent of the node is hidden")
    }
    set("visible", flag: emitter.enabled)
    let (emission, timing) = (emitter.emission, emitter.timing)
    if emission.rate == 0, let burst = emission.largestBurst { return encodeBurst(burst) }
    if !emission.bursts.isEmpty {
      lose(
        .lost, .burst, at: "emission.bursts", "bursts cannot be combined with a rate")
    }
    let rate = plainRate()
    let duration = timing.duration?.mean ?? life
    let period = duration + (timing.loop ? timing.idle.mean : 0)
    let isEndless = timing.duration == nil || timing.loop && timing.idle == 0
    if timing.duration == .constant(life), timing.idle == 0 || !timing.loop {
      return encodeSlots(
        rate * turn, rate: rate, isOnce: !timing.loop, share: emission.explosiveness)
    }
    if !isEndless, duration <= life, !timing.loop || (period - life).magnitude < 1e-6 {
      lose(
        .restated, .duration, at: "timing.duration",
        also: ["timing.idle", "emission.explosiveness", "emission.rate", "emission.maxAlive"],
        "a period is one lifetime, of which emission takes up the first part", level: .info)
      return encodeSlots(
        rate * duration, rate: nil, isOnce: !timing.loop, share: (1 - duration / life).rounded)
    }
    let isOnce = !isEndless && !timing.loop && duration < 2 * life
    if isEndless {
      lose(
        .restated, .loop, at: "timing.duration", also: ["timing.loop"],
        "emission without end is a period of one lifetime that repeats", level: .info)
    } else if timing.loop {
      lose(
        .approximated, .idle, at: "timing.duration",
        also: ["timing.idle", "timing.loop", "emission.rate"], "a period is one lifetime",
        recipe: "the mean rate, without pause")
    } else {
      lose(
        isOnce ? .approximated : .lost, .duration, at: "timing.duration",
        also: ["timing.idle"] + (isOnce ? [] : ["timing.loop"]) + ["emission.rate"],
        "emission that ends takes up one lifetime at most",
        recipe: isOnce ? "one lifetime" : "emission without end")
    }
    drop("emission.explosiveness", "emission \(isOnce ? "that ends" : "without end") is even")
    let mean = !isEndless && timing.loop && period > 0 ? rate * duration / period : rate
    encodeSlots(mean * turn, rate: isEndless ? rate : nil, isOnce: isOnce, share: 0)
  }

  mutating func encodeLifetime() {
    explain(emitter.lifetime, .life, at: "lifetime")
    let least = max(emitter.lifetime.bounds.lower, 0)
    set("lifetime", life)
    set("lifetime_randomness", (1 - min(least / life, 1)).rounded)
    let bounds = emitter.lifetime.bounds
    if bounds.upper < 0.01 || bounds.lower < 0 {
      lose(.clamped, .life, at: "lifetime", "lifetimes are at least 0, and the longest 0.01 s")
    }
  }

  mutating func encodeClock() {
    let timing = emitter.timing
    let rate = timing.fixedStep > 0 ? (1 / timing.fixedStep).rounded() : 0
    set("fixed_fps", integer: Int(saturating: min(rate, 1000)))
    if kind.hasNode, timing.fixedStep > 0, (1 / rate - timing.fixedStep).magnitude > 1e-9 {
      lose(
        .approximated, .speed, at: "timing.fixedStep", "steps are whole fractions of a second",
        level: .low)
    }
    if timing.duration == nil || !timing.loop { dropIdle() }
    if let duration = timing.duration {
      _ = single(duration, .duration, at: "timing.duration", "the duration cannot be random")
    }
  }

  /// Writes the number of slots.
  /// - Parameters:
  ///   - count: how many particles are emitted in a lifetime.
  ///   - rate: the rate that has to result, or nil if a line of the report covers it.
  ///   - share: the part of the lifetime without emission.
  private mutating func encodeSlots(_ count: Double, rate: Double?, isOnce: Bool, share: Double) {
    let emission = emitter.emission
    let known = emission.maxAlive.map(Double.init)
    let wanted = max(1, min(count.rounded(), 1e7))
    let amount = known.map { min($0, wanted) } ?? wanted
    set("amount", integer: Int(saturating: min(max(amount / surroundings.share, 1), 1e9)))
    set("one_shot", flag: isOnce)
    set("explosiveness", share)
    set("randomness", emission.jitter)
    if known != amount || emission.whenFull != .recycle {
      lose(
        known == nil || known ?? 0 >= wanted ? .restated : .approximated, .aliveLimit,
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
    set("amount", integer: Int(saturating: min(max(burst.count.mean.rounded(), 1), 1e9)))
    set("one_shot", flag: !repeats)
    set("explosiveness", 1)
    set("randomness", 0)
    drop("emission.jitter", "a burst is emitted at once", rule: .dead)
  }
}
