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

  /// Runs pieces of work and returns when all are done. The calling thread takes part; it does
  /// everything without a team, or while the team is at other work.
  ///
  /// Each thread begins with pieces of its own, which are neighbours and the same for the same number
  /// of pieces, so that their memory stays in its cache: the last ones for the calling thread. A thread
  /// that has none left takes over those of others.
  /// - Parameters:
  ///   - meanwhile: is called by the calling thread before it takes part, while others are at work.
  ///   - work: is called once by each thread that takes part, possibly at the same time, and runs the
  ///     pieces of its share.
  package static func share(
    _ count: Int, on team: WorkerTeam?, meanwhile: (() -> Void)? = nil,
    _ work: (inout WorkShare) -> Void
  ) {
    guard count > (meanwhile == nil ? 1 : 0), let crew = team?.crew, crew.helpers > 0, crew.take()
    else {
      meanwhile?()
      var share = WorkShare(count: count)
      work(&share)
      return
    }
    withoutActuallyEscaping(work) { crew.run(count, meanwhile, $0) }
    crew.release()
  }

  /// Runs pieces of work, in any order, and returns when all are done.
  /// - Parameter work: gets the number of the piece, and that of the thread, which is 0 for the
  ///   calling one.
  package static func run(
    _ count: Int, on team: WorkerTeam?, _ work: @Sendable (_ piece: Int, _ thread: Int) -> Void
  ) {
    share(count, on: team) { share in
      while let piece = share.next() { work(piece, share.thread) }
    }
  }
}

/// The pieces of a work that one thread takes.
package struct WorkShare {
  /// The number of the thread, 0 for the one that started the work.
  package let thread: Int
  /// The pieces that nobody has taken yet: a range for each thread, or one for this thread alone.
  fileprivate let rows: UnsafeMutablePointer<Row>?
  fileprivate let threads: Int
  /// How many ranges are used up, from the own one on.
  private var used = 0
  private var alone: Range<Int>

  fileprivate init(count: Int) {
    (thread, rows, threads) = (0, nil, 1)
    alone = 0..<count
  }

  fileprivate init(thread: Int, of threads: Int, rows: UnsafeMutablePointer<Row>) {
    (self.thread, self.rows, self.threads) = (thread, rows, threads)
    alone = 0..<0
  }

  /// Takes another piece.
  /// - Returns: its number; nil if none is left.
  package mutating func next() -> Int? {
    guard let rows else {
      guard let piece = alone.first else { return nil }
      alone = piece + 1..<alone.upperBound
      return piece
    }
    while used < threads {
      let row = rows + (thread + used) % threads
      let piece = row.pointee.next.add(1, ordering: .relaxed).oldValue
      if piece < row.pointee.end { return piece }
      used += 1
    }
    return nil
  }
}

/// What threads tell each other. Each is in cache lines of its own, so that a thread that waits for
/// one number does not slow down those that change others.
private struct Row: ~Copyable {
  /// The next piece of a thread's own range, which others may take, too.
  let next = Atomic(0)
  var end = 0
  /// The work that the thread looks at now; 0 for none.
  let inside = Atomic(0)
  private let padding: InlineBytes = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  private typealias InlineBytes = (
    Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int
  )
}

/// The shared state of the threads of a team.
private final class Crew: Sendable {
  private typealias Work = (inout WorkShare) -> Void

  let helpers: Int
  /// One for each thread, and one before the first whose `next` is the gate: odd while there is work,
  /// another number for every work.
  nonisolated(unsafe) private let rows: UnsafeMutablePointer<Row>
  private let isTaken = Atomic(false)
  private let asleep = Atomic(0)
  private let isEnding = Atomic(false)
  private let monitor = Monitor()
  // Written while the gate is closed and no thread is inside.
  nonisolated(unsafe) private var work: Work?
  // Written by the thread that has taken the team.
  nonisolated(unsafe) private var isStarted = false

  /// How often a thread looks for work before it falls asleep: some tens of microseconds.
  private static let patience = 50_000

  init(helpers: Int) {
    self.helpers = helpers
    rows = UnsafeMutableRawPointer.allocate(
      byteCount: (helpers + 2) * MemoryLayout<Row>.stride, alignment: 128
    ).bindMemory(to: Row.self, capacity: helpers + 2)
    for row in 0..<helpers + 2 { (rows + row).initialize(to: Row()) }
  }

  deinit {
    rows.deinitialize(count: helpers + 2)
    rows.deallocate()
  }

  private var threads: UnsafeMutablePointer<Row> { rows + 1 }

  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  func release() { isTaken.store(false, ordering: .releasing) }

  func run(
    _ count: Int, _ meanwhile: (() -> Void)?, _ work: @escaping (inout WorkShare) -> Void
  ) {
    if !isStarted {
      isStarted = true
      for thread in 1...helpers { SystemThread { self.help(as: thread) }?.detach() }
    }
    self.work = work
    for thread in 0...helpers {
      let part = helpers - thread
      threads[thread].next.store(count * part / (helpers + 1), ordering: .relaxed)
      threads[thread].end = count * (part + 1) / (helpers + 1)
    }
    rows.pointee.next.add(1, ordering: .sequentiallyConsistent)
    wake()
    meanwhile?()
    takePieces(0)
    rows.pointee.next.add(1, ordering: .sequentiallyConsistent)
    for thread in 1...helpers {
      var looks = 0
      while threads[thread].inside.load(ordering: .sequentiallyConsistent) != 0 {
        looks += 1
        if looks > 5_000 { sched_yield() }
      }
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
    var share = WorkShare(thread: thread, of: helpers + 1, rows: threads)
    work(&share)
  }

  /// The life of a thread.
  private func help(as thread: Int) {
    var seen = 0
    while !isEnding.load(ordering: .relaxed) {
      seen = awaitWork(after: seen)
      threads[thread].inside.store(seen, ordering: .sequentiallyConsistent)
      // Otherwise the work ended meanwhile.
      if seen % 2 == 1, rows.pointee.next.load(ordering: .sequentiallyConsistent) == seen {
        takePieces(thread)
      }
      threads[thread].inside.store(0, ordering: .sequentiallyConsistent)
    }
  }

  /// Returns the number of new work, or any number when the team ends.
  private func awaitWork(after seen: Int) -> Int {
    func found() -> Int? {
      let now = rows.pointee.next.load(ordering: .sequentiallyConsistent)
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
