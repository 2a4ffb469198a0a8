internal import ParticlesCore
internal import ParticlesModel

// Vortex, a library for SwiftUI, encodes its systems as JSON. Lengths are fractions of the view, y points
// down, angles are in radians, and a variation is the whole width of a range.

enum VortexFormat {
  static let table = SourceTable<SourceNode>(
    rows: emission + motion + look,
    sources: [("v", "Vortex, `VortexSystem.swift` and `VortexSystem-Behavior.swift` of 2024, read")]
  )

  private static let emission: [SourceRow<SourceNode>] = [
    SourceRow(
      ["position"], "transform.translation", "exact, from the centre of the view, y upwards",
      from: "v",
      decode: { node, emitter in
        let place = node.numbers("position", count: 2) ?? [0.5, 0.5]
        emitter.transform.translation = Vector(
          (place[0] - 0.5).rounded, (0.5 - place[1]).rounded)
      }),
    SourceRow(
      ["shape", "point", "box", "ellipse", "ring", "width", "height", "radius"], "shape",
      "exact: point, rect, ellipse denser at the centre, its edge. A radius is a diameter",
      from: "v",
      decode: { $1.shape = shape(of: $0) }),
    SourceRow(
      ["birthRate"], "emission.rate", from: "v",
      decode: {
        $1.emission.rate = .constant($0.number("birthRate", 100, atLeast: 0))
      }),
    SourceRow(
      ["burstCount", "burstCountVariation"], "emission.bursts",
      "assumed to be at the start if `birthRate` is 0: programs call `burst()`", from: "v",
      decode: { decodeBurst($0, &$1) }),
    SourceRow(
      ["emissionLimit"], "emission.total", from: "v",
      decode: { node, emitter in
        guard let limit = node["emissionLimit"]?.number else { return }
        emitter.emission.total = Int(saturating: min(max(limit, 0), 1e9))
      }),
    SourceRow(
      ["emissionDuration", "idleDuration"], "timing", "exact: periods that repeat", from: "v",
      decode: { node, emitter in
        emitter.timing.duration = .constant(node.number("emissionDuration", 1, atLeast: 0))
        emitter.timing.idle = .constant(node.number("idleDuration", 0, atLeast: 0))
        emitter.timing.loop = true
      }),
    SourceRow(
      ["lifespan", "lifespanVariation"], "lifetime", from: "v",
      decode: { $1.lifetime = value($0, "lifespan", 1) }),
    SourceRow(
      ["secondarySystems", "spawnOccasion", "onBirth", "onDeath", "onUpdate"], "triggers",
      "exact: `birth`, `death`, `frame`, nested up to 8 levels", from: "v"),
  ]

  private static let motion: [SourceRow<SourceNode>] = [
    SourceRow(
      ["speed", "speedVariation"], "launch.speed", "exact in a square view", from: "v",
      decode: { $1.launch.speed = value($0, "speed", 1) }),
    SourceRow(
      ["angle", "angleRange"], "launch.direction.angle", "exact, 0 is up, clockwise", from: "v",
      decode: { node, emitter in
        let angle = Angle.degrees(node.number("angle"))
        emitter.launch.direction = Direction(angle: .constant((90 - angle).rounded))
        let spread = Angle.degrees(node.number("angleRange").magnitude) / 2
        emitter.launch.spread = min(spread, 180).rounded
      }),
    SourceRow(
      ["acceleration"], "forces: gravity", from: "v",
      decode: { node, emitter in
        guard let force = node.numbers("acceleration", count: 2), force != [0, 0] else { return }
        emitter.forces.append(.gravity(Vector(force[0], 0 - force[1])))
      }),
    SourceRow(
      ["dampingFactor"], "forces: drag of law euler",
      "exact for the mean lifetime, 1 is none", from: "v",
      decode: { node, emitter in
        let factor = node.number("dampingFactor")
        guard factor != 0, factor != 1, emitter.lifetime.mean > 0 else { return }
        emitter.forces.append(
          .drag(.euler, strength: .constant((factor / emitter.lifetime.mean).rounded)))
      }),
    SourceRow(
      ["attractionCenter", "attractionStrength"], "", "kept, reported if it has an effect",
      from: "v",
      decode: { node, _ in
        let isUsed = node["attractionCenter"] != nil && node.number("attractionStrength") != 0
        node.pass("attractionCenter", "attractionStrength")
        if isUsed {
          node.note(
            .uninterpreted, "attractionStrength", "attraction moves particles without velocity")
        }
      }),
    SourceRow(
      ["angularSpeed", "angularSpeedVariation"], "rotation.velocity",
      "exact: the third number, others are reported", from: "v",
      decode: { decodeSpin($0, &$1) }),
  ]

