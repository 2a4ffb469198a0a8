internal import ParticlesCore
internal import ParticlesModel

/// The options of tsParticles: particles that fill a canvas, and emitters, whose particles differ from
/// these in some options.
struct TSParticlesFamily: TreeFormat {
  static let sources = [
    (
      name: "src",
      title: "tsParticles 2 and 3.1, `Mover`, `Particle`, `Utils`, plugins `emitters` and `life`"
    ),
    (name: "link", title: "tsParticles 2.12, `Linker`, `LinkInstance` and `Links`"),
    (name: "js", title: "particles.js 2.0.0, `particles.js`, recorded under node"),
    (name: "doc", title: "particles.js.org, options"), (name: "files", title: "80 published files"),
  ]

  static let shared = TSParticlesFamily()

  /// The canvas in pixels that percentages are of: the size of the window, which a file does not know.
  static let canvas = (width: 1000.0, height: 600.0)

  let name = "tsparticles"
  let engine = "tsParticles"
  let holdsAll = true
  let aimsArcs = false
  let clampsLives = true
  let imageCount = 16
  let table = MappingTable<TSParticlesFamily>(
    unit: .pixel, profile: .tsParticles, others: [.particlesJS], exact: [.severalEmitters],
    approximated: [.speed, .texture, .randomSprites], rows)

  /// Without changes over life, particles that get invisible would stay.
  func adapt(_ writer: inout EmitterWriter<TSParticlesFamily>) {
    writer.endAtTotal()
    writer.turnLaunch(toPlane: true)
    writer.endAtSight()
  }

  /// The part of the particles that a canvas of this size has (`Particles.ts`, `_applyDensity`).
  static func density(of emitter: JSONValue) -> Double {
    guard let density = emitter["particles.number.density"], density["enable"]?.isTruthy == true
    else { return 1 }
    // Version 1 stated an area in thousands of pixels.
    if let area = (density["value_area"] ?? density["area"])?.double, area > 0 {
      return canvas.width * canvas.height / 1_000 / area
    }
    let area = (density["width"]?.double ?? 1920) * (density["height"]?.double ?? 1080)
    return area > 0 ? canvas.width * canvas.height / area : 1
  }

  private func list(_ root: JSONValue) -> [JSONValue] {
    guard let emitters = root["emitters"] else { return [] }
    return emitters.array ?? (emitters.object == nil ? [] : [emitters])
  }

  /// Whether the particles of the canvas are an emitter of the document.
  private func hasCanvas(_ root: JSONValue) -> Bool {
    (root["particles.number.value"]?.double ?? 0) > 0 || list(root).isEmpty
  }

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    guard let particles = root["particles"], particles.object != nil else {
      throw Diagnostic(.emitterRoot, expected: "'particles'")
    }
    var found: [TreeEmitter] = []
    if hasCanvas(root) {
      found.append(TreeEmitter(path: "", value: ["particles": particles]))
    }
    // Each emitter takes over all particles of the file.
    let count = list(root).count
    try Limits.standard.check(
      count.multipliedReportingOverflow(by: particles.count(upTo: 1 << 30)).partialValue,
      { $0.objects },
      "values of all emitters")
    for (index, emitter) in list(root).enumerated() {
      var value = emitter.object ?? JSONObject()
      value["particles"] = particles.overridden(by: emitter["particles"])
      // Particles without a direction take the direction of the emitter (`EmitterInstance.ts`).
      if emitter["particles.move.direction"] != nil { value["direction"] = nil }
      let path = root["emitters"]?.array == nil ? "emitters" : "emitters[\(index)]"
      found.append(
        TreeEmitter(path: path, value: .object(value), name: emitter["name"]?.string))
    }
    return found
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    var root = JSONObject()
    var rest = emitters[...]
    if let origin {
      if hasCanvas(origin), let first = rest.popFirst() {
        root["particles"] = first["particles"]
      }
      if let old = origin["emitters"], old.array == nil, rest.count == 1 {
        root["emitters"] = rest.first
      } else if !rest.isEmpty {
        root["emitters"] = .array(Array(rest))
      }
    } else {
      root["particles"] = ["number": ["value": .int(0)]]
      root["emitters"] = .array(emitters)
    }
    return .object(root)
  }
}

extension JSONValue {
  /// The number of values in this value.
  fileprivate func count(upTo most: Int) -> Int {
    switch self {
    case .object(let object):
      object.members.reduce(1) { min($0 + $1.value.count(upTo: most), most) }
    case .array(let elements): elements.reduce(1) { min($0 + $1.count(upTo: most), most) }
    default: 1
    }
  }

  /// This object with the members of another in place of its own, at every level.
  fileprivate func overridden(by other: JSONValue?) -> JSONValue {
    guard let other else { return self }
    guard case .object(var object) = self, case .object(let changes) = other else { return other }
    for member in changes.members {
      object[member.key] =
        object[member.key].map { $0.overridden(by: member.value) } ?? member.value
    }
    return .object(object)
  }
}

