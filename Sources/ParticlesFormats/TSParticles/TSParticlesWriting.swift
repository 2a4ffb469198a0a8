internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<TSParticlesFamily> {
  /// Whether the emitter is the particles of the canvas in its file.
  private var isCanvas: Bool {
    guard let origin = surroundings.origin else { return false }
    return origin.object?.members.count == 1 && origin["particles"] != nil
  }

  mutating func setRanged(
    _ key: String, _ value: Value, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    let bounds = bounds(of: value, capability, at: place)
    let ends = [bounds.least * factor, bounds.most * factor].sorted()
    if ends[0] == ends[1], surroundings.origin?["\(key).min"] == nil {
      set(key, ends[0])
    } else {
      set("\(key).min", ends[0])
      set("\(key).max", ends[1])
    }
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    if isParticlesJS { return encodeParticlesJSEmission() }
    let density = surroundings.origin.map { TSParticlesFamily.density(of: $0) } ?? 1
    func stated(_ count: Double) -> Double {
      density < 1 ? (count / density - 1e-6).rounded(.up) : (count / density).rounded
    }
    if let most = emission.maxAlive {
      let isNumber = surroundings.origin?["particles.number.limit"]?.double != nil
      set(
        isNumber ? "particles.number.limit" : "particles.number.limit.value",
        stated(Double(most)))
      if !isNumber, emission.whenFull == .skip || emission.whenFull == .recycle {
        let mode = emission.whenFull == .skip ? "wait" : "delete"
        set("particles.number.limit.mode", .string(mode))
      } else {
        drop("emission.whenFull", "the oldest particles give way", rule: .approximated)
      }
    } else {
      drop("emission.whenFull", "there is no limit")
    }
    if emission.maxAlive != nil, surroundings.origin == nil {
      lose(
        .approximated, .aliveLimit, at: "emission.maxAlive", "the limit is of the whole canvas",
        level: .low)
    }
    if isCanvas {
      set("particles.number.value", stated(countOfCanvas()))
    } else {
      encodeRate()
    }
    encodeLifetime()
  }

  /// The number of particles that are on the canvas from the start.
  mutating func countOfCanvas() -> Double {
    let (emission, timing) = (emitter.emission, emitter.timing)
    if emission.rate != 0 || emission.bursts.count != 1 || timing != Timing.ofCanvas {
      lose(
        .approximated, .rate, at: "emission.rate", also: ["timing", "emission.bursts"],
        "the particles of the canvas are there from the start")
    }
    return single(
      emission.largestBurst?.count ?? 0, .burst, at: "emission.bursts", "it cannot be random")
  }

  private mutating func encodeLifetime() {
    let key = "particles.life.duration"
    let isEndless = surroundings.origin != nil && surroundings.origin?[key] == nil
    guard !isEndless || emitter.lifetime != 30 else { return }
    let life = clampNegative(emitter.lifetime, .life, at: "lifetime")
    if life.mean <= 0 { lose(.approximated, .life, at: "lifetime", "0 is endless") }
    set("particles.life.count", integer: 1)
    // Without this flag, particles live a random part of the number.
    let bounds = bounds(of: life, .life, at: "lifetime")
    let isPart = bounds.least == 0 && bounds.most > 0
    set("\(key).sync", flag: !isPart)
    if isPart, surroundings.origin?["\(key).value.min"] == nil {
      set("\(key).value", bounds.most)
    } else {
      setRanged("\(key).value", life, .life, at: "lifetime")
    }
  }

  private mutating func encodeRate() {
    let emission = emitter.emission
    let timing = emitter.timing
    let waits = timing.delay != 0
    let first = emission.bursts.first
    let isPlain = emission.bursts.count == 1 && first?.probability == 1
    if emission.rate == 0, let burst = emission.largestBurst {
      let wave = emission.bursts.first { $0.cycles == 0 }
      let repeats = wave != nil || timing.loop && timing.duration != nil
      let count = share(of: (wave ?? burst).count)
      if repeats {
        // The counter does not run in pauses, and begins empty after a delay.
        let interval = wave?.interval ?? timing.duration?.mean ?? 1
        setQuantity(count)
        set("rate.delay", interval)
        let start = emission.bursts.first { $0.cycles == 1 && $0.time == 0 }
        if emission.bursts.count == 2, wave != nil, !waits, let start, start.count.isNumber {
          set("startCount", (start.count.mean * emission.probability).rounded)
        } else if wave == nil || !isPlain || wave?.time != (waits ? wave?.interval : 0) {
          lose(
            .approximated, .burst, at: "emission.bursts", also: ["emission.rate"],
            "particles are emitted at equal intervals")
        }
      } else {
        set("rate.quantity", integer: 0)
        if !count.isNumber {
          lose(
            .approximated, .burst, at: "emission.bursts", "it cannot be random", recipe: "the mean")
        }
        set("startCount", count.mean.rounded)
        if !isPlain || waits || burst.time != 0 || burst.cycles != 1 || burst.interval != 1 {
          let isSame = isPlain && !waits && burst.time == 0 && burst.cycles == 1
          lose(
            isSame ? .restated : .approximated, .burst, at: "emission.bursts",
            also: ["emission.rate"], "particles are emitted at the start")
        }
      }
    } else {
      let rate = plainRate()
      // A file keeps the number of particles at a time. There is one emission in a frame.
      let least = max((rate / 60 - 1e-9).rounded(.up), 1)
      let quantity = max(surroundings.origin?["rate.quantity"]?.double ?? least, least)
      set("rate.quantity", quantity)
      if isPlain, rate > 0, first?.time == 0, first?.cycles == 1, first?.count.isNumber == true,
        let first
      {
        set("startCount", first.count.mean.rounded)
        set("rate.delay", (quantity / rate).rounded)
      } else {
        set("rate.delay", interval(ofRate: rate, count: quantity))
      }
      if quantity > 1 || waits {
        lose(
          .restated, .rate, at: "emission.rate", also: ["emission.bursts"],
          "\(shortText(quantity)) particles at a time")
      }
    }
    guard let duration = timing.duration else {
      dropRepetition()
      drop("timing.delay", "a start delay needs a duration")
      return
    }
    setRanged("life.duration", duration, .duration, at: "timing.duration")
    set("life.count", integer: timing.loop ? 0 : 1)
    if waits || surroundings.origin?["life.wait"] != nil { set("life.wait", flag: waits) }
    setRanged("life.delay", timing.loop ? timing.idle : timing.delay, .delay, at: "timing.delay")
    if timing.loop ? waits && timing.delay != timing.idle : timing.idle != 0 {
      lose(
        .approximated, .idle, at: "timing.idle", also: ["timing.delay"],
        "the start delay is the pause between periods")
    }
    if duration.mean == 0 { lose(.lost, .duration, at: "timing.duration", "0 is endless") }
  }

  /// The count of a burst, times the probability of emission.
  private mutating func share(of count: Value) -> Value {
    guard emitter.emission.probability != 1 else { return count }
    lose(
      .approximated, .probability, at: "emission.probability", also: ["emission.bursts"],
      "spawn probability is not supported", recipe: "number × probability")
    return count.scaled(by: emitter.emission.probability)
  }

  /// Parts of a particle are one, so that a range is of the numbers below.
  private mutating func setQuantity(_ count: Value) {
    let bounds = bounds(of: count, .burst, at: "emission.bursts")
    guard bounds.most > bounds.least else { return set("rate.quantity", bounds.least) }
    set("rate.quantity.min", max(bounds.least - 0.5, 0))
    set("rate.quantity.max", max(bounds.most - 0.5, 0))
  }

  mutating func encodePlace() {
    let transform = emitter.transform
    let (width, height) = TSParticlesFamily.canvas
    if isCanvas {
      if transform != Emitter.Transform() || emitter.shape != .rect(width: width, height: height) {
        lose(
          .lost, .shapeRectangle, at: "shape", also: ["transform"],
          "the particles of the canvas are everywhere")
      }
      return
    }
    let center = emitter.shape.transform.translation
    let place = Vector(transform.translation.x + center.x, transform.translation.y + center.y)
    set("position.x", (50 + place.x / width * 100).rounded)
    set("position.y", (50 - place.y / height * 100).rounded)
    loseOrientation()
    let shape = emitter.shape
    let isCircle = shape.kind == .ellipse
    let size =
      isCircle
      ? Vector2(2 * shape.radii.x, 2 * shape.radii.y)
      : Vector2(2 * shape.halfSize.x, 2 * shape.halfSize.y)
    let isPercent =
      surroundings.origin.map { $0["size.mode"]?.string ?? "percent" == "percent" } ?? false
    if size != Vector2(0, 0) || surroundings.origin?["size"] != nil {
      set("size.mode", .string(isPercent ? "percent" : "precise"))
      set("size.width", isPercent ? (size.x / width * 100).rounded : size.x)
      set("size.height", isPercent ? (size.y / height * 100).rounded : size.y)
      let key = surroundings.origin?["shape.type"] != nil ? "shape.type" : "shape"
      set(key, .string(isCircle ? "circle" : "square"))
    }
    set("fill", flag: shape.placement == .volume)
    if size == Vector2(0, 0), shape.kind != .point, surroundings.origin?["size"] == nil {
      lose(.restated, .shapeRectangle, at: "shape", "a shape without a size is a point")
    }
    let isKnown = [.point, .rect].contains(shape.kind) || isCircle && shape.inner == 0
    if !isKnown || shape.transform != Emitter.Transform() || shape.distribution != .uniform
      || shape.sweep != .random || shape.arc != Interval(0, 360)
    {
      lose(
        .approximated, .shape3D, at: "shape", also: ["transform"],
        "only rectangles and ellipses are supported", recipe: "the nearest supported shape")
    }
  }

  mutating func encodeMotion() {
    if isParticlesJS { return encodeParticlesJSMotion() }
    let launch = emitter.launch
    let names: [Double: String] = [
      90: "top", 45: "top-right", 0: "right", -45: "bottom-right", -90: "bottom",
      -135: "bottom-left", 180: "left", 135: "top-left",
    ]
    let key = surroundings.origin?["direction"] != nil ? "direction" : "particles.move.direction"
    if launch.direction.mode == .random {
      set(key, .string("none"))
      if launch.spread != 0 || launch.spreadLaw != nil {
        lose(
          .dead, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"], "directions are random"
        )
      }
    } else {
      var (angle, spread) = (0.0, launch.spread)
      if launch.direction.mode == .angle, case .constant(let number) = launch.direction.angle,
        launch.spreadLaw == nil || launch.spread == 0
      {
        angle = number
        dropSpreadLaw()
      } else {
        let angles = launchAngles()
        (angle, spread) = ((angles.least + angles.most) / 2, (angles.most - angles.least) / 2)
        if !hasLine(at: "launch.spread") {
          lose(
            .restated, .spread2D, at: "launch.spread",
            also: ["launch.direction", "launch.spreadLaw"],
            "a range of angles is written as a direction and a fan")
        }
        spread = min(spread, 180)
      }
      let isNumber = surroundings.origin?[key]?.double != nil
      set(key, (isNumber ? nil : names[angle]).map(JSONValue.string) ?? format.real(0 - angle))
      set("particles.move.straight", flag: spread == 0)
      if spread != 0 { set("particles.move.angle.value", (spread * 2).rounded) }
    }
    var speed = meanSpeed()
    set("particles.move.enable", flag: speed != 0 || !emitter.forces.isEmpty)
    if surroundings.origin?["particles.move.random"] != nil {
      let isRandom = speed.bounds.lower == 0 && !speed.isConstant
      set("particles.move.random", flag: isRandom)
      if isRandom { speed = .constant(speed.bounds.upper) }
    }
    setRanged("particles.move.speed", speed, .speedRange, at: "launch.speed", times: 1.0 / 30)
    encodeForces(isStill: speed == 0)
  }

  private mutating func encodeForces(isStill: Bool) {
    let gravity = gravity(besides: [.drag])
    if gravity.x != 0 || gravity.z != 0 {
      lose(.lost, .gravity, at: "forces", "gravity acts along y only")
    }
    set("particles.move.gravity.enable", flag: gravity.y != 0)
    if gravity.y != 0 {
      set("particles.move.gravity.acceleration", (gravity.y.magnitude / 60).rounded)
      set("particles.move.gravity.inverse", flag: gravity.y > 0)
    }
    var decay = 0.0
    for (index, force) in emitter.forces.enumerated() where force.kind == .drag {
      guard let share = force.dragShare(over: lifetime) else {
        lose(.lost, .constantDrag, at: "forces[\(index)]", "constant drag is not supported")
        continue
      }
      decay += share
      if force.law != .perFrame60 || !force.strength.isPlainValue || force.direction != nil {
        lose(
          .approximated, force.law == .euler ? .linearDrag : .exponentialDrag,
          at: "forces[\(index)]",
          "drag is a part of the speed in each frame")
      }
    }
    if decay != 0 || surroundings.origin?["particles.move.decay"] != nil {
      set("particles.move.decay", decay.rounded)
    }
    if isStill, gravity.y != 0 || decay != 0 {
      // As for reading: the engine moves particles with a speed only.
      lose(
        .approximated, .gravity, at: "forces", "particles without a speed do not move",
        recipe: "none", level: .medium)
    }
    let kinds = emitter.forces.map { $0.kind }.filter { $0 == .gravity || $0 == .drag }
    if kinds.count > Set(kinds).count || kinds == [.drag, .gravity]
      || gravity == .zero && kinds.contains(.gravity)
    {
      lose(.restated, .gravity, at: "forces", "one gravity and one drag are written")
    }
  }
}

extension Timing {
  /// The timing of the particles of the canvas.
  fileprivate static let ofCanvas: Timing = {
    var timing = Timing()
    timing.duration = 0.1
    return timing
  }()
}
