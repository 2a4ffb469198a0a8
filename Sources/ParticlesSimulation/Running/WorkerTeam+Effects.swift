package import ParticlesCore
package import ParticlesModel

extension WorkerTeam {
  /// The living particles of an emitter from which several threads are much faster than one, and how many keep a
  /// thread at work.
  private static let (leastShared, perThread) = (10_000.0, 1_250.0)

  /// The threads that a simulation of an effect is worth; nil for the calling thread alone.
  /// - Parameters:
  ///   - capacity: the most living particles of an emitter.
  ///   - most: the most threads; nil for the default.
  package static func suited(
    to system: ParticleSystem, capacity: Int, atMost most: Int? = nil
  ) -> WorkerTeam? {
    // The budget of the process is not read for small effects.
    guard most ?? 2 > 1, Double(capacity) >= leastShared else { return nil }
    let alive = min(system.populations().map { $0.alive }.max() ?? 0, Double(capacity))
    guard alive >= leastShared else { return nil }
    let threads = min(most ?? Parallel.defaultThreads, Int(saturating: alive / perThread))
    return threads > 1 ? WorkerTeam(threads: threads) : nil
  }
}
