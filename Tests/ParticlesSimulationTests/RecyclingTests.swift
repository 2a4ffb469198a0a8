import ParticlesModel
import Testing

@testable import ParticlesSimulation

@Suite("Recycled particles")
struct RecyclingTests {
  @Test("a particle that replaces the oldest one lives through the rest of its step, too")
  func firstStep() {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = 10
    emitter.emission.maxAlive = 4
    emitter.emission.whenFull = .recycle
    emitter.lifetime = 100
    emitter.launch.speed = 100
    let simulation = Simulation(ParticleSystem(name: "test", emitters: [emitter]), seed: 1)
    simulation.advance(by: 2.05)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    #expect(look.count == 4)
    for (age, expected) in zip(look.age, [0.35, 0.25, 0.15, 0.05]) {
      #expect((Double(age) - expected).magnitude < 1e-5)
    }
    for (y, expected) in zip(look.y, [35.0, 25, 15, 5]) {
      #expect((Double(y) - expected).magnitude < 1e-3)
    }
  }
}
