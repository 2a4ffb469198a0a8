internal import ParticlesCore
internal import ParticlesModel

// Emission and motion.

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
    burst.cycles =
      life > 0 ? max(Int(saturating: min((life / interval).rounded(.up), 1e6)) - 1, 1) : 0
    emission.bursts = [burst]
    return emission
  }

  func decodeSpeed(of emitter: inout Emitter) {
    let acceleration = Vector(
      number("moveAcceleration/accel.x", 0), 0 - number("moveAcceleration/accel.y", 0))
    if acceleration != .zero { return decodeAcceleration(acceleration, of: &emitter) }
    let path = text("movePath/path")
    if let path {
      do {
        _ = try PathFormula(path)
      } catch {
        note(
          .uninterpreted, "movePath/path", "\(error.detail). Particles move straight ahead",
          found: path.excerpt)
      }
      emitter.motion.mode = .path
      emitter.motion.path = MotionPath()
      emitter.motion.path?.expression = path
    }
    let behavior = format.speedBehavior(hasPath: path != nil)
    if has("moveSpeedStatic/") {
      emitter.launch.speed = range("moveSpeedStatic/min", "moveSpeedStatic/max")
    } else if let track = track("\(behavior)/speed", times: factor(behavior)) {
      if track.isPlainValue {
        emitter.launch.speed = track.from
      } else {
        emitter.launch.speed = 1
        (emitter.motion.speed, emitter.motion.speedMode) = (track, .replace)
      }
    }
  }

  /// The speed of lists is then only that at the start.
  private func decodeAcceleration(_ acceleration: Vector, of emitter: inout Emitter) {
    emitter.forces = [.gravity(acceleration)]
    if let most = number("moveAcceleration/maxSpeed"), most > 0 {
      emitter.motion.maxSpeed = .constant(most)
    }
    guard format.isFlat else {
      emitter.launch.speed = range("moveAcceleration/minStart", "moveAcceleration/maxStart")
      return
    }
    let track = track("moveSpeed/speed") ?? 0
    let start = track.curve(lifetime: 1).curve.value(at: 0)
    emitter.launch.speed = factor("moveSpeed").scaled(by: start)
  }

  /// Whether particles have an acceleration, with which the engine does not change their speed otherwise.
  private var isAccelerated: Bool {
    number("moveAcceleration/accel.x", 0) != 0 || number("moveAcceleration/accel.y", 0) != 0
  }

  /// Whether only the start of a list of speeds has an effect.
  var hasUnreadSpeeds: Bool {
    format.isFlat && isAccelerated && track("moveSpeed/speed").map { !$0.isPlainValue } ?? false
  }

  /// Whether a speed limit has no effect.
  var hasUnreadLimit: Bool {
    format.isFlat && !isAccelerated && number("moveAcceleration/maxSpeed", 0) > 0
  }

  func decodeRotation(of emitter: inout Emitter) {
    let (low, high) =
      has("rotationStatic/") && !has("rotation/")
      ? ("rotationStatic/min", "rotationStatic/max") : ("rotation/minStart", "rotation/maxStart")
    emitter.launch.direction = Direction(angle: range(low, high, times: -1))
    emitter.rotation.velocity = Track(range("rotation/minSpeed", "rotation/maxSpeed", times: -1))
    emitter.rotation.acceleration = .constant(0 - number("rotation/accel", 0))
    // The older generation looks at it only if there is a start rotation.
    let isStill =
      format.isFlat
      ? flag("noRotation/", false)
        && (emitter.launch.direction.angle != 0 || emitter.forces.isEmpty)
      : has("behaviors[noRotation]")
    let isTurned =
      format.isFlat
      ? emitter.rotation.velocity == 0 && (!emitter.forces.isEmpty || emitter.motion.reverses)
      : flag("moveAcceleration/rotate", false)
    if isTurned {
      // The angle of the velocity replaces the spin (`AccelerationMovement.ts`, `updateParticle`).
      (emitter.rotation.velocity, emitter.rotation.acceleration) = (0, 0)
    }
    // `noRotation` is the angle at the start. A rotation speed turns the particle nevertheless.
    emitter.rotation.align = isStill ? .none : isTurned ? .velocity : .birth
    turnStill(&emitter)
  }

  /// Particles of the older generation that neither spin nor move show the angle of a velocity of 0
  /// (`Particle.ts`, `update`): 0°, or 180° where its cosine is below 0 and its sine is not.
  private func turnStill(_ emitter: inout Emitter) {
    guard format.isFlat, emitter.rotation.align == .birth, emitter.rotation.velocity == 0,
      emitter.launch.speed.bounds == Interval(0, 0), emitter.motion.mode != .path,
      emitter.motion.speed == nil
    else { return }
    emitter.rotation.align = .none
    let angles = stillAngles.map { angle in
      let turn = angle.truncatingRemainder(dividingBy: 360)
      return (90..<180).contains((turn < 0 ? turn + 360 : turn).nextDown) ? 180.0 : 0
    }
    emitter.rotation.angle = Track(
      Set(angles).count == 1 ? .constant(angles[0]) : .oneOf(angles))
  }

  /// Angles, clockwise, in which particles start. Random angles become 16 even ones.
  private var stillAngles: [Double] {
    func even(_ low: Double, _ high: Double) -> [Double] {
      (0..<16).map { low + (high - low) * (Double($0) + 0.5) / 16 }
    }
    let (low, high) = (number("rotation/minStart", 0), number("rotation/maxStart", 0))
    switch text("spawnShape/type") {
    case "ring": return even(0, 360)
    case "burst":
      let spacing = number("spawnBurst/spacing", 0)
      let count = min(max(number("particlesPerWave", 1), 1), 64)
      guard spacing != 0 else { return even(0, 360) }
      return (0..<Int(saturating: count)).map {
        number("spawnBurst/start", 0) + spacing * Double($0)
      }
    default: return low == high ? [low] : even(low, high)
    }
  }
}

