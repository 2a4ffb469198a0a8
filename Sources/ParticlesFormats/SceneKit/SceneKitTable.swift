internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// The mapping table: the meaning of each key.

extension SceneKitFamily {
  static let sources = [
    (
      name: "apple",
      title: "Apple's documentation of `SCNParticleSystem` and `SCNParticlePropertyController`"
    ), (name: "files", title: "published files, counted"),
    (name: "assumed", title: "undocumented"),
  ]

  static let rows: [Row<SceneKitFamily>] =
    emission + spawning + motion + look + drawing + others + Row.missingInKeyedArchives

  private static let emission: [Row<SceneKitFamily>] = [
    .idiom(
      spread("emissionDuration"), "timing.duration", "exact, sampled for each period",
      exact: [.duration], decode: { $0.decodePeriod(of: &$1) }, encode: { $0.encodePeriod() }),
    .idiom(spread("idleDuration"), "timing.idle", "exact, sampled for each period", exact: [.idle]),
    .idiom(["loops"], "timing.loop", "exact, true where absent", exact: [.loop]),
    .idiom(
      spread("birthRate"),
      "emission.rate = particles per period / duration, sampled for each period",
      "exact, approximated if the duration varies. With an `emissionDuration` of 0, a burst in a period of length 0, assumed to repeat 60 times a second if it loops without pause",
      exact: [.rate, .randomRate, .burst],
      approximated: [.burstList, .total, .explosiveness, .probability]),
    .idiom(
      ["warmupDuration"], "timing.prewarm",
      "exact. A negative value is assumed to be `timing.delay`",
      from: "apple, assumed", exact: [.prewarm], approximated: [.delay],
      decode: { $0.decodeWarmup(of: &$1) }, encode: { $0.encodeWarmup() }),
    .number(
      "speedFactor", "timing.speed", { $1(&$0.timing.speed) }, standard: 1, atLeast: 0,
      exact: [.speed], "exact for 0 or more"),
    .number(
      "fixedTimeStep", "timing.fixedStep", { $1(&$0.timing.fixedStep) }, atLeast: 0,
      "exact for 0 or more", from: "files"),
    .idiom(
      [], "emission.maxAlive", "approximated: as the rate at which as many are alive",
      approximated: [.aliveLimit], encode: { $0.dropLimit() }),
    .missing("emission.schedule", "emission is not aligned with frames", rule: .lost),
  ]

  private static let spawning: [Row<SceneKitFamily>] = [
    .idiom(
      ["emitterShape"], "shape", "see [Shapes](#shapes)", from: "apple, files",
      exact: [.shapeRectangle],
      approximated: [.shapeDisc, .shapeLine, .shapePoints, .shape3D],
      decode: { reader, emitter throws(Failure) in try reader.decodeShape(of: &emitter) },
      encode: { $0.encodeShape() }),
    .idiom(
      ["birthLocation"], "shape.placement",
      "exact: surface, volume, vertices. Ignored without a shape"),
    .idiom(
      ["emittingDirection"], "launch.direction.vector",
      "exact, of length 1, and (0, 0, 1) if it is zero or absent", exact: [.cone3D],
      approximated: [.spread2D], decode: { $0.decodeDirection(of: &$1) },
      encode: { $0.encodeDirection() }),
    .idiom(
      ["birthDirection"], "launch.direction.mode", "exact: vector, normal, random",
      exact: [.directionNormal],
      decode: { $1.launch.direction.mode = $0.choice("birthDirection", directions, .vector) },
      encode: { $0.set("birthDirection", $0.emitter.launch.direction.mode, of: directions) }),
    .idiom(
      ["spreadingAngle"], "launch.spread",
      "exact: half the value. Files have the whole angle of the cone",
      decode: { $0.decodeSpread(of: &$1) }, encode: { $0.encodeSpread() }),
    .missing("launch.flatness", "flattening is not supported", rule: .lost, as: .spread2D),
    .idiom(
      spread("particleVelocity"), "launch.speed", exact: [.speedRange],
      decode: { $1.launch.speed = $0.value("particleVelocity") },
      encode: { $0.encodeSpeed() }),
    .idiom(
      ["isLocal"], "space", "exact: local or world", approximated: [.space],
      decode: { $1.space = $0.flag("isLocal") ? .local : .world },
      encode: {
        $0.set("isLocal", flag: $0.emitter.space != .world)
        guard $0.emitter.space == .parent else { return }
        $0.lose(
          .approximated, .space, at: "space", "particles follow the node of the system")
      }),
    .value("particleLifeSpan", "lifetime", { $1(&$0.lifetime) }, .life, standard: 1),
  ]

