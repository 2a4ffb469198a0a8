internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Particle systems of Unity ("Shuriken"), in prefabs and scenes. Unity's axes are left-handed: z points away from the viewer, in a
// document towards the viewer. Angles of particles are in radians and clockwise, angles of shapes in degrees.

/// A particle system and its renderer.
struct UnityReader {
  let system: SourceNode
  let renderer: SourceNode?
  /// The version of its keys.
  let version: Int

  init(_ system: SourceNode, _ renderer: SourceNode?) {
    (self.system, self.renderer) = (system, renderer)
    version = Int(saturating: system.number("serializedVersion", 1))
  }

  /// A module that is switched on. Values of a module that is off have no effect.
  func module(_ name: String, isOn standard: Bool = false) -> SourceNode? {
    guard let module = system[name] else { return nil }
    module.pass("serializedVersion")
    guard module.flag("enabled", standard) else {
      module.passAll()
      return nil
    }
    return module
  }
}

enum UnityFormat {
  /// Degrees in a radian.
  static let degrees = 180 / Double.pi
  /// The gravity of a new project of Unity, in units per second².
  static let gravity = 9.81
  /// The version of the keys that the latest release writes.
  static let latest = 8

  static let table = SourceTable<UnityReader>(
    rows: main + motion + look,
    sources: [
      (
        "man",
        "Unity's manual 2022.3, \"Particle System modules\", and the scripting reference of `ParticleSystem`"
      ),
      ("files", "public prefabs and scenes of Unity 5.4 to 2022"),
      ("assumed", "not checked, because Unity was not run"),
    ])

  private static let main: [SourceRow<UnityReader>] = [
    SourceRow(
      ["lengthInSec", "looping", "prewarm", "startDelay", "simulationSpeed", "speed"], "timing",
      "exact; prewarming is one period", from: "man", decode: { decodeTiming($0.system, &$1) }),
    SourceRow(
      ["moveWithTransform"], "space",
      "0 local, 1 world; up to version 4 reversed; a custom space is the world",
      from: "files", decode: { decodeSpace($0, &$1) }),
    SourceRow(
      ["InitialModule", "startLifetime", "startSpeed", "maxNumParticles"],
      "lifetime, launch.speed, emission.maxAlive",
      "exact; curves run over the period; a ring buffer replaces the oldest", from: "man",
      decode: { decodeStart($0.system, &$1) }),
    SourceRow(
      ["startSize", "startSizeY", "startSizeZ", "size3D"], "size", "exact; the depth is reported",
      from: "man", decode: { decodeStartSize($0.system, &$1) }),
    SourceRow(
      [
        "startRotation", "startRotationX", "startRotationY", "rotation3D",
        "randomizeRotationDirection",
      ],
      "rotation.angle", "about z, clockwise; others are reported", from: "man",
      decode: { decodeStartRotation($0.system, &$1) }),
    SourceRow(
      ["startColor"], "color.base",
      "a colour, two, or a random one of a gradient; gradients over the period become their mean",
      from: "man", decode: { decodeStartColor($0.system, &$1) }),
    SourceRow(
      ["gravityModifier", "gravitySource"], "forces: gravity",
      "times 9.81, the gravity of a new project; random and changing factors become their mean",
      from: "man", decode: { decodeGravity($0.system, &$1) }),
    SourceRow(
      [
        "EmissionModule", "rateOverTime", "rateOverDistance", "rate", "m_Bursts", "m_BurstCount",
        "countCurve", "cycleCount", "repeatInterval", "probability",
      ], "emission", "exact: rates, bursts with cycles and probability", from: "man",
      decode: { decodeEmission($0, &$1) }),
    SourceRow(
      [
        "ShapeModule", "type", "radius", "angle", "length", "arc", "radiusThickness", "donutRadius",
        "boxThickness", "m_Position", "m_Rotation", "m_Scale", "placementMode",
      ], "shape, launch.direction",
      "sphere, hemisphere, box, circle, edge, donut, rectangle exact; directions of a cone approximated; meshes and sprites named",
      from: "man", decode: { decodeShape($0, &$1) }),
    SourceRow(
      [
        "randomDirectionAmount", "sphericalDirectionAmount", "randomPositionAmount",
        "alignToDirection",
      ], "launch.spread, rotation.align", "approximated", from: "man"),
  ]

