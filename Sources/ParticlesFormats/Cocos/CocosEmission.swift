internal import ParticlesCore
internal import ParticlesModel

// Emission. Programs divide the capacity by the lifetime to get the rate.

extension FieldReader<CocosFamily> {
  var timing: Timing {
    var timing = Timing()
    guard let duration = number("duration") else {
      note(.assumed, "duration", "without it emission is endless")
      return timing
    }
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
    if !has("particleLifespan") {
      note(
        .emitterMissing, "particleLifespan",
        format.isStarling ? "particles live for 0.01 s" : "all particles are emitted at once")
    } else if stated < format.leastLife, format.isStarling {
      note(
        .assumed, "particleLifespan", "Starling uses 0.01 instead", found: JSONNumber(stated).text)
    }
    return value(life, width: "particleLifespanVariance")
  }

  private var capacity: Double { min(max(number("maxParticles") ?? 0, 0), 1e9).rounded(.down) }

  /// A rate that is not the capacity divided by the lifespan.
  var otherRate: UnreadKey<CocosFamily>.Finding? {
    let (rate, capacity, life) = (number("emissionRate") ?? 0, capacity, life)
    guard rate != 0, (rate * life - capacity).magnitude > 1e-6 * capacity else { return nil }
    return UnreadKey.Finding(
      detail: ", " + (life > 0 ? "\(shortText((capacity / life).rounded))/s" : "at once"),
      found: JSONNumber(rate).text)
  }

