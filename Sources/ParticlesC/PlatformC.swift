// Differences between native code and the module for web pages, which has one thread. The folder System has the
// native parts.

#if hasFeature(Embedded)

  internal import CParticlesInterface
  internal import ParticlesContainer
  internal import ParticlesCore

  /// Returns memory that ``release(_:)`` frees.
  func allocated(_ count: Int) -> UnsafeMutableRawPointer? {
    .allocate(byteCount: max(1, count), alignment: 16)
  }

  func release(_ memory: UnsafeMutableRawPointer?) { memory?.deallocate() }

  /// The failure of a callback.
  func callbackFailure(_ name: StaticString, _ result: CInt) -> Failure {
    .callback(name, result)
  }

  extension Diagnostic {
    init(describing error: Failure) { self = error }
  }

  /// The call that is going on. Only a callback of it can stop it.
  final class RunningCall {
    fileprivate var isCancelled = false

    func cancel() { isCancelled = true }
  }

  extension Handle {
    /// Runs `body`, which ``cancel()`` stops.
    func cancellable<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      running.isCancelled = false
      return try body()
    }

    /// - Throws: ``Rule/cancelled`` if the call is to stop.
    func checkCancellation() throws(Failure) {
      if running.isCancelled { throw Diagnostic(.cancelled) }
    }
  }

  extension Container {
    /// All of a package that was opened. A page has no path.
    init(_ source: ByteSource, openedAt path: String?, limits: Limits) throws(Failure) {
      try self.init(decoding: source, limits: limits)
    }
  }

#endif