  private static let motion: [Row<SceneKitFamily>] = [
    .value("particleMass", "physics.mass", { $1(&$0.physics.mass) }, .collide, standard: 1),
    .value("particleCharge", "physics.charge", { $1(&$0.physics.charge) }, .collide),
    .value("particleBounce", "physics.bounce", { $1(&$0.physics.bounce) }, .collide, standard: 0.7),
    .value(
      "particleFriction", "physics.friction", { $1(&$0.physics.friction) }, .collide, standard: 1),
    .flag(
      "physicsCollisionsEnabled", "physics.collides", { $1(&$0.physics.collides) }, from: "files"),
    .flag(
      "particleDiesOnCollision", "physics.diesOnCollision", { $1(&$0.physics.diesOnCollision) }),
    .flag("affectedByGravity", "physics.sceneGravity", { $1(&$0.physics.sceneGravity) }),
    .idiom(
      ["affectedByPhysicsFields"], "physics.fieldMask", "exact: all bits or none",
      approximated: [.collide],
      decode: {
        $1.physics.fieldMask = $0.flag("affectedByPhysicsFields") ? .max : 0
      },
      encode: {
        let mask = $0.emitter.physics.fieldMask
        $0.set("affectedByPhysicsFields", flag: mask != 0)
        guard ![0, .max].contains(mask) else { return }
        $0.lose(
          .approximated, .collide, at: "physics.fieldMask", "all fields act on particles, or none")
      }),
    .idiom(
      ["acceleration"], "forces: gravity", "exact, in the coordinate space of the particles",
      exact: [.gravity], approximated: [.radial, .linearAcceleration],
      decode: { $0.decodeForces(of: &$1) },
      encode: { $0.encodeForces() }),
    .idiom(
      ["dampingFactor"], "forces: drag of law perFrame60",
      "assumed: hundredths of the speed lost in a sixtieth of a second", from: "assumed, files",
      exact: [.exponentialDrag], approximated: [.linearDrag]),
    .idiom(
      [], "motion.mode", "approximated: orbits as straight motion. Lost: paths",
      approximated: [.orbit], encode: { $0.loseMotion() }),
    .missing(
      "motion.orbit", "orbits are not supported", rule: .dead,
      when: { $0.emitter.motion.mode != .orbit }),
    .missing("motion.path", rule: .dead, when: { $0.emitter.motion.mode != .path }),
    .idiom(
      spread("particleAngle"), "rotation.angle",
      "exact, in degrees. A controller of the angle is in radians",
      exact: [.rotation, .rotationCurve],
      approximated: [.randomEndRotation],
      decode: { $1.rotation.angle = Track($0.value("particleAngle")) },
      encode: { $0.encodeRotation() }),
    .idiom(
      spread("particleAngularVelocity"), "rotation.velocity",
      "exact, in degrees per second. A controller is in radians per second",
      exact: [.rotationSpeed],
      decode: { $1.rotation.velocity = Track($0.value("particleAngularVelocity")) }),
    .missing("rotation.acceleration"),
  ]

