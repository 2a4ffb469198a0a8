internal import ParticlesCore
internal import ParticlesModel

/// The particle effects of Defold.
struct DefoldFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "Defold 1.6, `particle.cpp`, `particle_private.h`, `particle_ddf.proto`"),
    (name: "man", title: "Defold manual, Particle effects"),
    (name: "files", title: "14 published files"),
  ]

  static let shared = DefoldFamily()

  /// The channels of colours, in the names of properties.
  static let channels = ["RED", "GREEN", "BLUE", "ALPHA"]

  let name = "defold"
  let engine = "Defold"
  let holdsAll = true
  let identityKey = "key"
  let writesRegions = false
  let clampsLives = true
  let table = MappingTable<DefoldFamily>(
    unit: .pixel, profile: .defold, exact: [.severalEmitters], approximated: [.speed, .texture],
    rows)

  func adapt(_ writer: inout EmitterWriter<DefoldFamily>) {
    writer.endAtTotal()
    writer.turnLaunch(toPlane: true, keepingNormalsOf: [.sphere, .cone])
    // Triangles open upwards, and the particles of boxes go up.
    writer.aimShape(
      by: AimingShapes(arcAngle: 90, arcShare: 0.5, widestArc: 178, boxAngle: 90))
  }

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    guard let emitters = root["emitters"]?.array, !emitters.isEmpty else {
      throw Diagnostic(.emitterRoot, expected: "'emitters'", found: "no emitter")
    }
    return emitters.enumerated().map {
      TreeEmitter(path: "emitters[\($0)]", value: $1, name: $1["id"]?.string ?? "emitter")
    }
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    ["emitters": .array(emitters)]
  }

  func sprites(of reader: TreeReader<DefoldFamily>) throws(Failure) -> [TreeSprite] {
    guard let name = reader.text("animation") else { return [] }
    var sprite = TreeSprite(path: "animation", references: ["\(name).png"])
    if let source = reader.text("tile_source") {
      if source.hasSuffix(".atlas") {
        sprite.list = (
          source, { bytes throws(Failure) in try Self.images(of: name, inAtlas: bytes) }
        )
      } else if source.hasSuffix(".tilesource") || source.hasSuffix(".tileset") {
        sprite.list = (
          source, { bytes throws(Failure) in try Self.images(of: name, inTiles: bytes) }
        )
      }
    }
    return [sprite]
  }

  /// The images of an animation of an atlas, or the image of this name.
  private static func images(
    of animation: String, inAtlas bytes: [UInt8]
  ) throws(Failure) -> [ListedImage] {
    let atlas = try ProtoTextSyntax(decoding: bytes, limits: .untrusted).value
    func names(_ value: JSONValue?) -> [String] {
      value?["images"]?.array?.compactMap { $0["image"]?.string } ?? []
    }
    let own = atlas["animations"]?.array?.first { $0["id"]?.string == animation }
    let frames = names(own)
    let all = frames + names(atlas).filter { Files.stem(of: $0) == animation }
    let play = own.flatMap(playback)
    return all.prefix(1).map {
      ListedImage(
        name: $0, play: play, frames: max(frames.count, 1),
        isReversed: own.map(isReversed) ?? false,
        files: play != nil && frames.count < 10_000 ? frames : [])
    }
  }

  /// How an animation is played, or nil. Played once, it takes the life of the particle (`particle.cpp`,
  /// `GenerateVertexData`). Atlases and tile sources play once at 30 frames a second by default.
  private static func playback(of animation: JSONValue) -> Flipbook? {
    let name = animation["playback"]?.string ?? "PLAYBACK_ONCE_FORWARD"
    guard name != "PLAYBACK_NONE" else { return nil }
    var play = Flipbook()
    let isOnce = name.contains("_ONCE_")
    play.mode = name.hasSuffix("PINGPONG") ? .pingpong : isOnce ? .once : .loop
    let rate = animation["fps"]?.double ?? 30
    play.fps = isOnce ? .life : .fixed(.constant(min(max(rate, 0), 1_000)))
    return play
  }

  private static func isReversed(_ animation: JSONValue) -> Bool {
    animation["playback"]?.string?.hasSuffix("BACKWARD") ?? false
  }
}

