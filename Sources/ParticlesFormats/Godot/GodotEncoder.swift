internal import ParticlesCore
internal import ParticlesImages
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
    guard !system.emitters.isEmpty else {
      throw Diagnostic(
        .lost, at: .key("emitters"), "an effect without emitters", expected: "at least one",
        severity: .error)
    }
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    let template = GodotTemplate(family.generation, system, fileName: context.fileName)
    // An unreadable source is ignored.
    let source = reopen(context.source?.bytes)
    let original = source.flatMap { source in
      source.readers.count == system.emitters.count
        ? source : reopen(template.fitted(source.scene))
    }
    let scene =
      try original
      ?? open(Array(template.text.utf8), DecodingContext(fileName: context.fileName))
    let bytes = try write(into: scene, isNew: original == nil, &images, &exported.losses)
    exported.parts.append(
      .init(name: context.fileName, bytes: bytes, emitters: Array(system.emitters.indices)))
    try addImages(&images, to: &exported)
    let isPlain = system.images.allSatisfy { $0.alpha == .straight && $0.colorSpace == .srgb }
    let losses: [(applies: Bool, line: Diagnostic)] = [
      (
        source != nil && original == nil,
        Diagnostic(
          .approximated, .multi, at: "emitters",
          "the emitters are not those of the scene; its other nodes are dropped", level: .medium)
      ),
      (
        system.roots != nil,
        Diagnostic(.restated, .multi, at: "roots", "each emitter starts by itself")
      ),
      (
        system.seed != 0,
        Diagnostic(.lost, .seed, at: "seed", "random numbers differ in every run")
      ),
      (
        !system.meshes.isEmpty,
        Diagnostic(.lost, .shMesh, at: "meshes", "meshes belong to the scene")
      ),
      (
        !isPlain,
        Diagnostic(.assumed, .premult, at: "images", "Godot decides from the image file")
      ),
    ]
    exported.losses += losses.filter(\.applies).map(\.line)
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
    _ losses: inout [Diagnostic]
  ) throws -> [UInt8] {
    var editor = GodotEditor(original.scene)
    for (index, reader) in original.readers.enumerated() {
      let after = EmitterWriter(family, system, emitter: index, reader.place)
      let before = EmitterWriter(family, original.system, emitter: index, reader.place)
      let known = isNew ? [] : Set(before.losses)
      losses += after.losses.filter { !known.contains($0) }
      let (now, then) = (values(of: after), values(of: before))
      var done: Set<String> = []
      for path in (after.fields + before.fields).compactMap({ reader.kind.path($0.key) })
      where done.insert(path).inserted && now[path] != then[path] {
        if let value = now[path] {
          if let image = self.path(of: value, &images) {
            editor.setImage(path, image, of: reader.node)
          } else {
            editor.set(path, value, of: reader.node)
          }
        } else {
          editor.remove(path, of: reader.node, keeping: now.keys)
        }
      }
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

  /// The path of the image whose identity a value states; nil for other values.
  private func path(of value: GodotValue, _ images: inout ExportedImages) -> String? {
    guard case .call("Image", let arguments) = value, case .text(let identity)? = arguments.first,
      let image = system.images.firstIndex(where: {
        FieldImage.identity(of: $0, digest: $0.sha256) == identity
      })
    else { return nil }
    return "res://\(images.name(of: image))"
  }

  /// Adds the image files that emitters show.
  private func addImages(_ images: inout ExportedImages, to exported: inout Exported) throws {
    for index in images.shown {
      let name = images.name(of: index)
      if let bytes = try context.readImage(system.images[index].uri) {
        exported.beside[name] = bytes
      } else {
        exported.losses.append(
          images.missing(index, named: name, key: "texture", also: ["size"]))
      }
    }
    if context.images == .embedded, !exported.beside.isEmpty {
      exported.losses.append(
        Diagnostic(
          .restated, .embed, at: "images",
          "Godot refers to image files; they are written next to the scene"))
    }
  }
}
