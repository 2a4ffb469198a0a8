/// Who does the pieces of a work: here, the calling thread alone. A subclass may have more threads.
///
/// A simulation hands its work to workers that the caller passes, and starts no thread itself. Tools and applications pass a
/// `WorkerTeam`. Web pages have one thread.
open class Workers: @unchecked Sendable {
  /// The number of threads, including the calling one.
  public let threads: Int

  /// Creates workers.
  /// - Parameter count: the number of threads, including the calling one. Values below one count as one. Default: 1.
  public init(count: Int = 1) { threads = max(1, count) }

  /// Runs the pieces 0 to `count - 1` of a work, each once, in any order, and returns when all are done.
  /// - Parameters:
  ///   - count: of pieces.
  ///   - leavingLast: whether the last piece of a thread that is at work should stay with it. That is faster where a
  ///     piece is shorter than the way of its memory from one cache to another.
  ///   - work: is called by each thread that takes part, possibly in parallel. It gets the number of the thread, below
  ///     ``threads``, 0 for the calling one, and a function that returns the number of the next piece, or nil if none is
  ///     left.
  open func share(
    _ count: Int, leavingLast: Bool, _ work: (_ thread: Int, _ next: () -> Int?) -> Void
  ) {
    Self.doAll(count, work)
  }

  /// Shares pieces among workers. Without workers, or with a single piece, the calling thread does everything.
  package static func share(
    _ count: Int, on workers: Workers?, leavingLast: Bool = false,
    _ work: (_ thread: Int, _ next: () -> Int?) -> Void
  ) {
    guard count > 1 else { return doAll(count, work) }
    guard let workers, workers.threads > 1 else { return alone { doAll(count, work) } }
    workers.share(count, leavingLast: leavingLast, work)
  }

  /// Runs pieces of work, in any order, and returns when all are done.
  /// - Parameter work: gets the numbers of the piece and of the thread (0 for the calling thread).
  package static func run(
    _ count: Int, on workers: Workers?, _ work: (_ piece: Int, _ thread: Int) -> Void
  ) {
    share(count, on: workers) { thread, next in
      while let piece = next() { work(piece, thread) }
    }
  }

  private static func doAll(_ count: Int, _ work: (_ thread: Int, _ next: () -> Int?) -> Void) {
    var piece = -1
    work(0) {
      piece += 1
      return piece < count ? piece : nil
    }
  }

  /// Does work on one thread that several could share. `make costs` counts its instructions by this name, so that there
  /// is one function of this name in the program.
  @_optimize(none) @inline(never)
  package static func alone(_ work: () -> Void) { work() }
}
