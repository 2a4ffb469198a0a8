internal import ParticlesCore
internal import ParticlesModel

/// The options of tsParticles: particles that fill a canvas, and emitters, whose particles differ from
/// these in some options.
struct TSParticlesFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "tsParticles 2 and 3, `Mover`, `Particle`, plugins `emitters` and `life`"),
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
    unit: .pixel, profile: Profile(rawValue: "tsparticles"), exact: [.multi],
    approximated: [.speed, .tex, .randSpr], rows)

  /// Without changes over life, particles that get invisible would stay.
  func adapt(_ writer: inout EmitterWriter<TSParticlesFamily>) {
    writer.endAtTotal()
    writer.turnLaunch(toPlane: true)
    writer.endAtSight()
  }

  private func list(_ root: JSONValue) -> [JSONValue] {
    guard let emitters = root["emitters"] else { return [] }
    return emitters.array ?? (emitters.object == nil ? [] : [emitters])
  }

  /// Whether the particles of the canvas are an emitter of the document.
  private func hasCanvas(_ root: JSONValue) -> Bool {
    (root["particles.number.value"]?.double ?? 0) > 0 || list(root).isEmpty
  }

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
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
      count.multipliedReportingOverflow(by: particles.count(upTo: 1 << 30)).partialValue, \.objects,
      "values of all emitters")
    for (index, emitter) in list(root).enumerated() {
      var value = emitter.object ?? JSONObject()
      value["particles"] = particles.overridden(by: emitter["particles"])
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

  func sprites(of reader: TreeReader<TSParticlesFamily>) throws -> [TreeSprite] {
    var found: [TreeSprite] = []
    for key in [
      "particles.shape.image", "particles.shape.options.image", "particles.shape.options.images",
    ] {
      guard let value = reader[key] else { continue }
      for image in value.array ?? [value] {
        guard let source = image["src"]?.string, !source.isEmpty else { continue }
        found.append(TreeSprite(path: key, references: [source]))
      }
    }
    return Array(found.prefix(imageCount))
  }
}

extension JSONValue {
  /// The number of values in this one.
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

extension TreeReader<TSParticlesFamily> {
  /// A number or a range: `4`, `{"min": 1, "max": 5}`.
  func ranged(_ key: String, _ standard: Double, times factor: Double = 1) -> Value {
    guard let value = self[key] else { return .constant(standard * factor) }
    if let low = value["min"]?.double, let high = value["max"]?.double {
      return .between(low * factor, high * factor)
    }
    return .constant((number(value, key) ?? standard) * factor)
  }

  /// A percentage of the canvas from its centre, y up.
  private var place: Vector {
    let (width, height) = TSParticlesFamily.canvas
    let (x, y) = (ranged("position.x", 50), ranged("position.y", 50))
    if !x.isConstant || !y.isConstant {
      note(.approximated, "position", "a random place of the emitter is its mean")
    }
    return Vector(
      ((x.mean - 50) / 100 * width).rounded, (0 - (y.mean - 50) / 100 * height).rounded)
  }

  var isCanvas: Bool { path.isEmpty }

  func decodeEmission(of emitter: inout Emitter) {
    if let limit = self["particles.number.limit"] {
      let number = limit["value"]?.double ?? limit.double ?? 0
      if number > 0 { emitter.emission.maxAlive = Int(min(number, 1_000_000)) }
    }
    if isCanvas {
      let count = number("particles.number.value", 0, atLeast: 0)
      emitter.emission.bursts = [Burst(count: .constant(min(count, 100_000)))]
      emitter.timing.duration = 0.1
      emitter.shape = .rect(
        width: TSParticlesFamily.canvas.width, height: TSParticlesFamily.canvas.height)
      note(
        .assumed, "particles.number",
        "the canvas is 1000 × 600 pixels, and particles are emitted once",
        severity: .note)
    } else {
      let (quantity, delay) = (ranged("rate.quantity", 1).mean, ranged("rate.delay", 0.1).mean)
      if delay > 0 {
        emitter.emission.rate = .constant((quantity / delay).rounded)
      } else {
        emitter.emission.bursts = [Burst(count: .constant(quantity))]
      }
      let life = ranged("life.duration", 0)
      if life.mean > 0 {
        emitter.timing.duration = life.notNegative
        emitter.timing.loop = number("life.count", 0) != 1
        emitter.timing.idle = emitter.timing.loop ? ranged("life.delay", 0).notNegative : 0
      }
      if flag("life.wait", false) { emitter.timing.delay = ranged("life.delay", 0).notNegative }
      emitter.transform.translation = place
      decodeShape(of: &emitter)
    }
    let life = ranged("particles.life.duration.value", 0)
    if life.mean > 0 {
      emitter.lifetime = life.notNegative
    } else {
      emitter.lifetime = 30
      note(.assumed, "particles.life.duration", "particles live 30 s", severity: .note)
    }
  }

