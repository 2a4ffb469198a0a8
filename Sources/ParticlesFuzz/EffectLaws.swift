internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// Laws for one file of an effect format.
enum EffectLaws {
  static func check(_ bytes: [UInt8], as format: ParticleFormat) throws {
    let name = "input.\(format.extensions[0])"
    let context = DecodingContext(fileName: name, limits: FuzzTarget.limits) { name in
      // Only images with a name of even length can be found. They differ: of equal ones, only one name is
      // kept.
      guard name.utf8.count.isMultiple(of: 2) else { return nil }
      let checksum = CRC32.checksum(name.utf8)
      let shades = (0..<3).map { Double(checksum >> (8 * $0) & 255) / 255 }
      return try PNG.encode(
        Bitmap(width: 1, height: 2) { _, _ in (shades[0], shades[1], shades[2], 1) })
    }
    _ = format.recognise(bytes, name)
    let imported = try format.decode(bytes, context)
    try DocumentLaws.check(imported.system)
    Law.holds(
      "messages are one line", imported.diagnostics.allSatisfy { !"\($0)".contains("\n") })
    let package = Law.succeeds("an imported effect becomes a package") { try imported.package() }
    let system = Law.succeeds("that package has a document") { try package.system() }
    Law.holds("that document equals the imported one", system == imported.system)
    let packed = Law.succeeds("that package can be encoded") { try package.container.encoded() }
    try PackageLaws.check(packed)
    EncodingLaws.check(imported.system, images: imported.images)
    guard format.canWrite else { return }
    checkSource(imported, of: format)
    try checkEditing(package, of: format, named: name)
  }

  /// Exporting an unedited import returns the source bytes.
  private static func checkSource(_ imported: Imported, of format: ParticleFormat) {
    let images = imported.images
    let context = EncodingContext(
      fileName: imported.sourceName,
      source: .init(name: imported.sourceName, bytes: imported.source),
      limits: FuzzTarget.limits
    ) { images[$0] }
    let exported = Law.succeeds("an unedited import can be exported") {
      try format.export(imported.system, context)
    }
    Law.holds(
      "an unedited import is exported with the same bytes",
      exported.parts.map(\.bytes) == [imported.source])
  }

  /// An edit survives export and a second import.
  private static func checkEditing(
    _ original: EffectPackage, of format: ParticleFormat, named name: String
  ) throws {
    var (package, system) = (original, try original.system())
    guard !system.diagnostics().contains(where: { $0.severity == .error }) else { return }
    system.emitters[0].lifetime = 3.25
    try package.setSystem(system)
    let exported = Law.succeeds("an edited import can be exported") {
      try package.exported(as: format, fileName: name)
    }
    let again = Law.succeeds("and read") {
      try format.decode(exported.parts[0].bytes, DecodingContext(fileName: name))
    }
    // Particles of particles.js have no lifetime.
    let isLost = exported.losses.contains {
      $0.rule == .lost && $0.loss?.path == "emitters[0].lifetime"
    }
    Law.holds(
      "the edit is in the exported file, or reported as lost",
      isLost || again.system.emitters.first?.lifetime == 3.25)
  }
}
