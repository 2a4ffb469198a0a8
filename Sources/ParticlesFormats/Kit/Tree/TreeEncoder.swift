internal import ParticlesCore
internal import ParticlesModel

/// Writes an effect as text files with nested values; the first into the file that the effect came
/// from, if that is known.
struct TreeEncoder<Format: TreeFormat, Syntax: TreeSyntax> {
  let format: Format
  let context: EncodingContext

  private typealias Writer = EmitterWriter<Format>

  func encode(_ system: ParticleSystem) throws -> Exported {
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    let all = Array(system.emitters.indices)
    let groups = format.holdsAll || all.isEmpty ? [all] : all.map { [$0] }
    for (number, group) in groups.enumerated() {
      try encode(group, of: system, number: number, &images, &exported)
    }
    exported.loseRoots(of: system, holdsAll: format.holdsAll)
    exported.loseSeed(of: system)
    return exported
  }

  private func encode(
    _ group: [Int], of system: ParticleSystem, number: Int, _ images: inout ExportedImages,
    _ exported: inout Exported
  ) throws {
    let name = number == 0 ? context.fileName : context.fileName(part: number + 1)
    var file: Syntax?
    var original: OpenedTree<Format>?
    if number == 0, let source = context.source {
      let opened = try Syntax(decoding: source.bytes, limits: context.limits)
      let decoder = TreeDecoder<Format, Syntax>(
        format: format, context: context.rereading(source, of: system))
      original = try decoder.open(opened, source.bytes)
      file = opened
    }
    let origins = original?.readers ?? []
    let writers = try group.map {
      try writer(for: $0, of: system, origin: origins.count > $0 ? origins[$0] : nil, &images)
    }
    for (writer, index) in zip(writers, group) {
      for (place, sprite) in system.emitters[index].sprites.enumerated()
      where writer.surroundings.data.indices.contains(place)
        && !format.draws(place, writer.surroundings)
      {
        let names = writer.surroundings.images
        if let bytes = writer.surroundings.data[place] {
          exported.beside[names[place]] = try context.readImage("Source/\(names[place])") ?? bytes
        } else if system.sprites.indices.contains(sprite) {
          exported.losses.append(
            images.missing(system.sprites[sprite].image, named: names[place], key: "images"))
        }
      }
    }
    let now = format.root(
      of: writers.map(tree), system, origin: file?.value)
    let losses = writers.flatMap { $0.losses + imageLosses(of: $0, images) }
    guard let file, let original else {
      exported.losses += losses
      exported.parts.append(.init(name: name, bytes: Syntax.bytes(of: now), emitters: group))
      return
    }
    var before = ExportedImages(original.imported.system)
    let old = try original.imported.system.emitters.indices.map {
      try writer(for: $0, of: original.imported.system, origin: origins[$0], &before)
    }
    let then = format.root(of: old.map(tree), original.imported.system, origin: file.value)
    // Values that the file did not state either are not lost now.
    let known = Set(old.flatMap { $0.losses + imageLosses(of: $0, before) })
    exported.losses += losses.filter { !known.contains($0) }
    let merged = TreeMerge(joint: format.jointKey).merge(file.value, then: then, now: now)
    let bytes =
      merged == file.value ? context.source?.bytes ?? [] : file.replacing(with: merged)
    exported.parts.append(.init(name: name, bytes: bytes, emitters: group))
  }

  private func writer(
    for index: Int, of system: ParticleSystem, origin: TreeReader<Format>?,
    _ images: inout ExportedImages
  ) throws -> Writer {
    var surroundings = TreeSurroundings(origin: origin?.value, engine: origin?.engine?.profile)
    surroundings.sprites = (images.spriteCounts[index], images.spriteCounts[system.emitters.count])
    for sprite in system.emitters[index].sprites.prefix(max(format.imageCount, 1))
    where system.sprites.indices.contains(sprite) {
      let image = system.sprites[sprite].image
      guard system.images.indices.contains(image) else { continue }
      // Addresses stay as they are.
      let name = system.images[image].name
      surroundings.images.append(name.contains("://") ? name : images.name(of: image))
      surroundings.data.append(try context.readImage(system.images[image].uri))
    }
    return EmitterWriter(format, system, emitter: index, surroundings)
  }

  /// The keys of an emitter as a tree, in the order of the table.
  private func tree(_ writer: Writer) -> JSONValue {
    var tree = JSONValue.object(JSONObject())
    let origin = writer.surroundings.origin
    let fields = writer.fields.compactMap { field in
      format.spelling(of: field.key, in: origin).map { (key: $0, value: field.value) }
    }.enumerated().sorted {
      (place(of: $0.element.key), $0.offset) < (place(of: $1.element.key), $1.offset)
    }
    for (_, (key, value)) in fields {
      tree.set(value, at: TreePath.steps(key)[...], identity: format.identityKey)
    }
    return tree
  }

  /// The place of a path in the table, or of the nearest one above it.
  private func place(of key: String) -> Int {
    var path = Substring(key)
    while !format.table.contains(String(path)),
      let end = path.lastIndex(where: { $0 == "." || $0 == "[" })
    {
      path = path[..<end]
    }
    return format.table.place(of: String(path))
  }

  private func imageLosses(of writer: Writer, _ images: ExportedImages) -> [Diagnostic] {
    var losses: [Diagnostic] = []
    let sprites = writer.emitter.sprites
    guard !sprites.isEmpty else { return [] }
    func lines(_ dropped: ArraySlice<Int>) -> [String] {
      dropped.compactMap { images.spritePlaces[$0] }.flatMap {
        ["sprites[\($0)]", "images[\($0)]"]
      }
    }
    if let detail = format.imagesDetail {
      return [
        Diagnostic(
          .lost, .texture, at: "\(writer.path).sprites",
          also: ["\(writer.path).spriteSelection"] + lines(sprites[...]), detail)
      ]
    }
    if sprites.count > format.imageCount {
      losses.append(
        Diagnostic(
          .lost, .randomSprites, at: "\(writer.path).sprites",
          also: ["\(writer.path).spriteSelection"] + lines(sprites.dropFirst(format.imageCount)),
          "only \(format.imageCount == 1 ? "one image is" : "\(format.imageCount) images are") supported"
        ))
    }
    for sprite in sprites.prefix(format.imageCount) {
      guard writer.system.sprites.indices.contains(sprite),
        let place = images.spritePlaces[sprite]
      else { continue }
      let shown = writer.system.sprites[sprite]
      var plain = Sprite(image: shown.image)
      (plain.additions, plain.scale) = (shown.additions, shown.scale)
      if format.writesRegions { plain.grid = shown.grid }
      if shown != plain {
        losses.append(
          Diagnostic(
            .lost, shown.grid == plain.grid ? .texture : .flipbook, at: "sprites[\(place)]",
            "image regions are not supported; the whole image is shown"))
      } else if shown.scale != 1 {
        losses.append(
          Diagnostic(.dead, .texture, at: "sprites[\(place)].scale", "sizes do not depend on it"))
      }
    }
    return losses
  }
}
