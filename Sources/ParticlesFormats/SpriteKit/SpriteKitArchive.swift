internal import ParticlesCore
internal import ParticlesModel

/// What stands around emitters in an archive of SpriteKit's newest generation that we know.
enum SpriteKitArchive {
  /// The stamp of the versions of SpriteKit whose archives ours are like.
  static let version = 50_004_002

  private static let editorVersion = 2_000_000

  private static let nodeClasses = ["SKNode", "NSResponder", "NSObject"]
  static let emitterClasses = [SpriteKitNodes.emitterClass] + nodeClasses

  /// What the editor keeps beside the root.
  static func info(background: Color?) -> Archivable {
    let color = background.map {
      [ArchivableObject.Member("_PB_previewBackgroundColor", .deviceColor($0))]
    }
    return .dictionary(
      [
        .init("_particleEditorVersion", .shared(.integer(editorVersion))),
        .init("_spriteKitVersion", .string("\(version)")),
        .init("_PB_previewParticlePosition", .point(0, 0)),
      ] + (color ?? []), mutable: false)
  }

  /// A node that does nothing but hold others.
  static func group(_ children: [Archivable]) -> Archivable {
    let table = MappingTable(unit: .point, SpriteKitFamily.nodeRows)
    let node = EmitterWriter(
      SpriteKitFamily(table: table), ParticleSystem(), emitter: 0, .init())
    var object = ArchivableObject(nodeClasses, node.fields.map { .init($0.key, $0.value) })
    object["_originalClass"] = nil
    object["_info"] = .null
    object["_position"] = .point(0, 0)
    for (key, value) in [
      ("_xScale", 1.0), ("_yScale", 1), ("_zRotation", 0), ("_zPosition", 0),
    ] { object[key] = .sharedReal(value) }
    object["_children"] = .array(children)
    return .object(object)
  }
}
