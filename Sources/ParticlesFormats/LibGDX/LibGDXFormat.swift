internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The effects of libGDX's two-dimensional particle editor, in both generations: the older one has
/// one scale and one image.
struct LibGDXFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "libGDX 1.9.8 and 1.12, `ParticleEmitter.java` and `ParticleEffect.java`"),
    (name: "run", title: "recordings of libGDX 1.9.8"),
    (name: "files", title: "14 published files"),
  ]

  static let shared = LibGDXFamily()

  let name = "libgdx"
  let engine = "libGDX"
  let holdsAll = true
  let imageCount = 64
  let identityKey = "name"
  // The share of the upper range: it decides whether the lower one counts.
  let jointKey: String? = "scaling"
  let table = MappingTable<LibGDXFamily>(
    unit: .pixel, profile: .libgdx, exact: [.texture, .severalEmitters], approximated: [.speed],
    rows)

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    let emitters = root["emitters"]?.array ?? []
    guard emitters.contains(where: { $0["Emission"] != nil }) else {
      throw Diagnostic(.emitterRoot, expected: "the block '- Emission -'", found: "no such block")
    }
    return emitters.enumerated().map {
      TreeEmitter(path: "emitters[\($0)]", value: $1, name: $1["name"]?.string)
    }
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    ["emitters": .array(emitters)]
  }

  func sprites(of reader: TreeReader<LibGDXFamily>) throws(Failure) -> [TreeSprite] {
    let key = reader.has("Image Paths") ? "Image Paths" : "Image Path"
    let names = (reader.array(key) ?? []).compactMap { $0.string }.filter { !$0.trimmed.isEmpty }
    if names.isEmpty { reader.note(.emitterMissing, key, "the name of an image") }
    return names.map { TreeSprite(path: key, references: [$0.trimmed]) }
  }
}

extension ParticleFormat {
  /// Effects of libGDX.
  public static let libGDX = ParticleFormat(
    LibGDXFamily.shared, in: LibGDXSyntax.self, title: "libGDX particle effect", extensions: ["p"]
  ) { bytes, _ in
    let start = Array(bytes.prefix(4096))
    return start.contains("- Delay -") && start.contains("- Duration -")
  }.declaring(.libGDX)
}

extension TreeReader<LibGDXFamily> {
  /// Blocks that the engine always uses, because it does not read their switch.
  private static let alwaysActive: Set = [
    "Duration", "Emission", "Life", "Spawn Width", "Spawn Height", "Scale", "X Scale",
    "Transparency",
  ]

  private func isActive(_ block: String) -> Bool {
    has(block) && (Self.alwaysActive.contains(block) || flag("\(block).active") ?? true)
  }

  /// A block of ranges and a curve. Nil if it is absent or not active.
  /// - Parameter isWhole: whether the engine cuts the ranges to whole numbers.
  func scaled(
    _ block: String, scope: Scope = .particle, times factor: Double = 1,
    isWhole: Bool = false
  ) -> LibGDXScaled? {
    guard isActive(block) else { return nil }
    func range(_ end: String) -> Value {
      let (a, b) = (cut("\(block).\(end)Min", isWhole), cut("\(block).\(end)Max", isWhole))
      return .between(a * factor, b * factor, scope: scope)
    }
    var scaled = LibGDXScaled(low: range("low"), high: range("high"))
    scaled.isRelative = flag("\(block).relative") ?? false
    let heights = numbers("\(block).scaling")
    let times = numbers("\(block).timeline")
    let points = zip(times, heights).map { (time: $0, value: $1) }
    if !points.isEmpty { scaled.points = points }
    // The engine extends the first line to the start.
    if points.count > 1, points[0].time > 0, points[1].time > points[0].time {
      let slope = (points[1].value - points[0].value) / (points[1].time - points[0].time)
      scaled.points.insert((0, (points[0].value - slope * points[0].time).rounded), at: 0)
    }
    if heights.count != times.count {
      note(
        .assumed, "\(block).scaling", "points without a time or a value are ignored",
        found: "\(heights.count) values and \(times.count) times")
    }
    return scaled
  }

  private func cut(_ name: String, _ isWhole: Bool) -> Double {
    let number = number(name, 0)
    guard isWhole, number != number.rounded(.towardZero) else { return number }
    note(
      .clamped, name, "libGDX cuts it to a whole number", found: shortText(number),
      severity: .note)
    return number.rounded(.towardZero)
  }

