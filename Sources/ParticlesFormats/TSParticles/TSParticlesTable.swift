internal import ParticlesCore
internal import ParticlesModel

extension TSParticlesFamily {
  static let rows: [Row<TSParticlesFamily>] =
    [
      .idiom(
        ["name"], "name of the emitter", from: "doc",
        encode: { writer in
          if writer.surroundings.origin?["name"] != nil || writer.surroundings.origin == nil {
            writer.set("name", .string(writer.emitter.name))
          }
        }),
      .idiom(
        [
          "rate.quantity", "rate.delay", "startCount", "life.duration", "life.count", "life.delay",
          "life.wait",
          "particles.number.value", "particles.number.limit", "particles.number.density",
        ], "emission, timing",
        "one emission in a delay, in s, and at most one in a frame; the first ones at the start; the "
          + "particles of the canvas are one burst",
        from: "src, doc",
        exact: [.duration, .burst],
        approximated: [
          .rate, .randomRate, .rateCurve, .probability, .loop, .idle, .aliveLimit, .delay,
        ],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodeEmission() }),
      .idiom(
        ["particles.life.duration", "particles.life.count"], "lifetime",
        "in s; from 0 to the number unless `sync` is set; without an end, 30 s are assumed",
        from: "src", approximated: [.life]),
      .idiom(
        ["position", "size", "shape", "fill"], "transform.translation, shape",
        "percentages of a canvas of 1000 × 600 pixels: rect, circle; `fill` false: the edge",
        from: "doc, files", exact: [.shapeRectangle, .shapeDisc],
        approximated: [.place, .shapeRing, .shapeLine, .shape3D, .shapePoints],
        encode: { $0.encodePlace() }),
      .idiom(
        [
          "direction", "particles.move.direction", "particles.move.straight",
          "particles.move.angle", "particles.move.enable", "particles.move.speed",
          "particles.move.random", "particles.move.out_mode",
        ], "launch",
        "a name or an angle, clockwise, with a fan; speeds are half pixels in each of 60 frames a second; in particles.js velocities are random in a square",
        from: "src, js, files", exact: [.spread2D, .speedRange],
        approximated: [.cone3D, .speedCurve, .directionNormal],
        decode: { $0.decodeMotion(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        [
          "particles.move.gravity.enable", "particles.move.gravity.acceleration",
          "particles.move.gravity.inverse", "particles.move.decay",
        ], "forces", "gravity × 60; decay is drag in each of 60 frames a second", from: "src",
        exact: [.gravity, .exponentialDrag], approximated: [.linearDrag, .constantDrag]),
      .idiom(
        [
          "particles.size.value", "particles.size.random", "particles.size.animation",
          "particles.size.anim",
        ], "size.width",
        "the width of the figure: twice the radius for a circle; an animation from one end, by 0.6 of its speed in a second",
        from: "src, js",
        exact: [.size, .absoluteSize], approximated: [.sizeCurve, .randomEndSize],
        decode: { $0.decodeLook(of: &$1) }, encode: { $0.encodeLook() }),
      .idiom(
        [
          "particles.opacity.value", "particles.opacity.random", "particles.opacity.animation",
          "particles.opacity.anim",
        ],
        "color.opacity", "exact; an animation as that of the size", from: "src, js",
        approximated: [.opacityCurve]),
      .idiom(
        ["particles.color.value"], "color.base", "a colour, or a choice, to 8 bits", from: "src",
        approximated: [
          .gradient, .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient,
          .mix,
        ]),
      .idiom(
        [
          "particles.rotate.value", "particles.rotate.random", "particles.rotate.direction",
          "particles.rotate.animation.enable", "particles.rotate.animation.speed",
          "particles.rotate.animation.sync",
        ], "rotation", "exact, clockwise; spin in either direction", from: "src",
        exact: [.rotation],
        approximated: [.rotationSpeed, .rotationCurve, .angularAcceleration, .randomEndRotation]),
      .idiom(
        [
          "particles.shape.type", "particles.shape.image", "particles.shape.options.image",
          "particles.shape.options.images", "particles.shape.options.polygon",
          "particles.shape.options.star", "particles.shape.polygon", "particles.shape.star",
          "particles.shape.stroke", "particles.stroke", "particles.shape.options.char",
          "particles.shape.options.character", "particles.shape.character",
        ], "sprites, spriteSelection",
        "images if the figure is `image`; pictures of circles, squares, triangles, polygons, stars and characters; a circle for other figures",
        from: "src, js, doc", exact: [],
        decode: { reader, emitter in
          if reader.figures.count > 1 { emitter.spriteSelection = .random }
        }, encode: { $0.encodeImages() }),
      .idiom(
        linkKeys, "render.links", "exact: lines between near particles", from: "link, js",
        exact: [.links], decode: { $0.decodeLinks(of: &$1) }, encode: { $0.encodeLinks() }),
      .idiom(
        [], "render.blend", "lost: blending is that of the canvas",
        encode: { writer in
          guard writer.emitter.render.blend != Blend() else { return }
          writer.lose(.lost, .blendAdditive, at: "render.blend", "blending is that of the canvas")
        }),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.loop", "timing.idle", "emission.maxAlive", "emission.probability",
      "transform", "transform.angle", "transform.rotation", "motion.speed",
      "rotation.velocity", "rotation.acceleration", "spriteSelection", "render.links",
    ])
}
