internal import ParticlesCore
internal import ParticlesModel

extension Row {
  /// Rows for all properties of emitters that a format does not support.
  /// - Parameter supported: the properties that other rows write.
  static func unsupported(besides supported: Set<String>) -> [Row] {
    catalog.filter { !supported.contains($0.property) }
      + ["triggers", "physics"].filter { !supported.contains($0) }.map(loss)
  }

  /// Rows for some properties that a format does not support.
  static func unsupported(_ properties: Set<String>) -> [Row] {
    catalog.filter { properties.contains($0.property) }
  }

  private static func loss(of property: String) -> Row {
    if property == "triggers" {
      return missingTriggers("sub-emitters are not supported; the emitter starts by itself")
    }
    return .idiom(
      [], "physics", "lost: physics of the scene is not supported",
      encode: { writer in
        let physics = writer.emitter.physics
        guard physics != Emitter.Physics() else { return }
        let acts = physics.collides || physics.sceneGravity || physics.fieldMask != 0
        writer.lose(
          acts ? .lost : .dead, .collide, at: "physics", "physics of the scene is not supported")
      })
  }

  private static var catalog: [Row] {
    emissionCatalog + motionCatalog + lookCatalog
  }

  private static var emissionCatalog: [Row] {
    [
      .missing("enabled", { $0.enabled }, .extra, "emitters are always enabled", level: .medium),
      .missing("timing.delay", { $0.timing.delay }, .delay, "a start delay is not supported"),
      .missing(
        "timing.idle", { $0.timing.idle }, .idle, "a pause between periods is not supported"),
      .missing("timing.loop", { $0.timing.loop }, .loop, "periods do not repeat"),
      .missing("timing.prewarm", { $0.timing.prewarm }, .prewarm, "prewarming is not supported"),
      .missing("timing.speed", { $0.timing.speed }, .speed, "a stopped clock is not supported"),
      .missing(
        "timing.fixedStep", { $0.timing.fixedStep }, .extra, "the step is that of the display"),
      .missing(
        "emission.ratePerDistance", { $0.emission.ratePerDistance }, .rateWay,
        "emission by distance is not supported"),
      .missing(
        "emission.minAlive", { $0.emission.minAlive }, .maxAlive,
        "a minimum number of particles is not supported"),
      .idiom(
        [], "emission.maxAlive",
        "approximated: with a constant rate, the rate at which as many are alive; lost otherwise",
        encode: { $0.dropLimit() }),
      .idiom(
        [], "emission.total",
        "approximated: with a constant rate, the time in which as many are emitted; lost otherwise",
        approximated: [.total],
        encode: { writer in
          writer.drop(
            { $0.emission.total }, .total, at: "emission.total",
            "a particle total is supported with a rate only, without bursts, pauses and prewarming")
        }),
      .missing(
        "emission.probability", { $0.emission.probability }, .prob,
        "spawn probability is not supported"),
      .missing(
        "emission.explosiveness", { $0.emission.explosiveness }, .explos, "emission is always even"),
      .missing("emission.jitter", { $0.emission.jitter }, .explos, "emission is always even"),
      .missing(
        "emission.lifeOffset", { $0.emission.lifeOffset }, .extra, "the initial age is always 0",
        level: .medium),
      .missing(
        "emission.schedule", { $0.emission.schedule }, .extra, "the engine has its own schedule",
        .restated),
      .missing("space", { $0.space }, .space, "the coordinate space is that of the program"),
      .idiom(
        [], "transform", "lost: the place of the emitter belongs to the program",
        encode: { writer in
          guard writer.emitter.transform != Emitter.Transform() else { return }
          writer.lose(
            .lost, .place, at: "transform", "the place of the emitter belongs to the program",
            level: .medium)
        }),
      .missing("transform.angle", { $0.transform.angle }, .place, "emitters are not rotated"),
      .missing("transform.rotation", { $0.transform.rotation }, .place, "emitters are not rotated"),
      .missing("transform.scale", { $0.transform.scale }, .place, "emitters are not scaled"),
    ]
  }

