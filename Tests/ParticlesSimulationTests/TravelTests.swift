import ParticlesModel
import Testing

@testable import ParticlesSimulation

@Suite("Effects that move")
struct TravelTests {
  /// Ten particles a second that stay where they are emitted.
  private static func emitter(_ change: (inout Emitter) -> Void = { _ in }) -> ParticleSystem {
    var emitter = Emitter(name: "dust")
    emitter.emission.rate = 10
    emitter.lifetime = 100
    emitter.launch.speed = 0
    change(&emitter)
    return ParticleSystem(name: "test", emitters: [emitter])
  }

  private static func look(_ simulation: Simulation) -> Appearance {
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return look
  }

  @Test("particles of the world stay where they were emitted, others follow")
  func spaces() {
    for space in [Emitter.EmitterSpace.world, .parent, .local] {
      let simulation = Simulation(Self.emitter { $0.space = space }, seed: 1)
      simulation.advance(by: 1, to: Vector(100, 50))
      simulation.advance(by: 1)
      let look = Self.look(simulation)
      #expect(simulation.place == Vector(100, 50) && look.count == 20)
      for (index, age) in look.age.enumerated() {
        // Where the effect was when the particle was emitted.
        let share = min(1, 2 - Double(age))
        let expected = space == .world ? Vector(100 * share, 50 * share) : Vector(100, 50)
        #expect(abs(Double(look.x[index]) + simulation.place.x - expected.x) < 1e-3)
        #expect(abs(Double(look.y[index]) + simulation.place.y - expected.y) < 1e-3)
      }
    }
  }

  @Test("particles are emitted by distance, and inherit velocity")
  func distance() {
    let system = Self.emitter {
      $0.emission.rate = 0
      $0.emission.ratePerDistance = 0.5
      $0.launch.inheritVelocity = 0.25
    }
    let resting = Simulation(system, seed: 1)
    resting.advance(by: 1)
    #expect(resting.count == 0)
    let simulation = Simulation(system, seed: 1)
    simulation.advance(by: 2, to: Vector(0, 100))
    #expect(simulation.count == 50)
    // A quarter of 50 units per second.
    #expect(Self.look(simulation).velocityY.allSatisfy { abs($0 - 12.5) < 1e-3 })
    simulation.advance(by: 1)
    #expect(simulation.count == 50)
  }

  @Test("a jump emits nothing, and an effect that rests is the same as ever")
  func jump() {
    let system = Self.emitter { $0.emission.ratePerDistance = 1 }
    let (plain, moved) = (Simulation(system, seed: 1), Simulation(system, seed: 1))
    plain.advance(by: 1.5)
    moved.advance(by: 1.5, to: .zero)
    #expect(plain.count == 15 && Array(Self.look(plain).age) == Array(Self.look(moved).age))
    moved.jump(to: Vector(30, 0))
    #expect(moved.count == 15 && Self.look(moved).x.allSatisfy { $0 == -30 })
  }

  @Test("trails are where particles were in the world")
  func trails() {
    var trail = Emitter.Trail()
    trail.length = 2
    let history = TrailHistory(trail)
    let simulation = Simulation(Self.emitter { $0.space = .local }, seed: 1)
    simulation.advance(by: 0.11)
    for step in 0...4 {
      if step > 0 { simulation.advance(by: 0.25, to: Vector(10 * Double(step), 0)) }
      history.record(
        Self.look(simulation), at: simulation.time, from: SIMD3(simulation.place))
    }
    let points = history.points(of: 0, age: 1.01, at: simulation.time)
    #expect(points.first?.place.x == 40 && (points.last?.place.x ?? 40) < 5)
  }

  @Test("without its particles, an effect goes on to emit")
  func clearing() {
    var system = Self.emitter()
    system.emitters[0].triggers = [Trigger(.death, emitter: 0, count: 5)]
    system.roots = [0]
    let simulation = Simulation(system, seed: 1)
    simulation.advance(by: 3)
    simulation.clear()
    #expect(simulation.count == 0)
    simulation.advance(by: 1)
    #expect(simulation.count == 10)
  }
}
