internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesSystem

/// The object behind a handle of `particles.h`.
class Handle {
  /// The number of the kind in the table of handles, 1 to 15.
  class var kind: UInt32 { 0 }

  /// The fault of the last call. Nil after a success.
  private(set) var fault: Diagnostic?
  private(set) var status = Status.ok

  /// Strings that callers have until the next call.
  let strings = Strings()

  /// The task of the call that is going on, to cancel it.
  private let running = RunningCall()

  /// The failure of the function that made the handle.
  private var failure: (any Error)?

  required init() {}

  /// The object of a handle, beside a call that uses it and beside closing.
  static func shared(_ pointer: OpaquePointer?) -> Handle? {
    let object = cparticles_handle_retained(UnsafeRawPointer(pointer), kind) { object in
      guard let object else { return }
      _ = Unmanaged<Handle>.fromOpaque(object).retain()
    }
    return object.map { Unmanaged<Handle>.fromOpaque($0).takeRetainedValue() }
  }

  /// Makes a handle, or returns nil if there is no memory for it.
  /// - Parameter isInUse: whether a call on it has begun, which ends with ``leave(_:)``.
  func register(isInUse: Bool = false) -> OpaquePointer? {
    let object = Unmanaged<Handle>.passRetained(self)
    guard let handle = cparticles_handle_make(object.toOpaque(), Self.kind, isInUse ? 1 : 0) else {
      object.release()
      return nil
    }
    return OpaquePointer(handle)
  }

  /// Closes a handle: now, or when the call that uses it ends.
  static func close(_ pointer: OpaquePointer?) {
    release(cparticles_handle_close(UnsafeRawPointer(pointer), kind))
  }

  /// Releases the object of a handle that is closed.
  fileprivate static func release(_ object: UnsafeMutableRawPointer?) {
    guard let object else { return }
    let handle = Unmanaged<Handle>.fromOpaque(object).takeRetainedValue()
    handle.end()
  }

  /// Ends background work of a handle. Called once, after closing, when no call uses it any more.
  func end() {}

  /// Runs a call and keeps its fault. Most calls find nothing left by an earlier call, and check two numbers only.
  /// Comparing `fault` with nil would copy it.
  @inline(__always)
  func run(_ body: () throws -> Void) -> CInt {
    if !strings.isEmpty { strings.removeAll() }
    if status != Status.ok, let failed = begin() { return failed }
    do {
      try body()
      return Status.ok
    } catch {
      return keep(error)
    }
  }

  /// Drops the fault of the last call. Returns the status of the failure of the function that made the handle, which stays.
  @inline(never)
  private func begin() -> CInt? {
    (fault, status) = (nil, Status.ok)
    return failure.map { keep($0) }
  }

  /// Keeps the fault of a call.
  @inline(never)
  func keep(_ error: any Error) -> CInt {
    let diagnostic = Diagnostic(describing: error)
    (fault, status) = (diagnostic, Status(of: diagnostic).code)
    return status
  }

  /// Runs the function that makes the handle, and remembers a failure.
  func open(_ body: () throws -> Void) -> CInt {
    run {
      do {
        try body()
      } catch {
        failure = error
        throw error
      }
    }
  }

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
    #sourceLocation(file:"Handle",line:1)
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

  /// Stops the call that is going on, from any thread.
  func cancel() { running.cancel() }
}

/// Begins a call on a handle, which ends with ``leave(_:)``. Returns nil for a handle that is 0, closed, of another
/// kind, or in use by another call of any thread. Inlined, so that the kind is a number.
@inline(__always)
func entered<Kind: Handle>(_ pointer: OpaquePointer?, _ kind: Kind.Type) -> Kind? {
  guard let object = cparticles_handle_enter(UnsafeRawPointer(pointer), Kind.kind) else {
    return nil
  }
  return unsafeDowncast(
    Unmanaged<Handle>.fromOpaque(object).takeUnretainedValue(), to: Kind.self)
}

/// Ends a call. A handle that was closed meanwhile is given back now.
@inline(__always)
func leave(_ pointer: OpaquePointer?) {
  guard let object = cparticles_handle_leave(UnsafeRawPointer(pointer)) else { return }
  Handle.release(object)
}

/// Runs `body` for a handle.
@inline(__always)
func call<Kind: Handle>(
  _ pointer: OpaquePointer?, _ kind: Kind.Type, _ body: (Kind) throws -> Void
) -> CInt {
  guard let handle = entered(pointer, Kind.self) else { return Status.misuse }
  defer { leave(pointer) }
  return handle.run { try body(handle) }
}

/// Makes a handle and runs `body`, which fills it.
func making<Kind: Handle>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ kind: Kind.Type, _ body: (Kind) throws -> Void
) -> CInt {
  guard let out else { return Status.misuse }
  let handle = Kind()
  guard let pointer = handle.register(isInUse: true) else {
    out.pointee = nil
    return Status.noMemory
  }
  // Before the work, so that another thread can cancel it.
  out.pointee = pointer
  defer { leave(pointer) }
  return handle.open { try body(handle) }
}