  private func decodeShape(of emitter: inout Emitter) {
    var (width, height) = (number("size.width", 0), number("size.height", 0))
    if text("size.mode") ?? "percent" == "percent" {
      width *= TSParticlesFamily.canvas.width / 100
      height *= TSParticlesFamily.canvas.height / 100
    }
    guard width != 0 || height != 0 else { return }
    let name = text("shape") ?? text("shape.type") ?? "square"
    emitter.shape =
      name == "circle"
      ? .ellipse((width / 2).magnitude, (height / 2).magnitude)
      : .rect(width: width.magnitude, height: height.magnitude)
    if !flag("fill", true) { emitter.shape.placement = .edge }
  }

  func decodeMotion(of emitter: inout Emitter) {
    let directions: [String: Double] = [
      "top": 90, "top-right": 45, "right": 0, "bottom-right": -45, "bottom": -90,
      "bottom-left": -135, "left": 180, "top-left": 135,
    ]
    let value = self["direction"] ?? self["particles.move.direction"]
    let name = value?.string ?? "none"
    if let angle = value?.double ?? directions[name].map({ -$0 }) {
      emitter.launch.direction = Direction(angle: .constant(0 - angle))
      if !flag("particles.move.straight", false) {
        // The angle is a fan of this width.
        let width = number("particles.move.angle.value", 90)
        emitter.launch.spread = min((width / 2).magnitude, 180)
      }
    } else {
      emitter.launch.direction = Direction(.random)
      if name != "none" {
        note(
          .approximated, "particles.move.direction", "directions are random",
          found: "'\(name.excerpt)'")
      }
    }
    // Half a pixel in each of 60 frames a second.
    let isMoving = flag("particles.move.enable", false)
    emitter.launch.speed = isMoving ? ranged("particles.move.speed", 2, times: 30) : 0
    guard isMoving else { return }
    if flag("particles.move.random", false) {
      emitter.launch.speed = .between(0, emitter.launch.speed.bounds.upper)
    }
    if flag("particles.move.gravity.enable", false) {
      let sign = flag("particles.move.gravity.inverse", false) ? 60.0 : -60
      emitter.forces.append(
        .gravity(Vector(0, (number("particles.move.gravity.acceleration", 9.81) * sign).rounded)))
    }
    let decay = ranged("particles.move.decay", 0).mean
    if decay > 0 {
      emitter.forces.append(.drag(.perFrame60, strength: .constant(min(decay, 1))))
    }
  }

  func decodeLook(of emitter: inout Emitter) {
    emitter.size.width = Track(ranged("particles.size.value", 3, times: 2).notNegative)
    if self["particles.size.random"]?.bool == true || flag("particles.size.random.enable", false) {
      let least = number("particles.size.random.minimumValue", 1) * 2
      emitter.size.width = Track(.between(least, emitter.size.width.from.bounds.upper))
    }
    var opacity = ranged("particles.opacity.value", 1)
    if self["particles.opacity.random"]?.bool == true
      || flag("particles.opacity.random.enable", false)
    {
      opacity = .between(number("particles.opacity.random.minimumValue", 0), opacity.bounds.upper)
    }
    emitter.color.opacity = Track(opacity)
    let angle = ranged("particles.rotate.value", 0, times: -1)
    emitter.rotation.angle = Track(
      flag("particles.rotate.random", false) ? .range(-360, 0) : angle)
    if flag("particles.rotate.animation.enable", false) {
      // Parts of a turn in each of 60 frames a second, taken for radians.
      let speed = number("particles.rotate.animation.speed", 0) / 6 * 180 / .pi
      switch text("particles.rotate.direction") ?? "clockwise" {
      case "random": emitter.rotation.velocity = Track(.oneOf([-speed.rounded, speed.rounded]))
      case "counter-clockwise": emitter.rotation.velocity = .constant(speed.rounded)
      default: emitter.rotation.velocity = .constant(-speed.rounded)
      }
    }
    decodeColor(of: &emitter)
  }

  private func decodeColor(of emitter: inout Emitter) {
    guard let value = self["particles.color.value"] ?? self["particles.color"] else { return }
    let colors = (value.array ?? [value]).compactMap { color($0, "particles.color") }
    guard let first = colors.first else {
      if value.string == "random" || value.string == "mid" {
        let base = ColorValue.Choice([Color(1, 0, 0), Color(0, 1, 0), Color(0, 0, 1)])
        emitter.color.base = ColorTrack(.choice(base))
        note(.approximated, "particles.color", "random colours are red, green or blue")
      }
      return
    }
    emitter.color.base = ColorTrack(colors.count == 1 ? .constant(first) : .choice(.init(colors)))
  }

  private func color(_ value: JSONValue, _ key: String) -> Color? {
    if let red = value["r"]?.double, let green = value["g"]?.double, let blue = value["b"]?.double {
      return Color(red / 255, green / 255, blue / 255)
    }
    guard let text = (value["value"] ?? value).string, text != "random", text != "mid" else {
      return nil
    }
    if let color = Color(hexadecimal: text) { return color }
    if let color = Color(hexadecimal: "#\(text)") { return color }
    let names: [String: Color] = [
      "white": .white, "black": .black, "red": Color(1, 0, 0), "lime": Color(0, 1, 0),
      "blue": Color(0, 0, 1), "yellow": Color(1, 1, 0),
    ]
    if let color = names[text.lowercased()] { return color }
    note(.assumed, key, "a colour that cannot be read is left out", found: "'\(text.excerpt)'")
    return nil
  }
}
