internal import ParticlesCore
internal import ParticlesModel

// The mapping table of code: the values, and the properties of the document.

extension CodeFamily {
  static func table(of target: Target) -> MappingTable<CodeFamily> {
    MappingTable(
      unit: unit(of: target), exact: [.tex],
      approximated: target == .unity
        ? [.multi, .space, .frame2D] : [.multi, .space, .frame2D, .speed],
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
        approximated: [.prob],
        decode: { $1.emission.rate = .constant($0.number("rate", 0, atLeast: 0)) },
        encode: { $0.encodeRate() }),
      .idiom(
        hasLoops ? ["duration", "loops", "idle"] : ["duration"], "timing.duration",
        "exact; −1 is endless", from: source,
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
      .missing("enabled", { $0.enabled }, .extra, "the emitter is always enabled", level: .medium),
      .missing(
        "timing.fixedStep", { $0.timing.fixedStep }, .extra, "the step is that of the display"),
      .missing(
        "emission.ratePerDistance", { $0.emission.ratePerDistance }, .rateWay,
        "emission by distance is not supported"),
      .missing(
        "emission.minAlive", { $0.emission.minAlive }, .extra,
        "a minimum number of particles is not supported", level: .low),
      .missing(
        "emission.total", { $0.emission.total }, .total, "a particle total is not supported"),
      .missing(
        "emission.explosiveness", { $0.emission.explosiveness }, .explos, "emission is always even"),
      .missing("emission.jitter", { $0.emission.jitter }, .explos, "emission is always even"),
      .missing(
        "emission.lifeOffset", { $0.emission.lifeOffset }, .extra, "the initial age is always 0",
        level: .medium),
      .missing(
        "emission.schedule", { $0.emission.schedule }, .rate,
        "the engine decides when particles are emitted", .dead),
    ]
    rows += limits(target, source)
    if target == .coreAnimation || target == .unity {
      rows.append(
        .idiom(
          ["delay"], "timing.delay", from: source, exact: [.delay],
          decode: { $1.timing.delay = .constant($0.number("delay", 0, atLeast: 0)) },
          encode: { $0.encodeDelay() }))
    } else {
      rows.append(
        .missing("timing.delay", { $0.timing.delay }, .delay, "a start delay is not supported"))
    }
    if target == .realityKit {
      rows.append(
        .number(
          "warmUp", "timing.prewarm", { $1(&$0.timing.prewarm) }, atLeast: 0, exact: [.prewarm],
          from: source)
      )
    } else {
      rows.append(
        .missing("timing.prewarm", { $0.timing.prewarm }, .prewarm, "prewarming is not supported"))
    }
    if target == .unity {
      rows.append(
        .number(
          "pace", "timing.speed", { $1(&$0.timing.speed) }, standard: 1, atLeast: 0,
          exact: [.speed], from: source))
    } else {
      rows.append(
        .missing("timing.speed", { $0.timing.speed }, .speed, "a stopped clock is not supported"))
    }
    return rows
  }

