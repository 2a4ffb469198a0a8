internal import ParticlesCore
internal import ParticlesModel

// The mapping table: the meaning of each key.

extension CocosFamily {
  static let sources = [
    (name: "x3", title: "cocos2d-x 3.7, `CCParticleSystem.cpp`, read"),
    (name: "h5", title: "cocos2d-html5 3.17, recorded"),
    (name: "objc", title: "cocos2d-objc 3 and Cocos Creator, `ParticleSystem`"),
    (
      name: "st",
      title: "Starling's particle extension 2.x, `PDParticleSystem.as` of July 2024, recorded"
    ), (name: "st1", title: "Starling's extension 1.1 to 1.8 and 2.x until September 2018, read"),
    (name: "pd", title: "Particle Designer 2"), (name: "zame", title: "zame-haxe-particles"),
    (name: "files", title: "77 published property lists, 5 JSON files and 11 Starling files"),
  ]

  static func rows(_ dialect: Dialect) -> [Row<CocosFamily>] {
    let isStarling = dialect == .starling
    let life = Row<CocosFamily>.idiom(
      ["particleLifespan", "particleLifespanVariance"], "lifetime",
      "exact. 0 is assumed to mean that all particles are emitted at once. Starling uses a mean of at least 0.01 and emits no particle with a sample of 0 or less",
      from: "x3, st", exact: [.life], decode: { $1.lifetime = $0.lifetime })
    let size = Row<CocosFamily>.idiom(
      [
        "startParticleSize", "startParticleSizeVariance", "finishParticleSize",
        "finishParticleSizeVariance",
      ], "size.width",
      "exact: from, to, with `size.aspect` 1, in Starling the aspect of the sprite. A finish of −1 keeps the start size, except in Starling",
      from: "x3, st", exact: [.size, .randomEndSize, .absoluteSize], approximated: [.sizeCurve],
      decode: { $1.size = $0.size }, encode: { $0.encodeSize() })
    let color = Row<CocosFamily>.idiom(
      colorKeys("startColor") + colorKeys("finishColor"), "color.base",
      "exact: from, to. Starling clamps the interpolated value only", from: "x3, st",
      exact: [.randomColor, .randomEndColor],
      approximated: [
        .randomHueSaturationBrightness, .gradient, .opacityCurve, .mix, .startGradient,
      ],
      decode: { $1.color.base = $0.color }, encode: { $0.encodeColor() })
    // The engines clamp the numbers that they sample.
    return emissionRows(isStarling ? life : life.clamped(to: Interval(0, .infinity), from: "h5"))
      + motionRows
      + lookRows(
        size: isStarling
          ? size.clamped(to: Interval(0.1, .infinity), from: "st")
          : size.clamped(to: Interval(0, .infinity), from: "h5"),
        color: isStarling ? color : color.clamped(to: .unit, from: "h5"),
        engine: isStarling ? "Starling" : "cocos2d")
  }

