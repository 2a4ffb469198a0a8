import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

@Suite("Directions over life, paths, and periods of engines")
struct DirectionTests {
  private static func simulation(
    _ emitter: Emitter, seconds: Double, profile: Profile = .neutral
  ) -> Simulation {
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system, profile: profile)
    for _ in 0..<Int((seconds * 60).rounded()) { simulation.advance(by: 1.0 / 60) }
    return simulation
  }

  private static func look(_ emitter: Emitter, seconds: Double) -> Appearance {
    let look = Appearance()
    simulation(emitter, seconds: seconds).appearance(ofEmitter: 0, into: look)
    return look
  }

  /// One particle of 2 s, at 60 units a second.
  private static func single() -> Emitter {
    var emitter = Emitter(name: "one")
    emitter.emission.bursts = [Burst(count: 1)]
    emitter.emission.rate = 0
    emitter.lifetime = 2
    emitter.launch.speed = 60
    emitter.launch.spread = 0
    emitter.launch.direction = Direction(angle: 90)
    return emitter
  }

  // MARK: Directions

  @Test(
    "the direction over life replaces that of the velocity, which keeps its length",
    arguments: [Profile.neutral, .godot3])
  func direction(profile: Profile) throws {
    var emitter = Self.single()
    emitter.transform.angle = 90
    emitter.emission.maxAlive = 1
    emitter.motion.direction = Track(from: -90, to: 90)
    // A half circle, which begins to the right.
    let simulation = Self.simulation(emitter, seconds: 1.9, profile: profile)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    try #require(look.count == 1)
    let share = Double(look.age[0]) / 2
    let (sine, cosine) = sineAndCosine(degrees: 180 * share)
    let radius = 60 * 2 / Double.pi
    #expect((Double(look.x[0]) - radius * sine).magnitude < 2.5)
    #expect((Double(look.y[0]) - radius * (1 - cosine)).magnitude < 2.5)
  }

  // MARK: Paths

  @Test(
    "formulas are evaluated",
    arguments: [
      ("x", 3, 3), ("-x * 2 + 1", 3, -5), ("2 - 3 - x", 3, -4), ("12 / 2 / x", 3, 2),
      ("sin(x/10)*20", 5 * .pi, 20), ("cos(0) + tan(0)", 0, 1), ("pow(x, 3) + pow(2, -1)", 2, 8.5),
      ("max(min(x, 2), abs(-1))", 5, 2), ("sqrt(PI * PI) + .5", 0, .pi + 0.5),
      ("round(x) + floor(1.5) - ceil(1.5) * sign(-2)", 2.5, 6), ("1 / x", 0, 0),
      ("pow(x, 0.5)", 4, 0),
    ] as [(String, Double, Double)])
  func formula(text: String, x: Double, value: Double) throws {
    let formula = try PathFormula(text)
    #expect((formula.value(at: x) - value).magnitude < 1e-9)
  }

  @Test(
    "other texts are no formulas",
    arguments: [
      "", "x +", "sin x", "sin(x", "y", "x)", "pow(x)", "min(1, 2, 3)", "1.2.3", "x = 2",
      String(repeating: "(", count: 200) + "x" + String(repeating: ")", count: 200),
      String(repeating: "-", count: 400) + "x", String(repeating: "1+", count: 600) + "1",
    ])
  func noFormula(text: String) {
    #expect(throws: PathFormula.Fault.self) { try PathFormula(text) }
  }

  @Test("a formula is followed at the speed over life, to the right of the launch")
  func path() throws {
    var emitter = Self.single()
    emitter.motion.mode = .path
    var path = MotionPath()
    path.expression = "x / 2"
    emitter.motion.path = path
    // 60 units a second at first and none at the end: 60 ahead after the life of 2 s.
    (emitter.motion.speed, emitter.motion.speedMode) = (Track(from: 60, to: 0), .replace)
    var look = Self.look(emitter, seconds: 1)
    try #require(look.count == 1)
    #expect((look.y[0] - 45).magnitude < 0.5)
    #expect((look.x[0] - 22.5).magnitude < 0.25)
    (emitter.motion.speed, emitter.motion.speedMode) = (Track(from: 1, to: 0), .multiply)
    look = Self.look(emitter, seconds: 1)
    #expect((look.y[0] - 45).magnitude < 0.5)
    // A text that is no formula leaves motion as it is without a path.
    emitter.motion.path?.expression = "x +"
    look = Self.look(emitter, seconds: 1)
    #expect(look.x[0].magnitude < 1e-3 && look.y[0] > 20)
  }

  // MARK: Periods

  /// What recordings of the engines have.
  @Test(
    "periods end with the frame with which they end in the engine",
    arguments: [
      // libGDX counts from −1 ms. A continuous emitter does not count the frame of its restart.
      (Profile.libgdx, 300, 0.2, 0.0, false, 0.5, 64), (.libgdx, 300, 0.3, 0, false, 1, 93),
      (.libgdx, 300, 0.2, 0.1, false, 0.1, 0),
      // LÖVE subtracts frames in single precision: 15 frames are less than 0.25 s.
      (.love, 56.25, 0.25, 0, false, 1, 15),
      // three.quarks keeps particles that it has not emitted in a period for the next period.
      (.quarks, 60, 1, 0, true, 5, 299),
    ] as [(Profile, Double, Double, Double, Bool, Double, Int)])
  func periods(
    profile: Profile, rate: Double, duration: Double, delay: Double, loop: Bool, seconds: Double,
    count: Int
  ) {
    var emitter = Self.single()
    emitter.emission.bursts = []
    emitter.emission.rate = .constant(rate)
    emitter.emission.maxAlive = 1_000
    emitter.timing.duration = .constant(duration)
    emitter.timing.delay = .constant(delay)
    emitter.timing.loop = loop
    let simulation = Self.simulation(emitter, seconds: seconds, profile: profile)
    #expect(simulation.population(ofEmitter: 0).emitted == count)
  }
}