/// Makes a handle and runs `body`, which fills it from an owner. `out` is 0 if the owner is no such handle.
func making<Owner: Handle, Kind: Handle>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ kind: Kind.Type, from pointer: OpaquePointer?,
  _ owner: Owner.Type, _ body: (Owner, Kind) throws -> Void
) -> CInt {
  guard let owner = entered(pointer, Owner.self) else {
    out?.pointee = nil
    return Status.misuse
  }
  defer { leave(pointer) }
  return making(out, kind) { try body(owner, $0) }
}

/// Runs `body` for an owner, and gives its new handle to the caller. `out` is 0 after a fault. The owner keeps the
/// fault.
func giving<Owner: Handle>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, by pointer: OpaquePointer?, _ owner: Owner.Type,
  _ body: (Owner) throws -> Handle
) -> CInt {
  out?.pointee = nil
  return call(pointer, owner) { handle in
    let out = try required(out, "out")
    out.pointee = try body(handle).register()
    if out.pointee == nil { throw Diagnostic.outOfMemory(64) }
  }
}

/// Runs `body` for a function without a handle.
func callPlainly(_ body: () throws -> Void) -> CInt {
  do {
    try body()
    return Status.ok
  } catch {
    return Status(of: Diagnostic(describing: error)).code
  }
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

/// A callback that reads, with its context. It is called on one thread at a time.
final class CallbackReader: @unchecked Sendable {
  private let function:
    @convention(c) (
      UnsafeMutableRawPointer?, Int64, UnsafeMutableRawPointer?, Int
    ) -> CInt
  private let drop: particles_drop_fn?
  private let context: UnsafeMutableRawPointer?
  private let lock = Lock(())

  init?(
    _ function: particles_read_fn?, _ drop: particles_drop_fn?, _ context: UnsafeMutableRawPointer?
  ) {
    guard let function else { return nil }
    (self.function, self.drop, self.context) = (function, drop, context)
  }

  deinit { drop?(context) }

  func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws {
    guard !buffer.isEmpty else { return }
    let result = lock.withLock { _ in
      function(context, Int64(offset), buffer.baseAddress, buffer.count)
    }
    guard result == 0 else { throw CallbackFailure(name: "read", result: result) }
  }
}

/// A callback for progress, with its context, and the handle whose work it stops.
struct CallbackProgress: @unchecked Sendable {
  private let function: particles_progress_fn?
  private let context: UnsafeMutableRawPointer?
  private let handle: Handle

  init(
    _ function: particles_progress_fn?, _ context: UnsafeMutableRawPointer?, for handle: Handle
  ) {
    (self.function, self.context, self.handle) = (function, context, handle)
  }

  func report(_ done: Int, _ total: Int) {
    guard let function, function(context, Int64(done), Int64(total)) != 0 else { return }
    handle.cancel()
  }

  /// Options of long work of the container.
  var work: Container.WorkOptions {
    guard function != nil else { return Container.WorkOptions() }
    return Container.WorkOptions(progress: { report($0, $1) })
  }
}

/// A callback that takes bytes.
struct CallbackWriter: @unchecked Sendable {
  private let function:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeRawPointer?, Int
    ) -> CInt
  private let context: UnsafeMutableRawPointer?

  init(_ function: particles_write_fn?, _ context: UnsafeMutableRawPointer?) throws {
    self.function = try required(function, "write")
    self.context = context
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let result = function(context, bytes.baseAddress, bytes.count)
    guard result == 0 else { throw CallbackFailure(name: "write", result: result) }
  }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }
}

/// A callback that finds images by their names. A failure ends the work, also where an image that is missing would not.
final class CallbackFinder: @unchecked Sendable {
  private let function:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<particles_bytes>?
    ) -> CInt
  private let context: UnsafeMutableRawPointer?
  private let failed = Lock<CallbackFailure?>(nil)

  /// The first failure of the callback.
  var failure: CallbackFailure? { failed.withLock(\.self) }

  init?(_ function: particles_find_fn?, _ context: UnsafeMutableRawPointer?) {
    guard let function else { return nil }
    (self.function, self.context) = (function, context)
  }

  /// The bytes of an image, or nil if the callback has none.
  func bytes(_ name: String, limits: Limits) throws -> [UInt8]? {
    var found = particles_bytes()
    found.size = MemoryLayout<particles_bytes>.size
    let result = try failed.withLock { failed in
      if let failed { throw failed }
      let result = name.withCString { function(context, $0, &found) }
      if result != 0 { failed = CallbackFailure(name: "find", result: result) }
      return result
    }
    guard result == 0 else { throw CallbackFailure(name: "find", result: result) }
    guard let start = found.bytes, found.count != 0 else { return nil }
    // A size above the greatest number is negative here.
    try limits.check(number(found.count, "count"), \.fileBytes, "bytes of an image")
    return [UInt8](UnsafeRawBufferPointer(start: start, count: found.count))
  }
}
