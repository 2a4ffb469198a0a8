internal import ParticlesCore
internal import ParticlesModel

/// The emitter configurations of PixiJS: flat keys up to version 4 of the library, a list of
/// behaviours since version 5.
struct PixiFamily: TreeFormat {
  static let sources = [
    (name: "v3", title: "@pixi/particle-emitter 3.2.0, `Emitter.ts` and `Particle.ts`"),
    (name: "v5", title: "@pixi/particle-emitter 5.0.8, `behaviors/` and `upgradeConfig`"),
    (name: "run", title: "recordings of 3.2.0 and 5.0.8"),
    (name: "files", title: "18 published files"),
  ]

  /// Of versions up to 4, with flat keys.
  static let flat = PixiFamily(isFlat: true)
  /// Of version 5, with behaviours.
  static let behaviors = PixiFamily(isFlat: false)

  let engine = "PixiJS"
  let aimsArcs = false
  let imageCount = PixiImages.most
  let keys: PixiKeys
  let table: MappingTable<PixiFamily>

  private init(isFlat: Bool) {
    let keys = PixiKeys(isFlat: isFlat)
    self.keys = keys
    table = MappingTable(
      unit: .pixel, profile: isFlat ? .pixi3 : .pixi5,
      exact: isFlat ? [] : [.texture, .randomSprites],
      approximated: isFlat ? [.severalEmitters, .speed] : [.severalEmitters, .speed, .flipbook],
      Self.rows(isFlat: isFlat).map { row in
        var row = row
        row.keys = keys.listed(row.keys)
        // Behaviours read all of their keys.
        row.unread = keys.isFlat ? row.unread.map { $0.listed(as: keys.listed([$0.key])) } : []
        return row
      })
  }

  var isFlat: Bool { keys.isFlat }
  var name: String { isFlat ? "pixi-legacy" : "pixi" }
  var imagesDetail: String? {
    isFlat ? "files of the older generation name no images, so pass them beside the file" : nil
  }

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    guard root["lifetime"]?.object != nil, (root["behaviors"]?.array != nil) != isFlat else {
      throw Diagnostic(
        .emitterRoot, expected: isFlat ? "'lifetime' without 'behaviors'" : "'behaviors'")
    }
    return [TreeEmitter(path: "", value: root)]
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    keys.completed(emitters.first ?? .object(JSONObject()))
  }

  /// `Emitter.init` and the behaviours have defaults for a few keys, by `||`, `??` or a comparison.
  /// All other numbers go into sums and products as they are.
  func isZeroIfNull(_ path: String) -> Bool {
    let standard = [
      "frequency", "spawnChance", "emitterLifetime", "maxParticles", "particlesPerWave",
    ]
    return !standard.contains(path) && !path.hasSuffix("/minMult")
  }

  /// The behaviour with the list of speeds.
  func speedBehavior(hasPath: Bool) -> String { hasPath && !isFlat ? "movePath" : "moveSpeed" }

  func spelling(of path: String, in emitter: JSONValue?) -> String? {
    keys.spelling(of: path, in: emitter)
  }
}

extension ParticleFormat {
  /// Configurations with behaviours, for version 5 of the library.
  public static let pixi = ParticleFormat(
    PixiFamily.behaviors, in: JSONTree.self, title: "PixiJS particle emitter",
    extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"behaviors\""), bytes.contains("\"lifetime\""),
      let root = try? JSONTree(decoding: bytes, limits: .standard).value
    else { return false }
    return root["lifetime"] != nil && root["behaviors"] != nil
  }.declaring(.pixi)

  /// Configurations with flat keys, for versions up to 4.
  public static let pixiLegacy = ParticleFormat(
    PixiFamily.flat, in: JSONTree.self, title: "PixiJS particle emitter, up to version 4",
    extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"lifetime\""), !bytes.contains("\"behaviors\""),
      let root = try? JSONTree(decoding: bytes, limits: .standard).value
    else { return false }
    let keys = ["startRotation", "spawnType", "frequency", "emitterLifetime"]
    return root["lifetime"] != nil && keys.contains { root[$0] != nil }
  }.declaring(.pixiLegacy)
}

extension TreeReader<PixiFamily> {
  /// A list of numbers as a track.
  func track(_ path: String, times factor: Value = 1) -> Track? {
    guard let list = PixiList(self[path]) else { return nil }
    let points = list.points.compactMap { point in
      number(point.value, path).map { (time: point.time, value: $0) }
    }
    guard !points.isEmpty else { return nil }
    var track = Track(points: points, times: factor)
    if let ease = ease(of: list, path), track.to != nil {
      if format.isFlat, points.count > 2, !ease.isMonotonic {
        let values = points.map { $0.value }
        track = Track(
          points: ease.advancing(points.map { $0.time }, isStepped: list.isStepped).map { point in
            let next = min(point.index + 1, values.count - 1)
            let change = (values[next] - values[point.index]) * point.share
            return (point.time, (values[point.index] + change).rounded)
          }, times: factor)
      } else {
        track.warp = ease.curve
      }
    }
    if list.isStepped, track.to != nil { track.curve.interpolation = .step }
    return track
  }

