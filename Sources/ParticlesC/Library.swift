public import CParticlesInterface
internal import ParticlesCore
internal import ParticlesPlatform

/// The version of the library: that of the tool.
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
public func freeMemory(_ memory: UnsafeMutableRawPointer?) { free(memory) }

/// See `particles_open_handles` in `particles.h`.
@_cdecl("particles_open_handles")
public func openHandles() -> Int64 { cparticles_handle_count() }

/// See `particles_error_text` in `particles.h`.
@_cdecl("particles_error_text")
public func errorText(_ handle: UnsafeRawPointer?) -> UnsafePointer<CChar>? {
  guard let handle = opened(OpaquePointer(handle), Handle.self) else {
    return statusText(Status.misuse)
  }
  let text = handle.reading { () -> UnsafePointer<CChar>? in
    guard handle.status != Status.ok, let fault = handle.fault else { return noText }
    return handle.strings.add("\(fault)")
  }
  return text ?? statusText(Status.misuse)
}

private var noText: UnsafePointer<CChar>? {
  let empty: StaticString = ""
  return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// See `particles_error` in `particles.h`.
@_cdecl("particles_error")
public func error(_ handle: UnsafeRawPointer?, _ out: UnsafeMutablePointer<particles_finding>?)
  -> CInt
{
  guard let handle = opened(OpaquePointer(handle), Handle.self) else { return Status.misuse }
  let status = handle.reading {
    callPlainly {
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
  return status ?? Status.misuse
}

/// See `particles_cancel` in `particles.h`.
@_cdecl("particles_cancel")
public func cancel(_ handle: UnsafeRawPointer?) -> CInt {
  guard let handle = Handle.shared(OpaquePointer(handle)) else { return Status.misuse }
  handle.cancel()
  return Status.ok
}

/// See `particles_limits_init` in `particles.h`.
@_cdecl("particles_limits_init")
public func initializeLimits(
  _ out: UnsafeMutablePointer<particles_limits>?, _ size: Int, _ untrusted: CInt
) -> CInt {
  callPlainly {
    let out = try required(out, "limits")
    var value = particles_limits(untrusted == 0 ? .standard : .untrusted)
    value.size = size
    try check(size, of: particles_limits.self, "limits")
    out.pointee = value
  }
}
