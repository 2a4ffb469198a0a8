internal import ParticlesCore
internal import ParticlesModel

extension TreeReader<QuarksFamily> {
  static var degrees: Double { 180 / .pi }

  // MARK: Generators

  /// A value of new particles; of a curve over the period a ramp.
  func generated(_ key: String, _ standard: Double = 0, times factor: Double = 1) -> Value {
    guard let value = self[key] else { return .constant(standard * factor) }
    return generated(value, key)?.scaled(by: factor) ?? .constant(standard * factor)
  }

  func generated(_ value: JSONValue, _ key: String) -> Value? {
    if let number = value.double { return .constant(number.tidy) }
    switch value["type"]?.string {
    case "ConstantValue": return .constant((value["value"]?.double ?? 0).tidy)
    case "IntervalValue":
      return .between((value["a"]?.double ?? 0).tidy, (value["b"]?.double ?? 0).tidy)
    case "PiecewiseBezier":
      guard let curve = QuarksFamily.curve(of: value) else { return nil }
      return .ramp(.init(low: 0, high: 1, curve: curve))
    default:
      note(.uninterpreted, key, "a generator that is not known", found: value["type"]?.shortExcerpt)
      return nil
    }
  }
}

extension QuarksFamily {
  /// The curve of a `PiecewiseBezier`. Handles that are absent are on the line.
  static func curve(of value: JSONValue) -> Curve? {
    let segments = value["functions"]?.array ?? []
    guard segments.count < 10_000 else { return nil }
    return Curve(
      segments.map { segment in
        let function = segment["function"] ?? segment
        // The engine takes a handle that is null for 0.
        func handle(_ key: String) -> Double? {
          function[key] == .null ? 0 : function[key]?.double
        }
        return BezierSegment(
          start: segment["start"]?.double ?? 0,
          ends: (function["p0"]?.double ?? 0, function["p3"]?.double ?? 0),
          handles: (handle("p1"), handle("p2")))
      })
  }
}

extension TreeReader<QuarksFamily> {
  /// A value over life: a number for each particle, or a curve.
  func overLife(_ value: JSONValue?, _ key: String, times factor: Double = 1) -> Track? {
    guard let value else { return nil }
    if value["type"]?.string == "PiecewiseBezier" {
      return QuarksFamily.curve(of: value).map { Track(from: 0, to: .constant(factor), curve: $0) }
    }
    return generated(value, key).map { Track($0.scaled(by: factor)) }
  }

  func color(_ value: JSONValue?) -> Color {
    func channel(_ key: String) -> Double { (value?[key]?.double ?? 1).tidy }
    return Color(channel("r"), channel("g"), channel("b"), channel("a"))
  }

  func gradient(_ value: JSONValue, _ key: String) -> Gradient? {
    if let functions = value["functions"]?.array {
      var keys: [GradientKey] = []
      for (index, part) in functions.enumerated() {
        let start = part["start"]?.double ?? 0
        let end = index + 1 < functions.count ? functions[index + 1]["start"]?.double ?? 1 : 1
        let (a, b) = (color(part["function.a"]), color(part["function.b"]))
        if keys.last != GradientKey(start, a) { keys.append(GradientKey(start, a)) }
        keys.append(GradientKey(end, b))
      }
      return keys.isEmpty ? nil : Gradient(keys.sorted { $0.time < $1.time })
    }
    guard let colors = value["color.keys"]?.array, !colors.isEmpty else {
      note(.uninterpreted, key, "a gradient that is not known")
      return nil
    }
    let keys = colors.map {
      var color = color($0["value"])
      color.alpha = 1
      return GradientKey($0["pos"]?.double ?? 0, color)
    }
    var gradient = Gradient(keys.sorted { $0.time < $1.time })
    let alpha = (value["alpha.keys"]?.array ?? []).map {
      (time: $0["pos"]?.double ?? 0, value: ($0["value"]?.double ?? 1).tidy)
    }
    if !alpha.isEmpty {
      gradient.alpha = .lines(alpha)
    }
    return gradient
  }

  func colorValue(_ key: String) -> ColorValue {
    guard let value = self[key] else { return .white }
    switch value["type"]?.string {
    case "ConstantColor": return .constant(color(value["color"]))
    case "ColorRange": return .range(color(value["a"]), color(value["b"]), .line)
    case "RandomColor": return .range(color(value["a"]), color(value["b"]))
    default:
      note(.uninterpreted, key, "a colour that is not known", found: value["type"]?.shortExcerpt)
      return .white
    }
  }

  // MARK: Emitters