  /// The easing of a list: first the easing of the emitter, which acts on all lists, then its own.
  /// - Returns: nil if there is none.
  private func ease(of list: PixiList, _ path: String) -> PixiEase? {
    let eases = [self["ease"], list.ease].compactMap { $0 }.filter { $0 != .string("linear") }
    let known = eases.compactMap { PixiEase($0) }
    if known.count < eases.count {
      note(.uninterpreted, path, "an easing function that is not a list of segments")
    }
    guard let first = known.first else { return nil }
    return known.dropFirst().reduce(first) { $0.followed(by: $1) }
  }

  /// The factor of a list for each particle. A least factor of 0 is 1 in the older generation: `|| 1`.
  func factor(_ behavior: String) -> Value {
    let least = number("\(behavior)/minMult", 1)
    return .between(format.isFlat && least == 0 ? 1 : least, 1)
  }

  func colors(_ path: String) -> ColorTrack? {
    guard let list = PixiList(self[path]) else { return nil }
    let keys = list.points.compactMap { point in
      color(point.value, path).map { GradientKey(point.time, $0) }
    }
    guard let first = keys.first else { return nil }
    if keys.allSatisfy({ $0.color == first.color }) { return ColorTrack(.constant(first.color)) }
    let gradient = Gradient(keys, list.isStepped ? .step : .linear)
    guard let ease = ease(of: list, path) else { return ColorTrack(gradient: gradient) }
    guard format.isFlat, keys.count > 2, !ease.isMonotonic else {
      return ColorTrack(gradient: ease.applied(to: gradient))
    }
    let points = ease.advancing(keys.map { $0.time }, isStepped: list.isStepped)
    return ColorTrack(
      gradient: Gradient(
        points.map { point in
          let (from, to) = (
            keys[point.index].color, keys[min(point.index + 1, keys.count - 1)].color
          )
          let channels = zip(from.channels, to.channels).map {
            Interval.unit.clamp($0 + ($1 - $0) * point.share)
          }
          return GradientKey(point.time.rounded, Color(channels))
        }, gradient.interpolation))
  }

  func color(_ value: JSONValue, _ path: String) -> Color? {
    let color = PixiList.color(value)
    if color == nil {
      note(.assumed, path, "a colour that cannot be read is white", found: value.shortExcerpt)
    }
    return color
  }
}

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
      "exact: 1 / frequency, first at 0. More than one particle a wave is a burst that repeats",
      from: "v3, run", exact: [.rate, .burst], approximated: [.randomRate, .rateCurve, .burstList],
      decode: { $1.emission = $0.emission }, encode: { $0.encodeEmission() }),
    .idiom(
      ["spawnChance"], "emission.probability", "exact", from: "v3", exact: [.probability],
      // A chance beyond 0 to 1 is never or always met.
      decode: { $1.emission.probability = Interval.unit.clamp($0.number("spawnChance", 1)) },
      encode: { $0.set("spawnChance", $0.emitter.emission.probability) }),
    .idiom(
      ["emitterLifetime"], "timing.duration", "exact, 0 or less is endless", from: "v3, files",
      exact: [.duration], approximated: [.loop, .total],
      decode: { reader, emitter in
        let life = reader.number("emitterLifetime", -1)
        emitter.timing.duration = life > 0 ? .constant(life) : nil
      }),
    .idiom(
      ["maxParticles"], "emission.maxAlive", "exact, 1000 if absent. Waves beyond it are lost",
      from: "v3", exact: [.aliveLimit],
      decode: { reader, emitter in
        emitter.emission.maxAlive = min(max(reader.integer("maxParticles") ?? 1000, 0), 1_000_000)
      }),
    .idiom(
      ["pos.x", "pos.y"], "transform.translation", "exact, y points down", from: "v3",
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
      "acts on every list, colours too, before the ease of the list. A named function is kept",
      from: "v3"),
  ]

  private static let motion: [Row<PixiFamily>] =
    [
      .idiom(
        ["moveSpeed/speed", "moveSpeed/minMult", "moveSpeedStatic/min", "moveSpeedStatic/max"],
        "launch.speed, motion.speed",
        "exact: a list replaces the speed, times a factor for each particle. Equal ends are a start speed",
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
        "exact, y points down. The speed then applies at the start only", from: "v3, v5, run",
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
        "exact, clockwise: also the rotation of the image. Files before version 1 call it `angle`",
        from: "v3, v5, files", exact: [.spread2D], approximated: [.rotation, .cone3D],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .idiom(
        ["rotation/minSpeed", "rotation/maxSpeed", "rotation/accel", "noRotation/"],
        "rotation.velocity, rotation.acceleration",
        "exact, clockwise. `noRotation` is `align` none", from: "v3, v5, run",
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
      .idiom([], "forces", "one acceleration, other forces are lost"),
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
      "exact: first, random, sequence. An animation over life is life, other animations are their images",
      from: "v5", decode: { $0.decodeSelection(of: &$1) }, encode: { $0.encodeSprites() })
  ]
}
