/// The work that the simulations of an effect may take together, so that an effect that asks for endless
/// particles ends, with the same result on every machine.
///
/// Work is counted in particle steps: 1 for each living particle in each step, and ``emission`` for each
/// emitted one and for each emitter. Half of it is for the time before the frames that are looked at; what
/// is left then is for the frames, of which half in equal parts. Where it is used up, particles are not
/// emitted; where it does not suffice for those that live, the effect stays as it is for a step.
package final class SimulationBudget {
  /// The particle steps that an emission counts for.
  private static let emission = 16

  /// The most living particles of all emitters.
  private let mostParticles: Int
  private var left: Int
  private var reserve: Int
  private var steps = 0
  private var stepsLeft = 0
  /// Whether a step was left out.
  package private(set) var isUsedUp = false

  /// - Parameters:
  ///   - steps: particle steps, such as `Limits.particleSteps`.
  ///   - particles: the most living particles of all emitters.
  package init(steps: Int, particles: Int) {
    (left, mostParticles) = (steps, particles)
    reserve = steps / 2
  }

  /// Begins with the frames that are looked at.
  /// - Parameter seconds: that these take, of all simulations.
  package func beginFrames(seconds: Double, simulations: Int = 1) {
    let count = (seconds / Simulation.longestStep).rounded(.up) * Double(simulations)
    (steps, stepsLeft) = (max(1, Int(min(max(count, 0), 1e12))), 0)
    stepsLeft = steps
    reserve = left / 2
  }

  /// The particles that a step may emit; nil if the step is to be left out.
  func allowance(living: Int, emitters: Int) -> Int? {
    stepsLeft = max(0, stepsLeft - 1)
    let kept = steps > 0 ? Int(Double(reserve) * Double(stepsLeft) / Double(steps)) : reserve
    let free = left - kept - living - Self.emission * emitters
    guard free >= 0 else {
      isUsedUp = true
      return nil
    }
    return max(0, min(free / Self.emission, mostParticles - living))
  }

  func use(living: Int, emitted: Int, emitters: Int) {
    left -= living + Self.emission * (emitted + emitters)
  }
}
