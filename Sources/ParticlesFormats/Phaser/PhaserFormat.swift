internal import ParticlesCore
internal import ParticlesModel

/// The emitter configurations of Phaser 3, as JSON: a configuration, an array, or an object with `emitters`.
struct PhaserFamily: TreeFormat {
  static let sources = [
    (
      name: "src",
      title: "Phaser 3.60 and 3.90, `ParticleEmitter.js`, `EmitterOp.js` and `Particle.js`"
    ),
    (name: "doc", title: "docs.phaser.io, type ParticleEmitterConfig"),
  ]

  static let shared = PhaserFamily()

  let name = "phaser"
  let engine = "Phaser"
  let holdsAll = true
  let aimsArcs = false
  let clampsLives = true
  let table = MappingTable<PhaserFamily>(
    unit: .pixel, profile: .phaser, exact: [.texture, .severalEmitters], approximated: [],
    rows)

  func emitters(in root: JSONValue) throws(Failure) -> [TreeEmitter] {
    let list = root.array ?? root["emitters"]?.array
    let found = list ?? [root]
    guard found.contains(where: { $0["lifespan"] != nil || $0["quantity"] != nil }) else {
      throw Diagnostic(.emitterRoot, expected: "'lifespan' or 'quantity'")
    }
    return found.enumerated().map { index, value in
      let place = root.array != nil ? "[\(index)]" : "emitters[\(index)]"
      return TreeEmitter(
        path: list == nil ? "" : place, value: value, name: value["name"]?.string)
    }
  }

  func isZeroIfNull(_ path: String) -> Bool { path == "timeScale" }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    if origin?["emitters"] != nil { return ["emitters": .array(emitters)] }
    if origin?.array != nil || emitters.count > 1 { return .array(emitters) }
    return emitters.first ?? .object(JSONObject())
  }

  func sprites(of reader: TreeReader<PhaserFamily>) throws(Failure) -> [TreeSprite] {
    guard let name = reader.text("texture") else { return [] }
    // A texture is a key of the program, and often also the name of a file.
    let names = name.contains(".") ? [name] : [name, "\(name).png"]
    return [TreeSprite(path: "texture", references: names)]
  }
}

extension ParticleFormat {
  /// Emitter configurations of Phaser 3.
  public static let phaser = ParticleFormat(
    PhaserFamily.shared, in: JSONTree.self, title: "Phaser 3 particle emitter",
    extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"lifespan\""), !bytes.contains("\"birthLimit\""),
      !bytes.contains("\"lifespanVariation\""),
      let root = try? JSONTree(decoding: bytes, limits: .standard).value
    else { return false }
    let keys = ["speed", "frequency", "quantity", "speedX", "speedY", "scale", "gravityY"]
    let first = (root.array ?? root["emitters"]?.array)?.first ?? root
    return first["lifespan"] != nil && keys.contains { first[$0] != nil }
  }.declaring(.phaser)
}

/// The easing functions of Phaser, by name.
enum PhaserEase {
  private static let powers = ["quad": 2.0, "cubic": 3, "quart": 4, "quint": 5]

  /// A curve from 0 to 1. Nil for an unknown name.
  static func curve(_ name: String) -> Curve? {
    let name = name.lowercased().replacing("ease", with: "")
    if ["linear", "power0", ""].contains(name) { return .linear }
    if name.hasPrefix("power"), let exponent = Double(name.dropFirst(5)), (1...4).contains(exponent)
    {
      return sampled("out") { power($0, exponent + 1) }
    }
    let parts = name.split(separator: ".")
    guard let kind = parts.first.map(String.init) else { return nil }
    let mode = parts.count > 1 ? String(parts[1]) : "out"
    guard ["in", "out", "inout"].contains(mode) else { return nil }
    if let exponent = powers[kind] { return sampled(mode) { power($0, exponent) } }
    switch kind {
    case "sine": return sampled(mode) { 1 - cosine($0 * .pi / 2) }
    case "expo": return sampled(mode) { $0 == 0 ? 0 : powerOfTwo(10 * ($0 - 1)) }
    case "circ": return sampled(mode) { 1 - max(0, 1 - $0 * $0).squareRoot() }
    case "back":
      return sampled(mode, points: 32) { $0 * $0 * (2.70158 * $0 - 1.70158) }
    case "bounce":
      return sampled(mode, points: 64) { 1 - bounce(1 - $0) }
    default: return nil
    }
  }

