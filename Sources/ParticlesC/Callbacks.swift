internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

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

  func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    guard !buffer.isEmpty else { return }
    let result = lock.withLock { _ in
      function(context, Int64(offset), buffer.baseAddress, buffer.count)
    }
    guard result == 0 else { throw callbackFailure("read", result) }
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

  init(
    _ function: particles_write_fn?, _ context: UnsafeMutableRawPointer?
  ) throws(Failure) {
    self.function = try required(function, "write")
    self.context = context
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    let result = function(context, bytes.baseAddress, bytes.count)
    guard result == 0 else { throw callbackFailure("write", result) }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// A callback that finds images by their names. A failure ends the work, also where an image that is missing would not.
final class CallbackFinder: @unchecked Sendable {
  private let function:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<particles_bytes>?
    ) -> CInt
  private let context: UnsafeMutableRawPointer?
  /// The first result that is a failure, or 0.
  private let failed = Lock<CInt>(0)

  /// The first failure of the callback.
  var failure: Failure? {
    let result = failed.withLock { $0 }
    return result == 0 ? nil : callbackFailure("find", result)
  }

  init?(_ function: particles_find_fn?, _ context: UnsafeMutableRawPointer?) {
    guard let function else { return nil }
    (self.function, self.context) = (function, context)
  }

  /// The bytes of an image, or nil if the callback has none.
  func bytes(_ name: String, limits: Limits) throws(Failure) -> [UInt8]? {
    var found = particles_bytes()
    found.size = MemoryLayout<particles_bytes>.size
    let result = failed.withLock { failed in
      if failed == 0 { failed = name.withCString { function(context, $0, &found) } }
      return failed
    }
    guard result == 0 else { throw callbackFailure("find", result) }
    guard let start = found.bytes, found.count != 0 else { return nil }
    // A size above the greatest number is negative here.
    try limits.check(number(found.count, "count"), { $0.fileBytes }, "bytes of an image")
    return [UInt8](UnsafeRawBufferPointer(start: start, count: found.count))
  }
}

/// Passes findings on to a callback.
func report(
  _ findings: [Diagnostic], to callback: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) throws(Failure) {
  let callback = try required(callback, "finding")
  guard !findings.isEmpty else { return }
  let strings = Strings()
  for finding in findings {
    var value = particles_finding(
      finding, status: Status(of: finding).code, strings)
    let result = callback(context, &value)
    guard result == 0 else { throw callbackFailure("finding", result) }
    strings.removeAll()
  }
}
