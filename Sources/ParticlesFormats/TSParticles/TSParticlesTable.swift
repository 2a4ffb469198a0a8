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
          "rate.quantity", "rate.delay", "life.duration", "life.count", "life.delay", "life.wait",
          "particles.number.value", "particles.number.limit", "particles.number.density",
        ], "emission, timing",
        "quantity / delay, in s; the particles of the canvas are one burst", from: "src, doc",
        exact: [.duration, .burst],
        approximated: [
          .rate, .rateRand, .rateCurve, .prob, .loop, .idle, .maxAlive, .delay,
        ],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodeEmission() }),
      .idiom(
        ["particles.life.duration", "particles.life.count"], "lifetime",
        "exact, in s; without an end, 30 s are assumed", from: "src", approximated: [.life]),
      .idiom(
        ["position", "size", "shape", "fill"], "transform.translation, shape",
        "percentages of a canvas of 1000 × 600 pixels: rect, circle; `fill` false: the edge",
        from: "doc, files", exact: [.shRect, .shDisc],
        approximated: [.place, .shRing, .shLine, .sh3D, .shPoly],
        encode: { $0.encodePlace() }),
      .idiom(
        [
          "direction", "particles.move.direction", "particles.move.straight",
          "particles.move.angle.value", "particles.move.enable", "particles.move.speed",
          "particles.move.random",
        ], "launch",
        "a name or an angle, clockwise, with a fan; speeds are half pixels in each of 60 frames a second",
        from: "src, files", exact: [.spread2D, .speedRange],
        approximated: [.cone3D, .speedCurve, .dirNormal],
        decode: { $0.decodeMotion(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        [
          "particles.move.gravity.enable", "particles.move.gravity.acceleration",
          "particles.move.gravity.inverse", "particles.move.decay",
        ], "forces", "gravity × 60; decay is drag in each of 60 frames a second", from: "src",
        exact: [.gravity, .dragExp], approximated: [.dragLin, .dragConst]),
      .idiom(
        ["particles.size.value", "particles.size.random"], "size.width", "twice the radius",
        from: "src", exact: [.size, .sizeAbs], approximated: [.sizeCurve, .sizeSE],
        decode: { $0.decodeLook(of: &$1) }, encode: { $0.encodeLook() }),
      .idiom(
        ["particles.opacity.value", "particles.opacity.random"], "color.opacity", "exact",
        from: "src", approximated: [.alphaCv]),
      .idiom(
        ["particles.color.value"], "color.base", "a colour, or a choice, to 8 bits", from: "src",
        approximated: [.grad, .colRand, .colSE, .colHSB, .initRamp, .mix]),
      .idiom(
        [
          "particles.rotate.value", "particles.rotate.random", "particles.rotate.direction",
          "particles.rotate.animation.enable", "particles.rotate.animation.speed",
        ], "rotation", "exact, clockwise; spin in either direction", from: "src",
        exact: [.rot], approximated: [.rotVel, .rotCurve, .rotAcc, .rotSE]),
      .idiom(
        [
          "particles.shape.type", "particles.shape.image", "particles.shape.options.image",
          "particles.shape.options.images",
        ], "sprites", "images; circles and other figures are kept", from: "doc",
        encode: { $0.encodeImages() }),
      .idiom(
        [], "render.blend", "lost: blending is that of the canvas",
        encode: { writer in
          guard writer.emitter.render.blend != Blend() else { return }
          writer.lose(.lost, .blAdd, at: "render.blend", "blending is that of the canvas")
        }),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.loop", "timing.idle", "emission.maxAlive", "emission.probability",
      "transform", "transform.angle", "transform.rotation", "motion.speed",
      "rotation.velocity", "rotation.acceleration", "spriteSelection",
    ])
}
