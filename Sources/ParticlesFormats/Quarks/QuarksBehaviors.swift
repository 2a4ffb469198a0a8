internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<QuarksFamily> {
  mutating func encodeTiles() {
    let grid = sprite?.grid
    set("ps.uTileCount", integer: grid?.columns ?? 1)
    set("ps.vTileCount", integer: grid?.rows ?? 1)
    if grid != nil, grid != SpriteGrid(columns: grid?.columns ?? 1, rows: grid?.rows ?? 1) {
      lose(.approximated, .flip, at: "sprites", "tiles are in rows, and all are used")
    }
    set("ps.startTileIndex", generator(emitter.flipbook?.start ?? 0, .flip, at: "flipbook.start"))
    let blends = emitter.flipbook?.crossfade ?? false
    if blends || surroundings.origin?["ps.blendTiles"] != nil { set("ps.blendTiles", flag: blends) }
    guard let flipbook = emitter.flipbook else { return }
    var still = flipbook
    still.crossfade = false
    let isStill = still == Flipbook()
    if flipbook.fps != .life && flipbook.fps != .fixed(0) || flipbook.mode != .loop
      || flipbook.startRandom || isStill
    {
      lose(
        isStill ? .dead : .approximated, .flip, at: "flipbook",
        "tiles are shown over the life, or one of them")
    }
  }

  // MARK: Behaviours

  mutating func encodeBehaviors() {
    var behaviors: [JSONValue] = []
    appendColor(to: &behaviors)
    let width = emitter.size.width
    if width.to != nil {
      let curve = width.from == 0 ? Track(from: 0, to: 1, curve: width.curve) : width
      behaviors.append([
        "type": "SizeOverLife", "size": overLife(curve, .sizeCurve, at: "size.width"),
      ])
      let isPlain = width == Track(from: 0, to: width.to, curve: width.curve)
      if !isPlain, !hasLine(at: "size.width") {
        lose(.restated, .sizeCurve, at: "size.width", "written as a factor over life")
      }
    } else if width.rate != 0 || width.range != nil {
      lose(.lost, .sizeCurve, at: "size.width", "sizes change over life")
    }
    appendForces(to: &behaviors)
    let rotation = emitter.rotation
    if rotation.velocity != 0 || rotation.acceleration != 0 {
      behaviors.append([
        "type": "RotationOverLife",
        "angularVelocity": overLife(
          spinOverLife(), .rotVel, at: "rotation.velocity", times: Self.radians),
      ])
    }
    if let speed = emitter.motion.speed {
      behaviors.append([
        "type": "SpeedOverLife", "speed": overLife(speed, .speedCurve, at: "motion.speed"),
      ])
      if emitter.motion.speedMode == .replace {
        lose(
          .approximated, .speedCurve, at: "motion.speedMode", also: ["launch.speed"],
          "the speed over life is a factor")
      }
    }
    if emitter.motion.orbitVelocity != 0 {
      let axis = emitter.motion.orbitAxis
      behaviors.append([
        "type": "OrbitOverLife",
        "orbitSpeed": overLife(
          emitter.motion.orbitVelocity, .orbitVel, at: "motion.orbitVelocity", times: Self.radians),
        "axis": point(axis),
      ])
    } else {
      drop(\.motion.orbitAxis, .orbitVel, at: "motion.orbitAxis", "there is no orbit", .dead)
    }
    if emitter.flipbook?.fps == .life {
      let count = Double((sprite?.grid?.columns ?? 1) * (sprite?.grid?.rows ?? 1))
      behaviors.append([
        "type": "FrameOverLife",
        "frame": bezier(Curve([CurveKey(0, 0), CurveKey(1, max(count - 1, 0))])),
      ])
    }
    appendTriggers(to: &behaviors)
    // A file keeps the order of its behaviours.
    let order = (surroundings.origin?["ps.behaviors"]?.array ?? []).compactMap {
      $0["type"]?.string
    }
    behaviors = behaviors.enumerated().sorted { a, b in
      func place(_ value: JSONValue) -> Int {
        order.firstIndex(of: value["type"]?.string ?? "") ?? order.count
      }
      return (place(a.element), a.offset) < (place(b.element), b.offset)
    }.map(\.element)
    set("ps.behaviors", .array(behaviors))
  }

  /// Whether the colour over life is no more than a gradient.
  private var isPlainColor: Bool {
    let color = emitter.color
    return color.base.to == nil && color.base.rate == .zero && color.opacity == 1
      && color.intensity == 1 && color.mix == 1
  }

  /// A colour that changes otherwise than by a gradient as two bounds for each particle, and 17 shares of
  /// those over the life that are the same for all; nil for others.
  var colorParts: (low: Color, high: Color, shares: [[Double]])? {
    guard !isPlainColor else { return nil }
    let (color, base) = (emitter.color, emitter.color.base)
    let points = color.seen(lifetime: lifetime).points.map(\.channels)
    let (mean, start) = base.from.uniformLikeness
    let end = base.to?.uniformLikeness.half.channels
    let (middle, half, _) = color.opacity.from.spread
    func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    var (bounds, shares) = ([Interval](), [[Double]]())
    for channel in 0..<4 {
      let values = points.map { $0[channel] }
      let top = values.max() ?? 0
      shares.append(values.map { top > 0 ? $0 / top : 0 })
      let first = start.channels[channel]
      var part = mean.channels[channel] > 0 ? first / mean.channels[channel] : 0
      if let end {
        // The factor whose deviation is nearest to that of both ends, which are independent of each other.
        let sums = values.enumerated().reduce((0.0, 0.0)) { sums, point in
          let time = base.curve.value(at: Double(point.offset) / Double(max(values.count - 1, 1)))
          let both = length((1 - time) * first, time * end[channel])
          return (sums.0 + point.element * both, sums.1 + point.element * point.element)
        }
        part = sums.1 > 0 ? sums.0 / sums.1 : 0
      }
      if channel == 3, middle > 0 { part = length(part, half / middle) }
      part = min(part, 1)
      bounds.append(Interval((top * (1 - part)).rounded, (top * (1 + part)).rounded))
    }
    return (Color(bounds.map(\.lower)), Color(bounds.map(\.upper)), shares)
  }

  private mutating func appendColor(to behaviors: inout [JSONValue]) {
    let color = emitter.color
    let base = color.base
    var keys: [GradientKey] = []
    var alpha: [(time: Double, value: Double)] = []
    let parts = colorParts
    if parts == nil {
      guard let gradient = base.gradient else { return }
      keys = gradient.keys
      if gradient.interpolation != .linear || gradient.space != .srgb || keys.isEmpty
        || [gradient.red, gradient.green, gradient.blue].contains(where: { $0 != nil })
      {
        keys = (0...16).map { GradientKey(Double($0) / 16, gradient.color(at: Double($0) / 16)) }
        lose(
          .approximated, .grad, at: "color.base.gradient", "colours are on lines",
          recipe: "17 points")
      }
      alpha =
        gradient.alpha?.linearPoints
        ?? (gradient.alpha.map { curve in
          (0...16).map { (Double($0) / 16, curve.value(at: Double($0) / 16)) }
        } ?? keys.map { ($0.time, $0.color.alpha) })
      if gradient.alpha == nil || gradient.alpha?.linearPoints == nil,
        !hasLine(at: "color.base.gradient")
      {
        lose(
          .restated, .alphaCv, at: "color.base.gradient", "alpha is written as points of its own")
      }
    } else {
      let shares = parts?.shares ?? []
      keys = (0...16).map { index in
        GradientKey(Double(index) / 16, Color(shares.map { $0.count > index ? $0[index] : 0 }))
      }
      alpha = keys.map { ($0.time, $0.color.alpha) }
      lose(
        .approximated, color.opacity != 1 ? .alphaCv : .grad, at: "color",
        "colour and opacity are one gradient", recipe: "17 points", level: .low)
    }
    behaviors.append([
      "type": "ColorOverLife",
      "color": [
        "type": "Gradient",
        "color": [
          "type": "CLinearFunction", "subType": "Color",
          "keys": .array(
            keys.map {
              ["value": self.color($0.color, hasAlpha: false), "pos": format.real($0.time)]
            }),
        ],
        "alpha": [
          "type": "CLinearFunction", "subType": "Number",
          "keys": .array(
            alpha.map { ["value": format.real($0.value), "pos": format.real($0.time)] }),
        ],
      ],
    ])
  }

  private mutating func appendForces(to behaviors: inout [JSONValue]) {
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        behaviors.append([
          "type": "ForceOverLife", "x": overLife(force.vector.x, .gravity, at: place),
          "y": overLife(force.vector.y, .gravity, at: place),
          "z": overLife(force.vector.z, .gravity, at: place),
        ])
        if force.space != .local, !hasLine(at: place) {
          lose(.restated, .gravity, at: place, "accelerations act in the space of the emitter")
        }
      case .radial where force.falloff == 2:
        behaviors.append([
          "type": "GravityForce",
          "center": point(force.center),
          "magnitude": format.real(
            -single(force.strength.from, .attract, at: place, "the strength cannot be random")),
        ])
        if force.maxDistance != nil || !force.strength.isPlainValue {
          lose(.approximated, .attract, at: place, "the strength is constant, at any distance")
        }
      case .drag where force.law == .limit:
        behaviors.append([
          "type": "LimitSpeedOverLife", "speed": constant(force.limit),
          "dampen": format.real(
            (single(force.strength.from, .dragLin, at: place, "it cannot be random") / 20).rounded),
        ])
        if force.direction != nil || !force.strength.isPlainValue {
          lose(.approximated, .dragLin, at: place, "drag acts along the motion")
        }
      case .drag where force.dragShare(over: lifetime) != nil:
        // In each frame, the engine removes a third of `dampen`.
        behaviors.append([
          "type": "LimitSpeedOverLife", "speed": constant(0),
          "dampen": format.real((3 * (force.dragShare(over: lifetime) ?? 0)).rounded),
        ])
        lose(
          .approximated, force.law == .euler ? .dragLin : .dragExp, at: place,
          "drag is a limit of the speed", recipe: "a limit of 0")
      default:
        lose(.lost, force.kind.capability, at: place, force.kind.lossDetail)
      }
    }
  }

  private mutating func appendTriggers(to behaviors: inout [JSONValue]) {
    let modes: [TriggerEvent: Int] = [.death: 0, .birth: 1, .frame: 2]
    for (index, trigger) in emitter.triggers.enumerated() {
      let place = "triggers[\(index)]"
      guard let mode = modes[trigger.event] else {
        lose(.lost, trigger.event.capability, at: place, "this event starts no emitter")
        continue
      }
      // The file's own name of the other emitter; a new file counts its nodes.
      let digits = String(trigger.emitter + 1, radix: 16)
      let padding = String(repeating: "0", count: max(12 - digits.count, 0))
      var target = "00000000-0000-4000-8004-\(padding)\(digits)"
      if let old = surroundings.origin?["ps.behaviors"]?.array?.filter({
        $0["type"]?.string == "EmitSubParticleSystem"
      }), old.indices.contains(index), let name = old[index]["subParticleSystem"]?.string {
        target = name
      }
      behaviors.append([
        "type": "EmitSubParticleSystem", "subParticleSystem": .string(target),
        "useVelocityAsBasis": .bool(false), "mode": .int(mode),
        "emitProbability": format.real(trigger.probability),
      ])
      var plain = Trigger(trigger.event, emitter: trigger.emitter)
      (plain.probability, plain.inherit) = (trigger.probability, [.position])
      if trigger != plain {
        lose(
          .approximated, trigger.event.capability, at: place,
          "a copy of the other emitter is started")
      }
    }
  }
}
