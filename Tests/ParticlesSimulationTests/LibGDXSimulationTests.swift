import ParticlesModel
import Testing

@testable import ParticlesSimulation

/// Switches of the law of libGDX: initial ages, alignment and ellipses.
@Suite("The law of libGDX")
struct LibGDXSimulationTests {
  private static func run(_ emitter: Emitter, profile: Profile, seconds: Double = 1.0 / 60)
    -> Appearance
  {
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), profile: profile, seed: 1,
      capacity: 10_000)
    for _ in 0..<Int((seconds * 60).rounded()) { simulation.advance(by: 1.0 / 60) }
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return look
  }

  private static func emitter() -> Emitter {
    var emitter = Emitter(name: "test")
    emitter.emission.rate = 120_000
    emitter.lifetime = 2
    return emitter
  }

  @Test("an initial age moves a particle by one step of that length")
  func initialAge() {
    var emitter = Self.emitter()
    emitter.emission.rate = 60
    emitter.emission.lifeOffset = 0.5
    emitter.launch.speed = 1
    emitter.launch.direction = Direction(angle: 0)
    // 100 at the start, 0 at the end.
    emitter.motion.speed = Track(from: 100, to: 0)
    emitter.motion.speedMode = .replace
    let moved = Self.run(emitter, profile: .libgdx)
    #expect(moved.count > 0)
    // 75 for half a second, and 74.2 for a sixtieth.
    #expect((Double(moved.x[0]) - 37.5 - 74.2 / 60).magnitude < 0.05)
    let counted = Self.run(emitter, profile: .neutral)
    #expect((0..<counted.count).allSatisfy { counted.x[$0] < 2 })
  }

  @Test("alignment follows the direction, whatever the sign of the speed")
  func alignment() {
    var emitter = Self.emitter()
    emitter.rotation.align = .birth
    emitter.launch.direction = Direction(angle: 30)
    for (speed, profile, angle) in [
      (5.0, Profile.libgdx, 30.0), (-5, .libgdx, 30), (0, .libgdx, 30), (0, .neutral, 30),
      (-5, .neutral, 210),
    ] {
      emitter.launch.speed = .constant(speed)
      let look = Self.run(emitter, profile: profile)
      let turn = (Double(look.angle[0]) - angle) / 360
      #expect((turn - turn.rounded()).magnitude < 1e-4, "\(speed) \(profile.rawValue)")
    }
  }

  @Test("a wide ellipse is a disc that is cut and flattened, a high one uniform")
  func ellipse() {
    func squares(_ shape: Shape, _ profile: Profile) -> (x: Double, y: Double) {
      var emitter = Self.emitter()
      emitter.shape = shape
      let look = Self.run(emitter, profile: profile)
      let count = Double(look.count)
      return (0..<look.count).reduce((0, 0)) {
        let (x, y) = (Double(look.x[$1]), Double(look.y[$1]))
        return ($0.0 + x * x / count, $0.1 + y * y / count)
      }
    }
    let uniform = squares(.ellipse(40, 10), .neutral)
    #expect((uniform.x - 400).magnitude < 30 && (uniform.y - 25).magnitude < 2)
    // Nearly a rectangle of ±40 and ±2.5.
    let cut = squares(.ellipse(40, 10), .libgdx)
    #expect((cut.x - 40 * 40 / 3.0).magnitude < 40 && (cut.y - 2.5 * 2.5 / 3).magnitude < 0.3)
    let high = squares(.ellipse(10, 40), .libgdx)
    #expect((high.x - 25).magnitude < 2 && (high.y - 400).magnitude < 30)
  }

  @Test("particles leave the edge of an ellipse at the angle of their place")
  func edge() {
    var emitter = Self.emitter()
    emitter.shape = .ellipse(40, 10)
    emitter.shape.placement = .edge
    emitter.launch.direction = Direction(.normal)
    emitter.launch.speed = 60
    let look = Self.run(emitter, profile: .libgdx)
    #expect(look.count > 200)
    for index in 0..<look.count {
      // One step of one unit.
      let (x, y) = (Double(look.velocityX[index]) / 60, Double(look.velocityY[index]) / 60)
      #expect((Double(look.x[index]) - 41 * x).magnitude < 1e-3)
      #expect((Double(look.y[index]) - 11 * y).magnitude < 1e-3)
    }
  }
}
