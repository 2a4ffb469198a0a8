public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

/// A package behind a handle. Of a flat package only the end is read until all of the tree is needed.
final class PackageHandle: Handle, HandleKind {
  static var kind: UInt32 { 1 }

  enum Contents {
    /// A flat package that is read entry by entry.
    case reader(ContainerReader, ByteSource, path: String?)
    case whole(Container)
  }

  var contents = Contents.whole(Container())
  var limits = Limits.standard

  /// All of the package.
  var container: Container {
    get throws(Failure) {
      switch contents {
      case .whole(let container): return container
      case .reader(_, let source, let path):
        let container = try Container(source, openedAt: path, limits: limits)
        contents = .whole(container)
        return container
      }
    }
  }

  /// Changes the package. `body` must leave it as it was if it fails.
  func change<Result>(_ body: (inout Container) throws(Failure) -> Result) throws(Failure) -> Result
  {
    var container = try container
    // Released, because changing shared contents would copy them.
    contents = .whole(Container())
    defer { contents = .whole(container) }
    return try body(&container)
  }

  func store(_ container: Container, limits: Limits = .standard) {
    (contents, self.limits) = (.whole(container), limits)
  }

  func open(_ source: ByteSource, _ limits: Limits) throws(Failure) {
    self.limits = limits
    contents = .reader(try ContainerReader(source, limits: limits), source, path: nil)
  }

  func copy(to other: PackageHandle) {
    (other.contents, other.limits) = (contents, limits)
  }

  var path: String? {
    switch contents {
    case .reader(_, _, let path): path
    case .whole(let container): container.path
    }
  }

  var form: Container.Form? {
    switch contents {
    case .reader: .flat
    case .whole(let container): container.form
    }
  }

  var count: Int {
    switch contents {
    case .reader(let reader, _, _): return reader.entryCount
    case .whole(let container):
      var count = 0
      container.root.forEachDescendant { _, _, _ in count += 1 }
      return count
    }
  }

  /// An entry and its contents.
  struct Found {
    var kind: Container.Entry.Kind
    var size: Int
    var contents: FileContents?
  }

  func find(_ path: String) throws(Failure) -> Found {
    switch contents {
    case .reader(let reader, _, _):
      guard let entry = try reader.entry(path) else {
        throw Diagnostic(.noEntry, at: .entry(path))
      }
      return Found(
        kind: entry.kind, size: entry.size,
        contents: entry.isFile ? reader.contents(of: entry) : nil)
    case .whole(let container):
      guard !path.isEmpty, let node = container.root[path] else {
        throw Diagnostic(.noEntry, at: .entry(path))
      }
      return Found(kind: node.entryKind, size: node.contents?.size ?? 0, contents: node.contents)
    }
  }

  var warnings: [Diagnostic] {
    switch contents {
    case .reader(let reader, _, _): reader.warnings
    case .whole(let container): container.warnings
    }
  }

  func verify(_ depth: ContainerReader.Depth) throws(Failure) -> [Diagnostic] {
    switch contents {
    case .reader(let reader, _, _): try reader.verify(depth)
    case .whole(let container): try container.verify(depth)
    }
  }

  func file(_ path: String) throws(Failure) -> FileContents {
    guard let contents = try find(path).contents else {
      throw Diagnostic(.noEntry, at: .entry(path), "this is not a file")
    }
    return contents
  }

  /// Calls `body` with each entry below a folder.
  func forEach(
    below folder: String, recursively: Bool, _ body: (String, FileNode) throws(Failure) -> Void
  ) throws(Failure) {
    let root = try container.root
    guard let start = folder.isEmpty ? root : root[folder] else {
      throw Diagnostic(.noEntry, at: .entry(folder))
    }
    let prefix = folder.isEmpty ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    if recursively {
      try start.forEachDescendant { path, node throws(Failure) in try body(prefix + path, node) }
    } else {
      for child in start.children ?? [] { try body(prefix + child.name, child.node) }
    }
  }
}

extension FileNode {
  var entryKind: Container.Entry.Kind {
    switch kind {
    case .directory: .directory
    case .file: .file(isExecutable: isExecutable)
    case .link: .symbolicLink(symbolicLinkDestination ?? "")
    }
  }
}

extension particles_entry {
  init(_ path: String, _ kind: Container.Entry.Kind, bytes: Int, _ strings: Strings) {
    self.init()
    size = MemoryLayout<Self>.size
    self.path = strings.add(path)
    switch kind {
    case .directory: self.kind = CInt(PARTICLES_DIRECTORY)
    case .file(let isExecutable):
      (self.kind, executable) = (CInt(PARTICLES_FILE), isExecutable ? 1 : 0)
      self.bytes = Int64(bytes)
    case .symbolicLink(let destination):
      self.kind = CInt(PARTICLES_LINK)
      target = strings.add(destination)
    }
  }
}

