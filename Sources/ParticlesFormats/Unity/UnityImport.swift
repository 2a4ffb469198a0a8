internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// A scene or prefab that was read: the effect, and the objects of its emitters.
struct OpenedUnity {
  let imported: Imported
  /// One for each emitter of the effect, in its order.
  let readers: [UnityReader]
}

/// Reads the particle systems of a scene or prefab.
struct UnityImport {
  var system = ParticleSystem()
  var images: ImportedImages
  let scene: UnityScene
  let project: UnityProject
  let report: SourceReport
  private var materials: [String: UnityMaterial?] = [:]
  private(set) var readers: [UnityReader] = []
  /// The pictures in the package by their identifiers.
  private(set) var pictures = JSONObject()

  private var context: DecodingContext { project.context }

  init(_ scene: UnityScene, _ project: UnityProject, _ report: SourceReport) {
    (self.scene, self.project, self.report) = (scene, project, report)
    images = ImportedImages(context: project.context, report: report.add)
    system.asset = UnityFamily.shared.asset
    system.asset.name = Files.stem(of: context.fileName)
  }

  mutating func read() throws(Failure) {
    var indices: [Int64: Int] = [:]
    let systems = scene.objects.filter { $0.kind == .system && !$0.isStripped }
    guard !systems.isEmpty else {
      throw Diagnostic(
        .emitterRoot, expected: "a particle system",
        found: scene.missingPrefab.map { "an instance of a prefab that is not found, guid \($0)" }
          ?? "none",
        hint: scene.missingPrefab == nil
          ? "open the prefab that has it" : "name the folder of the project: --project FOLDER")
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

  private mutating func add(_ object: UnityObject) throws(Failure) {
    let owner = scene.object("m_GameObject", of: object)
    let name = owner?.body.object?["m_Name"]?.string ?? ""
    let title = name.isEmpty ? "system \(system.emitters.count + 1)" : name
    let path = title.excerpt
    let renderer = scene.renderer(of: owner)
    var reader = UnityReader(
      SourceNode(object.body, at: path, report),
      renderer.map { SourceNode($0.body, at: "\(path).Renderer", report) })
    reader.nameOfMesh = project.nameOfMesh
    for key in [
      "m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset",
      "m_GameObject",
      "m_PrefabParentObject", "m_PrefabInternal",
    ] {
      reader.system.pass(key)
    }
    reader.place.objects = [
      .system: object, .renderer: renderer, .gameObject: owner,
      .transform: scene.chain(of: owner).first,
    ].compactMapValues { $0 }
    var emitter = Emitter(name: title)
    place(&emitter, owner, &reader)
    emitter.render.blend = Blend(.alpha)
    let rows = UnityFamily.shared.table.rows
    try EmitterCost.spend(onReading: rows.count)
    for row in rows { try row.decode?(reader, &emitter) }
    let material = try material(of: renderer, path)
    let isHidden = emitter.color.opacity == 0
    if !isHidden { emitter.render.blend = material.blend }
    reader.place.tint = material.tint(&emitter)
    try addSprites(material, reader, path, &emitter)
    self.scale(&emitter, by: reader.place.scale, reader.system)
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

  /// Sets transform and state of an emitter by its game object and the objects above.
  private func place(_ emitter: inout Emitter, _ owner: UnityObject?, _ reader: inout UnityReader) {
    let system = reader.system
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
      if index == 0 { reader.place.above = whole }
      whole = whole.combined(with: AffineTransform(own))
      if let object = scene.object("m_GameObject", of: transform),
        object.body.object?["m_IsActive"]?.string == "0"
      {
        emitter.enabled = false
        if index > 0 { reader.place.isBelowInactive = true }
      }
    }
    emitter.transform = whole.transformInSpace
    // Numbers of a file have single precision.
    emitter.transform.scale = Scale(
      components: emitter.transform.scale.components.map { ($0 * 1e5).rounded() / 1e5 })
    reader.place.isRoot = isPrefab && chain.count == 1
    reader.place.scale = emitter.transform.scale
    reader.place.scaling = Int(saturating: system.number("scalingMode", 1))
    switch reader.place.scaling {
    case 0: break
    case 1:
      let own = UnityFormat.vector(
        chain.first.map { SourceNode($0.body, report) }?["m_LocalScale"], 1)
      emitter.transform.scale = Scale(own.x, own.y, own.z)
    default: emitter.transform.scale = .one
    }
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

  private mutating func material(of renderer: UnityObject?, _ path: String)
    throws(Failure) -> UnityMaterial
  {
    let reference = UnityReference(renderer?.body.object?["m_Materials"]?.array?.first)
    guard let guid = reference?.guid, reference?.isBuiltIn == false else { return .standard }
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
    missing.picture = .file(guid: guid)
    return missing
  }

  private mutating func find(_ guid: String) throws(Failure) -> UnityMaterial? {
    guard let found = try project.asset(guid),
      let object = try UnityFile(found.bytes, limits: context.limits).objects.first(where: {
        $0.kind == .material
      })
    else { return nil }
    return UnityMaterial(object.body) { [context] guid in
      try? context.findImage(UnityReference.fileName(guid))?.bytes
    }
  }

  /// The index of the picture of a material. Nil if it names none.
  private mutating func image(of material: UnityMaterial, _ path: String) throws(Failure) -> Int? {
    switch material.picture {
    case nil: return nil
    // Unity's own soft dot is not in the project. A dot is in its place.
    case .dot: return images.addUnresolved("Default-Particle.png", to: &system)
    case .file(let guid):
      let reference = UnityReference.fileName(guid)
      if case .success(let found) = try images.search([reference]) {
        let place = "\(path).Renderer.m_Materials"
        let index = try images.add(found.bytes, named: found.name, at: place, to: &system)
        pictures[guid] = .string(system.images[index].uri)
        return index
      }
      let known = context.nameOfFile(reference)
      let name = known ?? "\(material.name.isEmpty ? "" : "\(material.name) ")\(guid).png"
      // A material that is not found was reported, with its picture.
      if material.isFound {
        var finding = Diagnostic.missing(known ?? guid, searched: context.searchedFolders())
        finding.location = .key("\(path).Renderer.m_Materials")
        if known == nil {
          finding.detail = "the picture of the material \(material.name.excerpt), guid \(guid)"
        }
        report.add(finding)
      }
      return images.addUnresolved("\(guid).png", named: name, to: &system)
    }
  }

  private mutating func addSprites(
    _ material: UnityMaterial, _ reader: UnityReader, _ path: String, _ emitter: inout Emitter
  ) throws(Failure) {
    let module = reader.module("UVModule")
    if let module, module.number("mode") == 1 {
      if try addFrames(module, path, &emitter) { return }
      module.note(
        .uninterpreted, "sprites",
        "sprites that are not found. The picture of the material is shown")
    }
    guard let index = try image(of: material, path) else { return }
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
          "the size of the picture is unknown, so that its rows are not told apart")
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

  /// Adds the sprites that are the frames of a system.
  /// - Returns: false if one is not found.
  private mutating func addFrames(
    _ module: SourceNode, _ path: String, _ emitter: inout Emitter
  ) throws(Failure) -> Bool {
    var list: [Int] = []
    for element in (module["sprites"]?.all() ?? []).prefix(256) {
      guard let reference = UnityReference(node: element["sprite"]), let guid = reference.guid,
        case .success(let found) = try images.search([UnityReference.fileName(guid)])
      else { return false }
      let index = try images.add(
        found.bytes, named: found.name, at: "\(path).UVModule.sprites", to: &system)
      pictures[guid] = .string(system.images[index].uri)
      var sprite = Sprite(image: index)
      if reference.id != UnitySprites.whole, let size = system.images[index].size {
        sprite.region = try project.sprites(of: guid)?.region(of: reference.id, height: size.1)
        guard sprite.region != nil else { return false }
      }
      list.append(images.index(of: sprite, in: &system))
    }
    guard !list.isEmpty else { return false }
    emitter.sprites = list
    let (start, frames) = (UnityNumber(module["startFrame"]), UnityNumber(module["frameOverTime"]))
    if case .constant = frames.form {
      if case .between = start.form { emitter.spriteSelection = .random }
    } else if case .between = frames.form {
      emitter.spriteSelection = .random
    } else {
      emitter.spriteSelection = .life
    }
    if module.number("timeMode") != 0 {
      module.note(.approximated, "timeMode", "the sprites are shown once in a life")
    }
    return true
  }

  /// The part of a picture that a material shows, or nil for all. Unity counts from the bottom.
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
}

extension ImageReference {
  /// Width and height in pixels. Nil if they are not known.
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

  static func open(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) -> OpenedUnity {
    guard UnityFile.isAsset(bytes) else {
      throw Diagnostic(
        .emitterRoot, expected: "an asset that Unity wrote as text", found: "another file")
    }
    let report = SourceReport()
    let project = UnityProject(context)
    let scene = try UnityScene(bytes, project, reporting: report.add)
    var result = UnityImport(scene, project, report)
    try result.read()
    if context.keepsSource {
      result.system.keepSource(
        bytes, of: UnityFamily.shared.name, context, ["files": .object(result.pictures)],
        bag: .object(JSONObject()))
    }
    var imported = Imported(
      system: result.system, images: result.images.files, sourceName: context.fileName,
      source: bytes,
      diagnostics: report.diagnostics)
    imported.related = project.related
    return OpenedUnity(imported: imported, readers: result.readers)
  }
}

extension ParticleFormat {
  /// Prefabs and scenes of Unity with particle systems, as text.
  public static let unity: ParticleFormat = {
    let family = UnityFamily.shared
    var format = ParticleFormat(
      name: family.name, title: "Unity prefab or scene", extensions: ["prefab", "unity"],
      recognise: { UnityFile.hasParticles($0, fileName: $1) },
      decode: { bytes, context throws(Failure) in try UnityFormat.open(bytes, context).imported },
      encode: { system, context throws(Failure) in try UnityEncoder(system, context).encode() })
    format.makeCapabilities = { family.table.capabilities }
    format.table = { (family.table.keys, family.table.markdown) }
    return format.declaring(.unity)
  }()
}
