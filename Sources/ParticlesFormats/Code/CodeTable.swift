internal import ParticlesCore
internal import ParticlesModel

// The mapping table of code: the values, and the properties of the document.

extension CodeFamily {
  static func table(of target: Target) -> MappingTable<CodeFamily> {
    MappingTable(
      unit: unit(of: target), exact: [.texture],
      approximated: target == .unity
        ? [.severalEmitters, .space, .frame2D] : [.severalEmitters, .space, .frame2D, .speed],
      emission(target) + place(target) + motion(target) + look(target))
  }

  private static func emission(_ target: Target) -> [Row<CodeFamily>] {
    let source = citation(of: target)
    let hasLoops = target == .unity || target == .realityKit
    var rows: [Row<CodeFamily>] = [
      .idiom(
        ["name"], "name of the emitter", from: source,
        encode: { if !$0.emitter.name.isEmpty { $0.set("name", .text($0.emitter.name)) } }),
      .idiom(
        ["rate"], "emission.rate", "exact, particles per second", from: source, exact: [.rate],
        approximated: [.probability],
        decode: { $1.emission.rate = .constant($0.number("rate", 0, atLeast: 0)) },
        encode: { $0.encodeRate() }),
      .idiom(
        hasLoops ? ["duration", "loops", "idle"] : ["duration"], "timing.duration",
        "exact. −1 is endless", from: source,
        exact: target == .realityKit
          ? [.duration, .loop, .idle] : hasLoops ? [.duration, .loop] : [.duration],
        approximated: hasLoops ? [] : [.loop],
        decode: { $0.decodePeriod(of: &$1) }, encode: { $0.encodePeriod() }),
      .idiom(
        target == .unity ? ["bursts"] : target == .coreAnimation ? [] : ["burst"],
        "emission.bursts",
        target == .unity
          ? "exact: time, count, cycles, interval and probability"
          : target == .coreAnimation ? "lost" : "one burst at the start", from: source,
        exact: target == .unity ? [.burst, .burstList] : [],
        approximated: target == .unity || target == .coreAnimation ? [] : [.burst, .burstList],
        decode: { $0.decodeBursts(of: &$1) }, encode: { $0.encodeBursts() }),
      .value("life", "lifetime", { $1(&$0.lifetime) }, .life, standard: 1, from: source),
      .missing("enabled", "the emitter is always enabled"),
      .missing("timing.fixedStep"),
      .missing("emission.ratePerDistance"),
      .missing("emission.minAlive", as: .extra, level: .low),
      .missing("emission.total"),
      .missing("emission.explosiveness"),
      .missing("emission.jitter"),
      .missing("emission.lifeOffset"),
      .missing(
        "emission.schedule", "the engine decides when particles are emitted", rule: .dead, as: .rate
      ),
    ]
    rows += limits(target, source)
    if target == .coreAnimation || target == .unity {
      rows.append(
        .idiom(
          ["delay"], "timing.delay", from: source, exact: [.delay],
          decode: { $1.timing.delay = .constant($0.number("delay", 0, atLeast: 0)) },
          encode: { $0.encodeDelay() }))
    } else {
      rows.append(.missing("timing.delay"))
    }
    if target == .realityKit {
      rows.append(
        .number(
          "warmUp", "timing.prewarm", { $1(&$0.timing.prewarm) }, atLeast: 0, exact: [.prewarm],
          from: source))
    } else {
      rows.append(.missing("timing.prewarm"))
    }
    if target == .unity {
      rows.append(
        .number(
          "pace", "timing.speed", { $1(&$0.timing.speed) }, standard: 1, atLeast: 0,
          exact: [.speed], from: source))
    } else {
      rows.append(.missing("timing.speed"))
    }
    return rows
  }

