public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender

// The functions of `particles.h` that convert effects.

/// The files of a conversion.
final class ExportHandle: Handle, HandleKind {
  static var kind: UInt32 { 5 }

  /// A file of the result.
  struct File {
    let name: String
    let bytes: [UInt8]
  }

  /// The name and the bytes of a file as callers have them: until the handle is closed.
  struct Place {
    let name: UnsafePointer<CChar>?
    let bytes: UnsafeMutableRawPointer?
  }

  private(set) var files: [File] = []
  private(set) var losses: [Diagnostic] = []
  private(set) var difference: EffectDifference?
  private var memory: [Place?] = []
  private let names = Strings()

  deinit { for place in memory { release(place?.bytes) } }

  func store(_ files: [File], _ losses: [Diagnostic], _ difference: EffectDifference?) {
    (self.files, self.losses, self.difference) = (files, losses, difference)
    memory = Array(repeating: nil, count: files.count)
  }

  /// Returns the name and the bytes of a file at addresses that stay.
  func file(_ index: Int) throws(Failure) -> Place {
    if let place = memory[index] { return place }
    let bytes = files[index].bytes
    guard let copy = bytes.withUnsafeBytes({ copied($0) }) else {
      throw Diagnostic.outOfMemory(bytes.count)
    }
    let place = Place(name: names.add(files[index].name), bytes: copy)
    memory[index] = place
    return place
  }
}

/// See `particles_effect_export` in `particles.h`.
@_cdecl("particles_effect_export")
public func exportEffect(
  _ pointer: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ fileName: UnsafePointer<CChar>?,
  _ options: UnsafePointer<particles_export_options>?, _ out: PackageOut?
) -> CInt {
  making(out, ExportHandle.self, from: pointer, EffectHandle.self) {
    effect, export throws(Failure) in
    var format: ParticleFormat?
    if let name = try optionalText(name, "format") { format = try ParticlesC.format(name) }
    var file = try optionalText(fileName, "file_name")
    // Only the file that it was opened from has a name.
    if format == nil, file == nil { file = effect.fileName ?? "effect.particles" }
    guard let file else { throw Diagnostic.argument("file_name", expected: "a name", found: "0") }
    guard !file.isEmpty, !file.contains("/") else {
      throw Diagnostic.argument("file_name", expected: "a name without folders", found: file)
    }
    let options = try optional(options, "options") ?? particles_export_options()
    let images: EncodingContext.ImagePlacement?
    switch Int(options.images) {
    case PARTICLES_IMAGES_USUAL: images = nil
    case PARTICLES_EMBEDDED: images = .embedded
    case PARTICLES_BESIDE: images = .beside
    default:
      throw Diagnostic.argument("images", expected: "0 to 2", found: "\(options.images)")
    }
    guard (0...2).contains(options.measure) else {
      throw Diagnostic.argument("measure", expected: "0 to 2", found: "\(options.measure)")
    }
    // The caller cancels by the handle of the effect.
    try effect.cancellable { () throws(Failure) in
      if let format {
        try export.convert(
          effect, to: format, named: file, images: images, measures: Int(options.measure))
      } else {
        try export.write(effect, named: file, measures: options.measure > 0)
      }
    }
  }
}

