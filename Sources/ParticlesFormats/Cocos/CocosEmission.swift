internal import ParticlesCore
internal import ParticlesModel

// Emission. Programs divide the capacity by the lifetime to get the rate.

extension FieldReader<CocosFamily> {
  var timing: Timing {
    var timing = Timing()
    let duration = number("duration") ?? 0
    guard duration < 0 else {
      timing.duration = .constant(duration)
      return timing
    }
    if duration != -1, !format.isStarling {
      note(
        .assumed, "duration", "a negative duration means endless",
        found: JSONNumber(duration).text)
    }
    return timing
  }

  private var life: Double { max(format.leastLife, number("particleLifespan") ?? 0) }

  var lifetime: Value {
    let stated = number("particleLifespan") ?? 0
    if stated < format.leastLife, format.isStarling {
      note(
        .assumed, "particleLifespan", "Starling uses 0.01 instead", found: JSONNumber(stated).text)
    }
    return value(life, width: "particleLifespanVariance")
  }

  var emission: Emission {
    var emission = Emission()
    let stated = number("maxParticles") ?? 0
    let capacity = min(max(stated, 0), 1e9).rounded(.down)
    if stated < 0 || stated > 1e9 {
      note(
        .assumed, "maxParticles", "\(Int(capacity)) is used", found: JSONNumber(stated).text)
    }
    emission.maxAlive = Int(capacity)
    emission.whenFull = format.whenFull
    if format.isStarling {
      emission.rate = .constant((max(capacity - 1, 0) / life).rounded)
    } else if let rate = number("emissionRate") {
      emission.rate = .constant(max(rate, 0))
      note(
        .assumed, "emissionRate", "only some versions of cocos2d read the rate",
        found: JSONNumber(rate).text)
    } else if life > 0 {
      emission.rate = .constant((capacity / life).rounded)
    } else {
      emission.minAlive = Int(capacity)
      note(
        .assumed, "particleLifespan",
        "without a lifespan all particles are emitted at once, and again after their end")
    }
    return emission
  }
}

extension CocosFamily {
  /// The minimum lifetime that programs use, in seconds.
  fileprivate var leastLife: Double { isStarling ? 0.01 : 0 }

  /// The behaviour of programs when the capacity is reached.
  fileprivate var whenFull: WhenFull { isStarling ? .spread : .wait }

  /// The number of particles of the capacity that do not count for the rate.
  fileprivate var spare: Double { isStarling ? 1 : 0 }
}

extension EmitterWriter<CocosFamily> {
  /// The mean lifetime in seconds that programs use.
  var life: Double { max(lifetime, format.leastLife) }

  mutating func encodeLife() {
    set(
      "particleLifespan", width: "particleLifespanVariance", emitter.lifetime, .life, at: "lifetime"
    )
    if format.isStarling, emitter.lifetime.spread.center < 0.01 {
      remove("particleLifespan")
      set("particleLifespan", 0.01)
      lose(.clamped, .life, at: "lifetime", "the minimum lifetime is 0.01 s")
    }
    if emitter.emission.bursts.isEmpty || hasRate { encodeDuration() }
  }

  private var hasRate: Bool { emitter.emission.rate != 0 }