extension Emitter.Motion {
  /// Whether the speed over life is below 0 at some time.
  fileprivate var reverses: Bool {
    guard let speed, mode != .path else { return false }
    let curve = speed.curve(lifetime: 1).curve
    return (0...64).contains { curve.value(at: Double($0) / 64) < 0 }
  }
}

extension EmitterWriter<PixiFamily> {
  mutating func encodeEmission() {
    let emission = emitter.emission
    let rate = meanRate()
    var life = plainDuration()
    if emission.rate == 0, let burst = emission.largestBurst {
      // A burst in each period repeats with the period.
      let isPeriodic = burst.cycles == 1 && emitter.timing.loop && life == nil
      let period = isPeriodic ? emitter.timing.duration?.mean : nil
      let interval = burst.cycles == 1 ? max(period ?? life ?? 1, 0.01) : burst.interval
      set("frequency", interval.rounded)
      let count = single(burst.count, .burst, at: "emission.bursts", "waves have one size")
      set("particlesPerWave", integer: Int(saturating: min(max(count * burst.probability, 1), 1e6)))
      if burst.cycles > 0, period == nil {
        life = ((Double(burst.cycles) + 0.5) * interval).rounded
      }
      lose(
        emission.bursts.count == 1 && burst.time == 0 && burst.probability == 1
          ? .restated : .approximated, .burst,
        at: "emission.bursts",
        also: ["emission.rate", "timing.duration", "timing.loop", "timing.idle"],
        "waves are written with an interval and a time in which they are emitted")
    } else {
      set("frequency", interval(ofRate: rate))
      set("particlesPerWave", integer: 1)
    }
    if let total = emission.total {
      if rate > 0 { life = (Double(total) / rate).rounded }
      lose(
        .approximated, .total, at: "emission.total", also: ["timing.duration", "timing.loop"],
        "a particle total is not supported", recipe: "the time in which the total is emitted")
    }
    set("emitterLifetime", life ?? -1)
    set("maxParticles", integer: emission.maxAlive ?? 1000)
    if emission.maxAlive == nil {
      lose(
        .assumed, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a capacity of 1000 is written", level: .info)
    } else {
      skipWhenFull()
    }
  }

  mutating func encodeMotion() {
    let gravity = addedGravity()
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
    encodeSpeed(launch, path)
  }

  private mutating func encodeSpeed(_ launch: Value, _ path: String?) {
    let motion = emitter.motion
    var track = Track(launch)
    if let path {
      set("movePath/path", .string(path))
    } else if motion.speed == nil, isStatic(track, "moveSpeed") {
      return setStatic("moveSpeedStatic", launch, .speedRange, at: "launch.speed")
    }
    if let speed = motion.speed {
      let isEven = Set(speed.curve(lifetime: lifetime).curve.keys.map { $0.value }).count == 1
      if motion.speedMode == .replace, isEven || speed.isPlainValue {
        track = speed
        lose(
          .restated, .speedCurve, at: "motion.speed", also: ["launch.speed", "motion.speedMode"],
          "a speed that does not change is that at the start")
      } else {
        track = speedOverLife(speed, from: launch)
      }
    }
    let behavior = format.speedBehavior(hasPath: path != nil)
    encodeList(
      "\(behavior)/speed", track, .speedCurve,
      at: motion.speed == nil ? "launch.speed" : "motion.speed", factor: "\(behavior)/minMult")
  }

  private mutating func encodeAcceleration(_ gravity: Vector, _ speed: Value) {
    set("moveAcceleration/accel.x", gravity.x)
    set("moveAcceleration/accel.y", -gravity.y)
    let most = emitter.motion.maxSpeed.map { $0.mean(lifetime: lifetime) } ?? 0
    set("moveAcceleration/maxSpeed", most)
    if let limit = emitter.motion.maxSpeed, limit != .constant(most) {
      lose(.approximated, .speedCurve, at: "motion.maxSpeed", "the speed limit is constant")
    }
    if emitter.motion.speed != nil {
      lose(
        .lost, .speedCurve, at: "motion.speed", also: ["motion.speedMode", "launch.speed"],
        "with an acceleration only the start speed is used")
    }
    let bounds = bounds(of: speed, .speedRange, at: "launch.speed")
    guard format.isFlat else {
      set("moveAcceleration/minStart", bounds.least)
      set("moveAcceleration/maxStart", bounds.most)
      set("moveAcceleration/rotate", flag: emitter.rotation.align == .velocity)
      return
    }
    set("moveSpeed/speed.start", bounds.most)
    set("moveSpeed/speed.end", bounds.most)
    let share = bounds.most > 0 && bounds.least >= 0 ? (bounds.least / bounds.most).rounded : 1
    set("moveSpeed/minMult", share)
    if (bounds.most * share - bounds.least).magnitude > 1e-6 * (1 + bounds.most.magnitude) {
      lose(
        .approximated, .speedRange, at: "launch.speed", "speeds are a part of the greatest",
        recipe: "the greatest")
    }
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let angles: (least: Double, most: Double) = hasNormal ? (0, 0) : launchAngles()
    let spin = bounds(of: rotation.velocity.from, .rotationSpeed, at: "rotation.velocity")
    if !rotation.velocity.isPlainValue {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity", "spin is constant",
        recipe: "the first value")
    }
    let gain = single(
      rotation.acceleration, .angularAcceleration, at: "rotation.acceleration",
      "all particles have one angular acceleration")
    let isStill = rotation.align == .none && spin == (0, 0) && gain == 0
    // A file with a behaviour for spin keeps it, even if that is 0.
    if spin == (0, 0), gain == 0, isStatic(0, "rotation") {
      set("rotationStatic/min", -angles.most)
      set("rotationStatic/max", -angles.least)
    } else {
      set("rotation/minStart", -angles.most)
      set("rotation/maxStart", -angles.least)
      set("rotation/minSpeed", -spin.most)
      set("rotation/maxSpeed", -spin.least)
      set("rotation/accel", -gain)
    }
    if format.isFlat {
      set("noRotation/", flag: isStill)
    } else if isStill {
      set("noRotation/", .object(JSONObject()))
    }
    explainRotation(isStill: isStill, startsAtZero: angles == (0, 0))
  }