extension ParticleFormat {
  /// Options of tsParticles.
  public static let tsParticles = ParticleFormat(
    TSParticlesFamily.shared, in: JSONTree.self, title: "tsParticles options", extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"particles\""),
      let root = try? JSONTree(decoding: bytes, limits: .standard).value.object,
      let particles = root["particles"]?.object
    else { return false }
    let keys = ["number", "move", "size", "opacity", "shape", "color", "life"]
    return root["emitters"] != nil || keys.contains { particles[$0] != nil }
      || root["interactivity"] != nil || root["preset"] != nil
  }.declaring(.tsParticles)
}

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
          "rate.quantity", "rate.delay", "startCount", "life.duration", "life.count", "life.delay",
          "life.wait",
          "particles.number.value", "particles.number.limit", "particles.number.density",
        ], "emission, timing",
        "one emission in a delay, in s, and at most one in a frame. The first ones are at the start. The "
          + "particles of the canvas are one burst",
        from: "src, doc",
        exact: [.duration, .burst],
        approximated: [
          .rate, .randomRate, .rateCurve, .probability, .loop, .idle, .aliveLimit, .delay,
        ],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodeEmission() }),
      .idiom(
        ["particles.life.duration", "particles.life.count"], "lifetime",
        "in s, from 0 to the number unless `sync` is set. Without an end, 30 s are assumed",
        from: "src", approximated: [.life]),
      .idiom(
        ["position", "size", "shape", "fill"], "transform.translation, shape",
        "percentages of a canvas of 1000 × 600 pixels: rect or circle. With `fill` false, the edge",
        from: "doc, files", exact: [.shapeRectangle, .shapeDisc],
        approximated: [.place, .shapeRing, .shapeLine, .shape3D, .shapePoints],
        encode: { $0.encodePlace() }),
      .idiom(
        [
          "direction", "particles.move.direction", "particles.move.straight",
          "particles.move.angle", "particles.move.enable", "particles.move.speed",
          "particles.move.random", "particles.move.out_mode",
        ], "launch",
        "a name or an angle, clockwise, with a fan. Speeds are half pixels in each of 60 frames a second. In particles.js, velocities are random in a square",
        from: "src, js, files", exact: [.spread2D, .speedRange],
        approximated: [.cone3D, .speedCurve, .directionNormal],
        decode: { $0.decodeMotion(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        [
          "particles.move.gravity.enable", "particles.move.gravity.acceleration",
          "particles.move.gravity.inverse", "particles.move.decay",
        ], "forces", "gravity × 60. Decay is drag in each of 60 frames a second", from: "src",
        exact: [.gravity, .exponentialDrag], approximated: [.linearDrag, .constantDrag]),
      .idiom(
        [
          "particles.size.value", "particles.size.random", "particles.size.animation",
          "particles.size.anim",
        ], "size.width",
        "the width of the figure: twice the radius for a circle. An animation runs from one end, by 0.6 of its speed in a second",
        from: "src, js",
        exact: [.size, .absoluteSize], approximated: [.sizeCurve, .randomEndSize],
        decode: { $0.decodeLook(of: &$1) }, encode: { $0.encodeLook() }),
      .idiom(
        [
          "particles.opacity.value", "particles.opacity.random", "particles.opacity.animation",
          "particles.opacity.anim",
        ],
        "color.opacity", "exact, an animation as for the size", from: "src, js",
        approximated: [.opacityCurve]),
      .idiom(
        ["particles.color.value"], "color.base", "a colour, or a choice, to 8 bits", from: "src",
        approximated: [
          .gradient, .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient,
          .mix,
        ]),
      .idiom(
        [
          "particles.rotate.value", "particles.rotate.random", "particles.rotate.direction",
          "particles.rotate.animation.enable", "particles.rotate.animation.speed",
          "particles.rotate.animation.sync",
        ], "rotation", "exact, clockwise, spin in either direction", from: "src",
        exact: [.rotation],
        approximated: [.rotationSpeed, .rotationCurve, .angularAcceleration, .randomEndRotation]),
      .idiom(
        [
          "particles.shape.type", "particles.shape.image", "particles.shape.options.image",
          "particles.shape.options.images", "particles.shape.options.polygon",
          "particles.shape.options.star", "particles.shape.polygon", "particles.shape.star",
          "particles.shape.stroke", "particles.stroke", "particles.shape.options.char",
          "particles.shape.options.character", "particles.shape.character",
        ], "sprites, spriteSelection",
        "images if the figure is `image`, pictures of circles, squares, triangles, polygons, stars and characters, a circle for other figures",
        from: "src, js, doc", exact: [],
        decode: { reader, emitter in
          if reader.figures.count > 1 { emitter.spriteSelection = .random }
        }, encode: { $0.encodeImages() }),
      .idiom(
        linkKeys, "render.links", "exact: lines between near particles", from: "link, js",
        exact: [.links], decode: { $0.decodeLinks(of: &$1) }, encode: { $0.encodeLinks() }),
      .idiom(
        [], "render.blend", "lost: the canvas decides on blending",
        encode: { writer in
          guard writer.emitter.render.blend != Blend() else { return }
          writer.lose(.lost, .blendAdditive, at: "render.blend", "the canvas decides on blending")
        }),
    ]
    + Row.unsupported(besides: [
      "timing.delay", "timing.loop", "timing.idle", "emission.maxAlive", "emission.probability",
      "transform", "transform.angle", "transform.rotation", "motion.speed",
      "rotation.velocity", "rotation.acceleration", "spriteSelection", "render.links",
    ])
}

