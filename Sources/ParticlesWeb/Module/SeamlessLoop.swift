internal import ParticlesModel
internal import ParticlesSimulation

/// The rounds of an effect that is repeated without a seam: a round emits until its end, and its particles live on under
/// those of the next one. All rounds have the same random numbers, so that the picture is that of a round before.
struct SeamlessLoop {
  /// Seconds of a round; 0 without a loop.
  var length = 0.0
  /// The rounds that have ended but whose particles live, the oldest first.
  private(set) var rounds: [Simulation] = []
  /// Seconds of the rounds that have ended.
  private(set) var passed = 0.0

  /// More rounds are not seen at the same time.
  private static let mostRounds = 32

  mutating func clear() { (rounds, passed) = ([], 0) }

  /// Advances all rounds, and begins the next ones.
  /// - Parameter most: the particles that may live.
  mutating func run(
    _ simulation: inout Simulation, for seconds: Double, to place: ParticleSystem.Vector,
    most: Int, next: () -> Simulation
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
      simulation = next()
      // Particles of a time before the start are those of the round before.
      simulation.clear()
      if stop != simulation.place { simulation.begin(at: stop) }
      while rounds.count > Self.mostRounds
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
