internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

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
    unit: .unit, profile: .quarks, exact: [.multi, .tex, .flip], approximated: [.embed], rows)

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

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    origin.flatMap { QuarksScene($0).replacing(with: emitters) }
      ?? QuarksScene.scene(of: emitters, name: system.asset.name ?? "")
  }

  func sprites(of reader: TreeReader<QuarksFamily>) throws -> [TreeSprite] {
    guard let url = reader.value["material.image"]?.string, !url.isEmpty else { return [] }
    var image = TreeSprite(path: "material.image", references: [url])
    if url.hasPrefix("data:") {
      let name = reader.value["material.name"]?.string ?? ""
      image.references = [name.isEmpty ? "image.png" : name]
      image.inside = QuarksScene.image(in: url).map {
        let base = ImageFinder.baseName(of: name)
        return FoundImage(name: base.isEmpty ? "image.png" : base, bytes: $0)
      }
    }
    let (columns, rows) = (reader.number("ps.uTileCount", 1), reader.number("ps.vTileCount", 1))
    if columns * rows > 1, columns >= 1, rows >= 1, columns < 1000, rows < 1000 {
      image.sprite.grid = SpriteGrid(columns: Int(columns), rows: Int(rows))
    }
    return [image]
  }

  /// Sub-emitters are named by the identifiers of their nodes.
  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<QuarksFamily>]) throws {
    let places = Dictionary(
      readers.enumerated().compactMap { index, reader in
        reader.value["uuid"]?.string.map { ($0, index) }
      }, uniquingKeysWith: { first, _ in first })
    for (index, reader) in readers.enumerated() {
      for behavior in reader.array("ps.behaviors") ?? []
      where behavior["type"]?.string == Self.subEmitter {
        guard let target = behavior["subParticleSystem"]?.string.flatMap({ places[$0] }) else {
          reader.note(
            .uninterpreted, "ps.behaviors[\(Self.subEmitter)]",
            "the other emitter is not in the file")
          continue
        }
        let mode = behavior["mode"]?.int ?? 0
        let event = Self.events.indices.contains(mode) ? Self.events[mode] : .death
        let share = min(max(behavior["emitProbability"]?.double ?? 1, 0), 1)
        system.emitters[index].triggers.append(Self.trigger(event, target, share))
      }
    }
    let starting = readers.indices.filter { !(readers[$0].flag("ps.onlyUsedByOther", false)) }
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
