internal import ParticlesCore
internal import ParticlesModel

/// The file that an effect was imported from, into which it is written again.
struct SpriteKitSource {
  let archive: KeyedArchive

  /// The effect as the file says it.
  let system: ParticleSystem

  /// The nodes of its emitters, in the order of the document.
  private let nodes: [SpriteKitNodes.Node]
  private let fileName: String

  /// Opens a source; nil if it cannot be read, which nobody needs to know: it is written anew.
  init?(_ source: EncodingContext.Source, _ context: EncodingContext) {
    let reading = DecodingContext(fileName: source.name, limits: context.limits) { reference in
      let name = ImportedImage.packageName(ImageFinder.baseName(of: reference))
      // What was converted is kept as it was.
      return try context.readImage("Source/\(name)")
        ?? context.readImage("\(EffectPackage.imageDirectory)/\(name)")
    }
    var decoder = SpriteKitDecoder(context: reading)
    guard let imported = try? decoder.decode(source.bytes),
      let root = try? ArchiveReader(limits: context.limits).open(source.bytes),
      let nodes = try? SpriteKitNodes(below: root)
    else { return nil }
    archive = root.archive
    system = imported.system
    self.nodes = nodes.emitters
    fileName = source.name
  }

  /// The objects of the file that an effect says anew, by their places; nil if it has other
  /// emitters than the file. What stays lost as it was needs no line.
  func changes(
    for now: ParticleSystem, _ written: [Int], losses: inout [Diagnostic]
  ) -> [KeyedArchive.Index: ArchivableObject]? {
    guard written.count == nodes.count, system.emitters.count == nodes.count else { return nil }
    var changes: [KeyedArchive.Index: ArchivableObject] = [:]
    let (oldNames, newNames) = (SpriteKitImageNames(system), SpriteKitImageNames(now))
    for (number, node) in nodes.enumerated() {
      func encoder(
        _ system: ParticleSystem, _ emitter: Int, _ names: SpriteKitImageNames
      ) -> EmitterWriter<SpriteKitFamily> {
        let standard = SpriteKitDecoder.name(
          of: node.object, number: number, isRoot: node.isRoot, fileName: fileName)
        let name = system.emitters[emitter].name
        return EmitterWriter(
          SpriteKitFamily.spriteKit, system, emitter: emitter,
          .init(
            name: name == standard ? nil : name, texture: names.names[emitter], parent: node.parent))
      }
      let (old, new) = (
        encoder(system, number, oldNames), encoder(now, written[number], newNames)
      )
      let known = Set(old.losses)
      losses += new.losses.filter { !known.contains($0) }
      let names = ArchivedEmitter(format: SpriteKitFamily.spriteKit, object: node.object)
      let merged = FieldMerge(
        source: node.object.keys.compactMap { key in
          node.object.place(of: key).map { (key, .kept($0)) }
        },
        then: old.fields.map { (names.key($0.key), $0.value) },
        now: new.fields.map { (names.key($0.key), $0.value) },
        adapt: { adapt($0, to: $1) })
      guard !merged.isUnchanged else { continue }
      changes[node.object.index] = ArchivableObject(
        archive.classNames(of: node.object.index) ?? SpriteKitArchive.emitterClasses,
        merged.fields.map { .init($0.key, $0.value) })
    }
    if now.preview.background != system.preview.background, let color = now.preview.background,
      let (index, info) = infoWithBackground(color)
    {
      changes[index] = info
    }
    return changes
  }

  /// A new value in the spelling of the old one: behind its key or behind a reference, whole or
  /// not, of the same width.
  private func adapt(_ new: Archivable, to old: Archivable) -> Archivable {
    guard case .kept(let index) = old else { return new }
    var scalar: PropertyListScalar
    switch new {
    case .inline(let value), .shared(let value): scalar = value
    default: return new
    }
    switch (archive.plist[archive.resolve(index)], scalar) {
    case (.real(_, let width), .real(let value, _)): scalar = .real(value, width: width)
    case (.real(_, let width), .integer(let value)): scalar = .real(Double(value), width: width)
    case (.integer, .real(let value, _)):
      if let whole = Int(exactly: value) { scalar = .integer(whole) }
    default: break
    }
    if case .uid = archive.plist[index] { return .shared(scalar) }
    return .inline(scalar)
  }

  /// What the editor keeps, with another colour behind the effect; nil if it keeps none.
  private func infoWithBackground(
    _ color: Color
  ) -> (KeyedArchive.Index, ArchivableObject)? {
    let places =
      [archive.plist.value(of: "_info", in: archive.root)]
      + archive.top.filter { $0.key == "_info" }.map(\.index)
    for place in places.compactMap({ $0.map(archive.resolve) }).reversed() {
      guard case .dictionary(let keys, let values) = archive.value(at: place),
        let names = archive.classNames(of: place)
      else { continue }
      let texts = keys.map { archive.value(at: $0) }
      guard let number = texts.firstIndex(of: .string("_PB_previewBackgroundColor")) else {
        continue
      }
      var objects = values.map { Archivable.kept($0) }
      objects[number] = .deviceColor(color)
      return (
        place,
        ArchivableObject(
          names,
          [
            .init("NS.keys", .list(keys.map { .kept($0) })), .init("NS.objects", .list(objects)),
          ])
      )
    }
    return nil
  }
}
