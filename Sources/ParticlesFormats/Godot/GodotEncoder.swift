internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect as a scene: into the one that it came from, or into a new one.
struct GodotEncoder {
  private let family: GodotFamily
  private let context: EncodingContext
  private let system: ParticleSystem

  init(_ family: GodotFamily, _ system: ParticleSystem, _ context: EncodingContext) {
    self.family = family
    self.context = context
    self.system = system
  }

  func encode() throws -> Exported {
    var exported = Exported(parts: [])
    guard !system.emitters.isEmpty else {
      throw Diagnostic(
        .lost, at: .key("emitters"), "an effect without emitters", expected: "at least one",
        severity: .error)
    }
    // An unreadable source is ignored.
    let source = context.source.flatMap { source in
      try? open(source.bytes, context.rereading(source, of: system))
    }
    var images = GodotImages(system)
    let original = try source.flatMap { try fitted($0) }
    let bytes: [UInt8]
    if let original {
      bytes = try write(into: original, isNew: false, &images, &exported.losses)
    } else {
      let scene = GodotTemplate(family.generation, system, fileName: context.fileName)
      let empty = try open(Array(scene.text.utf8), DecodingContext(fileName: context.fileName))
      bytes = try write(into: empty, isNew: true, &images, &exported.losses)
      if source != nil {
        exported.losses.append(
          Diagnostic(
            .approximated, .multi, at: "emitters",
            "the emitters are not those of the scene; its other nodes are dropped",
            level: .medium))
      }
    }
    exported.parts.append(
      .init(name: context.fileName, bytes: bytes, emitters: Array(system.emitters.indices)))
    try addImages(&images, to: &exported)
    if system.roots != nil {
      exported.losses.append(
        Diagnostic(.restated, .multi, at: "roots", "each emitter starts by itself"))
    }
    if system.seed != 0 {
      exported.losses.append(
        Diagnostic(.lost, .seed, at: "seed", "random numbers differ in every run"))
    }
    if !system.meshes.isEmpty {
      exported.losses.append(
        Diagnostic(.lost, .shMesh, at: "meshes", "meshes belong to the scene"))
    }
    if system.images.contains(where: { $0.alpha != .straight || $0.colorSpace != .srgb }) {
      exported.losses.append(
        Diagnostic(.assumed, .premult, at: "images", "Godot decides from the image file"))
    }
    return exported
  }

  private func open(_ bytes: [UInt8], _ context: DecodingContext) throws -> OpenedGodotScene {
    var context = context
    context.keepsSource = false
    return try GodotDecoder(family: family, context: context).open(bytes)
  }

  /// The source with as many particle nodes as the effect has emitters: new ones are appended, and those
  /// whose name is missing are removed. nil if that is not possible.
  private func fitted(_ source: OpenedGodotScene) throws -> OpenedGodotScene? {
    let scene = source.scene
    let (names, count) = (system.emitters.map(\.name), source.readers.count)
    if names.count == count { return source }
    guard scene.emitters.allSatisfy({ $0.section != nil }) else { return nil }
    guard let context = context.source.map({ self.context.rereading($0, of: system) }) else {
      return nil
    }
    if names.count > count {
      let template = GodotTemplate(family.generation, system, fileName: context.fileName)
      let text = template.appended(to: scene, from: count)
      return try? open(text, context)
    }
    var next = 0
    var removed: [Int] = []
    for reader in source.readers {
      if next < names.count, reader.node.name == names[next] {
        next += 1
      } else {
        removed.append(reader.node.section ?? 0)
      }
    }
    guard next == names.count else { return nil }
    var edits = TextEdits(scene.file.bytes)
    for index in removed {
      let sections = scene.file.sections
      let end =
        index + 1 < sections.count ? sections[index + 1].header.lowerBound : sections[index].end
      edits.replace(sections[index].header.lowerBound..<end, with: [])
    }
    return try? open(edits.bytes, context)
  }

  /// Writes what changed since a scene was read.
  private func write(
    into original: OpenedGodotScene, isNew: Bool, _ images: inout GodotImages,
    _ losses: inout [Diagnostic]
  ) throws -> [UInt8] {
    var editor = GodotEditor(original.scene)
    for (index, reader) in original.readers.enumerated() {
      let after = EmitterWriter(family, system, emitter: index, reader.place)
      let before = EmitterWriter(family, original.system, emitter: index, reader.place)
      let known = isNew ? [] : Set(before.losses)
      losses += after.losses.filter { !known.contains($0) }
      let then = Dictionary(
        before.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
      let now = Dictionary(
        after.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
      var done: Set<String> = []
      for (key, _) in after.fields where done.insert(key).inserted {
        guard let value = now[key], then[key] != value else { continue }
        if let image = images.path(of: value) {
          editor.setImage(key, image, of: reader.node)
        } else {
          editor.set(key, value, of: reader.node)
        }
      }
      for (key, _) in before.fields where now[key] == nil && done.insert(key).inserted {
        editor.remove(key, of: reader.node, keeping: now.keys)
      }
    }
    return editor.bytes
  }

  /// Adds the image files that emitters show.
  private func addImages(_ images: inout GodotImages, to exported: inout Exported) throws {
    for index in images.shown {
      let name = images.name(of: index)
      if let bytes = try context.readImage(system.images[index].uri) {
        exported.beside[name] = bytes
      } else {
        exported.losses.append(images.missing(index, named: name))
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

/// The names of the images of an effect in a scene.
struct GodotImages {
  private var images: ExportedImages
  private let system: ParticleSystem

  init(_ system: ParticleSystem) {
    images = ExportedImages(system)
    self.system = system
  }

  var shown: [Int] { images.shown }

  mutating func name(of image: Int) -> String { images.name(of: image) }

  func missing(_ image: Int, named name: String) -> Diagnostic {
    images.missing(image, named: name, key: "texture", also: ["size"])
  }

  /// The path of the image whose identity a value states; nil for other values.
  mutating func path(of value: GodotValue) -> String? {
    guard case .call("Image", let arguments) = value, case .text(let identity)? = arguments.first,
      let image = system.images.firstIndex(where: {
        FieldImage.identity(of: $0, digest: $0.sha256) == identity
      })
    else { return nil }
    return "res://\(name(of: image))"
  }
}