  private static func limits(_ target: Target, _ source: String) -> [Row<CodeFamily>] {
    let detail = "particle count is unbounded"
    let hasCapacity = target == .unity || target == .love
    let whenFull = Row<CodeFamily>.idiom(
      [], "emission.whenFull", "skip; others are lost", from: source,
      encode: {
        $0.drop(
          { $0.emission.whenFull }, .maxAlive, at: "emission.whenFull",
          hasCapacity ? "particles beyond the limit are not emitted" : detail,
          $0.emitter.emission.maxAlive == nil ? .dead : hasCapacity ? .restated : .lost)
      })
    guard hasCapacity else {
      return [
        .missing("emission.maxAlive", { $0.emission.maxAlive }, .maxAlive, detail), whenFull,
      ]
    }
    return [
      .idiom(
        ["capacity"], "emission.maxAlive",
        target == .love ? "exact; at least 1; without one the number that can be alive" : "exact",
        from: source, exact: [.maxAlive],
        decode: { reader, emitter in
          emitter.emission.maxAlive = reader.number("capacity").map { Int(min(max($0, 0), 1e9)) }
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
          ? "exact" : "a scale becomes that of lengths; lost otherwise: it is that of the program",
        from: source, approximated: [.place],
        decode: {
          $1.transform.translation = Vector($0.number("x") ?? 0, $0.number("y") ?? 0)
        }, encode: { $0.encodePlace() }),
      .idiom(
        isSpatial ? ["isLocal"] : [], "space",
        isSpatial ? "local or world; exact" : "world", from: source,
        decode: { $1.space = $0.flag("isLocal") ?? false ? .local : .world },
        encode: { $0.encodeSpace() }),
      .idiom(
        [
          "shape", "shapeWidth", "shapeHeight", "shapeDepth", "shapeX", "shapeY", "shapeZ",
        ], "shape",
        "exact: rect; approximated or lost: other shapes", from: source, exact: [.shRect],
        approximated: [.shLine, .sh3D, .shDisc],
        decode: { $1.shape = $0.shape }, encode: { $0.encodeShape() }),
      .idiom(
        isSpatial
          ? ["angle", "directionX", "directionY", "directionZ", "isPlanar"] : ["angle"],
        "launch.direction", isSpatial ? "an angle or a vector; exact" : "exact, in degrees",
        from: source,
        exact: target == .realityKit ? [.cone3D] : [.spread2D],
        approximated: target == .realityKit ? [.spread2D] : [.cone3D],
        decode: { $0.decodeDirection(of: &$1) }, encode: { $0.encodeDirection() }),
      .idiom(
        ["spread"], "launch.spread", "exact, half of the angle", from: source),
      .missing(
        "launch.flatness", { $0.launch.flatness }, .spread2D, "flattening is not supported", .dead,
        when: { !$0.format.isSpatial }),
      .missing(
        "launch.flatness", { $0.launch.flatness }, .extra, "flattening is not supported",
        when: { $0.format.isSpatial }),
      .missing(
        "launch.inheritVelocity", { $0.launch.inheritVelocity }, .inherit,
        "the velocity of the emitter is not inherited"),
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
      approximated.formUnion([.dragExp, .dragLin])
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
        from: source, exact: target == .coreAnimation ? [] : [.rot],
        approximated: target == .coreAnimation
          ? [.rotVel, .rotAcc] : [.rotVel, .rotAcc, .rotCurve, .rotSE],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .missing("rotation.axis", { $0.rotation.axis }, .rot3D, "3D rotation is not supported"),
      .missing(
        "rotation.alignOffset", { $0.rotation.alignOffset }, .align,
        "there is no offset of alignment", target == .love ? .restated : .dead),
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
      rows.append(
        .missing(
          "rotation.align", { $0.rotation.align }, .align,
          "alignment with the motion is not supported"))
    }
    return rows
  }

  private static func look(_ target: Target) -> [Row<CodeFamily>] {
    let source = citation(of: target)
    let modes = blends(target)
    let blending = Set(modes.compactMap(capability))
    var rows: [Row<CodeFamily>] =
      [
        .idiom(
          sizeKeys(target), "size.width", sizeNote(target), from: source,
          exact: target == .love ? [] : [.size],
          approximated: target == .love
            ? [.size, .sizeAbs, .sizeCurve, .sizeSE] : [.sizeAbs, .sizeCurve, .sizeSE],
          decode: { $0.decodeSize(of: &$1) }, encode: { $0.encodeSize() }),
        .missing("size.height", { $0.size.height }, .sizeXY, "the height follows from the width"),
        stretch(target),
        .idiom(
          colorKeys(target), "color", colorNote(target), from: source,
          approximated: [.grad, .alphaCv, .mix, .colRand, .colSE, .colHSB, .initRamp],
          decode: { $0.decodeColor(of: &$1) }, encode: { $0.encodeColor() }),
        .idiom(
          ["blend"], "render.blend.mode", modes.map(\.rawValue).joined(separator: ", "),
          from: source,
          exact: blending,
          approximated: Set<Capability>([.blMul, .blScr, .blSub, .blCustom, .premult])
            .subtracting(blending),
          decode: { reader, emitter in
            let modes = reader.format.blendModes
            let place = Int(reader.number("blend", 0))
            emitter.render.blend = Blend(modes.indices.contains(place) ? modes[place] : .alpha)
          }, encode: { $0.encodeBlend() }),
        .ignored(["image", "imageData"], "a sprite; the whole image", from: source),
      ] + frames(target) + Row.missingBillboards + [
        .missing("render.z", { $0.render.z }, .sort, "the engine decides on the order")
      ] + Row.missingDepth + [
        .missing("render.order", { $0.render.order }, .sort, "each file has only one emitter"),
        trail(target),
        .idiom([], "physics", "lost: collisions are not supported", encode: { $0.losePhysics() }),
        triggers(target),
      ]
    if target == .love {
      rows.append(
        .idiom(
          ["order"], "render.sort", "oldestFirst, youngestFirst, none", from: source,
          approximated: [.sort],
          decode: {
            let place = Int($0.number("order", 0))
            $1.render.sort = sorts.indices.contains(place) ? sorts[place] : .oldestFirst
          },
          encode: {
            if $0.set("order", $0.emitter.render.sort, of: sorts) { return }
            $0.lose(.lost, .sort, at: "render.sort", "particles are sorted by age only")
          }))
    } else {
      rows.append(
        .missing("render.sort", { $0.render.sort }, .sort, "the engine decides on the order"))
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

  private static func capability(of mode: BlendMode) -> Capability? {
    switch mode {
    case .alpha: .blAlpha
    case .add: .blAdd
    case .multiply: .blMul
    case .screen: .blScr
    case .subtract: .blSub
    default: nil
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
      "factors of the image at equal distances, at most eight; random sizes are approximated"
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
