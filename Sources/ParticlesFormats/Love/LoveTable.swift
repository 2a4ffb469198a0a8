internal import ParticlesCore
internal import ParticlesModel

extension LoveFamily {
  static let rows: [Row<LoveFamily>] =
    [
      .idiom(
        ["entry.name"], "name of the emitter", from: "hot",
        encode: { $0.set("entry.name", .string($0.emitter.name)) }),
      .idiom(
        ["new", "setBufferSize", "setTexture", "entry.texturePath"],
        "emission.maxAlive, sprites",
        "the image, and the number of places; particles beyond it are lost", from: "src, run",
        exact: [.aliveLimit], approximated: [.total],
        decode: { reader, emitter in
          let size = reader.number("setBufferSize", 0) ?? reader.number("new", 1) ?? 1000
          emitter.emission.maxAlive = Int(saturating: min(max(size, 0), 1_000_000))
        }, encode: { $0.encodeBuffer() }),
      .idiom(
        ["setEmissionRate"], "emission.rate", "exact", from: "src, run", exact: [.rate],
        approximated: [.randomRate, .rateCurve, .probability],
        decode: { $1.emission.rate = .constant(max($0.number("setEmissionRate", 0) ?? 0, 0)) },
        encode: { $0.setCall("setEmissionRate", [$0.plainRate()]) }),
      .idiom(
        ["setEmitterLifetime"], "timing.duration", "exact; below 0 endless", from: "src, run",
        exact: [.duration], approximated: [.loop],
        decode: { reader, emitter in
          let life = reader.number("setEmitterLifetime", 0) ?? -1
          emitter.timing.duration = life < 0 ? nil : .constant(life)
        }, encode: { $0.setCall("setEmitterLifetime", [$0.plainDuration() ?? -1]) }),
      .idiom(
        ["setParticleLifetime"], "lifetime", "exact", from: "src, run", exact: [.life],
        decode: { $1.lifetime = $0.range("setParticleLifetime").notNegative },
        encode: { writer in
          let life = writer.clampNegative(writer.emitter.lifetime, .life, at: "lifetime")
          writer.setRange("setParticleLifetime", life, .life, at: "lifetime")
        }),
      .idiom(
        ["setPosition", "entry.x", "entry.y"], "transform.translation", "exact; y points down",
        from: "wiki, hot", approximated: [.place],
        decode: { reader, emitter in
          let x = reader.number("setPosition", 0) ?? reader.number("entry.x") ?? 0
          let y = reader.number("setPosition", 1) ?? reader.number("entry.y") ?? 0
          emitter.transform.translation = Vector(x, 0 - y)
        }, encode: { $0.encodePlace() }),
      .idiom(
        ["setEmissionArea", "setAreaSpread"], "shape",
        "exact: half of width and height; `uniform` and `normal` rect, `ellipse`, borders; directions relative to the centre are normals, with negative speeds towards it, random at angles from 60° to 120° to it",
        from: "src, run", exact: [.shapeDisc],
        approximated: [
          .shapeRectangle, .shapeRing, .shapeLine, .shape3D, .shapePoints, .directionNormal,
        ]),
      .idiom(
        ["setDirection", "setSpread"], "launch.direction.angle, launch.spread",
        "exact: radians, clockwise; the spread is the whole angle", from: "src, run",
        exact: [.spread2D], approximated: [.cone3D],
        decode: { reader, emitter in
          let degrees = TreeReader<LoveFamily>.degrees
          let angle = (reader.number("setDirection", 0) ?? 0) * -degrees
          emitter.launch.direction = Direction(angle: .constant((angle + 0).rounded))
          let spread = (reader.number("setSpread", 0) ?? 0) / 2 * degrees
          emitter.launch.spread = min(spread.magnitude, 180).rounded
          emitter.launch.speed = reader.range("setSpeed")
          reader.decodeShape(of: &emitter)
        }, encode: { $0.encodeLaunch() }),
      .idiom(
        ["setSpeed"], "launch.speed", "exact", from: "src, run", exact: [.speedRange],
        approximated: [.speedCurve], encode: { $0.encodeSpeed() }),
      .idiom(
        [
          "setLinearAcceleration", "setRadialAcceleration", "setTangentialAcceleration",
          "setLinearDamping",
        ], "forces",
        "exact: gravity between two corners, radial, tangential, drag; y points down",
        from: "src, run", exact: [.gravity, .radial, .tangent, .exponentialDrag, .linearDrag],
        approximated: [.attract],
        decode: { $0.decodeForces(of: &$1) }, encode: { $0.encodeForces() }),
      .idiom(
        ["setSizes", "setSizeVariation"], "size.width",
        "exact: factors of the image at equal distances; with a variation, two are exact and more the mean",
        from: "src, run", exact: [.sizeCurve],
        approximated: [.size, .randomEndSize, .absoluteSize],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.size
        }, encode: { $0.encodeSizes() }),
      .idiom(
        ["setRotation", "setSpin", "setSpinVariation", "setRelativeRotation"], "rotation",
        "exact: radians, clockwise; each spin varies by the other; relative to the velocity",
        from: "src, run", exact: [.rotation, .align],
        approximated: [.rotationSpeed, .rotationCurve, .angularAcceleration, .randomEndRotation],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .idiom(
        ["setColors"], "color.base", "exact: colours at equal distances, at most eight",
        from: "src, run", exact: [.gradient, .opacityCurve],
        approximated: [
          .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix,
        ],
        decode: { $1.color.base = $0.gradient }, encode: { $0.encodeColors() }),
      .idiom(
        ["setInsertMode"], "render.sort", "top is oldestFirst, bottom youngestFirst, random none",
        from: "src", exact: [.sort],
        decode: { reader, emitter in
          let name = reader.argument("setInsertMode", 0)?.string ?? ""
          let place = LoveFamily.sorts.firstIndex { $0.name == name }
          if place == nil, !name.isEmpty {
            reader.note(
              unknown: name, "setInsertMode", "'top' is used", known: LoveFamily.sorts.map(\.name))
          }
          emitter.render.sort = LoveFamily.sorts[place ?? 0].mode
        },
        encode: { writer in
          let sort = writer.sort(of: LoveFamily.sorts.map(\.mode))
          let name = LoveFamily.sorts.first { $0.mode == sort }?.name ?? "top"
          writer.set("setInsertMode", .array([.string(name)]))
        }),
      // Particles that are emitted at once have what was set before.
      .idiom(
        ["emit", "entry.emitAtStart"], "emission.bursts", "particles at the start",
        from: "wiki, hot", exact: [.burst], approximated: [.burstList],
        decode: { reader, emitter in
          let count = reader.number("emit", 0) ?? reader.number("entry.emitAtStart") ?? 0
          if count > 0 { emitter.emission.bursts = [Burst(count: .constant(count))] }
        }, encode: { $0.encodeBursts() }),
      .blend(
        "entry.blendMode",
        BlendNames([
          "alpha": .alpha, "add": .add, "additive": .add, "subtract": .subtract,
          "multiply": .multiply, "multiplicative": .multiply, "screen": .screen,
          "replace": .replace, "premultiplied": .premultiplied,
        ]), from: "hot"),
      .ignored(
        [
          "entry.kickStartSteps", "entry.kickStartDt", "entry.shader", "entry.shaderPath",
          "entry.shaderFilename", "entry.texturePreset", "start", "stop", "setOffset",
          "entry.system",
        ], "what the program does with the system", from: "hot"),
    ]
    + Row.unsupported(besides: [
      "timing.loop", "timing.idle", "emission.maxAlive", "emission.probability", "emission.total",
      "transform", "transform.angle", "motion.speed", "rotation.velocity",
      "rotation.acceleration", "rotation.align", "rotation.alignOffset", "render.sort",
    ])

  private static let sorts: [(name: String, mode: SortMode)] = [
    ("top", .oldestFirst), ("bottom", .youngestFirst), ("random", .none),
  ]
}
