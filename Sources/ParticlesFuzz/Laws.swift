internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesPropertyLists
internal import ParticlesSystem
internal import ParticlesTypes

/// Checks of laws that hold for every input. A broken law ends the process, so that the fuzzer
/// records the input.
enum Law {
  /// Ends the process unless the law holds.
  static func holds(_ law: @autoclosure () -> String, _ condition: Bool) {
    if !condition { broken(law()) }
  }

  /// The result of `body`, which must not throw.
  static func succeeds<Result>(_ law: String, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      broken("\(law), but: \(error)")
    }
  }

  static func broken(_ law: String) -> Never {
    // An optimised build would not print the message of a precondition.
    try? OpenFile.standardError.write(Array("ParticlesFuzz: broken law: \(law)\n".utf8))
    abort()
  }
}

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

/// Laws for the recovery of a damaged package.
enum RecoveryLaws {
  static func check(_ bytes: [UInt8]) throws {
    let recovery = try Recovery(.bytes(bytes), limits: FuzzTarget.limits)
    Law.succeeds("recovered files can be read") {
      try recovery.root.forEachDescendant { _, node in _ = try node.regularFileContents() }
    }
    try PackageLaws.checkRewriting(recovery.root)
    if recovery.diagnostics.isEmpty {
      let reader = Law.succeeds("a package with nothing lost opens") {
        try ContainerReader(.bytes(bytes), limits: FuzzTarget.limits)
      }
      let findings = Law.succeeds("verifying never throws") {
        try reader.verify(.quick, earlier: nil)
      }
      Law.holds("a package with nothing lost is sound: \(findings)", findings.isEmpty)
    }
  }
}

/// Laws for ZIP and tar archives.
enum FileLaws {
  static func check(_ bytes: [UInt8], as format: ParticleFormat) throws {
    guard case .files(let unpack, let pack) = format.content else { return }
    _ = format.recognise(bytes, "input")
    let container = try unpack(.bytes(bytes), FuzzTarget.limits)
    let digest = try container.root.treeDigest()
    try PackageLaws.checkRewriting(container.root)
    var packed: [UInt8] = []
    _ = Law.succeeds("an archive that was read can be packed") {
      try pack(container.root) { packed += $0 }
    }
    let again = Law.succeeds("the packed archive can be read") {
      try unpack(.bytes(packed), .standard)
    }
    let copied = Law.succeeds("the packed archive has a digest") { try again.root.treeDigest() }
    Law.holds("the packed archive has the same digest", copied == digest)
  }

  /// Corrects the checksums of tar headers, which a fuzzer does not guess.
  static func repairedTar(_ input: [UInt8]) -> [UInt8] {
    var bytes = input
    for start in stride(from: 0, to: bytes.count - 511, by: 512)
    where bytes[(start + 257)...].starts(with: Array("ustar".utf8)) {
      for index in start + 148..<start + 156 { bytes[index] = 0x20 }
      var rest = bytes[start..<start + 512].reduce(0) { $0 + Int($1) }
      for index in (start + 148..<start + 154).reversed() {
        bytes[index] = UInt8(ascii: "0") + UInt8(rest % 8)
        rest /= 8
      }
    }
    return bytes
  }
}

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
  /// An export succeeds or is refused with a diagnostic. Our reader accepts every exported file.
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

/// Laws for files that declare types.
enum TypesLaws {
  static func check(_ bytes: [UInt8]) throws {
    checkIdentifier(String(decoding: bytes.prefix(1 << 10), as: UTF8.self))
    let file = try TypesFile(bytes, path: "input", limits: FuzzTarget.limits)
    let findings = TypeLinter(file).findings { $0.utf8.count }
    Law.holds("they are on lines of their own", findings.allSatisfy { !"\($0)".contains("\n") })

    let written = file.json
    let again = Law.succeeds("what was written can be read") {
      try TypesFile(json: JSONParser.parse(Array(written.text.utf8)))
    }
    Law.holds("what was written is the same", again.json == written)
    _ = Law.succeeds("as a property list, too") {
      try TypesFile(PropertyListValue(file.propertyList).xml, path: "Info.plist")
    }
    checkRegistry(TypeRegistry.standard.adding([file]), file)
  }

  private static func checkIdentifier(_ text: String) {
    guard let dynamic = DynamicIdentifier(text) else { return }
    let again = DynamicIdentifier(dynamic.identifier)
    Law.holds("a dynamic identifier means the same when written", again == dynamic)
  }

  private static func checkRegistry(_ registry: TypeRegistry, _ file: TypesFile) {
    let types = file.declarations.prefix(50).map {
      UniformType(importedAs: $0.value.identifier, in: registry)
    }
    for type in types {
      Law.holds("what is declared is there", type.isDeclared && type.conforms(to: type))
      let supertypes = type.supertypes
      Law.holds("supertypes are others", !supertypes.contains(type))
      Law.holds("one conforms to them", supertypes.allSatisfy { type.conforms(to: $0) })
      for name in (type.tags[.filenameExtension] ?? []).prefix(10) where !name.contains(".") {
        let selection = registry.select(tag: name, tagClass: .filenameExtension)
        let names = selection.candidates.map(\.type)
        Law.holds("whoever claims an extension is a candidate", names.contains(type))
      }
      let handlers = HandlerRegistry([file], types: registry).handlers(for: type)
      Law.holds(
        "a handler of rank None is never a candidate",
        handlers.candidates.allSatisfy { $0.claim.rank != .none })
    }
    let xml = SharedMIMEInfo(types).text
    _ = Law.succeeds("the package for desktops is XML") { try XMLParser.parse(Array(xml.utf8)) }
    let entry = DesktopEntry(file, types: registry, command: "x %F").text
    let read = TypesFile(desktopEntry: entry, identifier: "x.desktop", types: registry)
    Law.holds("a desktop entry is read", read.faults.isEmpty)
  }
}

