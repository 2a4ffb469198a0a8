internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesSimulation

/// The rounds of an effect that is repeated without a seam: a round emits until its end, and its particles live on under
/// the particles of the next round. All rounds have equal random numbers, so that their pictures are equal, too.
struct SeamlessLoop {
  /// The seconds that a round may have.
  static let lengths = 0.1...600.0
  /// The most rounds that are seen at a time. From the next round on, a picture has all particles.
  static let mostRounds = 32

  /// Seconds of a round, or 0 without a loop.
  var length = 0.0
  /// The rounds that have ended but whose particles live, the oldest first.
  private(set) var rounds: [Simulation] = []
  /// Seconds of the rounds that have ended.
  private(set) var passed = 0.0
  /// The state in which rounds after the first begin. The time before the start, which may be long, is simulated once.
  private var beginning: Simulation?

  mutating func clear() { (rounds, passed, beginning) = ([], 0, nil) }

  /// How many rounds, with the present one, are seen at a time.
  func overlap(of system: ParticleSystem) -> Int {
    guard length > 0 else { return 1 }
    return 1
      + Int(
        saturating: min((system.longestLife / length).rounded(.up), Double(Self.mostRounds - 1)))
  }

  /// The number of the first round whose particles are seen at a moment.
  private func firstRound(at moment: Double, of system: ParticleSystem) -> Double {
    guard length > 0 else { return 0 }
    return max(0, (moment / length).rounded(.down) - Double(overlap(of: system) - 1))
  }

  /// The seconds that have to be simulated to a moment.
  func span(to moment: Double, of system: ParticleSystem) -> Double {
    moment - firstRound(at: moment, of: system) * length
  }

  /// Begins with the first round whose particles are seen at a moment.
  /// - Parameter make: makes the effect at its start.
  /// - Returns: the simulation of that round.
  mutating func begin(
    for moment: Double, of system: ParticleSystem, _ make: () -> Simulation
  ) -> Simulation {
    clear()
    let first = firstRound(at: moment, of: system)
    passed = first * length
    return first > 0 ? following(make) : make()
  }

  /// A round after the first. It has no particles of a time before its start: they are in the round before.
  private mutating func following(_ make: () -> Simulation) -> Simulation {
    let start = beginning ?? make()
    beginning = start
    return start.withoutParticles()
  }

  /// Goes on with another effect. Rounds whose particles cannot go on are seen no more.
  mutating func change(to system: ParticleSystem) {
    rounds = rounds.compactMap { $0.continued(with: system) }
    beginning = nil
  }

  /// Advances all rounds, and begins the next ones.
  /// - Parameters:
  ///   - most: the particles that may live.
  ///   - make: makes the effect at its start.
  mutating func run(
    _ simulation: inout Simulation, for seconds: Double, to place: ParticleSystem.Vector,
    most: Int, _ make: () -> Simulation
  ) {
    var left = seconds
    while length > 0, left > 0 {
      let rest = length - simulation.time
      guard rest <= left else { break }
      // As far as the effect moves until then.
      let (here, share) = (simulation.place, max(0, rest) / left)
      let stop =
        rest == left
        ? place
        : ParticleSystem.Vector(
          here.x + (place.x - here.x) * share, here.y + (place.y - here.y) * share,
          here.z + (place.z - here.z) * share)
      if rest > 0 { advance(simulation, by: rest, to: stop) }
      left -= max(0, rest)
      passed += length
      simulation.stopEmitting()
      rounds.append(simulation)
      simulation = following(make)
      if stop != simulation.place { simulation.begin(at: stop) }
      while rounds.count >= Self.mostRounds
        || (!rounds.isEmpty && rounds.reduce(0, { $0 + $1.count }) > most)
      {
        rounds.removeFirst()
      }
    }
    advance(simulation, by: left, to: place)
    rounds.removeAll { $0.isOver }
  }

  private func advance(
    _ simulation: Simulation, by seconds: Double, to place: ParticleSystem.Vector
  ) {
    for each in rounds + [simulation] {
      if place == each.place {
        each.advance(by: seconds)
      } else {
        each.advance(by: seconds, to: place)
      }
    }
  }
}
