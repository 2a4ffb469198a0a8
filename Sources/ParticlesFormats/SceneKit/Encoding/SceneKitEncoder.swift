internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Writes an effect as SceneKit's particle systems: a file for each emitter that starts by itself,
/// with those that its particles spawn inside.
struct SceneKitEncoder {
  private let context: EncodingContext
  private let now: SceneKitEffect

  /// What the source says, if there is one: its archive, and its effect as it was imported.
  private let source: (archive: KeyedArchive, effect: SceneKitEffect)?

  init(_ system: ParticleSystem, _ context: EncodingContext) {
    self.context = context
    now = SceneKitEffect(system)
    source = context.source.flatMap { Self.open($0, context) }
  }

  private static func open(
    _ source: EncodingContext.Source, _ context: EncodingContext
  ) -> (archive: KeyedArchive, effect: SceneKitEffect)? {
    // The images that it named are those in the package.
    let reading = DecodingContext(fileName: source.name, limits: context.limits) { reference in
      let name = ImportedImage.packageName(ImageFinder.baseName(of: reference))
      // What was converted is kept as it was.
      return try context.readImage("Source/\(name)")
        ?? context.readImage("\(EffectPackage.imageDirectory)/\(name)")
    }
    var decoder = SceneKitDecoder(context: reading)
    guard let imported = try? decoder.decode(source.bytes),
      let archive = try? KeyedArchive(source.bytes, limits: context.limits)
    else { return nil }
    return (archive, SceneKitEffect(imported.system))
  }

  func encode() throws -> Exported {
    var exported = Exported(parts: [])
    let roots = now.system.startingEmitters.filter(now.system.emitters.indices.contains)
    for (number, root) in roots.enumerated() {
      let name = number == 0 ? context.fileName : context.fileName(part: number + 1)
      exported.parts.append(part(root, named: name, isFirst: number == 0, &exported.losses))
    }
    if roots.isEmpty {
      throw Diagnostic(
        .lost, at: .key("emitters"), "an effect without emitters",
        expected: "at least one that starts by itself", severity: .error)
    }
    report(roots, written: Set(exported.parts.flatMap(\.emitters)), &exported.losses)
    try addImages(to: &exported)
    return exported
  }

  private func part(
    _ root: Int, named name: String, isFirst: Bool, _ losses: inout [Diagnostic]
  ) -> Exported.Part {
    var writer = SceneKitSystemWriter(now: now, then: isFirst ? source?.effect : nil)
    writer.archive = isFirst ? source?.archive : nil
    let written = writer.write(root, from: writer.archive.map { ($0.root, 0) })
    losses += writer.losses
    let bytes: [UInt8]
    if isFirst, written.isUnchanged, let source = context.source {
      bytes = source.bytes
    } else {
      let top = writer.archive?.top.filter { $0.key != "root" } ?? []
      bytes = KeyedArchiver.encode(
        written.value, top: top.map { ArchivableObject.Member($0.key, .kept($0.index)) },
        keeping: writer.archive)
    }
    return Exported.Part(name: name, bytes: bytes, emitters: writer.emitters)
  }

  // MARK: The effect as a whole

  private func report(_ roots: [Int], written: Set<Int>, _ losses: inout [Diagnostic]) {
    let system = now.system
    if roots.count > 1 {
      losses.append(
        Diagnostic(
          .restated, .multi, at: "roots",
          "each emitter that starts by itself has a file of its own",
          target: .init(nil, .int(roots.count))))
    } else if system.roots != nil {
      losses.append(
        Diagnostic(.restated, .multi, at: "roots", "what nothing spawns starts by itself"))
    }
    for index in system.emitters.indices where !written.contains(index) {
      losses.append(
        Diagnostic(.dead, .multi, at: "emitters[\(index)]", "nothing starts this emitter"))
    }
  }

  private func addImages(to exported: inout Exported) throws {
    for (index, name) in now.imageNames.sorted(by: { $0.key < $1.key }) {
      let image = now.system.images[index]
      if let bytes = try context.readImage(image.uri) {
        exported.beside[name] = bytes
        continue
      }
      let shown = now.system.emitters.indices.filter { now.image(of: $0) == index }
      exported.losses.append(
        Diagnostic(
          .missingImage, .tex, at: "images",
          also: ["sprites"] + shown.map { "emitters[\($0)].sprites" }, image.uri,
          target: .init("particleImage", .string(name))))
    }
    if context.images == .embedded, !exported.beside.isEmpty {
      exported.losses.append(
        Diagnostic(.restated, .embed, at: "images", "SceneKit names images; they are beside"))
    }
    let plain = now.system.images.contains { $0.alpha != .straight || $0.colorSpace != .srgb }
    if plain {
      exported.losses.append(
        Diagnostic(.assumed, .premult, at: "images", "SceneKit goes by what the image says itself"))
    }
  }
}

/// An effect with the names that its images have beside a file.
struct SceneKitEffect {
  let system: ParticleSystem

  /// The name of each image that an emitter shows, without folders and each once.
  private(set) var imageNames: [Int: String] = [:]

  init(_ system: ParticleSystem) {
    self.system = system
    var taken: Set<String> = []
    for index in Set(system.emitters.indices.compactMap(image)).sorted() {
      let name = ImageFinder.baseName(of: system.images[index].uri)
      let kind = Files.pathExtension(of: name)
      var unique = name
      var number = 2
      while !taken.insert(unique.lowercased()).inserted {
        unique = "\(Files.stem(of: name))-\(number)" + (kind.isEmpty ? "" : ".\(kind)")
        number += 1
      }
      imageNames[index] = unique
    }
  }

  /// The image that an emitter shows.
  func image(of emitter: Int) -> Int? {
    guard let sprite = system.emitters[emitter].sprites.first,
      system.sprites.indices.contains(sprite),
      system.images.indices.contains(system.sprites[sprite].image)
    else { return nil }
    return system.sprites[sprite].image
  }
}
