internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// What holds for a file of cocos2d, Particle Designer or Starling, whoever wrote it.
enum EmitterLaws {
  static let formats: [ParticleFormat] = [.cocos2d, .particleDesigner, .starling]

  static func check(_ bytes: [UInt8], as format: ParticleFormat) throws {
    let context = DecodingContext(fileName: "input.x", limits: FuzzTarget.limits) { name in
      // Some of the images that a file names are there.
      name.utf8.count.isMultiple(of: 2) ? try PNG.encode(Bitmap(width: 1, height: 2)) : nil
    }
    _ = format.recognise(bytes, context.fileName)
    let imported = try format.decode(bytes, context)
    try DocumentLaws.check(imported.system)
    let errors = imported.system.diagnostics().filter { $0.severity == .error }
    Law.holds("what was imported is valid: \(errors)", errors.isEmpty)
    Law.holds(
      "messages are one line", imported.diagnostics.allSatisfy { !"\($0)".contains("\n") })
    let package = Law.succeeds("what was imported makes a package") { try imported.package() }
    for other in formats {
      let exported = Law.succeeds("what was imported can be written as \(other.name)") {
        try package.exported(as: other, fileName: "output.x")
      }
      guard let part = exported.parts.first else { Law.broken("there is a file") }
      if other.name == format.name {
        Law.holds("what was not edited comes back as it was", part.bytes == bytes)
      }
      _ = Law.succeeds("what was written can be read") {
        try other.decode(part.bytes, DecodingContext(fileName: "output.x"))
      }
    }
    try checkEditing(imported, package, format)
  }

  /// An edit is there when the file is read again.
  private static func checkEditing(
    _ imported: Imported, _ package: EffectPackage, _ format: ParticleFormat
  ) throws {
    var system = imported.system
    var package = package
    system.emitters[0].lifetime = 3.25
    try package.setSystem(system)
    let exported = Law.succeeds("what was edited can be written") {
      try package.exported(as: format, fileName: "input.x")
    }
    let again = Law.succeeds("and read") {
      try format.decode(exported.parts[0].bytes, DecodingContext(fileName: "input.x"))
    }
    Law.holds("and is edited then", again.system.emitters[0].lifetime == 3.25)
  }
}

/// What holds for a property list, whoever wrote it.
enum PropertyListLaws {
  static func check(_ bytes: [UInt8]) throws {
    let value = try PropertyListValue(decoding: bytes, limits: FuzzTarget.limits)
    let xml = value.xml
    let again = Law.succeeds("what was written can be read") {
      try PropertyListValue(decoding: xml)
    }
    Law.holds("and is written the same way", again.xml == xml)
  }
}

/// What holds for a TIFF, whoever made it.
enum TIFFLaws {
  static func check(_ bytes: [UInt8]) throws {
    let bitmap = try TIFF.decode(bytes, limits: FuzzTarget.limits)
    let count = bitmap.width * bitmap.height
    Law.holds("limits are kept", count <= FuzzTarget.limits.pixels)
    Law.holds("every pixel is there", bitmap.pixels.count == 4 * count)
    let encoded = Law.succeeds("a picture can be written") { try PNG.encode(bitmap) }
    Law.holds("and is the same then", (try? PNG.decode(encoded)) == bitmap)
  }
}
