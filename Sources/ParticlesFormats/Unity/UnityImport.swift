internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Reads the particle systems of a scene or prefab.
private struct UnityImport {
  var system = ParticleSystem()
  var images: ImportedImages
  let scene: UnityScene
  let context: DecodingContext
  let report: SourceReport
  private var materials: [String: UnityMaterial?] = [:]
  private var readers: [UnityReader] = []
  private(set) var related: [String: [UInt8]] = [:]

  init(_ scene: UnityScene, _ context: DecodingContext, _ report: SourceReport) {
    (self.scene, self.context, self.report) = (scene, context, report)
    images = ImportedImages(context: context, report: report.add)
    system.asset.name = Files.stem(of: context.fileName)
    (system.asset.dimension, system.asset.unit) = (.space, .meter)
  }

  mutating func read() throws {
    var indices: [Int64: Int] = [:]
    let systems = scene.objects.filter { $0.kind == .system && !$0.isStripped }
    guard !systems.isEmpty else {
      throw Diagnostic(
        .emitterRoot, expected: "a particle system", found: "none",
        hint: "open the prefab that has it")
    }
    for object in systems {
      try context.limits.checkEmitters(system.emitters.count + 1)
      indices[object.id] = system.emitters.count
      try add(object)
    }
    for index in system.emitters.indices {
      decodeTriggers(readers[index], indices, &system.emitters[index])
    }
    guard context.keepsSource else { return }
    for reader in readers {
      reader.system.reportRest()
      if reader.version > UnityFormat.latest {
        reader.system.note(
          .assumed, "serializedVersion",
          "a later version is read by the keys of version \(UnityFormat.latest)",
          found: "\(reader.version)")
      }
    }
  }

  private mutating func add(_ object: UnityObject) throws {
    let owner = scene.object("m_GameObject", of: object)
    let name = owner?.body.object?["m_Name"]?.string ?? ""
    let title = name.isEmpty ? "system \(system.emitters.count + 1)" : name
    let path = title.excerpt
    let renderer = scene.renderer(of: owner)
    let reader = UnityReader(
      SourceNode(object.body, at: path, report),
      renderer.map { SourceNode($0.body, at: "\(path).Renderer", report) })
    for key in [
      "m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset",
      "m_GameObject",
      "m_PrefabParentObject", "m_PrefabInternal",
    ] {
      reader.system.pass(key)
    }
    var emitter = Emitter(name: title)
    let scale = place(&emitter, owner, reader.system)
    emitter.render.blend = Blend(.alpha)
    try UnityFormat.table.decode(reader, into: &emitter)
    let material = try material(of: renderer, path)
    let isHidden = emitter.color.opacity == 0
    if !isHidden { emitter.render.blend = material.blend }
    material.tint(&emitter)
    try addSprites(material, reader, path, &emitter)
    self.scale(&emitter, by: scale, reader.system)
    for finding in material.findings {
      report.add(
        Diagnostic(
          finding.rule, at: .key("\(path).\(finding.key)"), finding.detail,
          found: finding.found?.excerpt))
    }
    readers.append(reader)
    system.emitters.append(emitter)
  }

  // MARK: Places

  /// Sets transform and state of an emitter by its game object and those above.
  /// - Returns: the scale factors of all.
  private func place(_ emitter: inout Emitter, _ owner: UnityObject?, _ system: SourceNode) -> Scale
  {
    let chain = scene.chain(of: owner)
    let isPrefab = Files.pathExtension(of: context.fileName) == "prefab"
    var whole = AffineTransform()
    for (index, transform) in chain.enumerated().reversed() {
      let node = SourceNode(transform.body, report)
      var own = Transform(translation: UnityFormat.place(node["m_LocalPosition"]))
      // The place of a saved prefab means nothing, because each scene places it again.
      if isPrefab, index == chain.count - 1 { own.translation = .zero }
      own.rotation = UnityFormat.quaternion(node["m_LocalRotation"])
      let scale = UnityFormat.vector(node["m_LocalScale"], 1)
      own.scale = Scale(scale.x, scale.y, scale.z)
      whole = whole.combined(with: AffineTransform(own))
      if let object = scene.object("m_GameObject", of: transform),
        object.body.object?["m_IsActive"]?.string == "0"
      {
        emitter.enabled = false
      }
    }
    emitter.transform = whole.transformInSpace
    // Numbers of a file have single precision.
    emitter.transform.scale = Scale(
      components: emitter.transform.scale.components.map { ($0 * 1e5).rounded() / 1e5 })
    let all = emitter.transform.scale
    switch Int(saturating: system.number("scalingMode", 1)) {
    case 0: break
    case 1:
      let own = UnityFormat.vector(
        chain.first.map { SourceNode($0.body, report) }?["m_LocalScale"], 1)
      emitter.transform.scale = Scale(own.x, own.y, own.z)
    default: emitter.transform.scale = .one
    }
    return all
  }

