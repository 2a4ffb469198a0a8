import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

/// Effects that ask for endless particles, under limits of work.
@Suite("Limits of work")
struct SimulationBudgetTests {
  private static func simulation(
    _ emitters: [Emitter], steps: Int, particles: Int, duration: Int = 60, tail: Int = 0,
    threads: Int = 1
  ) -> Simulation {
    Simulation(
      ParticleSystem(name: "test", emitters: emitters), seed: 1, capacity: 100_000,
      team: WorkerTeam(threads: threads),
      budget: SimulationBudget(steps: steps, particles: particles, duration: duration, tail: tail))
  }

  /// The emissions of each of the next steps.
  private static func emissions(_ simulation: Simulation, steps: Int) -> [Int] {
    (0..<steps).map { _ in
      let before = simulation.population(ofEmitter: 0).emitted
      simulation.advance(by: 1 / 60)
      return simulation.population(ofEmitter: 0).emitted - before
    }
  }

  @Test("a step takes no more than it may, though there is enough for all")
  func steps() {
    var emitter = Emitter.endless()
    emitter.emission.maxAlive = 100
    emitter.emission.whenFull = .recycle
    func emitted(_ most: Int) -> (each: [Int], isOver: Bool, used: Int) {
      let simulation = Simulation(
        ParticleSystem(name: "test", emitters: [emitter, emitter]), seed: 1, capacity: 100_000,
        budget: SimulationBudget(
          steps: 50_000_000, particles: 100_000, duration: 60, mostOfStep: most))
      let each = Self.emissions(simulation, steps: 5)
      return (each, simulation.isOverCapacity, simulation.usedSteps)
    }
    let free = emitted(.max)
    let bound = emitted(32_200)
    #expect(free.each.allSatisfy { $0 > 2_000 })
    #expect(bound.each.allSatisfy { (900...1_006).contains($0) } && bound.isOver)
    #expect(bound.used > 5 * 2 * 900 * 17 && bound.used < free.used)
  }

