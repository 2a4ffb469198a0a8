internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect as keyed archives; the first into the file that it came from, if that is still
/// known and has as many emitters that start by themselves.
struct KeyedEncoder<Format: KeyedFormat> {
  private let format: Format
  private let context: EncodingContext
  private let system: ParticleSystem
  private let names: KeyedImageNames

  private let images: [Int: [UInt8]]

  init(_ format: Format, _ system: ParticleSystem, _ context: EncodingContext) throws {
    self.format = format
    self.context = context
    self.system = system
    let shown = ExportedImages(system).shown
    images = try shown.reduce(into: [:]) { images, index in
      images[index] = try context.readImage(system.images[index].uri)
    }
    names = KeyedImageNames(format, system, missing: Set(shown).subtracting(images.keys))
  }

  func encode() throws -> Exported {
    var exported = Exported(parts: [])
    let roots = system.startingEmitters.filter(system.emitters.indices.contains)
    guard !roots.isEmpty else {
      throw Diagnostic.noEmitter("at least one that starts by itself")
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
    report(Set(exported.parts.flatMap(\.emitters)), &exported)
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
    let triggered = Set(system.emitters.flatMap { $0.triggers.map(\.emitter) })
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
          "\(format.engine) is known to show \(known.map(\.name).joined(separator: " and "))",
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
    let suffixes = format.imageSuffixes.sorted { $0.key < $1.key }.map(\.value)
    for (emitter, image) in shown.sorted(by: { ($0.image, $0.emitter) < ($1.image, $1.emitter) }) {
      let name = ImageFinder.baseName(of: system.images[image].uri)
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
