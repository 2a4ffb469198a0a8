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
  /// The common part of the random numbers of the particle; see ``RandomNumbers``.
  let hash: UInt64

  init(
    random: RandomNumbers, emitter: UInt64, particle: UInt64, period: UInt64, progress: Double
  ) {
    self.init(
      random: random, emitter: emitter, particle: particle, period: period, progress: progress,
      hash: random.hash(emitter: emitter, particle: particle))
  }

  /// - Parameter hash: of the particle.
  init(
    random: RandomNumbers, emitter: UInt64, particle: UInt64, period: UInt64, progress: Double,
    hash: UInt64
  ) {
    (self.random, self.emitter, self.particle) = (random, emitter, particle)
    (self.period, self.progress, self.hash) = (period, progress, hash)
  }

  /// The random numbers of the first of the particles that are emitted at the same time.
  /// - Parameter index: the number of this one among them, from 0.
  func first(of index: Int) -> Draws {
    Draws(
      random: random, emitter: emitter, particle: particle &- UInt64(index), period: period,
      progress: progress)
  }

  /// A random number of the particle, 0 ≤ u < 1.
  func unit(_ channel: RandomChannel) -> Double { RandomNumbers.unit(hash, channel) }

  /// A sample of a value, with the random number that its scope asks for.
  func sample(_ value: Value, _ channel: RandomChannel) -> Double {
    if case .constant(let number) = value { return number }
    let scope = value.scope
    if scope == .particle { return value.sample(unit(channel), progress: progress) }
    let cycle = RandomNumbers.cycle(scope == .cycle ? period : 0)
    let unit = random.unit(emitter: emitter, particle: cycle, channel: channel)
    return value.sample(unit, progress: progress)
  }
}
