internal import CParticlesInterface
internal import ParticlesCore

/// The object behind a handle of `particles.h`.
class Handle {
  /// The fault of the last call. Nil after a success.
  private(set) var fault: Diagnostic?
  private(set) var status = Status.ok

  /// Strings that callers have until the next call.
  let strings = Strings()

  /// The call that is going on, to cancel it.
  let running = RunningCall()

  /// The failure of the function that made the handle.
  private var failure: Failure?

  init() {}

  /// The object of a handle of a kind, or of any kind if that is 0, beside a call that uses it and beside closing.
  static func shared(_ pointer: OpaquePointer?, _ kind: UInt32) -> Handle? {
    let object = cparticles_handle_retained(UnsafeRawPointer(pointer), kind) { object in
      guard let object else { return }
      _ = Unmanaged<Handle>.fromOpaque(object).retain()
    }
    return object.map { Unmanaged<Handle>.fromOpaque($0).takeRetainedValue() }
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
  func run(_ body: () throws(Failure) -> Void) -> CInt {
    if !strings.isEmpty { strings.removeAll() }
    if status != Status.ok, let failed = begin() { return failed }
    do throws(Failure) {
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
  func keep(_ error: Failure) -> CInt {
    let diagnostic = Diagnostic(describing: error)
    (fault, status) = (diagnostic, Status(of: diagnostic).code)
    return status
  }

  /// Runs the function that makes the handle, and remembers a failure.
  func open(_ body: () throws(Failure) -> Void) -> CInt {
    run { () throws(Failure) in
      do throws(Failure) {
        try body()
      } catch {
        failure = error
        throw error
      }
    }
  }

  /// Stops the call that is going on, from any thread.
  func cancel() { running.cancel() }
}

/// A kind of handles.
protocol HandleKind: Handle {
  /// The number of the kind in the table of handles, 1 to 15.
  static var kind: UInt32 { get }

  init()
}

extension HandleKind {
  /// The object of a handle, beside a call that uses it and beside closing.
  static func shared(_ pointer: OpaquePointer?) -> Self? {
    Handle.shared(pointer, kind).map { unsafeDowncast($0, to: Self.self) }
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
    Handle.release(cparticles_handle_close(UnsafeRawPointer(pointer), kind))
  }
}

/// Begins a call on a handle of any kind, which ends with ``leave(_:)``. See ``entered(_:_:)``.
func entered(_ pointer: OpaquePointer?) -> Handle? {
  cparticles_handle_enter(UnsafeRawPointer(pointer), 0).map {
    Unmanaged<Handle>.fromOpaque($0).takeUnretainedValue()
  }
}

/// Begins a call on a handle, which ends with ``leave(_:)``. Returns nil for a handle that is 0, closed, of another
/// kind, or in use by another call of any thread. Inlined, so that the kind is a number.
@inline(__always)
func entered<Kind: HandleKind>(_ pointer: OpaquePointer?, _ kind: Kind.Type) -> Kind? {
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
func call<Kind: HandleKind>(
  _ pointer: OpaquePointer?, _ kind: Kind.Type, _ body: (Kind) throws(Failure) -> Void
) -> CInt {
  guard let handle = entered(pointer, Kind.self) else { return Status.misuse }
  defer { leave(pointer) }
  return handle.run { () throws(Failure) in try body(handle) }
}

/// Makes a handle and runs `body`, which fills it.
func making<Kind: HandleKind>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ kind: Kind.Type,
  _ body: (Kind) throws(Failure) -> Void
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
  return handle.open { () throws(Failure) in try body(handle) }
}

/// Makes a handle and runs `body`, which fills it from an owner. `out` is 0 if the owner is no such handle.
func making<Owner: HandleKind, Kind: HandleKind>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ kind: Kind.Type, from pointer: OpaquePointer?,
  _ owner: Owner.Type, _ body: (Owner, Kind) throws(Failure) -> Void
) -> CInt {
  guard let owner = entered(pointer, Owner.self) else {
    out?.pointee = nil
    return Status.misuse
  }
  defer { leave(pointer) }
  return making(out, kind) { made throws(Failure) in try body(owner, made) }
}

/// Runs `body` for an owner, and gives its new handle to the caller. `out` is 0 after a fault. The owner keeps the
/// fault.
func giving<Owner: HandleKind, Kind: HandleKind>(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, by pointer: OpaquePointer?, _ owner: Owner.Type,
  _ body: (Owner) throws(Failure) -> Kind
) -> CInt {
  out?.pointee = nil
  return call(pointer, owner) { handle throws(Failure) in
    let out = try required(out, "out")
    out.pointee = try body(handle).register()
    if out.pointee == nil { throw Diagnostic.outOfMemory(64) }
  }
}

/// Runs `body` for a function without a handle.
func callPlainly(_ body: () throws(Failure) -> Void) -> CInt {
  do throws(Failure) {
    try body()
    return Status.ok
  } catch {
    return Status(of: Diagnostic(describing: error)).code
  }
}
