internal import ParticlesCore
internal import ParticlesModel

// Emission, motion and shape.

extension TreeReader<PixiFamily> {
  var emission: Emission {
    var emission = Emission()
    emission.whenFull = .skip
    var interval = number("frequency", 1)
    if interval <= 0 {
      note(.assumed, "frequency", "1 s between waves, as in the engine", found: shortText(interval))
      interval = 1
    }
    let wave = number("particlesPerWave", 1)
    guard wave > 1 else {
      emission.rate = .constant((1 / interval).rounded)
      return emission
    }
    var burst = Burst(count: .constant(wave.rounded(.down)))
    burst.interval = interval
    let life = number("emitterLifetime", -1)
    // The life falls by the interval for each wave, and the wave that uses it up is not emitted.
    burst.cycles = life > 0 ? max(Int(min((life / interval).rounded(.up), 1e6)) - 1, 1) : 0
    emission.bursts = [burst]
    return emission
  }

  func decodeSpeed(of emitter: inout Emitter) {
    if has(keys.isFlat ? "acceleration" : "behaviors[moveAcceleration]"), acceleration != .zero {
      return decodeAcceleration(of: &emitter)
    }
    let key = keys.key("extraData.path", "movePath", "path")
    let path = text(key)
    if let path {
      do {
        _ = try PathFormula(path)
      } catch {
        note(
          .uninterpreted, key, "\(error.detail); particles move straight ahead",
          found: path.excerpt)
      }
      emitter.motion.mode = .path
      emitter.motion.path = MotionPath()
      emitter.motion.path?.expression = path
    }
    let behavior = path == nil ? "moveSpeed" : "movePath"
    let factor = factor(
      keys.isFlat ? "speed" : "behaviors[\(behavior)].config", "minimumSpeedMultiplier")
    if has("behaviors[moveSpeedStatic].config") {
      emitter.launch.speed = range(
        "behaviors[moveSpeedStatic].config.min", "behaviors[moveSpeedStatic].config.max")
    } else if let track = track(keys.key("speed", behavior, "speed"), times: factor) {
      if track.isPlainValue {
        emitter.launch.speed = track.from
      } else {
        emitter.launch.speed = 1
        (emitter.motion.speed, emitter.motion.speedMode) = (track, .replace)
      }
    }
  }

  /// The factor of a list for each particle.
  private func factor(_ place: String, _ name: String) -> Value {
    let least =
      keys.isFlat
      ? number("\(place).\(name)") ?? number(name, 1) : number("\(place).minMult", 1)
    return least == 1 ? 1 : .between(least, 1)
  }

  private var acceleration: Vector {
    Vector(number("\(keys.acceleration).x", 0), 0 - number("\(keys.acceleration).y", 0))
  }

  /// The speed of lists is then only that at the start.
  private func decodeAcceleration(of emitter: inout Emitter) {
    emitter.forces = [.gravity(acceleration)]
    if let most = number(keys.maxSpeed), most > 0 { emitter.motion.maxSpeed = .constant(most) }
    if keys.isFlat {
      let start = track("speed").map { $0.curve(lifetime: 1).curve.value(at: 0) } ?? 0
      emitter.launch.speed = factor("speed", "minimumSpeedMultiplier").scaled(by: start)
      if track("speed")?.isPlainValue == false {
        note(.dead, "speed", "with an acceleration only the start speed is used", severity: .note)
      }
    } else {
      let config = "behaviors[moveAcceleration].config"
      emitter.launch.speed = range("\(config).minStart", "\(config).maxStart")
    }
  }

  func decodeRotation(of emitter: inout Emitter) {
    var angle: Value = 0
    if keys.isFlat {
      let key = has("startRotation") ? "startRotation" : "angle"
      angle = range("\(key).min", "\(key).max", times: -1)
    } else if has("behaviors[rotation].config") {
      angle = range(keys.startLow, keys.startHigh, times: -1)
    } else if has("behaviors[rotationStatic].config") {
      let config = "behaviors[rotationStatic].config"
      angle = range("\(config).min", "\(config).max", times: -1)
    }
    emitter.launch.direction = Direction(angle: angle)
    emitter.rotation.velocity = Track(range(keys.spinLow, keys.spinHigh, times: -1))
    emitter.rotation.acceleration = .constant(0 - number(keys.spinGain, 0))
    let isStill = keys.isFlat ? flag("noRotation", false) : has("behaviors[noRotation]")
    let isTurned =
      keys.isFlat
      ? emitter.rotation.velocity == 0 && !emitter.forces.isEmpty
      : flag("behaviors[moveAcceleration].config.rotate", false)
    emitter.rotation.align = isStill ? .none : isTurned ? .velocity : .birth
    if isStill { (emitter.rotation.velocity, emitter.rotation.acceleration) = (0, 0) }
  }

