internal import ParticlesCore
internal import ParticlesModel

/// The scenes of three.js that three.quarks exports: a tree of objects, including emitters, with
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

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
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

  func sprites(of reader: TreeReader<QuarksFamily>) throws(Failure) -> [TreeSprite] {
    guard let address = reader.text("material.image") else { return [] }
    let names = [address] + [reader.text("material.name")].compactMap { $0 }
    var image = TreeSprite(path: "material.image", references: names)
    image.sprite.grid = SpriteGrid(
      columns: reader.number("ps.uTileCount"), rows: reader.number("ps.vTileCount"))
    return [image]
  }

  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<QuarksFamily>])
    throws(Failure)
  {
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

extension QuarksFamily {
  static let rows: [Row<QuarksFamily>] =
    [
      .idiom(
        ["name", "matrix"], "transform",
        "exact: with the nodes above it. Kept in an existing file", from: "src",
        exact: [.place],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodePlace() }),
      .idiom(
        ["ps.emissionOverTime", "ps.emissionOverDistance"],
        "emission.rate, emission.ratePerDistance",
        "exact: a number, a range, a curve over the period", from: "src, run",
        exact: [.rate, .randomRate, .rateCurve, .rateOverDistance], approximated: [.probability],
        encode: { $0.encodeEmission() }),
      .idiom(
        ["ps.emissionBursts"], "emission.bursts", "exact", from: "src",
        exact: [.burst, .burstList]
      ).unread(
        UnreadKey(
          "ps.emissionBursts", by: "three.quarks", where: "beyond one `cycle` of a burst",
          "each burst is emitted once in a period", from: "src"
        ) { reader in
          let cycles = (reader.array("ps.emissionBursts") ?? []).prefix(1000)
            .map { ($0["cycle"] ?? $0["cycleCount"])?.coerced ?? 1 }
          guard let most = cycles.max(), most > 1 else { return nil }
          return .init(found: JSONNumber(most).text)
        }),
      .idiom(
        ["ps.duration", "ps.looping", "ps.prewarm"], "timing", "exact, prewarming is one period",
        from: "src", exact: [.duration, .loop], approximated: [.prewarm]),
      .idiom(
        ["ps.worldSpace"], "space", "true is world, false local", from: "src", exact: [.space]),
      .idiom(
        ["ps.shape"], "shape, launch.direction",
        "outwards, cone and donut along z. Cones are approximated, meshes not supported",
        from: "src, run",
        exact: [.shape3D, .shapeRing, .directionNormal],
        approximated: [.shapeDisc, .shapeRectangle, .shapeLine, .shapePoints, .cone3D, .spread2D],
        decode: { $0.decodeShape(of: &$1) }, encode: { $0.encodeShape() }),
      .idiom(
        ["ps.startLife", "ps.startSpeed", "ps.startSize", "ps.startRotation", "ps.startColor"],
        "lifetime, launch.speed, size.width, rotation.angle, color.base",
        "exact: numbers, ranges, curves over the period, in radians. Only rotations about z",
        from: "src, run",
        exact: [.life, .speedRange, .size, .absoluteSize, .rotation, .randomColor],
        approximated: [
          .randomEndSize, .randomEndRotation, .rotationCurve, .randomEndColor,
          .randomHueSaturationBrightness, .startGradient,
        ],
        decode: { $0.decodeLook(of: &$1) }, encode: { $0.encodeStart() }),
      .idiom(
        [
          "ps.renderMode", "ps.speedFactor", "ps.rendererEmitterSettings", "ps.renderOrder",
          "ps.softParticles", "ps.softNearFade", "ps.softFarFade",
        ], "render, size.stretch",
        "billboards: 1 stretched, 2 meshes, 4 horizontal, 5 vertical. Approximated: 3, a trail",
        from: "src", exact: [.billboard, .stretch, .soft], approximated: [.trail, .sort],
        encode: { $0.encodeRender() }),
      .blend(
        "material.blending",
        BlendNames(numbered: [.replace, .alpha, .add, .subtract, .multiply]), from: "src"),
      .idiom(
        ["material.image", "material.name", "ps.blending", "ps.texture", "ps.material"],
        "sprites", "the texture of the material", from: "src",
        encode: { $0.setImage("material.image") }),
      .idiom(
        ["ps.uTileCount", "ps.vTileCount", "ps.startTileIndex", "ps.blendTiles"], "flipbook",
        "exact: a grid of tiles from the top left", from: "src"),
      .idiom(
        ["ps.behaviors"], "forces, tracks",
        "in their order: colour, size, rotation, speed and forces over life, gravity to a point, speed limit, orbit, sub-emitters. Others are kept",
        from: "src, run",
        exact: [
          .gravity, .gradient, .opacityCurve, .sizeCurve, .rotationSpeed, .orbitalVelocity,
          .speedCurve, .emissionAtDeath,
          .emissionAtSpawn,
        ],
        approximated: [
          .attract, .radial, .linearDrag, .exponentialDrag, .mix, .angularAcceleration,
          .emissionWhileAlive,
        ],
        decode: { $0.decodeBehaviors(of: &$1) }, encode: { $0.encodeBehaviors() }),
      .ignored(
        [
          "ps.version", "ps.autoDestroy", "ps.layers", "ps.instancingGeometry",
          "ps.onlyUsedByOther",
        ], "the format, and what the program does", from: "files"),
    ]
    + Row.unsupported(besides: [
      "timing.loop", "timing.prewarm", "emission.ratePerDistance", "emission.probability", "space",
      "transform", "transform.angle", "transform.rotation", "transform.scale",
      "motion.orbitVelocity", "motion.orbitAxis", "motion.speed",
      "size.aspect", "size.stretch", "rotation.velocity", "rotation.acceleration", "flipbook",
      "render.billboard", "render.soft", "render.order", "render.trail", "triggers",
    ])
}
