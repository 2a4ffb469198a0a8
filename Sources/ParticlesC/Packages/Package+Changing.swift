public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore

// The functions of `particles.h` that change packages in memory.

/// Sets a node at a path.
private func put(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ make: () throws -> FileNode
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let path = try text(path, "path")
    let node = try make()
    try package.change { try $0.root.setFileNode(node, at: path) }
  }
}

private func isExecutable(_ argument: CInt) throws -> Bool {
  try flags(argument, of: PARTICLES_EXECUTABLE) != 0
}

/// See `particles_package_put` in `particles.h`.
@_cdecl("particles_package_put")
public func putBytes(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?,
  _ count: Int, _ flags: CInt
) -> CInt {
  put(pointer, path) {
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
  return put(pointer, path) {
    let reader = try required(reader, "read")
    let size = try number(size, "size")
    // Sizes of files are added up.
    try Limits.standard.check(size, \.totalBytes, "bytes of a file")
    let contents = FileContents(size: size) { try reader.read($0, $1) }
    return FileNode(
      regularFileWithContents: contents, isExecutable: try isExecutable(flags))
  }
}

/// See `particles_package_put_file` in `particles.h`.
@_cdecl("particles_package_put_file")
public func putFile(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ diskPath: UnsafePointer<CChar>?
) -> CInt {
  put(pointer, path) { try FileNode(at: ParticlesC.path(diskPath, "disk_path")) }
}

extension FileNode {
  /// A file or folder on the disk, which is read on access.
  fileprivate init(at path: String) throws {
    guard let status = try Files.status(path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    if status.kind == .directory {
      try self.init(readingDirectory: path)
    } else {
      let source = try ByteSource.file(path)
      let contents = FileContents(size: source.size) { try source.read(at: $0, into: $1) }
      self.init(regularFileWithContents: contents, isExecutable: status.isExecutable)
    }
  }
}

/// See `particles_package_add` in `particles.h`.
@_cdecl("particles_package_add")
public func addFile(
  _ pointer: OpaquePointer?, _ folder: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
  _ start: UnsafeRawPointer?, _ count: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let folder = try optionalText(folder, "folder") ?? ""
    let name = try text(name, "name")
    let bytes = try bytes(start, count, "bytes")
    let path = try package.change { container in
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
  call(pointer, PackageHandle.self) { package in
    let path = try text(path, "path")
    try package.change { container in
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
  put(pointer, path) { FileNode(symbolicLinkWithDestination: try text(target, "target")) }
}

/// See `particles_package_rename` in `particles.h`.
@_cdecl("particles_package_rename")
public func renameEntry(
  _ pointer: OpaquePointer?, _ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?
) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let (from, to) = (try text(from, "from"), try text(to, "to"))
    try package.change { try $0.root.moveFileNode(at: from, to: to) }
  }
}

/// The node at a path.
private func existing(_ path: String, in container: Container) throws -> FileNode {
  guard !path.isEmpty, let node = container.root[path] else {
    throw Diagnostic(.noEntry, at: .entry(path))
  }
  return node
}

/// See `particles_package_remove` in `particles.h`.
@_cdecl("particles_package_remove")
public func removeEntry(_ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?) -> CInt {
  call(pointer, PackageHandle.self) { package in
    let path = try text(path, "path")
    try package.change { container in
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
  call(pointer, PackageHandle.self) { package in
    let path = try text(path, "path")
    try package.change { container in
      guard let contents = try existing(path, in: container).contents else {
        throw Diagnostic(.noEntry, at: .entry(path), "this is not a file")
      }
      let node = FileNode(regularFileWithContents: contents, isExecutable: executable != 0)
      try container.root.setFileNode(node, at: path)
    }
  }
}