  func decodeShape(of emitter: inout Emitter) throws {
    if !keys.isFlat {
      if has("behaviors[spawnBurst]") {
        let config = "behaviors[spawnBurst].config"
        return decodeBurst(
          of: &emitter, start: number("\(config).start", 0),
          spacing: number("\(config).spacing", 0),
          distance: number("\(config).distance", 0))
      }
      guard has("behaviors[spawnShape].config") else { return }
    }
    let type =
      text(keys.isFlat ? "spawnType" : "behaviors[spawnShape].config.type") ?? "point"
    let data = keys.isFlat ? "spawnCircle" : "behaviors[spawnShape].config.data"
    switch type {
    case "point": break
    case "rect":
      let data = keys.isFlat ? "spawnRect" : data
      let (width, height) = (number("\(data).w", 0), number("\(data).h", 0))
      emitter.shape = .rect(width: width.magnitude, height: height.magnitude)
      emitter.shape.transform.translation = Vector(
        (number("\(data).x", 0) + width / 2).rounded,
        0 - (number("\(data).y", 0) + height / 2).rounded)
    case "circle", "ring", "torus":
      let radius = number(keys.isFlat ? "\(data).r" : "\(data).radius", 0).magnitude
      let inner = number(keys.isFlat ? "\(data).minR" : "\(data).innerRadius", 0)
      emitter.shape = .ellipse(radius, radius)
      if type != "circle", radius > 0 {
        emitter.shape.inner = min(max(inner / radius, 0), 1).rounded
      }
      emitter.shape.distribution = .radialLinear
      emitter.shape.transform.translation = Vector(
        number("\(data).x", 0), 0 - number("\(data).y", 0))
      if keys.isFlat ? type == "ring" : flag("\(data).affectRotation", false) {
        setNormal(of: &emitter, data)
      }
    case "burst":
      decodeBurst(
        of: &emitter, start: number("angleStart", 0), spacing: number("particleSpacing", 0),
        distance: 0)
    case "polygonalChain":
      decodeChain(of: &emitter, keys.isFlat ? "spawnPolygon" : data)
    default:
      note(
        .assumed, keys.isFlat ? "spawnType" : "behaviors[spawnShape].config.type",
        "particles are emitted at a point", found: "'\(type.excerpt)'")
    }
  }

  /// Particles fly outwards, turned by their start rotation.
  private func setNormal(of emitter: inout Emitter, _ path: String) {
    if emitter.launch.direction.angle.mean != 0 || !emitter.launch.direction.angle.isConstant {
      note(
        .approximated, path,
        "directions that depend on the place and are random as well lose "
          + "their start rotation")
    }
    emitter.launch.direction = Direction(.normal)
  }

  private func decodeBurst(
    of emitter: inout Emitter, start: Double, spacing: Double, distance: Double
  ) {
    emitter.shape = .ellipse(distance.magnitude, distance.magnitude)
    emitter.shape.placement = .edge
    if spacing != 0 {
      let count = max(number("particlesPerWave", 1), 1)
      // In equal parts of the arc, each in the middle of its own.
      let end = start + spacing * (count - 0.5)
      emitter.shape.arc = Interval(
        (-end).rounded, (-(start - spacing / 2)).rounded)
      emitter.shape.sweep = .spread
    }
    emitter.launch.direction = Direction(.normal)
  }

  private func decodeChain(of emitter: inout Emitter, _ path: String) {
    let chain = array(path) ?? []
    let lists = chain.first?.array == nil ? [chain] : chain.compactMap(\.array)
    let lines = lists.map { list in
      list.map { point in Vector(point["x"]?.double ?? 0, 0 - (point["y"]?.double ?? 0)) }
    }.filter { !$0.isEmpty }
    guard !lines.isEmpty else {
      return note(.assumed, path, "without points particles are emitted at one")
    }
    emitter.shape = Shape(.polyline)
    emitter.shape.points = lines
    emitter.shape.placement = .edge
  }
}

extension EmitterWriter<PixiFamily> {
  var keys: PixiKeys { format.keys }