  private static let motion: [SourceRow<UnityReader>] = [
    SourceRow(
      [
        "VelocityModule", "x", "y", "z", "inWorldSpace", "speedModifier", "orbitalX", "orbitalY",
        "orbitalZ",
      ],
      "motion.drift, motion.speed, motion.orbitVelocity",
      "exact for one axis of an orbit; radial velocities are reported", from: "man",
      decode: { decodeVelocity($0, &$1) }),
    SourceRow(
      ["ClampVelocityModule", "magnitude", "dampen", "drag"], "motion.maxSpeed, forces: drag",
      "a limit with full damping exact, others approximated", from: "man, assumed",
      decode: { decodeLimit($0, &$1) }),
    SourceRow(
      ["InheritVelocityModule", "m_Mode", "m_Curve"], "launch.inheritVelocity",
      "the initial velocity; the current one approximated", from: "man",
      decode: { decodeInheritance($0, &$1) }),
    SourceRow(
      ["LifetimeByEmitterSpeedModule"], "lifetime", "reported", from: "man",
      decode: { reader, _ in
        reader.report(
          "LifetimeByEmitterSpeedModule", "lifetimes that follow the speed of the emitter")
      }),
    SourceRow(
      ["ForceModule"], "forces: gravity", "exact: over life, in either space", from: "man",
      decode: { decodeForce($0, &$1) }),
    SourceRow(
      ["ExternalForcesModule", "multiplierCurve"], "forces: field",
      "wind zones and force fields of the scene are unknown", from: "man",
      decode: { reader, _ in
        reader.report("ExternalForcesModule", "wind zones and force fields of the scene")
      }),
    SourceRow(
      ["NoiseModule", "strength", "frequency", "scrollSpeed", "damping", "octaves"],
      "forces: noise",
      "approximated: another noise function; rotations and sizes by noise are reported",
      from: "man, assumed", decode: { decodeNoise($0, &$1) }),
    SourceRow(
      ["CollisionModule", "m_Dampen", "m_Bounce", "m_EnergyLossOnCollision"], "physics",
      "kept; the scene to collide with is not in the file", from: "man",
      decode: { decodeCollision($0, &$1) }),
    SourceRow(
      ["TriggerModule"], "", "reported: volumes of the scene", from: "man",
      decode: { reader, _ in reader.report("TriggerModule", "what happens in volumes of the scene")
      }),
    SourceRow(
      ["SubModule", "subEmitters", "emitter", "properties", "emitProbability"], "triggers",
      "birth, collision and death, with their probability; triggers and manual starts are reported",
      from: "man"),
  ]

  private static let look: [SourceRow<UnityReader>] = [
    SourceRow(
      ["ColorModule", "gradient"], "color.base.gradient", "exact; two gradients become their mean",
      from: "man", decode: { decodeColor($0, &$1) }),
    SourceRow(
      ["ColorBySpeedModule"], "", "reported", from: "man",
      decode: { reader, _ in reader.report("ColorBySpeedModule", "colours by speed") }),
    SourceRow(
      ["SizeModule", "curve", "separateAxes"], "size.width, size.height",
      "exact, as factors of the start",
      from: "man", decode: { decodeSize($0, &$1) }),
    SourceRow(
      ["SizeBySpeedModule", "range"], "size.width", "exact, unless sizes change over life, too",
      from: "man", decode: { decodeSizeBySpeed($0, &$1) }),
    SourceRow(
      ["RotationModule"], "rotation.velocity", "about z, clockwise; others are reported",
      from: "man",
      decode: { decodeRotation($0, &$1) }),
    SourceRow(
      ["RotationBySpeedModule"], "rotation.velocity", "exact, unless particles turn over life, too",
      from: "man", decode: { decodeRotationBySpeed($0, &$1) }),
    SourceRow(
      [
        "UVModule", "tilesX", "tilesY", "frameOverTime", "startFrame", "cycles", "fps", "timeMode",
        "animationType", "rowIndex", "rowMode",
      ], "flipbook, sprites",
      "grids, rows and frame rates; curves that are no line are approximated",
      from: "man", decode: { decodeFrames($0, &$1) }),
    SourceRow(
      ["LightsModule"], "", "reported", from: "man",
      decode: { reader, _ in reader.report("LightsModule", "lights of particles") }),
    SourceRow(
      ["TrailModule", "lifetime", "widthOverTrail", "colorOverTrail"], "render.trail",
      "trails of particles for their mean lifetime; ribbons are reported", from: "man",
      decode: { decodeTrail($0, &$1) }),
    SourceRow(
      ["CustomDataModule"], "", "reported: values for shaders", from: "man",
      decode: { reader, _ in reader.report("CustomDataModule", "values for shaders") }),
    SourceRow(
      [
        "ParticleSystemRenderer", "m_RenderMode", "m_LengthScale", "m_VelocityScale", "m_SortMode",
        "m_SortingOrder", "m_RenderAlignment", "m_Pivot", "m_Flip",
      ], "render, size.stretch",
      "billboards; stretched ones without a longer shape at rest; others are reported", from: "man",
      decode: { decodeRenderer($0, &$1) }),
    SourceRow(
      ["m_Materials", "m_Shader", "_SrcBlend", "_DstBlend", "_Mode", "_Surface", "_Blend"],
      "render.blend", "by the shader and its values; an unknown shader is reported", from: "files"),
    SourceRow(
      ["_MainTex", "_BaseMap"], "sprites", "the picture of the material, found by its identifier",
      from: "files"),
    SourceRow(
      ["_TintColor", "_Color", "_BaseColor"], "color.base", "factors of the colour", from: "files"),
    SourceRow(
      [
        "GameObject", "Transform", "m_LocalPosition", "m_LocalRotation", "m_LocalScale",
        "scalingMode", "m_IsActive",
      ],
      "transform, enabled", "exact: with all above; the place of the root of a prefab is left out",
      from: "man"),
    SourceRow(
      ["PrefabInstance", "m_SourcePrefab", "m_Modifications", "m_RemovedComponents"], "emitters",
      "nested prefabs with what the instance changes", from: "files"),
  ]
}