  private static func limits(_ target: Target, _ source: String) -> [Row<CodeFamily>] {
    let detail = "particle count is unbounded"
    let hasCapacity = target == .unity || target == .love
    let whenFull = Row<CodeFamily>.idiom(
      [], "emission.whenFull", "skip. Others are lost", from: source,
      encode: {
        $0.drop(
          "emission.whenFull", hasCapacity ? "particles beyond the limit are not emitted" : detail,
          rule: $0.emitter.emission.maxAlive == nil ? .dead : hasCapacity ? .restated : .lost)
      })
    guard hasCapacity else {
      return [
        .missing("emission.maxAlive", detail), whenFull,
      ]
    }
    return [
      .idiom(
        ["capacity"], "emission.maxAlive",
        target == .love ? "exact, at least 1. Without one, the number that can be alive" : "exact",
        from: source, exact: [.aliveLimit],
        decode: { reader, emitter in
          emitter.emission.maxAlive = reader.number("capacity").map {
            Int(saturating: min(max($0, 0), 1e9))
          }
        },
        encode: { $0.encodeCapacity() }), whenFull,
    ]
  }

  private static func place(_ target: Target) -> [Row<CodeFamily>] {
    let source = citation(of: target)
    let hasPlace = target == .coreAnimation || target == .love
    let isSpatial = target == .realityKit || target == .unity
    return [
      .idiom(
        hasPlace ? ["x", "y"] : [], hasPlace ? "transform.translation" : "transform",
        hasPlace
          ? "exact"
          : "a scale is multiplied into lengths. Otherwise lost: the program places the emitter",
        from: source, approximated: [.place],
        decode: {
          $1.transform.translation = Vector($0.number("x") ?? 0, $0.number("y") ?? 0)
        }, encode: { $0.encodePlace() }),
      .idiom(
        isSpatial ? ["isLocal"] : [], "space",
        isSpatial ? "exact: local or world" : "world", from: source,
        decode: { $1.space = $0.flag("isLocal") ?? false ? .local : .world },
        encode: { $0.encodeSpace() }),
      .idiom(
        [
          "shape", "shapeWidth", "shapeHeight", "shapeDepth", "shapeX", "shapeY", "shapeZ",
        ], "shape",
        "exact: rect. Approximated or lost: other shapes", from: source, exact: [.shapeRectangle],
        approximated: [.shapeLine, .shape3D, .shapeDisc],
        decode: { $1.shape = $0.shape }, encode: { $0.encodeShape() }),
      .idiom(
        isSpatial
          ? ["angle", "directionX", "directionY", "directionZ", "isPlanar"] : ["angle"],
        "launch.direction", isSpatial ? "exact: an angle or a vector" : "exact, in degrees",
        from: source,
        exact: target == .realityKit ? [.cone3D] : [.spread2D],
        approximated: target == .realityKit ? [.spread2D] : [.cone3D],
        decode: { $0.decodeDirection(of: &$1) }, encode: { $0.encodeDirection() }),
      .idiom(
        ["spread"], "launch.spread", "exact, half of the angle", from: source),
      .missing(
        "launch.flatness", "flattening is not supported", as: .spread2D,
        when: { !$0.format.isSpatial }),
      .missing(
        "launch.flatness", "flattening is not supported", rule: .lost, as: .extra,
        when: { $0.format.isSpatial }),
      .missing("launch.inheritVelocity"),
    ]
  }

