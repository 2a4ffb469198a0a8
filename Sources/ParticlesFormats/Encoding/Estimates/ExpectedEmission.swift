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
  /// Whether particles are emitted at known times, and one at the start.
  private let (isEven, isAtOnce): (Bool, Bool)
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
    // Other accounts emit evenly.
    let isOfMoments = law.account == .exact && timing.duration != nil
    let isGathered = emission.explosiveness > 0 && (isOfSlots || isOfMoments)
    share = isGathered ? max(1 - emission.explosiveness, 1e-3) : 1
    let own = timing.duration.map { max($0.mean, 0) }
    duration = isGathered && isOfSlots ? life : own
    loops = timing.loop || isGathered && isOfSlots && own == nil
    isEven = emission.rate.isNumber && emission.probability == 1 && timing.delay.isNumber
    isAtOnce = [.stretched, .intervals, .milliseconds].contains(law.account)
    idle = isGathered && isOfSlots ? 0 : max(timing.idle.mean, 0)
    bursts = emission.bursts.map {
      ($0.time, $0.count.mean * $0.probability, $0.cycles, max($0.interval, 1e-3))
    }
  }

  /// The number emitted until a time, in seconds after the start of the effect.
  func number(at time: Double) -> Double {
    let clock = time * speed - delay
    guard clock >= 0 else { return 0 }
    var (number, rated): (Double, Double)
    if let duration, duration > 0 {
      let period = duration + idle
      let whole = loops ? (clock / period).rounded(.down) : 0
      let part = min(clock - whole * period, duration)
      (number, rated) = (others(part), self.rated(part, of: duration))
      if whole > 0 {
        number += whole * others(duration)
        rated += whole * self.rated(duration, of: duration)
      }
    } else {
      let part = duration == nil ? clock : 0
      (number, rated) = (others(part), self.rated(part, of: nil))
    }
    if isEven, rate > 0 { rated = (rated + 1e-9).rounded(.down) + (isAtOnce ? 1 : 0) }
    number += rated
    number *= emission.probability
    return emission.total.map { min(number, Double($0)) } ?? number
  }

  /// The number that the rate gives within a period.
  private func rated(_ clock: Double, of duration: Double?) -> Double {
    share < 1
      ? rate * (duration ?? clock) * min(clock / ((duration ?? 1) * share), 1) : rate * clock
  }

  /// The number of bursts, and of particles that are kept alive, within a period.
  private func others(_ clock: Double) -> Double {
    var number = 0.0
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
