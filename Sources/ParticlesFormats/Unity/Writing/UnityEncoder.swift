internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Writes an effect into the prefab or scene that it came from, or as a new prefab with its materials and pictures.
struct UnityEncoder {
  let context: EncodingContext
  let system: ParticleSystem
  private let family = UnityFamily.shared

  init(_ system: ParticleSystem, _ context: EncodingContext) {
    (self.system, self.context) = (system, context)
  }

  func encode() throws(Failure) -> Exported {
    guard !system.emitters.isEmpty else { throw Diagnostic.noEmitter("at least one") }
    var exported: Exported
    var isEdited = false
    if let original = reopen() {
      if let fault = fault(of: original) {
        if context.isInPlace { throw fault }
        exported = try created()
        exported.losses.append(
          Diagnostic(
            .restated, .severalEmitters, at: "emitters",
            "a new prefab is written, because \(fault.detail ?? ""). Other objects of the file are dropped",
            level: .low))
      } else {
        exported = try edited(original)
        isEdited = true
      }
    } else {
      exported = try created()
    }
    exported.explainPlacement(context, engine: family.engine)
    exported.loseRoots(of: system, holdsAll: true)
    exported.loseSeed(of: system)
    exported.loseResources(of: system, engine: family.engine)
    try explainRest(&exported, isEdited: isEdited)
    return exported
  }

  /// The source. Nil if there is none, or if it cannot be read.
  private func reopen() -> OpenedUnity? {
    guard let source = context.source else { return nil }
    var reading = context.rereading(source, of: system)
    reading.keepsSource = false
    return try? UnityFormat.open(source.bytes, reading)
  }

  /// Reports further differences between the effect and the files when they are read again.
  private func explainRest(_ exported: inout Exported, isEdited: Bool) throws(Failure) {
    let audit = try Audit(
      of: exported, from: system,
      decode: { bytes, context throws(Failure) in try UnityFormat.open(bytes, context).imported },
      context)
    var lines: [String: Diagnostic] = [:]
    for line in audit.unexplained where line.rule == .changed {
      guard let loss = line.loss else { continue }
      let parts = ParticleSystem.emitterPart(at: loss.path)
      let property = parts.map { String($0.rest.prefix { $0 != "[" }) } ?? loss.path
      let steps = property.split(separator: ".").prefix(2).joined(separator: ".")
      let place = parts.map { "emitters[\($0.index)].\(steps)" } ?? loss.path
      let isNear = loss.source?.value?.isNear(loss.target?.value) ?? false
      if lines[place] != nil, isNear { continue }
      lines[place] = Diagnostic(
        isNear ? .restated : isEdited ? .lost : .approximated,
        parts == nil ? .texture : feature(of: steps), at: place,
        also: [loss.path],
        isNear ? "numbers of files have fewer digits" : "Unity has another form",
        level: isNear ? nil : .low)
    }
    exported.losses += lines.sorted { $0.key < $1.key }.map { $0.value }
  }

  /// The row of the capability matrix for a property that Unity has in another form.
  private func feature(of property: String) -> Capability {
    let own = LostProperty.capability(at: property)
    if let own, family.table.capabilities[own] == .approximated { return own }
    return Self.features[property.prefix { $0 != "." }] ?? .randomColor
  }

  private static let features: [Substring: Capability] = [
    "timing": .prewarm, "emission": .randomRate, "lifetime": .randomRate, "transform": .place,
    "shape": .shapePoints, "launch": .spread2D, "motion": .drift, "forces": .noise,
    "physics": .collide, "size": .randomEndSize, "rotation": .rotationCurve, "color": .mix,
    "flipbook": .flipbook, "render": .premultipliedAlpha, "triggers": .emissionAtSpawn,
  ]

  // MARK: Into the file

