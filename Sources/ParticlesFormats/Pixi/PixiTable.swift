internal import ParticlesCore
internal import ParticlesModel

extension PixiFamily {
  static func rows(isFlat: Bool) -> [Row<PixiFamily>] {
    emission + motion + look + (isFlat ? flatOnly : behaviorsOnly)
      + Row.unsupported(besides: [
        "emission.maxAlive", "emission.probability", "transform", "motion.maxSpeed", "motion.path",
        "motion.mode", "motion.speed", "rotation.velocity",
        "rotation.acceleration", "rotation.align", "spriteSelection", "render.sort",
        "timing.loop", "timing.idle",
      ])
  }

  private static let emission: [Row<PixiFamily>] = [
    .range(
      "lifetime.min", "lifetime.max", "lifetime", { $1(&$0.lifetime) }, .life, "exact", from: "v3"),
    .idiom(
      ["frequency", "particlesPerWave"], "emission.rate",
      "exact: 1 / frequency, first at 0; more than one particle a wave is a burst that repeats",
      from: "v3, run", exact: [.rate, .burst], approximated: [.randomRate, .rateCurve, .burstList],
      decode: { $1.emission = $0.emission }, encode: { $0.encodeEmission() }),
    .idiom(
      ["spawnChance"], "emission.probability", "exact", from: "v3", exact: [.probability],
      // A chance beyond 0 to 1 is never or always met.
      decode: { $1.emission.probability = Interval.unit.clamp($0.number("spawnChance", 1)) },
      encode: { $0.set("spawnChance", $0.emitter.emission.probability) }),
    .idiom(
      ["emitterLifetime"], "timing.duration", "exact; 0 or less is endless", from: "v3, files",
      exact: [.duration], approximated: [.loop, .total],
      decode: { reader, emitter in
        let life = reader.number("emitterLifetime", -1)
        emitter.timing.duration = life > 0 ? .constant(life) : nil
      }),
    .idiom(
      ["maxParticles"], "emission.maxAlive", "exact; 1000 if absent; waves beyond it are lost",
      from: "v3", exact: [.aliveLimit],
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
        writer.loseOrientation()
      }),
    .idiom(
      ["addAtBack"], "render.sort", "true is youngestFirst", from: "v3", exact: [.sort],
      decode: { $1.render.sort = $0.flag("addAtBack", false) ? .youngestFirst : .oldestFirst },
      encode: { writer in
        let sort = writer.sort(of: [.oldestFirst, .youngestFirst])
        writer.set("addAtBack", flag: sort == .youngestFirst)
      }),
    .ignored(["emit", "autoUpdate"], "whether the program starts it", from: "v3"),
    .ignored(
      ["ease"],
      "acts on every list, colours too, before the ease of the list; a named function is kept",
      from: "v3"),
  ]

  private static let motion: [Row<PixiFamily>] =
    [
      .idiom(
        ["moveSpeed/speed", "moveSpeed/minMult", "moveSpeedStatic/min", "moveSpeedStatic/max"],
        "launch.speed, motion.speed",
        "exact: a list replaces the speed, times a factor for each particle; equal ends are a start speed",
        from: "v3, v5, run", exact: [.speedRange, .speedCurve],
        decode: { $0.decodeSpeed(of: &$1) }, encode: { $0.encodeMotion() }
      ).unread(
        UnreadKey(
          "moveSpeed/speed", by: "PixiJS", where: "beside an acceleration",
          "particles begin with the first speed of the list", from: "v3", severity: .note,
          when: { $0.hasUnreadSpeeds })),
      .idiom(
        [
          "moveAcceleration/accel", "moveAcceleration/minStart", "moveAcceleration/maxStart",
          "moveAcceleration/rotate", "moveAcceleration/maxSpeed",
        ],
        "forces: gravity, motion.maxSpeed",
        "exact, y points down; the speed is then only that at the start", from: "v3, v5, run",
        exact: [.gravity], approximated: [.align, .drift]
      ).unread(
        UnreadKey(
          "moveAcceleration/maxSpeed", by: "PixiJS", where: "without an acceleration",
          "the speed is not limited", from: "v3", severity: .note, when: { $0.hasUnreadLimit })),
      .idiom(
        ["movePath/path", "movePath/speed", "movePath/minMult"],
        "motion.path",
        "exact: how far to the right, as a formula of the distance", from: "v3, v5", exact: [.path]),
      .idiom(
        [
          "rotation/minStart", "rotation/maxStart", "rotationStatic/min", "rotationStatic/max",
        ],
        "launch.direction.angle",
        "exact, clockwise: also the rotation of the image; files before version 1 call it `angle`",
        from: "v3, v5, files", exact: [.spread2D], approximated: [.rotation, .cone3D],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .idiom(
        ["rotation/minSpeed", "rotation/maxSpeed", "rotation/accel", "noRotation/"],
        "rotation.velocity, rotation.acceleration",
        "exact, clockwise; `noRotation` is `align` none", from: "v3, v5, run",
        exact: [.rotationSpeed, .angularAcceleration]),
      .idiom(
        [
          "spawnPoint/", "spawnBurst/start", "spawnBurst/spacing", "spawnBurst/distance",
          "spawnShape/type", "rect/", "circle/", "polygonalChain/",
        ],
        "shape",
        "exact: point, rect, circle and ring with radii sampled evenly, bursts, clockwise ones turned about x, chains of lines",
        from: "v3, v5, run",
        exact: [.shapeRectangle, .shapeDisc, .shapeRing, .shapePoints, .shapeLine],
        approximated: [.directionNormal, .shape3D],
        decode: { $0.decodeShape(of: &$1) }, encode: { $0.encodeShape() }),
      .idiom([], "forces", "one acceleration; other forces are lost"),
    ]

  private static let look: [Row<PixiFamily>] =
    [
      .idiom(
        ["scale/scale", "scale/minMult", "scaleStatic/min", "scaleStatic/max"],
        "size.width", "exact: factors of the image, times a factor for each particle",
        from: "v3, v5", exact: [.size, .sizeCurve], approximated: [.absoluteSize, .randomEndSize],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.scale
        }, encode: { $0.encodeSize() }),
      .idiom(
        ["alpha/alpha", "alphaStatic/alpha"],
        "color.opacity", "exact", from: "v3, v5", exact: [.opacityCurve],
        decode: { reader, emitter in
          if let track = reader.track("alpha/alpha") { emitter.color.opacity = track }
          if let alpha = reader.number("alphaStatic/alpha") {
            emitter.color.opacity = .constant(alpha)
          }
        }, encode: { $0.encodeColor() }),
      .idiom(
        ["color/color", "colorStatic/color"],
        "color.base", "exact to 8 bits: a gradient", from: "v3, v5", exact: [.gradient],
        approximated: [
          .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix,
        ],
        decode: { reader, emitter in
          if let colors = reader.colors("color/color") { emitter.color.base = colors }
          let plain = "colorStatic/color"
          if let value = reader[plain], let color = reader.color(value, plain) {
            emitter.color.base = ColorTrack(.constant(color))
          }
        }),
      .blend(
        "blendMode/blendMode",
        BlendNames(["normal": .alpha, "add": .add, "multiply": .multiply, "screen": .screen]),
        from: "v3, v5"),
    ]

  private static let flatOnly: [Row<PixiFamily>] = [
    .ignored(["orderedArt"], "how the program passes images", from: "v3"),
    .missing("spriteSelection", "there are no images", when: { $0.emitter.sprites.isEmpty }),
  ]

  private static let behaviorsOnly: [Row<PixiFamily>] = [
    .idiom(
      [
        "textureSingle/texture", "textureRandom/textures", "textureOrdered/textures",
        "animatedSingle/anim", "animatedRandom/anims",
      ], "sprites, spriteSelection",
      "exact: first, random, sequence; an animation over life: life, of others the images",
      from: "v5", decode: { $0.decodeSelection(of: &$1) }, encode: { $0.encodeSprites() })
  ]
}
