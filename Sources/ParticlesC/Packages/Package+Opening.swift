public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

// The functions of `particles.h` that make packages and close them.

/// Where a new handle is set.
public typealias PackageOut = UnsafeMutablePointer<OpaquePointer?>

/// See `particles_package_new` in `particles.h`.
@_cdecl("particles_package_new")
public func newPackage(_ out: PackageOut?) -> CInt { making(out, PackageHandle.self) { _ in } }

/// See `particles_package_open` in `particles.h`.
@_cdecl("particles_package_open")
public func openPackage(
  _ path: UnsafePointer<CChar>?, _ given: UnsafePointer<particles_limits>?, _ out: PackageOut?
) -> CInt {
  making(out, PackageHandle.self) { package in
    try package.open(ParticlesC.path(path, "path"), limits(given))
  }
}

/// See `particles_package_open_memory` in `particles.h`.
@_cdecl("particles_package_open_memory")
public func openPackage(
  ofBytes start: UnsafeRawPointer?, _ count: Int, _ given: UnsafePointer<particles_limits>?,
  _ out: PackageOut?
) -> CInt {
  making(out, PackageHandle.self) { package in
    try package.open(.bytes(bytes(start, count, "bytes")), limits(given))
  }
}

/// See `particles_package_open_source` in `particles.h`.
@_cdecl("particles_package_open_source")
public func openPackage(
  ofSize size: Int64, _ read: particles_read_fn?, _ drop: particles_drop_fn?,
  _ context: UnsafeMutableRawPointer?, _ given: UnsafePointer<particles_limits>?,
  _ out: PackageOut?
) -> CInt {
  let reader = CallbackReader(read, drop, context)
  if reader == nil { drop?(context) }
  return making(out, PackageHandle.self) { package in
    let reader = try required(reader, "read")
    let size = try number(size, "size")
    try package.open(ByteSource(size: size) { try reader.read($0, $1) }, limits(given))
  }
}

/// See `particles_package_recover` in `particles.h`.
@_cdecl("particles_package_recover")
public func recoverPackage(
  _ path: UnsafePointer<CChar>?, _ given: UnsafePointer<particles_limits>?,
  _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?, _ out: PackageOut?
) -> CInt {
  making(out, PackageHandle.self) { package in
    let limits = try limits(given)
    let recovery = try Container.Recovery(.file(ParticlesC.path(path, "path")), limits: limits)
    package.take(Container(root: recovery.root), limits: limits)
    if finding != nil { try report(recovery.diagnostics, to: finding, context) }
  }
}

/// See `particles_package_copy` in `particles.h`.
@_cdecl("particles_package_copy")
public func copyPackage(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, PackageHandle.self) { package in
    let copy = PackageHandle()
    package.copy(to: copy)
    return copy
  }
}

/// See `particles_package_close` in `particles.h`.
@_cdecl("particles_package_close")
public func closePackage(_ pointer: OpaquePointer?) { PackageHandle.close(pointer) }

/// See `particles_package_describe` in `particles.h`.
@_cdecl("particles_package_describe")
public func packageState(
  _ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<particles_package_state>?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    try set(out, "out") {
      var state = particles_package_state()
      state.path = package.strings.add(package.path)
      state.entries = Int64(package.count)
      switch package.form {
      case .flat: state.form = CInt(PARTICLES_FLAT)
      case .directory: state.form = CInt(PARTICLES_FOLDER)
      case nil: state.form = CInt(PARTICLES_MEMORY)
      }
      return state
    }
  }
}
