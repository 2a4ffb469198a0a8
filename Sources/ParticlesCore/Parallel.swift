#if hasFeature(Embedded)

  /// Runs numbered pieces of work one after the other, in place of threads. Natively, `Parallel` is in ParticlesSystem.
  package enum Parallel {
    package static let defaultThreads = 1

    @inline(__always)
    package static func forEach<State>(
      _ count: Int, threads: Int? = nil, state: () -> State,
      work: (Int, inout State) throws(Failure) -> Void
    ) throws(Failure) {
      try ordered(count, threads: threads, state: state, work: work) { _ in }
    }

    @inline(__always)
    package static func ordered<State, Output>(
      _ count: Int, threads: Int? = nil, state: () -> State,
      work: (Int, inout State) throws(Failure) -> Output,
      emit: (Output) throws(Failure) -> Void
    ) throws(Failure) {
      var own = state()
      for index in 0..<count { try emit(work(index, &own)) }
    }
  }

#endif
