internal import ParticlesCore

/// An executor on which an actor may wait for files and locks. The cooperative threads of Swift, one for
/// each processor, must not wait. All queues of a process share a few threads. The jobs of one queue run
/// one after another.
package final class FileQueue: SerialExecutor {
  private struct Jobs: Sendable {
    var waiting: [@Sendable () -> Void] = []
    /// Whether the queue waits for a thread or has one.
    var isBusy = false
  }

  private let jobs = Lock(Jobs())

  private let places: Places?

  /// - Parameter places: the places that its jobs do not leave, or nil if they are not bound.
  package init(within places: Places? = nil) {
    self.places = places
    FileThreads.shared.open()
  }

  deinit { FileThreads.shared.close() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = (UnownedJob(job), asUnownedSerialExecutor())
    let isFirst = jobs.withLock { jobs in
      jobs.waiting.append { job.runSynchronously(on: executor) }
      defer { jobs.isBusy = true }
      return !jobs.isBusy
    }
    if isFirst { FileThreads.shared.add(self) }
  }

  /// Runs the jobs that are waiting now. Later ones wait for other queues.
  fileprivate func run() {
    let now = jobs.withLock { jobs in
      defer { jobs.waiting = [] }
      return jobs.waiting
    }
    Places.run(within: places) { for job in now { job() } }
  }

  /// Whether there are jobs again, so that the queue waits for a thread. Otherwise the next job adds it.
  fileprivate func goesOn() -> Bool {
    jobs.withLock { jobs in
      jobs.isBusy = !jobs.waiting.isEmpty
      return jobs.isBusy
    }
  }
}

/// The threads for files. They are started on demand, and end with the last queue. Successive jobs, for
/// example of one document, share a thread.
private final class FileThreads: Sendable {
  static let shared = FileThreads()

  /// The greatest number of threads: some may wait for a slow disk or for another program while others go
  /// on.
  private static let limit = 8

  private let monitor = ConditionLock()
  nonisolated(unsafe) private var queues: [FileQueue] = []
  /// A thread is idle from the end of its jobs on, and from its start to the first ones.
  nonisolated(unsafe) private var (threads, idle, users) = (0, 0, 0)

  func open() {
    monitor.lock()
    users += 1
    monitor.unlock()
  }

  func close() {
    monitor.lock()
    users -= 1
    if users == 0 { monitor.wakeAll() }
    monitor.unlock()
  }

  func add(_ queue: FileQueue) {
    monitor.lock()
    queues.append(queue)
    let isStarting = queues.count > idle && threads < Self.limit
    if isStarting { (threads, idle) = (threads + 1, idle + 1) }
    monitor.wakeAll()
    monitor.unlock()
    guard isStarting else { return }
    if let thread = SystemThread({ self.run() }) { return thread.detach() }
    monitor.lock()
    (threads, idle) = (threads - 1, idle - 1)
    // There are no threads at all: the work is done here, late rather than never.
    let index = threads == 0 ? queues.firstIndex { $0 === queue } : nil
    if let index { queues.remove(at: index) }
    monitor.unlock()
    guard index != nil else { return }
    repeat { queue.run() } while queue.goesOn()
  }

  private func run() {
    while let queue = next() {
      queue.run()
      finish(queue)
    }
  }

  /// Ends a turn of a queue. The thread is idle before the queue can be added again.
  private func finish(_ queue: FileQueue) {
    monitor.lock()
    idle += 1
    if queue.goesOn() { queues.append(queue) }
    monitor.unlock()
  }

  private func next() -> FileQueue? {
    monitor.lock()
    defer { monitor.unlock() }
    while queues.isEmpty {
      if users == 0 {
        (threads, idle) = (threads - 1, idle - 1)
        return nil
      }
      monitor.wait()
    }
    idle -= 1
    return queues.removeFirst()
  }
}

/// A thread that runs jobs in their order. It is started by the first one.
final class JobThread: Sendable {
  private let monitor = ConditionLock()
  nonisolated(unsafe) private var jobs: [() -> Void] = []
  nonisolated(unsafe) private var isRunning = false
  nonisolated(unsafe) private var isEnding = false

  func add(_ job: @escaping @Sendable () -> Void) {
    monitor.lock()
    jobs.append(job)
    let isStarting = !isRunning
    isRunning = true
    monitor.wakeAll()
    monitor.unlock()
    guard isStarting else { return }
    if let thread = SystemThread({ [self] in run() }) {
      thread.detach()
    } else {
      // There are no threads left: the work is done here, late rather than never.
      end()
      run()
    }
  }

  /// Ends the thread when it has done all jobs.
  func end() {
    monitor.lock()
    isEnding = true
    monitor.wakeAll()
    monitor.unlock()
  }

  private func run() {
    while let job = next() { job() }
  }

  private func next() -> (() -> Void)? {
    monitor.lock()
    defer { monitor.unlock() }
    while jobs.isEmpty {
      if isEnding {
        isRunning = false
        return nil
      }
      monitor.wait()
    }
    return jobs.removeFirst()
  }
}
