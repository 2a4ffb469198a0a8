internal import ParticlesModel

/// Writes an effect as text files with one emitter each; the first into the file that the effect came
/// from, if that is known.
struct FieldEncoder<Format: FieldFormat, Syntax: FieldSyntax> {
  let format: Format
  let context: EncodingContext

  private typealias Fields = [(key: String, value: FieldValue)]

  func encode(_ system: ParticleSystem) throws -> Exported {
    var exported = Exported(parts: [])
    let count = max(1, system.emitters.count)
    let original = try context.source.map { try open($0, of: system) }
    var images = ExportedImages(system)
    for index in 0..<count {
      try encode(index, of: system, into: index == 0 ? original : nil, &images, &exported)
    }
    exported.loseRoots(of: system, holdsAll: false)
    exported.loseSeed(of: system)
    return exported
  }

  /// The source file of an effect, and the effect as imported from it.
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

  private func open(_ source: EncodingContext.Source, of now: ParticleSystem) throws -> Original {
    let file = try Syntax(decoding: source.bytes, limits: context.limits)
    let decoder = FieldDecoder<Format, Syntax>(
      format: format, context: context.rereading(source, of: now))
    return Original(
      bytes: source.bytes, file: file, reader: FieldReader(file, format, engine: context.engine),
      system: try decoder.decode(file, source.bytes).system)
  }

  private func encode(
    _ index: Int, of system: ParticleSystem, into original: Original?,
    _ images: inout ExportedImages, _ exported: inout Exported
  ) throws {
    let name = index == 0 ? context.fileName : context.fileName(part: index + 1)
    let emitters = system.emitters.isEmpty ? [] : [index]
    let writer = EmitterWriter(
      format, system, emitter: index, original?.reader.surroundings ?? format.newSurroundings)
    var image = try FieldImage(writer, &images, context)
    if image == nil, original == nil, format.needsImage {
      image = try FieldImage(blankFor: index, images)
    }
    let losses = writer.losses + (image?.losses ?? [])
    var now = inOrder(writer.fields)
    guard let original else {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      exported.losses += losses
      let file = merge(now, then: [], into: Syntax()) ?? Syntax()
      exported.parts.append(.init(name: name, bytes: file.bytes, emitters: emitters))
      return
    }

    let before = EmitterWriter(format, original.system, emitter: 0, original.reader.surroundings)
    var then = inOrder(before.fields)
    // Values that the file did not state either are not lost now.
    let known = Set(before.losses)
    exported.losses += losses.filter { !known.contains($0) }
    if original.emitterName != writer.emitter.name {
      now.append((format.nameKey, .text(writer.emitter.name)))
      if let name = original.reader.text(format.nameKey) {
        then.append((format.nameKey, .text(name)))
      }
    }
    if image?.identity != original.imageIdentity || context.images != nil {
      now += FieldImage.fields(
        of: image, format, placement: context.images, beside: &exported.beside)
      then += imageKeys.map { ($0, .text("")) }
    }
    let file = merge(now, then: then, into: original.file)
    exported.parts.append(
      .init(name: name, bytes: file?.bytes ?? original.bytes, emitters: emitters))
    try image?.putBeside(
      FieldReader(file ?? original.file, format), &images, context, &exported.beside)
  }

  private var imageKeys: [String] { format.imageKeys.map { [$0.name, $0.data] } ?? [] }

  /// Keys in the order of the table, independent of the row that wrote them.
  private func inOrder(_ fields: Fields) -> Fields {
    fields.sorted { format.table.place(of: $0.key) < format.table.place(of: $1.key) }
  }

  /// The file with changed values; nil if nothing changed.
  private func merge(_ now: Fields, then: Fields, into file: Syntax) -> Syntax? {
    let source = format.fields(of: file.members)
    let old = Dictionary(source.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    func typed(_ fields: Fields) -> [(key: FieldKey, value: Syntax.Value)] {
      fields.map { name, value in
        let key = format.key(name)
        return (key, Syntax.write(value, like: old[key]))
      }
    }
    let merge = FieldMerge(source: source, then: typed(then), now: typed(now))
    guard !merge.isUnchanged else { return nil }
    let texts = [format.nameKey] + imageKeys
    let changes = FieldChanges(
      of: source, by: merge, order: { format.table.place(of: $0.spelling) },
      isSame: { key, old, new in
        guard !texts.contains(key.spelling), let old = Syntax.read(old).number else { return false }
        return old == Syntax.read(new).number
      })
    return file.applying(changes)
  }
}
