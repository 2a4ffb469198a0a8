/// An executor with one thread, on which an actor may wait for files and locks. The cooperative threads of
/// Swift, of which there are as many as processors, must not wait.
package final class FileQueue: SerialExecutor {
  private let thread = JobThread()

  package init() {}

  deinit { thread.end() }

  package func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = (UnownedJob(job), asUnownedSerialExecutor())
    thread.add { job.runSynchronously(on: executor) }
  }
}

/// A thread that runs jobs in their order. It is started by the first one.
final class JobThread: Sendable {
  private let monitor = Monitor()
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
