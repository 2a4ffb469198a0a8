#if PARTICLES_THREAD_SANITIZER

  /// A value with a lock. The thread sanitizer does not see the `Mutex` of the standard library on Linux,
  /// so builds for it (`make tsan`) use this implementation.
  package final class Lock<Value>: Sendable {
    private let monitor = ConditionLock()
    // Not a stored property: a property without a size, as in `Lock<Void>`, is at the address of the
    // object itself. The sanitizer reports its change as a race with any read of the object.
    nonisolated(unsafe) private let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      monitor.lock()
      defer { monitor.unlock() }
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
