internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// How many particles are born, and when. SpriteKit has a rate, and a number after which it is over.

extension KeyedEmitter<SpriteKitFamily> {
  /// 0 is for ever.
  var total: Int? {
    let total = number("_numParticlesToEmit")
    return total > 0 ? Int(min(total, 1e9).rounded()) : nil
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeEmission() {
    let emission = emitter.emission
    var rate = emission.rate.mean
    var total = emission.total
    switch emission.rate {
    case .constant: break
    case .ramp: lose(.lost, .rateCurve, at: "emission.rate", "the rate stays the same")
    default: lose(.lost, .rateRand, at: "emission.rate", "the rate is never random")
    }
    if emission.bursts.isEmpty || rate > 0 {
      drop(
        \.emission.bursts, .burst, at: "emission.bursts", "an emitter of SpriteKit has a rate only")
      limit(&rate, &total)
    } else {
      burst(&rate, &total)
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .prob, at: "emission.probability",
        also: ["emission.rate", "emission.total"], "births are certain",
        recipe: "rate × probability")
    }
    if total == 0 {
      // In a file, 0 is for ever.
      (rate, total) = (0, nil)
      lose(.restated, .total, at: "emission.total", also: ["emission.rate"], "nothing is born")
    }
    set("_birthrate", rate)
    set("_numParticlesToEmit", .shared(.integer(total ?? 0)))
  }

  /// A period becomes a number of births, and periods that repeat go on for ever.
  private mutating func limit(_ rate: inout Double, _ total: inout Int?) {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      guard timing.loop || timing.idle != 0 else { return }
      return lose(.dead, .loop, at: "timing.loop", also: ["timing.idle"], "emission without end")
    }
    let (length, pause) = (duration.mean, timing.idle.mean)
    if timing.loop, pause == 0 || length + pause == 0 {
      lose(.restated, .loop, at: "timing", "periods without pause are emission without end")
    } else if timing.loop {
      rate *= length / (length + pause)
      lose(
        .approximated, .idle, at: "timing.idle",
        also: ["timing.duration", "timing.loop", "emission.rate"], "there are no pauses",
        recipe: "the same births, spread over the pause", level: .medium)
    } else {
      let births = max(Int(min(rate * length, 1e9).rounded()), 1)
      total = min(total ?? births, births)
      lose(
        .approximated, .duration, at: "timing.duration", also: ["emission.total", "timing.idle"],
        "births end after a number, not after a time", recipe: "rate × duration",
        target: .init("_numParticlesToEmit", .int(births)), level: .low)
    }
  }

  /// All at once becomes very fast; bursts that repeat become a rate.
  private mutating func burst(_ rate: inout Double, _ total: inout Int?) {
    let (timing, bursts) = (emitter.timing, emitter.emission.bursts)
    guard let burst = emitter.emission.largestBurst else { return }
    let count = burst.count.mean * burst.probability
    let period =
      burst.cycles != 1
      ? burst.interval : timing.loop ? (timing.duration?.mean ?? 0) + timing.idle.mean : 0
    let repeats = burst.cycles != 1 || timing.loop
    rate = repeats ? count / max(period, 1 / 60) : count * 60
    if !repeats { total = max(Int(min(count, 1e9).rounded()), 1) }
    lose(
      .approximated, bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      also: ["emission.rate", "emission.total", "timing"],
      repeats
        ? "there are no bursts that repeat" : "births take a sixtieth of a second, not no time",
      recipe: repeats ? "as many births, evenly" : "60 × count for as many births",
      target: .init("_birthrate", .finite(rate)), level: repeats ? .high : nil)
  }

  mutating func dropLimit() {
    let (emission, detail) = (emitter.emission, "there is no limit to living particles")
    guard let most = emission.maxAlive else {
      return drop(\.emission.whenFull, .maxAlive, at: "emission.whenFull", detail, .dead)
    }
    let alive = emission.rate.mean * emitter.lifetime.spread.center
    let fits = alive <= Double(most)
    lose(
      fits && emission.bursts.isEmpty ? .restated : .lost, .maxAlive, at: "emission.maxAlive",
      also: ["emission.whenFull"], fits ? "there never are as many" : detail)
  }
}
