internal import ParticlesCore
internal import ParticlesModel

extension PixiFamily {
  static func rows(_ keys: PixiKeys) -> [Row<PixiFamily>] {
    emission + motion(keys) + look(keys) + (keys.isFlat ? flatOnly : behaviorsOnly)
      + Row.unsupported(besides: [
        "emission.maxAlive", "emission.probability", "transform", "motion.maxSpeed", "motion.path",
        "motion.mode", "motion.speed", "rotation.velocity",
        "rotation.acceleration", "rotation.align", "spriteSelection", "render.sort", "space",
        "timing.loop", "timing.idle",
      ])
  }

  private static let emission: [Row<PixiFamily>] = [
    .range(
      "lifetime.min", "lifetime.max", "lifetime", \.lifetime, .life, "exact", from: "v3"),
    .idiom(
      ["frequency", "particlesPerWave"], "emission.rate",
      "exact: 1 / frequency, first at 0; more than one particle a wave is a burst that repeats",
      from: "v3, run", exact: [.rate, .burst], approximated: [.rateRand, .rateCurve, .burstList],
      decode: { $1.emission = $0.emission }, encode: { $0.encodeEmission() }),
    .number(
      "spawnChance", "emission.probability", \.emission.probability, standard: 1, exact: [.prob],
      from: "v3"),
    .idiom(
      ["emitterLifetime"], "timing.duration", "exact; 0 or less is endless", from: "v3, files",
      exact: [.duration], approximated: [.loop, .total],
      decode: { reader, emitter in
        let life = reader.number("emitterLifetime", -1)
        emitter.timing.duration = life > 0 ? .constant(life) : nil
      }),
    .idiom(
      ["maxParticles"], "emission.maxAlive", "exact; 1000 if absent; waves beyond it are lost",
      from: "v3", exact: [.maxAlive],
      decode: { reader, emitter in
        emitter.emission.maxAlive = min(max(reader.integer("maxParticles") ?? 1000, 0), 1_000_000)
      }),
    .idiom(
      ["pos.x", "pos.y"], "transform.translation", "exact; y points down", from: "v3",
      approximated: [.place],
      decode: {
        $1.transform.translation = Vector($0.number("pos.x", 0), 0 - $0.number("pos.y", 0))
      },
      encode: { writer in
        let place = writer.emitter.transform.translation
        writer.set("pos.x", place.x)
        writer.set("pos.y", -place.y)
        writer.encodeSpace()
      }),
    .idiom(
      ["addAtBack"], "render.sort", "true is youngestFirst", from: "v3", exact: [.sort],
      decode: { $1.render.sort = $0.flag("addAtBack", false) ? .youngestFirst : .oldestFirst },
      encode: { writer in
        let sort = writer.sort(of: [.oldestFirst, .youngestFirst])
        writer.set("addAtBack", flag: sort == .youngestFirst)
      }),
    .ignored(["emit", "autoUpdate"], "whether the program starts it", from: "v3"),
    .ignored(["ease"], "`warp` of every track; a named function is kept", from: "v3"),
  ]