  /// Applies the scale where Unity does: also to sizes of particles in the world, or to the shape only.
  private func scale(_ emitter: inout Emitter, by all: Scale, _ system: SourceNode) {
    if system.number("scalingMode", 1) == 2 {
      let own = emitter.shape.transform
      emitter.shape.transform.translation = Vector(
        own.translation.x * all.x, own.translation.y * all.y, own.translation.z * all.z)
      emitter.shape.transform.scale = Scale(
        own.scale.x * all.x, own.scale.y * all.y, own.scale.z * all.z)
    } else if emitter.space == .world {
      let scale = emitter.transform.scale
      let mean = ((scale.x.magnitude + scale.y.magnitude + scale.z.magnitude) / 3).rounded
      guard mean != 1 else { return }
      emitter.size.width = emitter.size.width.scaled(by: mean)
      emitter.size.height = emitter.size.height?.scaled(by: mean)
    }
  }

  // MARK: Materials and pictures

  private mutating func material(of renderer: UnityObject?, _ path: String) throws -> UnityMaterial
  {
    guard let reference = UnityReference(renderer?.body.object?["m_Materials"]?.array?.first) else {
      return .standard
    }
    guard let guid = reference.guid, guid != UnityReference.builtIn else { return .standard }
    if let known = materials[guid], let known { return known }
    if materials[guid] == nil { materials[guid] = .some(try find(guid)) }
    if let known = materials[guid], let known { return known }
    report.add(
      Diagnostic(
        .missingImage, at: .key("\(path).Renderer.m_Materials"),
        "the material is not found, with its picture and its blending",
        found: "guid \(guid.excerpt)",
        hint: "name the folder of the project: --project FOLDER"))
    var missing = UnityMaterial.standard
    missing.picture = "\(guid).png"
    return missing
  }

  private mutating func find(_ guid: String) throws -> UnityMaterial? {
    try EmitterCost.spend(onSearching: 1)
    guard let found = try? context.findImage("guid:\(guid)"), UnityFile.isAsset(found.bytes),
      let object = try UnityFile(found.bytes, limits: context.limits).objects.first(where: {
        $0.kind == .material
      })
    else { return nil }
    if let path = Imported.relatedPath(of: found.name) { related[path] = found.bytes }
    return UnityMaterial(object.body) { [context] guid in
      try? context.findImage("guid:\(guid)")?.bytes
    }
  }

  private mutating func addSprites(
    _ material: UnityMaterial, _ reader: UnityReader, _ path: String, _ emitter: inout Emitter
  ) throws {
    guard let picture = material.picture else { return }
    let place = "\(path).Renderer.m_Materials"
    let index: Int
    if picture.hasPrefix("guid:") {
      guard let added = try images.add([picture], at: place, to: &system) else { return }
      index = added.index
    } else {
      // Unity's own soft dot is not in the project. A dot is in its place.
      guard let added = images.addUnresolved(picture, to: &system) else { return }
      index = added
    }
    let module = reader.module("UVModule")
    if let module, module.number("mode") == 1 {
      module.note(
        .uninterpreted, "sprites", "sprites as frames; the picture of the material is shown")
    }
    let sheet = module.map { $0.number("mode") == 1 ? nil : UnitySheet($0) } ?? nil
    let image = system.images[index]
    var sprite = Sprite(image: index)
    sprite.region = region(material, of: image, path)
    guard let sheet, sheet.columns * sheet.rows > 1 else {
      emitter.sprites = [images.index(of: sprite, in: &system)]
      return
    }
    let size = sprite.region.map { ($0.width, $0.height) } ?? image.size
    guard sheet.isRow, sheet.rows > 1, let size else {
      sprite.grid = SpriteGrid(columns: sheet.columns, rows: sheet.isRow ? 1 : sheet.rows)
      if sheet.isRow {
        module?.note(
          .approximated, "animationType",
          "the size of the picture is unknown; its rows are not told apart")
      }
      emitter.sprites = [images.index(of: sprite, in: &system)]
      return
    }
    let (x, y) = (sprite.region?.x ?? 0, sprite.region?.y ?? 0)
    let rows = sheet.row.map { [$0] } ?? Array(0..<min(sheet.rows, 256))
    for row in rows {
      let height = size.1 / Double(sheet.rows)
      sprite.region = Rectangle(x: x, y: y + Double(row) * height, width: size.0, height: height)
      sprite.grid = SpriteGrid(columns: sheet.columns, rows: 1)
      emitter.sprites.append(images.index(of: sprite, in: &system))
    }
    if rows.count > 1 { emitter.spriteSelection = .random }
  }