  private static func motion(_ target: Target) -> [Row<CodeFamily>] {
    let source = citation(of: target)
    var exact: Set<Capability> = [.gravity]
    var approximated: Set<Capability> = []
    var keys = ["gravityX", "gravityY"]
    if target == .realityKit || target == .unity { keys.append("gravityZ") }
    if target == .love {
      keys += ["radial", "radial ±", "tangential", "tangential ±"]
      exact.formUnion([.radial, .tangent])
    }
    if target != .coreAnimation {
      keys.append("drag")
      approximated.formUnion([.exponentialDrag, .linearDrag])
    }
    if target == .realityKit || target == .unity {
      keys += ["noiseStrength", "noiseScale", "noiseSpeed", "noiseOctaves"]
      approximated.insert(.noise)
    }
    var rows: [Row<CodeFamily>] = [
      .idiom(
        ["speed", "speed ±"], "launch.speed", from: source, exact: [.speedRange],
        decode: { $1.launch.speed = $0.value("speed") },
        encode: { $0.set("speed", $0.launchSpeed(), .speedRange, at: "launch.speed") }),
      .idiom(
        keys, "forces",
        "one acceleration"
          + (target == .love ? ", one radial and one tangential force, drag" : "")
          + (target == .unity ? ", drag, one noise as a velocity" : "")
          + (target == .realityKit ? ", drag and one noise of unknown units" : ""), from: source,
        exact: exact,
        approximated: approximated, decode: { $0.decodeForces(of: &$1) },
        encode: { $0.encodeForces() }),
      .idiom(
        [], "motion", "lost: motion is by velocity and forces only", encode: { $0.loseMotion() }),
      .idiom(
        target == .coreAnimation
          ? ["spin", "spin ±"] : ["rotation", "rotation ±", "spin", "spin ±"],
        "rotation",
        target == .coreAnimation ? "the speed only, in degrees per second" : "exact, in degrees",
        from: source, exact: target == .coreAnimation ? [] : [.rotation],
        approximated: target == .coreAnimation
          ? [.rotationSpeed, .angularAcceleration]
          : [.rotationSpeed, .angularAcceleration, .rotationCurve, .randomEndRotation],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .missing("rotation.axis"),
      .missing("rotation.alignOffset", rule: target == .love ? .restated : .dead),
    ]
    if target == .love {
      rows.append(
        .idiom(
          ["isRelative"], "rotation.align", "velocity", from: source, approximated: [.align],
          decode: { $1.rotation.align = $0.flag("isRelative") ?? false ? .velocity : .none },
          encode: { writer in
            let align = writer.emitter.rotation.align
            if align != .none { writer.set("isRelative", flag: true) }
            guard align == .birth else { return }
            writer.lose(
              .approximated, .align, at: "rotation.align", "particles follow their velocity")
          }))
    } else {
      rows.append(.missing("rotation.align"))
    }
    return rows
  }

  private static func look(_ target: Target) -> [Row<CodeFamily>] {
    let source = citation(of: target)
    let modes = blends(target)
    let blending = Set(modes.filter { $0 != .replace }.map { $0.capability })
    var rows: [Row<CodeFamily>] =
      [
        .idiom(
          sizeKeys(target), "size.width", sizeNote(target), from: source,
          exact: target == .love ? [] : [.size],
          approximated: target == .love
            ? [.size, .absoluteSize, .sizeCurve, .randomEndSize]
            : [.absoluteSize, .sizeCurve, .randomEndSize],
          decode: { $0.decodeSize(of: &$1) }, encode: { $0.encodeSize() }),
        .missing("size.height"),
        stretch(target),
        .idiom(
          colorKeys(target), "color", colorNote(target), from: source,
          approximated: [
            .gradient, .opacityCurve, .mix, .randomColor, .randomEndColor,
            .randomHueSaturationBrightness, .startGradient,
          ],
          decode: { $0.decodeColor(of: &$1) }, encode: { $0.encodeColor() }),
        .idiom(
          ["blend"], "render.blend.mode", modes.map { $0.rawValue }.joined(separator: ", "),
          from: source,
          exact: blending,
          approximated: Set<Capability>([
            .blendMultiply, .blendScreen, .blendSubtractive, .blendFactors, .premultipliedAlpha,
          ])
          .subtracting(blending),
          decode: { reader, emitter in
            let modes = reader.format.blendModes
            let place = Int(saturating: reader.number("blend", 0))
            emitter.render.blend = Blend(modes.indices.contains(place) ? modes[place] : .alpha)
          }, encode: { $0.encodeBlend() }),
        .ignored(["image", "imageData"], "a sprite: the whole image", from: source),
      ] + frames(target) + Row.missingBillboards + [
        .missing("render.z")
      ] + Row.missingDepth + [
        .missing("render.order", "each file has only one emitter"),
        trail(target),
        .missing("render.links"),
        .idiom([], "physics", "lost: collisions are not supported", encode: { $0.losePhysics() }),
        triggers(target),
      ]
    if target == .love {
      rows.append(
        .idiom(
          ["order"], "render.sort", "oldestFirst, youngestFirst, none", from: source,
          approximated: [.sort],
          decode: {
            let place = Int(saturating: $0.number("order", 0))
            $1.render.sort = sorts.indices.contains(place) ? sorts[place] : .oldestFirst
          },
          encode: {
            if $0.set("order", $0.emitter.render.sort, of: sorts) { return }
            $0.lose(.lost, .sort, at: "render.sort", "particles are sorted by age only")
          }))
    } else {
      rows.append(
        .missing("render.sort"))
    }
    return rows
  }

  static let sorts: [SortMode] = [.oldestFirst, .youngestFirst, .none]

  static func blends(_ target: Target) -> [BlendMode] {
    switch target {
    case .coreAnimation: [.alpha, .add]
    case .realityKit: [.alpha, .add, .replace]
    case .unity: [.alpha, .add, .multiply]
    case .love: [.alpha, .add, .subtract, .multiply, .screen, .replace]
    }
  }

  private static func sizeKeys(_ target: Target) -> [String] {
    switch target {
    case .coreAnimation: ["size", "size ±", "sizeSpeed"]
    case .realityKit: ["size", "size ±", "sizeAtEnd"]
    case .unity: ["size", "size ±", "sizeOverLife"]
    case .love: ["sizes"]
    }
  }

  private static func sizeNote(_ target: Target) -> String {
    switch target {
    case .coreAnimation: "exact: a factor of the image, and its change per second"
    case .realityKit: "exact: a length, and a factor at the end of life"
    case .unity: "exact: a length, and a curve that it is multiplied by"
    case .love:
      "factors of the image at equal distances, at most eight. Random sizes are approximated"
    }
  }

  private static func colorKeys(_ target: Target) -> [String] {
    switch target {
    case .coreAnimation: ["color", "colorRange", "colorSpeed"]
    case .realityKit: ["color", "colorAtEnd"]
    case .unity, .love: ["colors"]
    }
  }

  private static func colorNote(_ target: Target) -> String {
    switch target {
    case .coreAnimation: "exact: a colour with a range and a speed for each channel"
    case .realityKit: "exact: a colour at the start of life, and one at its end"
    case .unity: "exact: a gradient of up to eight colours"
    case .love: "exact: up to eight colours at equal distances"
    }
  }
}

/// Engines that have no file format, or none that is known: an emitter is made by code. The values
/// of the code are kept as JSON for the audit, in the units of the document.
struct CodeFamily: FieldFormat {
  enum Target: String, Sendable, CaseIterable {
    case coreAnimation = "swift-caemitter"
    case realityKit = "swift-realitykit"
    case unity = "unity-csharp"
    case love = "lua-love"
  }

