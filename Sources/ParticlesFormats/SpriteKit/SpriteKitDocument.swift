internal import ParticlesModel
internal import ParticlesPropertyLists

// The background of an archive, set by the editor or the scene.

extension SpriteKitFamily {
  /// The SpriteKit version that archives state.
  static let version = 50_004_002

  private static let editorVersion = 2_000_000
  private static let background = "_PB_previewBackgroundColor"

  func read(_ root: ArchivedObject, into system: inout ParticleSystem) throws {
    system.asset.dimension = .plane
    system.asset.unit = .point
    system.asset.profile = .spriteKit
    guard !root.isA("SKScene") else {
      let color = ["R", "G", "B", "A"].map { root.number("_backgroundColor\($0)", 1) }
      if root.index(of: "_backgroundColorR") != nil { system.preview.background = Color(color) }
      return
    }
    // Older archives store it in the node, newer ones next to it.
    var places = [try root.dictionary("_info")]
    if let beside = root.archive.top.first(where: { $0.key == "_info" }),
      case .dictionary = root.archive.value(at: beside.index)
    {
      places.append(try root.object(at: beside.index, "$top._info"))
    }
    for info in places.compactMap(\.self) {
      guard let color = try info.object(Self.background)?.color() else { continue }
      system.preview.background = color
    }
  }

  /// One emitter is the root itself; several are the children of a node.
  func root(of emitters: [Archivable]) -> Archivable {
    guard emitters.count != 1 else { return emitters[0] }
    let node = EmitterWriter(
      SpriteKitFamily(table: MappingTable(unit: .point, Self.nodeRows)), ParticleSystem(),
      emitter: 0, KeyedSurroundings(place: SpriteKitPlace(), standardName: "", imageName: nil))
    var object = ArchivableObject(Self.nodeClasses, node.fields.map { .init($0.key, $0.value) })
    object["_originalClass"] = nil
    object["_info"] = .null
    object["_position"] = .point(0, 0)
    for (key, value) in [("_xScale", 1.0), ("_yScale", 1), ("_zRotation", 0), ("_zPosition", 0)] {
      object[key] = .sharedReal(value)
    }
    object["_children"] = .array(emitters)
    return .object(object)
  }

  func top(of system: ParticleSystem) -> [ArchivableObject.Member] {
    var info: [ArchivableObject.Member] = [
      .init("_particleEditorVersion", .shared(.integer(Self.editorVersion))),
      .init("_spriteKitVersion", .string("\(Self.version)")),
      .init("_PB_previewParticlePosition", .point(0, 0)),
    ]
    if let color = system.preview.background {
      info.append(.init(Self.background, .deviceColor(color)))
    }
    return [.init("_info", .dictionary(info, mutable: false))]
  }

  /// The editor data, if it has a background colour and that has changed.
  func changes(in original: OpenedKeyedArchive<SpriteKitFamily>, for system: ParticleSystem)
    -> [KeyedArchive.Index: ArchivableObject]
  {
    let archive = original.archive
    guard let color = system.preview.background, color != original.system.preview.background
    else { return [:] }
    let places =
      [archive.plist.value(of: "_info", in: archive.root)]
      + archive.top.filter { $0.key == "_info" }.map(\.index)
    for place in places.compactMap({ $0.map(archive.resolve) }).reversed() {
      guard case .dictionary(let keys, let values) = archive.value(at: place),
        let names = archive.classNames(of: place),
        let number = keys.firstIndex(where: { archive.value(at: $0) == .string(Self.background) })
      else { continue }
      var objects = values.map { Archivable.kept($0) }
      objects[number] = .deviceColor(color)
      return [
        place: ArchivableObject(
          names,
          [.init("NS.keys", .list(keys.map { .kept($0) })), .init("NS.objects", .list(objects))])
      ]
    }
    return [:]
  }
}
