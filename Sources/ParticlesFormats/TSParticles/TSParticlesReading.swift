internal import ParticlesCore
internal import ParticlesModel

extension TreeReader<TSParticlesFamily> {
  /// A number or a range: `4`, `{"min": 1, "max": 5}`. The engine does not load a file with another scalar in
  /// its place (`NumberUtils.ts`, `setRangeValue`).
  func ranged(_ key: String, _ standard: Double, times factor: Double = 1) -> Value {
    guard let value = value[key] else { return .constant(standard * factor) }
    guard value.double != nil || value.object != nil else {
      note(
        .ignoredKey, key, "the engine stops at values that are neither numbers nor ranges",
        found: value.shortExcerpt)
      return .constant(standard * factor)
    }
    if let low = value["min"]?.double, let high = value["max"]?.double {
      return .between(low * factor, high * factor)
    }
    return .constant((number(value, key) ?? standard) * factor)
  }

  /// Whether a condition of the engine holds.
  func holds(_ key: String, _ standard: Bool) -> Bool { value[key]?.isTruthy ?? standard }

  var isCanvas: Bool { path.isEmpty }

  /// A percentage of the canvas from its centre, y up.
  private var place: Vector {
    let (width, height) = TSParticlesFamily.canvas
    let (x, y) = (ranged("position.x", 50), ranged("position.y", 50))
    if !x.isConstant || !y.isConstant {
      note(.approximated, "position", "a random place of the emitter is its mean")
    } else if !has("position.x") || !has("position.y") {
      note(.approximated, "position", "a random place on the canvas is its centre")
    }
    return Vector(
      ((x.mean - 50) / 100 * width).rounded, (0 - (y.mean - 50) / 100 * height).rounded)
  }

  func decodeEmission(of emitter: inout Emitter) {
    if isParticlesJS { return decodeParticlesJSEmission(of: &emitter) }
    decodeLimit(of: &emitter.emission)
    if isCanvas {
      let wanted = number("particles.number.value", 0, atLeast: 0)
      let density = TSParticlesFamily.density(of: value)
      let count = wanted * density
      // Whole particles are removed or added until the number is right.
      let whole = density < 1 ? (count + 1e-6).rounded(.down) : (count - 1e-6).rounded(.up)
      fillCanvas(with: whole, of: &emitter)
    } else {
      decodeRate(of: &emitter)
      decodePeriods(of: &emitter)
      emitter.transform.translation = place
      decodeShape(of: &emitter)
    }
    decodeLifetime(of: &emitter)
  }

  /// Particles that are everywhere on the canvas from the start.
  func fillCanvas(with count: Double, of emitter: inout Emitter) {
    emitter.emission.bursts = [Burst(count: .constant(min(max(count, 0), 100_000)))]
    emitter.timing.duration = 0.1
    emitter.shape = .rect(
      width: TSParticlesFamily.canvas.width, height: TSParticlesFamily.canvas.height)
    note(
      .assumed, "particles.number",
      "the canvas is 1000 × 600 pixels, and particles are emitted once",
      severity: .note)
  }

  private func decodeLimit(of emission: inout Emission) {
    guard let limit = self["particles.number.limit"] else { return }
    let number = limit["value"]?.double ?? limit.double ?? 0
    guard number > 0 else { return }
    let density = TSParticlesFamily.density(of: value)
    emission.maxAlive = Int(saturating: min(number * density + 1e-6, 1_000_000))
    // The oldest give way, unless the file states that new ones are left out (`addParticle`).
    emission.whenFull = choice(
      "particles.number.limit.mode", ["delete": WhenFull.recycle, "wait": .skip])
  }

  /// An emission in every interval, at most one in a frame (`EmitterInstance.ts`, `update`).
  private func decodeRate(of emitter: inout Emitter) {
    let delay = ranged("rate.delay", 0.1)
    let interval = max(delay.mean, 1.0 / 60)
    if !delay.isConstant { note(.approximated, "rate.delay", "the interval is its mean") }
    if delay.mean < 1.0 / 60 {
      note(.assumed, "rate.delay", "60 frames a second, each with one emission", severity: .note)
    }
    // A part of a particle is one.
    let wanted = ranged("rate.quantity", 1).notNegative
    let quantity: Value =
      wanted.isConstant
      ? .constant(wanted.mean.rounded(.up))
      : .between(wanted.bounds.lower + 0.5, wanted.bounds.upper + 0.5)
    let waits = holds("life.wait", false)
    if quantity == 1, !waits {
      emitter.emission.rate = .constant((1 / interval).rounded)
    } else if quantity != 0 {
      var burst = Burst(time: waits ? interval.rounded : 0, count: quantity)
      burst.cycles = 0
      burst.interval = interval.rounded
      emitter.emission.bursts = [burst]
    }
    let first = number("startCount", 0)
    if first > 0 {
      emitter.emission.bursts.append(Burst(count: .constant(min(first.rounded(.up), 100_000))))
      if waits { note(.approximated, "startCount", "the first particles come after the delay") }
    }
  }

  private func decodePeriods(of emitter: inout Emitter) {
    let delay = ranged("life.delay", 0).notNegative
    if holds("life.wait", false) { emitter.timing.delay = delay }
    let duration = ranged("life.duration", 0).notNegative
    guard duration.mean > 0 else { return }
    emitter.timing.duration = duration
    let count = number("life.count", 0)
    emitter.timing.loop = count != 1
    emitter.timing.idle = count != 1 ? delay : 0
    guard count > 1 else { return }
    if delay == 0, duration.isConstant {
      emitter.timing.duration = .constant((duration.mean * count.rounded(.up)).rounded)
      emitter.timing.loop = false
    } else if let emissions = emissions(duration, delay, count) {
      emitter.emission.total = emissions
    } else {
      note(.approximated, "life.count", "periods repeat for ever")
    }
  }

