/// An executor with one thread, on which an actor may wait for files and locks. The cooperative threads of
/// Swift, of which there are as many as processors, must not wait.
package final class FileQueue: SerialExecutor {
  private let shared = Shared()

  package init() {}

  deinit { shared.end() }

  package func enqueue(_ job: consuming ExecutorJob) {
    shared.add(UnownedJob(job), on: asUnownedSerialExecutor())
  }

  /// The state that the queue and its thread share. The thread ends after the queue, or when it has had no work for
  /// a while.
  private final class Shared: Sendable {
    private let monitor = Monitor()
    nonisolated(unsafe) private var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    nonisolated(unsafe) private var isRunning = false
    nonisolated(unsafe) private var isEnding = false

    func add(_ job: UnownedJob, on executor: UnownedSerialExecutor) {
      monitor.lock()
      jobs.append((job, executor))
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

    func end() {
      monitor.lock()
      isEnding = true
      monitor.wakeAll()
      monitor.unlock()
    }

    private func run() {
      while let (job, executor) = next() { job.runSynchronously(on: executor) }
    }

    private func next() -> (UnownedJob, UnownedSerialExecutor)? {
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
}