  private static var motionCatalog: [Row] {
    [
      .missing(
        "shape.placement", { $0.shape.placement }, .shRing, "a point is the same everywhere", .dead,
        when: { $0.emitter.shape.kind == .point && !$0.hasLine(at: "shape") }),
      .missing(
        "shape.distribution", { $0.shape.distribution }, .shDisc, "a point is the same everywhere",
        .dead, when: { $0.emitter.shape.kind == .point && !$0.hasLine(at: "shape") }),
      .missing(
        "shape.sweep", { $0.shape.sweep }, .shDisc, "a point is the same everywhere", .dead,
        when: { $0.emitter.shape.kind == .point && !$0.hasLine(at: "shape") }),
      .missing(
        "launch.inheritVelocity", { $0.launch.inheritVelocity }, .inherit,
        "the velocity of the emitter is not inherited"),
      .missing("launch.flatness", { $0.launch.flatness }, .cone3D, "only 2D is supported", .dead),
      .missing(
        "motion.orbitVelocity", { $0.motion.orbitVelocity }, .orbitVel,
        "motion about the emitter is not supported"),
      .missing(
        "motion.orbitAxis", { $0.motion.orbitAxis }, .orbitVel, "only 2D is supported", .dead),
      .missing("motion.drift", { $0.motion.drift }, .drift, "drift is not supported"),
      .missing(
        "motion.maxSpeed", { $0.motion.maxSpeed }, .speedCurve, "a speed limit is not supported"),
      .missing(
        "motion.direction", { $0.motion.direction }, .dirCurve,
        "direction over life is not supported"),
      .missing(
        "motion.orbit", { $0.motion.orbit }, .orbit, "motion in orbits is not supported",
        when: { $0.emitter.motion.mode == .orbit }),
      .missing(
        "motion.orbit", { $0.motion.orbit }, .orbit, "the motion mode does not use it", .dead,
        when: { $0.emitter.motion.mode != .orbit }),
      .missing(
        "motion.path", { $0.motion.path }, .path, "paths are not supported",
        when: { $0.emitter.motion.mode == .path }),
      .missing(
        "motion.path", { $0.motion.path }, .path, "the motion mode does not use it", .dead,
        when: { $0.emitter.motion.mode != .path }),
      .missing("motion.mode", { $0.motion.mode }, .orbit, "motion is always ballistic"),
      .missing(
        "motion.speedMode", { $0.motion.speedMode }, .speedCurve,
        "without a curve it has no effect", .dead, when: { $0.emitter.motion.speed == nil }),
      .missing(
        "motion.speed", { $0.motion.speed }, .speedCurve, "speed over life is not supported"),
    ]
  }

  private static var lookCatalog: [Row] {
    [
      .missing("size.height", { $0.size.height }, .sizeXY, "the height follows from the width"),
      .missing("size.aspect", { $0.size.aspect }, .sizeXY, "the aspect ratio is that of the image"),
      .missing("size.stretch", { $0.size.stretch }, .stretch, "stretching is not supported"),
      .missing("rotation.velocity", { $0.rotation.velocity }, .rotVel, "spin is not supported"),
      .missing(
        "rotation.acceleration", { $0.rotation.acceleration }, .rotAcc,
        "angular acceleration is not supported"),
      .missing(
        "rotation.align", { $0.rotation.align }, .align,
        "alignment with the motion is not supported"),
      .missing(
        "rotation.alignOffset", { $0.rotation.alignOffset }, .align,
        "there is no offset of alignment", when: { $0.emitter.rotation.align != .none }),
      .missing(
        "rotation.alignOffset", { $0.rotation.alignOffset }, .align,
        "without alignment the offset has no effect", .dead,
        when: { $0.emitter.rotation.align == .none }),
      .missing("rotation.axis", { $0.rotation.axis }, .rot3D, "3D rotation is not supported"),
    ] + Row.missingFrames + [
      .missing("render.sort", { $0.render.sort }, .sort, "the engine decides on the order")
    ] + Row.missingBillboards + [
      .missing("render.z", { $0.render.z }, .sort, "the engine decides on the order")
    ] + Row.missingDepth + [
      .missing("render.order", { $0.render.order }, .sort, "the order belongs to the program"),
      .missing("render.trail", { $0.render.trail }, .trail, "trails are not supported"),
    ]
  }
}

extension Row where Format: TreeFormat {
  /// A uniform value as two numbers, the least and the greatest.
  static func range(
    _ low: String, _ high: String, _ property: String,
    _ access: @escaping Accessor<Emitter, Value>, _ capability: Capability, standard: Double = 0,
    scope: Scope = .particle, times factor: Double = 1, _ note: String = "exact",
    from source: String = Format.source
  ) -> Row {
    Row(
      keys: [low, high], property: property, note: note, source: source, exact: [capability],
      decode: { reader, emitter in
        access(&emitter) { $0 = reader.range(low, high, standard, scope: scope, times: factor) }
      },
      encode: { writer in
        let (least, most) = writer.bounds(
          of: writer.value(access, over: 0), capability, at: property, scope: scope)
        writer.set(low, (factor < 0 ? most : least) / factor)
        writer.set(high, (factor < 0 ? least : most) / factor)
      })
  }
}
