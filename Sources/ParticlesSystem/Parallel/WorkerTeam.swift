public import ParticlesCore
internal import ParticlesPlatform
internal import Synchronization

/// Threads that wait for short work, such as a step of a simulation. They start with the first work, fall asleep when
/// there is none for a while, and end with the team.
///
/// ```swift
/// let simulation = Simulation(system, team: WorkerTeam(threads: 4))
/// ```
///
/// Several simulations may share a team. While it works for one simulation, the rest work on the threads that call
/// them.
public final class WorkerTeam: Workers, @unchecked Sendable {
  // Handing out work takes less than a microsecond while the threads are awake. `Parallel` is for work that is worth
  // starting threads.
  private let crew: Crew

  /// Creates a team. No thread is started yet.
  /// - Parameter threads: their number, including the calling thread. Values below one count as one. With nil, the
  ///   default, it is one for each processor that the process may use, and at most one for each 128 MiB of memory.
  public init(threads: Int? = nil) {
    let threads = max(1, threads ?? Parallel.defaultThreads)
    crew = Crew(helpers: threads - 1)
    super.init(count: threads)
  }

  deinit { crew.end() }

  /// Runs pieces of work and returns when all are done. The calling thread takes part. It does everything while the
  /// team is at other work.
  ///
  /// Each thread begins with its own range of neighbouring pieces. Calls with equal numbers of pieces give it equal
  /// ranges, so that their memory stays in its cache. The calling thread gets the last range. A thread whose range is
  /// used up takes over pieces of other threads.
  public override func share(
    _ count: Int, leavingLast: Bool, _ work: (_ thread: Int, _ next: () -> Int?) -> Void
  ) {
    guard threads > 1, crew.acquire() else { return Workers.share(count, on: nil, work) }
    // An optimised program contains the length of this name, or else of the file's path, which would depend on
    // the folder of the build. Where an error is thrown, the end of the function counts, too. The name of the
    // file itself would be a warning.
    #sourceLocation(file:"WorkerTeam",line:1)
    withoutActuallyEscaping(work) {
      crew.run(count, leavingLast: leavingLast, $0)
    }
    crew.release()
  }
  #sourceLocation()
}

/// The pieces of a work that one thread takes.
private struct WorkShare {
  /// The number of the thread, 0 for the thread that started the work.
  let thread: Int
  let threads: Int
  /// The pieces that are left: a range for each thread.
  let rows: UnsafeMutablePointer<Row>
  let isLeavingLast: Bool
  /// How many ranges are used up, from the own one on.
  private var used = 0

  init(thread: Int, of threads: Int, rows: UnsafeMutablePointer<Row>, isLeavingLast: Bool) {
    (self.thread, self.threads, self.rows) = (thread, threads, rows)
    self.isLeavingLast = isLeavingLast
  }

  /// Takes another piece.
  /// - Returns: its number, or nil if none is left.
  mutating func next() -> Int? {
    while used < threads {
      let row = rows + (thread + used) % threads
      if used > 0, isLeavingLast, row.pointee.isAtLastPiece {
        used += 1
        continue
      }
      let piece = row.pointee.next.add(1, ordering: .relaxed).oldValue
      if piece < row.pointee.end { return piece }
      used += 1
    }
    return nil
  }
}

/// The communication between a thread and the thread that hands out work.
private struct Row: ~Copyable {
  /// The state of a thread.
  enum State: UInt8, AtomicRepresentable {
    /// It looks for work.
    case idle
    /// There is work for it.
    case offered
    case working
    case asleep
    /// The team ends, and so does the thread.
    case ended
  }

  /// The next piece of the thread's own range, which others may take, too.
  let next = Atomic(0)
  var end = 0
  // Not in the cache line of the pieces, so that a waiting thread does not slow down working threads.
  private let padding: Padding = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  let state = Atomic(State.idle)
  private let rest: Padding = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// Whether the thread is at work, and no more than one piece is left for it.
  var isAtLastPiece: Bool {
    state.load(ordering: .relaxed) == .working && next.load(ordering: .relaxed) + 1 >= end
  }

  private typealias Padding = (
    Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int
  )
}

/// The shared state of the threads of a team.
private final class Crew: Sendable {
  typealias Work = (_ thread: Int, _ next: () -> Int?) -> Void