  func decodeEmission(of emitter: inout Emitter) {
    emitter.emission.rate = generated("ps.emissionOverTime", 10).notNegative
    emitter.emission.ratePerDistance = generated("ps.emissionOverDistance").notNegative
    emitter.emission.bursts = (array("ps.emissionBursts") ?? []).prefix(1000).map { value in
      var burst = Burst(time: max(value["time"]?.double ?? 0, 0), count: 1)
      burst.count = (value["count"].flatMap { generated($0, "ps.emissionBursts") } ?? 1).notNegative
      burst.probability = min(max(value["probability"]?.double ?? 1, 0), 1)
      // Cycles and intervals are in files, and not read by the engine.
      return burst
    }
    emitter.timing.duration = .constant(max(number("ps.duration", 1), 0))
    emitter.timing.loop = flag("ps.looping", true)
    if flag("ps.prewarm", false), emitter.timing.loop {
      emitter.timing.prewarm = number("ps.duration", 1)
    }
    emitter.space = flag("ps.worldSpace", false) ? .world : .local
    emitter.transform = AffineTransform(matrix: value["matrix"]).transform
  }

  func decodeShape(of emitter: inout Emitter) {
    func part(_ key: String, _ standard: Double = 0) -> Double {
      number("ps.shape.\(key)", standard)
    }
    emitter.launch.direction = Direction(.normal)
    var shape = Shape()
    switch text("ps.shape.type") ?? "sphere" {
    case "point": emitter.launch.direction = Direction(.random)
    case "sphere": shape = .sphere(radius: part("radius", 10).magnitude)
    case "hemisphere":
      shape = Shape(.hemisphere)
      shape.radius = part("radius", 10).magnitude
    case "cone":
      shape = Shape(.cone)
      shape.radius = part("radius", 10).magnitude
      shape.angle = (part("angle") * Self.degrees).rounded
      note(
        .approximated, "ps.shape.angle", "directions in a cone are those of its sides",
        severity: .note)
    case "circle": shape = .ellipse(part("radius", 10).magnitude, part("radius", 10).magnitude)
    case "donut":
      shape = Shape(.torus)
      shape.radius = part("radius", 10).magnitude
      shape.pipe = part("donutRadius", shape.radius * 0.2).magnitude
    case "rectangle", "grid":
      shape = .rect(width: part("width", 1).magnitude, height: part("height", 1).magnitude)
      if text("ps.shape.type") == "rectangle" { shape.placement = .edge }
      emitter.launch.direction = Direction(vector: Vector(0, 0, 1))
    default:
      note(
        .uninterpreted, "ps.shape", "particles are emitted at a point",
        found: text("ps.shape.type")?.excerpt)
      emitter.launch.direction = Direction(.random)
    }
    if shape.kind != .rect {
      shape.arc = Interval(0, min((part("arc", 2 * .pi) * Self.degrees * 1e6).rounded() / 1e6, 360))
      let thickness = min(max(part("thickness", 1), 0), 1)
      shape.inner = (1 - thickness).rounded
      if thickness == 0, shape.kind != .torus {
        (shape.inner, shape.placement) = (0, .surface)
      } else if shape.kind == .sphere || shape.kind == .hemisphere {
        shape.distribution = .radialLinear
      }
    }
    let modes: [Sweep] = [.random, .loop, .pingpong, .spread]
    let mode = Int(part("mode"))
    if modes.indices.contains(mode) { shape.sweep = modes[mode] }
    if [.cone, .torus, .hemisphere].contains(shape.kind) {
      // Along z, and not along y.
      let half = 0.5.squareRoot().rounded
      shape.transform.rotation = Quaternion(half, 0, 0, half)
    }
    emitter.shape = shape
  }

  func decodeLook(of emitter: inout Emitter) {
    emitter.lifetime = generated("ps.startLife", 5).notNegative
    emitter.launch.speed = generated("ps.startSpeed")
    emitter.size.aspect = .ratio(1)
    emitter.size.width = Track(generated("ps.startSize", 1).notNegative)
    emitter.color.base = ColorTrack(colorValue("ps.startColor"))
    emitter.color.base.clamp = emitter.color.base.from.componentBounds
    if let angles = self["ps.startRotation"], angles["type"]?.string == "Euler" {
      emitter.rotation.angle = Track(
        generated(angles["angleZ"] ?? .int(0), "ps.startRotation")?.scaled(by: Self.degrees) ?? 0)
      note(.approximated, "ps.startRotation", "only the rotation about z is kept")
    } else if self["ps.startRotation"]?["type"]?.string.map({
      ["AxisAngle", "RandomQuat"].contains($0)
    })
      ?? false
    {
      note(.approximated, "ps.startRotation", "a rotation in space is left out")
    } else {
      emitter.rotation.angle = Track(generated("ps.startRotation", times: Self.degrees))
    }
    let modes: [Billboard] = [.screen, .velocity, .mesh, .screen, .horizontal, .vertical]
    let mode = Int(number("ps.renderMode", 0))
    emitter.render.billboard = modes.indices.contains(mode) ? modes[mode] : .screen
    if mode == 1 {
      emitter.size.stretch = Stretch()
      emitter.size.stretch?.factor = .constant(
        number("ps.rendererEmitterSettings.speedFactor") ?? number("ps.speedFactor", 0))
    } else if mode == 3 {
      note(.approximated, "ps.renderMode", "a trail follows the last second of a particle")
      emitter.render.trail = Trail()
      emitter.render.trail?.length = 1
    }
    emitter.render.order = Int(number("ps.renderOrder", 0).rounded())
    if flag("ps.softParticles", false) {
      emitter.render.soft = Softness()
      emitter.render.soft?.near = number("ps.softNearFade", 0, atLeast: 0)
      emitter.render.soft?.far = max(number("ps.softFarFade", 0), number("ps.softNearFade", 0))
    }
    let tile = generated("ps.startTileIndex").notNegative
    if tile != 0 || behavior("FrameOverLife") != nil {
      emitter.flipbook = Flipbook()
      emitter.flipbook?.start = tile
      emitter.flipbook?.crossfade = flag("ps.blendTiles", false)
    }
  }

