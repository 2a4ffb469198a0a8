import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

@Suite("Simulation")
struct SimulationTests {
  private static func run(
    _ emitter: Emitter, seconds: Double, profile: Profile = .neutral, seed: UInt64 = 1,
    capacity: Int = 10_000
  ) -> (simulation: Simulation, look: Appearance) {
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system, profile: profile, seed: seed, capacity: capacity)
    simulation.advance(by: seconds)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return (simulation, look)
  }

  private static func fountain() -> Emitter {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = 10
    emitter.lifetime = 2
    emitter.launch.speed = 100
    return emitter
  }

  // MARK: Scale

  @Test("in the coordinates of an emitter all that moves is scaled with it")
  func localScale() throws {
    var small = Self.fountain()
    small.space = .local
    small.shape = .rect(width: 20, height: 10)
    small.launch.spread = 40
    small.motion.drift = VectorTrack(5, 0, 0)
    small.motion.maxSpeed = 90
    small.forces = [
      .gravity(Vector(3, -20)), Force(.radial, strength: 8), .drag(.constant, strength: 10),
    ]
    for index in small.forces.indices { small.forces[index].space = .local }
    var large = small
    large.transform.scale = Scale(3, 3)
    let (one, other) = (
      Self.run(small, seconds: 1.5).look, Self.run(large, seconds: 1.5).look
    )
    let without = Self.run(large.withoutScale(in: .plane), seconds: 1.5).look
    try #require(one.count == 15 && other.count == 15 && without.count == 15)
    for index in 0..<15 {
      #expect((other.x[index] - 3 * one.x[index]).magnitude < 1e-2)
      #expect((other.y[index] - 3 * one.y[index]).magnitude < 1e-2)
      #expect((other.velocityY[index] - 3 * one.velocityY[index]).magnitude < 1e-2)
      #expect((without.x[index] - other.x[index]).magnitude < 1e-2)
      #expect((without.y[index] - other.y[index]).magnitude < 1e-2)
      #expect((without.width[index] - 3 * other.width[index]).magnitude < 1e-4)
    }
  }

  @Test("in other coordinates the scale of an emitter applies to the initial velocity only")
  func worldScale() throws {
    var emitter = Self.fountain()
    emitter.transform.scale = Scale(3, 3)
    emitter.forces = [.gravity(Vector(0, -20))]
    let look = Self.run(emitter, seconds: 1.05).look
    try #require(look.count == 10)
    for index in 0..<10 {
      let age = look.age[index]
      #expect((look.y[index] - 300 * age + 10 * age * age).magnitude < 0.2)
      #expect((look.velocityY[index] - 300 + 20 * age).magnitude < 1e-2)
    }
  }

  // MARK: Emission

  @Test("particles without life are not emitted, under the law of any engine")
  func noLife() {
    for law in ParticleSystem.EngineLaw.all {
      var emitter = Self.fountain()
      emitter.emission.maxAlive = 8
      emitter.lifetime = 0
      let simulation = Self.run(emitter, seconds: 1, profile: law.profile).simulation
      #expect(simulation.count <= 1, "\(law.profile.rawValue)")
      if [.godot3, .godot4].contains(law.profile) {
        #expect(simulation.population(ofEmitter: 0).emitted == 0)
      }
      emitter.lifetime = 2
      #expect(
        Self.run(emitter, seconds: 1, profile: law.profile).simulation.count > 1,
        "\(law.profile.rawValue)")
    }
  }

  @Test("under the law of Godot, slots of negative lifetimes emit nothing, and need no room")
  func negativeLives() {
    var emitter = Self.fountain()
    emitter.emission.maxAlive = 8
    for profile in [Profile.godot3, .godot4] {
      for (lifetime, isEmitting) in [
        (Value.range(-2, -1), false), (-0.5, false), (.range(-1, 2), true),
      ] {
        emitter.lifetime = lifetime
        let simulation = Self.run(emitter, seconds: 1, profile: profile, capacity: 4).simulation
        let emitted = simulation.population(ofEmitter: 0).emitted
        #expect((emitted > 0) == isEmitting, "\(profile.rawValue), \(lifetime): \(emitted)")
        #expect(simulation.isOverCapacity == isEmitting, "\(profile.rawValue), \(lifetime)")
      }
    }
  }

  @Test("under the law of Godot, slots are delayed by the engine's hash of their number")
  func delayedSlots() throws {
    /// The hash of Godot's particles, from 0 to 1.
    func delay(_ number: UInt32) -> Double {
      var hash = number
      for _ in 0..<2 { hash = ((hash >> 16) ^ hash) &* 0x45D9_F3B }
      return Double(((hash >> 16) ^ hash) & 0xFFFF) / 65_536
    }
    var emitter = Self.fountain()
    (emitter.emission.maxAlive, emitter.lifetime, emitter.emission.jitter) = (16, 16, 1)
    let (simulation, look) = Self.run(emitter, seconds: 15.99, profile: .godot4)
    try #require(look.count > 12)
    let births = (0..<look.count).map { simulation.time - Double(look.age[$0]) }.sorted()
    // The first pass, or the pass before, which an engine may count as the last of all numbers.
    let passes = [UInt32(0), UInt32(0) &- 16].map { first in
      (0..<16).map { Double($0) + delay(first &+ UInt32($0)) }.sorted()
    }
    let distances = passes.map { pass in
      births.map { birth in pass.map { abs($0 - birth) }.min() ?? 1 }.max() ?? 1
    }
    #expect((distances.min() ?? 1) < 0.04, "\(births), \(passes)")
  }

  @Test("a period of whole steps ends with its last step, under the law of Phaser")
  func wholeSteps() {
    for steps in [1, 8, 32] {
      var emitter = Self.fountain()
      (emitter.emission.rate, emitter.lifetime) = (64, 9)
      (emitter.timing.duration, emitter.timing.loop) = (.constant(Double(steps) / 64), false)
      let system = ParticleSystem(name: "test", emitters: [emitter])
      let simulation = Simulation(system, profile: .phaser, seed: 1, capacity: 1000)
      for _ in 0..<64 { simulation.advance(by: 1 / 64) }
      #expect(simulation.count == steps)
    }
  }

  @Test("a shape without points emits at its place")
  func noPoints() {
    for kind in [Shape(.polyline), Shape(.points)] {
      for points in [[], [[]], [[Vector]()]] as [[[Vector]]] {
        var emitter = Self.fountain()
        emitter.launch.speed = 0
        emitter.shape = kind
        emitter.shape.points = points
        let look = Self.run(emitter, seconds: 1.05).look
        #expect(look.count == 10 && (0..<10).allSatisfy { look.x[$0] == 0 && look.y[$0] == 0 })
      }
    }
  }

  @Test("particles stay where they are when the effect goes on with another property")
  func continued() throws {
    var emitter = Self.fountain()
    emitter.launch.spread = 40
    emitter.launch.speed = .range(50, 100)
    let (simulation, seen) = Self.run(emitter, seconds: 1.05)
    // The columns of an appearance change with the simulation.
    let before = (0..<seen.count).map { index in
      [seen.x, seen.y, seen.age, seen.life, seen.velocityX, seen.velocityY].map { $0[index] }
    }
    emitter.forces = [.gravity(Vector(0, -90))]
    let changed = ParticleSystem(name: "test", emitters: [emitter])
    let next = try #require(simulation.continued(with: changed))
    let look = Appearance()
    next.appearance(ofEmitter: 0, into: look)
    try #require(look.count == before.count && look.count == 10 && next.time == simulation.time)
    for index in 0..<10 {
      let now = [look.x, look.y, look.age, look.life].map { $0[index] }
      #expect(now == Array(before[index][..<4]))
    }
    next.advance(by: 0.5)
    next.appearance(ofEmitter: 0, into: look)
    #expect(look.count == 15)
    for index in 0..<10 {
      #expect(abs(look.velocityX[index] - before[index][4]) < 1e-3)
      #expect(abs(look.velocityY[index] - before[index][5] + 45) < 1)
    }
    var two = changed
    two.emitters.append(emitter)
    #expect(simulation.continued(with: two) == nil)
  }

  @Test("particles orbit faster the greater the velocity is, in either direction")
  func orbits() {
    let turned = [-30, -1, -0.9, 0, 0.9, 1, 1.1, 30].map { velocity in
      var emitter = Self.fountain()
      emitter.motion.orbitVelocity = Track(floatLiteral: velocity)
      let look = Self.run(emitter, seconds: 1.05).look
      return look.x[0]
    }
    // They fly upwards.
    let isRising = turned[0] < turned[7]
    #expect(
      zip(turned, turned.dropFirst()).allSatisfy { isRising ? $0 < $1 : $0 > $1 }, "\(turned)")
    #expect(turned[3] == 0 && turned[7].magnitude > 20)
    // An axis without a length is the axis towards the viewer.
    var emitter = Self.fountain()
    (emitter.motion.orbitVelocity, emitter.motion.orbitAxis) = (30, .zero)
    #expect(Self.run(emitter, seconds: 1.05).look.x[0] == turned[7])
  }

  @Test("a frame of a sequence is one of its frames, in every mode and at every place")
  func sequences() {
    for count in 1...3 {
      for place in [-1e300, -7.5, -1, 0, 0.5, 1, 2, 3, 1e15, .infinity, .nan] {
        let whole = place.isFinite ? place.rounded(.down) : 0
        let once = FlipbookMode.once.frames(at: place, of: count)
        #expect(once.frame == Int(min(max(whole, 0), Double(count - 1))))
        for mode in [FlipbookMode.loop, .pingpong] {
          let found = mode.frames(at: place, of: count)
          #expect((0..<count).contains(found.frame) && (0..<count).contains(found.next))
          // Back and forth, no frame is shown twice in a row.
          if count > 1, whole.magnitude < 1e9 { #expect(found.frame != found.next) }
        }
      }
    }
  }

  @Test("particles are emitted at exact times, and live through the rest of their step")
  func exactTimes() {
    let (_, look) = Self.run(Self.fountain(), seconds: 1.05)
    #expect(look.count == 10)
    for index in 0..<10 {
      let age = 1.05 - Double(index + 1) * 0.1
      #expect((Double(look.age[index]) - age).magnitude < 1e-5)
      #expect((Double(look.y[index]) - 100 * age).magnitude < 1e-3)
    }
  }

  @Test("particles die at their lifetime; the number alive is rate × lifetime")
  func lifetimes() {
    let (simulation, look) = Self.run(Self.fountain(), seconds: 5.05)
    #expect(look.count == 20)
    #expect(simulation.population(ofEmitter: 0) == (alive: 20, emitted: 50))
    #expect(look.age.prefix(20).allSatisfy { $0 < 2 })
  }

  @Test("the length of steps does not change what is emitted, nor where it flies")
  func stepLength() {
    let system = ParticleSystem(name: "test", emitters: [Self.fountain()])
    let looks = [7, 60, 211].map { frames in
      let simulation = Simulation(system, seed: 1)
      for _ in 0..<frames { simulation.advance(by: 1.03 / Double(frames)) }
      let look = Appearance()
      simulation.appearance(ofEmitter: 0, into: look)
      return look
    }
    for look in looks.dropFirst() {
      #expect(look.count == looks[0].count && look.ordinal == looks[0].ordinal)
      for index in 0..<look.count {
        #expect((look.y[index] - looks[0].y[index]).magnitude < 1e-2)
      }
    }
  }

  @Test("periods, pauses, bursts, delay and total")
  func periods() {
    var emitter = Self.fountain()
    emitter.emission.rate = 0
    emitter.emission.bursts = [Burst(time: 0.1, count: 3)]
    emitter.timing.delay = 0.5
    emitter.timing.duration = 0.25
    emitter.timing.loop = true
    emitter.timing.idle = 0.25
    emitter.lifetime = 100
    #expect(Self.run(emitter, seconds: 0.55).look.count == 0)
    #expect(Self.run(emitter, seconds: 0.65).look.count == 3)
    #expect(Self.run(emitter, seconds: 2.05).look.count == 9)
    emitter.emission.total = 4
    #expect(Self.run(emitter, seconds: 2.05).look.count == 4)
  }

  @Test("explosiveness moves the particles of a period to its beginning")
  func explosiveness() {
    var emitter = Self.fountain()
    emitter.timing.duration = 1
    emitter.lifetime = 100
    emitter.emission.explosiveness = 0.5
    #expect(Self.run(emitter, seconds: 0.26).look.count == 5)
    #expect(Self.run(emitter, seconds: 0.9).look.count == 10)
    emitter.emission.explosiveness = 1
    #expect(Self.run(emitter, seconds: 0.05).look.count == 10)
  }

  @Test(
    "a full emitter skips, waits or recycles",
    arguments: [(WhenFull.skip, 4, 4), (.recycle, 4, 20), (.wait, 4, 4)])
  func full(whenFull: WhenFull, alive: Int, emitted: Int) {
    var emitter = Self.fountain()
    emitter.lifetime = 100
    emitter.emission.maxAlive = 4
    emitter.emission.whenFull = whenFull
    let (simulation, _) = Self.run(emitter, seconds: 2.05)
    #expect(simulation.population(ofEmitter: 0) == (alive: alive, emitted: emitted))
  }

  // MARK: Motion

  @Test("gravity acts semi-implicitly, as the specification states")
  func gravity() {
    var emitter = Self.fountain()
    emitter.emission.rate = 0
    emitter.emission.bursts = [Burst(count: 1)]
    emitter.forces = [.gravity(Vector(0, -60))]
    let (_, look) = Self.run(emitter, seconds: 1)
    // v after step n is 100 − n. The sum of 60 such steps of 1/60 s.
    let expected = (1...60).reduce(0.0) { $0 + (100 - Double($1)) / 60 }
    #expect((Double(look.y[0]) - expected).magnitude < 1e-3)
    #expect((look.velocityY[0] - 40).magnitude < 1e-3)
  }

  @Test("each law of drag leaves the speed that its formula gives")
  func drag() {
    for (law, expected) in [
      (DragLaw.exponential, 100 * 0.367_879_441), (.perFrame60, 100 * 0.547_156_6),
      (.constant, 99.0), (.euler, 100 * 0.364_787_9),
    ] {
      var emitter = Self.fountain()
      emitter.emission.rate = 0
      emitter.emission.bursts = [Burst(count: 1)]
      emitter.forces = [.drag(law, strength: law == .perFrame60 ? 0.01 : 1)]
      let (_, look) = Self.run(emitter, seconds: 1)
      #expect((Double(look.velocityY[0]) - expected).magnitude < 0.02, "\(law)")
    }
  }

  @Test("orbits keep their radius and turn by their velocity")
  func orbit() {
    var emitter = Self.fountain()
    emitter.emission.rate = 0
    emitter.emission.bursts = [Burst(count: 1)]
    emitter.motion.mode = .orbit
    var orbit = Orbit()
    orbit.radius = 50
    orbit.angularVelocity = 90
    emitter.motion.orbit = orbit
    let (_, look) = Self.run(emitter, seconds: 1)
    #expect(look.x[0].magnitude < 1e-3 && (look.y[0] - 50).magnitude < 1e-3)
  }

  // MARK: Random numbers

  @Test("places in a disc are uniform in area")
  func disc() {
    var emitter = Self.fountain()
    emitter.emission.rate = 0
    emitter.emission.bursts = [Burst(count: 4_000)]
    emitter.launch.speed = 0
    emitter.shape = Shape(.ellipse)
    emitter.shape.radii = ParticleSystem.Vector2(10, 10)
    let (_, look) = Self.run(emitter, seconds: 0.01)
    let radii = (0..<look.count).map {
      Double(look.x[$0] * look.x[$0] + look.y[$0] * look.y[$0]).squareRoot()
    }
    // The mean distance is 2/3 of the radius. The standard error of 4,000 is 0.037.
    let mean = radii.reduce(0, +) / 4_000
    #expect(abs(mean - 20.0 / 3) < 0.12)
    let inner = radii.count { $0 < 5 }
    #expect(abs(inner - 1_000) < 90)
    #expect(radii.allSatisfy { $0 <= 10.0001 })
  }

  @Test("a seed gives the same bits, another one gives others")
  func seeds() {
    var emitter = Self.fountain()
    emitter.launch.spread = 30
    emitter.launch.speed = .range(50, 100)
    let first = Self.run(emitter, seconds: 1.5).look
    #expect(Self.run(emitter, seconds: 1.5).look.x == first.x)
    #expect(Self.run(emitter, seconds: 1.5, seed: 2).look.x != first.x)
  }

  // MARK: Triggers

  @Test("simulations that take turns share a workspace and the threads, and stay apart")
  func turns() throws {
    var emitter = Self.fountain()
    emitter.launch.spread = 30
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let team = WorkerTeam(threads: 2)
    func simulation(_ seed: UInt64, takingTurnsWith other: Simulation? = nil) -> Simulation {
      Simulation(
        system, seed: seed, capacity: 10_000, team: other == nil ? team : nil, budget: nil,
        takingTurnsWith: other)
    }
    let first = simulation(1)
    let second = simulation(2, takingTurnsWith: first)
    #expect(second.states[0].workspaces === first.states[0].workspaces)
    #expect(second.states[0].team === team)
    let alone = [simulation(1), simulation(2)]
    for _ in 0..<60 { for each in [first, second] + alone { each.advance(by: 1 / 60) } }
    for (one, other) in zip([first, second], alone) {
      let looks = [one, other].map { simulation in
        let look = Appearance()
        simulation.appearance(ofEmitter: 0, into: look)
        return look
      }
      #expect(looks[0].count > 5 && looks[0].x == looks[1].x && looks[0].y == looks[1].y)
    }
  }

  @Test("a death emits particles at the place of the dead")
  func death() {
    var rocket = Self.fountain()
    rocket.emission.rate = 0
    rocket.emission.bursts = [Burst(count: 1)]
    rocket.lifetime = 0.5
    var trigger = Trigger(.death, emitter: 1, count: 5)
    trigger.inherit = [.position]
    rocket.triggers = [trigger]
    var sparks = Emitter(name: "sparks")
    sparks.lifetime = 10
    let simulation = Simulation(ParticleSystem(name: "t", emitters: [rocket, sparks]), seed: 1)
    simulation.advance(by: 0.45)
    #expect(simulation.population(ofEmitter: 1).alive == 0)
    simulation.advance(by: 0.1)
    let look = Appearance()
    simulation.appearance(ofEmitter: 1, into: look)
    #expect(look.count == 5)
    #expect(look.y.prefix(5).allSatisfy { ($0 - 50).magnitude < 2 })
  }

  @Test("a trigger acts if the number of its particle is below its probability")
  func probability() {
    var rocket = Emitter(name: "rocket")
    rocket.emission.bursts = [Burst(count: 1)]
    rocket.lifetime = 0.5
    let unit = RandomNumbers(seed: 1).unit(emitter: 0, particle: 0, channel: .trigger)
    for (probability, count) in [(unit, 0), (unit.nextUp, 5), (0, 0), (1, 5)] {
      var trigger = Trigger(.death, emitter: 1, count: 5)
      trigger.probability = probability
      rocket.triggers = [trigger]
      let system = ParticleSystem(name: "t", emitters: [rocket, Emitter(name: "sparks")])
      let simulation = Simulation(system, seed: 1)
      simulation.advance(by: 0.6)
      #expect(simulation.population(ofEmitter: 1).emitted == count, "\(probability)")
    }
  }

  @Test("particles count as seen if they change a component of the background by a 250th")
  func faint() {
    for (opacity, count) in [(1.0, 1), (0.006, 1), (0.0045, 1), (0.0035, 0), (0, 0)] {
      var emitter = Emitter(name: "still")
      emitter.emission.bursts = [Burst(count: 1)]
      emitter.lifetime = 10
      emitter.size.width = 10
      emitter.color.opacity = .constant(opacity)
      let simulation = Self.run(emitter, seconds: 0.1).simulation
      let lens = SpotLens(
        SpriteFrames(simulation.system, images: [:]), isFlat: true, backgrounds: [.zero]
      ) { _, _ in SpriteLook() }
      #expect(lens.spots(of: simulation, most: 10).count == count, "\(opacity)")
    }
  }

  // MARK: Bad input

  @Test("an unbounded effect is limited by the capacity")
  func bounds() {
    var emitter = Self.fountain()
    emitter.emission.rate = .constant(1e300)
    // It is reached after half a second at the latest.
    let (simulation, look) = Self.run(emitter, seconds: 0.6, capacity: 500)
    #expect(look.count == 500 && simulation.isOverCapacity)
    for profile in [Profile.cocos2d, .starling, .love] {
      #expect(Self.run(emitter, seconds: 0.05, profile: profile, capacity: 500).look.count <= 500)
    }
    var shortLived = emitter
    shortLived.lifetime = 0
    #expect(Self.run(shortLived, seconds: 0.05, profile: .cocos2d, capacity: 500).look.count == 0)
  }

  @Test("each emitter is prewarmed for its own time")
  func prewarm() {
    var emitters = [Self.fountain(), Self.fountain(), Self.fountain()]
    (emitters[0].timing.prewarm, emitters[1].timing.prewarm) = (1, 0.5)
    let simulation = Simulation(ParticleSystem(name: "t", emitters: emitters), seed: 1)
    simulation.advance(by: 0.05)
    #expect((0..<3).map { simulation.population(ofEmitter: $0).emitted } == [10, 5, 0])
    // A fast clock counts its own time.
    emitters[0].timing.speed = 2
    let fast = Simulation(ParticleSystem(name: "t", emitters: [emitters[0]]), seed: 1)
    fast.advance(by: 0.02)
    #expect(fast.population(ofEmitter: 0).emitted == 10)
  }

  @Test("a circle of triggers goes on with the next step")
  func circle() {
    var emitter = Self.fountain()
    emitter.triggers = [Trigger(.birth, emitter: 0, count: 2)]
    emitter.emission.maxAlive = 100
    let system = ParticleSystem(name: "t", emitters: [emitter])
    var rooted = system
    rooted.roots = [0]
    let simulation = Simulation(rooted, seed: 1, capacity: 1_000)
    simulation.advance(by: 1)
    #expect(simulation.count <= 100)
  }

  @Test(
    "a burst at the start of a period is emitted under every law, whatever step the period begins in",
    arguments: EngineLaw.all.map(\.profile))
  func burstAfterDelay(profile: Profile) {
    // Slots of Godot emit evenly.
    guard profile != .godot3, profile != .godot4 else { return }
    for delay in [0, 0.05, 0.1, 0.123] {
      var emitter = Self.fountain()
      emitter.emission.rate = 0
      emitter.emission.bursts = [Burst(time: 0, count: 7)]
      emitter.lifetime = 100
      emitter.timing.delay = .constant(delay)
      emitter.timing.duration = 1
      emitter.timing.loop = false
      let system = ParticleSystem(name: "test", emitters: [emitter])
      let simulation = Simulation(system, profile: profile, seed: 1)
      for _ in 0..<30 { simulation.advance(by: 1 / 60) }
      let extra = profile == .libgdx ? 1 : 0
      #expect(simulation.count == 7 + extra, "delay \(delay)")
    }
  }

}