  typealias Reader = FieldReader<CodeFamily>
  typealias Field = FieldValue
  typealias Surroundings = Void

  static let widthSuffix = " ±"

  static let sources = [
    (name: "ca", title: "Apple's documentation of `CAEmitterLayer` and `CAEmitterCell`"),
    (name: "rk", title: "Apple's documentation of `ParticleEmitterComponent`"),
    (name: "u", title: "Unity 2022.3, scripting reference of `ParticleSystem`"),
    (name: "lv", title: "LÖVE 11.5, `ParticleSystem.cpp`, read, and the wiki"),
  ]

  let target: Target
  let table: MappingTable<CodeFamily>

  /// One for each target, since its rows are made once: each file of an export needs them.
  private static let tables = Dictionary(
    uniqueKeysWithValues: Target.allCases.map { ($0, table(of: $0)) })

  init(_ target: Target) {
    self.target = target
    table = Self.tables[target] ?? Self.table(of: target)
  }

  var name: String { target.rawValue }
  var engine: String {
    switch target {
    case .coreAnimation: "Core Animation"
    case .realityKit: "RealityKit"
    case .unity: "Unity"
    case .love: "LÖVE"
    }
  }
  var rootKeys: [String] { ["rate"] }
  var nameKey: String { "name" }
  var imageKeys: (name: String, data: String)? { ("image", "imageData") }