// The functions of `particles.h` that make packages and close them.

/// Where a new handle is set.
public typealias PackageOut = UnsafeMutablePointer<OpaquePointer?>

/// See `particles_package_new` in `particles.h`.
@_cdecl("particles_package_new")
public func newPackage(_ out: PackageOut?) -> CInt {
  making(out, PackageHandle.self) { _ throws(Failure) in }
}

/// See `particles_package_open_memory` in `particles.h`.
@_cdecl("particles_package_open_memory")
public func openPackage(
  ofBytes start: UnsafeRawPointer?, _ count: Int, _ given: UnsafePointer<particles_limits>?,
  _ out: PackageOut?
) -> CInt {
  making(out, PackageHandle.self) { package throws(Failure) in
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
  return making(out, PackageHandle.self) { package throws(Failure) in
    let reader = try required(reader, "read")
    let size = try number(size, "size")
    try package.open(
      ByteSource(size: size) { offset, buffer throws(Failure) in
        try reader.read(offset, buffer)
      }, limits(given))
  }
}

/// See `particles_package_copy` in `particles.h`.
@_cdecl("particles_package_copy")
public func copyPackage(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, PackageHandle.self) { package throws(Failure) in
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
  call(pointer, PackageHandle.self) { package throws(Failure) in
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

// The functions of `particles.h` that list and read packages.

/// See `particles_package_stat` in `particles.h`.
@_cdecl("particles_package_stat")
public func packageEntry(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<particles_entry>?
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let path = try text(path, "path")
    let found = try package.find(path)
    try set(out, "out") {
      particles_entry(path, found.kind, bytes: found.size, package.strings)
    }
  }
}

/// The entries that are left of an iteration.
final class IteratorHandle: Handle, HandleKind {
  static var kind: UInt32 { 2 }

  var entries: [(path: String, node: FileNode)] = []
  var next = 0
}

/// See `particles_package_list` in `particles.h`.
@_cdecl("particles_package_list")
public func listPackage(
  _ pointer: OpaquePointer?, _ below: UnsafePointer<CChar>?, _ recursive: CInt,
  _ out: PackageOut?
) -> CInt {
  giving(out, by: pointer, PackageHandle.self) { package throws(Failure) in
    let iterator = IteratorHandle()
    let below = try optionalText(below, "below") ?? ""
    try package.forEach(below: below, recursively: recursive != 0) { path, node throws(Failure) in
      iterator.entries.append((path, node))
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
  let status = iterator.run { () throws(Failure) in
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
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let (out, path) = (try required(out, "bytes"), try text(path, "path"))
    let bytes = try locating(.entry(path)) { () throws(Failure) in
      try package.file(path).bytes()
    }
    try give(bytes, out, count)
  }
}

/// The contents of a file in a package.
final class BlobHandle: Handle, HandleKind {
  static var kind: UInt32 { 3 }

  var contents = FileContents([])
  private let lock = Lock(())

  /// Keeps the fault of a call. Several threads may read at once.
  func keepOne(_ error: Failure) -> CInt { lock.withLock { _ in keep(error) } }
}

/// See `particles_blob_open` in `particles.h`.
@_cdecl("particles_blob_open")
public func openBlob(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ out: PackageOut?,
  _ size: UnsafeMutablePointer<Int64>?
) -> CInt {
  making(out, BlobHandle.self, from: pointer, PackageHandle.self) { package, blob throws(Failure) in
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
  guard let blob = BlobHandle.shared(pointer) else { return Status.misuse }
  do throws(Failure) {
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
  call(pointer, PackageHandle.self) { package throws(Failure) in
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
  call(pointer, PackageHandle.self) { package throws(Failure) in
    _ = try required(finding, "finding")
    let findings = try package.cancellable { () throws(Failure) in
      try package.verify(full != 0 ? .full : .quick)
    }
    try report(findings, to: finding, context)
  }
}

/// See `particles_package_warnings` in `particles.h`.
@_cdecl("particles_package_warnings")
public func packageWarnings(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    try report(package.warnings, to: finding, context)
  }
}

/// See `particles_package_encode` in `particles.h`.
@_cdecl("particles_package_encode")
public func encodePackage(
  _ pointer: OpaquePointer?, _ level: CInt, _ write: particles_write_fn?,
  _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let writer = try CallbackWriter(write, context)
    let options = Container.PackingOptions(level: try compressionLevel(level))
    let container = try package.container
    try package.cancellable { () throws(Failure) in
      try container.encode(options) { bytes throws(Failure) in try writer.write(bytes) }
    }
  }
}

// The functions of `particles.h` that change packages in memory.

func put(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ make: () throws(Failure) -> FileNode
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let path = try text(path, "path")
    let node = try make()
    try package.change { container throws(Failure) in
      try container.root.setFileNode(node, at: path)
    }
  }
}

private func isExecutable(_ argument: CInt) throws(Failure) -> Bool {
  try flags(argument, of: PARTICLES_EXECUTABLE) != 0
}

/// See `particles_package_put` in `particles.h`.
@_cdecl("particles_package_put")
public func putBytes(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?,
  _ count: Int, _ flags: CInt
) -> CInt {
  put(pointer, path) { () throws(Failure) in
    FileNode(
      regularFileWithContents: try bytes(start, count, "bytes"),
      isExecutable: try isExecutable(flags))
  }
}

/// See `particles_package_put_source` in `particles.h`.
@_cdecl("particles_package_put_source")
public func putSource(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ size: Int64,
  _ read: particles_read_fn?, _ drop: particles_drop_fn?, _ context: UnsafeMutableRawPointer?,
  _ flags: CInt
) -> CInt {
  let reader = CallbackReader(read, drop, context)
  if reader == nil { drop?(context) }
  return put(pointer, path) { () throws(Failure) in
    let reader = try required(reader, "read")
    let size = try number(size, "size")
    // Sizes of files are added up.
    try Limits.standard.check(size, { $0.totalBytes }, "bytes of a file")
    let contents = FileContents(size: size) { offset, buffer throws(Failure) in
      try reader.read(offset, buffer)
    }
    return FileNode(
      regularFileWithContents: contents, isExecutable: try isExecutable(flags))
  }
}

/// See `particles_package_add` in `particles.h`.
@_cdecl("particles_package_add")
public func addFile(
  _ pointer: OpaquePointer?, _ folder: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
  _ start: UnsafeRawPointer?, _ count: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let folder = try optionalText(folder, "folder") ?? ""
    let name = try text(name, "name")
    let bytes = try bytes(start, count, "bytes")
    let path = try package.change { container throws(Failure) in
      guard !folder.isEmpty else {
        return try container.root.addRegularFile(withContents: bytes, preferredFilename: name)
      }
      var node = container.root[folder] ?? .emptyDirectory
      let used = try node.addRegularFile(withContents: bytes, preferredFilename: name)
      try container.root.setFileNode(node, at: folder)
      return folder + "/" + used
    }
    if out != nil { try give(path, out) }
  }
}

/// See `particles_package_make_directory` in `particles.h`.
@_cdecl("particles_package_make_directory")
public func makeDirectory(_ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let path = try text(path, "path")
    try package.change { container throws(Failure) in
      if let old = container.root[path] {
        guard old.isDirectory else { throw Diagnostic(.fileExists, at: .entry(path)) }
        return
      }
      try container.root.setFileNode(.emptyDirectory, at: path)
    }
  }
}

/// See `particles_package_link` in `particles.h`.
@_cdecl("particles_package_link")
public func makeLink(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?
) -> CInt {
  put(pointer, path) { () throws(Failure) in
    FileNode(symbolicLinkWithDestination: try text(target, "target"))
  }
}

/// See `particles_package_rename` in `particles.h`.
@_cdecl("particles_package_rename")
public func renameEntry(
  _ pointer: OpaquePointer?, _ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let (from, to) = (try text(from, "from"), try text(to, "to"))
    try package.change { container throws(Failure) in
      try container.root.moveFileNode(at: from, to: to)
    }
  }
}

private func existing(_ path: String, in container: Container) throws(Failure) -> FileNode {
  guard !path.isEmpty, let node = container.root[path] else {
    throw Diagnostic(.noEntry, at: .entry(path))
  }
  return node
}

/// See `particles_package_remove` in `particles.h`.
@_cdecl("particles_package_remove")
public func removeEntry(_ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let path = try text(path, "path")
    try package.change { container throws(Failure) in
      guard container.root.removeFileNode(at: path) != nil else {
        throw Diagnostic(.noEntry, at: .entry(path))
      }
    }
  }
}

/// See `particles_package_set_executable` in `particles.h`.
@_cdecl("particles_package_set_executable")
public func setExecutable(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ executable: CInt
) -> CInt {
  call(pointer, PackageHandle.self) { package throws(Failure) in
    let path = try text(path, "path")
    try package.change { container throws(Failure) in
      guard let contents = try existing(path, in: container).contents else {
        throw Diagnostic(.noEntry, at: .entry(path), "this is not a file")
      }
      let node = FileNode(regularFileWithContents: contents, isExecutable: executable != 0)
      try container.root.setFileNode(node, at: path)
    }
  }
}

func compressionLevel(_ level: CInt) throws(Failure) -> Container.CompressionLevel {
  switch Int(level) {
  case PARTICLES_STANDARD: return .standard
  case PARTICLES_FAST: return .fast
  case PARTICLES_BEST: return .best
  default: throw Diagnostic.argument("level", expected: "0 to 2", found: "\(level)")
  }
}
