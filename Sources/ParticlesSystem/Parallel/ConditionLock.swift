internal import ParticlesCore
internal import ParticlesPlatform

/// A lock with a condition variable.
final class ConditionLock: Sendable {
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  nonisolated(unsafe) private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Waits for ``wakeAll()`` and releases the lock meanwhile. Spurious wake-ups are possible.
  func wait() { pthread_cond_wait(condition, mutex) }

  func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A signal that one thread sends and another waits for. A signal that is sent before the wait is not
/// lost. Sent several times, it counts once.
package final class Signal: Sendable {
  private let monitor = ConditionLock()
  nonisolated(unsafe) private var isSent = false

  package init() {}

  package func send() {
    monitor.lock()
    isSent = true
    monitor.wakeAll()
    monitor.unlock()
  }

  package func wait() {
    monitor.lock()
    while !isSent { monitor.wait() }
    isSent = false
    monitor.unlock()
  }
}

/// A POSIX thread. Used instead of Swift concurrency, so that the library does not start an executor
/// for its user and the static tool stays small.
struct SystemThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Starts a thread. Returns nil if the system cannot create one.
  init?(_ body: @escaping @Sendable () -> Void) {
    // An integer with glibc, a pointer elsewhere.
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let argument = Unmanaged.passRetained(Body(body))
    guard pthread_create(&thread, nil, Self.main, argument.toOpaque()) == 0 else {
      argument.release()
      return nil
    }
    #if !canImport(Glibc)
      guard let thread else { return nil }
    #endif
    self.thread = thread
  }

  /// Waits for the end of the thread. Its closure is released then.
  func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself. Either this or ``join()`` has to be called.
  func detach() { pthread_detach(thread) }

  #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      { argument in
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }
  #endif
}

/// Runs asynchronous work for callers without concurrency, such as a command of a tool.
///
/// Where the system supports it, the work and the tasks that it starts run on a thread of their own. So
/// the work ends even if all cooperative threads of Swift wait for such work.
package enum BlockingWait {
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
