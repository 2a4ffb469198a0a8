public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

// The functions of `particles.h` that list and read packages.

/// See `particles_package_stat` in `particles.h`.
@_cdecl("particles_package_stat")
public func packageEntry(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<particles_entry>?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let path = try text(path, "path")
    let found = try package.find(path)
    try set(out, "out") {
      particles_entry(path, found.kind, bytes: found.size, package.strings)
    }
  }
}

/// The entries that are left of an iteration.
final class IteratorHandle: Handle {
  override class var kind: UInt32 { 2 }

  var entries: [(path: String, node: FileNode)] = []
  var next = 0
}

/// See `particles_package_list` in `particles.h`.
@_cdecl("particles_package_list")
public func listPackage(
  _ pointer: OpaquePointer?, _ below: UnsafePointer<CChar>?, _ recursive: CInt,
  _ out: PackageOut?
) -> CInt {
  giving(out, by: pointer, PackageHandle.self) { package in
    let iterator = IteratorHandle()
    let below = try optionalText(below, "below") ?? ""
    try package.forEach(below: below, recursively: recursive != 0) {
      iterator.entries.append(($0, $1))
    }
    return iterator
  }
}

/// See `particles_iterator_next` in `particles.h`.
@_cdecl("particles_iterator_next")
public func nextEntry(_ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<particles_entry>?)
  -> CInt
{
  guard let iterator = entered(pointer, IteratorHandle.self) else { return Status.misuse }
  defer { leave(pointer) }
  guard iterator.next < iterator.entries.count else { return CInt(PARTICLES_DONE) }
  let status = iterator.run {
    let (path, node) = iterator.entries[iterator.next]
    try set(out, "out") {
      particles_entry(
        path, node.entryKind, bytes: node.contents?.size ?? 0, iterator.strings)
    }
    iterator.next += 1
  }
  return status == Status.ok ? CInt(PARTICLES_ROW) : status
}

/// See `particles_iterator_close` in `particles.h`.
@_cdecl("particles_iterator_close")
public func closeIterator(_ pointer: OpaquePointer?) { IteratorHandle.close(pointer) }

/// See `particles_package_read` in `particles.h`.
@_cdecl("particles_package_read")
public func readFile(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ count: UnsafeMutablePointer<Int>?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let (out, path) = (try required(out, "bytes"), try text(path, "path"))
    try give(locating(.entry(path)) { try package.file(path).bytes() }, out, count)
  }
}

/// The contents of a file in a package.
final class BlobHandle: Handle {
  override class var kind: UInt32 { 3 }

  var contents = FileContents([])
  private let lock = Lock(())

  /// Keeps the fault of a call; several threads may read at once.
  func keepOne(_ error: any Error) -> CInt { lock.withLock { _ in keep(error) } }
}

/// See `particles_blob_open` in `particles.h`.
@_cdecl("particles_blob_open")
public func openBlob(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ out: PackageOut?,
  _ size: UnsafeMutablePointer<Int64>?
) -> CInt {
  making(out, BlobHandle.self, from: pointer, PackageHandle.self) { package, blob in
    let path = try text(path, "path")
    blob.contents = try package.file(path)
    size?.pointee = Int64(blob.contents.size)
  }
}

/// A blob may be read by several threads, so that only a fault is kept in its handle.
@_cdecl("particles_blob_read")
public func readBlob(
  _ pointer: OpaquePointer?, _ offset: Int64, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> CInt {
  guard let blob = BlobHandle.shared(pointer) as? BlobHandle else { return Status.misuse }
  do {
    let (size, count) = (blob.contents.size, try number(count, "count"))
    guard offset >= 0, offset <= size else {
      throw Diagnostic.argument("offset", expected: "0 to \(size)", found: "\(offset)")
    }
    guard count <= size - Int(offset) else {
      throw Diagnostic.argument(
        "count", expected: "at most \(size - Int(offset))", found: "\(count)")
    }
    guard count > 0 else { return Status.ok }
    try blob.contents.read(
      at: Int(offset),
      into: UnsafeMutableRawBufferPointer(start: required(buffer, "buffer"), count: count))
    return Status.ok
  } catch {
    return blob.keepOne(error)
  }
}

/// See `particles_blob_close` in `particles.h`.
@_cdecl("particles_blob_close")
public func closeBlob(_ pointer: OpaquePointer?) { BlobHandle.close(pointer) }

/// See `particles_package_digest` in `particles.h`.
@_cdecl("particles_package_digest")
public func packageDigest(_ pointer: OpaquePointer?, _ out: UnsafeMutablePointer<UInt8>?) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let out = try required(out, "digest")
    let digest = try package.container.root.treeDigest()
    for (index, byte) in digest.bytes.enumerated() { out[index] = byte }
  }
}

/// See `particles_package_verify` in `particles.h`.
@_cdecl("particles_package_verify")
public func verifyPackage(
  _ pointer: OpaquePointer?, _ full: CInt, _ finding: particles_finding_fn?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    _ = try required(finding, "finding")
    let findings = try package.cancellable { try package.verify(full != 0 ? .full : .quick) }
    try report(findings, to: finding, context)
  }
}

/// See `particles_package_warnings` in `particles.h`.
@_cdecl("particles_package_warnings")
public func packageWarnings(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { try report($0.warnings, to: finding, context) }
}

/// See `particles_package_encode` in `particles.h`.
@_cdecl("particles_package_encode")
public func encodePackage(
  _ pointer: OpaquePointer?, _ level: CInt, _ write: particles_write_fn?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let writer = try CallbackWriter(write, context)
    let options = Container.PackingOptions(level: try compressionLevel(level))
    let container = try package.container
    try package.cancellable { try container.encode(options) { try writer.write($0) } }
  }
}

/// See `particles_package_extract` in `particles.h`.
@_cdecl("particles_package_extract")
public func extractPackage(
  _ pointer: OpaquePointer?, _ folder: UnsafePointer<CChar>?, _ flags: CInt,
  _ progress: particles_progress_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let folder = try path(folder, "folder")
    let work = CallbackProgress(progress, context, for: package).work
    let flags = try ParticlesC.flags(flags, of: PARTICLES_OVERWRITE | PARTICLES_NOSYNC)
    try package.cancellable {
      try package.extract(
        to: folder, replacing: flags & PARTICLES_OVERWRITE != 0,
        synchronizing: flags & PARTICLES_NOSYNC == 0, work)
    }
  }
}
