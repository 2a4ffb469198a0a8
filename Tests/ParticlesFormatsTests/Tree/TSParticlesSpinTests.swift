import ParticlesModel
import Testing

@testable import ParticlesFormats

/// The spin of tsParticles 3 and 4: in each of 60 frames a second, a particle turns by speed / 360 radians, as if
/// that were a part of a turn (`updaters/rotate`).
@Suite("Spin in tsParticles")
struct TSParticlesSpinTests {
  private static func rotation(_ rotate: String) throws -> Emitter {
    let text = #"{"particles": {"number": {"value": 9}, "rotate": {\#(rotate)}}}"#
    let imported = try ParticleFormat.tsParticles.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json"))
    return imported.system.emitters[0]
  }

  /// Degrees a second.
  private static func spin(_ speed: Double) -> Double { speed / 360 * 60 * 180 / .pi }

  @Test(
    "a particle turns at a speed from none to the greatest, or at its own where all agree",
    arguments: [
      (#""animation": {"enable": true, "speed": 36}"#, -36.0, 0.0),
      (#""direction": "clockwise", "animation": {"enable": true, "speed": 12}"#, -12, 0),
      (#""direction": "counter-clockwise", "animation": {"enable": true, "speed": 36}"#, 0, 36),
      (#""direction": "random", "animation": {"enable": true, "speed": 36}"#, -36, 36),
      (#""animation": {"enable": true, "speed": 36, "sync": true}"#, -36, -36),
      (
        #""animation": {"enable": true, "speed": {"min": 9, "max": 36}, "sync": true}"#, -36, -9
      ),
      (#""animation": {"enable": false, "speed": 36}"#, 0, 0),
    ])
  func speed(rotate: String, least: Double, most: Double) throws {
    let bounds = try Self.rotation(rotate).rotation.velocity.from.bounds
    #expect(abs(bounds.lower - Self.spin(least)) < 0.001)
    #expect(abs(bounds.upper - Self.spin(most)) < 0.001)
  }

  @Test("the direction of each particle is one of two where all have the same speed")
  func either() throws {
    let rotate = #""direction": "random", "animation": {"enable": true, "speed": 36, "sync": true}"#
    let velocity = try Self.rotation(rotate).rotation.velocity.from
    guard case .choice = velocity else {
      Issue.record("\(velocity)")
      return
    }
    let bounds = velocity.bounds
    #expect(abs(bounds.lower + Self.spin(36)) < 0.001 && abs(bounds.upper - Self.spin(36)) < 0.001)
    #expect(abs(velocity.mean) < 0.001)
  }

  @Test("the angle at the beginning is a number, a range or any")
  func angle() throws {
    #expect(try Self.rotation(#""value": 30"#).rotation.angle == Track(.constant(-30)))
    let any = try Self.rotation(#""random": true"#).rotation.angle
    #expect(any == Track(.range(-360, 0)))
    let range = try Self.rotation(#""value": {"min": 10, "max": 20}"#).rotation.angle
    #expect(range.from.bounds == Interval(-20, -10))
  }
}
