internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Writes an effect as keyed archives. The first is written into the file that it came from, if
/// that is still known and has as many emitters that start by themselves.
struct KeyedEncoder<Format: KeyedFormat> {
  private let format: Format
  private let context: EncodingContext
  private let system: ParticleSystem
  private let names: KeyedImageNames

  private let images: [Int: [UInt8]]

  init(_ format: Format, _ system: ParticleSystem, _ context: EncodingContext) throws(Failure) {
    self.format = format
    self.context = context
    self.system = system
    let shown = ExportedImages(system).shown
    var images: [Int: [UInt8]] = [:]
    for index in shown { images[index] = try context.readImage(system.images[index].uri) }
    self.images = images
    names = KeyedImageNames(format, system, missing: Set(shown).subtracting(images.keys))
  }

  func encode() throws(Failure) -> Exported {
    var exported = Exported(parts: [])
    let roots = system.startingEmitters.filter(system.emitters.indices.contains)
    guard !roots.isEmpty else {
      throw Diagnostic.noEmitter("at least one without a trigger")
    }
    for (number, roots) in (format.holdsAll ? [roots] : roots.map { [$0] }).enumerated() {
      let name = number == 0 ? context.fileName : context.fileName(part: number + 1)
      // An unreadable source is ignored.
      let source = number == 0 ? context.source : nil
      let original = source.flatMap { source in
        try? KeyedDecoder(format: format, context: context.rereading(source, of: system)).open(
          source.bytes)
      }
      var writer = KeyedWriter(format, system, names, context.fileName, original)
      let bytes = writer.bytes(of: roots)
      exported.parts.append(.init(name: name, bytes: bytes, emitters: writer.emitters))
      exported.losses += writer.losses
    }
    report(Set(exported.parts.flatMap { $0.emitters }), &exported)
    addImages(to: &exported)
    return exported
  }

  private func report(_ written: Set<Int>, _ exported: inout Exported) {
    func lose(
      _ rule: Rule, _ capability: Capability, _ place: String, also: [String] = [], _ detail: String
    ) {
      exported.losses.append(Diagnostic(rule, capability, at: place, also: also, detail))
    }
    let count = exported.parts.count
    if count > 1 {
      exported.losses.append(
        Diagnostic(
          .restated, .severalEmitters, at: "roots",
          "each emitter that starts by itself has its own file",
          target: .init(nil, .int(count))))
    } else if system.roots != nil {
      lose(.restated, .severalEmitters, "roots", format.rootsDetail)
    }
    let triggered = Set(system.emitters.flatMap { $0.triggers.map { $0.emitter } })
    let shown = Set(written.compactMap(system.shownImage))
    for index in system.emitters.indices where !written.contains(index) {
      let isImageLost = system.shownImage(of: index).map { !shown.contains($0) } ?? false
      let also = isImageLost ? ["sprites", "images"] : []
      if triggered.contains(index), let detail = format.triggeredDetail {
        lose(.lost, .emissionAtDeath, "emitters[\(index)]", also: also, detail)
      } else {
        lose(
          .dead, .severalEmitters, "emitters[\(index)]", also: also,
          "no trigger starts this emitter")
      }
    }
    if format.table.capabilities[.seed] == .lost { exported.loseSeed(of: system) }
    exported.loseResources(of: system, engine: format.engine)
  }

  private func addImages(to exported: inout Exported) {
    let (key, properties) = format.imageKey
    for (name, index) in names.files.sorted(by: { $0.key < $1.key }) {
      guard let bytes = images[index] else {
        exported.losses.append(names.images.missing(index, named: name, key: key, also: properties))
        continue
      }
      exported.beside[name] = bytes
      guard let known = format.imageFormats,
        !known.contains(where: { $0 == ImageFormat(of: bytes) })
      else { continue }
      exported.losses.append(
        Diagnostic(
          .assumed, .texture, at: "images",
          "\(format.engine) is known to show \(known.map { $0.name }.joined(separator: " and "))",
          target: .init(key, .string(name)), level: .low))
    }
    exported.explainPlacement(context, engine: format.engine)
  }
}

