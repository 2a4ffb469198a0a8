internal import ParticlesModel

/// The particles of an emitter at a moment.
final class ParticleBatch {
  let emitter: Emitter
  let index: Int
  let look: Appearance
  let random: RandomNumbers

  init(emitter: Emitter, index: Int, look: Appearance, random: RandomNumbers) {
    (self.emitter, self.index, self.look, self.random) = (emitter, index, look, random)
  }

  /// A sample of a value, which is the same whenever it is asked for. Progress and period of the
  /// emission are those of its start.
  func sample(_ value: Value, _ channel: RandomChannel, particle: Int) -> Double {
    Draws(
      random: random, emitter: UInt64(index), particle: look.ordinal[particle], period: 0,
      progress: 0
    ).sample(value, channel)
  }

  func unit(_ channel: RandomChannel, particle: Int) -> Double {
    random.unit(emitter: UInt64(index), particle: look.ordinal[particle], channel: channel)
  }

  /// The factor of the stretching along the motion; nil without it.
  var stretchFactor: Value? {
    guard let stretch = emitter.size.stretch, case .velocity = stretch.axis else { return nil }
    return stretch.factor
  }

  /// Age ÷ lifetime, 0…1.
  func share(_ particle: Int) -> Double {
    let (age, life) = (Double(look.age[particle]), Double(look.life[particle]))
    return life > 0 ? min(max(age / life, 0), 1) : 1
  }
}
