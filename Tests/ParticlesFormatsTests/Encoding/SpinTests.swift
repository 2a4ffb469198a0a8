import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Spin and its change in every format that can be written and read: a particle turns by the same angle over its life, or
/// the loss is reported.
@Suite("Spin in all formats")
struct SpinTests {
  /// The turn of a particle from its beginning to its end, in degrees.
  private static func turn(_ emitter: Emitter) -> Double {
    let life = emitter.lifetime.mean
    let rotation = emitter.rotation
    let angle = rotation.angle.curve(lifetime: life).curve
    return angle.value(at: 1) - angle.value(at: 0) + rotation.velocity.mean(lifetime: life) * life
      + rotation.acceleration.mean * life * life / 2
  }

  private static let formats = FormatRegistry.standard.formats.filter { $0.canWrite && $0.canRead }
    .map(\.name)

  /// Velocities and accelerations in degrees per second, and per second squared.
  private static let spins: [(velocity: Track, acceleration: Value)] = [
    (30, 0), (-30, 0), (30, 20), (-30, -20), (0, 40), (30, -20), (Track(from: 10, to: 50), 0),
    (Track(from: 10, to: 50), 20), (Track(.range(20, 40)), 0), (Track(.range(20, 40)), 20),
  ]

  @Test("the turn over a life is the same, or its loss is told", arguments: formats)
  func turns(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    var kept = 0
    for (velocity, acceleration) in Self.spins {
      var emitter = Emitter(name: "fire")
      (emitter.emission.rate, emitter.lifetime) = (10, 2)
      (emitter.rotation.velocity, emitter.rotation.acceleration) = (velocity, acceleration)
      var system = ParticleSystem(name: "Fire", emitters: [emitter])
      system.asset.dimension = .plane
      let exported = try format.export(
        system, EncodingContext(fileName: "fire.\(format.extensions.first ?? "json")"))
      let back = try #require(try format.effect(in: exported).system.emitters.first)
      let (expected, found) = (Self.turn(emitter), Self.turn(back))
      let isLost = exported.losses.contains {
        $0.rule == .lost && ($0.loss?.path.contains("rotation") ?? false)
      }
      if isLost {
        #expect(
          found == 0 || (found - expected).magnitude < 0.02 * expected.magnitude + 0.5,
          "\(velocity)")
      } else {
        kept += 1
        #expect(
          (found - expected).magnitude < 0.01 * expected.magnitude + 0.1,
          "\(velocity.from.bounds) + \(acceleration): \(found), not \(expected)")
      }
      if acceleration != 0, !isLost, back.rotation.acceleration != acceleration {
        #expect(
          exported.losses.contains {
            $0.loss?.path.hasSuffix("rotation.acceleration") ?? false
              || $0.loss?.path.hasSuffix("rotation.velocity") ?? false
          },
          "a change is approximated without a word: \(exported.losses)")
      }
    }
    #expect(kept == 0 || kept > 3, "\(kept)")
  }

  @Test("tsParticles: the mean spin over a life, as radians in ten frames of 60 a second")
  func tsParticles() throws {
    let format = try #require(FormatRegistry.standard["tsparticles"])
    for (velocity, acceleration, degrees) in [
      (30.0, 20.0, 50.0), (30, 0, 30), (0, 20, 20), (-30, -20, -50),
    ] {
      var emitter = Emitter(name: "fire")
      (emitter.emission.rate, emitter.lifetime) = (10, 2)
      (emitter.rotation.velocity, emitter.rotation.acceleration) = (
        .constant(velocity), .constant(acceleration)
      )
      let exported = try format.export(
        ParticleSystem(name: "Fire", emitters: [emitter]), EncodingContext(fileName: "fire.json"))
      let back = try #require(try format.effect(in: exported).system.emitters.first)
      #expect((back.rotation.velocity.from.mean - degrees).magnitude < 1e-6)
      #expect(back.rotation.acceleration == 0)
    }
  }
}
