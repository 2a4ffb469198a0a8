public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

// The functions of `particles.h` about effects on disks.

/// The folders of an argument in which images are found.
private func imageFolders(_ argument: UnsafePointer<particles_open_options>?) throws -> [String] {
  var folders: [String] = []
  var next = try optional(argument, "options")?.image_folders
  while let folder = next?.pointee {
    folders.append(try path(folder, "image_folders"))
    next = next?.successor()
  }
  return folders
}

extension EffectHandle {
  /// Saves the package by work that can be cancelled.
  func save(_ body: (inout Container) throws -> Void) throws {
    var container = package.container
    // Released, so that saving finds out that there are no copies.
    (package.container, editor) = (Container(), nil)
    defer { package.container = container }
    try cancellable { try body(&container) }
    opened = nil
  }
}

extension OpenedEffect {
  /// Whether bytes are a package or an archive.
  fileprivate static func isTree(_ bytes: [UInt8], _ name: String, _ format: ParticleFormat?)
    -> Bool
  {
    if let format { return format.isArchive }
    return Container.isFlatPackage(bytes)
      || FormatRegistry.standard.formats.contains { $0.isArchive && $0.recognise(bytes, name) }
  }
}

/// See `particles_effect_open` in `particles.h`.
@_cdecl("particles_effect_open")
public func openEffect(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<particles_open_options>?,
  _ out: PackageOut?
) -> CInt {
  making(out, EffectHandle.self) { effect in
    let path = try ParticlesC.path(path, "path")
    let folders = try imageFolders(options)
    let options = try OpenArguments(options)
    if options.finder != nil, try SafeSave.status(of: path)?.kind != .directory {
      let bytes = try Files.read(path, limits: options.limits)
      if !OpenedEffect.isTree(bytes, Files.lastComponent(of: path), options.format) {
        return try effect.store(
          options.open(bytes, named: path), named: path, limits: options.limits)
      }
    }
    try effect.store(
      OpenedEffect(
        path: path, as: options.format, imageFolders: folders, engine: options.engine,
        limits: options.limits), named: path, limits: options.limits)
  }
}

/// See `particles_effect_save` in `particles.h`.
@_cdecl("particles_effect_save")
public func saveEffect(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  save(pointer, EffectHandle.self, to: path, options)
}

/// See `particles_export_write` in `particles.h`.
@_cdecl("particles_export_write")
public func writeExport(_ pointer: OpaquePointer?, _ folder: UnsafePointer<CChar>?, _ flags: CInt)
  -> CInt
{
  call(pointer, ExportHandle.self) { export in
    let folder = try path(folder, "folder")
    let flags = try ParticlesC.flags(flags, of: PARTICLES_OVERWRITE | PARTICLES_NOSYNC)
    // The effect itself comes last: where it is, everything that belongs to it is, too.
    let files = export.files.reversed().map { (Files.joined(folder, $0.name), $0.bytes) }
    try SafeSave.files(
      files, replacing: flags & PARTICLES_OVERWRITE != 0, flushing: flags & PARTICLES_NOSYNC == 0)
  }
}