  func ranged(_ block: String, times factor: Double = 1, scope: Scope = .particle) -> Value? {
    guard isActive(block) else { return nil }
    return range("\(block).lowMin", "\(block).lowMax", scope: scope, times: factor)
  }
}

extension EmitterWriter<LibGDXFamily> {
  /// The emitter in the source file is of the generation with one scale and one image.
  var isOld: Bool {
    surroundings.origin?["Scale"] != nil && surroundings.origin?["X Scale"] == nil
  }

  mutating func setRange(_ block: String, _ bounds: (least: Double, most: Double)) {
    set("\(block).lowMin", bounds.least)
    set("\(block).lowMax", bounds.most)
  }

  /// - Parameter hasSwitch: whether the block can be inactive.
  mutating func setScaled(
    _ block: String, low: (least: Double, most: Double) = (0, 0),
    high: (least: Double, most: Double), isRelative: Bool = false,
    points: [(time: Double, value: Double)] = [(0, 1)], hasSwitch: Bool = false
  ) {
    if hasSwitch { set("\(block).active", flag: true) }
    setRange(block, low)
    set("\(block).highMin", high.least)
    set("\(block).highMax", high.most)
    set("\(block).relative", flag: isRelative)
    set("\(block).scaling", .array(points.map { format.real($0.value) }))
    set("\(block).timeline", .array(points.map { format.real($0.time) }))
  }

  /// Writes a value over a period of the emitter.
  mutating func setValue(
    _ block: String, _ value: Value, _ capability: Capability, at place: String,
    scope: Scope = .cycle, times factor: Double = 1, hasSwitch: Bool = false
  ) {
    func times(_ bounds: (least: Double, most: Double)) -> (least: Double, most: Double) {
      ((bounds.least * factor).rounded, (bounds.most * factor).rounded)
    }
    guard case .ramp(let ramp) = value else {
      let bounds = bounds(of: value, capability, at: place, scope: scope)
      return setScaled(block, high: times(bounds), hasSwitch: hasSwitch)
    }
    let low = self.bounds(of: ramp.low, capability, at: place, scope: ramp.low.scope)
    let high = self.bounds(of: ramp.high, capability, at: place, scope: ramp.high.scope)
    var points = ramp.curve.linearPoints
    if points == nil {
      points = Curve.through(16, ramp.curve.value).linearPoints
      lose(
        .approximated, .rateCurve, at: place, "only lines between points are supported",
        recipe: "17 points", level: .low)
    }
    setScaled(
      block, low: times(low), high: times(high), isRelative: ramp.relative,
      points: points ?? [(0, 1)], hasSwitch: hasSwitch)
  }

  /// Writes a track over the life of a particle.
  mutating func setTrack(
    _ block: String, _ track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1, hasSwitch: Bool = false
  ) {
    func times(_ bounds: (least: Double, most: Double)) -> (least: Double, most: Double) {
      ((bounds.least * factor).rounded, (bounds.most * factor).rounded)
    }
    if track.isPlainCurve, track.to == nil {
      if case .ramp = track.from {
        return setValue(
          block, track.from, capability, at: place, times: factor, hasSwitch: hasSwitch)
      }
      let bounds = bounds(of: track.from, capability, at: place)
      return setScaled(block, high: times(bounds), hasSwitch: hasSwitch)
    }
    if track.isPlainCurve, let to = track.to, let points = track.curve.linearPoints {
      let low = bounds(of: track.from, capability, at: place)
      let high = bounds(of: to, capability, at: place)
      if .lines(points) != track.curve, !hasLine(at: place) {
        lose(.restated, capability, at: place, "written as points with lines between them")
      }
      return setScaled(
        block, low: times(low), high: times(high), isRelative: track.relative, points: points,
        hasSwitch: hasSwitch)
    }
    let points = points(of: track, capability, at: place).points
    let most = points.map { $0.value.magnitude }.max() ?? 0
    let sign = points.allSatisfy { $0.value <= 0 } ? -1.0 : 1
    setScaled(
      block, high: times((most * sign, most * sign)),
      points: most == 0
        ? [(0, 1)] : points.map { ($0.time, ($0.value / most * sign).rounded) },
      hasSwitch: hasSwitch)
  }
}

