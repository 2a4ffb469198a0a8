internal import ParticlesCore
internal import ParticlesModel

extension PhaserFamily {
  static let rows: [Row<PhaserFamily>] =
    [
      .idiom(
        ["name"], "name of the emitter", from: "doc",
        encode: { writer in
          if writer.system.emitters.count > 1 || writer.surroundings.origin?["name"] != nil {
            writer.set("name", .string(writer.emitter.name))
          }
        }),
      .idiom(
        ["texture"], "sprites", "a key of the program, taken for the name of an image",
        from: "doc",
        encode: { $0.setImage("texture") }),
      .ignored(
        ["frame", "anim", "emitting", "active", "visible", "key"], "what the program shows",
        from: "doc"),
      .idiom(
        ["lifespan"], "lifetime", "exact, in ms; 1000 if absent", from: "src", exact: [.life],
        decode: { $1.lifetime = ($0.emitted("lifespan", times: 0.001) ?? 1).notNegative },
        encode: {
          let life = $0.clampNegative($0.emitter.lifetime, .life, at: "lifetime")
          $0.setEmitted("lifespan", life, .life, at: "lifetime", times: 1000)
        }),
      .idiom(
        ["frequency", "quantity"], "emission.rate",
        "exact: 1000 / frequency; more than one particle is a burst that repeats, first after one interval; 0 is once a frame, −1 one burst",
        from: "src", exact: [.rate, .burst],
        approximated: [.randomRate, .rateCurve, .probability, .burstList],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodeEmission() }),
      .idiom(
        ["maxParticles", "maxAliveParticles"], "emission.maxAlive", "exact; 0 is no limit",
        from: "doc", approximated: [.aliveLimit]),
      .idiom(["stopAfter"], "emission.total", "exact", from: "doc", exact: [.total]),
      .idiom(
        ["duration"], "timing.duration", "exact, in ms; 0 is endless", from: "doc",
        exact: [.duration], approximated: [.loop]),
      .idiom(["advance"], "timing.prewarm", "exact, in ms", from: "doc", exact: [.prewarm]),
      .idiom(["timeScale"], "timing.speed", "exact", from: "doc", exact: [.speed]),
      .idiom(
        ["x", "y"], "transform.translation",
        "exact, y points down; a range is a rect around it", from: "doc",
        approximated: [.place],
        decode: { $0.decodePlace(of: &$1) }, encode: { $0.encodePlace() }),
      .idiom(
        ["emitZone"], "shape", "circle, ellipse, rectangle, line; `edge`: along it", from: "src",
        exact: [.shapeRectangle, .shapeDisc, .shapeLine, .shapeRing],
        approximated: [.shape3D, .shapePoints, .directionNormal]),
      .idiom(
        ["angle"], "launch.direction.angle", "exact, clockwise; 0 to 360 if absent", from: "src",
        exact: [.spread2D], approximated: [.cone3D]
      ).unread(
        UnreadKey(
          "angle", by: "Phaser", where: "beside `speedX` or `speedY`",
          "both velocities are taken as they are", from: "src"
        ) { $0.has("angle") && !$0.has("speed") && ($0.has("speedX") || $0.has("speedY")) }),
      .idiom(
        ["speed", "speedX", "speedY"], "launch.speed", "exact; `speedX` and `speedY` are drift",
        from: "src", exact: [.speedRange, .drift], approximated: [.speedCurve],
        decode: { $0.decodeMotion(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        ["accelerationX", "accelerationY", "gravityX", "gravityY"], "forces: gravity",
        "exact, y points down; over life", from: "src", exact: [.gravity]),
      .idiom(
        ["scale", "scaleX", "scaleY"], "size.width, size.height",
        "exact: factors of the image, over life", from: "src",
        exact: [.size, .sizeCurve, .widthAndHeight],
        approximated: [.absoluteSize, .randomEndSize],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.track("scaleX") ?? reader.track("scale") ?? 1
          emitter.size.height = reader.track("scaleY")
        }, encode: { $0.encodeSize() }),
      .idiom(
        ["rotate"], "rotation.angle", "exact, clockwise, over life", from: "src",
        exact: [.rotation, .rotationCurve],
        approximated: [.rotationSpeed, .angularAcceleration, .randomEndRotation],
        decode: { $1.rotation.angle = $0.track("rotate", times: -1) ?? 0 },
        encode: { $0.encodeRotation() }),
      .idiom(
        ["alpha"], "color.opacity", "exact, over life", from: "src", exact: [.opacityCurve],
        decode: { $1.color.opacity = $0.track("alpha") ?? 1 }, encode: { $0.encodeColor() }),
      .idiom(
        ["color", "colorEase", "tint"], "color.base",
        "colours over life at equal distances, to 8 bits, eased; tints: a choice", from: "src",
        approximated: [
          .gradient, .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient,
          .mix,
        ],
        decode: { $0.decodeColor(of: &$1) }),
      .blend(
        "blendMode",
        BlendNames(
          ["NORMAL": .alpha, "ADD": .add, "MULTIPLY": .multiply, "SCREEN": .screen],
          areNumbered: true), from: "doc"),
      .idiom(
        ["particleBringToTop"], "render.sort", "false is youngestFirst", from: "doc",
        exact: [.sort],
        decode: {
          $1.render.sort = $0.flag("particleBringToTop", true) ? .oldestFirst : .youngestFirst
        },
        encode: { writer in
          let sort = writer.sort(of: [.oldestFirst, .youngestFirst])
          writer.set("particleBringToTop", flag: sort != .youngestFirst)
        }),
    ]
    + Row.unsupported(besides: [
      "timing.loop", "timing.idle", "timing.prewarm", "timing.speed", "emission.maxAlive",
      "emission.total", "emission.probability", "transform", "transform.angle",
      "transform.rotation", "motion.drift", "motion.speed",
      "size.height", "rotation.velocity", "rotation.acceleration", "render.sort",
    ])
}