extension ExportHandle {
  /// Writes the file that an effect was opened from, with its edits in place.
  fileprivate func write(
    _ effect: EffectHandle, named name: String, measures: Bool
  ) throws(Failure) {
    let (package, limits) = (effect.package, effect.limits)
    guard let opened = effect.opened, case .imported(let format) = opened.kind else {
      var file: (bytes: [UInt8], diagnostics: [Diagnostic])?
      if case .archive(let format)? = effect.opened?.kind {
        let packed = try format.packed(package.container.root)
        file = (packed.bytes, packed.diagnostics)
      } else if effect.kindName == "particles" {
        file = (try package.container.encoded(), [])
      }
      // The effect of a document, or one that was saved as a package, has no file.
      guard let file else {
        throw Diagnostic(
          .misuse, "the effect does not have the file that it was opened from",
          hint: "convert it to a format")
      }
      let difference = measures ? try effect.difference(from: effect.system) : nil
      return store([File(name: name, bytes: file.bytes)], file.diagnostics, difference)
    }
    let edited = try opened.edited(package, fileName: name, limits: limits)
    let bytes = if let edited { edited.bytes } else { try opened.importedBytes(limits: limits) }
    let known = Set((edited?.losses ?? []).map { $0.message })
    let refused = (edited?.refused ?? []).filter { !known.contains($0.message) }
    var difference: EffectDifference?
    if measures {
      let images = edited?.allImages ?? [:]
      var context = DecodingContext(fileName: name, limits: limits) { image throws(Failure) in
        if let bytes = images[image] { return bytes }
        return try package.image(named: image, limits: limits)
      }
      context.engine = try opened.package.system(limits: limits).asset.profile
      let again = try OpenedEffect(bytes: bytes, name: name, as: format, context)
      difference = try effect.difference(from: again.package.system(limits: limits))
    }
    let beside = (Array(edited?.images ?? [:]) + Array(edited?.others ?? [:])).map {
      File(name: $0.key, bytes: $0.value)
    }
    store(
      [File(name: name, bytes: bytes)] + beside.sorted { $0.name < $1.name },
      (edited?.losses ?? []) + refused, difference)
  }

  fileprivate func convert(
    _ effect: EffectHandle, to format: ParticleFormat, named name: String,
    images: EncodingContext.ImagePlacement?, measures: Int
  ) throws(Failure) {
    let package = effect.package
    if format.isArchive {
      let packed = try format.packed(package.container.root)
      return store([File(name: name, bytes: packed.bytes)], packed.diagnostics, nil)
    }
    guard format.canWrite else {
      let bytes = try package.originalFile(limits: effect.limits)
      return store([File(name: name, bytes: bytes)], [], nil)
    }
    var exported = try package.exported(
      as: format, fileName: name, images: images, limits: effect.limits)
    var difference: EffectDifference?
    if measures > 0 {
      let measurement = try ConversionMeasurement(
        of: package, exported: exported, as: format, measuresLines: measures > 1,
        limits: effect.limits)
      (exported.losses, difference) = (measurement.losses, measurement.difference)
    }
    let beside = exported.beside.sorted { $0.key < $1.key }.map {
      File(name: $0.key, bytes: $0.value)
    }
    store(
      exported.parts.map { File(name: $0.name, bytes: $0.bytes) } + beside, exported.losses,
      difference)
  }
}

/// See `particles_export_file` in `particles.h`.
@_cdecl("particles_export_file")
public func exportFile(
  _ pointer: OpaquePointer?, _ index: Int64,
  _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?, _ count: UnsafeMutablePointer<Int>?
) -> CInt {
  var isBehind = false
  let status = call(pointer, ExportHandle.self) { export throws(Failure) in
    guard index >= 0 else {
      throw Diagnostic.argument("index", expected: "0 or more", found: "\(index)")
    }
    isBehind = index >= export.files.count
    guard !isBehind else { return }
    let file = try export.file(Int(index))
    name?.pointee = file.name
    bytes?.pointee = UnsafeRawPointer(file.bytes)
    count?.pointee = export.files[Int(index)].bytes.count
  }
  return isBehind ? CInt(PARTICLES_DONE) : status
}

/// See `particles_export_losses` in `particles.h`.
@_cdecl("particles_export_losses")
public func exportLosses(
  _ pointer: OpaquePointer?, _ finding: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  call(pointer, ExportHandle.self) { export throws(Failure) in
    try report(export.losses, to: finding, context)
  }
}

/// See `particles_export_difference` in `particles.h`.
@_cdecl("particles_export_difference")
public func exportDifference(
  _ pointer: OpaquePointer?, _ value: UnsafeMutablePointer<Double>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, ExportHandle.self) { export throws(Failure) in
    guard let difference = export.difference else {
      throw Diagnostic(.absentValue, "the difference was not measured")
    }
    try required(value, "difference").pointee = difference.whole
    if json != nil { try give(difference.json, json) }
  }
}

/// See `particles_export_close` in `particles.h`.
@_cdecl("particles_export_close")
public func closeExport(_ pointer: OpaquePointer?) { ExportHandle.close(pointer) }