  /// The part of a picture that a material shows; nil for all. Unity counts from the bottom.
  private func region(
    _ material: UnityMaterial, of image: ImageReference, _ path: String
  ) -> Rectangle? {
    guard material.scale != Vector2(1, 1) || material.offset != Vector2(0, 0) else { return nil }
    guard let (width, height) = image.size, material.scale.x > 0, material.scale.y > 0,
      (0...1).contains(material.offset.x), material.offset.x + material.scale.x <= 1.0001,
      (0...1).contains(material.offset.y), material.offset.y + material.scale.y <= 1.0001
    else {
      report.add(
        Diagnostic(
          .uninterpreted, at: .key("\(path).Renderer.m_Materials"),
          "a picture that is repeated or moved",
          found: "scale \(JSONNumber(material.scale.x).text), \(JSONNumber(material.scale.y).text)")
      )
      return nil
    }
    return Rectangle(
      x: (material.offset.x * width).rounded,
      y: ((1 - material.offset.y - material.scale.y) * height).rounded,
      width: (material.scale.x * width).rounded, height: (material.scale.y * height).rounded)
  }

  // MARK: Sub-emitters

  /// The events by their numbers (`ParticleSystemSubEmitterType`), nil for starts by a program.
  private static let events: [(name: String, event: TriggerEvent?)] = [
    ("birth", .living), ("collision", .collision), ("death", .death), ("trigger", nil),
    ("manual", nil),
  ]

  private func decodeTriggers(
    _ reader: UnityReader, _ indices: [Int64: Int], _ emitter: inout Emitter
  ) {
    guard let module = reader.module("SubModule") else { return }
    defer { module.passAll() }
    var found: [(id: Int64, type: Int, properties: Int, probability: Double)] = []
    for element in (module["subEmitters"]?.all() ?? []).prefix(256) {
      guard let other = UnityReference(node: element["emitter"]) else { continue }
      found.append(
        (
          other.id, Int(saturating: element.number("type")),
          Int(saturating: element.number("properties")),
          Interval.unit.clamp(element.number("emitProbability", 1))
        ))
    }
    // Up to version 4, each kind has two keys.
    for (type, key) in ["subEmitterBirth", "subEmitterCollision", "subEmitterDeath"].enumerated() {
      for other in ["", "1"].compactMap({ UnityReference(node: module[key + $0]) }) {
        found.append((other.id, type, 0, 1))
      }
    }
    for (id, type, properties, probability) in found {
      guard let event = Self.events.indices.contains(type) ? Self.events[type].event : nil else {
        module.note(.uninterpreted, "sub-emitters that a program or a volume starts")
        continue
      }
      guard let index = scene.object(id).flatMap({ indices[$0.id] }) else {
        module.note(.uninterpreted, "a sub-emitter that is not in the file", found: "fileID \(id)")
        continue
      }
      var trigger = Trigger(event, emitter: index)
      trigger.probability = probability
      trigger.inherit = [.position]
      for (bit, property) in [(1, Inheritance.color), (2, .size), (4, .rotation)]
      where properties & bit != 0 {
        trigger.inherit.append(property)
      }
      if properties & 24 != 0 {
        module.note(
          .uninterpreted, "sub-emitters that take lifetime or duration from their particle")
      }
      emitter.triggers.append(trigger)
    }
  }
}

extension ImageReference {
  /// Width and height in pixels; nil if they are not known.
  fileprivate var size: (Double, Double)? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return (Double(width), Double(height))
  }
}

extension UnityFormat {
  /// A rotation, with the axes of a document.
  fileprivate static func quaternion(_ node: SourceNode?) -> Quaternion {
    guard let node else { return .identity }
    return Quaternion(
      -node.number("x") + 0, -node.number("y") + 0, node.number("z"), node.number("w", 1)
    ).normalized
  }

  static func decode(_ bytes: [UInt8], _ context: DecodingContext) throws -> Imported {
    guard UnityFile.isAsset(bytes) else {
      throw Diagnostic(
        .emitterRoot, expected: "an asset that Unity wrote as text", found: "another file")
    }
    let report = SourceReport()
    let scene = try UnityScene(bytes, context, reporting: report.add)
    var result = UnityImport(scene, context, report)
    try result.read()
    if context.keepsSource {
      result.system.keepSource(bytes, of: "unity", context, bag: .object(JSONObject()))
    }
    var imported = Imported(
      system: result.system, images: result.images.files, sourceName: context.fileName,
      source: bytes,
      diagnostics: report.diagnostics)
    imported.related = scene.related.merging(result.related) { first, _ in first }
    return imported
  }
}

extension ParticleFormat {
  /// Prefabs and scenes of Unity with particle systems, as text. They are only read.
  public static let unity = ParticleFormat(
    reading: "unity", title: "Unity prefab or scene", extensions: ["prefab", "unity"],
    UnityFormat.table,
    recognise: { bytes, _ in UnityFile.hasParticles(bytes) }, decode: UnityFormat.decode
  ).declaring(.unity)
}