  private static let look: [Row<SceneKitFamily>] = [
    .idiom(
      spread("particleSize"), "size.width",
      "exact, with `size.aspect` 1. Sizes over life are at least 0", from: "apple, files",
      exact: [.size, .sizeCurve, .absoluteSize], approximated: [.randomEndSize],
      decode: {
        $1.size.width = Track($0.value("particleSize", 1))
        $1.size.aspect = .ratio(1)
      }, encode: { $0.encodeSize() }),
    .missing("size.height", "particles are always square"),
    .idiom(
      ["stretchFactor"], "size.stretch.factor", exact: [.stretch],
      decode: { $0.decodeStretch(of: &$1) }, encode: { $0.encodeStretch() }),
    .idiom(
      ["particleColor", "particleColorVariation"], "color.base", "see [Colours](#colours)",
      from: "apple, files",
      exact: [.randomHueSaturationBrightness, .gradient, .opacityCurve, .mix],
      approximated: [.randomColor, .randomEndColor, .startGradient],
      decode: { reader, emitter throws(Failure) in try reader.decodeColor(of: &emitter) },
      encode: { $0.encodeColor() }),
    .idiom(
      spread("particleIntensity"), "color.intensity", from: "apple, files",
      decode: { $1.color.intensity = Track($0.value("particleIntensity", 1)) },
      encode: { $0.encodeIntensity() }),
    .idiom(
      ["particleImage"], "sprites", "see [Images](#images)", from: "apple, files",
      exact: [.texture],
      encode: { $0.encodeSprite() }),
    .idiom(
      ["imageSequenceColumnCount", "imageSequenceRowCount"], "",
      "the `grid` of the sprite, kept without one", approximated: [.flipbook],
      encode: { $0.encodeGrid() }),
    .idiom(
      spread("imageSequenceInitialFrame") + spread("imageSequenceFrameRate") + [
        "imageSequenceAnimationMode"
      ], "flipbook", "see [Images](#images)", decode: { $1.flipbook = $0.flipbook },
      encode: { $0.encodeFlipbook() }),
  ]

  private static let drawing: [Row<SceneKitFamily>] = [
    .idiom(
      ["blendMode"], "render.blend.mode",
      "exact: add, subtract, multiply, screen, alpha, replace. Add where absent",
      exact: [.blendAlpha, .blendAdditive, .blendMultiply, .blendScreen, .blendSubtractive],
      approximated: [.blendFactors, .premultipliedAlpha],
      decode: { $1.render.blend = Blend($0.choice("blendMode", blends, .add)) },
      encode: { $0.setBlend("blendMode", of: blends, count: "six") }),
    .idiom(
      ["sortingMode"], "render.sort",
      "exact: none, depth, distance, oldestFirst, youngestFirst. None where absent",
      approximated: [.sort], decode: { $1.render.sort = $0.choice("sortingMode", sorts, .none) },
      encode: {
        guard !$0.set("sortingMode", $0.emitter.render.sort, of: sorts) else { return }
        $0.lose(.approximated, .sort, at: "render.sort", "sorting is not supported")
      }),
    .idiom(
      ["orientationMode"], "render.billboard",
      "exact: screen, view, free, axisY. Free is assumed to rotate about any axis",
      from: "apple, assumed", approximated: [.billboard, .rotation3D],
      decode: { $0.decodeOrientation(of: &$1) }, encode: { $0.encodeOrientation() }),
    .idiom(
      ["orientationDirection"], "render.billboardAxis",
      decode: { $1.render.billboardAxis = $0.vector("orientationDirection") },
      encode: { $0.set("orientationDirection", $0.emitter.render.billboardAxis ?? .zero) }),
    .flag("lightingEnabled", "render.lit", { $1(&$0.render.lit) }),
    .idiom(
      ["softParticlesEnabled"], "render.soft", "assumed: over a distance of 1", from: "assumed",
      approximated: [.soft],
      decode: {
        guard $0.flag("softParticlesEnabled") else { return }
        $1.render.soft = Softness()
        $0.note(.assumed, "softParticlesEnabled", "particles fade over a distance of 1")
      },
      encode: {
        let soft = $0.emitter.render.soft
        $0.set("softParticlesEnabled", flag: soft != nil)
        guard let soft, soft != Softness() else { return }
        $0.lose(.approximated, .soft, at: "render.soft", "particles fade over a distance of 1")
      }),
    .flag("blackPassEnabled", "render.blackPass", { $1(&$0.render.blackPass) }),
    .idiom(
      ["writesToDepthBuffer"], "render.writesDepth", "exact, written if true", from: "files",
      decode: { $1.render.writesDepth = $0.flag("writesToDepthBuffer") },
      encode: { if $0.emitter.render.writesDepth { $0.set("writesToDepthBuffer", flag: true) } }),
    .missing("render.z", "the drawing order is by age or position only"),
    .missing("render.order", "the order of systems belongs to the scene"),
    .idiom(
      [], "transform", "a scale is multiplied into lengths. Otherwise lost: move the node instead",
      approximated: [.place],
      encode: {
        $0.drop("transform", "move the node of the system instead")
      }),
  ]

