internal import ParticlesCore
internal import ParticlesModel

/// Lua code that makes particle systems of LÖVE.
struct LoveFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "LÖVE 11.4, `ParticleSystem.cpp` and `wrap_ParticleSystem.cpp`"),
    (name: "wiki", title: "love2d.org, page ParticleSystem"),
    (name: "run", title: "recordings of LÖVE 11.4"),
    (name: "hot", title: "exports of Hot Particles"),
  ]

  static let shared = LoveFamily()

  let name = "love"
  let engine = "LÖVE"
  let holdsAll = true
  let distributions = Set(Distribution.allCases)
  let aimsArcs = false
  let clampsLives = true
  let table = MappingTable<LoveFamily>(
    unit: .pixel, profile: .love, exact: [.texture, .severalEmitters], approximated: [.speed], rows)

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    let systems = root["systems"]?.array ?? []
    guard !systems.isEmpty else {
      throw Diagnostic(
        .emitterRoot, expected: "a call of newParticleSystem", found: "no such call")
    }
    return systems.enumerated().map {
      TreeEmitter(path: "systems[\($0)]", value: $1, name: $1["entry.name"]?.string)
    }
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    ["systems": .array(emitters)]
  }

  func sprites(of reader: TreeReader<LoveFamily>) throws(Failure) -> [TreeSprite] {
    let name =
      reader.text("entry.texturePath") ?? reader.argument("new", 0)?.string ?? ""
    // A name without an extension is a variable of the program.
    guard name.contains(".") else { return [] }
    var image = TreeSprite(path: "new", references: [name])
    if let x = reader.number("setOffset", 0), let y = reader.number("setOffset", 1) {
      image.sprite.pivot = Vector2(0.5, 0.5)
      reader.note(
        .uninterpreted, "setOffset", "the anchor in pixels",
        found: "\(shortText(x)), \(shortText(y))")
    }
    return [image]
  }
}

extension ParticleFormat {
  /// Lua code for LÖVE.
  public static let love = ParticleFormat(
    LoveFamily.shared, in: LoveSyntax.self, title: "LÖVE particle systems", extensions: ["lua"]
  ) { bytes, _ in
    bytes.contains("newParticleSystem") && !bytes.beginsWithText("{")
  }.declaring(.love)
}

extension TreeReader<LoveFamily> {
  static var degrees: Double { 180 / .pi }

  func argument(_ call: String, _ index: Int) -> JSONValue? {
    guard let arguments = self[call]?.array, arguments.indices.contains(index),
      arguments[index] != .null
    else { return nil }
    return arguments[index]
  }

  func number(_ call: String, _ index: Int) -> Double? {
    argument(call, index).flatMap { number($0, call) }
  }

  /// A uniform value between two arguments. By default the second equals the first.
  func range(_ call: String, _ low: Int = 0, _ high: Int = 1, times factor: Double = 1) -> Value {
    let least = number(call, low) ?? 0
    return .between(least * factor, (number(call, high) ?? least) * factor)
  }

  /// The size over the life. Each particle runs through a random part of the sizes. With two sizes,
  /// both ends are random. With more, the mean of all parts is used.
  var size: Track {
    let sizes = numbers("setSizes")
    guard sizes.count > 1 else { return Track(.constant(sizes.first ?? 1)) }
    let variation = min(max(number("setSizeVariation", 0) ?? 0, 0), 1)
    let points = sizes.enumerated().map { (Double($0) / Double(sizes.count - 1), $1) }
    guard variation > 0 else { return Track(points: points.map { (time: $0.0, value: $0.1) }) }
    if sizes.count == 2 {
      let span = variation * (sizes[1] - sizes[0])
      return Track(
        from: .between(sizes[0], (sizes[0] + span).rounded),
        to: Value.between((sizes[1] - span).rounded, sizes[1]))
    }
    note(
      .approximated, "setSizeVariation", "each particle runs through a part of the sizes",
      found: shortText(variation))
    let curve = Curve.lines(points.map { (time: $0.0, value: $0.1) })
    let mean = Curve.through(32) { x in
      var sum = 0.0
      for a in 0..<16 {
        for b in 0..<16 {
          let offset = variation * (Double(a) + 0.5) / 16
          let interval = 1 - variation * (Double(b) + 0.5) / 16 - offset
          sum += curve.value(at: min(max(offset + x * interval, 0), 1))
        }
      }
      return (sum / 256).rounded
    }
    return Track(from: 0, to: 1, curve: mean)
  }

