internal import ParticlesCore
internal import ParticlesModel

/// Makes an effect of a file of the family, which holds one emitter.
struct CocosDecoder<Container: CocosContainer> {
  let context: DecodingContext
  let dialect: CocosDialect

  func decode(_ bytes: [UInt8]) throws -> Imported {
    let file = try Container(decoding: bytes, limits: context.limits)
    let fields = file.fields
    let reader = CocosReader(fields.map { ($0.key, Container.read($0.value)) }, dialect)
    guard reader.number("maxParticles") != nil || reader.number("particleLifespan") != nil else {
      throw Diagnostic(
        .emitterRoot, expected: "'maxParticles' or 'particleLifespan'",
        found: LookAlike.name(of: bytes) ?? "neither")
    }
    var system = ParticleSystem()
    system.asset.name = Files.stem(of: context.fileName)
    system.asset.unit = dialect == .starling ? .pixel : .point
    system.asset.profile = dialect == .starling ? .starling : .cocos2d
    var emitter = CocosEmitter(reader).emitter
    emitter.name = reader.text("configName") ?? Files.stem(of: context.fileName)
    var images = ImportedImages(context: context)
    if let image = try CocosImage.add(reader, context, &images, to: &system) {
      emitter.sprites = [images.index(of: Sprite(image: image), in: &system)]
    }
    system.emitters = [emitter]
    reader.reportRest()
    keepSource(bytes, file, in: &system)
    return Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: reader.diagnostics)
  }

  /// Keeps what the file said, so that nothing is lost that has no home in the model.
  private func keepSource(_ bytes: [UInt8], _ file: Container, in system: inout ParticleSystem) {
    var bag: [JSONObject.Member] = []
    var spellings: Set<[UInt8]> = []
    for (key, value) in file.fields.prefix(4096)
    where spellings.insert(Array(key.spelling.utf8)).inserted {
      bag.append(.init(key: key.spelling, value: Container.typed(value)))
    }
    system.extensionsUsed = [ParticleSystem.sourceExtension]
    system.extensions[ParticleSystem.sourceExtension] = [
      "format": .string(dialect.rawValue),
      "file": .string(Imported.sourcePath(of: context.fileName)),
      "sha256": .string(SHA256.digest(bytes).description),
      "encoding": ["container": .string(file.encoding)],
      "bag": .object(JSONObject(members: bag)),
    ]
  }
}
