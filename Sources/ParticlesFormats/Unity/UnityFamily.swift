internal import ParticlesCore
internal import ParticlesPropertyLists
internal import ParticlesModel

/// Prefabs and scenes of Unity. Fields of writers are paths below the system, or below its other objects: `Renderer.`, `Transform.`,
/// `GameObject.`.
struct UnityFamily: EmitterFormat {
  typealias Reader = UnityReader
  typealias Field = JSONValue
  typealias Surroundings = UnityPlace

  static let shared = UnityFamily()

  static let sources = [
    (
      name: "man",
      title:
        "Unity's manual 2022.3, \"Particle System modules\", and the scripting reference of `ParticleSystem`"
    ),
    (name: "files", title: "public prefabs and scenes of Unity 5.4 to 2022"),
    (name: "assumed", title: "not checked, because Unity was not run"),
  ]

  let name = "unity"
  let engine = "Unity"
  let dimension = Dimension.space
  let randomness = Randomness.half
  let distributions: Set<Distribution> = [.uniform]

  let table = MappingTable<UnityFamily>(
    unit: .meter, profile: .unity, exact: [.severalEmitters, .texture],
    approximated: [.frame2D],
    main + motion + look
      + Row.unsupported(besides: [
        "enabled", "timing.delay", "timing.loop", "timing.prewarm", "timing.speed",
        "emission.ratePerDistance", "emission.maxAlive", "emission.probability", "space",
        "transform", "transform.angle", "transform.rotation", "transform.scale",
        "launch.inheritVelocity", "motion.orbitVelocity", "motion.orbitAxis", "motion.drift",
        "motion.maxSpeed", "motion.speed", "size.height", "size.aspect", "size.stretch",
        "rotation.velocity", "rotation.acceleration", "rotation.align", "flipbook",
        "spriteSelection", "render.sort", "render.billboard", "render.order", "render.trail",
        "triggers", "physics",
      ]))

  func real(_ number: Double) -> JSONValue { .real(number) }

  func integer(_ number: Int) -> JSONValue { .int(number) }

  func flag(_ flag: Bool) -> JSONValue { .int(flag ? 1 : 0) }

  func adapt(_ writer: inout EmitterWriter<UnityFamily>) {
    writer.endAtTotal()
    writer.multiplySpeed()
  }

