internal import ParticlesCore
internal import ParticlesModel

extension LibGDXFamily {
  static let rows: [Row<LibGDXFamily>] =
    [
      .idiom(
        ["name"], "name of the emitter; control characters become spaces", from: "src",
        encode: { $0.set("name", .string($0.emitter.name)) }),
      .idiom(
        ["Delay.active", "Delay.lowMin", "Delay.lowMax"], "timing.delay",
        "exact, in ms; also `timing.idle` if the emitter is continuous", exact: [.delay, .idle],
        decode: { $1.timing.delay = $0.ranged("Delay", times: 0.001, scope: .cycle) ?? 0 },
        encode: { $0.encodeDelay() }),
      .idiom(
        ["Duration.active", "Duration.lowMin", "Duration.lowMax"], "timing.duration",
        "exact, in ms",
        exact: [.duration, .loop], decode: { $1.timing = $0.timing($1.timing) },
        encode: { $0.encodeDuration() }),
      .idiom(
        ["Count.min", "Count.max"], "emission.minAlive, emission.maxAlive",
        "exact; emission beyond it is lost", from: "src, run", exact: [.aliveLimit],
        approximated: [.burst, .total],
        decode: {
          $1.emission.minAlive = min(max($0.integer("Count.min") ?? 0, 0), 1_000_000_000)
          $1.emission.maxAlive = min(max($0.integer("Count.max") ?? 4, 0), 1_000_000_000)
        }, encode: { $0.encodeCount() }),
      .idiom(
        ["Emission"], "emission.rate",
        "exact: a ramp over a period, sampled once; cut to whole numbers", from: "src, run",
        exact: [.rate, .randomRate, .rateCurve], approximated: [.probability],
        decode: { reader, emitter in
          emitter.emission.rate =
            reader.scaled("Emission", scope: .cycle, isWhole: true)?.value(.cycle).notNegative ?? 0
        }, encode: { $0.encodeRate() }),
      .idiom(
        ["Life"], "lifetime",
        "exact, in ms: a ramp over a period; sampled once in a period unless `independent`",
        from: "src, run", exact: [.life],
        decode: { $1.lifetime = $0.life("Life") ?? 1 }, encode: { $0.encodeLife() }),
      .idiom(
        ["Life Offset"], "emission.lifeOffset", "exact, in ms; as `Life`",
        decode: { $1.emission.lifeOffset = $0.life("Life Offset") ?? 0 },
        encode: { writer in
          let offset = writer.emitter.emission.lifeOffset
          writer.encodeLife("Life Offset", offset, at: "emission.lifeOffset", hasSwitch: true)
        }),
      .idiom(
        ["X Offset", "Y Offset"], "shape.transform.translation, shape.offset",
        "exact; a range of a point is a rect", from: "src, run",
        exact: [.shapeRectangle, .shapeOffset],
        approximated: [.place], encode: { $0.encodeOffset() }),
      .idiom(
        ["Spawn Shape.shape", "Spawn Shape.edges", "Spawn Shape.side"], "shape.type",
        "`point`, `square` (rect), `line` (from the emitter), `ellipse`, with `edges` its edge, of which `top` and `bottom` are halves",
        exact: [.shapeLine, .shapeDisc], approximated: [.shapeRing, .shape3D, .shapePoints],
        decode: { $1.shape = $0.shape }, encode: { $0.encodeShape() }),
      .idiom(
        ["Spawn Width", "Spawn Height"], "shape.size, shape.radii, shape.length, shape.extent",
        "exact: the greatest size, and a ramp over a period, sampled once, as its factor",
        from: "src, run", exact: [.shapeCurve]),
      .idiom(
        ["X Scale", "Scale"], "size.width", "exact: pixels; `Scale` in the older generation",
        from: "src, files", exact: [.size, .randomEndSize, .sizeCurve, .absoluteSize],
        decode: { reader, emitter in
          let block = reader.has("X Scale") ? "X Scale" : "Scale"
          if let width = reader.scaled(block)?.track { emitter.size.width = width }
        }, encode: { $0.encodeSize() }),
      .idiom(
        ["Y Scale"], "size.height", "exact; inactive: from the aspect ratio of the image",
        exact: [.widthAndHeight], decode: { $1.size.height = $0.scaled("Y Scale")?.track }),
      .idiom(
        ["Velocity"], "launch.speed, motion.speed",
        "exact; of more than one point: `motion.speed` with `replace`", from: "src, run",
        exact: [.speedRange, .speedCurve], approximated: [.linearAcceleration],
        decode: { $0.decodeVelocity(of: &$1) }, encode: { $0.encodeVelocity() }),
      .idiom(
        ["Angle"], "launch.direction.angle, motion.direction",
        "exact; of more than one point: `motion.direction`", from: "src, run",
        exact: [.spread2D, .directionCurve],
        approximated: [.cone3D, .directionNormal],
        decode: { $0.decodeAngle(of: &$1) }, encode: { $0.encodeAngle() }),
      .idiom(
        ["Rotation"], "rotation.angle", "exact",
        exact: [.rotation, .randomEndRotation, .rotationCurve],
        approximated: [.rotationSpeed, .angularAcceleration],
        decode: { if let angle = $0.scaled("Rotation")?.track { $1.rotation.angle = angle } },
        encode: { $0.encodeRotation() }),
      .idiom(
        ["Wind", "Gravity"], "motion.drift",
        "exact: speeds along x and y, not accelerations; without `Velocity` they do not act",
        from: "src, run", exact: [.drift], approximated: [.gravity],
        decode: { reader, emitter in
          guard reader.scaled("Velocity") != nil else { return }
          emitter.motion.drift = VectorTrack(
            reader.scaled("Wind")?.track ?? 0, reader.scaled("Gravity")?.track ?? 0, 0)
        }, encode: { $0.encodeDrift() }),
      .idiom(
        ["Tint.colors", "Tint.timeline"], "color.base", "exact: a gradient", exact: [.gradient],
        approximated: [
          .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix,
        ],
        decode: { $1.color.base = $0.tint }, encode: { $0.encodeTint() }),
      .idiom(
        ["Transparency"], "color.opacity", "exact; `relative` has no effect",
        exact: [.opacityCurve],
        decode: { reader, emitter in
          guard var scaled = reader.scaled("Transparency") else { return }
          scaled.isRelative = false
          emitter.color.opacity = scaled.track
        }),
      .idiom(
        ["Options.attached"], "space", "true is local, false world", exact: [.space],
        decode: { $1.space = $0.flag("Options.attached", false) ? .local : .world },
        encode: { writer in
          writer.set("Options.attached", flag: !writer.isInWorld())
        }),
      .idiom(
        ["Options.continuous"], "timing.loop", "exact; with a duration of 0, endless",
        encode: { writer in
          let timing = writer.emitter.timing
          writer.set("Options.continuous", flag: timing.loop || timing.duration == nil)
        }),
      .idiom(
        ["Options.aligned"], "rotation.align",
        "birth; velocity if `Angle` and `Rotation` have more than one point, no effect if only `Angle` has",
        from: "src, run", exact: [.align], decode: { $1.rotation.align = $0.alignment }),
      .idiom(
        ["Options.additive", "Options.premultipliedAlpha"], "render.blend",
        "add, premultiplied, both: the factors 1, 1; neither: alpha",
        exact: [.blendAlpha, .blendAdditive, .premultipliedAlpha],
        approximated: [.blendMultiply, .blendScreen, .blendSubtractive, .blendFactors],
        decode: { $1.render.blend = $0.blend }, encode: { $0.encodeBlend() }),
      .idiom(
        ["Options.behind"], "", "kept if true: the program decides what is in front",
        decode: { reader, _ in
          if reader.flag("Options.behind", false) {
            reader.note(.uninterpreted, "Options.behind", "a mark for the program")
          }
        }, encode: { $0.set("Options.behind", flag: false) }),
      .idiom(
        ["Options.spriteMode"], "spriteSelection", "single: first, random, animated: life",
        exact: [.randomSprites],
        decode: { reader, emitter in
          emitter.spriteSelection = reader.choice(
            "Options.spriteMode", ["single": .first, "random": .random, "animated": .life])
        }, encode: { $0.encodeSprites() }),
      .ignored(
        ["Image Paths", "Image Path"], "sprites; a path is a name in the folder of the file"),
      .idiom([], "forces", "gravity as a speed that grows; others are lost"),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.idle", "timing.loop", "emission.minAlive", "emission.maxAlive",
      "emission.probability", "emission.lifeOffset", "space", "motion.drift", "motion.speed",
      "motion.direction",
      "size.height", "rotation.velocity", "rotation.acceleration",
      "rotation.align", "rotation.alignOffset", "spriteSelection",
    ])
}
