internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Scenes of Godot with particle nodes, and process materials as files of their own.
///
/// Rows name properties as nodes for the CPU in Godot 4 do. A property of another class or generation is
/// found by its path from the node: `process_material/scale_curve/curve/_data`.
struct GodotFamily: EmitterFormat {
  typealias Reader = GodotReader
  typealias Field = GodotValue
  typealias Surroundings = GodotPlace

  static let three = GodotFamily(.three, .godot3)
  static let four = GodotFamily(.four, .godot4)

  let generation: GodotGeneration
  var name: String { "godot\(generation.rawValue)" }
  let engine = "Godot"
  let randomness = Randomness.full
  let table: MappingTable<GodotFamily>

  private init(_ generation: GodotGeneration, _ profile: Profile) {
    self.generation = generation
    table = MappingTable(
      unit: .pixel, profile: profile, exact: [.severalEmitters], approximated: [.frame2D], Self.rows
    )
  }

  func real(_ number: Double) -> GodotValue { .number(number) }

  func integer(_ number: Int) -> GodotValue { .integer(number) }

  func flag(_ flag: Bool) -> GodotValue { .flag(flag) }

  func adapt(_ writer: inout EmitterWriter<GodotFamily>) {
    writer.endAtTotal()
    let kind = writer.kind
    if kind.path("emission_shape_offset") == nil, kind.hasNode { writer.placeShape() }
    if kind.hasNode, !kind.isGPU { writer.placeNormals() }
    if !writer.isAligned { writer.releaseAlignment() }
  }
}

extension GodotClass {
  /// How directions deviate by the spread.
  var spreadLaw: SpreadLaw {
    isSpace ? generation == .three ? .azimuthElevation : .sideElevation : .planar
  }
}

extension ParticleFormat {
  /// Scenes and process materials of Godot 3.
  public static let godot3 = godot(.three, title: "Godot 3 particles").declaring(.godot3)

  /// Scenes and process materials of Godot 4.
  public static let godot4 = godot(.four, title: "Godot 4 particles").declaring(.godot4)

  private static func godot(_ family: GodotFamily, title: String) -> ParticleFormat {
    var format = ParticleFormat(
      name: family.name, title: title, extensions: ["tscn", "tres"],
      recognise: { bytes, _ in GodotGeneration(header: bytes) == family.generation },
      decode: { bytes, context throws(Failure) in
        try GodotDecoder(family: family, context: context).open(bytes).imported
      },
      encode: { system, context throws(Failure) in
        try GodotEncoder(family, system, context).encode()
      })
    format.decimalCommas = .assignments
    format.makeCapabilities = {
      var capabilities = family.table.capabilities
      capabilities.unitInSpace = .meter
      return capabilities
    }
    format.table = { (family.table.keys, family.table.markdown) }
    return format
  }
}

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

  func open(_ bytes: [UInt8]) throws(Failure) -> OpenedGodotScene {
    let scene = try GodotScene(bytes, limits: context.limits) { [context] path throws(Failure) in
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
    if readers.contains(where: { $0.kind.isSpace }) {
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
  /// The index of the sprite. Nil without an image.
  fileprivate func sprite(_ images: inout ImportedImages, _ system: inout ParticleSystem)
    throws(Failure) -> Int?
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
      // Godot 3 (`particles_2d.cpp`) passes on only the texture, Godot 4 (`gpu_particles_2d.cpp`) also the region.
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
    finding.detail = finding.detail.map { "\($0). Values are the defaults of the engine" }
    finding.loss = Loss(feature: "values", level: .high, path: "emitters[\(index)]")
    scene.report(finding)
  }

  /// The number of properties that rows read, and of unknown properties.
  fileprivate func count(_ table: MappingTable<GodotFamily>) -> ReadCount {
    let keys = properties.map { $0.key }
    let read = keys.count(where: table.readsValue)
    return ReadCount(read: read, rest: keys.count(where: { !table.contains($0) }))
  }

  /// Reports every property that no row has, and returns them with their values. Nil if there is none.
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

/// Writes an effect as a scene: into the scene that it came from, or into a new scene.
struct GodotEncoder {
  private let family: GodotFamily
  private let context: EncodingContext
  private let system: ParticleSystem

  init(_ family: GodotFamily, _ system: ParticleSystem, _ context: EncodingContext) {
    (self.family, self.system, self.context) = (family, system, context)
  }

  func encode() throws(Failure) -> Exported {
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
      if let original { original } else {
        try open(Array(template.text.utf8), DecodingContext(fileName: context.fileName))
      }
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
          "emitters of other scenes are in a new scene without other nodes", level: .low))
    } else if source != nil, original == nil {
      exported.losses.append(
        Diagnostic(
          .approximated, .severalEmitters, at: "emitters",
          "the scene has other emitters, and its other nodes are dropped", level: .medium))
    }
    exported.loseRoots(of: system, holdsAll: true)
    exported.loseSeed(of: system)
    exported.loseResources(of: system, engine: family.engine)
    return exported
  }

  private func open(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure)
    -> OpenedGodotScene
  {
    var context = context
    context.keepsSource = false
    return try GodotDecoder(family: family, context: context).open(bytes)
  }

  /// The source, or a changed source. Nil if it cannot be read.
  private func reopen(_ bytes: [UInt8]?) -> OpenedGodotScene? {
    guard let bytes, let source = context.source else { return nil }
    return try? open(bytes, context.rereading(source, of: system))
  }

  /// Writes the changes since a scene was read.
  private func write(
    into original: OpenedGodotScene, isNew: Bool, _ images: inout ExportedImages,
    _ shared: inout GodotSharedEdits, _ losses: inout [Diagnostic]
  ) throws(Failure) -> [UInt8] {
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

  /// The values of an emitter by their paths from the node, without values that its class does not have.
  private func values(of writer: EmitterWriter<GodotFamily>) -> [String: GodotValue] {
    let values = writer.fields.compactMap { field in
      writer.kind.path(field.key).map { ($0, field.value) }
    }
    return Dictionary(last: values)
  }
}