  private static let others: [Row<SceneKitFamily>] = [
    .idiom(
      ["seed"], "seed", "exact. The seed of a spawned system is kept", from: "files",
      exact: [.seed],
      decode: { reader, _ in
        guard !reader.place.above.isEmpty, reader.object.int("seed") ?? 0 != 0 else { return }
        reader.object.reportUninterpreted("seed", "only one seed is supported")
      },
      encode: {
        let isSpawned = !$0.surroundings.place.above.isEmpty
        $0.set("seed", integer: isSpawned ? 0 : Int(truncatingIfNeeded: $0.system.seed))
      }),
    .constant(["fresnelExponent"], .double(0), "kept, reported unless 0 or 1"),
    .constant(["renderingMode"], .integer(0), "kept, reported unless 0"),
    .idiom(
      ["propertyControllers"], "tracks", "see [Controllers](#controllers)", from: "apple, files",
      decode: { reader, emitter throws(Failure) in try reader.decodeControllers(of: &emitter) }),
    .idiom(
      ["systemSpawnedOnCollision", "systemSpawnedOnDying", "systemSpawnedOnLiving"], "triggers",
      "exact: another emitter, and a trigger `collision`, `death` or `frame` that inherits the position. A system that spawns itself, or is nested deeper than 8, is kept",
      from: "apple, files", exact: [.emissionAtDeath, .emissionWhileAlive, .emissionAtCollision],
      decode: { $1.triggers = $0.place.triggers }, encode: { $0.encodeTriggers() }),
  ]

  static let places: [Placement] = [.surface, .volume, .vertices]
  private static let directions: [DirectionMode] = [.vector, .normal, .random]
  private static let blends: [BlendMode] = [.add, .subtract, .multiply, .screen, .alpha, .replace]
  private static let sorts: [SortMode] = [.none, .depth, .distance, .oldestFirst, .youngestFirst]
  static let billboards: [Billboard] = [.screen, .view, .free, .axisY]
  static let frameModes: [FlipbookMode] = [.loop, .once, .pingpong]

  private static func spread(_ key: String) -> [String] { [key, key + widthSuffix] }
}

extension KeyedEmitter<SceneKitFamily> {
  /// A vector. Nil if it is missing or zero.
  func vector(_ key: String) -> Vector? {
    guard let numbers = object.floats(key, count: 3), numbers != [0, 0, 0] else { return nil }
    return Vector(numbers[0], numbers[1], numbers[2])
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func set(_ key: String, _ vector: Vector) {
    set(key, floats: [vector.x, vector.y, vector.z])
  }

  mutating func set(_ key: String, floats: [Double]) {
    let bytes = floats.flatMap { number in
      let pattern = Float(number).bitPattern
      return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: pattern >> $0) }
    }
    set(key, .inline(.data(bytes)))
  }
}