extension UnityReader {
  /// Reports a module that is on and has no counterpart.
  func report(_ name: String, _ what: String) {
    guard let module = module(name) else { return }
    module.note(.uninterpreted, what)
    module.passAll()
  }
}

extension UnityFormat {
  private static func decodeTiming(_ system: SourceNode, _ emitter: inout Emitter) {
    let duration = system.number("lengthInSec", 5, atLeast: 0)
    emitter.timing.duration = .constant(duration)
    emitter.timing.loop = system.flag("looping", true)
    let isWarm = system.flag("prewarm")
    if emitter.timing.loop, isWarm { emitter.timing.prewarm = duration }
    emitter.timing.delay = UnityNumber(system["startDelay"]).value.notNegative
    emitter.timing.speed = system.number("simulationSpeed", system.number("speed", 1), atLeast: 0)
    if !system.flag("playOnAwake", true) {
      system.note(
        .approximated, "playOnAwake", "the program starts it; here it starts with the effect")
    }
  }

  private static func decodeSpace(_ reader: UnityReader, _ emitter: inout Emitter) {
    let space = Int(saturating: reader.system.number("moveWithTransform"))
    if reader.version <= 4 {
      emitter.space = space == 0 ? .world : .local
    } else {
      emitter.space = space == 0 ? .local : .world
      if space == 2 {
        reader.system.note(
          .approximated, "moveWithTransform", "the space of another object is the world")
      }
    }
    reader.system.pass("moveWithCustomTransform")
  }

  private static func decodeStart(_ system: SourceNode, _ emitter: inout Emitter) {
    let start = system["InitialModule"]
    emitter.lifetime = UnityNumber(start?["startLifetime"], 5).value.notNegative
    emitter.launch.speed = UnityNumber(start?["startSpeed"], 5).value
    emitter.emission.maxAlive = Int(
      saturating: start?.number("maxNumParticles", 1000, atLeast: 0) ?? 1000)
    if system.number("ringBufferMode") != 0 {
      emitter.emission.whenFull = .recycle
      system.note(
        .approximated, "ringBufferMode",
        "particles of a ring buffer live no longer than their lifetime")
    }
    start?.pass("serializedVersion", "enabled", "customEmitterVelocity", "useRigidbodyForVelocity")
    system.pass(
      "ringBufferLoopRange", "stopAction", "cullingMode", "useUnscaledTime", "autoRandomSeed",
      "randomSeed",
      "useRigidbodyForVelocity", "emitterVelocityMode")
  }

  private static func decodeStartSize(_ system: SourceNode, _ emitter: inout Emitter) {
    let start = system["InitialModule"]
    emitter.size.aspect = .ratio(1)
    emitter.size.width = Track(UnityNumber(start?["startSize"], 1).value.notNegative)
    if start?.flag("size3D") ?? false {
      emitter.size.height = Track(UnityNumber(start?["startSizeY"], 1).value.notNegative)
    }
    start?.pass("startSizeY", "startSizeZ")
  }

