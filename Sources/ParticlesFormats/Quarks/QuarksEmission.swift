internal import ParticlesCore
internal import ParticlesModel

// Where and when particles are emitted, apart from the shape.

extension TreeReader<QuarksFamily> {
  /// A value of new particles; of a curve over the period a ramp.
  func generated(_ key: String, _ standard: Double = 0, times factor: Double = 1) -> Value {
    (self[key].flatMap { generated($0, key) } ?? .constant(standard)).scaled(by: factor)
  }

  func generated(_ value: JSONValue, _ key: String) -> Value? {
    if !QuarksValue.isGenerator(value) {
      note(.uninterpreted, key, "a generator that is not known", found: value["type"]?.shortExcerpt)
    }
    return QuarksValue.value(of: value)
  }

  func decodeEmission(of emitter: inout Emitter) {
    emitter.emission.rate = generated("ps.emissionOverTime", 10).notNegative
    emitter.emission.ratePerDistance = generated("ps.emissionOverDistance").notNegative
    emitter.emission.bursts = (array("ps.emissionBursts") ?? []).prefix(1000).map { value in
      var burst = Burst(time: max(value["time"]?.coerced ?? 0, 0), count: 1)
      let count = value["count"].flatMap { generated($0, "ps.emissionBursts") } ?? 1
      burst.count = count.notNegative.inWholeParticles
      burst.probability = min(max(value["probability"]?.coerced ?? 1, 0), 1)
      return burst
    }
    emitter.timing.duration = .constant(max(number("ps.duration", 1), 0))
    // Only a file without the key repeats by itself: `null` is false.
    emitter.timing.loop = flag("ps.looping", value["ps.looping"] == nil)
    if flag("ps.prewarm", false), emitter.timing.loop {
      emitter.timing.prewarm = number("ps.duration", 1)
    }
    emitter.space = flag("ps.worldSpace", false) ? .world : .local
    emitter.transform = AffineTransform(matrix: value["matrix"]).transform
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func generator(
    _ value: Value, _ capability: Capability, at place: String, times factor: Double = 1
  ) -> JSONValue {
    if case .ramp(let ramp) = value {
      if !(ramp.low == 0 && ramp.high == 1) {
        let isNumber = ramp.low.isNumber && ramp.high.isNumber
        lose(
          isNumber ? .restated : .approximated, capability, at: place,
          "a value over the period is one curve")
      }
      return QuarksValue.generator(ramp.meanCurve(times: factor))
    }
    let bounds = bounds(of: value, capability, at: place)
    return QuarksValue.generator(bounds.least * factor, bounds.most * factor)
  }

  mutating func encodePlace() {
    guard surroundings.origin == nil else { return }
    set("name", .string(emitter.name))
    set("matrix", AffineTransform(emitter.transform).matrix)
    if emitter.transform.angle != 0 {
      lose(.restated, .place, at: "transform", "the rotation is one matrix")
    }
  }

  mutating func encodeEmission() {
    let timing = emitter.timing
    set("ps.emissionOverTime", generator(rateOfChance(), .randomRate, at: "emission.rate"))
    set(
      "ps.emissionOverDistance",
      generator(emitter.emission.ratePerDistance, .rateOverDistance, at: "emission.ratePerDistance")
    )
    encodeBursts()
    set(
      "ps.duration",
      single(period(endless: 1), .duration, at: "timing.duration", "it cannot be random"))
    set("ps.looping", flag: timing.loop || timing.duration == nil)
    set("ps.prewarm", flag: timing.prewarm > 0)
    if timing.prewarm > 0, timing.prewarm != timing.duration?.mean || !timing.loop {
      lose(.approximated, .prewarm, at: "timing.prewarm", "prewarming is one period of a loop")
    }
    set("ps.worldSpace", flag: isInWorld())
    let isTriggered = system.roots.map { !$0.contains(index) } ?? false
    if isTriggered || surroundings.origin?["ps.onlyUsedByOther"] != nil {
      set("ps.onlyUsedByOther", flag: isTriggered)
    }
  }

  private mutating func encodeBursts() {
    let old = surroundings.origin?["ps.emissionBursts"]?.array ?? []
    let all = singleBursts()
    let bursts = all.enumerated().map { number, single -> JSONValue in
      let burst = single.burst
      let path = "emission.bursts[\(single.index)].count"
      if burst.count.isConstant, burst.count.mean != burst.count.mean.rounded() {
        lose(.approximated, .burst, at: path, "bursts have whole numbers of particles", level: .low)
      }
      let count = generator(burst.count.asLoopBound, .burst, at: path)
      // Older files state counts as numbers.
      let isNumber = old.count == all.count && old[number]["count"]?.double != nil
      return [
        "time": format.real(burst.time), "count": isNumber ? count["value"] ?? count : count,
        "cycle": .int(1), "interval": .double(0.01),
        "probability": format.real(burst.probability),
      ]
    }
    set("ps.emissionBursts", .array(bursts))
  }
}

extension Value {
  /// The number of rounds of a loop up to this value, in which a part counts as one (`ParticleSystem.ts`, `spawn`).
  fileprivate var inWholeParticles: Value {
    isConstant ? .constant(mean.rounded(.up)) : mapped { $0 + 0.5 }
  }

  /// The bound of a loop with so many rounds.
  fileprivate var asLoopBound: Value {
    isConstant ? .constant(mean.rounded()) : mapped { max($0 - 0.5, 0) }
  }
}
