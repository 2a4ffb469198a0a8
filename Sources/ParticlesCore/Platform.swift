// Differences between native code and the module for web pages, which has one thread.

#if hasFeature(Embedded)

  /// The error of functions that may be stopped. In the module for web pages, whose tasks cannot be
  /// cancelled, a ``Diagnostic``.
  public typealias Failure = Diagnostic

  /// A value that one thread uses.
  package final class Lock<Value>: @unchecked Sendable {
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      try body(&value)
    }
  }

  extension WorkBudget {
    nonisolated(unsafe) static var current: WorkBudget?
    static var isCancelled: Bool { false }
    package static func checkCancellation() throws(Diagnostic) {}

    package func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
      let before = Self.current
      Self.current = self
      defer { Self.current = before }
      return try body()
    }
  }

#else

  /// The error of functions that may be stopped: a ``Diagnostic``, or `CancellationError` if the task is cancelled.
  public typealias Failure = any Error

  extension WorkBudget {
    @TaskLocal static var current: WorkBudget?
    static var isCancelled: Bool { Task.isCancelled }
    package static func checkCancellation() throws { try Task.checkCancellation() }

    /// Runs a part of the operation.
    package func run<Value>(_ body: () throws -> Value) rethrows -> Value {
      do {
        return try Self.$current.withValue(self, operation: body)
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
  }

  /// Runs `body`. Diagnostics that it throws get the missing parts of their location from `location`.
  @inlinable
  package func locating<Result>(
    _ location: @autoclosure () -> Diagnostic.Location, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let diagnostic as Diagnostic {
      throw diagnostic.inside(location())
    }
  }

  extension Rule {
    /// Matches errors by rule, as in `catch Rule.signature { … }`.
    public static func ~= (rule: Rule, error: any Error) -> Bool {
      (error as? Diagnostic)?.rule == rule
    }
  }

#endif

/// The attachment, if it has this type.
func typed<D>(_ attachment: Attachment, as type: TypedAttachment<D>.Type) -> TypedAttachment<D>? {
  #if hasFeature(Embedded)
    // There, all types are ours, and each has its own key.
    attachment.key == D.key ? unsafeDowncast(attachment, to: type) : nil
  #else
    attachment as? TypedAttachment<D>
  #endif
}

#if hasFeature(Embedded)
#elseif PARTICLES_THREAD_SANITIZER

  internal import ParticlesPlatform

  /// A value with a lock. The thread sanitizer does not see the `Mutex` of the standard library on Linux,
  /// so builds for it (`make tsan`) use this implementation.
  package final class Lock<Value>: Sendable {
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Not a stored property: a property without a size, as in `Lock<Void>`, is at the address of the
    // object itself. The sanitizer reports its change as a race with any read of the object.
    nonisolated(unsafe) private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

#else

  package import Synchronization

  /// A value with a lock.
  package struct Lock<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with the lock. Not recursive.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }

#endif
