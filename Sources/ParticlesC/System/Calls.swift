internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesPackages
internal import ParticlesPlatform
internal import ParticlesSystem

// Memory of the C library, and calls that other threads cancel. `PlatformC.swift` has the counterparts for web pages.

/// Returns memory that ``release(_:)`` frees.
func allocated(_ count: Int) -> UnsafeMutableRawPointer? { malloc(count) }

func release(_ memory: UnsafeMutableRawPointer?) { free(memory) }

/// The failure of a callback. No diagnostic, because those are faults of files, which work can survive.
struct CallbackFailure: Error {
  let name: StaticString
  let result: CInt
}

func callbackFailure(_ name: StaticString, _ result: CInt) -> Failure {
  CallbackFailure(name: name, result: result)
}

extension Diagnostic {
  init(describing error: Failure) {
    switch error {
    case let diagnostic as Diagnostic: self = diagnostic
    case let failure as CallbackFailure: self = .callback(failure.name, failure.result)
    case is CancellationError: self.init(.cancelled)
    default: self.init(.misuse, "\(error)")
    }
  }
}

extension Container {
  /// All of a package that was opened, at a path or in memory.
  init(_ source: ByteSource, openedAt path: String?, limits: Limits) throws {
    if let path {
      try self.init(opening: source, at: path, limits: limits)
    } else {
      try self.init(decoding: source, limits: limits)
    }
  }
}

extension Handle {
  /// Runs asynchronous work, which ``cancel()`` stops, and waits for its end.
  func waiting<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws
    -> Result
  {
    try BlockingWait.run { [running] in
      withUnsafeCurrentTask { running.note(RunningTask(task: $0)) }
      defer { running.note(RunningTask()) }
      return try await body()
    }
  }

  /// Runs `body`, which ``cancel()`` stops.
  func cancellable<Result>(_ body: () throws -> Result) throws -> Result {
    // The library must not depend on the folder of the build, see `WorkerTeam`.
    #sourceLocation(file:"Calls",line:1)
    try withoutActuallyEscaping(body) { body in
      var result: Swift.Result<Result, any Error>?
      withoutActuallyEscaping({ result = Swift.Result(catching: body) }) { work in
        CancellableTask.run(work) { self.running.note($0) }
      }
      guard let result else { throw CancellationError() }
      return try result.get()
    }
  }
  #sourceLocation()

  func checkCancellation() throws { try WorkBudget.checkCancellation() }
}

/// A task that another thread may cancel while it runs.
struct RunningTask: @unchecked Sendable {
  var task: UnsafeCurrentTask?
}

/// The task of the call that is going on, for other threads.
final class RunningCall: Sendable {
  private let running = Lock(RunningTask())

  /// Keeps the task of a call, or the absence of a call.
  func note(_ task: RunningTask) { running.withLock { $0 = task } }

  func cancel() { running.withLock { $0.task?.cancel() } }
}

/// Runs work on the calling thread as a task, because the library checks the cancellation of tasks.
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
