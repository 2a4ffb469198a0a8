public import CParticlesInterface
internal import ParticlesCore

/// The version of the library, equal to the tool's.
let libraryVersion: StaticString = "1.0.0"

/// See `particles_version` in `particles.h`.
@_cdecl("particles_version")
public func versionText() -> UnsafePointer<CChar>? {
  UnsafeRawPointer(libraryVersion.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See `particles_api_version` in `particles.h`.
@_cdecl("particles_api_version")
public func apiVersion() -> CInt { CInt(PARTICLES_API_VERSION) }

/// See `particles_status_text` in `particles.h`.
@_cdecl("particles_status_text")
public func statusText(_ status: CInt) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(Status.text(status).utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See `particles_free` in `particles.h`.
@_cdecl("particles_free")
public func freeMemory(_ memory: UnsafeMutableRawPointer?) { release(memory) }

/// See `particles_open_handles` in `particles.h`.
@_cdecl("particles_open_handles")
public func openHandles() -> Int64 { cparticles_handle_count() }

/// See `particles_error_text` in `particles.h`.
@_cdecl("particles_error_text")
public func errorText(_ handle: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
  let pointer = OpaquePointer(handle)
  guard cparticles_handle_refused(handle) == 0 else { return busy.text }
  guard let handle = entered(pointer) else { return statusText(Status.misuse) }
  defer { leave(pointer) }
  guard handle.status != Status.ok, let fault = handle.fault else { return noText }
  return handle.strings.add(fault.description)
}

/// The finding for a thread that calls with a handle that is in use.
private struct BusyFinding: @unchecked Sendable {
  let finding: particles_finding
  // Kept for ever.
  private let strings = Strings()

  init() {
    finding = particles_finding(Diagnostic(.busyHandle), status: Status.misuse, strings)
  }

  var text: UnsafePointer<CChar>? { finding.text }
}

private let busy = BusyFinding()

private var noText: UnsafePointer<CChar>? {
  let empty: StaticString = ""
  return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See `particles_error` in `particles.h`.
@_cdecl("particles_error")
public func error(_ handle: UnsafeRawPointer?, _ out: UnsafeMutablePointer<particles_finding>?)
  -> CInt
{
  let pointer = OpaquePointer(handle)
  if cparticles_handle_refused(handle) != 0 {
    return callPlainly { () throws(Failure) in try set(out, "out") { busy.finding } }
  }
  guard let handle = entered(pointer) else { return Status.misuse }
  defer { leave(pointer) }
  return callPlainly { () throws(Failure) in
    try set(out, "out") {
      guard let fault = handle.fault else {
        var nothing = particles_finding()
        nothing.offset = -1
        return nothing
      }
      return particles_finding(fault, status: handle.status, handle.strings)
    }
  }
}

/// See `particles_cancel` in `particles.h`.
@_cdecl("particles_cancel")
public func cancel(_ handle: UnsafeRawPointer?) -> CInt {
  guard let handle = Handle.shared(OpaquePointer(handle), 0) else { return Status.misuse }
  handle.cancel()
  return Status.ok
}

/// See `particles_limits_init` in `particles.h`.
@_cdecl("particles_limits_init")
public func initializeLimits(
  _ out: UnsafeMutablePointer<particles_limits>?, _ size: Int, _ untrusted: CInt
) -> CInt {
  callPlainly { () throws(Failure) in
    let out = try required(out, "limits")
    var value = particles_limits(untrusted == 0 ? .standard : .untrusted)
    value.size = size
    try check(size, of: particles_limits.self, "limits")
    out.pointee = value
  }
}