  let helpers: Int
  /// One for each thread, the calling one first.
  nonisolated(unsafe) private let rows: UnsafeMutablePointer<Row>
  private let isTaken = Atomic(false)
  private let monitor = ConditionLock()
  // Written while no thread is at work.
  nonisolated(unsafe) private let work: UnsafeMutablePointer<Work?>
  nonisolated(unsafe) private let isLeavingLast: UnsafeMutablePointer<Bool>
  // Written by the thread that has taken the team.
  nonisolated(unsafe) private let isStarted: UnsafeMutablePointer<Bool>

  /// How often a thread looks for work before it falls asleep: some tens of microseconds.
  private static let patience = 4_000

  init(helpers: Int) {
    self.helpers = helpers
    rows = UnsafeMutableRawPointer.allocate(
      byteCount: (helpers + 1) * MemoryLayout<Row>.stride, alignment: 128
    ).bindMemory(to: Row.self, capacity: helpers + 1)
    for row in 0...helpers { (rows + row).initialize(to: Row()) }
    work = .allocate(capacity: 1)
    work.initialize(to: nil)
    isLeavingLast = .allocate(capacity: 1)
    isLeavingLast.initialize(to: false)
    isStarted = .allocate(capacity: 1)
    isStarted.initialize(to: false)
  }

  deinit {
    rows.deinitialize(count: helpers + 1)
    rows.deallocate()
    work.deinitialize(count: 1)
    work.deallocate()
    isLeavingLast.deallocate()
    isStarted.deallocate()
  }

  func acquire() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  func release() { isTaken.store(false, ordering: .releasing) }

  func run(_ count: Int, leavingLast: Bool, _ work: @escaping Work) {
    if !isStarted.pointee {
      isStarted.pointee = true
      for thread in 1...helpers { SystemThread { self.help(as: thread) }?.detach() }
    }
    (self.work.pointee, isLeavingLast.pointee) = (work, leavingLast)
    for thread in 0...helpers {
      let part = helpers - thread
      rows[thread].next.store(count * part / (helpers + 1), ordering: .relaxed)
      rows[thread].end = count * (part + 1) / (helpers + 1)
    }
    var areAllAwake = true
    for thread in 1...helpers {
      let before = rows[thread].state.exchange(.offered, ordering: .acquiringAndReleasing)
      if before == .asleep { areAllAwake = false }
    }
    if !areAllAwake { wake() }
    rows[0].state.store(.working, ordering: .relaxed)
    takePieces(0)
    rows[0].state.store(.idle, ordering: .relaxed)
    for thread in 1...helpers { withdraw(from: thread) }
    self.work.pointee = nil
  }

  /// Takes back the work that a thread has not begun with, or waits until it is done.
  private func withdraw(from thread: Int) {
    if rows[thread].state.load(ordering: .relaxed) == .offered {
      let (isWithdrawn, _) = rows[thread].state.compareExchange(
        expected: .offered, desired: .idle, ordering: .acquiringAndReleasing)
      if isWithdrawn { return }
    }
    var looks = 0
    while rows[thread].state.load(ordering: .acquiring) == .working {
      looks += 1
      if looks > 500 { sched_yield() } else { SystemCalls.waitAMoment() }
    }
  }

  func end() {
    for thread in 0...helpers {
      rows[thread].state.store(.ended, ordering: .sequentiallyConsistent)
    }
    wake()
  }

  private func wake() {
    monitor.lock()
    monitor.wakeAll()
    monitor.unlock()
  }

  private func takePieces(_ thread: Int) {
    guard let work = work.pointee else { return }
    var share = WorkShare(
      thread: thread, of: helpers + 1, rows: rows, isLeavingLast: isLeavingLast.pointee)
    work(thread) { share.next() }
  }

  /// The life of a thread.
  private func help(as thread: Int) {
    while true {
      awaitWork(thread)
      let (isWorking, state) = rows[thread].state.compareExchange(
        expected: .offered, desired: .working, ordering: .acquiringAndReleasing)
      guard isWorking else {
        if state == .ended { return }
        continue
      }
      takePieces(thread)
      rows[thread].state.store(.idle, ordering: .releasing)
    }
  }

  /// Returns when there is work, or may be, or the team ends.
  private func awaitWork(_ thread: Int) {
    for _ in 0..<Self.patience {
      if rows[thread].state.load(ordering: .relaxed) != .idle { return }
      SystemCalls.waitAMoment()
    }
    monitor.lock()
    defer { monitor.unlock() }
    let (isAsleep, _) = rows[thread].state.compareExchange(
      expected: .idle, desired: .asleep, ordering: .acquiringAndReleasing)
    guard isAsleep else { return }
    while rows[thread].state.load(ordering: .acquiring) == .asleep { monitor.wait() }
  }
}