  /// Why an edited effect cannot be written into its file. Nil if it can.
  private func fault(of original: OpenedUnity) -> Diagnostic? {
    guard original.readers.count == system.emitters.count else {
      return Diagnostic(
        .fileUnwritable,
        "emitters were added or removed, and emitters are objects of the file",
        hint: "do that in Unity, or write a new prefab: particles convert")
    }
    for (index, emitter) in system.emitters.enumerated() {
      let old = original.imported.system
      let name = emitter.name.excerpt
      if emitter.render.blend.named != old.emitters[index].render.blend.named {
        return Diagnostic(
          .fileUnwritable, at: .key("\(name).Renderer.m_Materials"),
          "the blending is in a material, which other systems may share",
          hint: "change the material in Unity, or write a new prefab: particles convert")
      }
      if emitter.color.intensity != old.emitters[index].color.intensity {
        return Diagnostic(
          .fileUnwritable, at: .key("\(name).Renderer.m_Materials"),
          "the brightness is in a material, which other systems may share",
          hint: "change the material in Unity, or write a new prefab: particles convert")
      }
      if look(of: index, in: system) != look(of: index, in: old) {
        return Diagnostic(
          .fileUnwritable, at: .key("\(name).Renderer.m_Materials"),
          "the picture is in a material, which other systems may share",
          hint: "change the material in Unity, or write a new prefab: particles convert")
      }
    }
    return nil
  }

  /// The pictures of an emitter, with their parts and grids.
  private func look(of index: Int, in system: ParticleSystem) -> [String] {
    system.emitters[index].sprites.map { sprite in
      guard system.sprites.indices.contains(sprite) else { return "" }
      let sprite = system.sprites[sprite]
      let image = system.images.indices.contains(sprite.image) ? system.images[sprite.image] : nil
      let region = sprite.region.map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? ""
      let grid = sprite.grid.map { "\($0.columns) \($0.rows)" } ?? ""
      return "\(image?.sha256 ?? "") \(region) \(grid)"
    }
  }

  private func edited(_ original: OpenedUnity) throws(Failure) -> Exported {
    var exported = Exported(parts: [])
    guard let source = context.source else { return exported }
    var merger = UnityMerger(source.bytes, context.limits)
    let systems = original.readers.map { $0.place.objects[.system]?.id ?? 0 }
    for (index, reader) in original.readers.enumerated() {
      var place = reader.place
      place.systems = systems
      let after = EmitterWriter(family, system, emitter: index, place)
      let before = EmitterWriter(family, original.imported.system, emitter: index, place)
      exported.losses += after.losses(besides: before)
      try merger.merge(place, then: before.tree, now: after.tree)
    }
    exported.parts.append(
      .init(
        name: context.fileName, bytes: try merger.bytes(),
        emitters: Array(system.emitters.indices)))
    if !context.isInPlace { try addProject(of: original, to: &exported) }
    return exported
  }

  /// Adds the files of the project that a file names, so that it is whole in another folder.
  private func addProject(of original: OpenedUnity, to exported: inout Exported) throws(Failure) {
    for (path, bytes) in original.imported.related.sorted(by: { $0.key < $1.key }) {
      let guid = Files.lastComponent(of: path)
      guard !guid.hasSuffix(".meta") else { continue }
      let objects = try UnityFile(bytes, limits: context.limits).objects
      let isMaterial = objects.contains { $0.kind == .material }
      let name =
        objects.first { $0.kind == .material || $0.kind == .gameObject }?
        .body.object?["m_Name"]?.string ?? guid
      let stem = ImportedImage.packageName(name)
      add("\(stem).\(isMaterial ? "mat" : "prefab")", bytes, guid: guid, to: &exported)
    }
    for member in system.extensions[ParticleSystem.sourceExtension]?.object?["files"]?.object?
      .members
      ?? []
    {
      guard let uri = member.value.string, let bytes = try context.readImage(uri) else { continue }
      let name = Files.lastComponent(of: uri)
      add(name, bytes, guid: member.key, to: &exported)
      let settings = Imported.relatedPath(of: UnityReference.fileName(member.key) + ".meta")
      if let settings, let bytes = original.imported.related[settings] {
        exported.beside[name + ".meta"] = bytes
      }
    }
  }

  private func add(_ name: String, _ bytes: [UInt8], guid: String, to exported: inout Exported) {
    guard exported.beside[name] == nil, name != context.fileName else { return }
    exported.beside[name] = bytes
    exported.beside[name + ".meta"] = UnityNewFile.meta(of: name, guid: guid)
  }

