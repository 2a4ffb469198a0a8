import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

@Suite("Rounds of loops")
struct RoundTests {
  private static let profiles: [Profile] = [
    .neutral, .cocos2d, .starling, .love, .libgdx, .pixi5, .phaser, .godot4, .defold, .quarks,
    .spriteKit,
  ]

  private static func system() -> ParticleSystem {
    var fountain = Emitter(name: "fountain")
    fountain.emission.rate = 30
    fountain.emission.bursts = [Burst(time: 0.4, count: 5)]
    fountain.lifetime = .range(0.5, 2)
    fountain.timing.prewarm = 1.25
    fountain.launch.speed = .range(20, 90)
    return ParticleSystem(name: "test", emitters: [fountain])
  }

  private static func look(_ simulation: Simulation) -> [Float] {
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return (0..<look.count).flatMap { [look.x[$0], look.y[$0], look.age[$0], look.width[$0]] }
  }

  @Test("a round emits what another one does, as often as it is made", arguments: profiles)
  func rounds(profile: Profile) {
    let beginning = Simulation(Self.system(), profile: profile, seed: 7)
    #expect(beginning.count > 0)
    let first = beginning.withoutParticles()
    #expect(first.count == 0 && beginning.count == 0 && first.time == beginning.time)
    first.advance(by: 1)
    let second = beginning.withoutParticles()
    second.advance(by: 1)
    let whole = Simulation(Self.system(), profile: profile, seed: 7)
    whole.clear()
    whole.advance(by: 1)
    #expect(whole.count > 10)
    #expect(Self.look(first) == Self.look(whole))
    #expect(Self.look(second) == Self.look(whole))
  }

  @Test("particles live as long as their emitters say, with those that they trigger")
  func lives() {
    var system = Self.system()
    #expect(system.longestLife == 2)
    system.emitters[0].timing.speed = 0.5
    #expect(system.longestLife == 4)
    var second = Emitter(name: "second")
    second.lifetime = 3
    system.emitters.append(second)
    #expect(system.longestLife == 4)
    system.emitters[0].triggers = [Trigger(.death, emitter: 1)]
    #expect(system.longestLife == 7)
    system.emitters[0].enabled = false
    #expect(system.longestLife == 3)
    #expect(ParticleSystem(name: "none", emitters: []).longestLife == 0)
  }
}
