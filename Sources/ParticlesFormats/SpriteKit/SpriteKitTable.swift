internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// The mapping table: the meaning of each key.

extension SpriteKitFamily {
  static let sources = [
    (name: "apple", title: "Apple's documentation of `SKEmitterNode` and `SKKeyframeSequence`"),
    (name: "files", title: "published files, counted"),
    (name: "assumed", title: "undocumented"),
  ]

  static let rows: [Row<SpriteKitFamily>] =
    nodeRows + birthRows + motionRows + lookRows + Row.missingInKeyedArchives + restRows

  private static let silent = "kept, not reported: no effect on particles"
  private static let reported = "kept, reported unless equal to new files or empty"
  private static let flat = "SpriteKit is 2D only"

  /// Keys of every node, with the values of archives of the newest known generation.
  static let nodeRows: [Row<SpriteKitFamily>] = [
    .constant(["_originalClass"], .string("SKEmitterNode"), silent),
    .constant(["_version"], .shared(.integer(Int64(version))), silent),
    .idiom(
      ["_name"], "name of the emitter", "exact, by default the name of the file", from: "files",
      encode: {
        let name = $0.emitter.name
        let isStandard = name.isEmpty || name == $0.surroundings.standardName
        $0.set("_name", isStandard ? .null : .string(name))
      }),
    .idiom(
      ["_hidden"], "enabled", from: "files", decode: { $1.enabled = !$0.flag("_hidden") },
      encode: { $0.set("_hidden", .shared(.bool(!$0.emitter.enabled))) }),
    .constant(["_paused", "_skcPaused"], .shared(.bool(false)), silent),
    .constant(["_opacity"], .sharedReal(1), reported),
    .constant(["_xRotation", "_yRotation"], .sharedReal(0), reported),
    .constant(["_userData", "_constraints"], .null, reported),
    .constant(["_reachConstraints"], .null, silent),
    .constant(["_PKPhysicsBody"], .null, reported),
    .constant(["_actions"], .array([]), reported),
    .constant(["_keyedActions"], .null, reported),
    .constant(["_keyedSubSprites"], .null, silent),
    .constant(["_attributeValues"], .dictionary([], mutable: false), reported),
    .constant(["_children"], .array([]), "emitters among them become emitters of the effect"),
    .constant(
      ["_info"], .dictionary([.init("_PB_previewEmissionDuration", .sharedReal(0))]),
      "`preview.background`. The rest is \(silent)"),
    // Keys of older versions, in which an emitter was a sprite, and the parent node.
    .ignored(
      [
        "_texture", "_anchorPoint", "_bounds", "_centerRect", "_colorMix", "_baseColorR",
        "_baseColorG", "_baseColorB", "_baseColorA", "_blendMode", "_repeatTexture",
        "_repeatTextureSize", "_orderAdded", "_wantsPerPixelCollisionDetection", "_parent",
      ], silent, from: "files"),
  ]

  var passedOver: Set<String> { Self.silentKeys }

  private static let silentKeys = Set(
    nodeRows.filter { $0.note.hasSuffix(silent) }.flatMap { $0.keys })

