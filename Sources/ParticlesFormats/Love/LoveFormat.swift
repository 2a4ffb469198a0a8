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

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
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

  func sprites(of reader: TreeReader<LoveFamily>) throws -> [TreeSprite] {
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

  /// A uniform value between two arguments; the second is that of the first by default.
  func range(_ call: String, _ low: Int = 0, _ high: Int = 1, times factor: Double = 1) -> Value {
    let least = number(call, low) ?? 0
    return .between(least * factor, (number(call, high) ?? least) * factor)
  }

  /// The size over the life. Each particle runs through a random part of the sizes: of two, both ends are
  /// random; of more, the mean of all parts takes their place.
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
    // Each end varies by the other one.
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
    // A spread to all sides hides what it is about.
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
    let tables = (self["setColors"]?.array ?? []).compactMap(\.string)
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
