internal import ParticlesCore

/// A task that another thread may cancel while it runs.
struct RunningTask: @unchecked Sendable {
  var task: UnsafeCurrentTask?
}

/// The task of the call that is going on, for other threads.
final class RunningCall: Sendable {
  private let running = Lock(RunningTask())

  /// Keeps the task of a call, or that there is none.
  func note(_ task: RunningTask) { running.withLock { $0 = task } }

  func cancel() { running.withLock { $0.task?.cancel() } }
}

/// Runs work on the calling thread as a task, because tasks are what the library asks whether to stop.
enum CancellableTask {
  /// A closure that is run before its caller goes on.
  private final class Work: @unchecked Sendable {
    let body: () -> Void
    let note: (RunningTask) -> Void

    init(_ body: @escaping () -> Void, note: @escaping (RunningTask) -> Void) {
      (self.body, self.note) = (body, note)
    }

    func run() {
      withUnsafeCurrentTask { note(RunningTask(task: $0)) }
      body()
      note(RunningTask())
    }
  }

  /// - Parameter note: gets the task before the work begins, and none after it.
  static func run(_ body: @escaping () -> Void, note: @escaping (RunningTask) -> Void) {
    let (work, end) = (Work(body, note: note), Signal())
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      _ = Task.immediate {
        work.run()
        end.send()
      }
    } else {
      _ = Task.detached {
        work.run()
        end.send()
      }
    }
    end.wait()
  }
}
