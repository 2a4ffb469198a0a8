internal import ParticlesCore
internal import ParticlesModel

/// How many particles an emitter is expected to have emitted, by time.
struct ExpectedEmission {
  private let emission: Emission
  private let speed: Double
  private let delay: Double
  private let duration: Double?
  private let idle: Double
  private let loops: Bool
  private let rate: Double
  /// The part of a period in which it emits.
  private let share: Double
  /// The lifetime of particles that are replaced to keep a number alive, and whether it is the same for all.
  private let life: (mean: Double, isConstant: Bool)
  private let bursts: [(time: Double, count: Double, cycles: Int, interval: Double)]

  init(_ emitter: Emitter, _ law: EngineLaw) {
    let timing = emitter.timing
    (emission, speed) = (emitter.emission, timing.speed)
    let isOfSlots = law.account == .slots
    let life = emitter.lifetime.mean
    self.life = (max(life, 1e-3), emitter.lifetime.isNumber)
    delay = timing.delay.mean - timing.prewarm
    rate = max(emission.rate.mean, 0)
    // Slots emit within each lifetime.
    let isGathered = emission.explosiveness > 0 && (isOfSlots || timing.duration != nil)
    share = isGathered ? max(1 - emission.explosiveness, 1e-3) : 1
    let own = timing.duration.map { max($0.mean, 0) }
    duration = isGathered && isOfSlots ? life : own
    loops = timing.loop || isGathered && isOfSlots && own == nil
    idle = isGathered && isOfSlots ? 0 : max(timing.idle.mean, 0)
    bursts = emission.bursts.map {
      ($0.time, $0.count.mean * $0.probability, $0.cycles, max($0.interval, 1e-3))
    }
  }

  /// The number emitted until a time, in seconds after the start of the effect.
  func number(at time: Double) -> Double {
    let clock = time * speed - delay
    guard clock >= 0 else { return 0 }
    var number: Double
    if let duration, duration > 0 {
      let period = duration + idle
      let whole = loops ? (clock / period).rounded(.down) : 0
      number = within(min(clock - whole * period, duration), of: duration)
      if whole > 0 { number += whole * within(duration, of: duration) }
    } else {
      number = within(duration == nil ? clock : 0, of: nil)
    }
    number *= emission.probability
    return emission.total.map { min(number, Double($0)) } ?? number
  }

  private func within(_ clock: Double, of duration: Double?) -> Double {
    var number =
      share < 1
      ? rate * (duration ?? clock) * min(clock / ((duration ?? 1) * share), 1) : rate * clock
    if emission.minAlive > 0 {
      let lives = clock / life.mean
      number += Double(emission.minAlive) * (1 + (life.isConstant ? lives.rounded(.down) : lives))
    }
    for burst in bursts where clock >= burst.time {
      let most = burst.cycles == 0 ? Double.greatestFiniteMagnitude : Double(burst.cycles)
      number += burst.count * min(((clock - burst.time) / burst.interval).rounded(.down) + 1, most)
    }
    return number
  }

  /// Whether nothing is emitted after a time.
  func ends(before time: Double) -> Bool { number(at: time) == number(at: time + 60) }
}
