import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesSimulation
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

/// The shares of a seamless loop: of the end in the beginning, and of its simulations in the work of a frame.
@Suite("Shares of seamless loops")
struct SeamlessShareTests {
  private static func system(_ change: (inout Emitter) -> Void) -> ParticleSystem {
    var emitter = Emitter(name: "smoke")
    (emitter.emission.rate, emitter.lifetime) = (20, 2)
    (emitter.launch.speed, emitter.launch.spread, emitter.size.width) = (20, 60, 12)
    (emitter.timing.duration, emitter.timing.loop) = (1, true)
    change(&emitter)
    return ParticleSystem(name: "smoke", emitters: [emitter])
  }

  private static func frames(
    _ system: ParticleSystem, _ change: (inout EffectAnimation.Plan) -> Void
  ) throws -> (EffectAnimation, [Bitmap]) {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.view) = (32, 32, .pixels)
    plan.background = .color(Color(0, 0, 0.2))
    change(&plan)
    let animation = try EffectAnimation(EffectPackage(system), plan: plan)
    var frames: [Bitmap] = []
    try animation.draw { frames.append($0) }
    return (animation, frames)
  }

  /// The greatest distance of a picture from a mixture of two pictures, computed here.
  private static func distance(_ found: Bitmap, _ a: Bitmap, _ b: Bitmap, _ share: Double) -> Double
  {
    zip(found.pixels, zip(a.pixels, b.pixels)).reduce(0) { greatest, item in
      let expected = Double(item.1.0) * (1 - share) + Double(item.1.1) * share
      return max(greatest, (Double(item.0) - expected).magnitude)
    }
  }

  @Test(
    "the end of a loop is blended into what comes before its beginning, step by step",
    arguments: [(10.0, 2.0, 8), (10, 4, 10), (20, 1, 8), (5, 1, 2), (4, 0.5, 1)])
  func blended(rate: Double, duration: Double, expected: Int) throws {
    // Emitters that count their living particles are blended.
    let system = Self.system { $0.emission.maxAlive = 30 }
    let (loop, frames) = try Self.frames(system) {
      ($0.framesPerSecond, $0.duration, $0.start, $0.loop) = (rate, duration, 1, .seamless)
    }
    let count = frames.count
    #expect(!loop.isOverlaid && count == Int(rate * duration))
    #expect(
      (loop.start - (1 + Double(expected) / rate)).magnitude < 1e-9 && loop.warmup == loop.start)
    let (_, plain) = try Self.frames(system) {
      ($0.framesPerSecond, $0.start, $0.loop) = (rate, 1, .forever)
      $0.duration = duration + Double(expected) / rate
    }
    #expect(plain.count == count + expected)
    for frame in 0..<count - expected {
      #expect(frames[frame] == plain[frame + expected], "\(frame)")
    }
    for step in 0..<expected {
      let share = Double(step) / Double(expected)
      let found = frames[count - expected + step]
      #expect(Self.distance(found, plain[count + step], plain[step], share) < 1.6, "\(step)")
    }
    #expect(frames[count - expected] == plain[count])
  }

  /// A simulation of a loop of three seconds, which asks for endless particles.
  private static func simulation(share: Int, rate: Double, _ limits: Limits) throws -> Simulation {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond, plan.duration) = (16, 16, rate, 3)
    plan.view = .pixels
    let system = system { ($0.emission.rate, $0.lifetime) = (1e9, 5) }
    let animation = try EffectAnimation(EffectPackage(system), plan: plan, limits: limits)
    return animation.simulation(share: share, frames: Int(3 * rate))
  }

  @Test(
    "the simulations of a loop share the work of a frame", arguments: [1, 2, 4, 8], [10.0])
  func frameSteps(share: Int, rate: Double) throws {
    var limits = Limits.standard
    (limits.frameSteps, limits.particleSteps) = (160_000, 1 << 40)
    let simulation = try Self.simulation(share: share, rate: rate, limits)
    let steps = Simulation.stepCount(of: 1 / rate)
    simulation.advance(by: 1 / rate / Double(steps))
    // An emission takes 16 of the work of a step.
    let most = 160_000 / share / steps / 16
    #expect(
      simulation.count <= most && simulation.count > most * 3 / 4, "\(simulation.count) of \(most)")
  }

  @Test("the simulations of a loop share the work of all frames", arguments: [1, 3, 10])
  func allSteps(share: Int) throws {
    var limits = Limits.standard
    (limits.frameSteps, limits.particleSteps) = (1 << 40, 300_000)
    let simulation = try Self.simulation(share: share, rate: 10, limits)
    for _ in 0..<30 { simulation.advance(by: 0.1) }
    #expect(simulation.usedSteps <= 300_000 / share, "\(simulation.usedSteps)")
    #expect(simulation.usedSteps > 300_000 / share / 4, "\(simulation.usedSteps)")
  }

  @Test("the rounds that particles live through, as many as the limits allow")
  func rounds() {
    let system = Self.system { _ in }
    func rounds(_ life: Double, _ length: Double, _ steps: Int, _ particleSteps: Int) -> (
      Double, Int
    ) {
      var limits = Limits.standard
      limits.particleSteps = particleSteps
      let found = EffectAnimation.rounds(
        system, life: life, length: length, steps: steps, limits: limits)
      return (found.needed, found.affordable)
    }
    // The square root of twice the work, by 400 particle steps for each emitter in a step of each round.
    #expect(rounds(5, 1, 100, 80_000_000) == (7, 7))
    #expect(rounds(98, 1, 100, 80_000_000) == (100, 63))
    #expect(rounds(98, 1, 100, 80_000) == (100, 2))
    #expect(rounds(98, 1, 400, 80_000) == (100, 1))
    #expect(rounds(98, 1, 100, 10) == (100, 1) && rounds(1, 4, 0, 80_000) == (2.25, 2))
    var two = system
    two.emitters.append(two.emitters[0])
    two.emitters.append(two.emitters[0])
    two.emitters[2].enabled = false
    var limits = Limits.standard
    limits.particleSteps = 160_000
    #expect(
      EffectAnimation.rounds(two, life: 98, length: 1, steps: 100, limits: limits).affordable == 2)
  }
}