  private static let main: [Row<UnityFamily>] = [
    .idiom(
      ["lengthInSec", "looping", "prewarm", "startDelay", "simulationSpeed", "speed"], "timing",
      "exact, prewarming is one period", from: "man",
      exact: [.duration, .loop, .delay, .speed], approximated: [.prewarm],
      decode: { UnityFormat.decodeTiming($0.system, &$1) }, encode: { $0.encodeTiming() }),
    .idiom(
      ["moveWithTransform"], "space",
      "0 local, 1 world, up to version 4 reversed. A custom space is the world",
      from: "files", exact: [.space],
      decode: { UnityFormat.decodeSpace($0, &$1) }, encode: { $0.encodeSpace() }),
    .idiom(
      ["InitialModule", "startLifetime", "startSpeed", "maxNumParticles"],
      "lifetime, launch.speed, emission.maxAlive",
      "exact. Curves run over the period. A ring buffer replaces the oldest", from: "man",
      exact: [.life, .speedRange, .aliveLimit],
      decode: { UnityFormat.decodeStart($0.system, &$1) }, encode: { $0.encodeStart() }),
    .idiom(
      ["startSize", "startSizeY", "startSizeZ", "size3D"], "size", "exact, the depth is reported",
      from: "man", exact: [.size, .absoluteSize, .widthAndHeight],
      decode: { UnityFormat.decodeStartSize($0.system, &$1) }, encode: { $0.encodeSize() }),
    .idiom(
      [
        "startRotation", "startRotationX", "startRotationY", "rotation3D",
        "randomizeRotationDirection",
      ],
      "rotation.angle", "about z, clockwise, others are reported", from: "man",
      exact: [.rotation], approximated: [.rotationCurve, .randomEndRotation],
      decode: { UnityFormat.decodeStartRotation($0.system, &$1) },
      encode: { $0.encodeRotation() }),
    .idiom(
      ["startColor"], "color.base",
      "a colour, two, or a random one of a gradient. Gradients over the period become their mean",
      from: "man", exact: [.startGradient],
      approximated: [.randomColor, .randomEndColor, .randomHueSaturationBrightness, .mix],
      decode: { UnityFormat.decodeStartColor($0.system, &$1) }, encode: { $0.encodeColor() }),
    .idiom(
      ["gravityModifier", "gravitySource"], "forces: gravity",
      "times 9.81, the gravity of a new project. Random and changing factors become their mean",
      from: "man", decode: { UnityFormat.decodeGravity($0.system, &$1) }),
    .idiom(
      [
        "EmissionModule", "rateOverTime", "rateOverDistance", "rate", "m_Bursts", "m_BurstCount",
        "countCurve", "cycleCount", "repeatInterval", "probability",
      ], "emission", "exact: rates, bursts with cycles and probability", from: "man",
      exact: [.rate, .rateCurve, .rateOverDistance, .burst, .burstList],
      approximated: [.probability, .randomRate],
      decode: { UnityFormat.decodeEmission($0, &$1) }, encode: { $0.encodeEmission() }),
    .idiom(
      [
        "ShapeModule", "type", "radius", "angle", "length", "arc", "radiusThickness", "donutRadius",
        "boxThickness", "m_Position", "m_Rotation", "m_Scale", "placementMode",
      ], "shape, launch.direction",
      "exact: sphere, hemisphere, box, circle, edge, donut, rectangle. Directions of a cone are approximated, meshes and sprites named",
      from: "man", exact: [.shape3D, .shapeRing, .directionNormal],
      approximated: [
        .shapeRectangle, .shapeDisc, .shapeLine, .shapePoints, .cone3D, .spread2D,
      ],
      decode: { UnityFormat.decodeShape($0, &$1) }, encode: { $0.encodeShape() }),
    .idiom(
      [
        "randomDirectionAmount", "sphericalDirectionAmount", "randomPositionAmount",
        "alignToDirection",
      ], "launch.spread, rotation.align", "approximated", from: "man", approximated: [.align]),
  ]

  private static let motion: [Row<UnityFamily>] = [
    .idiom(
      [
        "VelocityModule", "x", "y", "z", "inWorldSpace", "speedModifier", "orbitalX", "orbitalY",
        "orbitalZ", "radial",
      ],
      "motion.drift, motion.speed, motion.orbitVelocity",
      "exact for one axis of an orbit. Radial velocities of round shapes are a part of the speed, others are reported",
      from: "man",
      exact: [.speedCurve, .orbitalVelocity], approximated: [.drift],
      decode: { UnityFormat.decodeVelocity($0, &$1) }, encode: { $0.encodeVelocity() }),
    .idiom(
      ["ClampVelocityModule", "magnitude", "dampen", "drag"], "motion.maxSpeed, forces: drag",
      "a limit with full damping exact, others approximated", from: "man, assumed",
      exact: [.exponentialDrag], approximated: [.linearDrag],
      decode: { UnityFormat.decodeLimit($0, &$1) }),
    .idiom(
      ["InheritVelocityModule", "m_Mode", "m_Curve"], "launch.inheritVelocity",
      "the initial velocity, the current one approximated", from: "man", exact: [.inherit],
      decode: { UnityFormat.decodeInheritance($0, &$1) }, encode: { $0.encodeInheritance() }),
    .idiom(
      ["LifetimeByEmitterSpeedModule"], "lifetime", "reported", from: "man",
      decode: { reader, _ in
        reader.report(
          "LifetimeByEmitterSpeedModule", "lifetimes that follow the speed of the emitter")
      }),
    .idiom(
      ["ForceModule"], "forces: gravity", "exact: over life, in either space", from: "man",
      exact: [.gravity],
      decode: { UnityFormat.decodeForce($0, &$1) }, encode: { $0.encodeForces() }),
    .idiom(
      ["ExternalForcesModule", "multiplierCurve"], "forces: field",
      "wind zones and force fields of the scene are unknown", from: "man",
      decode: { reader, _ in
        reader.report("ExternalForcesModule", "wind zones and force fields of the scene")
      }),
    .idiom(
      ["NoiseModule", "strength", "frequency", "scrollSpeed", "damping", "octaves"],
      "forces: noise",
      "approximated: another noise function. Rotations and sizes by noise are reported",
      from: "man, assumed", approximated: [.noise],
      decode: { UnityFormat.decodeNoise($0, &$1) }),
    .idiom(
      ["CollisionModule", "m_Dampen", "m_Bounce", "m_EnergyLossOnCollision"], "physics",
      "kept, the scene to collide with is not in the file", from: "man", approximated: [.collide],
      decode: { UnityFormat.decodeCollision($0, &$1) }, encode: { $0.encodeCollision() }),
    .idiom(
      ["TriggerModule"], "", "reported: volumes of the scene", from: "man",
      decode: { reader, _ in reader.report("TriggerModule", "what happens in volumes of the scene")
      }),
    .idiom(
      ["SubModule", "subEmitters", "emitter", "properties", "emitProbability"], "triggers",
      "birth, collision and death, with their probability. Triggers and manual starts are reported",
      from: "man", exact: [.emissionAtDeath, .emissionWhileAlive, .emissionAtCollision],
      approximated: [.emissionAtSpawn], encode: { $0.encodeTriggers() }),
  ]

