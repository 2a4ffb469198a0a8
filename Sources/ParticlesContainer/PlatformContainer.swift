// Native code shares long work among threads. The module for web pages has one thread.

package import ParticlesCore

#if hasFeature(Embedded)

  /// The diagnostic that an error is.
  package func diagnostic(of error: Failure) -> Diagnostic? { error }

  /// Runs numbered pieces of work one after the other.
  enum Parallel {
    static let defaultThreads = 1

    static func forEach<State>(
      _ count: Int, threads: Int, state: () -> State,
      work: (Int, inout State) throws(Failure) -> Void
    ) throws(Failure) {
      var own = state()
      for index in 0..<count { try work(index, &own) }
    }

    static func ordered<State, Output>(
      _ count: Int, threads: Int, state: () -> State,
      work: (Int, inout State) throws(Failure) -> Output,
      emit: (Output) throws(Failure) -> Void
    ) throws(Failure) {
      var own = state()
      for index in 0..<count { try emit(try work(index, &own)) }
    }
  }

#else

  internal import ParticlesSystem

  /// The diagnostic that an error is, or nil for errors of applications and cancelled tasks.
  package func diagnostic(of error: Failure) -> Diagnostic? { error as? Diagnostic }

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
