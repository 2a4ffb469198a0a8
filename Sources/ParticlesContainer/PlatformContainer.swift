// Native code shares long work among threads. The module for web pages has one thread.

#if !hasFeature(Embedded)

  internal import ParticlesSystem

  /// Runs numbered pieces of work on several threads, as the module for the system does.
  enum Parallel {
    static var defaultThreads: Int { ParticlesSystem.Parallel.defaultThreads }

    static func forEach<State>(
      _ count: Int, threads: Int, state: @Sendable () -> State,
      work: @Sendable (Int, inout State) throws -> Void
    ) throws {
      try ParticlesSystem.Parallel.forEach(count, threads: threads, state: state, work: work)
    }

    static func ordered<State, Output: Sendable>(
      _ count: Int, threads: Int, state: @Sendable () -> State,
      work: @Sendable (Int, inout State) throws -> Output, emit: (Output) throws -> Void
    ) throws {
      try ParticlesSystem.Parallel.ordered(
        count, threads: threads, state: state, work: work, emit: emit)
    }
  }

#endif