  mutating func encodeSpace() {
    drop(\.space, .space, at: "space", "the coordinate space is that of the program")
    loseOrientation()
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    let rate = emission.rate == 0 ? 0 : plainRateKeepingChance()
    var life = plainDuration()
    if emission.rate == 0, let burst = emission.largestBurst {
      let interval = burst.cycles == 1 ? max(life ?? 1, 0.01) : burst.interval
      set("frequency", interval.rounded)
      let count = single(burst.count, .burst, at: "emission.bursts", "waves have one size")
      set("particlesPerWave", integer: Int(min(max(count * burst.probability, 1), 1e6)))
      if burst.cycles > 0 { life = ((Double(burst.cycles) + 0.5) * interval).rounded }
      lose(
        emission.bursts.count == 1 && burst.time == 0 && burst.probability == 1
          ? .restated : .approximated, .burst,
        at: "emission.bursts",
        also: ["emission.rate", "timing.duration", "timing.loop", "timing.idle"],
        "waves are written with an interval and a time in which they are emitted")
    } else {
      if !emission.bursts.isEmpty {
        lose(.lost, .burst, at: "emission.bursts", "bursts cannot be combined with a rate; dropped")
      }
      set("frequency", rate > 0 ? (1 / rate).rounded : 1e9)
      set("particlesPerWave", integer: 1)
      if rate <= 0 { lose(.restated, .rate, at: "emission.rate", "one particle in 1e9 s") }
      if rate > 0, (1 / (1 / rate).rounded).rounded != rate {
        lose(.restated, .rate, at: "emission.rate", "written as the time between particles")
      }
    }
    if let total = emission.total {
      if rate > 0 { life = (Double(total) / rate).rounded }
      lose(
        .approximated, .total, at: "emission.total", also: ["timing.duration", "timing.loop"],
        "a particle total is not supported", recipe: "the time in which the total is emitted")
    }
    set("emitterLifetime", life ?? -1)
    let most = emission.maxAlive ?? 1000
    set("maxParticles", integer: most)
    if emission.maxAlive == nil {
      lose(
        .assumed, .maxAlive, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a capacity of 1000 is written", level: .info)
    } else {
      if emission.whenFull != .skip {
        lose(
          .approximated, .maxAlive, at: "emission.whenFull",
          "emission beyond the capacity is lost", level: .low)
      }
    }
  }

  /// The rate, of which a chance is not a part.
  private mutating func plainRateKeepingChance() -> Double {
    let rate = emitter.emission.rate
    if !rate.isNumber {
      lose(
        .approximated, .rateCurve, at: "emission.rate", "the rate is constant", recipe: "the mean")
    }
    return rate.mean
  }

  mutating func encodeMotion() {
    let gravity = gravity()
    let launch = launchSpeed()
    let motion = emitter.motion
    if motion.mode == .orbit {
      lose(
        .lost, .orbit, at: "motion.mode", also: ["motion.orbit"],
        "motion in orbits is not supported")
    }
    let path = motion.mode == .path ? motion.path?.expression : nil
    if motion.mode == .path, motion.path == nil {
      lose(.dead, .path, at: "motion.mode", "without a path motion is ballistic")
    }
    if motion.path != nil, path == nil || motion.path?.points.isEmpty == false {
      lose(
        motion.mode == .path ? .lost : .dead, .path, at: "motion.path", also: ["motion.mode"],
        "only formulas are supported as paths")
    }
    if gravity != .zero { return encodeAcceleration(gravity, launch) }
    if motion.maxSpeed != nil {
      lose(.lost, .speedCurve, at: "motion.maxSpeed", "a speed limit needs an acceleration")
    }
    if let path {
      set(keys.key("extraData.path", "movePath", "path"), .string(path))
    } else if motion.speed == nil, !keys.isFlat, !hadList("moveSpeed") {
      let bounds = bounds(of: launch, .speedRange, at: "launch.speed")
      set("behaviors[moveSpeedStatic].config.min", bounds.least)
      return set("behaviors[moveSpeedStatic].config.max", bounds.most)
    }
    var track = motion.speed ?? Track(launch)
    if motion.speed != nil, motion.speedMode == .multiply {
      track = Track(from: 0, to: launch, curve: track.curve(lifetime: lifetime).curve)
      lose(
        .restated, .speedCurve, at: "motion.speed", also: ["launch.speed", "motion.speedMode"],
        "a factor of the speed is written as the speed")
    } else if motion.speed != nil,
      track.isPlainValue
        || Set(track.curve(lifetime: lifetime).curve.keys.map(\.value)).count == 1
    {
      lose(
        .restated, .speedCurve, at: "motion.speed", also: ["launch.speed", "motion.speedMode"],
        "a speed that does not change is that at the start")
    } else if motion.speed != nil, launch != 1 {
      lose(.dead, .speedRange, at: "launch.speed", "the speed over life replaces it")
    }
    let behavior = path == nil ? "moveSpeed" : "movePath"
    encodeList(
      track, keys.isFlat ? "speed" : "behaviors[\(behavior)].config", "speed",
      "minimumSpeedMultiplier", .speedCurve,
      at: motion.speed == nil ? "launch.speed" : "motion.speed")
  }

  private mutating func encodeAcceleration(_ gravity: Vector, _ speed: Value) {
    set("\(keys.acceleration).x", gravity.x)
    set("\(keys.acceleration).y", -gravity.y)
    let most = emitter.motion.maxSpeed.map { $0.mean(lifetime: lifetime) } ?? 0
    set(keys.maxSpeed, most)
    if let limit = emitter.motion.maxSpeed, limit != .constant(most) {
      lose(.approximated, .speedCurve, at: "motion.maxSpeed", "the speed limit is constant")
    }
    if emitter.motion.speed != nil {
      lose(
        .lost, .speedCurve, at: "motion.speed", also: ["motion.speedMode", "launch.speed"],
        "with an acceleration only the start speed is used")
    }
    let bounds = bounds(of: speed, .speedRange, at: "launch.speed")
    if keys.isFlat {
      set("speed.start", bounds.most)
      set("speed.end", bounds.most)
      let share = bounds.most > 0 && bounds.least >= 0 ? (bounds.least / bounds.most).rounded : 1
      set("speed.minimumSpeedMultiplier", share)
      if (bounds.most * share - bounds.least).magnitude > 1e-6 * (1 + bounds.most.magnitude) {
        lose(
          .approximated, .speedRange, at: "launch.speed", "speeds are a part of the greatest",
          recipe: "the greatest")
      }
    } else {
      set("behaviors[moveAcceleration].config.minStart", bounds.least)
      set("behaviors[moveAcceleration].config.maxStart", bounds.most)
      set(
        "behaviors[moveAcceleration].config.rotate", flag: emitter.rotation.align == .velocity)
    }
  }

  /// Writes a track as a list, with the factor for each particle.
  mutating func encodeList(
    _ track: Track, _ place: String, _ name: String, _ factor: String, _ capability: Capability,
    at property: String, times scale: Double = 1
  ) {
    var plain = track
    let hasSteps =
      plain.to != nil && plain.curve.interpolation == .step && plain.curve.extend == .clamp
    if hasSteps { plain.curve.interpolation = .linear }
    let (points, range) = points(
      of: plain, capability, at: property, isRandom: !factor.isEmpty)
    let list = keys.isFlat ? place : "\(place).\(name)"
    let values = points.map { (time: $0.time, value: format.real($0.value * scale)) }
    let isPair =
      values.count <= 2 && (values.count < 2 || values[0].time == 0 && values[1].time == 1)
    let usesPair = surroundings.origin?[list].map { $0["start"] != nil } ?? keys.isFlat
    if isPair, !hasSteps, usesPair {
      set("\(list).start", values[0].value)
      set("\(list).end", values[values.count - 1].value)
    } else {
      set("\(list).list", .array(values.map { ["value": $0.value, "time": format.real($0.time)] }))
      if hasSteps || surroundings.origin?["\(list).isStepped"] != nil {
        set("\(list).isStepped", flag: hasSteps)
      }
    }
    if track.isPlainValue, range == (1, 1), !track.from.isNumber, !hasLine(at: property) {
      lose(
        .approximated, capability, at: property, "values are a part of the greatest",
        recipe: "the mean")
    }
    var again = Track(points: points, times: range == (1, 1) ? 1 : .between(range.least, 1))
    if hasSteps, again.to != nil { again.curve.interpolation = .step }
    if again != track, !hasLine(at: property) {
      lose(.restated, capability, at: property, "written as a list of points")
    }
    guard !factor.isEmpty else { return }
    let isOuter = keys.isFlat && surroundings.origin?[factor] != nil
    set(
      keys.isFlat ? (isOuter ? factor : "\(place).\(factor)") : "\(place).minMult", range.least)
  }
}