  private static let look: [Row<UnityFamily>] = [
    .idiom(
      ["ColorModule", "gradient"], "color.base.gradient", "exact, two gradients become their mean",
      from: "man", exact: [.gradient], approximated: [.opacityCurve],
      decode: { UnityFormat.decodeColor($0, &$1) }),
    .idiom(
      ["ColorBySpeedModule"], "color.base.from", "approximated: the colour of the initial speed",
      from: "man", decode: { UnityFormat.decodeColorBySpeed($0, &$1) }),
    .idiom(
      ["SizeModule", "curve", "separateAxes"], "size.width, size.height",
      "exact, as factors of the start",
      from: "man", exact: [.sizeCurve], approximated: [.randomEndSize],
      decode: { UnityFormat.decodeSize($0, &$1) }),
    .idiom(
      ["SizeBySpeedModule", "range"], "size.width",
      "exact, unless sizes change over life, too", from: "man",
      decode: { UnityFormat.decodeSizeBySpeed($0, &$1) }),
    .idiom(
      ["RotationModule"], "rotation.velocity", "about z, clockwise, others are reported",
      from: "man", exact: [.rotationSpeed], approximated: [.angularAcceleration],
      decode: { UnityFormat.decodeRotation($0, &$1) }),
    .idiom(
      ["RotationBySpeedModule"], "rotation.velocity",
      "exact, unless particles turn over life, too", from: "man",
      decode: { UnityFormat.decodeRotationBySpeed($0, &$1) }),
    .idiom(
      [
        "UVModule", "tilesX", "tilesY", "frameOverTime", "startFrame", "cycles", "fps", "timeMode",
        "animationType", "rowIndex", "rowMode", "mode", "sprites",
      ], "flipbook, sprites",
      "grids, rows and frame rates. Sprites by their `.meta` files. Curves other than lines are approximated",
      from: "man",
      approximated: [.flipbook, .randomSprites],
      decode: { UnityFormat.decodeFrames($0, &$1) }, encode: { $0.encodeFrames() }),
    .idiom(
      ["LightsModule"], "", "reported", from: "man",
      decode: { reader, _ in reader.report("LightsModule", "lights of particles") }),
    .idiom(
      ["TrailModule", "lifetime", "widthOverTrail", "colorOverTrail"], "render.trail",
      "trails of particles for their mean lifetime. Ribbons are reported", from: "man",
      approximated: [.trail],
      decode: { UnityFormat.decodeTrail($0, &$1) }, encode: { $0.encodeTrail() }),
    .idiom(
      ["CustomDataModule"], "", "reported: values for shaders", from: "man",
      decode: { reader, _ in reader.report("CustomDataModule", "values for shaders") }),
    .idiom(
      [
        "ParticleSystemRenderer", "m_RenderMode", "m_LengthScale", "m_VelocityScale", "m_SortMode",
        "m_SortingOrder", "m_RenderAlignment", "m_Pivot", "m_Flip",
      ], "render, size.stretch",
      "billboards, stretched ones without a longer shape at rest. Others are reported", from: "man",
      exact: [.stretch], approximated: [.sort, .billboard],
      decode: { UnityFormat.decodeRenderer($0, &$1) }, encode: { $0.encodeRenderer() }),
    .idiom(
      ["m_Materials", "m_Shader", "_SrcBlend", "_DstBlend", "_Mode", "_Surface", "_Blend"],
      "render.blend", "by the shader and its values. An unknown shader is reported", from: "files",
      exact: [
        .blendAlpha, .blendAdditive, .blendMultiply, .blendSubtractive, .blendScreen,
      ], approximated: [.blendFactors, .premultipliedAlpha]),
    .idiom(
      ["_MainTex", "_BaseMap"], "sprites", "the picture of the material, found by its identifier",
      from: "files", encode: { $0.encodeSprites() }),
    .idiom(
      ["_TintColor", "_Color", "_BaseColor"], "color.base", "factors of the colour", from: "files"),
    .idiom(
      [
        "GameObject", "Transform", "m_LocalPosition", "m_LocalRotation", "m_LocalScale",
        "scalingMode", "m_IsActive",
      ],
      "transform, enabled", "exact: with all above. The place of the root of a prefab is left out",
      from: "man", approximated: [.place], encode: { $0.encodePlace() }),
    .idiom(
      ["PrefabInstance", "m_SourcePrefab", "m_Modifications", "m_RemovedComponents"], "emitters",
      "nested prefabs with what the instance changes", from: "files"),
  ]
}