extension LibGDXFamily {
  static let rows: [Row<LibGDXFamily>] =
    [
      .idiom(
        ["name"], "name of the emitter", "exact, with spaces for control characters", from: "src",
        encode: { $0.set("name", .string($0.emitter.name)) }),
      .idiom(
        ["Delay.active", "Delay.lowMin", "Delay.lowMax"], "timing.delay",
        "exact, in ms. Also `timing.idle` if the emitter is continuous", exact: [.delay, .idle],
        decode: { $1.timing.delay = $0.ranged("Delay", times: 0.001, scope: .cycle) ?? 0 },
        encode: { $0.encodeDelay() }),
      .idiom(
        ["Duration.active", "Duration.lowMin", "Duration.lowMax"], "timing.duration",
        "exact, in ms",
        exact: [.duration, .loop], decode: { $1.timing = $0.timing($1.timing) },
        encode: { $0.encodeDuration() }),
      .idiom(
        ["Count.min", "Count.max"], "emission.minAlive, emission.maxAlive",
        "exact. Emission beyond it is lost", from: "src, run", exact: [.aliveLimit],
        approximated: [.burst, .total],
        decode: {
          $1.emission.minAlive = min(max($0.integer("Count.min") ?? 0, 0), 1_000_000_000)
          $1.emission.maxAlive = min(max($0.integer("Count.max") ?? 4, 0), 1_000_000_000)
        }, encode: { $0.encodeCount() }),
      .idiom(
        ["Emission"], "emission.rate",
        "exact: a ramp over a period, sampled once, cut to whole numbers", from: "src, run",
        exact: [.rate, .randomRate, .rateCurve], approximated: [.probability],
        decode: { reader, emitter in
          emitter.emission.rate =
            reader.scaled("Emission", scope: .cycle, isWhole: true)?.value(.cycle).notNegative ?? 0
        }, encode: { $0.encodeRate() }),
      .idiom(
        ["Life"], "lifetime",
        "exact, in ms: a ramp over a period, sampled once in a period unless `independent`",
        from: "src, run", exact: [.life],
        decode: { $1.lifetime = $0.life("Life") ?? 1 }, encode: { $0.encodeLife() }),
      .idiom(
        ["Life Offset"], "emission.lifeOffset", "exact, in ms, as `Life`",
        decode: { $1.emission.lifeOffset = $0.life("Life Offset") ?? 0 },
        encode: { writer in
          let offset = writer.emitter.emission.lifeOffset
          writer.encodeLife("Life Offset", offset, at: "emission.lifeOffset", hasSwitch: true)
        }),
      .idiom(
        ["X Offset", "Y Offset"], "shape.transform.translation, shape.offset",
        "exact. A range of a point is a rect", from: "src, run",
        exact: [.shapeRectangle, .shapeOffset],
        approximated: [.place], encode: { $0.encodeOffset() }),
      .idiom(
        ["Spawn Shape.shape", "Spawn Shape.edges", "Spawn Shape.side"], "shape.type",
        "`point`, `square` (rect), `line` (from the emitter), `ellipse`, with `edges` its edge, of which `top` and `bottom` are halves",
        exact: [.shapeLine, .shapeDisc], approximated: [.shapeRing, .shape3D, .shapePoints],
        decode: { $1.shape = $0.shape }, encode: { $0.encodeShape() }),
      .idiom(
        ["Spawn Width", "Spawn Height"], "shape.size, shape.radii, shape.length, shape.extent",
        "exact: the greatest size, and a ramp over a period, sampled once, as its factor",
        from: "src, run", exact: [.shapeCurve]),
      .idiom(
        ["X Scale", "Scale"], "size.width", "exact: pixels, `Scale` in the older generation",
        from: "src, files", exact: [.size, .randomEndSize, .sizeCurve, .absoluteSize],
        decode: { reader, emitter in
          let block = reader.has("X Scale") ? "X Scale" : "Scale"
          if let width = reader.scaled(block)?.track { emitter.size.width = width }
        }, encode: { $0.encodeSize() }),
      .idiom(
        ["Y Scale"], "size.height", "exact. If inactive, from the aspect ratio of the image",
        exact: [.widthAndHeight], decode: { $1.size.height = $0.scaled("Y Scale")?.track }),
      .idiom(
        ["Velocity"], "launch.speed, motion.speed",
        "exact. A curve of several points is `motion.speed` with `replace`", from: "src, run",
        exact: [.speedRange, .speedCurve], approximated: [.linearAcceleration],
        decode: { $0.decodeVelocity(of: &$1) }, encode: { $0.encodeVelocity() }),
      .idiom(
        ["Angle"], "launch.direction.angle, motion.direction",
        "exact. A curve of several points is `motion.direction`", from: "src, run",
        exact: [.spread2D, .directionCurve],
        approximated: [.cone3D, .directionNormal],
        decode: { $0.decodeAngle(of: &$1) }, encode: { $0.encodeAngle() }),
      .idiom(
        ["Rotation"], "rotation.angle", "exact",
        exact: [.rotation, .randomEndRotation, .rotationCurve],
        approximated: [.rotationSpeed, .angularAcceleration],
        decode: { if let angle = $0.scaled("Rotation")?.track { $1.rotation.angle = angle } },
        encode: { $0.encodeRotation() }),
      .idiom(
        ["Wind", "Gravity"], "motion.drift",
        "exact: speeds along x and y, not accelerations. Without `Velocity` they do not act",
        from: "src, run", exact: [.drift], approximated: [.gravity],
        decode: { reader, emitter in
          guard reader.scaled("Velocity") != nil else { return }
          emitter.motion.drift = VectorTrack(
            reader.scaled("Wind")?.track ?? 0, reader.scaled("Gravity")?.track ?? 0, 0)
        }, encode: { $0.encodeDrift() }),
      .idiom(
        ["Tint.colors", "Tint.timeline"], "color.base", "exact: a gradient", exact: [.gradient],
        approximated: [
          .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix,
        ],
        decode: { $1.color.base = $0.tint }, encode: { $0.encodeTint() }),
      .idiom(
        ["Transparency"], "color.opacity", "exact. `relative` has no effect",
        exact: [.opacityCurve],
        decode: { reader, emitter in
          guard var scaled = reader.scaled("Transparency") else { return }
          scaled.isRelative = false
          emitter.color.opacity = scaled.track
        }),
      .idiom(
        ["Options.attached"], "space", "true is local, false world", exact: [.space],
        decode: { $1.space = $0.flag("Options.attached", false) ? .local : .world },
        encode: { writer in
          writer.set("Options.attached", flag: !writer.isInWorld())
        }),
      .idiom(
        ["Options.continuous"], "timing.loop", "exact. With a duration of 0, endless",
        encode: { writer in
          let timing = writer.emitter.timing
          writer.set("Options.continuous", flag: timing.loop || timing.duration == nil)
        }),
      .idiom(
        ["Options.aligned"], "rotation.align",
        "birth, or velocity if `Angle` and `Rotation` have more than one point. No effect if only `Angle` has",
        from: "src, run", exact: [.align], decode: { $1.rotation.align = $0.alignment }),
      .idiom(
        ["Options.additive", "Options.premultipliedAlpha"], "render.blend",
        "add or premultiplied. Both are the factors 1, 1. Neither is alpha",
        exact: [.blendAlpha, .blendAdditive, .premultipliedAlpha],
        approximated: [.blendMultiply, .blendScreen, .blendSubtractive, .blendFactors],
        decode: { $1.render.blend = $0.blend }, encode: { $0.encodeBlend() }),
      .idiom(
        ["Options.behind"], "", "kept if true: the program decides on the drawing order",
        decode: { reader, _ in
          if reader.flag("Options.behind", false) {
            reader.note(.uninterpreted, "Options.behind", "a mark for the program")
          }
        }, encode: { $0.set("Options.behind", flag: false) }),
      .idiom(
        ["Options.spriteMode"], "spriteSelection", "single: first, random, animated: life",
        exact: [.randomSprites],
        decode: { reader, emitter in
          emitter.spriteSelection = reader.choice(
            "Options.spriteMode", ["single": .first, "random": .random, "animated": .life])
        }, encode: { $0.encodeSprites() }),
      .ignored(
        ["Image Paths", "Image Path"], "sprites. A path is a name in the folder of the file"),
      .idiom([], "forces", "gravity as a speed that grows, others are lost"),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.idle", "timing.loop", "emission.minAlive", "emission.maxAlive",
      "emission.probability", "emission.lifeOffset", "space", "motion.drift", "motion.speed",
      "motion.direction",
      "size.height", "rotation.velocity", "rotation.acceleration",
      "rotation.align", "rotation.alignOffset", "spriteSelection",
    ])
}