  private static let birthRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_position", "_zRotation", "_xScale", "_yScale", "_zPosition"],
      "`transform`, `render.order`",
      "exact, combined with the parent nodes. Approximated: rotation inside a non-uniform scale, a drawing order that is not an integer",
      exact: [.place],
      decode: {
        $1.transform = $0.place.transform
        $1.render.order = $0.place.order
      }, encode: { $0.encodeTransform() }),
    .missing("transform.rotation", flat, as: .rotation3D),
    .idiom(
      ["_birthrate"], "emission.rate", exact: [.rate],
      approximated: [.burst, .burstList, .probability],
      decode: { $1.emission.rate = .constant($0.number("_birthrate", atLeast: 0)) },
      encode: { $0.encodeEmission() }),
    .idiom(
      ["_numParticlesToEmit"], "emission.total", "exact, 0 is none", exact: [.total],
      approximated: [.duration, .loop, .idle], decode: { $1.emission.total = $0.total }),
    .value("_lifetime", width: "_lifetimeVariance", "lifetime", { $1(&$0.lifetime) }, .life),
    .missing("timing.delay"),
    .missing("timing.prewarm"),
    .missing("timing.speed"),
    .missing("timing.fixedStep", "SpriteKit chooses the step", rule: .dead, as: .duration),
    .idiom(
      [], "emission.maxAlive", "approximated: as the rate at which as many are alive",
      approximated: [.aliveLimit], encode: { $0.dropLimit() }),
    .missing("emission.explosiveness"),
    .missing(
      "emission.schedule", "SpriteKit decides when particles are emitted", rule: .dead, as: .rate),
    .idiom(
      ["_startPosition", "_startPositionVariance"], "shape", "exact: a rect, or a point",
      exact: [.shapeRectangle, .shapeLine], approximated: [.shapeDisc, .shape3D],
      decode: { reader, emitter throws(Failure) in emitter.shape = try reader.shape() },
      encode: { $0.encodeShape() }),
  ]

  private static let motionRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_emissionAngle"], "launch.direction.angle",
      "exact: the shortest number of degrees that gives an equal float in radians",
      exact: [.spread2D], approximated: [.cone3D],
      decode: { $1.launch.direction = Direction(angle: .constant($0.angle("_emissionAngle"))) },
      encode: { $0.encodeDirection() }),
    .idiom(
      ["_emissionAngleVariance"], "launch.spread",
      "exact, half of the value, up to 360°. More is approximated",
      decode: { $1.launch.spread = $0.spread }),
    .missing("launch.flatness", flat),
    .idiom(
      ["_startSpeed", "_startSpeedVariance"], "launch.speed", exact: [.speedRange],
      decode: { $1.launch.speed = $0.value("_startSpeed", width: "_startSpeedVariance") },
      encode: { $0.encodeSpeed() }),
    // A file cannot state the target node of particles.
    .idiom(
      [], "space", "local", from: "files", approximated: [.space], decode: { $1.space = .local },
      encode: { $0.encodeSpace() }),
    .idiom(
      ["_acceleration"], "forces: gravity", "exact, in the coordinate space of the emitter",
      exact: [.gravity],
      approximated: [.radial, .linearAcceleration, .exponentialDrag, .constantDrag, .linearDrag],
      decode: { reader, emitter throws(Failure) in emitter.forces = try reader.forces() },
      encode: { $0.encodeForces() }),
    .idiom(
      ["_fieldBitMask"], "physics.fieldMask", decode: { $1.physics.fieldMask = $0.fieldMask() },
      encode: {
        $0.set("_fieldBitMask", .inline(.integer(Int64($0.emitter.physics.fieldMask))))
      }),
    .idiom(
      ["_particleSpeedSequence"], "motion.speed", "assumed to replace the initial speed",
      from: "assumed", approximated: [.speedCurve, .orbit],
      decode: { reader, emitter throws(Failure) in emitter.motion = try reader.motion() },
      encode: { $0.encodeMotion() }),
    .idiom(
      ["_startRotation", "_startRotationVariance", "_particleRotationSequence"], "rotation.angle",
      exact: [.rotation, .rotationCurve], approximated: [.randomEndRotation],
      decode: { reader, emitter throws(Failure) in emitter.rotation = try reader.rotation() },
      encode: { $0.encodeRotation() }),
    .idiom(
      ["_rotationSpeed"], "rotation.velocity", approximated: [.rotationSpeed, .angularAcceleration]),
    .missing("rotation.axis", flat),
  ]

  private static let lookRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_particleTexture"], "sprites", "see [Images](#images)", exact: [.texture],
      approximated: [.flipbook], encode: { $0.encodeTexture() }),
    .missing("flipbook"),
    .idiom(
      ["_startSize"], "`size.mode`, `size.aspect`",
      "exact: units, scale times width. 0 means textureScale. Without the image, the size in the archive is used, and without that, 32 points are assumed",
      from: "files", exact: [.absoluteSize], approximated: [.widthAndHeight],
      decode: { reader, emitter throws(Failure) in
        emitter.size = try reader.size(hasSprite: !emitter.sprites.isEmpty)
      }, encode: { $0.encodeSize() }
    ),
    .idiom(
      SpriteKitTrackKeys.scale.all, "size.width", exact: [.size, .sizeCurve],
      approximated: [.randomEndSize]),
    .missing("size.stretch"),
    .idiom(
      SpriteKitTrackKeys.opacity.all, "color.opacity",
      "exact, with the range 0 to 1 if necessary", exact: [.opacityCurve],
      decode: { reader, emitter throws(Failure) in
        emitter.color = try reader.tint(lifetime: emitter.lifetime)
      }, encode: { $0.encodeColor() }),
    .idiom(
      SpriteKitTrackKeys.mix.all, "color.mix",
      "exact, with the range 0 to 1 if necessary. Below 1, it is assumed to apply to alpha too: 1 + (a − 1) · mix",
      from: "apple, assumed", exact: [.mix]),
    .idiom(
      ["R", "G", "B", "A"].flatMap {
        ["_startColor\($0)", "_startColorVariance\($0)", "_colorSpeed\($0)"]
      }, "color.base", "exact, channels are independent", exact: [.randomColor],
      approximated: [.randomHueSaturationBrightness, .startGradient]),
    .idiom(
      ["_particleColorSequence"], "color.base.gradient", "exact. A single key is a colour",
      exact: [.gradient], approximated: [.randomEndColor]),
    .idiom(
      ["_particleBlendMode"], "render.blend.mode",
      "exact: alpha, add, subtract, multiply, multiplyX2, screen, replace, multiplyAlpha",
      exact: [.blendAlpha, .blendAdditive, .blendMultiply, .blendScreen, .blendSubtractive],
      approximated: [.blendFactors, .premultipliedAlpha],
      decode: { $1.render.blend = Blend($0.choice("_particleBlendMode", blendModes, .alpha)) },
      encode: { $0.setBlend("_particleBlendMode", of: blendModes, count: "eight") }),
    // The oldest particle is drawn last by default.
    .idiom(
      ["_particleRenderOrder"], "render.sort",
      "exact: youngestFirst, oldestFirst, none. The key is in no known file", from: "assumed",
      decode: {
        $1.render.sort = $0.choice("_particleRenderOrder", sortModes, .youngestFirst)
      }, encode: { $0.encodeSort() }),
    .idiom(
      ["_startZPosition", "_startZPositionVariance", "_zPositionSpeed"], "render.z",
      approximated: [.sort],
      decode: {
        $1.render.z = Track(
          from: $0.value("_startZPosition", width: "_startZPositionVariance"),
          rate: .constant($0.number("_zPositionSpeed")))
      }, encode: { $0.encodeDepth() }),
    .missing("render.billboard", flat),
    .missing("render.billboardAxis", flat),
    .missing("render.lit", "lighting requires a shader"),
    .missing("render.soft", flat),
    .missing("render.blackPass"),
    .missing("render.writesDepth", flat),
  ]

  private static let restRows: [Row<SpriteKitFamily>] = [
    .missing("physics.collides"),
    .missing("physics.sceneGravity"),
    .idiom([], "physics", "lost", encode: { $0.dropPhysics() }),
    .missingTriggers("sub-emitters are not supported"),
    .constant(
      ["_particleAction", "_shader", "_target", "_fieldInfluenceSequence"], .null, reported),
    .constant(["_emissionDistance", "_emissionDistanceRange"], .double(0), reported),
  ]

  private static let blendModes: [BlendMode] = [
    .alpha, .add, .subtract, .multiply, .multiplyX2, .screen, .replace, .multiplyAlpha,
  ]

  static let sortModes: [SortMode] = [.youngestFirst, .oldestFirst, .none]

  /// The SpriteKit properties for the keys of an archive. Some programs, but none of Apple's, have
  /// used them as keys.
  var aliases: [String: String] { Self.propertyNames }

  private static let propertyNames: [String: String] = {
    var names = [
      "_birthrate": "particleBirthRate", "_lifetime": "particleLifetime",
      "_lifetimeVariance": "particleLifetimeRange", "_zPositionSpeed": "particleZPositionSpeed",
      "_emissionAngleVariance": "emissionAngleRange", "_rotationSpeed": "particleRotationSpeed",
      "_scaleSpeed": "particleScaleSpeed", "_startSize": "particleSize",
      "_startOpacity": "particleAlpha", "_startOpacityVariance": "particleAlphaRange",
      "_opacitySpeed": "particleAlphaSpeed", "_startColorMix": "particleColorBlendFactor",
      "_startColorBlendVariance": "particleColorBlendFactorRange",
      "_colorBlendSpeed": "particleColorBlendFactorSpeed",
    ]
    for name in ["numParticlesToEmit", "emissionAngle", "fieldBitMask"] { names["_" + name] = name }
    for rest in [
      "BlendMode", "RenderOrder", "Texture", "ColorSequence", "ColorBlendFactorSequence",
      "AlphaSequence", "ScaleSequence", "RotationSequence", "SpeedSequence",
    ] { names["_particle" + rest] = "particle" + rest }
    for rest in ["Position", "ZPosition", "Speed", "Rotation", "Scale"] {
      names["_start" + rest] = "particle" + rest
      names["_start\(rest)Variance"] = "particle\(rest)Range"
    }
    for (letter, color) in ["R": "Red", "G": "Green", "B": "Blue", "A": "Alpha"] {
      names["_startColorVariance" + letter] = "particleColor\(color)Range"
      names["_colorSpeed" + letter] = "particleColor\(color)Speed"
    }
    return names
  }()
}