  func decodeRotation(of emitter: inout Emitter) {
    let degrees = Self.degrees
    emitter.rotation.angle = Track(range("setRotation", times: -degrees))
    let start = -(number("setSpin", 0) ?? 0) * degrees
    let end = number("setSpin", 1).map { -$0 * degrees } ?? start
    let half = (number("setSpinVariation", 0) ?? 0) / 2
    // Each end varies in proportion to the opposite end.
    let from = Value(center: (start + 0).rounded, halfWidth: half * end)
    let to = Value(center: (end + 0).rounded, halfWidth: half * start)
    emitter.rotation.velocity =
      from == to && from.isNumber ? Track(from) : Track(from: from, to: to)
    if argument("setRelativeRotation", 0)?.bool == true { emitter.rotation.align = .velocity }
  }

  func decodeShape(of emitter: inout Emitter) {
    let call = has("setEmissionArea") ? "setEmissionArea" : "setAreaSpread"
    let name = argument(call, 0)?.string ?? "none"
    let (width, height) = ((number(call, 1) ?? 0).magnitude, (number(call, 2) ?? 0).magnitude)
    switch name {
    case "none": return
    case "uniform", "normal", "borderrectangle":
      emitter.shape = .rect(width: 2 * width, height: 2 * height)
    case "ellipse", "borderellipse": emitter.shape = .ellipse(width, height)
    default:
      return note(
        unknown: name, call, "particles are emitted at a point",
        known: ["none", "uniform", "normal", "ellipse", "borderellipse", "borderrectangle"])
    }
    if name == "normal" { emitter.shape.distribution = .normal }
    if name.hasPrefix("border") { emitter.shape.placement = .edge }
    let angle = (number(call, 3) ?? 0) * -Self.degrees
    emitter.shape.transform.angle = (angle + 0).rounded
    // A spread to all sides hides the direction.
    guard argument(call, 4)?.bool == true, emitter.launch.spread < 179.9 else { return }
    let turn = emitter.launch.direction.angle.mean.magnitude.truncatingRemainder(dividingBy: 360)
    let away = min(turn, 360 - turn)
    let isAside = (60...120).contains(away)
    if min(away, 180 - away) > 0.1 {
      note(
        .approximated, call,
        "directions at an angle to that from the centre become \(isAside ? "random" : "straight")")
    } else if name == "borderrectangle" {
      note(.approximated, call, "directions are at right angles to the edges")
    }
    emitter.launch.direction = Direction(isAside ? .random : .normal)
    if away > 120 { emitter.launch.speed = emitter.launch.speed.scaled(by: -1) }
  }

  func decodeForces(of emitter: inout Emitter) {
    let x = range("setLinearAcceleration", 0, 2)
    let y = range("setLinearAcceleration", 1, 3, times: -1)
    if x != 0 || y != 0 {
      var gravity = Force(.gravity)
      gravity.vector = VectorTrack(Track(x), Track(y), 0)
      emitter.forces.append(gravity)
    }
    let radial = range("setRadialAcceleration")
    if radial != 0 { emitter.forces.append(Force(.radial, strength: Track(radial))) }
    let tangential = range("setTangentialAcceleration", times: -1)
    if tangential != 0 { emitter.forces.append(Force(.tangential, strength: Track(tangential))) }
    let damping = range("setLinearDamping")
    if damping != 0 { emitter.forces.append(.drag(.exponential, strength: Track(damping))) }
  }

  var gradient: ColorTrack {
    var numbers = numbers("setColors")
    // Tables of channels are read as texts.
    let tables = (self["setColors"]?.array ?? []).compactMap { $0.string }
    if numbers.isEmpty {
      numbers = tables.flatMap { table in
        let channels = table.filter { !"{} ".contains($0) }.split(separator: ",").compactMap {
          Double($0)
        }
        return channels.count == 3 ? channels + [1] : channels
      }
    }
    let colors = stride(from: 0, to: numbers.count - numbers.count % 4, by: 4).map {
      Color(numbers[$0], numbers[$0 + 1], numbers[$0 + 2], numbers[$0 + 3])
    }
    guard let first = colors.first else { return ColorTrack(.constant(.white)) }
    guard colors.count > 1 else { return ColorTrack(.constant(first)) }
    return ColorTrack(
      gradient: Gradient(
        colors.enumerated().map { GradientKey(Double($0) / Double(colors.count - 1), $1) }))
  }
}

