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
    source = context.source.flatMap { Self.open($0, of: system, context) }
  }

  private static func open(
    _ source: EncodingContext.Source, of system: ParticleSystem, _ context: EncodingContext
  ) -> (archive: KeyedArchive, effect: SceneKitEffect)? {
    var decoder = SceneKitDecoder(context: context.rereading(source, of: system))
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
      if let bytes = try context.readImage(now.system.images[index].uri) {
        exported.beside[name] = bytes
      } else {
        exported.losses.append(now.images.missing(index, named: name, key: "particleImage"))
      }
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

  private(set) var images: ExportedImages

  /// The name of each image that an emitter shows, without folders and each once.
  private(set) var imageNames: [Int: String] = [:]

  init(_ system: ParticleSystem) {
    self.system = system
    images = ExportedImages(system)
    for index in images.shown { imageNames[index] = images.name(of: index) }
  }
}
