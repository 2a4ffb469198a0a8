internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// A decoded scene: the effect, and the nodes of its emitters.
struct OpenedGodotScene {
  let scene: GodotScene
  let imported: Imported
  /// One for each emitter of the effect, in its order.
  let readers: [GodotReader]

  var system: ParticleSystem { imported.system }
}

struct GodotDecoder {
  let family: GodotFamily
  let context: DecodingContext

  func open(_ bytes: [UInt8]) throws -> OpenedGodotScene {
    let scene = try GodotScene(bytes, limits: context.limits)
    guard scene.generation == family.generation else {
      throw Diagnostic(
        .lookAlike, expected: "a file of Godot \(family.generation.rawValue)",
        found: "one of Godot \(scene.generation.rawValue)")
    }
    let readers = scene.emitters.map { GodotReader(scene, $0) }
    var images = ImportedImages(context: context) { scene.report($0) }
    var system = ParticleSystem()
    system.asset.name = Files.stem(of: context.fileName)
    let isSpace = readers.contains { $0.kind.isSpace }
    system.asset.dimension = isSpace ? .space : .plane
    system.asset.unit = isSpace ? .meter : .pixel
    system.asset.profile = family.table.capabilities.profile
    for reader in readers {
      let name = reader.node.name
      var emitter = Emitter(name: name.isEmpty ? Files.stem(of: context.fileName) : name)
      for row in family.table.rows { try row.decode?(reader, &emitter) }
      if let sprite = try reader.sprite(&images, &system) { emitter.sprites = [sprite] }
      if context.keepsSource, let bag = reader.reportRest(family.table) {
        emitter.extensions[ParticleSystem.sourceExtension] = [
          "format": .string(family.name), "bag": bag,
        ]
      }
      system.emitters.append(emitter)
    }
    scene.reportInfiniteNumbers()
    if context.keepsSource {
      reportOthers(of: scene)
      system.keepSource(bytes, of: family.name, context, bag: .object(JSONObject()))
    }
    return OpenedGodotScene(
      scene: scene,
      imported: Imported(
        system: system, images: images.files, sourceName: context.fileName, source: bytes,
        diagnostics: scene.diagnostics), readers: readers)
  }

  private func reportOthers(of scene: GodotScene) {
    let containers = ["Node", "Node2D", "Node3D", "Spatial", "CanvasLayer"]
    let others = scene.others.filter { !containers.contains($0.key) }
    guard !others.isEmpty else { return }
    scene.report(
      Diagnostic(
        .uninterpreted, at: .key("node"), "other nodes of the scene are not imported",
        found: scene.list(others)))
  }
}

extension GodotReader {
  /// The path of the image in the file, and the region that is shown; nil without an image.
  var imagePath: (key: String, path: String, region: Rectangle?)? {
    let key = place.image
    func path(_ value: GodotValue?) -> String? {
      scene.external(value).flatMap { scene.file.sections[$0].text("path") }
    }
    if let path = path(value(key)) { return (key, path, nil) }
    guard let path = path(value("\(key)/atlas")) else { return nil }
    let region = numbers("\(key)/region", 4...4).flatMap { numbers -> Rectangle? in
      guard numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0 else { return nil }
      return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    return (key, path, region)
  }

  /// The index of the sprite; nil without an image.
  fileprivate func sprite(_ images: inout ImportedImages, _ system: inout ParticleSystem) throws
    -> Int?
  {
    guard let image = imagePath else {
      if let value = value(place.image), value != .null {
        note(
          .uninterpreted, place.image, "a texture that is not an image file", found: value.excerpt)
      }
      return nil
    }
    guard let added = try images.add([image.path], at: place(of: image.key), to: &system) else {
      return nil
    }
    var sprite = Sprite(image: added.index, region: image.region)
    sprite.grid = grid
    return images.index(of: sprite, in: &system)
  }

  /// Reports every property that no row has, and returns them with their values; nil if there is none.
  fileprivate func reportRest(_ table: MappingTable<GodotFamily>) -> JSONValue? {
    var bag: [JSONObject.Member] = []
    let process = scene.resolve("process_material/gravity", from: node)?.section
    var known: Set<String> = []
    for section in Set([node.section, process].compactMap(\.self)).sorted() {
      for property in scene.file.sections[section].properties {
        let key = scene.file.text(property.key)
        // Of properties with one name, the last one counts.
        guard bag.count < SourceBag.values, !table.contains(key), known.insert(key).inserted,
          let last = scene.file.property(key, in: section)
        else { continue }
        let value = scene.value(key, in: section)
        scene.report(
          Diagnostic(.uninterpreted, at: .key(place(of: key)), found: value?.excerpt))
        bag.append(
          .init(key: key, value: scene.file.text(last.value.prefix(4096)).typed))
      }
    }
    return bag.isEmpty ? nil : .object(JSONObject(members: bag))
  }
}