extension LoveFamily {
  static let rows: [Row<LoveFamily>] =
    [
      .idiom(
        ["entry.name"], "name of the emitter", from: "hot",
        encode: { $0.set("entry.name", .string($0.emitter.name)) }),
      .idiom(
        ["new", "setBufferSize", "setTexture", "entry.texturePath"],
        "emission.maxAlive, sprites",
        "the image, and the number of places. Particles beyond it are lost", from: "src, run",
        exact: [.aliveLimit], approximated: [.total],
        decode: { reader, emitter in
          let size = reader.number("setBufferSize", 0) ?? reader.number("new", 1) ?? 1000
          emitter.emission.maxAlive = Int(saturating: min(max(size, 0), 1_000_000))
        }, encode: { $0.encodeBuffer() }),
      .idiom(
        ["setEmissionRate"], "emission.rate", "exact", from: "src, run", exact: [.rate],
        approximated: [.randomRate, .rateCurve, .probability],
        decode: { $1.emission.rate = .constant(max($0.number("setEmissionRate", 0) ?? 0, 0)) },
        encode: { $0.setCall("setEmissionRate", [$0.plainRate()]) }),
      .idiom(
        ["setEmitterLifetime"], "timing.duration", "exact, below 0 endless", from: "src, run",
        exact: [.duration], approximated: [.loop],
        decode: { reader, emitter in
          let life = reader.number("setEmitterLifetime", 0) ?? -1
          emitter.timing.duration = life < 0 ? nil : .constant(life)
        }, encode: { $0.setCall("setEmitterLifetime", [$0.plainDuration() ?? -1]) }),
      .idiom(
        ["setParticleLifetime"], "lifetime", "exact", from: "src, run", exact: [.life],
        decode: { $1.lifetime = $0.range("setParticleLifetime").notNegative },
        encode: { writer in
          let life = writer.clampNegative(writer.emitter.lifetime, .life, at: "lifetime")
          writer.setRange("setParticleLifetime", life, .life, at: "lifetime")
        }),
      .idiom(
        ["setPosition", "entry.x", "entry.y"], "transform.translation", "exact, y points down",
        from: "wiki, hot", approximated: [.place],
        decode: { reader, emitter in
          let x = reader.number("setPosition", 0) ?? reader.number("entry.x") ?? 0
          let y = reader.number("setPosition", 1) ?? reader.number("entry.y") ?? 0
          emitter.transform.translation = Vector(x, 0 - y)
        }, encode: { $0.encodePlace() }),
      .idiom(
        ["setEmissionArea", "setAreaSpread"], "shape",
        "exact: half of width and height. Rects for `uniform` and `normal`, `ellipse`, borders. Directions relative to the centre are normals, with negative speeds towards it, random at angles from 60° to 120° to it",
        from: "src, run", exact: [.shapeDisc],
        approximated: [
          .shapeRectangle, .shapeRing, .shapeLine, .shape3D, .shapePoints, .directionNormal,
        ]),
      .idiom(
        ["setDirection", "setSpread"], "launch.direction.angle, launch.spread",
        "exact: radians, clockwise. The spread is the whole angle", from: "src, run",
        exact: [.spread2D], approximated: [.cone3D],
        decode: { reader, emitter in
          let degrees = TreeReader<LoveFamily>.degrees
          let angle = (reader.number("setDirection", 0) ?? 0) * -degrees
          emitter.launch.direction = Direction(angle: .constant((angle + 0).rounded))
          let spread = (reader.number("setSpread", 0) ?? 0) / 2 * degrees
          emitter.launch.spread = min(spread.magnitude, 180).rounded
          emitter.launch.speed = reader.range("setSpeed")
          reader.decodeShape(of: &emitter)
        }, encode: { $0.encodeLaunch() }),
      .idiom(
        ["setSpeed"], "launch.speed", "exact", from: "src, run", exact: [.speedRange],
        approximated: [.speedCurve], encode: { $0.encodeSpeed() }),
      .idiom(
        [
          "setLinearAcceleration", "setRadialAcceleration", "setTangentialAcceleration",
          "setLinearDamping",
        ], "forces",
        "exact: gravity between two corners, radial, tangential, drag, with y down",
        from: "src, run", exact: [.gravity, .radial, .tangent, .exponentialDrag, .linearDrag],
        approximated: [.attract],
        decode: { $0.decodeForces(of: &$1) }, encode: { $0.encodeForces() }),
      .idiom(
        ["setSizes", "setSizeVariation"], "size.width",
        "exact: factors of the image at equal distances. With a variation, two are exact and more the mean",
        from: "src, run", exact: [.sizeCurve],
        approximated: [.size, .randomEndSize, .absoluteSize],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.size
        }, encode: { $0.encodeSizes() }),
      .idiom(
        ["setRotation", "setSpin", "setSpinVariation", "setRelativeRotation"], "rotation",
        "exact: radians, clockwise, relative to the velocity. Both spins vary by each other",
        from: "src, run", exact: [.rotation, .align],
        approximated: [.rotationSpeed, .rotationCurve, .angularAcceleration, .randomEndRotation],
        decode: { $0.decodeRotation(of: &$1) }, encode: { $0.encodeRotation() }),
      .idiom(
        ["setColors"], "color.base", "exact: colours at equal distances, at most eight",
        from: "src, run", exact: [.gradient, .opacityCurve],
        approximated: [
          .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient, .mix,
        ],
        decode: { $1.color.base = $0.gradient }, encode: { $0.encodeColors() }),
      .idiom(
        ["setInsertMode"], "render.sort", "top is oldestFirst, bottom youngestFirst, random none",
        from: "src", exact: [.sort],
        decode: { reader, emitter in
          let name = reader.argument("setInsertMode", 0)?.string ?? ""
          let place = LoveFamily.sorts.firstIndex { $0.name == name }
          if place == nil, !name.isEmpty {
            reader.note(
              unknown: name, "setInsertMode", "'top' is used",
              known: LoveFamily.sorts.map { $0.name })
          }
          emitter.render.sort = LoveFamily.sorts[place ?? 0].mode
        },
        encode: { writer in
          let sort = writer.sort(of: LoveFamily.sorts.map { $0.mode })
          let name = LoveFamily.sorts.first { $0.mode == sort }?.name ?? "top"
          writer.set("setInsertMode", .array([.string(name)]))
        }),
      // Particles that are emitted at once use the earlier settings.
      .idiom(
        ["emit", "entry.emitAtStart"], "emission.bursts", "particles at the start",
        from: "wiki, hot", exact: [.burst], approximated: [.burstList],
        decode: { reader, emitter in
          let count = reader.number("emit", 0) ?? reader.number("entry.emitAtStart") ?? 0
          if count > 0 { emitter.emission.bursts = [Burst(count: .constant(count))] }
        }, encode: { $0.encodeBursts() }),
      .blend(
        "entry.blendMode",
        BlendNames([
          "alpha": .alpha, "add": .add, "additive": .add, "subtract": .subtract,
          "multiply": .multiply, "multiplicative": .multiply, "screen": .screen,
          "replace": .replace, "premultiplied": .premultiplied,
        ]), from: "hot"),
      .ignored(
        [
          "entry.kickStartSteps", "entry.kickStartDt", "entry.shader", "entry.shaderPath",
          "entry.shaderFilename", "entry.texturePreset", "start", "stop", "setOffset",
          "entry.system",
        ], "what the program does with the system", from: "hot"),
    ]
    + Row.unsupported(besides: [
      "timing.loop", "timing.idle", "emission.maxAlive", "emission.probability", "emission.total",
      "transform", "transform.angle", "motion.speed", "rotation.velocity",
      "rotation.acceleration", "rotation.align", "rotation.alignOffset", "render.sort",
    ])

  private static let sorts: [(name: String, mode: SortMode)] = [
    ("top", .oldestFirst), ("bottom", .youngestFirst), ("random", .none),
  ]
}