  var emission: Emission {
    var emission = Emission()
    let stated = number("maxParticles") ?? 0
    let capacity = capacity
    if !has("maxParticles") { note(.emitterMissing, "maxParticles", "nothing is emitted") }
    if stated < 0 || stated > 1e9 {
      note(
        .assumed, "maxParticles", "\(Int(saturating: capacity)) is used",
        found: JSONNumber(stated).text)
    }
    emission.maxAlive = Int(saturating: capacity)
    emission.whenFull = format.whenFull
    let rate = number("emissionRate") ?? 0
    if format.dialect == .cocos2d, law == .cocosCreator, rate != 0 {
      emission.rate = .constant(rate)
      return emission
    }
    if format.isStarling {
      emission.rate = .constant((max(capacity - 1, 0) / life).rounded)
    } else if life > 0 {
      emission.rate = .constant((capacity / life).rounded)
    } else {
      emission.minAlive = Int(saturating: capacity)
      if has("particleLifespan") {
        note(
          .assumed, "particleLifespan",
          "without a lifespan all particles are emitted at once, and again after their end")
      }
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
    guard let duration = plainDuration() else { return set("duration", -1) }
    let seconds = sameNumber(in: duration)
    set("duration", seconds)
    if seconds != duration, emitter.timing.duration?.isNumber == true {
      lose(
        .approximated, .duration, at: "timing.duration",
        "\(format.engine) emits whole frames", recipe: "the time in which as many are emitted",
        level: .info)
    }
  }

  /// The duration in which the engine emits as many particles as that which the effect was made for, if
  /// these are few.
  private func sameNumber(in duration: Double) -> Double {
    let rate = emitter.emission.rate.mean * emitter.emission.probability
    let (own, law) = (
      format.table.capabilities.profile.law, system.asset.profile.law ?? EngineLaw()
    )
    guard duration > 0, rate > 0, rate * duration < 100,
      own?.account != law.account || own?.clock != law.clock
    else { return duration }
    let time = law.clock == .beforeEmission ? duration : (duration * 60 + 1).rounded(.down) / 60
    let isAtOnce = [.stretched, .intervals, .milliseconds].contains(law.account)
    // A particle at the very end of the time counts in some engines only.
    let count = (rate * time - 1e-9).rounded(.down) + (isAtOnce ? 1 : 0)
    return count < 1 ? duration : self.duration(ofEmitting: count, rate: rate)
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    let rate = plainRate()
    if let total = emission.total, emission.bursts.isEmpty, encodeTotal(total, rate: rate) {
      return
    }
    if hasRate {
      dropBursts(isBesideRate: true)
    } else if !emission.bursts.isEmpty {
      return encodeBurst()
    }
    encodeRate(rate)
  }

  /// Writes a total as a duration.
  /// - Returns: whether the rate and the capacity are written, too.
  private mutating func encodeTotal(_ total: Int, rate: Double) -> Bool {
    guard rate > 0, emitter.timing.duration == nil || emitter.timing.loop else {
      lose(.lost, .total, at: "emission.total", "a particle total is not supported")
      return false
    }
    let isShort = Double(total) / rate < Self.burstLength
    lose(
      .approximated, .total, at: "emission.total",
      also: ["timing.duration", "timing.loop"] + (isShort ? Self.burstPaths : []),
      "a particle total is not supported",
      recipe: isShort
        ? "as many within \(shortText(Self.burstLength)) s"
        : "the time in which the total is emitted",
      metric: Loss.Metric("particles", 1, "±"))
    remove("duration")
    guard !isShort else {
      encodeShort(Double(total))
      return true
    }
    set("duration", duration(ofEmitting: Double(total), rate: rate))
    return false
  }

  /// The duration after which the engine has emitted a number of particles: it emits whole steps, and
  /// compares the clock afterwards. Starling emits the first particle at the start.
  private func duration(ofEmitting count: Double, rate: Double) -> Double {
    let steps =
      format.isStarling
      ? (60 * (count - 1) / rate).rounded(.up) : (60 * count / rate).rounded(.down) + 1
    return ((max(steps, 1) - 0.5) / 60).rounded
  }

  /// Programs divide the capacity by the lifespan to get the rate. Starling divides the capacity minus one.
  private mutating func encodeRate(_ rate: Double) {
    let emission = emitter.emission
    guard rate > 0, life > 0, emission.minAlive == 0 else { return encodeFilling(rate) }
    let needed = max(1, (rate * life).rounded() + format.spare)
    func error(_ capacity: Double) -> Double {
      abs((capacity - format.spare) / life - rate) / rate
    }
    // With a lower limit the places fill up, and the rate no longer matters.
    let known = emission.maxAlive.map(Double.init)
    let keepsKnown = known.map { error($0) < 1e-6 || !format.isStarling && $0 < needed } ?? false
    let capacity = keepsKnown ? known ?? needed : min(needed, 1e9)
    encodeCapacity(.particles(capacity))
    if let known, known != capacity {
      lose(
        .approximated, .aliveLimit, at: "emission.maxAlive",
        "the rate follows from the capacity",
        recipe: "rate × lifetime\(format.isStarling ? " + 1" : "")")
    }
    guard error(capacity) >= 1e-6 else { return }
    // Cocos Creator reads it.
    if !format.isStarling { set("emissionRate", rate) }
    lose(
      .approximated, .rate, at: "emission.rate",
      "the rate follows from a whole number of particles",
      recipe: format.isStarling ? "(particles − 1) / lifetime" : "particles / lifetime",
      metric: Loss.Metric("rate error", (error(capacity) * 1e5).rounded() / 1e3, "%"))
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
      !losses.contains(where: { $0.loss?.ownPaths.contains("\(path).emission.whenFull") == true })
    else { return }
    let emission = emitter.emission
    if emission.maxAlive == nil {
      lose(
        .assumed, .aliveLimit, at: "emission.maxAlive",
        also: ["emission.whenFull", "emission.minAlive"],
        "maxParticles set to the average live count", level: .low)
    } else if emission.whenFull != format.whenFull {
      lose(
        .approximated, .aliveLimit, at: "emission.whenFull", also: ["emission.whenFull"],
        "emission beyond the capacity \(format.isStarling ? "is spread out" : "waits")", level: .low
      )
    }
  }

  /// The seconds in which a burst is emitted: six frames.
  private static var burstLength: Double { 0.1 }

  private static var burstPaths: [String] {
    [
      "emission.rate", "emission.maxAlive", "emission.whenFull", "timing.duration", "timing.loop",
      "timing.idle",
    ]
  }

  /// Writes a high rate for the length of a burst, less half a frame so that there is no seventh.
  private mutating func encodeShort(_ count: Double) {
    set("duration", Self.burstLength - 1.0 / 120)
    encodeCapacity(.particles(max(1, (count * life / Self.burstLength + format.spare).rounded())))
  }

  /// A burst becomes a high rate for a tenth of a second.
  private mutating func encodeBurst() {
    let bursts = emitter.emission.bursts
    let largest = emitter.emission.largestBurst ?? Burst()
    let count = max(1, (largest.count.mean * largest.probability).rounded())
    let rest = Self.burstPaths
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
        recipe: "as many particles in as much time")
    }
    encodeShort(count)
    lose(
      .approximated, .burst, at: "emission.bursts", also: rest,
      "instantaneous bursts are not supported",
      recipe: "the particles of the largest burst within \(shortText(Self.burstLength)) s",
      metric: Loss.Metric("emission spread over", Self.burstLength, "s"))
    if bursts.count > 1 || largest.cycles > 1 {
      lose(.lost, .burstList, at: "emission.bursts", "only one burst is supported")
    }
  }
}

extension Int {
  /// A number of particles: whole, from 0 to a billion.
  fileprivate static func particles(_ number: Double) -> Int {
    number.isNaN ? 0 : Int(saturating: Swift.min(Swift.max(number, 0), 1e9))
  }
}
