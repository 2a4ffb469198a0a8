internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// A decoded file: the effect, and the source values of its emitters.
struct OpenedTree<Format: TreeFormat> {
  let imported: Imported
  /// One for each emitter of the effect, in its order.
  let readers: [TreeReader<Format>]
}

struct TreeDecoder<Format: TreeFormat, Syntax: TreeSyntax> {
  let format: Format
  let context: DecodingContext

  func open(_ bytes: [UInt8]) throws -> OpenedTree<Format> {
    try open(Syntax(decoding: bytes, limits: context.limits), bytes)
  }

  func open(_ file: Syntax, _ bytes: [UInt8]) throws -> OpenedTree<Format> {
    let root = file.value
    let emitters: [TreeEmitter]
    do {
      emitters = try format.emitters(in: root)
    } catch var fault as Diagnostic where fault.rule == .emitterRoot && fault.found == nil {
      let kind = context.formats.foreign(bytes, fileName: context.fileName)
      (fault.found, fault.hint) = (kind?.found ?? root.kind, kind?.hint ?? fault.hint)
      throw fault
    }
    try context.limits.checkEmitters(emitters.count)
    var system = ParticleSystem()
    system.asset = format.asset
    let engine = format.engine(of: root, named: context.engine)
    if let engine { system.asset.profile = engine.profile }
    system.asset.name = Files.stem(of: context.fileName)
    var findings = file.findings
    var images = ImportedImages(context: context) { _ in }
    let readers = emitters.map { TreeReader(format, $0, root: root, engine: engine) }
    for (index, reader) in readers.enumerated() {
      let stem = Files.stem(of: context.fileName)
      let standard = emitters.count > 1 ? "\(stem) \(index + 1)" : stem
      var emitter = try format.table.emitter(
        named: emitters[index].name ?? standard, from: reader)
      for sprite in try format.sprites(of: reader) {
        if let index = try add(sprite, reader, &images, &system, &emitter) {
          emitter.sprites.append(index)
        }
      }
      system.emitters.append(emitter)
    }
    try format.complete(&system, readers)
    leaveCycles(&system, readers)
    var count = ReadCount()
    for reader in readers {
      if context.keepsSource { reader.reportRest() }
      count += reader.count
      findings += reader.diagnostics
    }
    findings += images.unread
    if let finding = count.finding { findings.append(finding) }
    findings += InfiniteNumbers(in: root, mayBeText: Syntax.encoding != JSONTree.encoding)
      .findings(besides: findings)
    if context.keepsSource {
      system.keepSource(
        bytes, of: format.name, context, ["encoding": ["container": .string(Syntax.encoding)]],
        bag: bag(of: root))
    }
    var imported = Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: findings)
    imported.engine = engine
    imported.related = images.related
    return OpenedTree(imported: imported, readers: readers)
  }

  /// Leaves out triggers that documents cannot have.
  private func leaveCycles(_ system: inout ParticleSystem, _ readers: [TreeReader<Format>]) {
    // The last of an emitter first, so that the places of the others stay.
    for (emitter, trigger) in system.closingTriggers.sorted(by: { $0 > $1 }) {
      let target = system.emitters[emitter].triggers.remove(at: trigger).emitter
      readers[emitter].note(
        .uninterpreted, "", "emitters that start each other in a cycle are not supported",
        found: "a start of '\(system.emitters[target].name.excerpt)'")
    }
  }

  /// The index of a sprite; nil if it names no image. A missing image is reported.
  private func add(
    _ named: TreeSprite, _ reader: TreeReader<Format>, _ images: inout ImportedImages,
    _ system: inout ParticleSystem, _ emitter: inout Emitter
  ) throws -> Int? {
    var image = named
    image.takeData()
    var sprite = image.sprite
    if let inside = image.inside {
      sprite.image = try images.add(
        inside.bytes, named: inside.name, at: reader.place(image.path), to: &system)
    } else {
      switch try images.search(image.references, or: image.list) {
      case .success(let found):
        sprite.image = try images.add(
          found.image.bytes, named: found.image.name, at: reader.place(image.path), to: &system)
        if let listed = found.listed {
          show(listed, system.images[sprite.image], image.path, reader, &sprite, &emitter)
        }
      case .failure(let finding):
        guard let name = image.references.first,
          let index = images.addUnresolved(name, to: &system)
        else { return nil }
        reader.note(finding.rule, image.path, finding.detail ?? "", found: finding.found)
        sprite.image = index
      }
    }
    return images.index(of: sprite, in: &system)
  }

  /// Shows what another file lists: a part of the image, or frames in a grid. Other frames are reported.
  private func show(
    _ listed: ListedImage, _ image: ImageReference, _ path: String, _ reader: TreeReader<Format>,
    _ sprite: inout Sprite, _ emitter: inout Emitter
  ) {
    sprite.region = listed.tile?.region(of: image)
    guard let play = listed.play, listed.frames > 1 else { return }
    if let grid = listed.grid {
      (sprite.grid, emitter.flipbook) = (grid, play)
    } else if let frames = listed.tile?.regions(of: image, count: listed.frames) {
      (sprite.region, sprite.grid) = (frames.region, frames.grid)
      emitter.flipbook = play
      if listed.isReversed { reader.note(.approximated, path, "the frames run forwards") }
    } else {
      reader.note(
        .approximated, path, "the first of \(listed.frames) frames is shown all the time")
    }
  }

  /// The contents with their types, for the source bag: scalars only, as the file is kept too.
  private func bag(of root: JSONValue) -> JSONValue {
    guard let object = root.object else { return JSONTree.typed(root) }
    return .object(
      JSONObject(
        members: object.members.prefix(SourceBag.values).map {
          .init(key: $0.key, value: JSONTree.typed($0.value))
        }))
  }
}

extension JSONTree {
  /// A value with its type, for the source bag.
  static func typed(_ value: JSONValue) -> JSONValue { JSONSyntax.typed(value) }
}