  @Test("particles that take more of a step, or of an emission, are fewer for the same work")
  func weights() {
    func emitted(_ change: (inout Emitter) -> Void) -> Int {
      var emitter = Emitter.endless()
      change(&emitter)
      let simulation = Self.simulation([emitter], steps: 2_000_000, particles: 90_000)
      simulation.advance(by: 0.5)
      return simulation.population(ofEmitter: 0).emitted
    }
    let plain = emitted { _ in }
    #expect(plain > 5_000)
    var noise = Force(.noise)
    noise.octaves = 16
    #expect((1...plain / 20).contains(emitted { $0.forces = [noise] }))
    #expect(
      (1...plain / 4).contains(emitted { $0.forces = Array(repeating: Force(.radial), count: 40) }))
    // Usual forces cost nothing more.
    #expect(emitted { $0.forces = [Force(.gravity), Force(.radial)] } == plain)
    // The lengths of a polyline are added once, not for each particle.
    let line = (0..<10_000).map { Vector(Double($0), 0) }
    #expect(
      emitted {
        $0.shape.kind = .polyline
        $0.shape.points = [line]
      } == plain)
    // A choice looks at each of its weights.
    var choice = Value.Choice()
    choice.numbers = (0..<10_000).map { Double($0) }
    choice.weights = Array(repeating: 1, count: 10_000)
    #expect((1...plain / 10).contains(emitted { $0.launch.speed = .choice(choice) }))
  }

  @Test("many endless bursts list no more than a step can try to emit")
  func manyBursts() {
    var emitter = Emitter.endless(rate: 0)
    var burst = Burst(count: 1)
    (burst.cycles, burst.interval) = (0, 1e-9)
    emitter.emission.bursts = Array(repeating: burst, count: 2_000)
    let simulation = Self.simulation([emitter], steps: 4_000_000, particles: 20_000)
    simulation.advance(by: 1 / 60)
    let state = simulation.states[0]
    let listed = state.bursts(
      from: 1, to: 2, factor: 1, state.activations[0])
    #expect(state.mostTried > 0 && simulation.count > 100)
    #expect(Double(listed.count) <= 2 * state.mostTried + 1_001 && !listed.isEmpty)
  }

  @Test("all emitters together have at most as many particles as the budget allows")
  func particles() {
    let simulation = Self.simulation(
      Array(repeating: .endless(), count: 30), steps: 50_000_000, particles: 3_000)
    for _ in 0..<30 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count <= 3_000)
    }
    #expect(simulation.count > 2_500)
    #expect(simulation.isOverCapacity)
  }

  @Test("emitters that are disabled or have ended leave their shares to the others")
  func shares() {
    var burst = Emitter.endless(rate: 0, lifetime: 1)
    burst.emission.bursts = [Emitter.Burst(count: 3_000)]
    burst.emission.bursts[0].time = 0.5
    var ended = Emitter.endless(rate: 60, lifetime: 0.1)
    ended.timing.duration = .constant(0.2)
    ended.timing.loop = false
    var disabled = Emitter.endless()
    disabled.enabled = false
    func most(_ others: [Emitter]) -> Int {
      let simulation = Self.simulation([burst] + others, steps: 10_000_000, particles: 3_100)
      return Self.emissions(simulation, steps: 40).max() ?? 0
    }
    #expect(most([]) == 3_000)
    #expect(most([disabled, ended, disabled]) == 3_000)
    // Each may emit, whether it does or not.
    let rare = Emitter.endless(rate: 1e-3)
    #expect((1_000...1_040).contains(most([rare, rare])))
    // An emitter that can be triggered has a share, too.
    var trigger = rare
    trigger.triggers = [Trigger(.death, emitter: 2)]
    #expect((1_000...1_040).contains(most([trigger, rare])))
    var slots = Emitter.endless(rate: 1e6, lifetime: 1)
    slots.emission.maxAlive = 900
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [slots, disabled]), profile: .godot4, seed: 1,
      capacity: 100_000,
      budget: SimulationBudget(steps: 50_000_000, particles: 1_000, duration: 60))
    for _ in 0..<60 { simulation.advance(by: 1 / 60) }
    #expect(simulation.count > 600)
  }

  @Test(
    "an endless effect has an equal part of the work in every step, with any number of threads",
    arguments: [0.001, 0.02, 0.5, 1e9])
  func equalParts(lifetime: Double) {
    let runs = [1, 3].map { threads in
      Self.emissions(
        Self.simulation(
          [.endless(lifetime: lifetime)], steps: 2_000_000, particles: 90_000, threads: threads),
        steps: 60)
    }
    #expect(runs[0] == runs[1])
    // Each particle is paid for in advance: 16, and the steps that it lives at most.
    for (step, count) in runs[0].enumerated() {
      let life = min((lifetime * 60).rounded(.up) + 1, Double(max(1, 59 - step)))
      let part = 2_000_000 / 60.0 / (16 + life)
      #expect(abs(Double(count) - part) <= 0.02 * part + 1, "step \(step)")
    }
  }

  @Test("particles that live for a part of a step are seen in every frame")
  func shortLives() {
    let simulation = Self.simulation(
      [.endless(lifetime: 0.001)], steps: 2_000_000, particles: 50_000)
    for frame in 0..<60 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count > 50, "frame \(frame)")
    }
  }

  @Test(
    "without a budget, too, particles beyond the capacity leave some in every frame",
    arguments: ["neutral", "cocos2d", "libgdx", "quarks", "love"], [0.1, 1])
  func capacity(profile: String, lifetime: Double) {
    var emitter = Emitter.endless(lifetime: lifetime)
    emitter.launch.speed = 0
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]),
      profile: ParticleSystem.Profile(rawValue: profile), seed: 1, capacity: 3_000)
    simulation.advance(by: 1)
    for frame in 0..<60 {
      simulation.advance(by: 1 / 60)
      // They differ in age: all would disappear together otherwise.
      let look = Appearance()
      simulation.appearance(ofEmitter: 0, into: look)
      let shares = look.age.map { $0 / Float(lifetime) }
      #expect(simulation.count > 1_000 && simulation.count <= 3_000, "frame \(frame)")
      #expect((shares.max() ?? 0) - (shares.min() ?? 0) > 0.3, "frame \(frame)")
    }
    #expect(simulation.isOverCapacity)
  }

  @Test(
    "particles that live for a part of a step are seen beyond the capacity",
    arguments: [false, true], [(1.0, 0.001), (1e9, 1.0)])
  func shortLivesBeyondCapacity(isRecycling: Bool, item: (speed: Double, life: Double)) {
    var emitter = Emitter.endless(lifetime: item.life)
    emitter.timing.speed = item.speed
    emitter.emission.maxAlive = 1_000_000
    emitter.emission.whenFull = isRecycling ? .recycle : .skip
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), seed: 1, capacity: 3_000)
    for frame in 0..<30 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count > 100, "frame \(frame)")
    }
  }

  @Test(
    "periods of which a step has more than a thousand emit in each step",
    arguments: [(speed: 1e6, period: 1e-3, life: 1.0), (1, 1e-6, 1e-4), (1, 1e-5, 0.5)])
  func shortPeriods(item: (speed: Double, period: Double, life: Double)) {
    var emitter = Emitter.endless(lifetime: item.life)
    emitter.timing.speed = item.speed
    emitter.timing.duration = .constant(item.period)
    emitter.timing.loop = true
    let simulation = Self.simulation([emitter], steps: 50_000_000, particles: 20_000)
    for frame in 0..<30 {
      simulation.advance(by: 1 / 60)
      #expect(simulation.count > 50, "frame \(frame)")
    }
    #expect(simulation.isOverCapacity)
  }

  @Test("frames have particles after a long time before them")
  func frames() {
    let simulation = Self.simulation(
      [.endless(lifetime: 0.02)], steps: 1_600_000, particles: 50_000, duration: 180)
    simulation.advance(by: 2)
    for (frame, emitted) in Self.emissions(simulation, steps: 60).enumerated() {
      #expect(emitted > 400, "frame \(frame)")
      #expect(simulation.count > 400)
    }
    #expect(simulation.population(ofEmitter: 0).emitted * 16 <= 1_600_000)
    #expect(simulation.isOverCapacity)
  }

  @Test("particles that replace others, or that fixed slots emit, count as emitted")
  func replacements() {
    for (profile, whenFull) in [
      (nil, .recycle), (nil, .wait), (.godot3, .skip), (.libgdx, .skip), (.quarks, .skip),
      (.starling, .skip), (.love, .skip), (.cocos2d, .skip),
    ] as [(ParticleSystem.Profile?, WhenFull)] {
      var emitter = Emitter.endless(lifetime: 0.02)
      emitter.emission.maxAlive = 10_000
      emitter.emission.whenFull = whenFull
      var system = ParticleSystem(name: "test", emitters: [emitter])
      if let profile { system.asset.profile = profile }
      let simulation = Simulation(
        system, seed: 1, capacity: 100_000,
        budget: SimulationBudget(steps: 500_000, particles: 50_000, duration: 60))
      let counts = Self.emissions(simulation, steps: 60)
      #expect(counts.reduce(0, +) <= 500_000 / 16, "\(profile?.rawValue ?? "") \(whenFull)")
      #expect(counts.dropFirst(2).allSatisfy { $0 > 100 }, "\(counts) \(profile?.rawValue ?? "")")
    }
  }

  @Test("an effect that needs less than all may use half of it at once")
  func bursts() {
    var emitter = Emitter.endless(rate: 0, lifetime: 0.5)
    emitter.emission.bursts = [Emitter.Burst(count: 10_000)]
    func burst(_ steps: Int) -> Int {
      let simulation = Self.simulation([emitter], steps: steps, particles: 50_000)
      return Self.emissions(simulation, steps: 60).max() ?? 0
    }
    // A particle of the first step takes 16 and 31 steps.
    #expect(burst(10_000 * 47 * 2) == 10_000)
    #expect(burst(10_000 * 47) < 6_000)
    // The estimate is more than all: one part of 60.
    #expect(burst(10_000 * 46) < 200)
  }

  @Test("after the steps that emit, what lives goes on without more work")
  func tail() {
    let simulation = Self.simulation(
      [.endless(lifetime: 1e9)], steps: 1_000_000, particles: 50_000, duration: 30, tail: 60)
    #expect(Self.emissions(simulation, steps: 30).allSatisfy { $0 > 0 })
    simulation.stopEmitting()
    let look = Appearance()
    for step in 0..<60 {
      simulation.advance(by: 1 / 60)
      simulation.appearance(ofEmitter: 0, into: look)
      #expect(look.age[0] > Float(29 + step) / 60)
    }
    // Beyond the plan, living particles are not paid for.
    for _ in 0..<2_000 { simulation.advance(by: 1 / 60) }
    #expect(simulation.isOverCapacity)
    simulation.appearance(ofEmitter: 0, into: look)
    let age = look.age[0]
    simulation.advance(by: 1 / 60)
    simulation.appearance(ofEmitter: 0, into: look)
    #expect(look.age[0] == age)
  }

  @Test("steps are left out where the work does not suffice for the emitters")
  func emitters() {
    let simulation = Self.simulation(
      Array(repeating: .endless(rate: 1, lifetime: 1), count: 50),
      steps: 50 * SimulationBudget.emitter * 30,
      particles: 50_000)
    for _ in 0..<60 { simulation.advance(by: 1 / 60) }
    let ages = simulation.states[0].activations[0].clock
    #expect(ages > 0.4 && ages < 0.6)
    #expect(simulation.isOverCapacity)
  }

  @Test("a long prewarming that needs too much work is shortened to a minute")
  func prewarm() {
    func age(rate: Double) -> Float {
      var emitter = Emitter.endless(rate: rate, lifetime: 1e9)
      emitter.timing.prewarm = 300
      let simulation = Self.simulation([emitter], steps: 50_000_000, particles: 20_000)
      #expect(simulation.count > 1_000)
      let look = Appearance()
      simulation.appearance(ofEmitter: 0, into: look)
      return look.age[0]
    }
    #expect(abs(age(rate: 1e9) - 60) < 0.1)
    // Less than half of the work: 1,200 particles, at most 18,060 steps each.
    #expect(abs(age(rate: 4) - 299.75) < 0.1)
  }

  @Test("an effect that needs less is the same with and without a budget")
  func within() {
    for (name, system) in GoldenEffects.all {
      let digests = [
        nil, SimulationBudget(steps: 50_000_000, particles: 200_000, duration: 90),
      ].map { budget in
        let simulation = Simulation(
          system, seed: 5, capacity: 100_000, budget: budget)
        var digest = BitDigest()
        let look = Appearance()
        for _ in 0..<30 {
          simulation.advance(by: 1 / 20)
          for index in system.emitters.indices {
            simulation.appearance(ofEmitter: index, into: look)
            digest.add(look)
          }
        }
        return "\(digest)"
      }
      #expect(digests[0] == digests[1], "\(name)")
    }
  }

  @Test("bursts are work, whether their time has come or not")
  func waitingBursts() {
    func simulation(count: Int) -> Simulation {
      var emitter = Emitter.endless(rate: 0)
      emitter.emission.bursts = (0..<count).map { _ in
        var burst = Emitter.Burst(count: 1)
        burst.time = 1e6
        return burst
      }
      let simulation = Self.simulation([emitter], steps: 1_000_000, particles: 1_000)
      for _ in 0..<60 { simulation.advance(by: 1 / 60) }
      return simulation
    }
    #expect(!simulation(count: 100).isOverCapacity)
    #expect(simulation(count: 10_000).isOverCapacity)
  }

  @Test("slots are work, whether their particles live or not")
  func slots() {
    func simulation(amount: Int) -> Simulation {
      var emitter = Emitter.endless(rate: 1e-3, lifetime: 1e6)
      emitter.emission.maxAlive = amount
      emitter.emission.whenFull = .recycle
      emitter.timing.prewarm = 50
      return Simulation(
        ParticleSystem(name: "test", emitters: [emitter]), profile: .godot4, seed: 1,
        capacity: 100_000,
        budget: SimulationBudget(steps: 1_000_000, particles: 100_000, duration: 60))
    }
    // 3,060 steps, each 16 for the emitter and a quarter for each slot.
    #expect(!simulation(amount: 100).isOverCapacity)
    #expect(simulation(amount: 10_000).isOverCapacity)
  }

  @Test("bursts for which there is no room are not counted one by one")
  func crowdedBursts() throws {
    var emitter = Emitter.endless(rate: 0)
    emitter.emission.bursts = [Emitter.Burst(count: 50)]
    emitter.emission.bursts[0].cycles = 0
    emitter.emission.bursts[0].interval = 1e-6
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), seed: 1, capacity: 1_000)
    let state = simulation.states[0]
    let activation = try #require(state.activations.first)
    let bursts = state.bursts(from: 0, to: 1, factor: 1, activation)
    #expect(bursts.count == 21)
    simulation.advance(by: 0.5)
    #expect(simulation.count == 1_000 && simulation.isOverCapacity)
  }
}
