internal import ParticlesCore

/// The random numbers of an effect.
///
/// There is no sequence: every number is computed from the seed, the emitter, the particle and its purpose. So an
/// effect is identical on every machine, in any order of simulation. Changing one property changes no other random
/// number.
package struct RandomNumbers: Sendable, Hashable {
  /// The seed. See ``ParticleSystem/seed``.
  package var seed: UInt64

  /// Creates the numbers of a seed.
  package init(seed: UInt64) { self.seed = seed }

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// 64 random bits.
  /// - Parameters:
  ///   - emitter: The index of the emitter.
  ///   - particle: How many particles the emitter emitted before. See also ``cycle(_:)``.
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

  /// A random number, at least 0 and less than 1. See ``bits(emitter:particle:channel:)``.
  package func unit(emitter: UInt64, particle: UInt64, channel: RandomChannel) -> Double {
    Self.unit(hash(emitter: emitter, particle: particle), channel)
  }

  /// The random number of a channel of a particle. See ``hash(emitter:particle:)``.
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

/// The purpose of a random number. Channel numbers never change. New channels are appended.
package struct RandomChannel: RawRepresentable, Sendable, Hashable {
  /// The number of the channel.
  package let rawValue: UInt64

  /// Creates a channel from its number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  private init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The lifetime of the particle.
  package static let lifetime = RandomChannel(0)
  /// Its initial position: channels 1 to 3, for axes 0 to 2.
  package static func position(_ axis: UInt64) -> RandomChannel { RandomChannel(1 &+ axis) }
  /// How far its direction deviates, or its angle in the plane.
  package static let direction = RandomChannel(4)
  /// To which side its direction deviates in space.
  package static let azimuth = RandomChannel(5)
  /// Its initial speed.
  package static let speed = RandomChannel(6)
  /// Its initial age.
  package static let lifeOffset = RandomChannel(7)
  /// The start of its width. Channel 9 is for the end.
  package static let width = RandomChannel(8)
  /// The start of its height. Channel 11 is for the end.
  package static let height = RandomChannel(10)
  /// The start of its angle. Channel 13 is for the end.
  package static let angle = RandomChannel(12)
  /// Its angular velocity.
  package static let angularVelocity = RandomChannel(14)
  /// Its angular acceleration or angular velocity.
  package static let angularAcceleration = RandomChannel(15)
  /// The start of its colour: channels 16 to 19, for components 0 to 3.
  package static func colorFrom(_ component: UInt64) -> RandomChannel {
    RandomChannel(16 &+ component)
  }
  /// The end of its colour: channels 20 to 23, for components 0 to 3.
  package static func colorTo(_ component: UInt64) -> RandomChannel {
    RandomChannel(20 &+ component)
  }
  /// The change of hue, saturation, brightness and alpha: channels 24 to 27.
  package static func jitter(_ component: UInt64) -> RandomChannel {
    RandomChannel(24 &+ component)
  }
  /// The start of its opacity. Channel 29 is for the end.
  package static let opacity = RandomChannel(28)
  /// The start of the mix of its colour. Channel 31 is for the end.
  package static let mix = RandomChannel(30)
  /// The intensity of its colour.
  package static let intensity = RandomChannel(32)
  /// Which sprite it shows.
  package static let sprite = RandomChannel(33)
  /// With which frame it starts.
  package static let frame = RandomChannel(34)
  /// How fast frames follow each other.
  package static let frameRate = RandomChannel(35)
  /// The angle of its orbit.
  package static let orbitAngle = RandomChannel(36)
  /// Its angular acceleration or angular velocity.
  package static let orbitAngularVelocity = RandomChannel(37)
  /// The start of the radius of its orbit. Channel 39 is for the end.
  package static let orbitRadius = RandomChannel(38)
  /// Its speed over life.
  package static let motionSpeed = RandomChannel(40)
  /// Its angular velocity about the emitter.
  package static let orbitVelocity = RandomChannel(41)
  /// The part of the shape that emits it.
  package static let shapePart = RandomChannel(42)
  /// Whether it is emitted.
  package static let probability = RandomChannel(43)
  /// Whether it triggers something.
  package static let trigger = RandomChannel(44)
  /// Where in a gradient its colour is.
  package static let gradient = RandomChannel(45)
  /// How late it is emitted (jitter).
  package static let birthJitter = RandomChannel(46)
  /// The angle of its direction, before the deviation.
  package static let directionAngle = RandomChannel(47)
  /// The start of the strength of a force. The next channel is for the end.
  package static func force(_ index: UInt64) -> RandomChannel { RandomChannel(64 &+ 2 &* index) }

  /// The rate of a period.
  package static let rate = RandomChannel(128)
  /// The duration of a period.
  package static let duration = RandomChannel(129)
  /// The pause after a period.
  package static let idle = RandomChannel(130)
  /// The delay before the first period.
  package static let delay = RandomChannel(131)
  /// The number of particles of a burst in a period.
  package static func burst(_ index: UInt64) -> RandomChannel { RandomChannel(132 &+ index) }

  /// The channel of a random number that has none of the above: 2³² plus the CRC-32 of its path in
  /// the emitter, such as `motion.drift[1].from`. Keep the result if it is used often.
  package static func property(_ path: String) -> RandomChannel {
    RandomChannel(1 << 32 &+ UInt64(CRC32.checksum(path.utf8)))
  }

  /// The channel for the end value, if this channel is for the start value.
  package var end: RandomChannel { RandomChannel(rawValue &+ 1) }
}