// Lines between near particles: `links`, in particles.js and in older files `line_linked`.

extension TSParticlesFamily {
  /// The names of the object, in the order in which the engine looks for them (`ParticlesOptions.ts`, `load`).
  static let linkKeys = ["particles.links", "particles.lineLinked", "particles.line_linked"]

  /// The name that a file has. particles.js knows the last name only.
  fileprivate static func linkKey(in emitter: JSONValue, isParticlesJS: Bool) -> String? {
    linkKeys.dropFirst(isParticlesJS ? 2 : 0).first { emitter[$0] != nil }
  }
}

extension TreeReader<TSParticlesFamily> {
  func decodeLinks(of emitter: inout Emitter) {
    let found = TSParticlesFamily.linkKey(in: value, isParticlesJS: isParticlesJS)
    // particles.js draws them unless the file disables them.
    guard let key = found ?? (isParticlesJS ? TSParticlesFamily.linkKeys.last : nil),
      holds("\(key).enable", isParticlesJS)
    else { return }
    var links = Links()
    links.distance = number("\(key).distance", 100, atLeast: 0)
    links.opacity = number("\(key).opacity", 1, atLeast: 0)
    links.width = number("\(key).width", 1, atLeast: 0)
    // A canvas ignores a width of 0, which tsParticles looks at before.
    if isParticlesJS, links.width == 0 { links.width = 1 }
    guard links.distance > 0, links.opacity > 0, links.width > 0 else { return }
    if links.opacity > 1 {
      note(.approximated, "\(key).opacity", "lines have an opacity of at most 1")
      links.opacity = 1
    }
    links.color = linkColor("\(key).color")
    emitter.render.links = links
    reportLinkOptions(key)
  }

  private func linkColor(_ key: String) -> Color {
    guard let stated = self[key] else { return .white }
    let value = stated["value"] ?? stated
    if isParticlesJS {
      return value.string.flatMap { Color(hexadecimal: $0) ?? Color(hexadecimal: "#\($0)") }
        ?? .white
    }
    let colors = (value.array ?? [value]).compactMap { color($0, key) }
    if colors.count != 1 {
      note(
        .approximated, key,
        colors.isEmpty ? "lines are white" : "all lines have the first of several colours",
        found: value.shortExcerpt)
    }
    return colors.first ?? .white
  }

  /// Reports further options of lines in tsParticles.
  private func reportLinkOptions(_ key: String) {
    guard !isParticlesJS else { return }
    if number("\(key).frequency", 1) < 1 {
      note(
        .approximated, "\(key).frequency", "all pairs of near particles have a line, not a part")
    }
    for name in ["triangles", "shadow"] where holds("\(key).\(name).enable", false) {
      note(.uninterpreted, "\(key).\(name)", "\(name) of lines are not drawn", found: "an object")
    }
    for name in ["blink", "consent"] where holds("\(key).\(name)", false) {
      note(.approximated, "\(key).\(name)", "lines keep their colour")
    }
    if holds("\(key).warp", false) {
      note(
        .approximated, "\(key).warp", "no line leads over the edge of the canvas", severity: .note)
    }
  }
}

extension EmitterWriter<TSParticlesFamily> {
  mutating func encodeLinks() {
    let found = surroundings.origin.flatMap {
      TSParticlesFamily.linkKey(in: $0, isParticlesJS: isParticlesJS)
    }
    let links = emitter.render.links
    guard links != nil || found != nil || isParticlesJS else { return }
    let key = found ?? (isParticlesJS ? "particles.line_linked" : "particles.links")
    set("\(key).enable", flag: links != nil)
    guard let links else {
      // Values other than the switch stay as they are.
      for name in ["distance", "width", "opacity", "color"] {
        if let value = surroundings.origin?["\(key).\(name)"] { set("\(key).\(name)", value) }
      }
      return
    }
    set("\(key).distance", links.distance.rounded)
    set("\(key).width", links.width.rounded)
    set("\(key).opacity", (links.opacity * links.color.alpha).rounded)
    let text = links.color.hexadecimal
    let isObject = surroundings.origin?["\(key).color"]?.object != nil && !isParticlesJS
    set(isObject ? "\(key).color.value" : "\(key).color", .string(text))
    if Color(hexadecimal: text) != links.color {
      lose(
        .restated, .links, at: "render.links.color", also: ["render.links.opacity"],
        "colours have 8 bits a channel, and the opacity belongs to the lines")
    }
  }
}
