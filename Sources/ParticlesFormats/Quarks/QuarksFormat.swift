internal import ParticlesCore
internal import ParticlesModel

/// The scenes of three.js that three.quarks exports: a tree of objects, some of which are emitters, with
/// materials, textures and images.
struct QuarksFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "three.quarks 0.17.0, `ParticleSystem.ts`, `shape/` and `behaviors/`"),
    (name: "run", title: "recordings of three.quarks 0.17.0"),
    (name: "files", title: "6 published files"),
  ]

  static let shared = QuarksFamily()

  let name = "quarks"
  let engine = "three.quarks"
  let holdsAll = true
  let clampsLives = true
  let dimension = Dimension.space
  let writesRegions = true
  /// Angles are radians in files.
  static let degrees = 180 / Double.pi
  static let radians = Double.pi / 180

  let table = MappingTable<QuarksFamily>(
    unit: .unit, profile: .quarks, exact: [.severalEmitters, .texture, .flipbook],
    approximated: [.embeddedImage], rows)

  func adapt(_ writer: inout EmitterWriter<QuarksFamily>) {
    writer.endAtTotal()
    writer.multiplySpeed()
    // A file that is there already keeps its nodes, and the shapes of its emitters.
    if writer.surroundings.origin == nil {
      writer.aimShape(
        by: AimingShapes(arcAngle: 0, arcShare: 0, widestArc: 360, coneRotation: Self.alongZ))
    }
  }

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
    let scene = QuarksScene(root)
    guard !scene.nodes.isEmpty else {
      throw Diagnostic(.emitterRoot, expected: "an object with 'ps'")
    }
    return scene.nodes.map {
      TreeEmitter(path: $0.path, value: scene.emitter($0), name: $0.name)
    }
  }

  func spelling(of path: String, in emitter: JSONValue?) -> String? {
    switch path {
    // A rotation in space has the angle about z beside others.
    case "ps.startRotation" where emitter?["ps.startRotation.type"]?.string == "Euler":
      "ps.startRotation.angleZ"
    case "ps.speedFactor" where emitter?["ps.rendererEmitterSettings.speedFactor"] != nil:
      "ps.rendererEmitterSettings.speedFactor"
    default: path
    }
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    origin.flatMap { QuarksScene($0).replacing(with: emitters) }
      ?? QuarksScene.scene(of: emitters, name: system.asset.name ?? "")
  }

  func sprites(of reader: TreeReader<QuarksFamily>) throws -> [TreeSprite] {
    guard let address = reader.text("material.image") else { return [] }
    let names = [address] + [reader.text("material.name")].compactMap { $0 }
    var image = TreeSprite(path: "material.image", references: names)
    image.sprite.grid = SpriteGrid(
      columns: reader.number("ps.uTileCount"), rows: reader.number("ps.vTileCount"))
    return [image]
  }

  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<QuarksFamily>]) throws {
    let starting = readers.indices.filter { !readers[$0].flag("ps.onlyUsedByOther", false) }
    if starting.count < readers.count { system.roots = starting }
  }
}

extension ParticleFormat {
  /// Scenes of three.js with emitters of three.quarks.
  public static let quarks = ParticleFormat(
    QuarksFamily.shared, in: JSONTree.self, title: "three.quarks particle effect",
    extensions: ["json"]
  ) { bytes, _ in
    bytes.contains("\"ps\"") && bytes.contains("\"metadata\"") && bytes.contains("\"startLife\"")
  }.declaring(.quarks)
}