  /// Four parabolas.
  private static func bounce(_ x: Double) -> Double {
    let parts = [(0.0, 0.0), (1.5, 0.75), (2.25, 0.9375), (2.625, 0.984375)]
    let limits = [1, 2, 2.5, .infinity]
    let index = limits.firstIndex { x < $0 / 2.75 } ?? 0
    let way = x - parts[index].0 / 2.75
    return 7.5625 * way * way + parts[index].1
  }

  private static func sampled(
    _ mode: String, points: Int = 16, _ function: (Double) -> Double
  ) -> Curve {
    .through(points) { x in
      switch mode {
      case "in": function(x)
      case "out": 1 - function(1 - x)
      default: x < 0.5 ? function(2 * x) / 2 : 1 - function(2 - 2 * x) / 2
      }
    }
  }
}

extension TreeReader<PhaserFamily> {
  /// A value of new particles, in any of its forms. Nil if it is absent.
  func emitted(_ key: String, times factor: Double = 1) -> Value? {
    guard let value = self[key] else { return nil }
    return emitted(value, key).map { $0.scaled(by: factor) }
  }

  private func emitted(_ value: JSONValue, _ key: String) -> Value? {
    if let elements = value.array {
      let numbers = elements.compactMap { $0.arithmetic ?? number($0, key) }
      return numbers.isEmpty ? nil : .oneOf(numbers)
    }
    guard value.object != nil else {
      // Any other scalar leaves the default (`EmitterOp.js`, `getMethod`).
      guard value.double != nil else {
        note(
          .ignoredKey, key, "the engine takes its default for values that are no numbers",
          found: value.shortExcerpt)
        return nil
      }
      return number(value, key).map { .constant($0) }
    }
    if let low = value["min"]?.arithmetic, let high = value["max"]?.arithmetic {
      return .between(low, high)
    }
    if let ends = value["random"]?.array, ends.count == 2, let a = ends[0].arithmetic,
      let b = ends[1].arithmetic
    {
      return .between(a, b)
    }
    if let values = value["values"]?.array?.compactMap({ $0.arithmetic }), !values.isEmpty {
      return .oneOf(values)
    }
    if let start = value["start"]?.arithmetic, let end = value["end"]?.arithmetic {
      note(.approximated, key, "values that follow each other are sampled at random")
      return .between(start, end)
    }
    note(.uninterpreted, key, "a value of an unknown form", found: value.shortExcerpt)
    return nil
  }

  /// A value over life, in any of its forms. Nil if it is absent.
  func track(_ key: String, times factor: Double = 1) -> Track? {
    guard let value = self[key] else { return nil }
    if let values = value["values"]?.array?.compactMap({ $0.arithmetic }), values.count > 1 {
      if value["interpolation"]?.string ?? "linear" != "linear" {
        note(.approximated, "\(key).interpolation", "values are connected by lines")
      }
      let points = values.enumerated().map {
        (time: Double($0) / Double(values.count - 1), value: ($1 * factor).rounded)
      }
      var track = Track(points: points)
      if let ease = value["ease"]?.string {
        let known = PhaserEase.curve(ease)
        if known == nil {
          note(.approximated, "\(key).ease", "changes along a line", found: "'\(ease.excerpt)'")
        } else if let known, known != .linear, track.to != nil {
          track.warp = known
        }
      }
      return track
    }
    guard let start = value["start"]?.arithmetic, let end = value["end"]?.arithmetic else {
      return emitted(value, key).map { Track($0.scaled(by: factor)) }
    }
    var from = Value.constant((start * factor).rounded)
    // Any value but `false` makes the start random, between both ends (`EmitterOp.js`, `setMethods`).
    if let random = value["random"], random != .bool(false), random != .null, random != .int(0) {
      from = .between(start * factor, end * factor)
    }
    var curve = Curve.linear
    if let ease = value["ease"]?.string {
      if let known = PhaserEase.curve(ease) {
        curve = known
      } else {
        note(.approximated, "\(key).ease", "changes along a line", found: "'\(ease.excerpt)'")
      }
    }
    if value["steps"] != nil { note(.approximated, "\(key).steps", "changes without steps") }
    return Track(from: from, to: .constant((end * factor).rounded), curve: curve)
  }

