import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

struct RandomNumbersTests {
  /// The specification has the test vectors.
  @Test func vectors() throws {
    let text = String(decoding: try Files.read(Repository.path("Spec/document.md")), as: UTF8.self)
    let rows = text.matches(
      of: /\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([0-9a-f]{16}) \| (0\.\d+) \|/)
    #expect(rows.count == 6)
    for row in rows {
      let numbers = RandomNumbers(seed: try #require(UInt64(row.1)))
      let (emitter, particle) = (try #require(UInt64(row.2)), try #require(UInt64(row.3)))
      let channel = RandomChannel(rawValue: try #require(UInt64(row.4)))
      #expect(
        numbers.bits(emitter: emitter, particle: particle, channel: channel)
          == UInt64(row.5, radix: 16))
      #expect(
        numbers.unit(emitter: emitter, particle: particle, channel: channel) == Double(row.6))
    }
  }

  /// One vector is here, so that both cannot change together.
  @Test func theGeneratorNeverChanges() {
    let channel = RandomChannel(rawValue: 17)
    #expect(
      RandomNumbers(seed: 0xDEAD_BEEF).bits(emitter: 3, particle: 1000, channel: channel)
        == 0x7e33_b1e6_8991_f69c)
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
