import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Hostile effects end soon, or are refused with the name of a limit and of the option that raises it.
@Suite("Budgets of pictures") struct PictureBudgetTests {
  private static func plan() -> EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.duration, plan.framesPerSecond) = (32, 32, 1, 10)
    return plan
  }

  private static func system(emitters: Int) -> ParticleSystem {
    var emitter = Emitter(name: "e")
    emitter.emission.rate = 2
    emitter.lifetime = 0.1
    return ParticleSystem(name: "many", emitters: Array(repeating: emitter, count: emitters))
  }

  @Test(
    "too many emitters are refused, and a limit that is raised draws them",
    arguments: [true, false])
  func emitters(isStill: Bool) throws {
    var limits = Limits()
    limits.memory = 40 * 50_000
    let package = try EffectPackage(Self.system(emitters: 41))
    let fault = expectThrows(.limit) {
      try EffectAnimation(package, plan: Self.plan(), isStill: isStill, limits: limits)
    }
    #expect(fault?.message.contains("the emitters that run (limit 'memory')") == true)
    #expect(fault?.hint?.contains("--work") == true)
    let animation = try EffectAnimation(
      package, plan: Self.plan(), isStill: isStill, limits: limits.times(2))
    var frames = 0
    try animation.draw { _ in frames += 1 }
    #expect(frames == (isStill ? 1 : 10))
  }

  @Test("each frame of an animation has its work, which emitters use up")
  func work() throws {
    var limits = Limits()
    (limits.work, limits.frameWork, limits.particleSteps) = (200, 50, 40_000)
    (limits.animationPaint, limits.paint) = (2_000, 2_000)
    func drawn(_ emitters: Int) throws -> Int {
      let animation = try EffectAnimation(
        EffectPackage(Self.system(emitters: emitters)), plan: Self.plan(), limits: limits)
      var frames = 0
      try animation.draw { _ in frames += 1 }
      return frames
    }
    #expect(try drawn(2) == 10)
    let fault = expectThrows(.limit) { try drawn(600) }
    #expect(fault?.message.contains("(limit 'work')") == true, "\(fault?.message ?? "")")
    #expect(fault?.hint?.contains("--work") == true)
  }

  @Test("a thumbnail gives an animation in it no more work than it has itself")
  func shared() throws {
    var limits = Limits()
    limits.work = 60
    let package = try EffectPackage(Self.system(emitters: 30))
    expectThrows(.limit) {
      try WorkBudget.run(limits) {
        let animation = try EffectAnimation(
          package, plan: Self.plan(), isStill: true, limits: limits)
        try animation.draw { _ in }
      }
    }
  }

  @Test("drawing ends with its task")
  func cancellation() async throws {
    let package = try EffectPackage(Self.system(emitters: 3))
    let task = Task { () -> Int in
      withUnsafeCurrentTask { $0?.cancel() }
      var frames = 0
      try EffectAnimation(package, plan: Self.plan()).draw { _ in frames += 1 }
      return frames
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("statistics of too many emitters are refused before they run")
  func statistics() throws {
    var plan = ParticleStatistics.Plan()
    plan.limits.work = 1_000
    plan.limits.frameWork = 64
    (plan.frames, plan.seeds) = (100, 10)
    #expect(throws: Never.self) { try plan.check(Self.system(emitters: 4)) }
    let fault = expectThrows(.limit) { try plan.check(Self.system(emitters: 6)) }
    #expect(fault?.message.contains("the emitters of all runs (limit 'work')") == true)
    #expect(fault?.hint?.contains("--work") == true)
    plan.limits.memory = 100_000
    let memory = expectThrows(.limit) { try plan.check(Self.system(emitters: 4)) }
    #expect(memory?.message.contains("(limit 'memory')") == true)
  }
}