  private mutating func explainRotation(isStill: Bool, startsAtZero: Bool) {
    let rotation = emitter.rotation
    let isTurned = emitter.forces.contains { $0.kind == .gravity }
    let isResting = emitter.launch.speed.bounds == Interval(0, 0) && emitter.motion.speed == nil
    switch rotation.align {
    case .birth where isResting && !isTurned && format.isFlat && rotation.velocity == 0:
      lose(
        .approximated, .align, at: "rotation.align", also: ["rotation.angle"],
        "particles that do not move are not rotated")
    case .birth where isTurned && format.isFlat && rotation.velocity == 0:
      lose(.approximated, .align, at: "rotation.align", "particles follow their acceleration")
    case .velocity where !isTurned:
      lose(.restated, .align, at: "rotation.align", "without acceleration directions do not change")
    case .velocity where format.isFlat && rotation.velocity != 0:
      lose(
        .approximated, .align, at: "rotation.align",
        "with spin, particles keep their first direction")
    case .none where format.isFlat && isTurned && isStill && startsAtZero:
      lose(
        .approximated, .align, at: "rotation.align",
        "without a start rotation particles follow their acceleration")
    case .none where !isStill:
      lose(
        .approximated, .rotation, at: "rotation.align",
        "the rotation of the image begins with the launch direction")
    default: break
    }
    if rotation.angle != 0 || rotation.alignOffset != 0 {
      lose(
        .approximated, .rotation, at: "rotation.angle", also: ["rotation.alignOffset"],
        "the rotation of the image begins with the launch direction", recipe: "dropped")
    }
  }
}
