// Differences between native code and the module for web pages, which has one thread.

package import ParticlesCore
package import ParticlesModel

#if !hasFeature(Embedded)

  internal import ParticlesSystem

  /// Runs numbered pieces of work on several threads, as the module for the system does.
  enum Parallel {
    static var defaultThreads: Int { ParticlesSystem.Parallel.defaultThreads }

    @inline(__always)
    static func forEach<State>(
      _ count: Int, threads: Int? = nil, state: @Sendable () -> State,
      work: @Sendable (Int, inout State) throws -> Void
    ) throws {
      try ParticlesSystem.Parallel.forEach(count, threads: threads, state: state, work: work)
    }

    @inline(__always)
    static func ordered<State, Output: Sendable>(
      _ count: Int, state: @Sendable () -> State,
      work: @Sendable (Int, inout State) throws -> Output, emit: (Output) throws -> Void
    ) throws {
      try ParticlesSystem.Parallel.ordered(count, state: state, work: work, emit: emit)
    }
  }

#endif

extension Parallel {
  /// Runs `body` with a function for any thread. It throws `CancellationError` if the task of the caller is cancelled.
  static func stoppable(
    _ body: (_ check: @Sendable () throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    #if hasFeature(Embedded)
      try body {}
    #else
      try withUnsafeCurrentTask { task in
        nonisolated(unsafe) let task = task
        try body { if task?.isCancelled ?? false { throw CancellationError() } }
      }
    #endif
  }
}

extension Workers {
  /// The living particles of an emitter from which several threads are much faster than one, and how many keep a
  /// thread at work.
  private static let (leastShared, perThread) = (10_000.0, 1_250.0)

  /// The threads that a simulation of an effect is worth. With nil, the calling thread works alone.
  /// - Parameters:
  ///   - capacity: the most living particles of an emitter.
  ///   - most: the most threads, or nil for the default.
  package static func suited(
    to system: ParticleSystem, capacity: Int, atMost most: Int? = nil
  ) -> Workers? {
    #if hasFeature(Embedded)
      return nil
    #else
      // The budget of the process is not read for small effects.
      guard most ?? 2 > 1, Double(capacity) >= leastShared else { return nil }
      let alive = min(system.populations().map { $0.alive }.max() ?? 0, Double(capacity))
      guard alive >= leastShared else { return nil }
      let threads = min(most ?? Parallel.defaultThreads, Int(saturating: alive / perThread))
      return threads > 1 ? WorkerTeam(threads: threads) : nil
    #endif
  }
}