  private mutating func encodeDuration() {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      drop(\.timing.loop, .loop, at: "timing.loop", "endless emission does not repeat", .dead)
      drop(\.timing.idle, .idle, at: "timing.idle", "endless emission has no pause", .dead)
      return set("duration", -1)
    }
    if timing.loop {
      // Without a pause, periods differ only if something happens at their start.
      guard timing.idle == 0 else {
        lose(
          .lost, .loop, at: "timing.loop", also: ["timing.idle"], "cannot loop; plays once")
        return encode(duration)
      }
      lose(
        .restated, .loop, at: "timing.loop", also: ["timing.duration"],
        "periods without pause become one endless period")
      return set("duration", -1)
    }
    encode(duration)
    drop(
      \.timing.idle, .idle, at: "timing.idle", "without repetition the pause has no effect", .dead)
  }

  private mutating func encode(_ duration: Value) {
    set("duration", duration.mean)
    guard !duration.isNumber else { return }
    lose(
      .approximated, .duration, at: "timing.duration", "the duration cannot be random",
      recipe: "the mean")
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    var rate = emission.rate.mean
    switch emission.rate {
    case .constant: break
    case .ramp:
      lose(
        .approximated, .rateCurve, at: "emission.rate", "the rate is constant",
        recipe: "the mean")
    default:
      lose(
        .approximated, .rateRand, at: "emission.rate", "the rate cannot be random",
        recipe: "the mean")
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .prob, at: "emission.probability", also: ["emission.rate"],
        "spawn probability is not supported", recipe: "rate × probability")
    }
    if let total = emission.total { encodeTotal(total, rate: rate) }
    if !emission.bursts.isEmpty {
      if hasRate {
        lose(.lost, .burst, at: "emission.bursts", "bursts cannot be combined with a rate; dropped")
      } else {
        return encodeBurst()
      }
    }
    encodeRate(rate)
  }

  private mutating func encodeTotal(_ total: Int, rate: Double) {
    guard rate > 0, emitter.timing.duration == nil || emitter.timing.loop else {
      return lose(.lost, .total, at: "emission.total", "a particle total is not supported")
    }
    remove("duration")
    set("duration", Double(total) / rate)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing.duration", "timing.loop"],
      "a particle total is not supported", recipe: "the time in which the total is emitted",
      metric: Loss.Metric("particles", 1, "±"))
  }

  /// Programs divide the capacity by the lifespan to get the rate; Starling takes one less.
  private mutating func encodeRate(_ rate: Double) {
    let emission = emitter.emission
    guard rate > 0, life > 0, emission.minAlive == 0 else { return encodeFilling(rate) }
    let needed = max(1, (rate * life).rounded() + format.spare)
    func error(_ capacity: Double) -> Double {
      abs((capacity - format.spare) / life - rate) / rate
    }
    let known = emission.maxAlive.map(Double.init)
    let keepsKnown = known.map { !format.isStarling || error($0) < 1e-6 } ?? false
    let capacity = keepsKnown ? known ?? needed : min(needed, 1e9)
    encodeCapacity(.particles(capacity))
    if known != nil, !keepsKnown {
      lose(
        .approximated, .maxAlive, at: "emission.maxAlive",
        "the rate follows from the capacity", recipe: "rate × lifetime + 1")
    }
    guard error(capacity) >= 1e-6 else { return }
    let metric = Loss.Metric("rate error", (error(capacity) * 1e5).rounded() / 1e3, "%")
    if format.isStarling {
      lose(
        .approximated, .rate, at: "emission.rate",
        "the rate follows from a whole number of particles", recipe: "(particles − 1) / lifetime",
        metric: metric)
    } else {
      set("emissionRate", rate)
      lose(
        error(capacity) < 0.01 ? .restated : .approximated, .rate, at: "emission.rate",
        "programs that do not read 'emissionRate' divide the capacity by the lifespan",
        metric: metric)
    }
  }

  /// Handles emission without a rate, or with `minAlive`. With a lifespan of 0, all programs but
  /// Starling emit the whole capacity at once.
  private mutating func encodeFilling(_ rate: Double) {
    let emission = emitter.emission
    let fills = emission.minAlive > 0
    let capacity = fills ? emission.maxAlive ?? emission.minAlive : 0
    let born = rate > 0 ? max(capacity, .particles((rate * life).rounded())) : capacity
    encodeCapacity(born)
    let isExact =
      fills && rate == 0 && emission.minAlive == emission.maxAlive && !format.isStarling
      && emitter.lifetime.spread.center <= 0
    guard !isExact else { return }
    lose(
      fills || rate > 0 ? .approximated : .restated, .rate, at: "emission.rate",
      also: ["emission.minAlive", "emission.maxAlive", "lifetime"],
      fills || rate > 0
        ? "the rate is the capacity divided by the lifespan" : "no particles are emitted")
  }

  /// The format always has a capacity, and its own rule for when it is reached.
  private mutating func encodeCapacity(_ capacity: Int) {
    set("maxParticles", integer: capacity)
    guard
      !losses.contains(where: { $0.loss?.alsoPaths.contains("\(path).emission.whenFull") == true })
    else { return }
    let emission = emitter.emission
    if emission.maxAlive == nil {
      lose(
        .assumed, .maxAlive, at: "emission.maxAlive",
        also: ["emission.whenFull", "emission.minAlive"],
        "maxParticles set to the average live count", level: .low)
    } else if emission.whenFull != format.whenFull {
      lose(
        .approximated, .maxAlive, at: "emission.whenFull", also: ["emission.whenFull"],
        "emission beyond the capacity \(format.isStarling ? "is spread out" : "waits")", level: .low
      )
    }
  }

  /// A burst becomes a high rate for a tenth of a second: six frames, less half of one so that
  /// there is no seventh.
  private mutating func encodeBurst() {
    let bursts = emitter.emission.bursts
    let largest = emitter.emission.largestBurst ?? Burst()
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
      encodeCapacity(.particles(max(1, (rate * life).rounded() + format.spare)))
      return lose(
        .approximated, .burst, at: "emission.bursts", also: rest,
        "uneven emission is not supported",
        recipe: "the same number in the same time")
    }
    let length = 0.1
    set("duration", length - 1.0 / 120)
    let capacity = (count * max(life, length) / length + format.spare).rounded()
    encodeCapacity(.particles(capacity))
    if life < length { set("emissionRate", count / length) }
    lose(
      .approximated, .burst, at: "emission.bursts", also: rest,
      "instantaneous bursts are not supported",
      recipe: "the particles of the largest burst within 0.1 s",
      metric: Loss.Metric("emission spread over", length, "s"))
    if bursts.count > 1 || largest.cycles > 1 {
      lose(.lost, .burstList, at: "emission.bursts", "only one burst is supported")
    }
  }
}

extension Int {
  /// A number of particles: whole, from 0 to a billion.
  fileprivate static func particles(_ number: Double) -> Int {
    number.isNaN ? 0 : Int(Swift.min(Swift.max(number, 0), 1e9))
  }
}
