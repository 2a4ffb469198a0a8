internal import ParticlesCore
internal import ParticlesModel

// When and how many particles are emitted. Programs have a capacity, and divide it by the lifetime to
// get a rate.

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
        .assumed, "duration", "a negative duration is taken as endless",
        found: JSONNumber(duration).text)
    }
    return timing
  }

  private var life: Double { max(format.leastLife, number("particleLifespan") ?? 0) }

  var lifetime: Value {
    let stated = number("particleLifespan") ?? 0
    if stated < format.leastLife, format.isStarling {
      note(
        .assumed, "particleLifespan", "Starling takes it as 0.01", found: JSONNumber(stated).text)
    }
    return value(life, width: "particleLifespanVariance")
  }

  var emission: Emission {
    var emission = Emission()
    let capacity = min(max(number("maxParticles") ?? 0, 0), 1e9).rounded(.down)
    emission.maxAlive = Int(capacity)
    emission.whenFull = format.whenFull
    if format.isStarling {
      emission.rate = .constant((max(capacity - 1, 0) / life).rounded)
    } else if let rate = number("emissionRate") {
      emission.rate = .constant(max(rate, 0))
      note(
        .assumed, "emissionRate", "the rate is read by some versions of cocos2d only",
        found: JSONNumber(rate).text)
    } else if life > 0 {
      emission.rate = .constant((capacity / life).rounded)
    } else {
      emission.minAlive = Int(capacity)
      note(
        .assumed, "particleLifespan",
        "without a lifespan all particles are born at once, and again when they are gone")
    }
    return emission
  }
}

extension CocosFamily {
  /// The lifetime that programs use for anything shorter, in seconds.
  fileprivate var leastLife: Double { isStarling ? 0.01 : 0 }

  /// What programs do without room for another particle.
  fileprivate var whenFull: WhenFull { isStarling ? .spread : .wait }

  /// How many particles of the capacity play no part in the rate.
  fileprivate var spare: Double { isStarling ? 1 : 0 }
}

extension EmitterWriter<CocosFamily> {
  /// The mean lifetime in seconds that programs compute with.
  var life: Double { max(lifetime, format.leastLife) }

  mutating func encodeLife() {
    set(
      "particleLifespan", width: "particleLifespanVariance", emitter.lifetime, .life, at: "lifetime"
    )
    if format.isStarling, emitter.lifetime.spread.center < 0.01 {
      remove("particleLifespan")
      set("particleLifespan", 0.01)
      lose(.clamped, .life, at: "lifetime", "particles live for a hundredth of a second at least")
    }
    if emitter.emission.bursts.isEmpty || hasRate { encodeDuration() }
  }

  private var hasRate: Bool { emitter.emission.rate != 0 }

  private mutating func encodeDuration() {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      drop(\.timing.loop, .loop, at: "timing.loop", "what has no end is not repeated", .dead)
      drop(\.timing.idle, .idle, at: "timing.idle", "what has no end has no pause", .dead)
      return set("duration", -1)
    }
    if timing.loop {
      // Without pause, one period is like the next unless something happens at its beginning.
      guard timing.idle == 0 else {
        lose(
          .lost, .loop, at: "timing.loop", also: ["timing.idle"], "there is one period and no more")
        return set("duration", duration.mean)
      }
      lose(
        .restated, .loop, at: "timing.loop", also: ["timing.duration"],
        "periods without pause become one without end")
      return set("duration", -1)
    }
    set("duration", duration.mean)
    if !duration.isNumber {
      lose(
        .approximated, .duration, at: "timing.duration", "the duration is always the same",
        recipe: "the mean")
    }
    drop(\.timing.idle, .idle, at: "timing.idle", "without repetition there is no pause", .dead)
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    var rate = emission.rate.mean
    switch emission.rate {
    case .constant: break
    case .ramp:
      lose(
        .approximated, .rateCurve, at: "emission.rate", "the rate does not change",
        recipe: "the mean")
    default:
      lose(
        .approximated, .rateRand, at: "emission.rate", "the rate is not random", recipe: "the mean")
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .prob, at: "emission.probability", also: ["emission.rate"],
        "every particle is born", recipe: "the rate is less by this")
    }
    if let total = emission.total { encodeTotal(total, rate: rate) }
    if !emission.bursts.isEmpty {
      if hasRate {
        lose(.lost, .burst, at: "emission.bursts", "there is one rate and no burst beside it")
      } else {
        return encodeBurst()
      }
    }
    encodeRate(rate)
  }

  private mutating func encodeTotal(_ total: Int, rate: Double) {
    guard rate > 0, emitter.timing.duration == nil || emitter.timing.loop else {
      return lose(.lost, .total, at: "emission.total", "particles are not counted")
    }
    remove("duration")
    set("duration", Double(total) / rate)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing.duration", "timing.loop"],
      "particles are not counted", recipe: "the time in which so many are born",
      metric: Loss.Metric("births", 1, "±"))
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
        "the greatest number of particles decides the rate", recipe: "rate × lifetime + 1")
    }
    guard error(capacity) >= 1e-6 else { return }
    let metric = Loss.Metric("rate error", (error(capacity) * 1e5).rounded() / 1e3, "%")
    if format.isStarling {
      lose(
        .approximated, .rate, at: "emission.rate",
        "the rate is that of a whole number of particles", recipe: "(particles − 1) / lifetime",
        metric: metric)
    } else {
      set("emissionRate", rate)
      lose(
        error(capacity) < 0.01 ? .restated : .approximated, .rate, at: "emission.rate",
        "programs that do not read 'emissionRate' divide the capacity by the lifespan",
        metric: metric)
    }
  }

  /// Without a rate, or with a number of particles that is never undercut. Where the lifespan is 0,
  /// all programs but Starling fill up at once.
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
        ? "births come at the rate that fits the lifespan" : "there are no particles")
  }

  /// The format always has a greatest number, and a rule of its own for when it is reached.
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
        "there are no more particles than are alive on average", level: .low)
    } else if emission.whenFull != format.whenFull {
      lose(
        .approximated, .maxAlive, at: "emission.whenFull", also: ["emission.whenFull"],
        "births that find no room \(format.isStarling ? "are spread out" : "wait")", level: .low)
    }
  }

  /// A burst is a rate that is so high for a tenth of a second: six pictures, less half of one so
  /// that there is no seventh.
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
        .approximated, .burst, at: "emission.bursts", also: rest, "births are even",
        recipe: "as many in the same time")
    }
    let length = 0.1
    set("duration", length - 1.0 / 120)
    let capacity = (count * max(life, length) / length + format.spare).rounded()
    encodeCapacity(.particles(capacity))
    if life < length { set("emissionRate", count / length) }
    lose(
      .approximated, .burst, at: "emission.bursts", also: rest, "nothing happens at an instant",
      recipe: "all births of the largest burst in a tenth of a second",
      metric: Loss.Metric("births spread over", length, "s"))
    if bursts.count > 1 || largest.cycles > 1 {
      lose(.lost, .burstList, at: "emission.bursts", "there is one burst")
    }
  }
}

extension Int {
  /// A number of particles: whole, from 0 to a billion.
  fileprivate static func particles(_ number: Double) -> Int {
    number.isNaN ? 0 : Int(Swift.min(Swift.max(number, 0), 1e9))
  }
}