/// Laws for a flat package.
enum PackageLaws {
  static func check(_ bytes: [UInt8]) throws {
    let reader = try ContainerReader(.bytes(bytes), limits: FuzzTarget.limits)
    Law.holds("opening a package warns of an interrupted save only", isTorn(reader.warnings))
    let quick = errors(try verify(reader, .quick))
    let full = errors(try verify(reader, .full))
    Law.holds(
      "a quick verification has findings only if a full one has: \(quick)",
      quick.isEmpty || !full.isEmpty)
    Law.holds(
      "a full verification adds findings in payloads only: \(full)",
      !quick.isEmpty || full.allSatisfy { $0.rule == .payload })

    let tree: FileNode
    do {
      tree = try read(reader)
    } catch let diagnostic as Diagnostic {
      Law.holds("verification finds an error that reading throws: \(diagnostic)", !full.isEmpty)
      throw diagnostic
    }
    // Damage in unreferenced bytes does not affect a reader. Damage in the tree does.
    let needed = errors(
      Law.succeeds("verifying twice does not throw") { try reader.verify(.full, earlier: nil) })
    Law.holds(
      "reading throws an error that verification finds in the tree: \(needed)",
      needed.allSatisfy { $0.rule.family == "container" })
    Law.holds(
      "a verification without earlier generations finds no more: \(needed)",
      needed.isEmpty || needed == full)
    if full.isEmpty { try checkRewriting(tree) }
  }

  /// Every entry is found by each kind of lookup.
  private static func read(_ reader: ContainerReader) throws -> FileNode {
    let tree = try reader.tree()
    TreeLaws.check(try reader.entries())
    try tree.forEachDescendant { path, node in
      let bytes = try node.regularFileContents()
      let entry = Law.succeeds("an entry of the tree can be looked up") { try reader.entry(path) }
      Law.holds("'\(path)' is found", entry?.path == path)
      Law.holds("'\(path)' has the size that the index records", (bytes?.count ?? 0) == entry?.size)
    }
    return tree
  }

  /// A sound package can be encoded again, with an equal tree.
  static func checkRewriting(_ tree: FileNode) throws {
    let digest = try tree.treeDigest()
    for reuses in [false, true] {
      let bytes = Law.succeeds("a package that was read can be encoded") {
        try Container(root: tree).encoded(PackingOptions(reusesBlocks: reuses))
      }
      let copy = Law.succeeds("the encoded package can be read") {
        try ContainerReader(.bytes(bytes))
      }
      let findings = Law.succeeds("verifying never throws") { try copy.verify(.full) }
      Law.holds("the encoded package is sound: \(findings)", findings.isEmpty)
      let copied = Law.succeeds("the encoded package has a digest") { try copy.tree().treeDigest() }
      Law.holds("the encoded package has the same digest", copied == digest)
    }
  }

  /// The findings about a package.
  /// - Throws: ``ParticlesCore/Rule/limit`` alone: then the package was not checked.
  private static func verify(
    _ reader: ContainerReader, _ depth: ContainerReader.Depth
  ) throws -> [Diagnostic] {
    do {
      return try reader.verify(depth)
    } catch {
      Law.holds("verifying throws limits only: \(error)", (error as? Diagnostic)?.rule == .limit)
      throw error
    }
  }

  private static func errors(_ findings: [Diagnostic]) -> [Diagnostic] {
    findings.filter { $0.severity == .error }
  }

  private static func isTorn(_ warnings: [Diagnostic]) -> Bool {
    warnings.allSatisfy { $0.rule == .torn }
  }
}

/// Laws for the entries of a tree, each written as the specification words it.
enum TreeLaws {
  static func check(_ entries: [Entry]) {
    var directories: Set<Substring> = [""]
    var names: Set<String> = []
    for (index, entry) in entries.enumerated() {
      let parent = EntryPath.parent(of: entry.path)
      let name = EntryPath.name(of: entry.path)
      Law.holds("'\(parent)' is a directory", directories.contains(parent))
      Law.holds(
        "'\(entry.path)' occurs once",
        names.insert("\(parent)/\(UnicodeForms.folded(String(name)))").inserted)
      Law.succeeds("'\(entry.path)' keeps the rules of names") {
        _ = try EntryPath.validated(Array(entry.path.utf8), limits: FuzzTarget.limits, at: .unknown)
      }
      Law.holds(
        "'\(entry.path)' sorts after the entry before it",
        index == 0 || EntryPath.precedes(entries[index - 1].path.utf8, entry.path.utf8))
      if entry.kind == .directory { directories.insert(entry.path[...]) }
    }
    let extents = entries.filter { $0.size > 0 }.sorted { $0.offset < $1.offset }
    for (a, b) in zip(extents, extents.dropFirst()) {
      Law.holds("'\(a.path)' ends before '\(b.path)' begins", a.offset + a.size <= b.offset)
    }
    let count = entries.reduce(0) { $0 + $1.path.utf8.count }
    Law.holds("\(count) bytes of paths keep the limit", count <= FuzzTarget.limits.indexBytes)
  }
}