extension DefoldFamily {
  /// The first tile of an animation of a tile source. Empty if it has no such animation.
  fileprivate static func images(
    of animation: String, inTiles bytes: [UInt8]
  ) throws(Failure) -> [ListedImage] {
    let source = try ProtoTextSyntax(decoding: bytes, limits: .untrusted).value
    guard let image = source["image"]?.string,
      let own = source["animations"]?.array?.first(where: { $0["id"]?.string == animation })
    else { return [] }
    func number(_ key: String) -> Double { source[key]?.double ?? 0 }
    let first = max(Int(saturating: own["start_tile"]?.double ?? 1), 0)
    let last = max(Int(saturating: own["end_tile"]?.double ?? Double(first)), 0)
    let tile = ListedImage.Tile(
      index: first - 1,
      width: number("tile_width"),
      height: number("tile_height"), margin: number("tile_margin"),
      spacing: number("tile_spacing"))
    return [
      ListedImage(
        name: image, tile: tile, play: playback(of: own),
        frames: last > first && last - first < 10_000 ? last - first + 1 : 1,
        isReversed: isReversed(own))
    ]
  }
}

extension ParticleFormat {
  /// Particle effects of Defold.
  public static let defold = ParticleFormat(
    DefoldFamily.shared, in: ProtoTextSyntax.self, title: "Defold particle effect",
    extensions: ["particlefx"]
  ) { bytes, _ in
    bytes.contains("emitters") && bytes.contains("EMITTER_TYPE_") && !bytes.beginsWithText("<")
  }.declaring(.defold)
}

extension TreeReader<DefoldFamily> {
  /// A property by the name of its key. Nil if it is absent.
  func curve(_ list: String, _ key: String) -> DefoldCurve? {
    let path = "\(list)[\(key)]"
    guard self[path] != nil else { return nil }
    return DefoldCurve(
      points: self["\(path).points"]?.array ?? [],
      spread: number("\(path).spread", 0).magnitude)
  }

  func emitterCurve(_ key: String) -> DefoldCurve? { curve("properties", "EMITTER_KEY_\(key)") }

  func lifeCurve(_ key: String) -> DefoldCurve? {
    curve("particle_properties", "PARTICLE_KEY_\(key)")
  }

  func initial(_ key: String, _ standard: Double = 0) -> Value {
    emitterCurve("PARTICLE_\(key)")?.value ?? .constant(standard)
  }

  /// A size of the shape: the greatest size over a period, and its factor at each time.
  func extent(_ key: String) -> (size: Double, factor: Value) {
    guard let curve = emitterCurve(key) else { return (0, 1) }
    let value = curve.value
    let most = max(value.bounds.upper.magnitude, value.bounds.lower.magnitude)
    guard !value.isConstant, case .ramp(var ramp) = value else {
      return (most.rounded, value.isConstant ? 1 : value.mapped { $0 / most })
    }
    ramp.low = ramp.low.mapped { $0 / most }
    ramp.curve = ramp.curve.multiplied(by: 1 / most)
    return (most, .ramp(ramp))
  }

  func choice<Choice>(_ key: String, _ choices: [(String, Choice)], _ standard: Choice) -> Choice {
    guard let name = text(key) else { return standard }
    if let known = choices.first(where: { name.hasSuffix($0.0) }) { return known.1 }
    note(unknown: name, key, "the standard value is used", known: choices.map { "…\($0.0)" })
    return standard
  }
}

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
        "the image of this name, or the images of this animation, in the atlas, or the tiles of the animation in the tile source. Without these, the name of a file. Both are kept",
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
        "CIRCLE and SPHERE outwards from the centre, BOX up, CONE, 2DCONE as a sector in place of the triangle",
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
        "exact: a size, times a curve over life. With SIZE_MODE_AUTO, the size of the image",
        from: "src",
        exact: [.size, .sizeCurve, .absoluteSize], approximated: [.randomEndSize],
        decode: { $0.decodeSize(of: &$1) }, encode: { $0.encodeSize() }),
      .idiom(
        ["stretch_with_velocity"]
          + emitterKeys("PARTICLE_STRETCH_FACTOR_X", "PARTICLE_STRETCH_FACTOR_Y")
          + lifeKeys("STRETCH_FACTOR_X", "STRETCH_FACTOR_Y"), "size.stretch",
        "exact: factors that are added. With the velocity, approximated", from: "src",
        approximated: [.stretch],
        decode: { $0.decodeStretch(of: &$1) }, encode: { $0.encodeStretch() }),
      .idiom(
        emitterKeys("PARTICLE_ROTATION", "PARTICLE_ANGULAR_VELOCITY")
          + lifeKeys("ROTATION", "ANGULAR_VELOCITY"), "rotation.angle, rotation.velocity",
        "exact: a start, plus a curve over life. Images turn with the emitter", from: "src",
        exact: [.rotation, .rotationCurve, .rotationSpeed],
        approximated: [.randomEndRotation, .angularAcceleration]),
      .idiom(
        emitterKeys("PARTICLE_RED", "PARTICLE_GREEN", "PARTICLE_BLUE", "PARTICLE_ALPHA")
          + lifeKeys("RED", "GREEN", "BLUE", "ALPHA"), "color.base",
        "exact: a colour with spreads, times a gradient of four curves. A curve over the period becomes its mean",
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