  private static func emissionRows(_ life: Row<CocosFamily>) -> [Row<CocosFamily>] {
    [
      .idiom(["configName"], "name of the emitter", "updated in place", from: "pd"),
      .idiom(
        ["emitterType"], "motion.mode",
        "0 is ballistic, 1 an orbit. The keys of the unused mode are ignored", exact: [.orbit],
        encode: { $0.set("emitterType", integer: $0.isOrbit ? 1 : 0) }),
      .idiom(
        ["maxParticles"], "emission.maxAlive",
        "exact. Divided by `particleLifespan`, it is `emission.rate`. Starling subtracts one before the division, since September 2018",
        from: "x3, st, st1",
        approximated: [.rate, .aliveLimit],
        decode: { $1.emission = $0.emission },
        encode: {
          $0.encodeLife()
          $0.encodeEmission()
        }
      ).derivingRate,
      .idiom(
        ["emissionRate"], "",
        "read by Cocos Creator and cocos2d-objc 3. Written for them where the rate does not follow",
        from: "h5, objc",
        approximated: [.randomRate, .rateCurve, .probability]
      ).unread(
        UnreadKey.of(
          "emissionRate", by: [.cocos2dX, .cocos2d],
          "the rate is the capacity divided by the lifespan", from: "x3, h5"
        ) { $0.otherRate }),
      .idiom(
        ["duration"], "timing.duration", "exact. −1 is endless, and so is an absent key",
        exact: [.duration],
        approximated: [.burst, .loop, .total, .speed], decode: { $1.timing = $0.timing }),
      life,
      .missing("enabled"),
      .missing("timing.delay"),
      .missing("timing.prewarm"),
      .missing("timing.speed"),
      .missing("timing.fixedStep"),
      .missing("emission.ratePerDistance"),
      .missing("emission.explosiveness", "uneven emission is not supported"),
      .missing("emission.jitter", "uneven emission is not supported"),
      .missing("emission.lifeOffset"),
      .missing("emission.schedule", "emission is spread over time"),
      .idiom(
        ["sourcePositionx", "sourcePositiony"], "transform.translation",
        "exact. Starling, 1.x and 2.x, and Cocos Creator do not read it", from: "x3, st, st1",
        approximated: [.place],
        decode: {
          guard !$0.format.isStarling else { return }
          $1.transform.translation = Vector(
            $0.number("sourcePositionx") ?? 0,
            $0.number("sourcePositiony", times: $0.surroundings.y))
        }, encode: { $0.encodePlace() }),
      .missing("transform.scale", "scaling of the emitter is not supported", level: .medium),
      .idiom(
        ["sourcePositionVariancex", "sourcePositionVariancey"], "shape",
        "exact: a rect, twice as wide and high", exact: [.shapeRectangle, .shapeLine],
        approximated: [.shapeDisc, .shape3D]),
      .idiom(
        ["positionType"], "space",
        "0 world, 1 parent, 2 local, read by Cocos Creator. Programs with cocos2d set it in code. Absent, it is assumed to be 0. Starling does not read it",
        from: "objc, x3, st",
        decode: { $1.space = $0.space }, encode: { $0.encodeSpace() }
      ).unread(
        UnreadKey.of(
          "positionType", by: [.cocos2dX, .cocos2d], "the program has to set it", from: "x3, h5",
          severity: .note
        ) { reader in
          guard reader.format.dialect == .cocos2d else { return nil }
          return [1, 2].contains(reader.number("positionType")) ? UnreadKey.Finding() : nil
        }),
      .ignored(
        ["yCoordFlipped"],
        "−1 reflects motion in the origin, in cocos2d-x since 3.1 only. In Particle Designer's JSON, y points down",
        from: "x3, pd"
      ).unread(
        UnreadKey.of(
          "yCoordFlipped", by: [.cocos2d, .cocosCreator], "motion is not reflected",
          from: "h5, objc"
        ) { reader in
          guard reader.format.dialect == .cocos2d else { return nil }
          return reader.number("yCoordFlipped") == -1 ? UnreadKey.Finding() : nil
        }
          + UnreadKey.of(
            "yCoordFlipped", by: [.starling],
            "an effect that was made with y pointing up is shown upside down", from: "st, st1"
          ) { $0.number("yCoordFlipped") == 1 ? UnreadKey.Finding() : nil }),
    ]
  }

