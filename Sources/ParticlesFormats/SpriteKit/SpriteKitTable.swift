internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// What each key means.

extension SpriteKitFamily {
  static let sources = [
    (name: "apple", title: "Apple's documentation of `SKEmitterNode` and `SKKeyframeSequence`"),
    (name: "files", title: "published files, counted"),
    (name: "assumed", title: "documented nowhere"),
  ]

  static let rows: [Row<SpriteKitFamily>] =
    nodeRows + birthRows + motionRows + lookRows + Row.missingInKeyedArchives + restRows

  private static let silent = "kept, not reported: it means nothing to particles"
  private static let reported = "kept, reported unless it is the same as in new files or empty"
  private static let flat = "SpriteKit is flat"

  /// What every node has, with the values that it has in archives of the newest generation that we
  /// know.
  static let nodeRows: [Row<SpriteKitFamily>] = [
    .constant(["_originalClass"], .string("SKEmitterNode"), silent),
    .constant(["_version"], .shared(.integer(version)), silent),
    .idiom(
      ["_name"], "name of the emitter", "exact; that of the file if there is none", from: "files",
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
    .constant(["_children"], .array([]), "emitters among them are emitters of the effect"),
    .constant(
      ["_info"], .dictionary([.init("_PB_previewEmissionDuration", .sharedReal(0))]),
      "`preview.background`; the rest is \(silent)"),
    // What older versions left behind when an emitter still was a sprite, and the node above.
    .ignored(
      [
        "_texture", "_anchorPoint", "_bounds", "_centerRect", "_colorMix", "_baseColorR",
        "_baseColorG", "_baseColorB", "_baseColorA", "_blendMode", "_repeatTexture",
        "_repeatTextureSize", "_orderAdded", "_wantsPerPixelCollisionDetection", "_parent",
      ], silent, from: "files"),
  ]

  var passedOver: Set<String> { Self.silentKeys }

  private static let silentKeys = Set(nodeRows.filter { $0.note.hasSuffix(silent) }.flatMap(\.keys))

  private static let birthRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_position", "_zRotation", "_xScale", "_yScale", "_zPosition"],
      "`transform`, `render.order`",
      "exact, with those of the nodes above; approximated: what is turned inside of something stretched, an order that is not whole",
      decode: {
        $1.transform = $0.place.transform
        $1.render.order = $0.place.order
      }, encode: { $0.encodeTransform() }),
    .missing("transform.rotation", \.transform.rotation, .rot3D, flat),
    .idiom(
      ["_birthrate"], "emission.rate", exact: [.rate], approximated: [.burst, .burstList, .prob],
      decode: { $1.emission.rate = .constant($0.number("_birthrate", atLeast: 0)) },
      encode: { $0.encodeEmission() }),
    .idiom(
      ["_numParticlesToEmit"], "emission.total", "exact; 0 is none", exact: [.total],
      approximated: [.duration, .loop, .idle], decode: { $1.emission.total = $0.total }),
    .value("_lifetime", width: "_lifetimeVariance", "lifetime", \.lifetime, .life),
    .missing("timing.delay", \.timing.delay, .delay, "births start at once"),
    .missing("timing.prewarm", \.timing.prewarm, .prewarm, "births start now"),
    .missing("timing.speed", \.timing.speed, .speed, "clocks do not stand still"),
    .missing(
      "timing.fixedStep", \.timing.fixedStep, .duration, "SpriteKit steps as it likes", .dead),
    .idiom([], "emission.maxAlive", "lost", encode: { $0.dropLimit() }),
    .missing(
      "emission.explosiveness", \.emission.explosiveness, .explos, "births are spread evenly"),
    .missing(
      "emission.schedule", \.emission.schedule, .rate, "SpriteKit decides when births happen", .dead
    ),
    .idiom(
      ["_startPosition", "_startPositionVariance"], "shape", "exact: a rect, or a point",
      exact: [.shRect, .shLine], approximated: [.shDisc], decode: { $1.shape = try $0.shape() },
      encode: { $0.encodeShape() }),
  ]

  private static let motionRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_emissionAngle"], "launch.direction.angle",
      "exact: the least number of digits in degrees that is the same float in radians",
      exact: [.spread2D], approximated: [.cone3D],
      decode: { $1.launch.direction = Direction(angle: .constant($0.angle("_emissionAngle"))) },
      encode: { $0.encodeDirection() }),
    .idiom(
      ["_emissionAngleVariance"], "launch.spread",
      "exact, half of it, up to all around; more is approximated",
      decode: { $1.launch.spread = $0.spread }),
    .missing("launch.flatness", \.launch.flatness, .cone3D, flat, .dead),
    .idiom(
      ["_startSpeed", "_startSpeedVariance"], "launch.speed", exact: [.speedRange],
      decode: { $1.launch.speed = $0.value("_startSpeed", width: "_startSpeedVariance") },
      encode: { $0.encodeSpeed() }),
    // A file cannot name the node whose world particles would be left in.
    .idiom(
      [], "space", "local", from: "files", approximated: [.space], decode: { $1.space = .local },
      encode: { $0.encodeSpace() }),
    .idiom(
      ["_acceleration"], "forces: gravity", "exact, in the space of the emitter", exact: [.gravity],
      approximated: [.linAcc, .dragExp, .dragConst, .dragLin],
      decode: { $1.forces = try $0.forces() }, encode: { $0.encodeForces() }),
    .idiom(
      ["_fieldBitMask"], "physics.fieldMask", decode: { $1.physics.fieldMask = $0.fieldMask() },
      encode: { $0.set("_fieldBitMask", integer: $0.emitter.physics.fieldMask) }),
    .idiom(
      ["_particleSpeedSequence"], "motion.speed", "assumed to replace that at birth",
      from: "assumed", approximated: [.speedCurve], decode: { $1.motion = try $0.motion() },
      encode: { $0.encodeMotion() }),
    .idiom(
      ["_startRotation", "_startRotationVariance", "_particleRotationSequence"], "rotation.angle",
      exact: [.rot, .rotCurve], approximated: [.rotSE], decode: { $1.rotation = try $0.rotation() },
      encode: { $0.encodeRotation() }),
    .idiom(["_rotationSpeed"], "rotation.velocity", approximated: [.rotVel, .rotAcc]),
    .missing("rotation.axis", \.rotation.axis, .rot3D, flat),
  ]

  private static let lookRows: [Row<SpriteKitFamily>] = [
    .idiom(
      ["_particleTexture"], "sprites", "see [Images](#images)", exact: [.tex],
      approximated: [.flip], encode: { $0.encodeTexture() }),
    .missing("flipbook", \.flipbook, .flip, "particles show one frame"),
    .idiom(
      ["_startSize"], "`size.mode`, `size.aspect`",
      "exact: units, scale times width; of 0, textureScale; without the image, units of the size that the archive knows; without that, 32 points are assumed",
      from: "files", exact: [.sizeAbs], approximated: [.sizeXY],
      decode: { $1.size = try $0.size(hasSprite: !$1.sprites.isEmpty) }, encode: { $0.encodeSize() }
    ),
    .idiom(
      SpriteKitTrackKeys.scale.all, "size.width", exact: [.size, .sizeCurve],
      approximated: [.sizeSE]),
    .missing("size.stretch", \.size.stretch, .stretch, "particles keep their shape"),
    .idiom(
      SpriteKitTrackKeys.opacity.all, "color.opacity",
      "exact, with the range 0 to 1 if it would leave it", exact: [.alphaCv],
      decode: { $1.color = try $0.tint(lifetime: $1.lifetime) }, encode: { $0.encodeColor() }),
    .idiom(
      SpriteKitTrackKeys.mix.all, "color.mix",
      "exact, the same way; where it is less than 1, alpha is assumed to be weighed by it: 1 + (a − 1) · mix",
      from: "apple, assumed", exact: [.mix]),
    .idiom(
      ["R", "G", "B", "A"].flatMap {
        ["_startColor\($0)", "_startColorVariance\($0)", "_colorSpeed\($0)"]
      }, "color.base", "exact, each channel by itself", exact: [.colRand],
      approximated: [.colHSB, .initRamp]),
    .idiom(
      ["_particleColorSequence"], "color.base.gradient", "exact; of one key, a colour",
      exact: [.grad], approximated: [.colSE]),
    .idiom(
      ["_particleBlendMode"], "render.blend.mode",
      "exact: alpha, add, subtract, multiply, multiplyX2, screen, replace, multiplyAlpha",
      exact: [.blAlpha, .blAdd, .blMul, .blScr, .blSub], approximated: [.blCustom, .premult],
      decode: { $1.render.blend = Blend($0.choice("_particleBlendMode", blendModes, .alpha)) },
      encode: { $0.setBlend("_particleBlendMode", of: blendModes, count: "eight") }),
    // The oldest particle is drawn last unless told otherwise.
    .idiom(
      ["_particleRenderOrder"], "render.sort",
      "exact: youngestFirst, oldestFirst, none; the key is in no known file", from: "assumed",
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
    .missing("render.billboard", \.render.billboard, .billb, flat),
    .missing("render.billboardAxis", \.render.billboardAxis, .billb, flat),
    .missing("render.lit", \.render.lit, .soft, "lights need a shader"),
    .missing("render.soft", \.render.soft, .soft, flat),
    .missing("render.blackPass", \.render.blackPass, .soft, "particles are drawn once"),
    .missing("render.writesDepth", \.render.writesDepth, .soft, flat),
  ]

  private static let restRows: [Row<SpriteKitFamily>] = [
    .missing("physics.collides", \.physics.collides, .collide, "particles do not collide"),
    .missing(
      "physics.sceneGravity", \.physics.sceneGravity, .collide,
      "the gravity of the scene does not act on particles"),
    .idiom([], "physics", "lost", encode: { $0.dropPhysics() }),
    .missingTriggers("particles do not emit others"),
    .constant(
      ["_particleAction", "_shader", "_target", "_fieldInfluenceSequence"], .null, reported),
    .constant(["_emissionDistance", "_emissionDistanceRange"], .double(0), reported),
  ]

  private static let blendModes: [BlendMode] = [
    .alpha, .add, .subtract, .multiply, .multiplyX2, .screen, .replace, .multiplyAlpha,
  ]

  static let sortModes: [SortMode] = [.youngestFirst, .oldestFirst, .none]

  /// The properties of SpriteKit that the keys of an archive stand for, where programs other than
  /// Apple's have used those as keys.
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