/// The names of the images that the emitters of an effect show, without folders. An image that cannot
/// be found keeps its name.
struct KeyedImageNames {
  /// The image that a file beside holds, by the name of the file.
  private(set) var files: [String: Int] = [:]

  private(set) var references: [Int: String] = [:]

  private(set) var images: ExportedImages

  init(_ format: some KeyedFormat, _ system: ParticleSystem, missing: Set<Int>) {
    images = ExportedImages(system)
    let shown = system.emitters.indices.compactMap { emitter in
      system.shownImage(of: emitter).map { (emitter: emitter, image: $0) }
    }
    let suffixes = format.imageSuffixes.sorted { $0.key < $1.key }.map { $0.value }
    for (emitter, image) in shown.sorted(by: { ($0.image, $0.emitter) < ($1.image, $1.emitter) }) {
      let name = FoundImage.baseName(of: system.images[image].uri)
      let isMissing = missing.contains(image)
      let isImplied = format.impliedExtensions.contains(Files.pathExtension(of: name))
      let ending = ImportedImage.ending(of: name)
      var (stem, suffix) = (Files.stem(of: name), "")
      for known in suffixes where stem.hasSuffix(known) {
        stem.removeLast(known.count)
        suffix = known
      }
      if !isMissing {
        suffix =
          format.imageSuffixes[system.sprites[system.emitters[emitter].sprites[0]].scale] ?? ""
      }
      // An engine that tries several file names per image distinguishes images by their stems only.
      let endings =
        isImplied || ending.isEmpty && !suffixes.isEmpty
        ? format.impliedExtensions.map { ".\($0)" } : [ending]
      let unique = images.stem(
        stem, endings: endings.flatMap { ending in ([""] + suffixes).map { $0 + ending } },
        for: image)
      files[unique + suffix + ending] = image
      references[emitter] = isImplied && !isMissing ? unique : unique + suffix + ending
    }
  }
}

/// Writes emitters as the objects of one archive, new or merged into the objects of a source.
struct KeyedWriter<Format: KeyedFormat> {
  private typealias Fields = [(key: String, value: Archivable)]

  private let format: Format
  private let system: ParticleSystem
  private let names: KeyedImageNames
  private let fileName: String
  private let original: (archive: OpenedKeyedArchive<Format>, names: KeyedImageNames)?

  private(set) var emitters: [Int] = []
  private(set) var losses: [Diagnostic] = []

  /// The changed objects of the source, by their indices.
  private var changes: [KeyedArchive.Index: ArchivableObject] = [:]

  /// The emitters whose source objects are replaced.
  private var merged: [KeyedArchive.Index: Int] = [:]

  init(
    _ format: Format, _ system: ParticleSystem, _ names: KeyedImageNames, _ fileName: String,
    _ original: OpenedKeyedArchive<Format>?
  ) {
    self.format = format
    self.system = system
    self.names = names
    self.fileName = fileName
    self.original = original.map { archive in
      let images = archive.system.images
      let missing = Set(images.indices.filter { images[$0].sha256 == nil })
      return (archive, KeyedImageNames(format, archive.system, missing: missing))
    }
  }

  /// The archive of the emitters that start by themselves: the source's bytes if nothing changed.
  mutating func bytes(of roots: [Int]) -> [UInt8] {
    guard let original = original?.archive, original.system.startingEmitters.count == roots.count
    else {
      let objects = roots.enumerated().map {
        new(
          $0.element,
          name: format.standardName($0.offset, isAlone: roots.count == 1, fileName: fileName))
      }
      return KeyedArchiver.encode(format.root(of: objects), top: format.top(of: system))
    }
    for (index, origin) in zip(roots, original.system.startingEmitters) {
      merge(index, over: origin)
    }
    changes.addMissing(format.changes(in: original, for: system))
    let top = original.archive.top.map { ArchivableObject.Member($0.key, .kept($0.index)) }
    guard !changes.isEmpty, let root = top.first(where: { $0.key == "root" }) else {
      return original.imported.source
    }
    return KeyedArchiver.encode(
      root.value, top: top.filter { $0.key != "root" }, keeping: original.archive,
      replacing: changes)
  }

