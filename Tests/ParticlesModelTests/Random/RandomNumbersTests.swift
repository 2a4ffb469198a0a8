import ParticlesModel
import Testing

struct RandomNumbersTests {
  struct Vector: Sendable {
    var seed, emitter, particle, channel, bits: UInt64
    var unit: Double
  }

  @Test(arguments: [
    Vector(
      seed: 0, emitter: 0, particle: 0, channel: 0, bits: 0x2130_748a_aac8_0268,
      unit: 0.1296456182997474),
    Vector(
      seed: 1, emitter: 0, particle: 0, channel: 0, bits: 0xe281_95dd_d9ee_4956,
      unit: 0.8847898165349132),
    Vector(
      seed: 1, emitter: 0, particle: 0, channel: 1, bits: 0x6735_fa33_9a2f_4459,
      unit: 0.4031673789960992),
    Vector(
      seed: 1, emitter: 0, particle: 1, channel: 0, bits: 0x4515_b4ab_a12e_6182,
      unit: 0.26986245336700554),
    Vector(
      seed: 1, emitter: 1, particle: 0, channel: 0, bits: 0xbd7c_2d04_a61f_b68d,
      unit: 0.7401760231351762),
    Vector(
      seed: 0xDEAD_BEEF, emitter: 3, particle: 1000, channel: 17, bits: 0x7e33_b1e6_8991_f69c,
      unit: 0.49297630194048003),
  ])
  func vectors(vector: Vector) {
    let numbers = RandomNumbers(seed: vector.seed)
    let channel = RandomChannel(rawValue: vector.channel)
    #expect(
      numbers.bits(emitter: vector.emitter, particle: vector.particle, channel: channel)
        == vector.bits)
    #expect(
      numbers.unit(emitter: vector.emitter, particle: vector.particle, channel: channel)
        == vector.unit)
  }

  @Test func periodsHaveDrawsOfTheirOwn() {
    #expect(RandomNumbers.cycle(3) == 4_294_967_299)
  }

  @Test func channelsNeverMove() {
    #expect(RandomChannel.position(2).rawValue == 3)
    #expect(RandomChannel.colorTo(3).rawValue == 23)
    #expect(RandomChannel.gradient.rawValue == 45)
    #expect(RandomChannel.force(2).end.rawValue == 69)
    #expect(RandomChannel.burst(1).rawValue == 133)
    #expect(RandomChannel.directionAngle.rawValue == 47)
    // The check value of CRC-32.
    #expect(RandomChannel.property("123456789").rawValue == 0x1_CBF4_3926)
  }
}
