internal import ParticlesCore

/// The random numbers of an effect.
///
/// There is no sequence: every number is computed from the seed, the emitter, the particle and its
/// purpose. So an effect is the same on every machine, in any order of simulation, and changing one
/// property changes no other random number.
package struct RandomNumbers: Sendable, Hashable {
  /// The seed; see ``ParticleSystem/seed``.
  package var seed: UInt64

  /// Creates the numbers of a seed.
  package init(seed: UInt64) { self.seed = seed }

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// 64 random bits.
  /// - Parameters:
  ///   - emitter: The index of the emitter.
  ///   - particle: How many particles the emitter emitted before; see also ``cycle(_:)``.
  ///   - channel: The purpose of the number.
  package func bits(emitter: UInt64, particle: UInt64, channel: RandomChannel) -> UInt64 {
    let hash = hash(emitter: emitter, particle: particle)
    return Self.mix(hash &+ (channel.rawValue &+ 1) &* Self.step)
  }

  /// The common part of the random numbers of a particle.
  package func hash(emitter: UInt64, particle: UInt64) -> UInt64 {
    let hash = Self.mix(Self.mix(seed &+ Self.step) &+ (emitter &+ 1) &* Self.step)
    return Self.mix(hash &+ (particle &+ 1) &* Self.step)
  }

  /// A random number, at least 0 and less than 1; see ``bits(emitter:particle:channel:)``.
  package func unit(emitter: UInt64, particle: UInt64, channel: RandomChannel) -> Double {
    Self.unit(hash(emitter: emitter, particle: particle), channel)
  }

  /// The random number of a channel of a particle; see ``hash(emitter:particle:)``.
  package static func unit(_ hash: UInt64, _ channel: RandomChannel) -> Double {
    Double(mix(hash &+ (channel.rawValue &+ 1) &* step) >> 11) * 0x1p-53
  }

  /// A second random number that is computed from one: for the high value of a ramp, and for another try.
  package static func unit(after random: Double) -> Double {
    let number = random.isNaN ? 0 : min(max(random, 0), 1)
    return Double(mix(UInt64(saturating: number * 0x1p53) &+ step) >> 11) * 0x1p-53
  }

  /// The number that replaces the number of the particle for random numbers of a whole period of
  /// the emitter. Periods are counted from 0.
  package static func cycle(_ cycle: UInt64) -> UInt64 { 1 << 32 &+ cycle }

  /// The finalizer of SplitMix64.
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
