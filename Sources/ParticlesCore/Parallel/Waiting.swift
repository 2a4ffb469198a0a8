/// Runs asynchronous work for callers without concurrency, such as a command of a tool.
///
/// The work and the tasks that it starts run on a thread of their own where the system supports that, so
/// that it ends even if all cooperative threads of Swift wait for such work.
package enum Waiting {
  @TaskLocal private static var executor: (any Sendable)?

  /// Runs `body` to its end and blocks the thread meanwhile.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let done = Signal()
    let result = Lock<Result<Value, any Error>?>(nil)
    let own: (any Sendable)? =
      if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
        TaskThread()
      } else {
        nil
      }
    $executor.withValue(own) {
      _ = task {
        let outcome: Result<Value, any Error>
        do {
          outcome = .success(try await body())
        } catch {
          outcome = .failure(error)
        }
        result.withLock { $0 = outcome }
        done.send()
      }
    }
    done.wait()
    guard let outcome = result.withLock(\.self) else { throw CancellationError() }
    return try outcome.get()
  }

  /// Starts a task: on the thread of the work that it is part of, else as any other task.
  package static func task<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *),
      let executor = executor as? TaskThread
    {
      return Task(executorPreference: executor, operation: body)
    }
    return Task(operation: body)
  }
}

/// An executor of tasks with one thread.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
private final class TaskThread: TaskExecutor {
  private let thread = JobThread()

  deinit { thread.end() }

  func enqueue(_ job: consuming ExecutorJob) {
    let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
    thread.add { job.runSynchronously(on: executor) }
  }
}