  // MARK: A new file

  private func created() throws(Failure) -> Exported {
    guard Files.pathExtension(of: context.fileName) != "unity" else {
      throw Diagnostic(
        .fileUnwritable, "a scene of Unity has settings that only Unity writes",
        hint: "write a .prefab, and drag it into the scene")
    }
    var exported = Exported(parts: [])
    var images = ExportedImages(system)
    var file = UnityNewFile(system, fileName: context.fileName)
    for index in system.emitters.indices {
      let image = system.shownImage(of: index)
      var picture: UnityNewFile.Picture?
      if let image {
        let name = images.name(of: image)
        if let bytes = try context.readImage(system.images[image].uri) {
          let guid = UnityNewFile.guid(of: bytes)
          add(name, bytes, guid: guid, to: &exported)
          picture = .init(name: name, guid: guid)
        } else {
          picture = .init(name: name, guid: UnityNewFile.guid(of: Array(name.utf8)))
          exported.losses.append(images.missing(image, named: name, key: "m_Texture"))
        }
      } else {
        exported.losses.append(
          Diagnostic(
            .restated, .texture, at: "emitters[\(index)].sprites",
            also: [
              "sprites[\(images.spritePlaces.count)]", "images[\(images.shown.count)]",
            ], "particles show Unity's own soft dot"))
      }
      let others = system.emitters[index].sprites.dropFirst().compactMap {
        images.spritePlaces[$0]
      }
      if !others.isEmpty {
        exported.losses.append(
          Diagnostic(
            .lost, .randomSprites, at: "emitters[\(index)].sprites",
            also: ["emitters[\(index)].spriteSelection"]
              + others.flatMap { ["sprites[\($0)]", "images[\($0)]"] },
            "only one image is supported"))
      }
      let material = file.material(of: index, picture, &exported)
      var place = UnityPlace()
      place.systems = system.emitters.indices.map { UnityNewFile.id(.system, $0) }
      place.isRoot = file.hasOneObject
      place.material = material
      let writer = EmitterWriter(family, system, emitter: index, place)
      exported.losses += writer.losses
      file.add(writer.tree, index)
    }
    for (sprite, place) in images.spritePlaces where system.sprites[sprite].scale != 1 {
      exported.losses.append(
        Diagnostic(
          .dead, .texture, at: "sprites[\(place)].scale", "sizes do not depend on it"))
    }
    let bytes = file.bytes
    exported.parts.append(
      .init(name: context.fileName, bytes: bytes, emitters: Array(system.emitters.indices)))
    exported.beside[context.fileName + ".meta"] = UnityNewFile.meta(
      of: context.fileName, guid: UnityNewFile.guid(of: bytes))
    return exported
  }
}

extension JSONValue {
  /// Whether another value differs by the last digits of its numbers only.
  fileprivate func isNear(_ other: JSONValue?) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)?):
      guard let a = a.double, let b = b.double else { return false }
      return (a - b).magnitude <= 1e-4 * max(a.magnitude, b.magnitude, 1e-3)
    case (.array(let a), .array(let b)?):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isNear($1) }
    case (.object(let a), .object(let b)?):
      return a.members.count == b.members.count
        && a.members.allSatisfy { $0.value.isNear(b[$0.key]) }
    default: return self == other
    }
  }
}

extension EmitterWriter<UnityFamily> {
  /// The system that is written, or that the values replace.
  var place: UnityPlace { surroundings }

  /// The values of the objects of an emitter.
  var tree: [UnityPlace.Part: JSONValue] {
    var result: [UnityPlace.Part: JSONValue] = [:]
    for field in fields {
      let parts = UnityPlace.Part.allCases.dropFirst()
      let part = parts.first { field.key.hasPrefix($0.rawValue + ".") } ?? .system
      let key = part == .system ? field.key : String(field.key.dropFirst(part.rawValue.count + 1))
      result[part, default: .object(JSONObject())].set(
        field.value, at: TreePath.steps(key)[...], identity: "id")
    }
    return result
  }
}