  static func citation(of target: Target) -> String {
    switch target {
    case .coreAnimation: "ca"
    case .realityKit: "rk"
    case .unity: "u"
    case .love: "lv"
    }
  }

  /// Whether directions and shapes have a depth.
  var isSpatial: Bool { target == .realityKit || target == .unity }

  var dimension: Dimension { isSpatial ? .space : .plane }

  /// Whether sizes are lengths. Otherwise they are factors of the image.
  var hasLengths: Bool { isSpatial }

  static func unit(of target: Target) -> LengthUnit {
    switch target {
    case .coreAnimation: .point
    case .love: .pixel
    case .realityKit: .meter
    case .unity: .unit
    }
  }

  func grid(for grid: SpriteGrid) -> SpriteGrid? {
    guard grid.columns > 1 || grid.rows > 1 else { return nil }
    // The code for LÖVE lists the frames. Core Animation shows the first.
    guard target != .love, target != .coreAnimation else { return grid }
    let count = grid.count == grid.columns * grid.rows ? grid.count : nil
    return SpriteGrid(columns: grid.columns, rows: grid.rows, count: count)
  }

  func grid(of reader: FieldReader<CodeFamily>) -> SpriteGrid? { reader.grid }

  /// The modes of blending that code can state, the usual one first.
  var blendModes: [BlendMode] { Self.blends(target) }

  /// The kinds of shapes besides points and rectangles.
  var shapes: Set<ShapeKind> {
    switch target {
    case .coreAnimation, .love: [.ellipse]
    case .realityKit: [.box, .sphere]
    case .unity: [.box]
    }
  }

  func adapt(_ writer: inout EmitterWriter<CodeFamily>) { writer.fillPlaces() }
}

extension ParticleFormat {
  /// Swift code that makes an emitter layer of Core Animation. It is only written.
  public static let swiftCoreAnimation = code(
    .coreAnimation, "Swift code for Core Animation", "swift", .coreAnimation)
  /// Swift code that makes a particle component of RealityKit. It is only written.
  public static let swiftRealityKit = code(
    .realityKit, "Swift code for RealityKit", "swift", .realityKit)
  /// C# code that makes a particle system of Unity. It is only written.
  public static let unityCSharp = code(.unity, "C# code for Unity", "cs", .unity)
  /// Lua code that makes a particle system of LÖVE. It is only written.
  public static let luaLove = code(.love, "Lua code for LÖVE", "lua", .love)

  private static func code(
    _ target: CodeFamily.Target, _ title: String, _ fileExtension: String,
    _ typesetter: @autoclosure @escaping @Sendable () -> Typesetter
  ) -> ParticleFormat {
    let family = CodeFamily(target)
    var base = ParticleFormat(
      family, in: JSONSyntax.self, title: title, extensions: [fileExtension]
    ) { _, _ in false }
    base.content = .effect(
      decode: { bytes, context throws(Failure) in
        try FieldDecoder<CodeFamily, JSONSyntax>(format: family, context: context).decode(bytes)
      },
      encode: { system, context throws(Failure) in
        // Code cannot hold an image.
        var beside = context
        beside.images = .beside
        var exported = try FieldEncoder<CodeFamily, JSONSyntax>(format: family, context: beside)
          .encode(system)
        exported.explainPlacement(context, engine: "code")
        return exported
      })
    return ParticleFormat(
      code: target.rawValue, title: title, extensions: [fileExtension], of: base, typesetter())
  }
}