/// Where the objects of a system are, and values that other objects of the file contribute.
struct UnityPlace {
  /// The objects that have values of an emitter, by the first step of the path of a field.
  enum Part: String, CaseIterable {
    case system = ""
    case renderer = "Renderer"
    case transform = "Transform"
    case gameObject = "GameObject"
  }

  /// The objects in the file. None for a new file.
  var objects: [Part: UnityObject] = [:]
  /// The transform of everything above its own game object.
  var above = AffineTransform()
  /// Whether its game object is the root of a prefab, whose place means nothing.
  var isRoot = false
  /// Whether a game object above is inactive.
  var isBelowInactive = false
  /// The scales of all game objects, and the mode of scaling.
  var scale = Scale.one
  var scaling = 1
  /// The factor of start colours that the material has.
  var tint = Color.white
  /// The numbers of the systems of all emitters.
  var systems: [Int64] = []
  /// References to the material and to the material of the trail. Nil to keep the references in the file.
  var material: JSONValue?

  var isNew: Bool { objects.isEmpty }

  /// The value at a path of the system or of another object in the file. Nil in a new file.
  func origin(_ path: String, _ part: Part = .system) -> JSONValue? { objects[part]?.body[path] }

  /// The number at a path in the file.
  func number(_ path: String, _ part: Part = .system) -> Double? {
    origin(path, part).flatMap { $0.double ?? $0.string?.double }
  }
}

extension UnityReader: KeyReader {
  func number(_ key: String, _ standard: Double, atLeast least: Double?) -> Double {
    max(system.number(key, standard), least ?? -.infinity)
  }

  func value(_ key: String, width: String?, _ standard: Double, scope: Scope, times factor: Double)
    -> Value
  {
    UnityNumber(system[key], standard, times: factor).value
  }

  func flag(_ key: String, _ standard: Bool) -> Bool { system.flag(key, standard) }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String?, severity: Severity?) {
    (system[key] ?? system).note(rule, detail, found: found, severity: severity)
  }
}
