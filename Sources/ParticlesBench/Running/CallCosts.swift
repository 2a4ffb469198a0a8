internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesSimulation

/// Times of calls in Swift that do next to nothing, as those of `Tests/Library/goals.c` by the interface for C.
struct CallCosts {
  /// An owner of a simulation, as a handle is.
  private final class Owner {
    var simulation: Simulation?

    init(_ simulation: Simulation) { self.simulation = simulation }

    @inline(never)
    func advance() -> Bool {
      guard let simulation else { return false }
      simulation.advance(by: 0)
      return true
    }

    @inline(never)
    func describe() -> Int {
      guard let simulation else { return 0 }
      let count = simulation.population(ofEmitter: 0)
      return count.alive + count.emitted + simulation.system.emitters.count
        + Int(saturating: simulation.time)
    }
  }

  /// Lines with the name of a function for C, and the nanoseconds of its work in Swift.
  static func text() throws -> String {
    let template = EffectTemplate.all.first { $0.name == "fire" } ?? EffectTemplate.all[0]
    let owner = Owner(Simulation(try template.package().system()))
    var sum = 0
    let advance = least { sum += owner.advance() ? 1 : 0 }
    let describe = least { sum &+= owner.describe() }
    guard sum != 0 else { return "" }
    return """
      particles_simulation_advance \(Decimal.fixed(advance, 1))
      particles_simulation_describe \(Decimal.fixed(describe, 1))

      """
  }

  /// The least time of a call in nanoseconds, in 1,000 rounds of 1,000, so that other programs count little.
  private static func least(_ call: () -> Void) -> Double {
    var least = Double.infinity
    for _ in 0..<1000 {
      let start = Clock.wall
      for _ in 0..<1000 { call() }
      least = min(least, (Clock.wall - start) * 1e6)
    }
    return least
  }
}