  /// The number of particles of so many periods with pauses. Nil if it is random.
  private func emissions(_ duration: Value, _ delay: Value, _ count: Double) -> Int? {
    let quantity = ranged("rate.quantity", 1)
    let interval = max(ranged("rate.delay", 0.1).mean, 1.0 / 60)
    guard duration.isConstant, delay.isConstant, quantity.isConstant, count <= 1_000 else {
      return nil
    }
    // Steps that emit: the steps before the duration is reached, and one more from the second period on.
    var steps = (duration.mean * 60 - 1e-6).rounded(.up) - 1
    steps += (count.rounded(.up) - 1) * (duration.mean * 60)
    let waits = holds("life.wait", false)
    let emitted = (steps / 60 / interval + 1e-9).rounded(.down) + (waits ? 0 : 1)
    return Int(
      saturating:
        min(emitted * quantity.mean.rounded(.up) + max(number("startCount", 0), 0), 1_000_000))
  }

  private func decodeLifetime(of emitter: inout Emitter) {
    let key = "particles.life.duration"
    let life = ranged("\(key).value", 0).notNegative
    let count = number("particles.life.count", 0)
    guard life.bounds.upper > 0, count > 0 else {
      emitter.lifetime = 30
      note(
        .assumed, key,
        life.bounds.upper > 0
          ? "particles live again, elsewhere on the canvas: they live 30 s"
          : "particles live 30 s", severity: life.bounds.upper > 0 ? nil : .note)
      return
    }
    if count > 1 {
      note(.approximated, "particles.life.count", "particles live once")
    }
    if holds("\(key).sync", false) {
      emitter.lifetime = life
    } else {
      // A part of the number, at random (`LifeUpdater.ts`, `init`).
      emitter.lifetime = .between(0, life.mean)
      if !life.isConstant {
        note(.approximated, key, "a random part of a random number is a part of its mean")
      }
    }
  }

  private func decodeShape(of emitter: inout Emitter) {
    var (width, height) = (number("size.width", 0), number("size.height", 0))
    if choice("size.mode", ["percent": true, "precise": false]) {
      width *= TSParticlesFamily.canvas.width / 100
      height *= TSParticlesFamily.canvas.height / 100
    }
    guard width != 0 || height != 0 else { return }
    let key = self["shape"]?.string == nil ? "shape.type" : "shape"
    let isCircle = choice(key, ["square": false, "circle": true])
    // A circle with one side is divided by 0, and is a point (`EmittersCircleShape.ts`).
    if isCircle, width == 0 || height == 0 { return }
    emitter.shape =
      isCircle
      ? .ellipse((width / 2).magnitude, (height / 2).magnitude)
      : .rect(width: width.magnitude, height: height.magnitude)
    guard !holds("fill", true) else { return }
    emitter.shape.placement = .edge
    if !isCircle, width.magnitude != height.magnitude {
      note(.approximated, "fill", "sides emit by their length, and equally in the engine")
    }
  }

  func decodeMotion(of emitter: inout Emitter) {
    if isParticlesJS { return decodeParticlesJSMotion(of: &emitter) }
    let directions: [String: Double] = [
      "top": 90, "top-right": 45, "right": 0, "bottom-right": -45, "bottom": -90,
      "bottom-left": -135, "left": 180, "top-left": 135,
    ]
    let value = self["direction"] ?? self["particles.move.direction"]
    let name = value?.string ?? "none"
    if let angle = value?.double ?? directions[name].map({ -$0 }) {
      var turn = 0.0
      if !holds("particles.move.straight", false) {
        // The angle is a fan of this width, around the offset.
        let width = ranged(
          "particles.move.angle.value", self["particles.move.angle"]?.double ?? 90)
        if !width.isConstant { note(.approximated, "particles.move.angle", "the fan is its mean") }
        emitter.launch.spread = min((width.mean / 2).magnitude, 180)
        turn = ranged("particles.move.angle.offset", 0).mean
      }
      emitter.launch.direction = Direction(angle: .constant(0 - angle - turn))
    } else {
      emitter.launch.direction = Direction(.random)
      if name != "none" {
        note(
          .approximated, "particles.move.direction", "directions are random",
          found: "'\(name.excerpt)'")
      }
    }
    // Half a pixel in each of 60 frames a second.
    let isMoving = holds("particles.move.enable", false)
    emitter.launch.speed = isMoving ? ranged("particles.move.speed", 2, times: 30) : 0
    // Forces are parts of the speed: without one, nothing moves.
    guard isMoving, emitter.launch.speed != 0 else { return }
    // Only a speed that is a number gets random (`Particle.ts`, `_calculateVelocity`).
    if holds("particles.move.random", false), emitter.launch.speed.isConstant {
      emitter.launch.speed = .between(0, emitter.launch.speed.mean)
    }
    if holds("particles.move.gravity.enable", false) {
      let sign = holds("particles.move.gravity.inverse", false) ? 60.0 : -60
      let strength = ranged("particles.move.gravity.acceleration", 9.81, times: sign)
      if !strength.isConstant {
        note(.approximated, "particles.move.gravity.acceleration", "it is its mean")
      }
      emitter.forces.append(.gravity(Vector(0, strength.mean.rounded)))
    }
    let decay = ranged("particles.move.decay", 0).mean
    if decay > 0 {
      emitter.forces.append(.drag(.perFrame60, strength: .constant(min(decay, 1))))
    }
  }
}
