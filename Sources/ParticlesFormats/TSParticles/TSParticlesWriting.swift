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
    let timing = emitter.timing
    if let most = emission.maxAlive {
      let isObject = surroundings.origin?["particles.number.limit.value"] != nil
      set(isObject ? "particles.number.limit.value" : "particles.number.limit", integer: most)
    }
    drop(
      { $0.emission.whenFull }, .maxAlive, at: "emission.whenFull",
      "the limit is of the whole canvas", .approximated)
    if emission.maxAlive != nil, surroundings.origin == nil {
      lose(
        .approximated, .maxAlive, at: "emission.maxAlive", "the limit is of the whole canvas",
        level: .low)
    }
    if isCanvas {
      set(
        "particles.number.value",
        single(
          emission.largestBurst?.count ?? 0, .burst, at: "emission.bursts", "it cannot be random"))
      if emission.rate != 0 || emission.bursts.count != 1 || timing != Timing.ofCanvas {
        lose(
          .approximated, .rate, at: "emission.rate", also: ["timing", "emission.bursts"],
          "the particles of the canvas are there from the start")
      }
    } else {
      encodeRate()
    }
    let isEndless =
      surroundings.origin != nil && surroundings.origin?["particles.life.duration"] == nil
    if !isEndless || emitter.lifetime != 30 {
      let life = clampNegative(emitter.lifetime, .life, at: "lifetime")
      setRanged("particles.life.duration.value", life, .life, at: "lifetime")
      set("particles.life.count", integer: 1)
      if life.mean <= 0 { lose(.approximated, .life, at: "lifetime", "0 is endless") }
    }
  }

  private mutating func encodeRate() {
    let emission = emitter.emission
    let timing = emitter.timing
    if emission.rate == 0, let burst = emission.largestBurst {
      var count = single(burst.count, .burst, at: "emission.bursts", "it cannot be random")
      if emission.probability != 1 {
        count *= emission.probability
        lose(
          .approximated, .prob, at: "emission.probability", also: ["emission.bursts"],
          "spawn probability is not supported", recipe: "number × probability")
      }
      set("rate.quantity", count)
      let interval = burst.cycles == 1 ? 0 : burst.interval
      set("rate.delay", interval)
      if emission.bursts != [Burst(count: burst.count)] {
        lose(
          .approximated, .burst, at: "emission.bursts", also: ["emission.rate"],
          "particles are emitted at equal intervals")
      }
    } else {
      let rate = plainRate()
      // A file keeps the number of particles at a time.
      let quantity = max(surroundings.origin?["rate.quantity"]?.double ?? 1, 1e-3)
      set("rate.quantity", quantity)
      set("rate.delay", interval(ofRate: rate, count: quantity))
    }
    guard let duration = timing.duration else {
      dropRepetition()
      drop({ $0.timing.delay }, .delay, at: "timing.delay", "a start delay needs a duration")
      return
    }
    setRanged("life.duration", duration, .duration, at: "timing.duration")
    set("life.count", integer: timing.loop ? 0 : 1)
    let waits = timing.delay != 0
    if waits || surroundings.origin?["life.wait"] != nil { set("life.wait", flag: waits) }
    setRanged("life.delay", timing.loop ? timing.idle : timing.delay, .delay, at: "timing.delay")
    if timing.loop ? waits && timing.delay != timing.idle : timing.idle != 0 {
      lose(
        .approximated, .idle, at: "timing.idle", also: ["timing.delay"],
        "the start delay is the pause between periods")
    }
    if duration.mean == 0 { lose(.lost, .duration, at: "timing.duration", "0 is endless") }
  }

  mutating func encodePlace() {
    let transform = emitter.transform
    let (width, height) = TSParticlesFamily.canvas
    if isCanvas {
      if transform != Emitter.Transform() || emitter.shape != .rect(width: width, height: height) {
        lose(
          .lost, .shRect, at: "shape", also: ["transform"],
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
      lose(.restated, .shRect, at: "shape", "a shape without a size is a point")
    }
    let isKnown = [.point, .rect].contains(shape.kind) || isCircle && shape.inner == 0
    if !isKnown || shape.transform != Emitter.Transform() || shape.distribution != .uniform
      || shape.sweep != .random || shape.arc != Interval(0, 360)
    {
      lose(
        .approximated, .sh3D, at: "shape", also: ["transform"],
        "only rectangles and ellipses are supported", recipe: "the nearest of them")
    }
  }

  mutating func encodeMotion() {
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
    encodeForces()
  }

  private mutating func encodeForces() {
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
        lose(.lost, .dragConst, at: "forces[\(index)]", "constant drag is not supported")
        continue
      }
      decay += share
      if force.law != .perFrame60 || !force.strength.isPlainValue || force.direction != nil {
        lose(
          .approximated, force.law == .euler ? .dragLin : .dragExp, at: "forces[\(index)]",
          "drag is a part of the speed in each frame")
      }
    }
    if decay != 0 || surroundings.origin?["particles.move.decay"] != nil {
      set("particles.move.decay", decay.rounded)
    }
    let kinds = emitter.forces.map(\.kind).filter { $0 == .gravity || $0 == .drag }
    if kinds.count > Set(kinds).count || kinds == [.drag, .gravity]
      || gravity == .zero && kinds.contains(.gravity)
    {
      lose(.restated, .gravity, at: "forces", "one gravity and one drag are written")
    }
  }

  mutating func encodeLook() {
    let factor = sizeFactor(wantsFactor: false)
    var width = emitter.size.width
    width.from = clampNegative(width.from, .size, at: "size.width")
    setPlain("particles.size.value", width, .sizeCurve, at: "size.width", times: factor / 2)
    drop({ $0.size.aspect }, .sizeXY, at: "size.aspect", "the ratio is that of the image")
    if surroundings.origin?["particles.size.random"]?.bool != nil {
      set("particles.size.random", flag: false)
    }
    encodeColor()
    let rotation = emitter.rotation
    setPlain("particles.rotate.value", rotation.angle, .rotCurve, at: "rotation.angle", times: -1)
    var velocity = rotation.velocity
    if rotation.acceleration != 0 {
      velocity = .constant(
        velocity.mean(lifetime: lifetime) + rotation.acceleration.mean * lifetime / 2)
      lose(
        .approximated, .rotAcc, at: "rotation.acceleration", also: ["rotation.velocity"],
        "spin is constant", recipe: "the mean")
    }
    set("particles.rotate.animation.enable", flag: velocity != 0)
    guard velocity != 0 else { return }
    var (speed, direction) = (velocity.mean(lifetime: lifetime), "")
    let bounds = velocity.from.bounds
    if velocity.isPlainValue, bounds.lower == -bounds.upper, bounds.upper > 0 {
      (speed, direction) = (bounds.upper, "random")
      if case .choice = velocity.from {
      } else {
        lose(
          .approximated, .rotVel, at: "rotation.velocity", "spin has one magnitude",
          recipe: "the greatest")
      }
    } else {
      direction = speed < 0 ? "clockwise" : "counter-clockwise"
      if !velocity.isPlainValue || !velocity.from.isNumber {
        lose(
          .approximated, .rotVel, at: "rotation.velocity", "spin has one magnitude",
          recipe: "the mean")
      }
    }
    set("particles.rotate.direction", .string(direction))
    set("particles.rotate.animation.speed", (speed.magnitude * .pi / 180 * 6).rounded)
  }

  /// Writes a value that does not change over life.
  private mutating func setPlain(
    _ key: String, _ track: Track, _ capability: Capability, at place: String, times factor: Double
  ) {
    let value = start(of: track, capability, at: place, "changes over life are not supported")
    setRanged(key, value, capability, at: place, times: factor)
  }

  private mutating func encodeColor() {
    let color = emitter.color
    var colors: [Color] = []
    if case .choice(let choice) = color.base.from, choice.weights.isEmpty, choice.jitter == nil {
      colors = choice.colors
    } else {
      colors = [color.base.from.mean]
      if !color.base.from.isColor {
        lose(
          .approximated, .colRand, at: "color.base", "colours are one of several",
          recipe: "the mean")
      }
    }
    let changes =
      color.base.to != nil || color.base.gradient != nil || color.base.rate != .zero
      || color.intensity != 1 || color.mix != 1 || colors.contains { $0.alpha != 1 }
    var opacity = color.opacity
    if changes {
      let seen = color.seen(lifetime: lifetime).points
      let count = Double(seen.count)
      colors = [
        Color((0..<4).map { channel in seen.reduce(0) { $0 + $1.channels[channel] } / count })
      ]
      opacity = .constant(colors[0].alpha)
      lose(
        .approximated, .grad, at: "color", "colours do not change over life", recipe: "the mean",
        level: .high)
    } else {
      explainColorDepth(of: colors)
    }
    let texts = colors.map { JSONValue.string($0.hexadecimal) }
    let isList = surroundings.origin?["particles.color.value"]?.array != nil || texts.count > 1
    set("particles.color.value", isList ? .array(texts) : texts[0])
    setPlain("particles.opacity.value", opacity, .alphaCv, at: "color.opacity", times: 1)
    if surroundings.origin?["particles.opacity.random"]?.bool != nil {
      set("particles.opacity.random", flag: false)
    }
  }

  mutating func encodeImages() {
    let names = surroundings.images
    if names.isEmpty {
      if surroundings.origin == nil { set("particles.shape.type", .string("square")) }
      drop({ $0.spriteSelection }, .randSpr, at: "spriteSelection", "there are no images", .dead)
      return
    }
    if surroundings.origin == nil { set("particles.shape.type", .string("image")) }
    let images = names.map { name -> JSONValue in ["src": .string(name)] }
    let key =
      ["particles.shape.image", "particles.shape.options.images"].first {
        surroundings.origin?[$0] != nil
      } ?? "particles.shape.options.image"
    let isList = surroundings.origin?[key]?.array != nil || images.count > 1
    set(key, isList ? .array(images) : images[0])
    if emitter.spriteSelection != .first {
      lose(
        .approximated, .randSpr, at: "spriteSelection", "one of several images is picked at random")
    }
  }
}

extension Timing {
  /// That of the particles of the canvas.
  fileprivate static let ofCanvas: Timing = {
    var timing = Timing()
    timing.duration = 0.1
    return timing
  }()
}
