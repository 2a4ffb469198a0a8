internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Writes an effect as an emitter of SpriteKit, or as a node with several; into the file that it
/// came from if it is still known.
struct SpriteKitEncoder {
  private let system: ParticleSystem
  private let context: EncodingContext
  private let names: SpriteKitImageNames

  /// The bytes of the images that emitters show.
  private let images: [Int: [UInt8]]

  init(_ system: ParticleSystem, _ context: EncodingContext) throws {
    self.system = system
    self.context = context
    let shown = ExportedImages(system).shown
    images = try shown.reduce(into: [:]) { images, index in
      images[index] = try context.readImage(system.images[index].uri)
    }
    names = SpriteKitImageNames(system, missing: Set(shown).subtracting(images.keys))
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
    addImages(to: &exported)
    return exported
  }

  // MARK: The archive

  private func merged(_ written: [Int], _ losses: inout [Diagnostic]) -> [UInt8]? {
    guard let old = context.source, let source = SpriteKitSource(old, of: system, context),
      let changes = source.changes(for: system, written, names, losses: &losses)
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
      let encoder = SpriteKitEmitterEncoder(
        system, emitter: emitter, name: name.isEmpty || name == standard ? nil : name,
        texture: names.names[emitter])
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
    let shown = Set(written.compactMap(system.shownImage))
    for index in system.emitters.indices where !written.contains(index) {
      let isImageLost = system.shownImage(of: index).map { !shown.contains($0) } ?? false
      let also = isImageLost ? ["sprites", "images"] : []
      losses.append(
        triggered.contains(index)
          ? Diagnostic(
            .lost, .subDeath, at: "emitters[\(index)]", also: also,
            "only particles of others start it")
          : Diagnostic(
            .dead, .multi, at: "emitters[\(index)]", also: also, "nothing starts this emitter"))
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

  private func addImages(to exported: inout Exported) {
    for (name, index) in names.files.sorted(by: { $0.key < $1.key }) {
      guard let bytes = images[index] else {
        exported.losses.append(
          names.images.missing(index, named: name, key: "_imgName", also: ["size"]))
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