  func colors(_ list: [JSONValue], _ key: String) -> [Color] {
    list.compactMap { value in
      if let number = value.int, (0...0xFF_FFFF).contains(number) {
        let bytes = [UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255)]
        return Color(hexadecimal: "#\(bytes.hexDigits)")
      }
      var digits = value.string ?? ""
      if digits.hasPrefix("0x") { digits = String(digits.dropFirst(2)) }
      if let color = Color(hexadecimal: digits.hasPrefix("#") ? digits : "#" + digits) {
        return color
      }
      note(.assumed, key, "a colour that cannot be read is left out", found: value.shortExcerpt)
      return nil
    }
  }

  func decodeEmission(of emitter: inout Emitter) {
    // Of `null`, neither of the conditions holds that emit (`preUpdate`).
    let never = value["frequency"] == .null
    let interval = number("frequency", 0) / 1000
    let quantity = (emitted("quantity") ?? 1).notNegative
    if never {
      emitter.emission.rate = 0
      note(.ignoredKey, "frequency", "the engine does not emit", found: "null")
    } else if interval < 0 {
      emitter.emission.bursts = [Burst(count: quantity)]
    } else if interval == 0 {
      emitter.emission.rate = quantity.scaled(by: 60)
      note(.assumed, "frequency", "60 frames a second", severity: .note)
    } else if quantity == 1 {
      emitter.emission.rate = .constant((1 / interval).rounded)
    } else {
      // The first one is not at the start (`resetCounters`).
      var burst = Burst(time: interval, count: quantity)
      burst.cycles = 0
      burst.interval = interval
      emitter.emission.bursts = [burst]
    }
    let limits = ["maxParticles", "maxAliveParticles"].compactMap { number($0) }.filter { $0 > 0 }
    emitter.emission.maxAlive = limits.min().map { Int(saturating: min($0, 1_000_000)) }
    if let total = number("stopAfter"), total > 0 {
      emitter.emission.total = Int(saturating: min(total, 1_000_000))
    }
    let duration = number("duration", 0) / 1000
    emitter.timing.duration = duration > 0 ? .constant(duration) : nil
    emitter.timing.speed = max(number("timeScale", 1), 0)
    advance(&emitter, interval: interval)
  }

  /// Time that has passed at the start, in whole frames. The limits of time and of particles begin after it
  /// (`preUpdate`, `skipping`).
  private func advance(_ emitter: inout Emitter, interval: Double) {
    let advance = number("advance", 0).magnitude / 1000
    guard advance > 0 else { return }
    let way = (advance * 60 - 1e-9).rounded(.up) / 60 * emitter.timing.speed
    emitter.timing.prewarm = way.rounded
    if let duration = emitter.timing.duration {
      emitter.timing.duration = .constant((duration.mean + way).rounded)
    }
    if let total = emitter.emission.total {
      let waves = interval > 0 ? (way / interval + 1e-9).rounded(.down) : (way * 60).rounded()
      let before = waves * max((emitted("quantity") ?? 1).mean, 0)
      emitter.emission.total = Int(saturating: min(Double(total) + before, 1_000_000))
    }
  }

  func decodeMotion(of emitter: inout Emitter) {
    emitter.launch.speed = emitted("speed") ?? 0
    emitter.launch.direction = Direction(angle: emitted("angle", times: -1) ?? .range(-360, 0))
    if has("speedX") || has("speedY"), !has("speed") {
      // Two velocities of their own, each drawn by itself.
      emitter.motion.drift = VectorTrack(
        Track(emitted("speedX") ?? 0), Track(emitted("speedY", times: -1) ?? 0), 0)
    }
    func force(_ name: String) -> VectorTrack {
      VectorTrack(track("\(name)X") ?? 0, track("\(name)Y", times: -1) ?? 0, 0)
    }
    let (acceleration, gravity) = (force("acceleration"), force("gravity"))
    func sum(_ a: Track, _ b: Track) -> Track? {
      if a == 0 || b == 0 { return a == 0 ? b : a }
      guard case .constant(let one) = a.from, case .constant(let other) = b.from,
        a.isPlainValue, b.isPlainValue
      else { return nil }
      return .constant((one + other).rounded)
    }
    var vectors = [acceleration, gravity]
    if let x = sum(acceleration.x, gravity.x), let y = sum(acceleration.y, gravity.y) {
      vectors = [VectorTrack(x, y, 0)]
    }
    emitter.forces = vectors.filter { $0 != .zero }.map { vector in
      var gravity = Force(.gravity)
      gravity.vector = vector
      return gravity
    }
  }

  func decodePlace(of emitter: inout Emitter) {
    let (x, y) = (emitted("x") ?? 0, emitted("y", times: -1) ?? 0)
    emitter.transform.translation = Vector(x.center, y.center)
    if !x.isConstant || !y.isConstant {
      emitter.shape = .rect(width: 2 * x.halfWidth, height: 2 * y.halfWidth)
    }
    guard has("emitZone") else { return }
    let source = "emitZone.source"
    func part(_ key: String) -> Double { number("\(source).\(key)", 0) }
    func isKind(_ name: String, _ number: Int) -> Bool {
      self["\(source).type"]?.string?.lowercased() == name || self["\(source).type"]?.int == number
    }
    var center = Vector(part("x"), 0 - part("y"))
    if isKind("circle", 0) {
      emitter.shape = .ellipse(part("radius").magnitude, part("radius").magnitude)
    } else if isKind("ellipse", 1) {
      emitter.shape = .ellipse(part("width").magnitude / 2, part("height").magnitude / 2)
    } else if isKind("rectangle", 5) {
      // The engine adds a share of each side to its corner, be the side positive or not.
      emitter.shape = .rect(width: part("width").magnitude, height: part("height").magnitude)
      center = Vector(center.x + part("width") / 2, center.y - part("height") / 2)
    } else if isKind("line", 2) {
      emitter.shape = Shape(.polyline)
      emitter.shape.points = [
        [Vector(part("x1"), 0 - part("y1")), Vector(part("x2"), 0 - part("y2"))]
      ]
      center = .zero
    } else {
      return note(.uninterpreted, source, "a shape that is not known")
    }
    let isEdge = choice("emitZone.type", ["random": false, "edge": true])
    if isEdge || emitter.shape.kind == .polyline { emitter.shape.placement = .edge }
    if isEdge, has("emitZone.quantity") { emitter.shape.sweep = .loop }
    emitter.shape.transform.translation = center
  }

  func decodeColor(of emitter: inout Emitter) {
    if let list = array("color") {
      let colors = colors(list, "color")
      guard colors.count > 1 else {
        return emitter.color.base = ColorTrack(.constant(colors.first ?? .white))
      }
      let last = Double(colors.count - 1)
      var gradient = Gradient(
        colors.enumerated().map { GradientKey(Double($0) / last, $1) })
      if let ease = text("colorEase") {
        let curve = PhaserEase.curve(ease)
        if let curve, curve != .linear {
          gradient = gradient.eased(parts: max(curve.keys.count / 16, 1)) { curve.value(at: $0) }
        } else if curve == nil {
          note(
            .approximated, "colorEase", "colours change along a line", found: "'\(ease.excerpt)'")
        }
      }
      emitter.color.base = ColorTrack(gradient: gradient)
    } else if let tint = self["tint"] {
      let colors = colors(tint.array ?? [tint], "tint")
      guard let first = colors.first else { return }
      emitter.color.base = ColorTrack(
        colors.count == 1 ? .constant(first) : .choice(.init(colors)))
    }
  }
}

