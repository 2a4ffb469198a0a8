internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect as files of the family, one for each emitter.
struct CocosEncoder<Container: CocosContainer> {
  let context: EncodingContext
  let dialect: CocosDialect

  func encode(_ system: ParticleSystem) throws -> Exported {
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    let count = max(1, system.emitters.count)
    for index in 0..<count {
      let name = index == 0 ? context.fileName : context.fileName(part: index + 1)
      // What was imported from a file of the family was one emitter.
      let source = index == 0 ? context.source : nil
      let emitter = system.emitters.indices.contains(index) ? system.emitters[index] : Emitter()
      let part = try CocosPart<Container>(
        emitter, at: index, of: system, name: name, source: source, &images, context, dialect)
      exported.parts.append(
        .init(name: name, bytes: part.bytes, emitters: system.emitters.isEmpty ? [] : [index]))
      exported.beside.merge(part.beside) { first, _ in first }
      exported.losses += part.losses
    }
    if count > 1 || system.roots != nil {
      exported.losses.append(
        Diagnostic(
          .restated, .multi, at: "roots", "each file holds one emitter, which starts by itself"))
    }
    if system.seed != 0 {
      exported.losses.append(
        Diagnostic(.lost, .seed, at: "seed", "programs draw other numbers each time"))
    }
    return exported
  }
}

/// An emitter as a file: a new one, or the one that it came from with what was edited.
struct CocosPart<Container: CocosContainer> {
  private(set) var bytes: [UInt8] = []
  private(set) var beside: [String: [UInt8]] = [:]
  private(set) var losses: [Diagnostic] = []

  init(
    _ emitter: Emitter, at index: Int, of system: ParticleSystem, name: String,
    source: EncodingContext.Source?, _ images: inout ExportedImages, _ context: EncodingContext,
    _ dialect: CocosDialect
  ) throws {
    let original = try source.map {
      try CocosOriginal<Container>($0, of: system, context: context, dialect: dialect)
    }
    let image = try CocosTexture(emitter, at: index, of: system, &images, context)
    let writer = CocosWriter(
      emitter, at: "emitters[\(index)]", sprite: image?.pair,
      isInSpace: system.asset.dimension == .space, dialect: dialect,
      axes: original?.axes ?? CocosAxes(dialect))
    losses = writer.losses + (image?.losses ?? [])
    var now = writer.fields
    guard let original else {
      now += CocosTexture.fields(
        of: image?.file ?? CocosTexture.blank(dialect), placement: context.images,
        stem: Files.stem(of: name), beside: &beside)
      if image == nil, dialect != .starling { losses.append(CocosTexture.blankLine(index)) }
      bytes = Container().replacing(Self.values(now, like: nil), changed: now.map(\.key)).bytes
      return
    }

    let before = original.writer(at: "emitters[\(index)]")
    var then = before.fields
    // What the file has never said is not lost now.
    losses.removeAll(where: before.losses.contains)
    if original.name != emitter.name {
      now.append((CocosKey("configName"), .text(emitter.name)))
      if let name = original.configName { then.append((CocosKey("configName"), .text(name))) }
    }
    if image?.identity != original.imageIdentity || context.images != nil {
      now += CocosTexture.fields(
        of: image?.file, placement: context.images, stem: Files.stem(of: name), beside: &beside)
      then += ["textureFileName", "textureImageData"].map { (CocosKey($0), .text("")) }
    }
    let merge = FieldMerge(
      source: original.file.fields, then: Self.values(then, like: original.file),
      now: Self.values(now, like: original.file))
    bytes =
      merge.isUnchanged
      ? original.bytes
      : original.file.replacing(merge.fields, changed: merge.changed).bytes
    try putBeside(image, &images, context, dialect)
  }

  /// Puts the image beside the file if the file names it and does not hold the same.
  private mutating func putBeside(
    _ image: CocosTexture?, _ images: inout ExportedImages, _ context: EncodingContext,
    _ dialect: CocosDialect
  ) throws {
    guard let image, let picture = image.file.bytes,
      let file = try? Container(decoding: bytes, limits: context.limits)
    else {
      return
    }
    let reader = CocosReader(file.fields.map { ($0.key, Container.read($0.value)) }, dialect)
    guard let name = reader.text("textureFileName").map(ImageFinder.baseName), beside[name] == nil
    else { return }
    let alone = DecodingContext(fileName: context.fileName, limits: context.limits)
    var (embedded, system) = (ImportedImages(context: alone), ParticleSystem())
    _ = try CocosImage.add(reader, alone, &embedded, to: &system)
    guard system.images.first?.sha256 != image.identity else { return }
    // What was converted for the package was something else before.
    let original = try context.readImage("Source/\(ImportedImage.packageName(name))")
    beside[name] = original ?? picture
    images.reserve(name, for: image.index)
  }

  private static func values(
    _ fields: [(key: CocosKey, value: CocosValue)], like file: Container?
  ) -> [(key: CocosKey, value: Container.Value)] {
    let old = Dictionary(
      (file?.fields ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return fields.map { ($0.key, Container.write($0.value, like: old[$0.key])) }
  }
}

/// The file that an effect came from, and what it said then.
struct CocosOriginal<Container: CocosContainer> {
  let bytes: [UInt8]
  let file: Container
  let axes: CocosAxes
  /// The name of the emitter then, and the one that stands in the file.
  let name: String
  let configName: String?
  /// What told the image apart from others then.
  let imageIdentity: String?

  private let system: ParticleSystem
  private let dialect: CocosDialect

  init(
    _ source: EncodingContext.Source, of now: ParticleSystem, context: EncodingContext,
    dialect: CocosDialect
  ) throws {
    bytes = source.bytes
    self.dialect = dialect
    file = try Container(decoding: bytes, limits: context.limits)
    let reader = CocosReader(file.fields.map { ($0.key, Container.read($0.value)) }, dialect)
    axes = CocosAxes(reader)
    configName = reader.text("configName")
    let decoding = context.rereading(source, of: now)
    system = try CocosDecoder<Container>(context: decoding, dialect: dialect).decode(bytes).system
    name = system.emitters.first?.name ?? ""
    imageIdentity = system.images.first.map { CocosTexture.identity(of: $0, digest: $0.sha256) }
  }

  /// What we would write of the effect as it was.
  func writer(at path: String) -> CocosWriter {
    let sprite = system.sprites.first.flatMap { sprite in
      system.images.first.map { (sprite: sprite, image: $0) }
    }
    return CocosWriter(
      system.emitters.first ?? Emitter(), at: path, sprite: sprite, isInSpace: false,
      dialect: dialect, axes: axes)
  }
}