  private static let motionRows: [Row<CocosFamily>] = [
    .idiom(
      ["angle", "angleVariance"], "launch.direction.angle", "exact. In an orbit, the angle from −x",
      exact: [.spread2D], approximated: [.cone3D], decode: { $0.decodeMotion(of: &$1) },
      encode: { $0.isOrbit ? $0.encodeOrbit() : $0.encodeFlight() }),
    .idiom(
      ["speed", "speedVariance"], "launch.speed", exact: [.speedRange], approximated: [.speedCurve]),
    .idiom(["gravityx", "gravityy"], "forces: gravity", exact: [.gravity]),
    .idiom(
      ["radialAcceleration", "radialAccelVariance"], "forces: radial", exact: [.radial],
      approximated: [.attract]),
    .idiom(
      ["tangentialAcceleration", "tangentialAccelVariance"], "forces: tangential", exact: [.tangent]
    ),
    .idiom(
      ["maxRadius", "maxRadiusVariance", "minRadius", "minRadiusVariance"], "motion.orbit.radius",
      "exact: from, to. A `minRadius` of −1 keeps the start radius, except in Starling"
    ).unread(
      UnreadKey.of(
        "minRadiusVariance", by: [.cocos2d],
        "all particles have one radius at the end", from: "h5"
      ) { reader in
        guard reader.number("emitterType") == 1, reader.number("minRadius") != -1,
          reader.number("minRadiusVariance") ?? 0 != 0
        else { return nil }
        return UnreadKey.Finding()
      }),
    .idiom(["rotatePerSecond", "rotatePerSecondVariance"], "motion.orbit.angularVelocity"),
    .missing("motion.path", "the motion mode does not use it", rule: .dead, when: { !$0.hasPath }),
    .missing("motion.orbit", "the motion mode does not use it", rule: .dead, when: { !$0.isOrbit }),
    .missing("motion.orbitVelocity", when: { !$0.isOrbit }),
    .missing("motion.drift", when: { !$0.isOrbit }),
    .missing("motion.maxSpeed", when: { !$0.isOrbit }),
    .missing("motion.direction", when: { !$0.isOrbit }),
    .missing("motion.orbitAxis"),
  ]

  private static func lookRows(
    size: Row<CocosFamily>, color: Row<CocosFamily>, engine: String
  ) -> [Row<CocosFamily>] {
    [
      size,
      .missing("size.height"),
      .missing("size.stretch"),
      .idiom(
        ["rotationIsDir"], "rotation.align",
        "birth, with an angle that grows by end − start. Approximated if there are variances"),
      .idiom(["headToVelocity"], "rotation.align", "velocity", from: "zame"),
      .idiom(
        ["rotationStart", "rotationStartVariance", "rotationEnd", "rotationEndVariance"],
        "rotation.angle", "exact: from, to, negated: files count clockwise",
        exact: [.rotation, .randomEndRotation],
        approximated: [.rotationSpeed, .rotationCurve, .angularAcceleration],
        decode: { $1.rotation = $0.rotation },
        encode: { $0.encodeRotation() }),
      .missing("rotation.axis"),
      color,
      .idiom(
        ["blendFuncSource", "blendFuncDestination"], "render.blend", "see [Blending](#blending)",
        from: "x3, st",
        exact: [
          .blendAlpha, .blendAdditive, .blendMultiply, .blendScreen, .blendFactors,
          .premultipliedAlpha,
        ],
        approximated: [.blendSubtractive], decode: { $1.render.blend = $0.blend },
        encode: { $0.encodeBlend() }
      ),
      .ignored(["blendAdditive"], "used if the factors are absent", from: "files"),
      .idiom(
        ["absolutePosition"], "", "kept if true", from: "files",
        decode: { reader, _ in
          if reader.flag("absolutePosition") == true {
            reader.note(
              .uninterpreted, "absolutePosition", "the position of the emitter on the stage")
          }
        }),
      .ignored(["textureFileName", "textureImageData"], "a sprite, see [Images](#images)"),
      .missing("render.sort", "\(engine) always draws the newest particles last"),
    ] + Row.missingBillboards + [
      .missing("render.z", "\(engine) always draws the newest particles last")
    ] + Row.missingDepth + [
      .missing("render.order", "each file has only one emitter"),
      .missing("render.trail"),
      .missing("render.links"),
    ] + Row.missingFrames + [
      .idiom([], "physics", "lost", encode: { $0.loseWorld() }),
      .missingTriggers("sub-emitters are not supported, so that the emitter starts by itself"),
    ]
  }

  private static func colorKeys(_ name: String) -> [String] {
    ["", "Variance"].flatMap { suffix in
      CocosChannel.allCases.map { name + suffix + $0.rawValue }
    }
  }
}

enum CocosChannel: String, CaseIterable {
  case red = "Red"
  case green = "Green"
  case blue = "Blue"
  case alpha = "Alpha"
}