  func behavior(_ type: String) -> JSONValue? {
    self["ps.behaviors"]?.array?.first { $0["type"]?.string == type }
  }

  func decodeBehaviors(of emitter: inout Emitter) {
    for (index, behavior) in (array("ps.behaviors") ?? []).enumerated() {
      let type = behavior["type"]?.string ?? ""
      let key = "ps.behaviors[\(index)]"
      decode(type, behavior, key, &emitter)
    }
  }

  private func decode(
    _ type: String, _ behavior: JSONValue, _ key: String, _ emitter: inout Emitter
  ) {
    func vector(_ name: String) -> Vector { behavior.vector(name) }
    switch type {
    case "ColorOverLife":
      if let value = behavior["color"] {
        switch value["type"]?.string {
        case "Gradient": emitter.color.base.gradient = gradient(value, key)
        case "ConstantColor":
          emitter.color.base.gradient = Gradient([GradientKey(0, color(value["color"]))])
        case "ColorRange", "RandomColor", "RandomColorBetweenGradient":
          note(.approximated, key, "colours over life are the same for all particles")
          if let first = value["gradient1"] {
            emitter.color.base.gradient = gradient(first, key)
          } else {
            emitter.color.base.gradient = Gradient([
              GradientKey(0, color(value["a"]).mixed(with: color(value["b"]), 0.5))
            ])
          }
        default: note(.uninterpreted, key, "a colour that is not known")
        }
      }
    case "SizeOverLife":
      guard let track = overLife(behavior["size"], key) else { return }
      if track.to != nil {
        emitter.size.width = Track(from: 0, to: emitter.size.width.from, curve: track.curve)
      } else {
        emitter.size.width = Track(emitter.size.width.from.scaled(by: track.from.mean))
        if !track.from.isNumber { note(.approximated, key, "a random factor is its mean") }
      }
    case "RotationOverLife":
      if let track = overLife(behavior["angularVelocity"], key, times: Self.degrees) {
        emitter.rotation.velocity = track
      }
    case "SpeedOverLife":
      emitter.motion.speed = overLife(behavior["speed"], key)
    case "ForceOverLife":
      var force = Force(.gravity)
      force.vector = VectorTrack(
        overLife(behavior["x"], key) ?? 0, overLife(behavior["y"], key) ?? 0,
        overLife(behavior["z"], key) ?? 0)
      force.space = .local
      emitter.forces.append(force)
    case "ApplyForce":
      let magnitude = behavior["magnitude"].flatMap { generated($0, key) } ?? 0
      let list = behavior["direction"]?.array?.compactMap(\.double)
      let direction =
        list.map { Vector($0.first ?? 0, $0.count > 1 ? $0[1] : 0, $0.count > 2 ? $0[2] : 0) }
        ?? vector("direction")
      var force = Force(.gravity)
      func axis(_ part: Double) -> Track { part == 0 ? 0 : Track(magnitude.scaled(by: part)) }
      force.vector = VectorTrack(axis(direction.x), axis(direction.y), axis(direction.z))
      force.space = .local
      emitter.forces.append(force)
    case "GravityForce":
      var force = Force(.radial, strength: .constant(-(behavior["magnitude"]?.double ?? 0)))
      force.center = vector("center")
      force.falloff = 2
      emitter.forces.append(force)
    case "LimitSpeedOverLife":
      var force = Force.drag(
        .limit, strength: .constant(((behavior["dampen"]?.double ?? 0) * 20).rounded))
      force.limit = max(behavior["speed"].flatMap { generated($0, key) }?.mean ?? 0, 0)
      emitter.forces.append(force)
    case "OrbitOverLife":
      if let track = overLife(behavior["orbitSpeed"], key, times: Self.degrees) {
        emitter.motion.orbitVelocity = track
      }
      let axis = vector("axis")
      emitter.motion.orbitAxis = axis == .zero ? Vector(0, 1, 0) : axis
    case "FrameOverLife":
      guard behavior["frame.type"]?.string == "PiecewiseBezier" else {
        if let start = behavior["frame"].flatMap({ generated($0, key) }) {
          emitter.flipbook?.start = start.notNegative
        }
        return
      }
      emitter.flipbook?.fps = .life
    case "EmitSubParticleSystem": break
    default:
      note(.uninterpreted, key, "a behaviour that is not supported", found: "'\(type.excerpt)'")
    }
  }
}