  private static func decodeStartRotation(_ system: SourceNode, _ emitter: inout Emitter) {
    guard let start = system["InitialModule"] else { return }
    let rotation = UnityNumber(start["startRotation"], times: -degrees)
    emitter.rotation.angle = Track(rotation.value)
    let share = start.number("randomizeRotationDirection")
    if share > 0 {
      // Some particles turn in the opposite sense.
      let mean = rotation.mean.magnitude
      if case .constant = rotation.form, mean > 0 {
        emitter.rotation.angle = Track(
          .oneOf(
            [rotation.mean.rounded, (-rotation.mean).rounded],
            weights: [1 - min(share, 1), min(share, 1)]))
      } else {
        start.note(.approximated, "randomizeRotationDirection", "all particles turn in one sense")
      }
    }
    if start.flag("rotation3D") {
      for axis in ["startRotationX", "startRotationY"] where !UnityNumber(start[axis]).isAlways(0) {
        start.note(.uninterpreted, axis, "rotations about x and y")
      }
    }
    start.pass("startRotationX", "startRotationY")
  }

  private static func decodeStartColor(_ system: SourceNode, _ emitter: inout Emitter) {
    let node = system["InitialModule"]?["startColor"]
    switch UnityColor(node) {
    case .constant(let color): emitter.color.base.from = .constant(color)
    case .between(let least, let most): emitter.color.base.from = .range(least, most, .line)
    case .random(let gradient): emitter.color.base.from = .gradient(.init(gradient))
    case .gradient(let gradient):
      emitter.color.base.from = .gradient(.init(gradient))
      node?.note(.approximated, "colours over the period become random ones of the gradient")
    case .gradients(_, let gradient):
      emitter.color.base.from = .gradient(.init(gradient))
      node?.note(.approximated, "colours over the period become random ones of one gradient")
    }
  }

  private static func decodeGravity(_ system: SourceNode, _ emitter: inout Emitter) {
    guard let start = system["InitialModule"] else { return }
    let factor = UnityNumber(start["gravityModifier"])
    if start.number("gravitySource") != 0 {
      start.note(
        .assumed, "gravitySource", "gravity in the plane acts downwards, as gravity in space")
    }
    guard !factor.isAlways(0) else { return }
    if case .constant = factor.form {
    } else {
      start.note(
        .approximated, "gravityModifier", "factors that change or are random become their mean")
    }
    emitter.forces.append(.gravity(Vector(0, (-gravity * factor.mean).rounded)))
  }

  private static func decodeEmission(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("EmissionModule", isOn: true) else { return }
    let isByDistance = module.number("m_Type") == 1
    let old = UnityNumber(module["rate"]).value.notNegative
    if module["rateOverTime"] == nil, module["rate"] != nil {
      if isByDistance {
        emitter.emission.ratePerDistance = old
      } else {
        emitter.emission.rate = old
      }
    } else {
      emitter.emission.rate = UnityNumber(module["rateOverTime"], 10).value.notNegative
      emitter.emission.ratePerDistance = UnityNumber(module["rateOverDistance"]).value.notNegative
    }
    let count = Int(saturating: module.number("m_BurstCount"))
    for burst in (module["m_Bursts"]?.all() ?? []).prefix(min(max(count, 0), 1000)) {
      var new = Burst(time: burst.number("time", 0, atLeast: 0), count: 1)
      if burst["countCurve"] != nil {
        new.count = UnityNumber(burst["countCurve"], 30).value.notNegative
      } else {
        let (least, most) = (burst.number("minCount", 30), burst.number("maxCount", 30))
        new.count = least == most ? .constant(most) : .range(min(least, most), max(least, most))
      }
      new.cycles = Int(saturating: burst.number("cycleCount", 1, atLeast: 0))
      new.interval = burst.number("repeatInterval", 0.01, atLeast: 0)
      new.probability = Interval.unit.clamp(burst.number("probability", 1))
      burst.pass("serializedVersion")
      emitter.emission.bursts.append(new)
    }
    // Up to version 4, four bursts have keys of their own.
    for index in 0..<4 where index < count && module["cnt\(index)"] != nil {
      let least = module.number("cnt\(index)")
      let most = max(module.number("cntmax\(index)", least), least)
      emitter.emission.bursts.append(
        Burst(
          time: module.number("time\(index)", 0, atLeast: 0),
          count: least == most ? .constant(max(least, 0)) : .range(max(least, 0), max(most, 0))))
    }
    module.passAll()
  }
}