  private func writer(
    _ system: ParticleSystem, _ index: Int, _ names: KeyedImageNames, _ place: Format.Place,
    _ name: String
  ) -> EmitterWriter<Format> {
    EmitterWriter(
      format, system, emitter: index,
      KeyedSurroundings(place: place, standardName: name, imageName: names.references[index]))
  }

  private mutating func new(_ index: Int, below above: [Int] = [], name: String = "") -> Archivable
  {
    emitters.append(index)
    let writer = writer(system, index, names, format.place(below: above, over: nil), name)
    losses += writer.losses
    var fields = writer.fields
    if let key = format.dictionaryKey { fields.append((key, dictionary(writer.entries))) }
    for (key, target) in writer.inner {
      let object = new(target, below: above + [index])
      fields.append((key, object))
    }
    return .object(format.classes, members(fields))
  }

  private func members(_ fields: Fields) -> [ArchivableObject.Member] {
    fields.map { .init($0.key, $0.value) }
  }

  private func dictionary(_ entries: Fields) -> Archivable {
    .dictionary(members(entries), mutable: false)
  }

  /// Writes an emitter over the object of one of the source, key by key.
  private mutating func merge(_ index: Int, over origin: Int, below above: [Int] = []) {
    guard let (source, oldNames) = original else { return }
    let archived = source.emitters[origin]
    emitters.append(index)
    merged[archived.object.index] = index
    let after = writer(
      system, index, names, format.place(below: above, over: archived.place), archived.name)
    let before = writer(source.system, origin, oldNames, archived.place, archived.name)
    // A value that could not be written then either is unchanged in the source.
    let known = Set(before.losses)
    losses += after.losses.filter { !known.contains($0) }
    var then = before.fields.map { (key: archived.key($0.key), value: $0.value) }
    var now = after.fields.map { (key: archived.key($0.key), value: $0.value) }
    if let key = format.dictionaryKey {
      let dictionary = (try? archived.object.dictionary(key)).flatMap { $0 }
      let entries = FieldMerge(
        source: dictionary?.fields ?? [], then: before.entries, now: after.entries)
      then.append((key, .null))
      now.append((key, entries.isUnchanged ? .null : self.dictionary(entries.fields)))
    }
    then += before.inner.map { ($0.key, .null) }
    for (key, target) in after.inner {
      now.append(
        (key, inner(target, over: before.inner.first { $0.key == key }?.emitter, above + [index])))
    }
    let fields = FieldMerge(source: archived.object.fields, then: then, now: now) {
      source.archive.adapt($0, to: $1)
    }
    guard !fields.isUnchanged else { return }
    changes[archived.object.index] = ArchivableObject(
      source.archive.classNames(of: archived.object.index) ?? format.classes, members(fields.fields)
    )
  }

  /// An emitter inside of an emitter. Null for an existing emitter, because it is merged separately.
  private mutating func inner(_ target: Int, over origin: Int?, _ above: [Int]) -> Archivable {
    guard let origin, let place = original?.archive.emitters[origin].object.index,
      merged[place, default: target] == target
    else { return new(target, below: above) }
    if merged[place] == nil { merge(target, over: origin, below: above) }
    return .null
  }
}

/// Writes an effect as text files with one emitter each. The first is written into the file that
/// the effect came from, if that is known.
struct FieldEncoder<Format: FieldFormat, Syntax: FieldSyntax> {
  let format: Format
  let context: EncodingContext

  private typealias Fields = [(key: String, value: FieldValue)]

  func encode(_ system: ParticleSystem) throws(Failure) -> Exported {
    var exported = Exported(parts: [])
    let count = max(1, system.emitters.count)
    let original = try context.source.map { source throws(Failure) in try open(source, of: system) }
    var images = ExportedImages(system)
    for index in 0..<count {
      try encode(index, of: system, into: index == 0 ? original : nil, &images, &exported)
    }
    exported.loseRoots(of: system, holdsAll: false)
    exported.loseSeed(of: system)
    return exported
  }

