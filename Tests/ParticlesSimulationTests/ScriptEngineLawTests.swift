import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesSimulation

/// Laws of engines that run in browsers, in numbers that their sources give.
@Suite("Laws of engines in browsers")
struct ScriptEngineLawTests {
  private static func emitter(rate: Double) -> Emitter {
    var emitter = Emitter(name: "test")
    emitter.emission.rate = .constant(rate)
    emitter.lifetime = 100
    return emitter
  }

  private static func run(
    _ emitter: Emitter, _ profile: Profile, steps: Int, seed: UInt64 = 1
  ) -> Simulation {
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), profile: profile, seed: seed)
    for _ in 0..<steps { simulation.advance(by: 1.0 / 60) }
    return simulation
  }

  @Test("tsParticles emits once in a step, at most, and not in the step that ends a period")
  func once() {
    #expect(Self.run(Self.emitter(rate: 600), .tsParticles, steps: 60).count == 60)
    // At 0, 0.1, 0.2, 0.3 and 0.4 s.
    var emitter = Self.emitter(rate: 10)
    #expect(Self.run(emitter, .tsParticles, steps: 30).count == 6)
    emitter.timing.duration = 0.5
    #expect(Self.run(emitter, .tsParticles, steps: 60).count == 5)
  }

  @Test("the counter of tsParticles goes on in the next period, and stands still in pauses")
  func counter() {
    var emitter = Self.emitter(rate: 10)
    emitter.timing.duration = 0.25
    emitter.timing.loop = true
    // At 0, 0.1, … 1.0 s, and not anew at 0.25 s.
    #expect(Self.run(emitter, .tsParticles, steps: 60).count == 11)
    emitter.timing.idle = 0.25
    // Half of the time.
    #expect((5...6).contains(Self.run(emitter, .tsParticles, steps: 60).count))
  }

  @Test("a burst without an end is a wave, each with a number of its own")
  func waves() {
    var emitter = Self.emitter(rate: 0)
    var burst = Burst(count: .range(1, 9))
    (burst.cycles, burst.interval) = (0, 0.1)
    emitter.emission.bursts = [burst]
    let counts = [5, 11, 17, 23].map { Self.run(emitter, .tsParticles, steps: $0).count }
    let waves = zip(counts, [0] + counts).map { $0 - $1 }
    #expect(Set(waves).count > 1 && waves.allSatisfy { (1...9).contains($0) })
  }

  @Test("in tsParticles, the dead take room for another step, unless others replace them")
  func room() {
    var emitter = Self.emitter(rate: 60)
    (emitter.lifetime, emitter.emission.maxAlive) = (0.095, 6)
    func living(_ whenFull: Emitter.WhenFull) -> Int {
      emitter.emission.whenFull = whenFull
      return (20..<40).reduce(0) { $0 + Self.run(emitter, .tsParticles, steps: $1).count }
    }
    #expect(living(.skip) < living(.recycle))
  }

  @Test("in Phaser, the last bit of a float decides whether a step reaches an interval")
  func lastBit() {
    var emitter = Self.emitter(rate: 10)
    emitter.timing.duration = 1
    // In single precision, 100 less 6 times 16.67 is above 0, and the tenth would come after the end.
    #expect(Self.run(emitter, .phaser, steps: 30).count == 4)
    #expect(Self.run(emitter, .phaser, steps: 31).count == 5)
    #expect(Self.run(emitter, .phaser, steps: 90).count == 9)
  }

  @Test("places along an arc count particles that come to life; in PixiJS 3, all that are tried")
  func spread() {
    var emitter = Self.emitter(rate: 0)
    emitter.emission.bursts = [Burst(count: 8)]
    emitter.emission.probability = 0.5
    emitter.shape = .ellipse(10, 10)
    (emitter.shape.placement, emitter.shape.sweep) = (.edge, .spread)
    emitter.launch.speed = 0
    for profile in [Profile.neutral, .pixi3] {
      var gaps = 0
      for seed in 1...4 as ClosedRange<UInt64> {
        let simulation = Self.run(emitter, profile, steps: 1, seed: seed)
        let look = Appearance()
        simulation.appearance(ofEmitter: 0, into: look)
        for index in 0..<look.count {
          let tried = Int(look.ordinal[index])
          if tried != index { gaps += 1 }
          let angle = (Double(profile == .pixi3 ? tried : index) + 0.5) / 8 * 2 * Double.pi
          #expect(abs(Double(look.x[index]) - 10 * _cos(angle)) < 1e-3)
        }
      }
      #expect(gaps > 0)
    }
  }

  private func _cos(_ angle: Double) -> Double {
    sineAndCosine(degrees: angle * 180 / .pi).cosine
  }

  @Test("a rectangle from its outline towards the centre")
  func rectangle() {
    var emitter = Self.emitter(rate: 0)
    emitter.emission.bursts = [Burst(count: 4_000)]
    emitter.shape = .rect(width: 8, height: 2)
    (emitter.shape.distribution, emitter.shape.inner) = (.radialLinear, 0.5)
    emitter.launch.speed = 0
    let simulation = Self.run(emitter, .neutral, steps: 1)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    // How far each is on the way from the centre to the outline.
    let shares = (0..<look.count).map { max(abs(look.x[$0]) / 4, abs(look.y[$0])) }
    #expect(shares.count == 4_000 && shares.allSatisfy { $0 > 0.499 && $0 < 1.001 })
    let mean = shares.reduce(0, +) / 4_000
    #expect(abs(mean - 0.75) < 0.01)
    // A fifth of the outline are the short sides.
    let short = (0..<look.count).filter { abs(look.x[$0]) / 4 > abs(look.y[$0]) }.count
    #expect(abs(Double(short) / 4_000 - 0.2) < 0.03)
  }
}
