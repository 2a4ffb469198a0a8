internal import ParticlesCore
internal import ParticlesModel

/// Decodes an effect from a text file with one emitter.
struct FieldDecoder<Format: FieldFormat, Syntax: FieldSyntax> {
  let format: Format
  let context: DecodingContext

  func decode(_ bytes: [UInt8]) throws -> Imported {
    try decode(Syntax(decoding: bytes, limits: context.limits), bytes)
  }

  func decode(_ file: Syntax, _ bytes: [UInt8]) throws -> Imported {
    let reader = FieldReader(file, format, engine: context.engine)
    guard format.rootKeys.contains(where: { reader.number($0) != nil }) else {
      let kind = context.formats.foreign(bytes, fileName: context.fileName)
      throw Diagnostic(
        .emitterRoot, expected: format.rootKeys.map { "'\($0)'" }.joined(separator: " or "),
        found: kind?.found ?? "neither", hint: kind?.hint)
    }
    var system = ParticleSystem()
    system.asset = format.asset
    if let engine = reader.engine { system.asset.profile = engine.profile }
    system.asset.name = Files.stem(of: context.fileName)
    var emitter = try format.table.emitter(
      named: reader.text(format.nameKey) ?? Files.stem(of: context.fileName), from: reader)
    var images = ImportedImages(context: context)
    if let image = try reader.addImage(to: &system, &images, context) {
      var sprite = Sprite(image: image)
      sprite.grid = format.grid(of: reader)
      emitter.sprites = [images.index(of: sprite, in: &system)]
    }
    system.emitters = [emitter]
    if context.keepsSource {
      reader.reportRest()
      system.keepSource(
        bytes, of: format.name, context, ["encoding": ["container": .string(file.encoding)]],
        bag: bag(of: file))
    }
    var imported = Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: file.findings + reader.diagnostics + images.unread)
    imported.engine = reader.engine
    return imported
  }

  private func bag(of file: Syntax) -> JSONValue {
    var spellings: Set<[UInt8]> = []
    return .object(
      JSONObject(
        members: file.members.prefix(SourceBag.values).compactMap { key, value in
          guard spellings.insert(Array(key.utf8)).inserted else { return nil }
          return .init(key: key, value: Syntax.typed(value))
        }))
  }
}