  private static let look: [SourceRow<SourceNode>] = [
    SourceRow(
      ["size", "sizeVariation", "sizeMultiplierAtDeath"], "size.width",
      "exact, a factor of the image", from: "v",
      decode: { node, emitter in
        emitter.size.mode = .textureScale
        let (size, end) = (value(node, "size", 1), node.number("sizeMultiplierAtDeath", 1))
        emitter.size.width = end == 1 ? Track(size) : CodeSize.track(size, atEnd: end)
      }),
    SourceRow(
      [
        "colors", "single", "random", "ramp", "randomRamp", "_0", "red", "green", "blue", "opacity",
      ],
      "color.base", "exact: a colour, one of several, a gradient. Of several gradients, the first",
      from: "v", decode: { $1.color.base = colors(of: $0) }),
    SourceRow(
      ["stretchFactor"], "", "kept, reported unless 1", from: "v",
      decode: { node, _ in
        guard node.number("stretchFactor", 1) != 1 else { return }
        node.note(
          .uninterpreted, "stretchFactor", "particles are stretched in steps of their speed")
      }),
    SourceRow(
      ["tags"], "sprites", "kept, reported: they name views of the program", from: "v",
      decode: { node, _ in
        let tags = node["tags"]?.all().compactMap { $0.text } ?? []
        guard !tags.isEmpty else { return }
        node.note(
          .uninterpreted, "tags", "images are views of the program",
          found: tags.joined(separator: ", ").excerpt)
      }),
  ]

  /// A number with half of its variation to both sides.
  private static func value(_ node: SourceNode, _ key: String, _ standard: Double) -> Value {
    Value(center: node.number(key, standard), halfWidth: node.number(key + "Variation") / 2)
  }

  private static func shape(of node: SourceNode) -> Shape {
    guard let shape = node["shape"] else { return Shape() }
    if let box = shape["box"] {
      return .rect(
        width: box.number("width").magnitude, height: box.number("height").magnitude)
    }
    for kind in ["ellipse", "ring"] {
      guard let disc = shape[kind] else { continue }
      var ellipse = Shape(.ellipse)
      let radius = (disc.number("radius") / 2).magnitude
      ellipse.radii = Vector2(radius, radius)
      if kind == "ring" { ellipse.placement = .edge } else { ellipse.distribution = .radialLinear }
      return ellipse
    }
    if shape["point"] == nil {
      shape.note(.emitterValue, "particles start at a point", found: shape.onlyKey?.excerpt)
    }
    return Shape()
  }

  private static func decodeBurst(_ node: SourceNode, _ emitter: inout Emitter) {
    let count = node.number("burstCount", 100, atLeast: 0)
    let half = node.number("burstCountVariation") / 2
    guard emitter.emission.rate == 0, count > 0 else { return }
    emitter.emission.bursts = [
      Burst(count: Value(center: count, halfWidth: min(half.magnitude, count)))
    ]
    node.note(
      .assumed, "burstCount", "a burst at the start, because no particles are emitted otherwise")
  }

  private static func decodeSpin(_ node: SourceNode, _ emitter: inout Emitter) {
    let speed = node.numbers("angularSpeed", count: 3) ?? [0, 0, 0]
    let width = node.numbers("angularSpeedVariation", count: 3) ?? [0, 0, 0]
    emitter.rotation.velocity = Track(
      Value(
        center: 0 - Angle.degrees(speed[2]), halfWidth: Angle.degrees(width[2].magnitude) / 2))
    if (speed + width).enumerated().contains(where: { $0.offset % 3 != 2 && $0.element != 0 }) {
      node.note(.uninterpreted, "angularSpeed", "rotation about x and y")
    }
  }

  private static func color(_ node: SourceNode) -> Color {
    Color(
      node.number("red"), node.number("green"), node.number("blue"), node.number("opacity", 1))
  }

  private static func ramp(_ colors: [Color]) -> ColorTrack {
    guard colors.count > 1 else { return ColorTrack(.constant(colors.first ?? .white)) }
    return ColorTrack(
      gradient: Gradient(
        zip(KeyFrames.evenTimes(colors.count), colors).map { GradientKey($0, $1) }))
  }