  /// The source file of an effect, and the effect as imported from it.
  private struct Original {
    let bytes: [UInt8]
    let file: Syntax
    let reader: FieldReader<Format>
    let system: ParticleSystem
    var emitterName: String { system.emitters.first?.name ?? "" }
    var imageIdentity: String? {
      system.images.first.map { FieldImage.identity(of: $0, digest: $0.sha256) }
    }
  }

  private func open(_ source: EncodingContext.Source, of now: ParticleSystem)
    throws(Failure) -> Original
  {
    let file = try Syntax(decoding: source.bytes, limits: context.limits)
    let decoder = FieldDecoder<Format, Syntax>(
      format: format, context: context.rereading(source, of: now))
    return Original(
      bytes: source.bytes, file: file, reader: FieldReader(file, format, engine: context.engine),
      system: try decoder.decode(file, source.bytes).system)
  }

  private func encode(
    _ index: Int, of system: ParticleSystem, into original: Original?,
    _ images: inout ExportedImages, _ exported: inout Exported
  ) throws(Failure) {
    let name = index == 0 ? context.fileName : context.fileName(part: index + 1)
    let emitters = system.emitters.isEmpty ? [] : [index]
    let writer = EmitterWriter(
      format, system, emitter: index, original?.reader.surroundings ?? format.newSurroundings)
    var image = try FieldImage(writer, &images, context)
    if image == nil, original == nil, format.needsImage {
      image = try FieldImage(blankFor: index, images)
    }
    let losses = writer.losses + (image?.losses ?? [])
    var now = inOrder(writer.fields)
    guard let original else {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      exported.losses += losses
      let file = merge(now, then: [], into: Syntax()) ?? Syntax()
      exported.parts.append(.init(name: name, bytes: file.bytes, emitters: emitters))
      return
    }

    let before = EmitterWriter(format, original.system, emitter: 0, original.reader.surroundings)
    var then = inOrder(before.fields)
    // Values that the file did not state either are not lost now.
    let known = Set(before.losses)
    exported.losses += losses.filter { !known.contains($0) }
    if original.emitterName != writer.emitter.name {
      now.append((format.nameKey, .text(writer.emitter.name)))
      if let name = original.reader.text(format.nameKey) {
        then.append((format.nameKey, .text(name)))
      }
    }
    if image?.identity != original.imageIdentity || context.images != nil {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      then += imageKeys.map { ($0, .text("")) }
    }
    let file = merge(now, then: then, into: original.file)
    exported.parts.append(
      .init(name: name, bytes: file?.bytes ?? original.bytes, emitters: emitters))
    try image?.putBeside(
      FieldReader(file ?? original.file, format), &images, context, &exported.beside)
  }

  private var imageKeys: [String] { format.imageKeys.map { [$0.name, $0.data] } ?? [] }

  /// Keys in the order of the table, independent of the row that wrote them.
  private func inOrder(_ fields: Fields) -> Fields {
    fields.sorted { format.table.place(of: $0.key) < format.table.place(of: $1.key) }
  }

  /// The file with changed values. Nil if nothing changed.
  private func merge(_ now: Fields, then: Fields, into file: Syntax) -> Syntax? {
    let source = format.fields(of: file.members)
    let old = Dictionary(first: source.map { ($0.key, $0.value) })
    func typed(_ fields: Fields) -> [(key: FieldKey, value: Syntax.Value)] {
      fields.map { name, value in
        let key = format.key(name)
        return (key, Syntax.write(value, like: old[key]))
      }
    }
    let merge = FieldMerge(source: source, then: typed(then), now: typed(now))
    guard !merge.isUnchanged else { return nil }
    let texts = [format.nameKey] + imageKeys
    let changes = FieldChanges(
      of: source, by: merge, order: { format.table.place(of: $0.spelling) },
      isSame: { key, old, new in
        guard !texts.contains(key.spelling), let old = Syntax.read(old).number else { return false }
        return old == Syntax.read(new).number
      })
    return file.applying(changes)
  }
}
