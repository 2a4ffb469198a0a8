internal import ParticlesCore
internal import ParticlesModel

/// Writes an effect as a scene: into the one that it came from, or into a new one.
struct GodotEncoder {
  private let family: GodotFamily
  private let context: EncodingContext
  private let system: ParticleSystem

  init(_ family: GodotFamily, _ system: ParticleSystem, _ context: EncodingContext) {
    (self.family, self.system, self.context) = (family, system, context)
  }

  func encode() throws -> Exported {
    guard !system.emitters.isEmpty else { throw Diagnostic.noEmitter("at least one") }
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    let template = GodotTemplate(family.generation, system, fileName: context.fileName)
    // An unreadable source is ignored.
    let source = reopen(context.source?.bytes)
    let isElsewhere = source?.readers.contains { $0.node.file != nil } == true
    let original = source.flatMap { source -> OpenedGodotScene? in
      // Nodes of other scenes become nodes of a new one.
      if isElsewhere, !context.isInPlace { return nil }
      return source.readers.count == system.emitters.count
        ? source : reopen(template.fitted(source.scene))
    }
    if isElsewhere, context.isInPlace, original == nil {
      throw Diagnostic(
        .fileUnwritable, "emitters of the scene are in other files", hint: "open and edit these")
    }
    let scene =
      try original
      ?? open(Array(template.text.utf8), DecodingContext(fileName: context.fileName))
    var shared = GodotSharedEdits(scene.scene)
    let bytes = try write(into: scene, isNew: original == nil, &images, &shared, &exported.losses)
    exported.others = shared.files
    exported.parts.append(
      .init(name: context.fileName, bytes: bytes, emitters: Array(system.emitters.indices)))
    try exported.addImages(&images, of: system, context, key: "texture", also: ["size"])
    exported.explainPlacement(context, engine: family.engine)
    if isElsewhere, original == nil {
      exported.losses.append(
        Diagnostic(
          .restated, .severalEmitters, at: "emitters",
          "emitters of other scenes are in a new one; its other nodes are dropped", level: .low))
    } else if source != nil, original == nil {
      exported.losses.append(
        Diagnostic(
          .approximated, .severalEmitters, at: "emitters",
          "the emitters are not those of the scene; its other nodes are dropped", level: .medium))
    }
    exported.loseRoots(of: system, holdsAll: true)
    exported.loseSeed(of: system)
    exported.loseResources(of: system, engine: family.engine)
    return exported
  }

  private func open(_ bytes: [UInt8], _ context: DecodingContext) throws -> OpenedGodotScene {
    var context = context
    context.keepsSource = false
    return try GodotDecoder(family: family, context: context).open(bytes)
  }

  /// The source, or a changed one; nil if it cannot be read.
  private func reopen(_ bytes: [UInt8]?) -> OpenedGodotScene? {
    guard let bytes, let source = context.source else { return nil }
    return try? open(bytes, context.rereading(source, of: system))
  }

  /// Writes what changed since a scene was read.
  private func write(
    into original: OpenedGodotScene, isNew: Bool, _ images: inout ExportedImages,
    _ shared: inout GodotSharedEdits, _ losses: inout [Diagnostic]
  ) throws -> [UInt8] {
    var editor = GodotEditor(original.scene)
    for (index, reader) in original.readers.enumerated() {
      let after = EmitterWriter(family, system, emitter: index, reader.place)
      let before = EmitterWriter(family, original.system, emitter: index, reader.place)
      losses += isNew ? after.losses : after.losses(besides: before)
      let (now, then) = (values(of: after), values(of: before))
      var done: Set<String> = []
      for path in (after.fields + before.fields).compactMap({ reader.kind.path($0.key) })
      where done.insert(path).inserted && now[path] != then[path] {
        if context.isInPlace, let file = original.scene.holder(of: path, from: reader.node) {
          let isCopied = context.sharedValues == .copy && reader.node.file == nil
          if context.sharedValues == .edit, shared.set(path, now[path], of: reader.node) {
            continue
          }
          guard isCopied else {
            throw Diagnostic(
              .fileUnwritable, at: .key(reader.place(of: path)),
              "the value is in another file, \(file.excerpt), which other scenes may share",
              hint: reader.node.file != nil
                ? "open and edit that file"
                : "--shared edit changes that file, and --shared copy gives the scene a copy of its own"
            )
          }
        }
        if case .call("Image", _)? = now[path], let image = system.shownImage(of: index) {
          editor.setImage(path, "res://\(images.name(of: image))", of: reader.node)
        } else if let value = now[path] {
          editor.set(path, value, of: reader.node)
        } else {
          editor.remove(path, of: reader.node, keeping: now.keys)
        }
      }
    }
    guard !context.isInPlace else { return editor.bytes }
    try editor.adoptFiles()
    losses += editor.copiedFiles.sorted().map { file in
      Diagnostic(
        .restated, .extra, at: "emitters",
        "the values of \(file.excerpt) are written into the scene",
        level: .info)
    }
    return editor.bytes
  }

  /// The values of an emitter by their paths from the node, without those that its class does not have.
  private func values(of writer: EmitterWriter<GodotFamily>) -> [String: GodotValue] {
    let values = writer.fields.compactMap { field in
      writer.kind.path(field.key).map { ($0, field.value) }
    }
    return Dictionary(values, uniquingKeysWith: { _, last in last })
  }
}
