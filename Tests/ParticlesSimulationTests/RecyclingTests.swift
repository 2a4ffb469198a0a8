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

  @Test(
    "the slots of Godot whose particles die are found, few or all at once",
    arguments: [4, 5, 300_000])
  func slots(count: Int) {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = .constant(4 * Double(count))
    emitter.emission.maxAlive = count
    emitter.emission.explosiveness = 1
    emitter.lifetime = 0.25
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system, profile: .godot4, seed: 1, capacity: 1_000_000)
    // A search of all slots for each particle would take minutes.
    for _ in 0..<4 {
      simulation.advance(by: 0.25)
      #expect(simulation.count == count)
    }
  }
}