extension PhaserFamily {
  static let rows: [Row<PhaserFamily>] =
    [
      .idiom(
        ["name"], "name of the emitter", from: "doc",
        encode: { writer in
          if writer.system.emitters.count > 1 || writer.surroundings.origin?["name"] != nil {
            writer.set("name", .string(writer.emitter.name))
          }
        }),
      .idiom(
        ["texture"], "sprites", "a key of the program, taken for the name of an image",
        from: "doc",
        encode: { $0.setImage("texture") }),
      .ignored(
        ["frame", "anim", "emitting", "active", "visible", "key"], "what the program shows",
        from: "doc"),
      .idiom(
        ["lifespan"], "lifetime", "exact, in ms, 1000 if absent", from: "src", exact: [.life],
        decode: { $1.lifetime = ($0.emitted("lifespan", times: 0.001) ?? 1).notNegative },
        encode: {
          let life = $0.clampNegative($0.emitter.lifetime, .life, at: "lifetime")
          $0.setEmitted("lifespan", life, .life, at: "lifetime", times: 1000)
        }),
      .idiom(
        ["frequency", "quantity"], "emission.rate",
        "exact: 1000 / frequency. More than one particle is a burst that repeats, first after one interval. 0 is once a frame, −1 one burst",
        from: "src", exact: [.rate, .burst],
        approximated: [.randomRate, .rateCurve, .probability, .burstList],
        decode: { $0.decodeEmission(of: &$1) }, encode: { $0.encodeEmission() }),
      .idiom(
        ["maxParticles", "maxAliveParticles"], "emission.maxAlive", "exact, 0 is no limit",
        from: "doc", approximated: [.aliveLimit]),
      .idiom(["stopAfter"], "emission.total", "exact", from: "doc", exact: [.total]),
      .idiom(
        ["duration"], "timing.duration", "exact, in ms, 0 is endless", from: "doc",
        exact: [.duration], approximated: [.loop]),
      .idiom(["advance"], "timing.prewarm", "exact, in ms", from: "doc", exact: [.prewarm]),
      .idiom(["timeScale"], "timing.speed", "exact", from: "doc", exact: [.speed]),
      .idiom(
        ["x", "y"], "transform.translation",
        "exact, y points down. A range is a rect around it", from: "doc",
        approximated: [.place],
        decode: { $0.decodePlace(of: &$1) }, encode: { $0.encodePlace() }),
      .idiom(
        ["emitZone"], "shape", "circle, ellipse, rectangle, line. With `edge`, along it",
        from: "src",
        exact: [.shapeRectangle, .shapeDisc, .shapeLine, .shapeRing],
        approximated: [.shape3D, .shapePoints, .directionNormal]),
      .idiom(
        ["angle"], "launch.direction.angle", "exact, clockwise, 0 to 360 if absent", from: "src",
        exact: [.spread2D], approximated: [.cone3D]
      ).unread(
        UnreadKey(
          "angle", by: "Phaser", where: "beside `speedX` or `speedY`",
          "both velocities are taken as they are", from: "src"
        ) { $0.has("angle") && !$0.has("speed") && ($0.has("speedX") || $0.has("speedY")) }),
      .idiom(
        ["speed", "speedX", "speedY"], "launch.speed", "exact. `speedX` and `speedY` are drift",
        from: "src", exact: [.speedRange, .drift], approximated: [.speedCurve],
        decode: { $0.decodeMotion(of: &$1) }, encode: { $0.encodeMotion() }),
      .idiom(
        ["accelerationX", "accelerationY", "gravityX", "gravityY"], "forces: gravity",
        "exact over life, y points down", from: "src", exact: [.gravity]),
      .idiom(
        ["scale", "scaleX", "scaleY"], "size.width, size.height",
        "exact: factors of the image, over life", from: "src",
        exact: [.size, .sizeCurve, .widthAndHeight],
        approximated: [.absoluteSize, .randomEndSize],
        decode: { reader, emitter in
          emitter.size.mode = .textureScale
          emitter.size.width = reader.track("scaleX") ?? reader.track("scale") ?? 1
          emitter.size.height = reader.track("scaleY")
        }, encode: { $0.encodeSize() }),
      .idiom(
        ["rotate"], "rotation.angle", "exact, clockwise, over life", from: "src",
        exact: [.rotation, .rotationCurve],
        approximated: [.rotationSpeed, .angularAcceleration, .randomEndRotation],
        decode: { $1.rotation.angle = $0.track("rotate", times: -1) ?? 0 },
        encode: { $0.encodeRotation() }),
      .idiom(
        ["alpha"], "color.opacity", "exact, over life", from: "src", exact: [.opacityCurve],
        decode: { $1.color.opacity = $0.track("alpha") ?? 1 }, encode: { $0.encodeColor() }),
      .idiom(
        ["color", "colorEase", "tint"], "color.base",
        "colours over life at equal distances, to 8 bits, eased. Tints are a choice", from: "src",
        approximated: [
          .gradient, .randomColor, .randomEndColor, .randomHueSaturationBrightness, .startGradient,
          .mix,
        ],
        decode: { $0.decodeColor(of: &$1) }),
      .blend(
        "blendMode",
        BlendNames(
          ["NORMAL": .alpha, "ADD": .add, "MULTIPLY": .multiply, "SCREEN": .screen],
          areNumbered: true), from: "doc"),
      .idiom(
        ["particleBringToTop"], "render.sort", "false is youngestFirst", from: "doc",
        exact: [.sort],
        decode: {
          $1.render.sort = $0.flag("particleBringToTop", true) ? .oldestFirst : .youngestFirst
        },
        encode: { writer in
          let sort = writer.sort(of: [.oldestFirst, .youngestFirst])
          writer.set("particleBringToTop", flag: sort != .youngestFirst)
        }),
    ]
    + Row.unsupported(besides: [
      "timing.loop", "timing.idle", "timing.prewarm", "timing.speed", "emission.maxAlive",
      "emission.total", "emission.probability", "transform", "transform.angle",
      "transform.rotation", "motion.drift", "motion.speed",
      "size.height", "rotation.velocity", "rotation.acceleration", "render.sort",
    ])
}