  private static func colors(of node: SourceNode) -> ColorTrack {
    guard let colors = node["colors"] else { return ColorTrack() }
    if let single = colors.at("single", "_0") { return ColorTrack(.constant(color(single))) }
    if let list = colors.at("random", "_0")?.all().map(color), !list.isEmpty {
      return ColorTrack(
        list.count == 1 ? .constant(list[0]) : .choice(ColorValue.Choice(list)))
    }
    if let list = colors.at("ramp", "_0")?.all().map(color) { return ramp(list) }
    if let ramps = colors.at("randomRamp", "_0")?.all().map({ $0.all().map(color) }) {
      if ramps.count > 1 {
        colors.note(
          .approximated, "each run uses one of several gradients", found: "\(ramps.count)")
      }
      return ramp(ramps.first ?? [])
    }
    colors.note(.emitterValue, "particles are white", found: colors.onlyKey?.excerpt)
    return ColorTrack()
  }

  private static let levels = 8

  static func decode(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) -> Imported {
    let file = try JSONTree(decoding: bytes, limits: context.limits)
    let json = file.value
    let report = SourceReport()
    file.findings.forEach(report.add)
    guard case .object(let object) = json, object["birthRate"]?.double != nil else {
      let kind = context.formats.foreign(bytes, fileName: context.fileName)
      throw Diagnostic(
        .emitterRoot, expected: "'birthRate'", found: kind?.found ?? json.kind, hint: kind?.hint)
    }
    var system = ParticleSystem()
    system.asset.name = Files.stem(of: context.fileName)
    (system.asset.dimension, system.asset.unit) = (.plane, .normalized)
    let root = SourceNode(json, report)
    try add(root, named: Files.stem(of: context.fileName), to: &system, depth: 0)
    if context.keepsSource {
      root.reportRest()
      system.keepSource(bytes, of: "vortex", context, bag: .object(JSONObject()))
    }
    return Imported(
      system: system, sourceName: context.fileName, source: bytes,
      diagnostics: report.diagnostics)
  }

  @discardableResult
  private static func add(
    _ node: SourceNode, named name: String, to system: inout ParticleSystem, depth: Int
  ) throws(Failure) -> Int {
    let index = system.emitters.count
    guard index < 1000 else {
      throw Diagnostic(.emitterRoot, expected: "up to 1000 systems", found: "more")
    }
    system.emitters.append(Emitter(name: name))
    var emitter = Emitter(name: name)
    try table.decode(node, into: &emitter)
    for (number, other) in (node["secondarySystems"]?.all() ?? []).enumerated() {
      guard depth < levels else {
        other.passAll()
        other.note(.uninterpreted, "systems nested deeper than \(levels)")
        continue
      }
      let occasion = other["spawnOccasion"]?.onlyKey ?? "onBirth"
      other["spawnOccasion"]?.passAll()
      let events: [String: TriggerEvent] = [
        "onBirth": .birth, "onDeath": .death, "onUpdate": .frame,
      ]
      if events[occasion] == nil {
        other.note(
          .emitterValue, "spawnOccasion", "`onBirth` is used", found: occasion.excerpt)
      }
      let target = try add(other, named: "\(name) \(number + 1)", to: &system, depth: depth + 1)
      // The emitter is at the place of the particle.
      system.emitters[target].transform = Transform()
      var trigger = Trigger(events[occasion] ?? .birth, emitter: target)
      trigger.inherit = [.position]
      emitter.triggers.append(trigger)
    }
    if depth == 0 { node["spawnOccasion"]?.passAll() }
    system.emitters[index] = emitter
    return index
  }
}

extension ParticleFormat {
  /// Systems of Vortex, a particle library for SwiftUI, as JSON. They are only read.
  public static let vortex = ParticleFormat(
    reading: "vortex", title: "Vortex particle system", extensions: ["json"], VortexFormat.table,
    decimalCommas: .json,
    recognise: { bytes, _ in
      bytes.beginsWithText("{") && bytes.contains("\"birthRate\"")
        && bytes.contains("\"emissionDuration\"") && bytes.contains("\"sizeMultiplierAtDeath\"")
    }, decode: VortexFormat.decode
  ).declaring(.vortex)
}
