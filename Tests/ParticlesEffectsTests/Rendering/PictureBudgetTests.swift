import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesSystem
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

  @Test("all runs of statistics together have the particle steps of one limit")
  func runs() throws {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.every, plan.seeds) = (60, 60, 20)
    plan.limits.particleSteps = 4_000_000
    let system = ParticleSystem(name: "endless", emitters: [.endless()])
    let statistics = try ParticleStatistics(of: system, plan: plan)
    let births = statistics.emitters[0].columns.first { $0.name == "births" }?.values[0]
    // An emission counts 16, and 1 for each step of two seconds, or for the rest of the run.
    #expect(try #require(births ?? nil) * 17 <= 200_000)
    #expect(statistics.isOverCapacity)
    #expect(plan.mostRuns(of: system) > 1_000)
    #expect(plan.mostRuns(of: Self.system(emitters: 10_000)) == 6)
  }

  @Test("statistics end with their task, in the middle of a run")
  func cancelledStatistics() async throws {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.seeds) = (100_000, 2)
    let system = ParticleSystem(name: "endless", emitters: [.endless()])
    let long = plan
    let task = Task { try ParticleStatistics(of: system, plan: long) }
    // Not a task, which might wait until the statistics end.
    Thread.detachNewThread {
      MonotonicClock.wait(seconds: 0.05)
      task.cancel()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let comparison = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try EffectMeter(system)
    }
    await #expect(throws: CancellationError.self) { try await comparison.value }
  }

  @Test("comparisons have limits: a recording that asks for endless runs, and an endless effect")
  func comparison() throws {
    let json = #"{"frames": 200, "seeds": 1000000000, "emitters": [{"count": 0, "births": 0}]}"#
    let record = try EffectRecord(json: JSONValue(parsing: Array(json.utf8)))
    var limits = Limits()
    (limits.work, limits.particleSteps) = (5_000, 1_000_000)
    let clock = ContinuousClock()
    let start = clock.now
    let few = try record.measured(Self.system(emitters: 10), profile: .neutral, limits: limits)
    #expect(!few.isOverCapacity && few.difference.whole > 0.5)
    let endless = ParticleSystem(name: "endless", emitters: [.endless()])
    #expect(try record.measured(endless, profile: .neutral, limits: limits).isOverCapacity)
    #expect(try EffectMeter(endless, limits: limits).isOverCapacity)
    #expect(clock.now - start < .seconds(5))
    limits.frameWork = 64
    let fault = expectThrows(.limit) {
      try record.measured(Self.system(emitters: 100), profile: .neutral, limits: limits)
    }
    #expect(fault?.hint?.contains("--work") == true)
  }
}