  private static func motion(_ keys: PixiKeys) -> [Row<PixiFamily>] {
    [
      .idiom(
        keys.isFlat
          ? ["speed", "minimumSpeedMultiplier"]
          : config("moveSpeed", "speed", "minMult") + config("moveSpeedStatic", "min", "max"),
        "launch.speed, motion.speed",
        "exact: a list replaces the speed, times a factor for each particle; equal ends are a start speed",
        from: "v3, v5, run", exact: [.speedRange, .speedCurve],
        decode: { $0.decodeSpeed(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        keys.isFlat
          ? ["acceleration", "maxSpeed"]
          : config("moveAcceleration", "accel", "minStart", "maxStart", "rotate", "maxSpeed"),
        "forces: gravity, motion.maxSpeed",
        "exact, y points down; the speed is then only that at the start", from: "v3, v5, run",
        exact: [.gravity], approximated: [.align, .drift]),
      .idiom(
        keys.isFlat ? ["extraData.path"] : config("movePath", "path", "speed", "minMult"),
        "motion.path",
        "exact: how far to the right, as a formula of the distance", from: "v3, v5", exact: [.path]),
      .idiom(
        keys.isFlat
          ? ["startRotation", "angle"]
          : config("rotation", "minStart", "maxStart") + config("rotationStatic", "min", "max"),
        "launch.direction.angle",
        "exact, clockwise: also the rotation of the image; files before version 1 call it `angle`",
        from: "v3, v5, files", exact: [.spread2D], approximated: [.rot, .cone3D],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .idiom(
        keys.isFlat
          ? ["rotationSpeed", "rotationAcceleration", "noRotation"]
          : config("rotation", "minSpeed", "maxSpeed", "accel") + config("noRotation"),
        "rotation.velocity, rotation.acceleration",
        "exact, clockwise; `noRotation` is `align` none", from: "v3, v5, run",
        exact: [.rotVel, .rotAcc]),
      .idiom(
        keys.isFlat
          ? [
            "spawnType", "spawnRect", "spawnCircle", "spawnPolygon", "particleSpacing",
            "angleStart",
          ]
          : config("spawnPoint") + config("spawnBurst", "start", "spacing", "distance")
            + config("spawnShape", "type", "data"),
        "shape",
        "exact: point, rect, circle and ring with radii sampled evenly, bursts, chains of lines",
        from: "v3, v5, run", exact: [.shRect, .shDisc, .shRing, .shPoly, .shLine],
        approximated: [.dirNormal, .sh3D],
        decode: { try $0.decodeShape(of: &$1) }, encode: { $0.encodeShape() }),
      .idiom(
        [], "forces", "one acceleration; other forces are lost",
        encode: { writer in
          let kinds = writer.emitter.forces.filter { $0.kind == .gravity }.count
          if kinds > 1 {
            writer.lose(.restated, .gravity, at: "forces", "accelerations are added up")
          }
        }),
    ]
  }

  private static func look(_ keys: PixiKeys) -> [Row<PixiFamily>] {
    [
      .idiom(
        keys.isFlat
          ? ["scale", "minimumScaleMultiplier"]
          : config("scale", "scale", "minMult") + config("scaleStatic", "min", "max"),
        "size.width", "exact: factors of the image, times a factor for each particle",
        from: "v3, v5", exact: [.size, .sizeCurve], approximated: [.sizeAbs, .sizeSE],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.scale
        }, encode: { $0.encodeSize() }),
      .idiom(
        keys.isFlat
          ? ["alpha"] : config("alpha", "alpha") + config("alphaStatic", "alpha"),
        "color.opacity", "exact", from: "v3, v5", exact: [.alphaCv],
        decode: { reader, emitter in
          let flat = keys.key("alpha", "alpha", "alpha")
          if let track = reader.track(flat) { emitter.color.opacity = track }
          if let alpha = reader.number("behaviors[alphaStatic].config.alpha") {
            emitter.color.opacity = .constant(alpha)
          }
        }, encode: { $0.encodeColor() }),
      .idiom(
        keys.isFlat
          ? ["color"] : config("color", "color") + config("colorStatic", "color"),
        "color.base", "exact to 8 bits: a gradient", from: "v3, v5", exact: [.grad],
        approximated: [.colRand, .colSE, .colHSB, .initRamp, .mix],
        decode: { reader, emitter in
          if let colors = reader.colors(keys.key("color", "color", "color")) {
            emitter.color.base = colors
          }
          let plain = "behaviors[colorStatic].config.color"
          if let value = reader[plain], let color = reader.color(value, plain) {
            emitter.color.base = ColorTrack(.constant(color))
          }
        }),
      .blend(
        keys.blend,
        BlendNames(["normal": .alpha, "add": .add, "multiply": .multiply, "screen": .screen]),
        from: "v3, v5"),
    ]
  }

  private static let flatOnly: [Row<PixiFamily>] = [
    .ignored(["orderedArt"], "how the program passes images", from: "v3"),
    .idiom(
      [], "spriteSelection", "images are passed by the program",
      encode: { writer in
        guard writer.emitter.sprites.isEmpty else { return }
        writer.drop(
          \.spriteSelection, .randSpr, at: "spriteSelection", "there are no images", .dead)
      }),
  ]

  private static let behaviorsOnly: [Row<PixiFamily>] = [
    .idiom(
      config("textureSingle", "texture") + config("textureRandom", "textures")
        + config("textureOrdered", "textures") + config("animatedSingle", "anim")
        + config("animatedRandom", "anims"), "sprites, spriteSelection",
      "exact: first, random, sequence; an animation over life: life, of others the images",
      from: "v5", decode: { $0.decodeSelection(of: &$1) }, encode: { $0.encodeSprites() })
  ]

  /// The keys of the configuration of a behaviour; the whole of it if none are given.
  private static func config(_ behavior: String, _ keys: String...) -> [String] {
    let place = "behaviors[\(behavior)].config"
    return keys.isEmpty ? [place] : keys.map { "\(place).\($0)" }
  }
}
