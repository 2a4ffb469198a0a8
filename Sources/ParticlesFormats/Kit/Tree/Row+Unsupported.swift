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
      [], "physics", "lost: physics of the scene is not supported", encode: { $0.losePhysics() })
  }

  private static var catalog: [Row] {
    emissionCatalog + motionCatalog + lookCatalog
  }

  private static var emissionCatalog: [Row] {
    missing([
      "enabled", "timing.delay", "timing.idle", "timing.loop", "timing.prewarm", "timing.speed",
      "timing.fixedStep", "emission.ratePerDistance", "emission.minAlive",
    ]) + [
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
            "emission.total",
            "a particle total is supported with a rate only, without bursts, pauses and prewarming")
        }),
    ]
      + missing([
        "emission.probability", "emission.explosiveness", "emission.jitter", "emission.lifeOffset",
        "emission.schedule", "space",
      ]) + [
        .idiom(
          [], "transform", "lost: the place of the emitter belongs to the program",
          encode: { writer in
            guard writer.emitter.transform != Emitter.Transform() else { return }
            writer.lose(
              .lost, .place, at: "transform", "the place of the emitter belongs to the program",
              level: .medium)
          })
      ] + missing(["transform.angle", "transform.rotation", "transform.scale"])
  }

  private static var motionCatalog: [Row] {
    ["placement", "distribution", "sweep"].map {
      missing(
        "shape.\($0)", when: { $0.emitter.shape.kind == .point && !$0.hasLine(at: "shape") })
    }
      + missing([
        "launch.inheritVelocity", "launch.flatness", "motion.orbitVelocity", "motion.orbitAxis",
        "motion.drift", "motion.maxSpeed", "motion.direction",
      ]) + [
        .missing("motion.orbit", when: { $0.emitter.motion.mode == .orbit }),
        .missing(
          "motion.orbit", "the motion mode does not use it", rule: .dead,
          when: { $0.emitter.motion.mode != .orbit }),
        .missing("motion.path", when: { $0.emitter.motion.mode == .path }),
        .missing(
          "motion.path", "the motion mode does not use it", rule: .dead,
          when: { $0.emitter.motion.mode != .path }),
        .missing("motion.mode"),
        .missing("motion.speedMode", when: { $0.emitter.motion.speed == nil }),
        .missing("motion.speed"),
      ]
  }

  private static var lookCatalog: [Row] {
    missing([
      "size.height", "size.aspect", "size.stretch", "rotation.velocity", "rotation.acceleration",
      "rotation.align",
    ]) + [
      .missing("rotation.alignOffset", when: { $0.emitter.rotation.align != .none }),
      .missing(
        "rotation.alignOffset", "without alignment the offset has no effect", rule: .dead,
        when: { $0.emitter.rotation.align == .none }),
      .missing("rotation.axis"),
    ] + missingFrames
      + missing([
        "render.sort", "render.billboard", "render.billboardAxis", "render.z", "render.lit",
        "render.soft", "render.blackPass", "render.writesDepth", "render.layer", "render.order",
        "render.trail", "render.links",
      ])
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
