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
    let scene = try GodotScene(bytes, limits: context.limits) { [context] path in
      try context.findImage(path)?.bytes
    }
    guard scene.generation == family.generation else {
      throw Diagnostic(
        .lookAlike, expected: "a file of Godot \(family.generation.rawValue)",
        found: "one of Godot \(scene.generation.rawValue)")
    }
    let readers = scene.emitters.map { GodotReader(scene, $0) }
    var images = ImportedImages(context: context) { scene.report($0) }
    var system = ParticleSystem()
    system.asset = family.asset
    let stem = Files.stem(of: context.fileName)
    system.asset.name = stem
    if readers.contains(where: \.kind.isSpace) {
      (system.asset.dimension, system.asset.unit) = (.space, .meter)
    }
    var count = ReadCount()
    for reader in readers {
      var emitter = try family.table.emitter(
        named: reader.node.name.isEmpty ? stem : reader.node.name, from: reader)
      if let sprite = try reader.sprite(&images, &system) { emitter.sprites = [sprite] }
      if context.keepsSource, let bag = reader.reportRest(family.table) {
        emitter.keepSource(of: family.name, bag: bag)
      }
      reader.reportFilesThatAreNotRead(system.emitters.count)
      system.emitters.append(emitter)
      if context.keepsSource { count += reader.count(family.table) }
    }
    if let finding = count.finding { scene.report(finding) }
    scene.reportInfiniteNumbers()
    scene.reportLostReferences()
    if context.keepsSource {
      scene.reportOthers()
      system.keepSource(bytes, of: family.name, context, bag: .object(JSONObject()))
    }
    var imported = Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: scene.diagnostics)
    imported.related = scene.related
    return OpenedGodotScene(scene: scene, imported: imported, readers: readers)
  }
}

extension GodotReader {
  /// The index of the sprite; nil without an image.
  fileprivate func sprite(_ images: inout ImportedImages, _ system: inout ParticleSystem) throws
    -> Int?
  {
    guard let image = imagePath else {
      if let fault = fault(place.image, "the texture")
        ?? fault("\(place.image)/atlas", "the texture")
      {
        scene.report(fault)
      } else if let value = value(place.image), value != .null {
        note(
          .uninterpreted, place.image, "a texture that is not an image file", found: value.excerpt)
      }
      return nil
    }
    guard let added = try images.add([image.path], at: place(of: image.key), to: &system) else {
      return nil
    }
    var region = image.region
    if region != nil, kind.isGPU, !kind.isSpace, kind.generation == .three {
      // `particles_2d.cpp` of Godot 3 passes on the texture alone; `gpu_particles_2d.cpp` of Godot 4 the region, too.
      region = nil
      note(
        .ignoredKey, "\(image.key)/region", "nodes for the GPU show the whole image in Godot 3",
        found: "a region")
    }
    var sprite = Sprite(image: added.index, region: region)
    sprite.grid = grid
    return images.index(of: sprite, in: &system)
  }

  /// Reports materials and meshes in other files that cannot be read. In a process material, the engine has most values of
  /// the emitter.
  /// - Parameter index: of the emitter.
  fileprivate func reportFilesThatAreNotRead(_ index: Int) {
    let looks = kind.isSpace ? [place.mesh, place.look] : [place.look]
    for fault in looks.compactMap({ fault($0) }) { scene.report(fault) }
    guard kind.isGPU, node.section != nil,
      var finding = fault(at: "process_material", "the process material")
    else { return }
    finding.detail = finding.detail.map { "\($0); values are the defaults of the engine" }
    finding.loss = Loss(feature: "values", level: .high, path: "emitters[\(index)]")
    scene.report(finding)
  }

  /// The properties that rows read, and the others.
  fileprivate func count(_ table: MappingTable<GodotFamily>) -> ReadCount {
    let keys = properties.map(\.key)
    let read = keys.count(where: table.readsValue)
    return ReadCount(read: read, rest: keys.count(where: { !table.contains($0) }))
  }

  /// Reports every property that no row has, and returns them with their values; nil if there is none.
  fileprivate func reportRest(_ table: MappingTable<GodotFamily>) -> JSONValue? {
    var bag: [JSONObject.Member] = []
    for (key, section) in properties where bag.count < SourceBag.values && !table.contains(key) {
      scene.report(
        Diagnostic(
          .uninterpreted, at: .key(place(of: key)), found: scene.value(key, in: section)?.excerpt))
      bag.append(.init(key: key, value: scene.text(key, in: section).typed))
    }
    return bag.isEmpty ? nil : .object(JSONObject(members: bag))
  }
}
