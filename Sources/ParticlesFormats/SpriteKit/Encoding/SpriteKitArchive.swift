internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The objects that stand in an archive of SpriteKit's, with the classes and keys that they have in
/// the newest generation that we know.
enum SpriteKitArchive {
  private typealias Member = ArchivableObject.Member

  /// The stamp of the versions of SpriteKit whose archives ours are like.
  static let version = 50_004_002

  private static let editorVersion = 2_000_000

  static let nodeClasses = ["SKNode", "NSResponder", "NSObject"]
  static let emitterClasses = [SpriteKitNodes.emitterClass] + nodeClasses

  /// Numbers are 64 bits wide and were floats before.
  static func real(_ number: Double) -> Archivable { .double(Double(Float(number))) }

  /// A number behind a reference, as the properties of nodes are.
  static func sharedReal(_ number: Double) -> Archivable {
    .shared(.real(Double(Float(number)), width: 8))
  }

  static func sequence(_ times: [Double], _ values: [Archivable], _ mode: Interpolation)
    -> Archivable
  {
    let modes: [Interpolation] = [.linear, .cubic, .step]
    return .object(
      ["SKKeyframeSequence", "NSObject"],
      [
        Member("_values", .array(values)),
        Member("_times", .array(times.map(sharedReal))),
        Member("_interpolationMode", .integer((modes.firstIndex(of: mode) ?? 0) + 1)),
        Member("_repeatMode", .integer(1)),
      ])
  }

  /// The texture of a sprite.
  /// - Parameters:
  ///   - name: the name by which SpriteKit finds the image.
  ///   - size: its size in pixels.
  ///   - scale: pixels per point.
  ///   - part: the part that is shown, as a share of the image from its bottom left corner.
  static func texture(
    named name: String, size: (x: Double, y: Double), scale: Double, part: [Double],
    isSmooth: Bool
  ) -> Archivable {
    .object(
      ["SKTexture", "NSObject"],
      [
        Member("_imgName", .string(name)),
        Member("_pixelSize", .size(size.x, size.y)),
        Member("_size", .size(size.x / scale, size.y / scale)),
        Member(
          "_textRect", .rect(x: part[0], y: part[1], width: part[2], height: part[3])),
        Member("_cropOffset", .point(0, 0)),
        Member("_cropScale", .point(1, 1)),
        Member("_filteringMode", .integer(isSmooth ? 1 : 0)),
        Member("_originalAtlasName", .null),
        Member("_subTextureName", .null),
      ]
        + [
          "_isData", "_isPath", "_isRotated", "_isFlipped", "_isCapture", "_disableAlpha",
        ].map { Member($0, .bool(false)) })
  }

  /// What every node has, besides its place and children.
  static func nodeState(name: String?, isHidden: Bool) -> [(key: String, value: Archivable)] {
    [
      ("_originalClass", .string(SpriteKitNodes.emitterClass)),
      ("_version", .shared(.integer(version))),
      ("_name", name.map { .string($0) } ?? .null),
      ("_hidden", .shared(.bool(isHidden))), ("_paused", .shared(.bool(false))),
      ("_skcPaused", .shared(.bool(false))), ("_opacity", sharedReal(1)),
      ("_xRotation", sharedReal(0)), ("_yRotation", sharedReal(0)),
      ("_userData", .null), ("_constraints", .null), ("_reachConstraints", .null),
      ("_PKPhysicsBody", .null), ("_actions", .array([])), ("_keyedActions", .null),
      ("_keyedSubSprites", .null), ("_attributeValues", .dictionary([], mutable: false)),
      ("_children", .array([])),
      (
        "_info",
        .dictionary([Member("_PB_previewEmissionDuration", sharedReal(0))])
      ),
    ]
  }

  /// What the editor keeps beside the root.
  static func info(background: Color?) -> Archivable {
    let color = background.map {
      [Member("_PB_previewBackgroundColor", .deviceColor($0))]
    }
    return .dictionary(
      [
        Member("_particleEditorVersion", .shared(.integer(editorVersion))),
        Member("_spriteKitVersion", .string("\(version)")),
        Member("_PB_previewParticlePosition", .point(0, 0)),
      ] + (color ?? []), mutable: false)
  }

  /// A node that does nothing but hold others.
  static func group(_ children: [Archivable]) -> Archivable {
    var object = ArchivableObject(nodeClasses, [])
    for (key, value) in nodeState(name: nil, isHidden: false) where key != "_originalClass" {
      object[key] = value
    }
    object["_info"] = .null
    object["_position"] = .point(0, 0)
    for (key, value) in [
      ("_xScale", 1.0), ("_yScale", 1), ("_zRotation", 0), ("_zPosition", 0),
    ] { object[key] = sharedReal(value) }
    object["_children"] = .array(children)
    return .object(object)
  }
}