/// Merges edited values into the objects of a file.
struct UnityMerger {
  private let source: [UInt8]
  private let limits: Limits
  /// The new values of objects of the file.
  private var changed: [Int64: JSONValue] = [:]
  /// New values of objects of nested prefabs, by the instance: the paths as modifications have them.
  private var modifications: [Int64: [(id: Int64, path: String, value: JSONValue)]] = [:]

  init(_ source: [UInt8], _ limits: Limits) { (self.source, self.limits) = (source, limits) }

  mutating func merge(
    _ place: UnityPlace, then: [UnityPlace.Part: JSONValue], now: [UnityPlace.Part: JSONValue]
  ) throws(Failure) {
    for part in UnityPlace.Part.allCases {
      guard let now = now[part], let then = then[part], now != then else { continue }
      guard let object = place.objects[part] else {
        throw Diagnostic(
          .fileUnwritable, at: .key(part.rawValue), "the file does not have this object",
          hint: "add it in Unity")
      }
      let old = changed[object.id] ?? object.body
      let merged = TreeMerge(joint: "minMaxState").merge(
        old, then: UnitySpelling.fitted(then, to: old), now: UnitySpelling.fitted(now, to: old))
      guard merged != old else { continue }
      if let origin = object.origin {
        for (path, value) in UnityPath.changes(from: old, to: merged) {
          modifications[origin.instance, default: []].append((origin.id, path, value))
        }
      } else {
        changed[object.id] = merged
      }
    }
  }

  func bytes() throws(Failure) -> [UInt8] {
    guard !changed.isEmpty || !modifications.isEmpty else { return source }
    let file = try UnityFile(source, limits: limits, keepsPlaces: true)
    var editor = UnityEditor(source)
    for object in file.objects where !object.isStripped {
      guard let node = object.node else { continue }
      if let new = changed[object.id] { editor.change(node, to: new) }
      if let list = modifications[object.id] {
        editor.change(node, to: Self.modified(object, list))
      }
    }
    return editor.bytes
  }

  /// An instance of a prefab with changed or further modifications.
  private static func modified(
    _ instance: UnityObject, _ list: [(id: Int64, path: String, value: JSONValue)]
  ) -> JSONValue {
    var body = instance.body
    let source = instance.reference("m_SourcePrefab") ?? instance.reference("m_ParentPrefab")
    var elements = body["m_Modification.m_Modifications"]?.array ?? []
    for (id, path, value) in list {
      let isReference = value.object != nil
      let place = elements.lastIndex {
        UnityReference($0.object?["target"])?.id == id
          && $0.object?["propertyPath"]?.string == path
      }
      var element =
        place.flatMap { elements[$0].object }
        ?? [
          "target": elements.first { UnityReference($0.object?["target"])?.id == id }?
            .object?["target"] ?? UnityReference.value(id, guid: source?.guid),
          "propertyPath": .string(path), "value": "", "objectReference": ["fileID": .int(0)],
        ]
      element[isReference ? "objectReference" : "value"] = value
      if let place { elements[place] = .object(element) } else { elements.append(.object(element)) }
    }
    body.change(at: ["m_Modification"]) { $0["m_Modifications"] = .array(elements) }
    return body
  }
}

extension UnityPath {
  /// The changed values of an object, with the paths that modifications of prefabs have for them.
  static func changes(
    from old: JSONValue?, to new: JSONValue, at path: String = ""
  ) -> [(path: String, value: JSONValue)] {
    guard old != new else { return [] }
    switch new {
    case .object(let object) where object["fileID"] == nil && !object.isEmpty:
      return object.members.flatMap {
        changes(
          from: old?.object?[$0.key], to: $0.value,
          at: path.isEmpty ? $0.key : "\(path).\($0.key)")
      }
    case .array(let elements):
      let before = old?.array ?? []
      let size = (path: "\(path).Array.size", value: JSONValue.int(elements.count))
      return (before.count == elements.count ? [] : [size])
        + elements.enumerated().flatMap { index, element in
          changes(
            from: before.indices.contains(index) ? before[index] : before.last, to: element,
            at: "\(path).Array.data[\(index)]")
        }
    default: return [(path, new)]
    }
  }
}
