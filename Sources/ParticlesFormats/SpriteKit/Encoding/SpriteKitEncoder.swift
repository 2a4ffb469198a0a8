internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect as an emitter of SpriteKit, or as a node with several; into the file that it
/// came from if it is still known.
struct SpriteKitEncoder {
  private let system: ParticleSystem
  private let context: EncodingContext
  private let names: SpriteKitImageNames

  init(_ system: ParticleSystem, _ context: EncodingContext) {
    self.system = system
    self.context = context
    names = SpriteKitImageNames(system)
  }

  func encode() throws -> Exported {
    let written = system.startingEmitters.filter(system.emitters.indices.contains)
    guard !written.isEmpty else {
      throw Diagnostic(
        .lost, at: .key("emitters"), "an effect without emitters",
        expected: "at least one that starts by itself", severity: .error)
    }
    var losses: [Diagnostic] = []
    let bytes = merged(written, &losses) ?? anew(written, &losses)
    var exported = Exported(
      parts: [.init(name: context.fileName, bytes: bytes, emitters: written)], losses: losses)
    report(written, &exported.losses)
    try addImages(to: &exported)
    return exported
  }

  // MARK: The archive

  private func merged(_ written: [Int], _ losses: inout [Diagnostic]) -> [UInt8]? {
    guard let old = context.source, let source = SpriteKitSource(old, context),
      let changes = source.changes(for: system, written, losses: &losses)
    else { return nil }
    guard !changes.isEmpty else { return old.bytes }
    let archive = source.archive
    let top = archive.top.map { ArchivableObject.Member($0.key, .kept($0.index)) }
    guard let root = top.first(where: { $0.key == "root" }) else { return nil }
    return KeyedArchiver.encode(
      root.value, top: top.filter { $0.key != "root" }, keeping: archive, replacing: changes)
  }

  private func anew(_ written: [Int], _ losses: inout [Diagnostic]) -> [UInt8] {
    let isAlone = written.count == 1
    var nodes: [Archivable] = []
    for (number, emitter) in written.enumerated() {
      let standard = SpriteKitDecoder.name(
        number: number, isRoot: isAlone, fileName: context.fileName)
      let name = system.emitters[emitter].name
      let encoder = EmitterWriter(
        SpriteKitFamily.spriteKit, system, emitter: emitter,
        .init(
          name: name.isEmpty || name == standard ? nil : name, texture: names.names[emitter]))
      losses += encoder.losses
      nodes.append(
        .object(
          ArchivableObject(
            SpriteKitArchive.emitterClasses, encoder.fields.map { .init($0.key, $0.value) })))
    }
    return KeyedArchiver.encode(
      isAlone ? nodes[0] : SpriteKitArchive.group(nodes),
      top: [.init("_info", SpriteKitArchive.info(background: system.preview.background))])
  }

  // MARK: The effect as a whole

  private func report(_ written: [Int], _ losses: inout [Diagnostic]) {
    if system.roots != nil {
      losses.append(
        Diagnostic(.restated, .multi, at: "roots", "every emitter of a file starts by itself"))
    }
    let triggered = Set(system.emitters.flatMap { $0.triggers.map(\.emitter) })
    for index in system.emitters.indices where !written.contains(index) {
      losses.append(
        triggered.contains(index)
          ? Diagnostic(
            .lost, .subDeath, at: "emitters[\(index)]", "only particles of others start it")
          : Diagnostic(.dead, .multi, at: "emitters[\(index)]", "nothing starts this emitter"))
    }
    if !system.meshes.isEmpty {
      losses.append(
        Diagnostic(.lost, .shMesh, at: "meshes", "meshes are part of a scene in space"))
    }
    if system.seed != 0 {
      losses.append(
        Diagnostic(.lost, .seed, at: "seed", "every run of an effect is another one"))
    }
    if system.images.contains(where: { $0.alpha != .straight || $0.colorSpace != .srgb }) {
      losses.append(
        Diagnostic(.assumed, .premult, at: "images", "SpriteKit goes by what the image says itself")
      )
    }
  }

  private func addImages(to exported: inout Exported) throws {
    for (name, index) in names.files.sorted(by: { $0.key < $1.key }) {
      let image = system.images[index]
      let shown = system.emitters.indices.filter { emitter in
        system.emitters[emitter].sprites.first.map { system.sprites[$0].image == index } ?? false
      }
      guard let bytes = try context.readImage(image.uri) else {
        exported.losses.append(
          Diagnostic(
            .missingImage, .tex, at: "images",
            also: ["sprites"]
              + shown.flatMap { ["emitters[\($0)].sprites", "emitters[\($0)].size"] },
            image.uri, target: .init("_imgName", .string(name))))
        continue
      }
      exported.beside[name] = bytes
      if ![.png, .jpeg].contains(ImageFormat(of: bytes)) {
        exported.losses.append(
          Diagnostic(
            .assumed, .tex, at: "images", "SpriteKit is known to show PNG and JPEG",
            target: .init("_imgName", .string(name)), level: .low))
      }
    }
    if context.images == .embedded, !exported.beside.isEmpty {
      exported.losses.append(
        Diagnostic(.restated, .embed, at: "images", "SpriteKit names images; they are beside"))
    }
  }
}
