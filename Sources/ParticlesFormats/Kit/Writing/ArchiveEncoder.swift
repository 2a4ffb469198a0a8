internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect as keyed archives; the first into the file that it came from, if that is still
/// known and has as many emitters that start by themselves.
struct ArchiveEncoder<Format: ArchiveFormat> {
  private let format: Format
  private let context: EncodingContext
  private let system: ParticleSystem
  private let names: ArchiveImageNames

  init(_ format: Format, _ system: ParticleSystem, _ context: EncodingContext) {
    self.format = format
    self.context = context
    self.system = system
    names = ArchiveImageNames(format, system)
  }

  func encode() throws -> Exported {
    var exported = Exported(parts: [])
    let roots = system.startingEmitters.filter(system.emitters.indices.contains)
    guard !roots.isEmpty else {
      throw Diagnostic(
        .lost, at: .key("emitters"), "an effect without emitters",
        expected: "at least one that starts by itself", severity: .error)
    }
    for (number, roots) in (format.holdsAll ? [roots] : roots.map { [$0] }).enumerated() {
      let name = number == 0 ? context.fileName : context.fileName(part: number + 1)
      // A source that cannot be read is none.
      let source = number == 0 ? context.source : nil
      let original = source.flatMap { source in
        try? ArchiveDecoder(format: format, context: context.reading(source)).open(source.bytes)
      }
      var writer = ArchiveWriter(format, system, names, context.fileName, original)
      let bytes = writer.bytes(of: roots)
      exported.parts.append(.init(name: name, bytes: bytes, emitters: writer.emitters))
      exported.losses += writer.losses
    }
    report(Set(exported.parts.flatMap(\.emitters)), &exported)
    try addImages(to: &exported)
    return exported
  }

  // MARK: The effect as a whole

  private func report(_ written: Set<Int>, _ exported: inout Exported) {
    func lose(_ rule: Rule, _ capability: Capability, _ place: String, _ detail: String) {
      exported.losses.append(Diagnostic(rule, capability, at: place, detail))
    }
    let count = exported.parts.count
    if count > 1 {
      exported.losses.append(
        Diagnostic(
          .restated, .multi, at: "roots",
          "each emitter that starts by itself has a file of its own",
          target: .init(nil, .int(count))))
    } else if system.roots != nil {
      lose(.restated, .multi, "roots", format.rootsDetail)
    }
    let triggered = Set(system.emitters.flatMap { $0.triggers.map(\.emitter) })
    for index in system.emitters.indices where !written.contains(index) {
      if triggered.contains(index), let detail = format.triggeredDetail {
        lose(.lost, .subDeath, "emitters[\(index)]", detail)
      } else {
        lose(.dead, .multi, "emitters[\(index)]", "nothing starts this emitter")
      }
    }
    if !system.meshes.isEmpty { lose(.lost, .shMesh, "meshes", "meshes are part of the scene") }
    if system.seed != 0, format.table.abilities[.seed] == .lost {
      lose(.lost, .seed, "seed", "every run of an effect is another one")
    }
    if system.images.contains(where: { $0.alpha != .straight || $0.colorSpace != .srgb }) {
      lose(.assumed, .premult, "images", "\(format.engine) goes by what the image says itself")
    }
  }

  private func addImages(to exported: inout Exported) throws {
    let (key, properties) = format.imageKey
    for (name, index) in names.files {
      let image = system.images[index]
      guard let bytes = try context.readImage(image.uri) else {
        let places = system.emitters.indices.filter { system.image(shownBy: $0) == index }
          .flatMap { emitter in properties.map { "emitters[\(emitter)].\($0)" } }
        exported.losses.append(
          Diagnostic(
            .missingImage, .tex, at: "images", also: ["sprites"] + places, image.uri,
            target: .init(key, .string(name))))
        continue
      }
      exported.beside[name] = bytes
      guard let known = format.imageFormats,
        !known.contains(where: { $0 == ImageFormat(of: bytes) })
      else { continue }
      exported.losses.append(
        Diagnostic(
          .assumed, .tex, at: "images",
          "\(format.engine) is known to show \(known.map(\.name).joined(separator: " and "))",
          target: .init(key, .string(name)), level: .low))
    }
    if context.images == .embedded, !exported.beside.isEmpty {
      exported.losses.append(
        Diagnostic(
          .restated, .embed, at: "images", "\(format.engine) names images; they are beside"))
    }
  }
}

/// The names of the images that the emitters of an effect show, without folders and each once.
struct ArchiveImageNames {
  /// The files beside, and the image that each of them holds.
  private(set) var files: [(name: String, image: Int)] = []

  /// The name in the archive, by emitter.
  private(set) var references: [Int: String] = [:]

  init(_ format: some ArchiveFormat, _ system: ParticleSystem) {
    let shown = system.emitters.indices.compactMap { emitter in
      system.image(shownBy: emitter).map { (emitter: emitter, image: $0) }
    }
    for (emitter, image) in shown.sorted(by: { ($0.image, $0.emitter) < ($1.image, $1.emitter) }) {
      let name = ImageFinder.baseName(of: system.images[image].uri)
      let kind = Files.pathExtension(of: name)
      var stem = Files.stem(of: name)
      for suffix in format.imageSuffixes.values where stem.hasSuffix(suffix) {
        stem.removeLast(suffix.count)
      }
      let scale = system.sprites[system.emitters[emitter].sprites[0]].scale
      let ending = (format.imageSuffixes[scale] ?? "") + (kind.isEmpty ? "" : ".\(kind)")
      var unique = stem
      var number = 2
      // Names that differ in case only are the same for some file systems.
      while let taken = files.first(where: {
        $0.name.lowercased() == (unique + ending).lowercased()
      }),
        taken.image != image
      {
        unique = "\(stem)-\(number)"
        number += 1
      }
      let file = unique + ending
      if !files.contains(where: { $0.name == file }) { files.append((file, image)) }
      references[emitter] = format.impliedExtensions.contains(kind) ? unique : file
    }
  }
}

extension ParticleSystem {
  /// The image that an emitter shows first.
  fileprivate func image(shownBy emitter: Int) -> Int? {
    guard let sprite = emitters[emitter].sprites.first, sprites.indices.contains(sprite),
      images.indices.contains(sprites[sprite].image)
    else { return nil }
    return sprites[sprite].image
  }
}
