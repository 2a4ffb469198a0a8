internal import ParticlesCore
internal import ParticlesModel

// What each key means.

extension CocosFamily {
  static let sources = [
    (name: "x3", title: "cocos2d-x 3, `CCParticleSystem.cpp`"),
    (name: "objc", title: "cocos2d-objc 3 and Cocos Creator, `ParticleSystem`"),
    (name: "st", title: "Starling's particle extension, `PDParticleSystem.as`"),
    (name: "pd", title: "Particle Designer 2"), (name: "zame", title: "zame-haxe-particles"),
    (name: "files", title: "77 published property lists, 5 JSON files and 11 of Starling's"),
  ]

  static let rows: [Row<CocosFamily>] = [
    .idiom(["configName"], "name of the emitter", "kept up to date where it is", from: "pd"),
    .idiom(
      ["emitterType"], "motion.mode",
      "0 is flight, 1 an orbit; the keys of the other then mean nothing", exact: [.orbit],
      encode: { $0.set("emitterType", integer: $0.isOrbit ? 1 : 0) }),
    .idiom(
      ["maxParticles"], "emission.maxAlive",
      "exact; divided by `particleLifespan` it is `emission.rate`, in Starling less one",
      from: "x3, st",
      approximated: [.rate, .maxAlive],
      decode: { $1.emission = $0.emission },
      encode: {
        $0.encodeLife()
        $0.encodeEmission()
      }),
    .idiom(
      ["emissionRate"], "emission.rate", "assumed: some versions only read it", from: "objc",
      approximated: [.rateRand, .rateCurve, .prob]),
    .idiom(
      ["duration"], "timing.duration", "exact; −1 is endless", exact: [.duration],
      approximated: [.burst, .loop, .total, .speed], decode: { $1.timing = $0.timing }),
    .idiom(
      ["particleLifespan", "particleLifespanVariance"], "lifetime",
      "exact; 0 is assumed to mean that all particles are emitted at once; Starling takes less than 0.01 as 0.01",
      from: "x3, st", exact: [.life], decode: { $1.lifetime = $0.lifetime }),
    .missing(
      "enabled", \.enabled, .extra, "the file has no switch; the emitter emits", level: .medium),
    .missing("timing.delay", \.timing.delay, .delay, "emission starts at once"),
    .missing("timing.prewarm", \.timing.prewarm, .prewarm, "the effect starts from nothing"),
    .missing("timing.speed", \.timing.speed, .speed, "clocks do not stand still"),
    .missing("timing.fixedStep", \.timing.fixedStep, .extra, "steps are those of the display"),
    .missing(
      "emission.ratePerDistance", \.emission.ratePerDistance, .rateWay,
      "nothing is emitted on the way"),
    .missing("emission.explosiveness", \.emission.explosiveness, .explos, "births are even"),
    .missing("emission.jitter", \.emission.jitter, .explos, "births are even"),
    .missing(
      "emission.lifeOffset", \.emission.lifeOffset, .extra, "particles are born with age 0",
      level: .medium),
    .missing(
      "emission.schedule", \.emission.schedule, .extra, "births are spread over time", .restated),
    .idiom(
      ["sourcePositionx", "sourcePositiony"], "transform.translation",
      "exact; Starling and Cocos Creator do not read it",
      decode: {
        $1.transform.translation = Vector(
          $0.number("sourcePositionx") ?? 0, $0.number("sourcePositiony", times: $0.surroundings.y))
      }, encode: { $0.encodePlace() }),
    .missing(
      "transform.scale", \.transform.scale, .extra, "an emitter has its size", level: .medium),
    .idiom(
      ["sourcePositionVariancex", "sourcePositionVariancey"], "shape",
      "exact: a rect, twice as wide and high", exact: [.shRect, .shLine],
      approximated: [.shDisc, .sh3D]),
    .idiom(
      ["positionType"], "space",
      "0 world, 1 parent, 2 local; absent it is assumed to be 0; Starling does not read it",
      decode: { $1.space = $0.space }, encode: { $0.encodeSpace() }),
    .ignored(
      ["yCoordFlipped"],
      "−1 reflects motion in the origin; Particle Designer's JSON: y points down", from: "x3, pd"),
    .idiom(
      ["angle", "angleVariance"], "launch.direction.angle", "exact; of an orbit, the angle from −x",
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
      "exact: from, to; a `minRadius` of −1 is that at birth, but for Starling"),
    .idiom(["rotatePerSecond", "rotatePerSecondVariance"], "motion.orbit.angularVelocity"),
    .missing(
      "motion.path", \.motion.path, .path, "nothing follows it", .dead, when: { !$0.hasPath }),
    .missing(
      "motion.orbit", \.motion.orbit, .orbit, "nothing follows it", .dead, when: { !$0.isOrbit }),
    .missing(
      "motion.orbitVelocity", \.motion.orbitVelocity, .orbitVel,
      "particles do not turn about the emitter while they fly", when: { !$0.isOrbit }),
    .missing("motion.drift", \.motion.drift, .drift, "there is no wind", when: { !$0.isOrbit }),
    .missing(
      "motion.maxSpeed", \.motion.maxSpeed, .speedCurve, "nothing limits the speed",
      when: { !$0.isOrbit }),
    .missing("motion.orbitAxis", \.motion.orbitAxis, .orbitVel, "there is the plane only", .dead),
    .idiom(
      [
        "startParticleSize", "startParticleSizeVariance", "finishParticleSize",
        "finishParticleSizeVariance",
      ], "size.width",
      "exact: from, to, with `size.aspect` 1, in Starling that of the sprite; a finish of −1 is that at birth, but for Starling",
      from: "x3, st", exact: [.size, .sizeSE, .sizeAbs], approximated: [.sizeCurve],
      decode: { $1.size = $0.size }, encode: { $0.encodeSize() }),
    .missing("size.height", \.size.height, .sizeXY, "the width decides"),
    .missing("size.stretch", \.size.stretch, .stretch, "particles keep their shape"),
    .idiom(
      ["rotationIsDir"], "rotation.align",
      "birth, with an angle that grows by end − start; approximated if there are variances"),
    .idiom(["headToVelocity"], "rotation.align", "velocity", from: "zame"),
    .idiom(
      ["rotationStart", "rotationStartVariance", "rotationEnd", "rotationEndVariance"],
      "rotation.angle", "exact: from, to, negated: files count clockwise", exact: [.rot, .rotSE],
      approximated: [.rotVel, .rotCurve, .rotAcc], decode: { $1.rotation = $0.rotation },
      encode: { $0.encodeRotation() }),
    .missing("rotation.axis", \.rotation.axis, .rot3D, "particles turn in the plane"),
    .idiom(
      colorKeys("startColor") + colorKeys("finishColor"), "color.base",
      "exact: from, to; cocos2d clamps each end and the document what lies between: approximated where a range leaves 0…1 in part",
      from: "x3, st", exact: [.colRand, .colSE],
      approximated: [.colHSB, .grad, .alphaCv, .mix, .initRamp],
      decode: { $1.color.base = $0.color }, encode: { $0.encodeColor() }),
    .idiom(
      ["blendFuncSource", "blendFuncDestination"], "render.blend", "see [Blending](#blending)",
      from: "x3, st", exact: [.blAlpha, .blAdd, .blMul, .blScr, .blCustom, .premult],
      approximated: [.blSub], decode: { $1.render.blend = $0.blend }, encode: { $0.encodeBlend() }),
    .ignored(["blendAdditive"], "what is taken where the factors are absent", from: "files"),
    .idiom(
      ["absolutePosition"], "", "kept if true", from: "files",
      decode: { reader, _ in
        if reader.flag("absolutePosition") == true {
          reader.note(.uninterpreted, "absolutePosition", "where the emitter stands on the stage")
        }
      }),
    .ignored(["textureFileName", "textureImageData"], "a sprite; see [Images](#images)"),
    .missing("render.sort", \.render.sort, .sort, "the youngest are on top"),
    .missing("render.billboard", \.render.billboard, .billb, "particles face the screen"),
    .missing("render.billboardAxis", \.render.billboardAxis, .billb, "particles face the screen"),
    .missing("render.z", \.render.z, .sort, "the youngest are on top"),
    .missing("render.lit", \.render.lit, .soft, "there is no light"),
    .missing("render.soft", \.render.soft, .soft, "there is no depth"),
    .missing("render.blackPass", \.render.blackPass, .soft, "particles are drawn once"),
    .missing("render.writesDepth", \.render.writesDepth, .soft, "there is no depth"),
    .missing("render.layer", \.render.layer, .sort, "there is one layer"),
    .missing("render.order", \.render.order, .sort, "there is one emitter"),
    .missing("render.trail", \.render.trail, .trail, "particles leave nothing behind"),
    .missing("flipbook", \.flipbook, .flip, "an image is all there is to see"),
    .missing(
      "spriteSelection", \.spriteSelection, .randSpr, "there is one image to choose from", .dead,
      when: { $0.emitter.sprites.count < 2 }),
    .idiom([], "physics", "lost", encode: { $0.loseWorld() }),
    .missingTriggers("particles start no other emitter; it starts by itself"),
  ]

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
