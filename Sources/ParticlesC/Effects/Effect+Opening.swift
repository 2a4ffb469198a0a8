public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

// The functions of `particles.h` that make effects and close them.

/// How an effect is opened, by the argument of a function.
private struct OpenArguments {
  var format: ParticleFormat?
  var engine: ParticleSystem.Profile?
  var folders: [String] = []
  var finder: CallbackFinder?
  var limits = Limits.standard

  init(_ argument: UnsafePointer<particles_open_options>?) throws {
    guard let options = try optional(argument, "options") else { return }
    limits = try ParticlesC.limits(options.limits)
    if let name = try optionalText(options.format, "format"), name != "particles" {
      format = try ParticlesC.format(name)
    }
    engine = try ParticlesC.engine(options.engine)
    var next = options.image_folders
    while let folder = next?.pointee {
      folders.append(try path(folder, "image_folders"))
      next = next?.successor()
    }
    finder = CallbackFinder(options.find, options.context)
  }

  /// Opens a file that is no tree of files with the images of the callback.
  func open(_ bytes: [UInt8], named name: String) throws -> OpenedEffect {
    let fileName = Files.lastComponent(of: name)
    guard let finder, let files = try? OpenedEffect.isTree(bytes, fileName, format), !files else {
      return try OpenedEffect(
        bytes: bytes, name: name, as: format, engine: engine, limits: limits)
    }
    let format =
      try self.format ?? FormatRegistry.standard.recognising(bytes, fileName: fileName)
    var context = DecodingContext(fileName: fileName, limits: limits) {
      try finder.bytes($0, limits: limits)
    }
    context.engine = engine
    let imported = Result {
      try locating(Location(file: name)) { try format.decode(bytes, context) }
    }
    if let failure = finder.failure { throw failure }
    return try OpenedEffect(imported.get(), of: format, named: name)
  }
}

extension OpenedEffect {
  /// Whether bytes are a package or an archive.
  fileprivate static func isTree(
    _ bytes: [UInt8], _ name: String, _ format: ParticleFormat?
  ) throws -> Bool {
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
    let options = try OpenArguments(options)
    if options.finder != nil, try SafeSave.status(of: path)?.kind != .directory {
      let bytes = try Files.read(path, limits: options.limits)
      if try !OpenedEffect.isTree(bytes, Files.lastComponent(of: path), options.format) {
        return try effect.take(options.open(bytes, named: path), limits: options.limits)
      }
    }
    try effect.take(
      OpenedEffect(
        path: path, as: options.format, imageFolders: options.folders, engine: options.engine,
        limits: options.limits), limits: options.limits)
  }
}

/// See `particles_effect_open_memory` in `particles.h`.
@_cdecl("particles_effect_open_memory")
public func openEffect(
  ofBytes start: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_open_options>?, _ out: PackageOut?
) -> CInt {
  making(out, EffectHandle.self) { effect in
    let bytes = try bytes(start, count, "bytes")
    let name = try optionalText(name, "name") ?? "effect"
    let options = try OpenArguments(options)
    try effect.take(options.open(bytes, named: name), limits: options.limits)
  }
}

/// See `particles_effect_template` in `particles.h`.
@_cdecl("particles_effect_template")
public func openTemplate(_ name: UnsafePointer<CChar>?, _ out: PackageOut?) -> CInt {
  making(out, EffectHandle.self) { effect in
    let name = try text(name, "name")
    guard let template = EffectTemplate.named(name) else {
      let names = EffectTemplate.all.map(\.name)
      throw Diagnostic(
        .absentName, "no template is called '\(name)'",
        expected: "one of \(names.joined(separator: ", "))")
    }
    effect.take(try template.package(), limits: .standard)
  }
}

/// See `particles_effect_from_package` in `particles.h`.
@_cdecl("particles_effect_from_package")
public func effectFromPackage(
  _ pointer: OpaquePointer?, _ given: UnsafePointer<particles_limits>?, _ out: PackageOut?
) -> CInt {
  making(out, EffectHandle.self, from: pointer, PackageHandle.self) { package, effect in
    let limits = try limits(given)
    effect.take(EffectPackage(try package.container), limits: limits)
  }
}

/// See `particles_effect_package` in `particles.h`.
@_cdecl("particles_effect_package")
public func packageOfEffect(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, EffectHandle.self) { effect in
    let package = PackageHandle()
    package.take(effect.package.container, limits: effect.limits)
    return package
  }
}

/// See `particles_effect_copy` in `particles.h`.
@_cdecl("particles_effect_copy")
public func copyEffect(_ pointer: OpaquePointer?, _ out: PackageOut?) -> CInt {
  giving(out, by: pointer, EffectHandle.self) { effect in
    let copy = EffectHandle()
    effect.copy(to: copy)
    return copy
  }
}

/// See `particles_effect_close` in `particles.h`.
@_cdecl("particles_effect_close")
public func closeEffect(_ pointer: OpaquePointer?) { EffectHandle.close(pointer) }

/// See `particles_effect_kind` in `particles.h`.
@_cdecl("particles_effect_kind")
public func effectKind(_ pointer: OpaquePointer?) -> UnsafePointer<CChar>? {
  var kind: UnsafePointer<CChar>?
  _ = call(pointer, EffectHandle.self) { kind = $0.strings.add($0.kindName) }
  return kind
}

/// See `particles_effect_save` in `particles.h`.
@_cdecl("particles_effect_save")
public func saveEffect(
  _ pointer: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_save_options>?
) -> CInt {
  save(pointer, EffectHandle.self, to: path, options)
}
