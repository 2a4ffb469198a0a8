public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesPackages
internal import ParticlesSystem

// The functions of `particles.h` about packages on disks.

extension PackageHandle {
  fileprivate func open(_ path: String, _ limits: Limits) throws {
    self.limits = limits
    if try SafeSave.status(of: path)?.kind == .directory {
      contents = .whole(try Container(contentsOf: path, limits: limits))
    } else {
      let source = try ByteSource.file(path)
      contents = .reader(try ContainerReader(source, limits: limits), source, path: path)
    }
  }

  /// Like ``change(_:)``, for work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws {
    var container = try container
    contents = .whole(Container())
    defer { contents = .whole(container) }
    try cancellable { try body(&container) }
  }

  /// Writes the files into a folder. A new folder appears when it is complete.
  func extract(
    to folder: String, replacing isReplacing: Bool, synchronizing isSynchronizing: Bool,
    _ work: Container.WorkOptions
  ) throws {
    guard try Files.status(folder) == nil else {
      return try container.root.extract(into: folder, replacing: isReplacing, work: work)
    }
    if case .reader(let reader, _, _) = contents {
      try reader.unpack(toDirectory: folder, synchronizing: isSynchronizing, work: work)
    } else {
      try container.root.write(toDirectory: folder, synchronizing: isSynchronizing, work: work)
    }
  }
}

/// See `particles_package_open` in `particles.h`.
@_cdecl("particles_package_open")
public func openPackage(
  _ path: UnsafePointer<CChar>?, _ given: UnsafePointer<particles_limits>?, _ out: PackageOut?
) -> CInt {
  making(out, PackageHandle.self) { package in
    try package.open(ParticlesC.path(path, "path"), limits(given))
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
    package.store(Container(root: recovery.root), limits: limits)
    if finding != nil { try report(recovery.diagnostics, to: finding, context) }
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

/// See `particles_package_put_file` in `particles.h`.
@_cdecl("particles_package_put_file")
public func putFile(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ diskPath: UnsafePointer<CChar>?
) -> CInt {
  put(pointer, path) { try FileNode(at: ParticlesC.path(diskPath, "disk_path")) }
}

extension FileNode {
  /// A file or folder on the disk. It is read on access.
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

// The functions of `particles.h` that save packages.

/// How a package is saved, by the arguments of a function.
struct SaveArguments {
  var mode = Container.SaveMode.automatic
  var form = Container.Form.flat
  var level = Container.CompressionLevel.standard
  var isReplacing: Bool
  /// Whether a copy is written, and the package stays where it is.
  var isCopy: Bool
  var isSynchronizing: Bool

  private let progress: particles_progress_fn?
  private let context: UnsafeMutableRawPointer?

  init(_ argument: UnsafePointer<particles_save_options>?) throws {
    let options = try optional(argument, "options") ?? particles_save_options()
    (progress, context) = (options.progress, options.context)
    let (mode, form) = (options.mode, options.form)
    switch Int(mode) {
    case PARTICLES_AUTOMATIC: self.mode = .automatic
    case PARTICLES_APPEND: self.mode = .append
    case PARTICLES_REPLACE: self.mode = .replace
    default: throw Diagnostic.argument("mode", expected: "0 to 2", found: "\(mode)")
    }
    switch Int(form) {
    case PARTICLES_FLAT: self.form = .flat
    case PARTICLES_FOLDER: self.form = .directory
    default: throw Diagnostic.argument("form", expected: "0 or 1", found: "\(form)")
    }
    level = try compressionLevel(options.level)
    let flags = try flags(
      options.flags, of: PARTICLES_OVERWRITE | PARTICLES_COPY | PARTICLES_NOSYNC)
    isReplacing = flags & PARTICLES_OVERWRITE != 0
    isCopy = flags & PARTICLES_COPY != 0
    isSynchronizing = flags & PARTICLES_NOSYNC == 0
  }

  func work(for handle: Handle) -> Container.WorkOptions {
    CallbackProgress(progress, context, for: handle).work
  }

  func save(_ container: inout Container, _ work: Container.WorkOptions) throws {
    try container.save(mode: mode, level: level, work: work, synchronizing: isSynchronizing)
  }

  func save(
    _ container: inout Container, to path: String, _ work: Container.WorkOptions
  ) throws {
    try container.save(to: path, as: form, replacing: isReplacing, options: packing(work))
  }

  func copy(_ container: Container, to path: String, _ work: Container.WorkOptions) throws {
    try container.write(to: path, as: form, replacing: isReplacing, options: packing(work))
  }

  private func packing(_ work: Container.WorkOptions) -> Container.PackingOptions {
    var options = Container.PackingOptions(level: level, work: work)
    options.synchronizing = isSynchronizing
    return options
  }
}

/// A handle whose contents are saved as a package.
protocol PackageOwner: HandleKind {
  /// The package.
  var container: Container { get throws }

  /// Saves the package by work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws
}

extension PackageHandle: PackageOwner {}
extension EffectHandle: PackageOwner {}

/// Saves the package of a handle at a path, or a copy. Without a path, it is saved in place.
func save<Kind: PackageOwner>(
  _ pointer: OpaquePointer?, _ kind: Kind.Type, to path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  call(pointer, kind) { owner in
    let arguments = try SaveArguments(options)
    let work = arguments.work(for: owner)
    guard let path = optionalPath(path) else {
      guard !arguments.isCopy else {
        throw Diagnostic.argument("path", expected: "the path of the copy", found: "0")
      }
      return try owner.save { try arguments.save(&$0, work) }
    }
    guard arguments.isCopy else {
      return try owner.save { try arguments.save(&$0, to: path, work) }
    }
    let container = try owner.container
    try owner.cancellable { try arguments.copy(container, to: path, work) }
  }
}

/// See `particles_package_save` in `particles.h`.
@_cdecl("particles_package_save")
public func savePackage(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  save(pointer, PackageHandle.self, to: path, options)
}
