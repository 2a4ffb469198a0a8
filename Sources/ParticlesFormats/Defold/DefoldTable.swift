internal import ParticlesCore
internal import ParticlesModel

extension DefoldFamily {
  private static func emitterKeys(_ names: String...) -> [String] {
    names.map { "properties[EMITTER_KEY_\($0)]" }
  }

  private static func lifeKeys(_ names: String...) -> [String] {
    names.map { "particle_properties[PARTICLE_KEY_\($0)]" }
  }

  static let rows: [Row<DefoldFamily>] =
    [
      .idiom(
        ["id"], "name of the emitter", from: "src",
        encode: { $0.set("id", .string($0.emitter.name)) }),
      .idiom(
        ["mode"], "timing.loop", "PLAY_MODE_LOOP is true", from: "src", exact: [.loop],
        decode: { reader, emitter in
          emitter.timing.loop = reader.choice("mode", [("_LOOP", true), ("_ONCE", false)], false)
        }, encode: { $0.encodeTiming() }),
      .idiom(
        ["duration", "duration_spread"], "timing.duration", "exact, sampled once", from: "src",
        exact: [.duration],
        decode: { reader, emitter in
          emitter.timing.duration =
            Value(
              center: reader.number("duration", 0), halfWidth: reader.number("duration_spread", 0),
              scope: .effect
            ).notNegative
        }),
      .idiom(
        ["start_delay", "start_delay_spread"], "timing.delay", "exact, sampled once", from: "src",
        exact: [.delay],
        decode: { reader, emitter in
          emitter.timing.delay =
            Value(
              center: reader.number("start_delay", 0),
              halfWidth: reader.number("start_delay_spread", 0), scope: .effect
            ).notNegative
        }),
      .number(
        "start_offset", "timing.prewarm", { $1(&$0.timing.prewarm) }, atLeast: 0, exact: [.prewarm],
        from: "src"),
      .idiom(
        ["space"], "space", "EMISSION_SPACE_EMITTER is local", from: "src", exact: [.space],
        decode: { reader, emitter in
          emitter.space = reader.choice(
            "space", [("_WORLD", .world), ("_EMITTER", .local)], .world)
        },
        encode: { writer in
          let name = writer.isInWorld() ? "WORLD" : "EMITTER"
          writer.set("space", .string("EMISSION_SPACE_\(name)"))
        }),
      .idiom(
        ["position", "rotation"], "transform", "exact", from: "src", approximated: [.place],
        decode: { reader, emitter in
          emitter.transform.translation = reader.vector("position")
          let rotation = reader.value.quaternion("rotation")
          guard let angle = rotation.angleInPlane else {
            return emitter.transform.rotation = rotation
          }
          emitter.transform.angle = angle
        }, encode: { $0.encodeTransform() }),
      .idiom(
        ["tile_source", "animation"], "sprites",
        "the image of this name, or the images of this animation, in the atlas, or the tiles of the animation in the tile source; without these, the name of a file; they are kept",
        from: "src",
        encode: { $0.encodeImage() }),
      .idiom(
        ["material", "pivot", "attributes"], "", "kept", from: "files",
        encode: { writer in
          if writer.surroundings.origin == nil {
            writer.set("material", .string("/builtins/materials/particlefx.material"))
          }
        }),
      .blend(
        "blend_mode",
        BlendNames(
          ["ALPHA": .alpha, "ADD": .add, "MULT": .multiplyAlpha, "SCREEN": .screen],
          prefix: "BLEND_MODE_"), from: "src"),
      .idiom(
        ["particle_orientation"], "rotation.align",
        "INITIAL_DIRECTION birth, MOVEMENT_DIRECTION velocity, ANGULAR_VELOCITY `rotation.velocity`",
        from: "src", exact: [.align],
        decode: { $0.decodeOrientation(of: &$1) }, encode: { $0.encodeRotation() }),
      .number(
        "inherit_velocity", "launch.inheritVelocity", { $1(&$0.launch.inheritVelocity) },
        exact: [.inherit], from: "src"),
      .idiom(
        ["max_particle_count"], "emission.maxAlive", "exact", from: "src", exact: [.aliveLimit],
        approximated: [.total],
        decode: { reader, emitter in
          emitter.emission.maxAlive = min(
            max(reader.integer("max_particle_count") ?? 0, 0), 1_000_000)
        }, encode: { $0.encodeCapacity() }),
      .idiom(
        ["type"] + emitterKeys("SIZE_X", "SIZE_Y", "SIZE_Z"), "shape, launch.direction",
        "CIRCLE, SPHERE: outwards from the centre; BOX: up; CONE; 2DCONE: a sector in place of the triangle",
        from: "src", exact: [.shapeRectangle, .shapeDisc, .shape3D, .shapeCurve, .directionNormal],
        approximated: [.shapeRing, .shapeLine, .spread2D, .cone3D],
        decode: { $0.decodeShape(of: &$1) }, encode: { $0.encodeShape() }),
      .idiom(
        emitterKeys("SPAWN_RATE"), "emission.rate", "exact: a curve over the period, with a spread",
        from: "src", exact: [.rate, .randomRate, .rateCurve], approximated: [.probability, .burst],
        decode: { reader, emitter in
          var rate = reader.emitterCurve("SPAWN_RATE")?.value ?? 0
          rate.scope = .effect
          emitter.emission.rate = rate
        }, encode: { $0.encodeRate() }),
      .idiom(
        emitterKeys("PARTICLE_LIFE_TIME"), "lifetime",
        "exact: a curve over the period, with a spread",
        from: "src", exact: [.life],
        decode: { $1.lifetime = $0.initial("LIFE_TIME").notNegative },
        encode: {
          let life = $0.clampNegative($0.emitter.lifetime, .life, at: "lifetime")
          $0.setInitial("LIFE_TIME", life, .life, at: "lifetime")
        }),
      .idiom(
        emitterKeys("PARTICLE_SPEED"), "launch.speed", "exact", from: "src", exact: [.speedRange],
        approximated: [.speedCurve],
        decode: { $1.launch.speed = $0.initial("SPEED") },
        encode: { $0.setInitial("SPEED", $0.meanSpeed(), .speedRange, at: "launch.speed") }),
      .idiom(
        ["size_mode"] + emitterKeys("PARTICLE_SIZE") + lifeKeys("SCALE"), "size",
        "exact: a size, times a curve over life; SIZE_MODE_AUTO: of the image", from: "src",
        exact: [.size, .sizeCurve, .absoluteSize], approximated: [.randomEndSize],
        decode: { $0.decodeSize(of: &$1) }, encode: { $0.encodeSize() }),
      .idiom(
        ["stretch_with_velocity"]
          + emitterKeys("PARTICLE_STRETCH_FACTOR_X", "PARTICLE_STRETCH_FACTOR_Y")
          + lifeKeys("STRETCH_FACTOR_X", "STRETCH_FACTOR_Y"), "size.stretch",
        "exact: factors that are added; with the velocity approximated", from: "src",
        approximated: [.stretch],
        decode: { $0.decodeStretch(of: &$1) }, encode: { $0.encodeStretch() }),
      .idiom(
        emitterKeys("PARTICLE_ROTATION", "PARTICLE_ANGULAR_VELOCITY")
          + lifeKeys("ROTATION", "ANGULAR_VELOCITY"), "rotation.angle, rotation.velocity",
        "exact: a start, plus a curve over life; images turn with the emitter", from: "src",
        exact: [.rotation, .rotationCurve, .rotationSpeed],
        approximated: [.randomEndRotation, .angularAcceleration]),
      .idiom(
        emitterKeys("PARTICLE_RED", "PARTICLE_GREEN", "PARTICLE_BLUE", "PARTICLE_ALPHA")
          + lifeKeys("RED", "GREEN", "BLUE", "ALPHA"), "color.base",
        "exact: a colour with spreads, times a gradient of four curves; a curve over the period is its mean",
        from: "src", exact: [.randomColor, .gradient, .opacityCurve],
        approximated: [.randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix],
        decode: { $0.decodeColor(of: &$1) }, encode: { $0.encodeColor() }),
      .idiom(
        ["modifiers"], "forces",
        "ACCELERATION, DRAG (euler), RADIAL and VORTEX, with place and distance", from: "src",
        exact: [.gravity, .linearDrag, .radial, .attract, .tangent],
        approximated: [.exponentialDrag, .constantDrag],
        decode: { $0.decodeModifiers(of: &$1) }, encode: { $0.encodeModifiers() }),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.loop", "timing.prewarm", "emission.maxAlive", "emission.total",
      "emission.probability", "space", "transform", "transform.angle", "transform.rotation",
      "launch.inheritVelocity", "motion.speed",
      "rotation.velocity", "rotation.acceleration", "rotation.align", "size.stretch",
    ])
}
