public import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesRender

// The functions of `particles.h` that convert effects.

/// The files of a conversion.
final class ExportHandle: Handle {
  override class var kind: UInt32 { 5 }

  /// The files as callers have them: until the handle is closed.
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  private(set) var losses: [Diagnostic] = []
  private(set) var difference: EffectDifference?
  private var memory: [(name: UnsafePointer<CChar>?, bytes: UnsafeMutableRawPointer?)?] = []
  private let names = Strings()

  deinit { for place in memory { place?.bytes?.deallocate() } }

  func take(
    _ files: [(name: String, bytes: [UInt8])], _ losses: [Diagnostic],
    _ difference: EffectDifference?
  ) {
    (self.files, self.losses, self.difference) = (files, losses, difference)
    memory = Array(repeating: nil, count: files.count)
  }

  /// Returns the name and the bytes of a file at addresses that stay.
  func file(_ index: Int) -> (name: UnsafePointer<CChar>?, bytes: UnsafeMutableRawPointer?) {
    if let place = memory[index] { return place }
    let (name, bytes) = files[index]
    let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 1, alignment: 16)
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
    }
    copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    let place = (names.add(name), copy as UnsafeMutableRawPointer?)
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
  making(out, ExportHandle.self, from: pointer, EffectHandle.self) { effect, export in
    let format = try ParticlesC.format(text(name, "format"))
    let file = try text(fileName, "file_name")
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
    // Cancelled by the handle that the caller has: that of the effect.
    try effect.cancellable {
      try export.convert(
        effect, to: format, named: file, images: images, measures: Int(options.measure))
    }
  }
}

extension ExportHandle {
  fileprivate func convert(
    _ effect: EffectHandle, to format: ParticleFormat, named name: String,
    images: EncodingContext.ImagePlacement?, measures: Int
  ) throws {
    let package = effect.package
    if format.isArchive {
      let packed = try format.packed(package.container.root)
      return take([(name, packed.bytes)], packed.diagnostics, nil)
    }
    guard format.canWrite else {
      let bytes = try package.originalFile(limits: effect.limits)
      return take([(name, bytes)], [], nil)
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
    let beside = exported.beside.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    take(exported.parts.map { ($0.name, $0.bytes) } + beside, exported.losses, difference)
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
  let status = call(pointer, ExportHandle.self) { export in
    guard index >= 0 else {
      throw Diagnostic.argument("index", expected: "0 or more", found: "\(index)")
    }
    isBehind = index >= export.files.count
    guard !isBehind else { return }
    let file = export.file(Int(index))
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
  call(pointer, ExportHandle.self) { try report($0.losses, to: finding, context) }
}

/// See `particles_export_difference` in `particles.h`.
@_cdecl("particles_export_difference")
public func exportDifference(
  _ pointer: OpaquePointer?, _ value: UnsafeMutablePointer<Double>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, ExportHandle.self) { export in
    guard let difference = export.difference else {
      throw Diagnostic(.absentValue, "the difference was not measured")
    }
    try required(value, "difference").pointee = difference.whole
    if json != nil { try give(difference.json, json) }
  }
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

/// See `particles_export_close` in `particles.h`.
@_cdecl("particles_export_close")
public func closeExport(_ pointer: OpaquePointer?) { ExportHandle.close(pointer) }

/// See `particles_effect_difference` in `particles.h`.
@_cdecl("particles_effect_difference")
public func effectDifference(
  _ pointer: OpaquePointer?, _ other: OpaquePointer?, _ value: UnsafeMutablePointer<Double>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  call(pointer, EffectHandle.self) { effect in
    let value = try required(value, "difference")
    // An effect may be compared with itself.
    let isOther = other != pointer
    guard let second = isOther ? entered(other, EffectHandle.self) : effect else {
      throw Diagnostic.argument("other", expected: "an open effect that no other call uses")
    }
    defer { if isOther { leave(other) } }
    let difference = try effect.cancellable {
      try EffectMeter(effect.system, limits: effect.limits).difference(from: second.system)
    }
    value.pointee = difference.whole
    if json != nil { try give(difference.json, json) }
  }
}

/// See `particles_formats_json` in `particles.h`.
@_cdecl("particles_formats_json")
public func formats(_ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  callPlainly {
    let package: JSONObject = [
      "name": .string("particles"),
      "title": .string("Particles package: one file, or a directory"),
      "extensions": .array([.string("particles")]), "canRead": .bool(true),
      "canWrite": .bool(true),
    ]
    var rows: [JSONValue] = [.object(package)]
    for format in FormatRegistry.standard.formats {
      var row: JSONObject = [
        "name": .string(format.name), "title": .string(format.title),
        "extensions": .array(format.extensions.map(JSONValue.string)),
        "canRead": .bool(format.canRead), "canWrite": .bool(format.canWrite),
      ]
      if let capabilities = format.capabilities {
        row["exact"] = .array(capabilities.exact.map(\.id).sorted().map(JSONValue.string))
        row["approximated"] = .array(
          capabilities.approximated.map(\.id).sorted().map(JSONValue.string))
      }
      rows.append(.object(row))
    }
    try give(.array(rows), out)
  }
}

/// See `particles_templates_json` in `particles.h`.
@_cdecl("particles_templates_json")
public func templates(_ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  callPlainly {
    try give(
      .array(
        EffectTemplate.all.map { ["name": .string($0.name), "summary": .string($0.summary)] }),
      out)
  }
}
