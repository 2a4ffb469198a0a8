internal import ParticlesPlatform
internal import Synchronization

/// Threads that wait for short work, such as a step of a simulation: handing out work takes less
/// than a microsecond while they are awake. They fall asleep when there is none for a while.
///
/// ``Parallel`` is for work that is worth starting threads.
package final class WorkerTeam: Sendable {
  private let crew: Crew

  /// The number of threads, including the calling one.
  package var threads: Int { crew.helpers + 1 }

  /// - Parameter threads: their number, including the calling one.
  package init(threads: Int) { crew = Crew(helpers: max(1, threads) - 1) }

  deinit { crew.end() }

  /// Runs pieces of work, in any order, and returns when all are done. The calling thread takes
  /// part; it does everything without a team, or while the team is at other work.
  /// - Parameter work: gets the number of the piece, and that of the thread, which is 0 for the
  ///   calling one.
  package static func run(
    _ count: Int, on team: WorkerTeam?, _ work: @Sendable (_ piece: Int, _ thread: Int) -> Void
  ) {
    guard count > 1, let crew = team?.crew, crew.helpers > 0, crew.take() else {
      for piece in 0..<count { work(piece, 0) }
      return
    }
    withoutActuallyEscaping(work) { crew.run(count, $0) }
    crew.release()
  }
}

/// The shared state of the threads of a team.
private final class Crew: Sendable {
  let helpers: Int
  private let isTaken = Atomic(false)
  /// Odd while there is work; another number for every work.
  private let gate = Atomic(0)
  private let next = Atomic(0)
  /// Threads that look at the work now.
  private let inside = Atomic(0)
  private let asleep = Atomic(0)
  private let isEnding = Atomic(false)
  private let monitor = Monitor()
  // Written while the gate is closed and no thread is inside.
  nonisolated(unsafe) private var work: (@Sendable (Int, Int) -> Void)?
  nonisolated(unsafe) private var count = 0
  // Written by the thread that has taken the team.
  nonisolated(unsafe) private var isStarted = false

  /// How often a thread looks for work before it falls asleep: some tens of microseconds.
  private static let patience = 20_000

  init(helpers: Int) { self.helpers = helpers }

  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  func release() { isTaken.store(false, ordering: .releasing) }

  func run(_ count: Int, _ work: @escaping @Sendable (Int, Int) -> Void) {
    if !isStarted {
      isStarted = true
      for thread in 1...helpers { SystemThread { self.help(as: thread) }?.detach() }
    }
    self.work = work
    self.count = count
    next.store(0, ordering: .relaxed)
    gate.add(1, ordering: .sequentiallyConsistent)
    wake()
    takePieces(0)
    gate.add(1, ordering: .sequentiallyConsistent)
    var looks = 0
    while inside.load(ordering: .sequentiallyConsistent) > 0 {
      looks += 1
      if looks > 2_000 { sched_yield() }
    }
    self.work = nil
  }

  func end() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    wake()
  }

  private func wake() {
    guard asleep.load(ordering: .sequentiallyConsistent) > 0 else { return }
    monitor.lock()
    monitor.wakeAll()
    monitor.unlock()
  }

  private func takePieces(_ thread: Int) {
    guard let work else { return }
    while true {
      let piece = next.add(1, ordering: .relaxed).oldValue
      guard piece < count else { return }
      work(piece, thread)
    }
  }

  /// The life of a thread.
  private func help(as thread: Int) {
    var seen = 0
    while !isEnding.load(ordering: .relaxed) {
      seen = awaitWork(after: seen)
      inside.add(1, ordering: .sequentiallyConsistent)
      // Otherwise the work ended meanwhile.
      if seen % 2 == 1, gate.load(ordering: .sequentiallyConsistent) == seen { takePieces(thread) }
      inside.subtract(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Returns the number of new work, or any number when the team ends.
  private func awaitWork(after seen: Int) -> Int {
    func found() -> Int? {
      let now = gate.load(ordering: .sequentiallyConsistent)
      let isNew = now % 2 == 1 && now != seen
      return isNew || isEnding.load(ordering: .sequentiallyConsistent) ? now : nil
    }
    for _ in 0..<Self.patience {
      if let now = found() { return now }
    }
    monitor.lock()
    defer { monitor.unlock() }
    asleep.add(1, ordering: .sequentiallyConsistent)
    defer { asleep.subtract(1, ordering: .sequentiallyConsistent) }
    while true {
      if let now = found() { return now }
      monitor.wait()
    }
  }
}
