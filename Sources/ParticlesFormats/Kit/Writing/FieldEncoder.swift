internal import ParticlesCore
internal import ParticlesModel

/// Writes an effect as text files with one emitter each; the first into the file that the effect came
/// from, if that is known.
struct FieldEncoder<Format: FieldFormat, Syntax: CocosContainer> {
  let format: Format
  let context: EncodingContext

  private typealias Fields = [(key: CocosKey, value: CocosValue)]

  func encode(_ system: ParticleSystem) throws -> Exported {
    var exported = Exported(parts: [])
    let count = max(1, system.emitters.count)
    let original = try context.source.map { try open($0, of: system) }
    var images = ExportedImages(system)
    for index in 0..<count {
      try encode(index, of: system, into: index == 0 ? original : nil, &images, &exported)
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

  // MARK: The source

  /// The file that an effect came from, and the effect as it was then.
  private struct Original {
    let bytes: [UInt8]
    let file: Syntax
    let reader: FieldReader<Format>
    let system: ParticleSystem
    var emitterName: String { system.emitters.first?.name ?? "" }
    var imageIdentity: String? {
      system.images.first.map { FieldImage.identity(of: $0, digest: $0.sha256) }
    }
  }

  private func open(
    _ source: EncodingContext.Source, of now: ParticleSystem
  ) throws -> Original {
    let file = try Syntax(decoding: source.bytes, limits: context.limits)
    let decoder = FieldDecoder<Format, Syntax>(format: format, context: context.rereading(source, of: now))
    return Original(
      bytes: source.bytes, file: file, reader: FieldReader(file, format),
      system: try decoder.decode(file, source.bytes).system)
  }

  // MARK: A file

  private func encode(
    _ index: Int, of system: ParticleSystem, into original: Original?,
    _ images: inout ExportedImages, _ exported: inout Exported
  ) throws {
    let name = index == 0 ? context.fileName : context.fileName(part: index + 1)
    let emitters = system.emitters.isEmpty ? [] : [index]
    let writer = EmitterWriter(
      format, system, emitter: index, original?.reader.surroundings ?? format.newSurroundings)
    var image = try FieldImage(writer, &images, context)
    if image == nil, original == nil, format.needsImage { image = try FieldImage(blankFor: index) }
    let losses = writer.losses + (image?.losses ?? [])
    var now = inOrder(writer.fields)
    guard let original else {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      exported.losses += losses
      let file = Syntax().replacing(values(now, like: nil), changed: now.map(\.key))
      exported.parts.append(.init(name: name, bytes: file.bytes, emitters: emitters))
      return
    }

    let before = EmitterWriter(
      format, original.system, emitter: 0, original.reader.surroundings)
    var then = inOrder(before.fields)
    // What the file never said is not lost now.
    let known = Set(before.losses)
    exported.losses += losses.filter { !known.contains($0) }
    if original.emitterName != writer.emitter.name {
      now.append((CocosKey(format.nameKey), .text(writer.emitter.name)))
      if let name = original.reader.text(format.nameKey) {
        then.append((CocosKey(format.nameKey), .text(name)))
      }
    }
    if image?.identity != original.imageIdentity || context.images != nil {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      then += [format.imageKeys.name, format.imageKeys.data].map { (CocosKey($0), .text("")) }
    }
    let merge = FieldMerge(
      source: original.file.fields, then: values(then, like: original.file),
      now: values(now, like: original.file))
    let file =
      merge.isUnchanged
      ? original.file : original.file.replacing(merge.fields, changed: merge.changed)
    exported.parts.append(
      .init(
        name: name, bytes: merge.isUnchanged ? original.bytes : file.bytes, emitters: emitters))
    try image?.putBeside(FieldReader(file, format), &images, context, &exported.beside)
  }

  /// Keys in the order of the table, whatever row wrote them.
  private func inOrder(_ fields: [(key: String, value: CocosValue)]) -> Fields {
    let keys = fields.map { (key: CocosKey($0.key), value: $0.value) }
    return keys.sorted { format.table.place(of: $0.key.spelling) < format.table.place(of: $1.key.spelling) }
  }

  private func values(_ fields: Fields, like file: Syntax?) -> Syntax.Fields {
    let old = Dictionary(
      (file?.fields ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return fields.map { ($0.key, Syntax.write($0.value, like: old[$0.key])) }
  }
}
