internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Emission. SpriteKit supports a rate and a total number of particles.

extension KeyedEmitter<SpriteKitFamily> {
  /// 0 is unlimited.
  var total: Int? {
    let total = number("_numParticlesToEmit")
    return total > 0 ? Int(saturating: min(total, 1e9).rounded()) : nil
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeEmission() {
    let emission = emitter.emission
    var rate = emission.rate.mean
    var total = emission.total
    loseRateChanges()
    if emission.bursts.isEmpty || rate > 0 {
      drop("emission.bursts", "SpriteKit supports a rate only; bursts dropped")
      limit(&rate, &total)
    } else {
      burst(&rate, &total)
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .probability, at: "emission.probability",
        also: ["emission.rate", "emission.total"], "spawn probability is not supported",
        recipe: "rate × probability")
    }
    if total == 0 {
      // In a file, 0 is unlimited.
      (rate, total) = (0, nil)
      lose(
        .restated, .total, at: "emission.total", also: ["emission.rate"], "no particles are emitted"
      )
    }
    set("_birthrate", rate)
    set("_numParticlesToEmit", .shared(.integer(total ?? 0)))
  }

  /// Converts a period to a total number of particles, and repeated periods to endless emission.
  private mutating func limit(_ rate: inout Double, _ total: inout Int?) {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      guard timing.loop || timing.idle != 0 else { return }
      return lose(.dead, .loop, at: "timing.loop", also: ["timing.idle"], "emission is endless")
    }
    let (length, pause) = (duration.mean, timing.idle.mean)
    if timing.loop, pause == 0 || length + pause == 0 {
      lose(.restated, .loop, at: "timing", "periods without pause become endless emission")
    } else if timing.loop {
      rate *= length / (length + pause)
      lose(
        .approximated, .idle, at: "timing.idle",
        also: ["timing.duration", "timing.loop", "emission.rate"], "pauses are not supported",
        recipe: "the same number of particles, spread over the pause", level: .medium)
    } else {
      let particles = max(Int(saturating: min(rate * length, 1e9).rounded()), 1)
      total = min(total ?? particles, particles)
      lose(
        .approximated, .duration, at: "timing.duration", also: ["emission.total", "timing.idle"],
        "emission ends after a total, not after a duration", recipe: "rate × duration",
        target: .init("_numParticlesToEmit", .int(particles)), level: .low)
    }
  }

  /// Converts a burst to a very high rate; repeated bursts become a constant rate.
  private mutating func burst(_ rate: inout Double, _ total: inout Int?) {
    let (timing, bursts) = (emitter.timing, emitter.emission.bursts)
    guard let burst = emitter.emission.largestBurst else { return }
    let count = burst.count.mean * burst.probability
    let period =
      burst.cycles != 1
      ? burst.interval : timing.loop ? (timing.duration?.mean ?? 0) + timing.idle.mean : 0
    let repeats = burst.cycles != 1 || timing.loop
    rate = repeats ? count / max(period, 1 / 60) : count * 60
    if !repeats { total = max(Int(saturating: min(count, 1e9).rounded()), 1) }
    lose(
      .approximated, bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      also: ["emission.rate", "emission.total", "timing"],
      repeats
        ? "repeated bursts are not supported" : "a burst takes a sixtieth of a second",
      recipe: repeats ? "the same number, evenly" : "rate 60 × count, total count",
      target: .init("_birthrate", .finite(rate)), level: repeats ? .high : nil)
  }
}
