internal import ParticlesModel

/// The random numbers of one particle, with those of its period and of the effect.
struct Draws {
  let random: RandomNumbers
  let emitter: UInt64
  let particle: UInt64
  /// The number of the period, from 0.
  let period: UInt64
  /// How far the emission of the period is, 0…1, for ramps.
  let progress: Double

  /// The random numbers of the first of the particles that are emitted at the same time.
  /// - Parameter index: the number of this one among them, from 0.
  func first(of index: Int) -> Draws {
    Draws(
      random: random, emitter: emitter, particle: particle &- UInt64(index), period: period,
      progress: progress)
  }

  /// A random number of the particle, 0 ≤ u < 1.
  func unit(_ channel: RandomChannel) -> Double {
    random.unit(emitter: emitter, particle: particle, channel: channel)
  }

  /// A sample of a value, with the random number that its scope asks for.
  func sample(_ value: Value, _ channel: RandomChannel) -> Double {
    if case .constant(let number) = value { return number }
    let particle =
      switch value.scope {
      case .particle: particle
      case .cycle: RandomNumbers.cycle(period)
      case .effect: RandomNumbers.cycle(0)
      }
    let unit = random.unit(emitter: emitter, particle: particle, channel: channel)
    return value.sample(unit, progress: progress)
  }
}
