internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// Laws for JSON text.
enum JSONLaws {
  static func check(_ bytes: [UInt8]) throws {
    let value = try JSONParser.parse(bytes, limits: FuzzTarget.limits)
    checkNumbers(value)
    let text = Array(value.text.utf8)
    let again = Law.succeeds("what was written can be read") { try JSONParser.parse(text) }
    Law.holds("what was written is the same value", again == value)
    Law.holds("and is written the same way", Array(again.text.utf8) == text)
  }

  private static func checkNumbers(_ value: JSONValue) {
    value.array?.forEach(checkNumbers)
    value.object?.members.forEach { checkNumbers($0.value) }
    if let double = value.double {
      let again = JSONValue.double(double).double
      Law.holds("\(double) keeps its value as text", again == double)
    }
    if let int = value.int {
      Law.holds("\(int) keeps its value as text", JSONValue.int(int).int == int)
    }
  }
}

/// Laws for an effect document.
enum DocumentLaws {
  static func check(_ bytes: [UInt8]) throws {
    let system = try ParticleSystem(decoding: bytes, limits: FuzzTarget.limits)
    try check(system)
    EncodingLaws.check(system)
  }

  /// Writing and reading changes nothing, faults included.
  static func check(_ system: ParticleSystem) throws {
    let bytes = system.encoded()
    let again = Law.succeeds("what was written can be read") {
      try ParticleSystem(decoding: bytes)
    }
    Law.holds("what was written is the same document", again == system)
    Law.holds("and is written the same way", again.encoded() == bytes)
    let findings = system.diagnostics()
    Law.holds("and has the same faults", again.diagnostics() == findings)
    Law.holds("they are on lines of their own", findings.allSatisfy { !"\($0)".contains("\n") })
  }
}

/// Laws for the export of an effect to every format.
enum EncodingLaws {
  /// An export succeeds or is refused with a diagnostic; our reader accepts every exported file.
  static func check(_ system: ParticleSystem, images: [String: [UInt8]] = [:]) {
    for format in FormatRegistry.standard.formats where !format.isArchive && format.canWrite {
      let context = EncodingContext(
        fileName: "result.\(format.extensions[0])", limits: FuzzTarget.limits
      ) { images[$0] }
      do {
        let losses = try format.export(system, context).losses
        Law.holds("losses are one line", losses.allSatisfy { !"\($0)".contains("\n") })
      } catch let fault as Diagnostic {
        // A file that our reader refuses must not have been written.
        Law.holds(
          "\(format.name) is written or refused: \(fault)",
          ["convert", "limit", "document"].contains(fault.rule.family))
      } catch {
        Law.broken("only diagnostics are thrown, not \(error)")
      }
    }
  }
}

/// Laws for property lists and keyed archives that are encoded again.
enum WriterLaws {
  static func check(_ bytes: [UInt8]) throws {
    let list = try BinaryPropertyList(bytes, limits: FuzzTarget.limits)
    let written = list.encoded()
    let again = Law.succeeds("a list that was written can be read") {
      try BinaryPropertyList(written)
    }
    // Compared as bytes, since a NaN is not equal to itself.
    Law.holds("and is written the same way", again.encoded() == written)
    Law.holds("and has as many objects", again.objects.count == list.objects.count)
    guard let archive = try? KeyedArchive(bytes, limits: FuzzTarget.limits) else { return }
    let copy = kept(archive)
    let second = Law.succeeds("an archive that was kept can be read") { try KeyedArchive(copy) }
    Law.holds(
      "and has the same root",
      second.className(of: second.root) == archive.className(of: archive.root))
    let third = Law.succeeds("and kept again") { try KeyedArchive(kept(second)) }
    Law.holds(
      "with as many objects", third.plist.objects.count == second.plist.objects.count)
  }

  private static func kept(_ archive: KeyedArchive) -> [UInt8] {
    let top = archive.top.map { ArchivableObject.Member($0.key, .kept($0.index)) }
    return KeyedArchiver.encode(
      top.first { $0.key == "root" }?.value ?? .null, top: top.filter { $0.key != "root" },
      keeping: archive)
  }
}

/// Laws for an image file.
enum ImageLaws {
  static func check(_ bytes: [UInt8]) throws {
    check(try Bitmap(decoding: bytes, limits: FuzzTarget.limits))
  }

  static func check(_ bitmap: Bitmap) {
    let count = bitmap.width * bitmap.height
    Law.holds("limits are kept", count <= FuzzTarget.limits.pixels)
    Law.holds("every pixel is there", bitmap.pixels.count == 4 * count)
    let encoded = Law.succeeds("a picture can be written") { try PNG.encode(bitmap) }
    let again = Law.succeeds("and read") { try PNG.decode(encoded) }
    Law.holds("and is the same then", again == bitmap)
  }
}

/// Laws for a property list.
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

/// Laws for a TIFF file.
enum TIFFLaws {
  static func check(_ bytes: [UInt8]) throws {
    ImageLaws.check(try TIFF.decode(bytes, limits: FuzzTarget.limits))
  }
}
