internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// How many particles are born, when and where. SpriteKit has a rate, and a number after which it is
// over.

extension SpriteKitEmitterEncoder {
  mutating func encodeBirths() {
    let (timing, emission) = (emitter.timing, emitter.emission)
    var rate = emission.rate.mean
    var total = emission.total
    if !emission.rate.isConstant {
      if case .ramp = emission.rate {
        lose(.lost, .rateCurve, at: "emission.rate", "the rate stays the same")
      } else {
        lose(.lost, .rateRand, at: "emission.rate", "the rate is never random")
      }
    }
    if emission.bursts.isEmpty {
      limit(&rate, &total)
    } else if rate > 0 {
      lose(.lost, .burst, at: "emission.bursts", "an emitter of SpriteKit has a rate only")
      limit(&rate, &total)
    } else {
      burst(&rate, &total)
    }
    if emission.probability != 1 {
      rate *= emission.probability
      lose(
        .approximated, .prob, at: "emission.probability",
        also: ["emission.rate", "emission.total"], "births are certain",
        recipe: "rate × probability")
    }
    if total == 0 {
      // In a file, 0 is for ever.
      (rate, total) = (0, nil)
      lose(
        .restated, .total, at: "emission.total", also: ["emission.rate"], "nothing is born")
    }
    set("_birthrate", rate)
    set("_numParticlesToEmit", .shared(.integer(total ?? 0)))
    set("_lifetime", width: "_lifetimeVariance", emitter.lifetime, .life, at: "lifetime")
    lose(.delay, at: "timing.delay", timing.delay, unless: 0, "births start at once")
    lose(.prewarm, at: "timing.prewarm", timing.prewarm, unless: 0, "births start now")
    lose(.speed, at: "timing.speed", timing.speed, unless: 1, "clocks do not stand still")
    if timing.fixedStep != 0 {
      lose(.dead, .duration, at: "timing.fixedStep", "SpriteKit steps as it likes")
    }
    loseRest(of: emission)
  }

  /// A period becomes a number of births, and periods that repeat go on for ever.
  private mutating func limit(_ rate: inout Double, _ total: inout Int?) {
    let timing = emitter.timing
    guard let duration = timing.duration else {
      if timing.loop || timing.idle != 0 {
        lose(
          .dead, .loop, at: "timing.loop", also: ["timing.idle"], "emission without end")
      }
      return
    }
    let (length, pause) = (duration.mean, timing.idle.mean)
    if timing.loop, pause == 0 || length + pause == 0 {
      lose(
        .restated, .loop, at: "timing", "periods without pause are emission without end")
    } else if timing.loop {
      rate *= length / (length + pause)
      lose(
        .approximated, .idle, at: "timing.idle",
        also: ["timing.duration", "timing.loop", "emission.rate"],
        "there are no pauses", recipe: "the same births, spread over the pause", level: .medium)
    } else {
      let births = max(Int(min(rate * length, 1e9).rounded()), 1)
      total = min(total ?? births, births)
      lose(
        .approximated, .duration, at: "timing.duration",
        also: ["emission.total", "timing.idle"],
        "births end after a number, not after a time", recipe: "rate × duration",
        target: .init("_numParticlesToEmit", .int(births)), level: .low)
    }
  }

  /// All at once becomes very fast; bursts that repeat become a rate.
  private mutating func burst(_ rate: inout Double, _ total: inout Int?) {
    let (timing, bursts) = (emitter.timing, emitter.emission.bursts)
    guard let burst = bursts.max(by: { $0.count.mean < $1.count.mean }) else { return }
    let count = burst.count.mean * burst.probability
    let period =
      burst.cycles != 1
      ? burst.interval : timing.loop ? (timing.duration?.mean ?? 0) + timing.idle.mean : 0
    let repeats = burst.cycles != 1 || timing.loop
    rate = repeats ? count / max(period, 1 / 60) : count * 60
    if !repeats { total = max(Int(min(count, 1e9).rounded()), 1) }
    lose(
      .approximated, bursts.count > 1 ? .burstList : .burst, at: "emission.bursts",
      also: ["emission.rate", "emission.total", "timing"],
      repeats
        ? "there are no bursts that repeat" : "births take a sixtieth of a second, not no time",
      recipe: repeats ? "as many births, evenly" : "60 × count for as many births",
      target: .init("_birthrate", .finite(rate)), level: repeats ? .high : nil)
  }

  private mutating func loseRest(of emission: Emission) {
    lose(
      .rateWay, at: "emission.ratePerDistance", emission.ratePerDistance, unless: 0,
      "births do not depend on the motion of the emitter")
    if let most = emission.maxAlive {
      let alive = emission.rate.mean * emitter.lifetime.spread.center
      lose(
        alive <= Double(most) && emission.bursts.isEmpty ? .restated : .lost, .maxAlive,
        at: "emission.maxAlive", also: ["emission.whenFull"],
        alive <= Double(most) ? "there never are as many" : "there is no limit to living particles")
    } else if emission.whenFull != .skip {
      lose(
        .dead, .maxAlive, at: "emission.whenFull", "there is no limit to living particles")
    }
    lose(
      .maxAlive, at: "emission.minAlive", emission.minAlive, unless: 0,
      "there is no least number of living particles")
    lose(
      .explos, at: "emission.explosiveness", emission.explosiveness, unless: 0,
      "births are spread evenly")
    lose(.explos, at: "emission.jitter", emission.jitter, unless: 0, "births are spread evenly")
    if emission.lifeOffset != 0 {
      lose(
        .lost, .extra, at: "emission.lifeOffset", "particles are born at age 0", level: .medium)
    }
    if emission.schedule != .continuous {
      lose(.dead, .rate, at: "emission.schedule", "SpriteKit decides when births happen")
    }
  }

  // MARK: Shape

  mutating func encodeShape() {
    let shape = emitter.shape
    let (width, height, center) = rectangle(of: shape)
    set("_startPosition", pair: center.x, center.y)
    set("_startPositionVariance", pair: width, height)
    if shape.transform.translation.z != 0 {
      lose(.lost, .sh3D, at: "shape.transform", "SpriteKit is flat")
    }
    if shape.kind != .point {
      lose(.shDisc, at: "shape.sweep", shape.sweep, unless: .random, "births are anywhere")
    }
    reportRest(of: shape, as: width, height, around: center)
  }

  /// Reports what else the shape says, and what nobody would see.
  private mutating func reportRest(
    of shape: Shape, as width: Double, _ height: Double, around center: Vector
  ) {
    func hasLine(_ place: String) -> Bool {
      losses.contains { $0.loss?.path == "\(path).\(place)" }
    }
    var said = width == 0 && height == 0 ? Shape() : Shape.rect(width: width, height: height)
    said.transform.translation = center
    if hasLine("shape.placement") { said.placement = shape.placement }
    if hasLine("shape.transform") { said.transform = shape.transform }
    if hasLine("shape.sweep") { said.sweep = shape.sweep }
    guard said != shape, !hasLine("shape") else { return }
    lose(.dead, .shRect, at: "shape", "only the place and the size of a rectangle count")
  }

  /// The rectangle that births are in, around its centre.
  private mutating func rectangle(
    of shape: Shape
  ) -> (width: Double, height: Double, center: Vector) {
    var (width, height) = (0.0, 0.0)
    var center = Vector.zero
    switch shape.kind {
    case .point: break
    case .rect:
      (width, height) = (shape.size.x, shape.size.y)
      if shape.placement != .volume {
        lose(.lost, .shRing, at: "shape.placement", "births are all over the rectangle")
      }
    case .line:
      (width, height) = line(shape)
    case .ellipse:
      let side = Double.pi.squareRoot()
      (width, height) = (shape.radii.x * side, shape.radii.y * side)
      let isRing = shape.inner > 0 || shape.placement != .volume || shape.arc != Interval(0, 360)
      lose(
        isRing ? .lost : .approximated, isRing ? .shRing : .shDisc, at: "shape",
        isRing ? "rings become a rectangle" : "an ellipse becomes a rectangle",
        recipe: "of the same area")
    case .polyline, .points:
      (width, height, center) = bounds(
        of: shape.kind == .points ? shape.positions : shape.points.flatMap(\.self))
      lose(
        .lost, .shPoly, at: "shape", "particles are born anywhere between the points")
    case .mesh:
      lose(.lost, .shMesh, at: "shape", "particles are born at the origin")
    case .box, .sphere, .hemisphere, .cone, .cylinder, .capsule, .tube, .torus:
      (width, height) = shadow(of: shape)
      lose(.lost, .sh3D, at: "shape", "what is solid becomes the rectangle that it covers")
    }
    return placed(width, height, center, shape)
  }

  /// What the transform of the shape makes of the rectangle.
  private mutating func placed(
    _ width: Double, _ height: Double, _ center: Vector, _ shape: Shape
  ) -> (width: Double, height: Double, center: Vector) {
    let transform = shape.transform
    if transform.scale != .one {
      lose(.restated, .shRect, at: "shape", "the shape is as large as its scale makes it")
    }
    if transform.angle != 0 || transform.rotation != .identity, width != 0 || height != 0 {
      lose(.lost, .shRect, at: "shape.transform", "rectangles lie along the axes")
    }
    let (scale, move) = (transform.scale, transform.translation)
    return (
      (width * scale.x).magnitude, (height * scale.y).magnitude,
      Vector(move.x + center.x * scale.x, move.y + center.y * scale.y)
    )
  }

  private mutating func line(_ shape: Shape) -> (Double, Double) {
    let angle = Angle.radians(shape.angle)
    let turn = shape.angle.truncatingRemainder(dividingBy: 180).magnitude
    let isAlongAxis = turn == 0 || turn == 90
    lose(
      isAlongAxis ? .restated : .approximated, .shLine, at: "shape",
      isAlongAxis
        ? "a line is a rectangle without height" : "a line becomes the rectangle around it")
    let width = (shape.length * Angle.cosine(angle)).magnitude.rounded
    return (width, (shape.length * Angle.sine(angle)).magnitude.rounded)
  }

  private func bounds(of points: [Vector]) -> (Double, Double, Vector) {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let bottom = points.map(\.y).min(), let top = points.map(\.y).max()
    else { return (0, 0, .zero) }
    return (right - left, top - bottom, Vector((left + right) / 2, (bottom + top) / 2))
  }

  /// Width and height of a solid seen from the front.
  private func shadow(of shape: Shape) -> (Double, Double) {
    let across = 2 * shape.radius
    return switch shape.kind {
    case .box: (shape.size.x, shape.size.y)
    case .sphere: (across, across)
    case .hemisphere: (across, shape.radius)
    case .capsule: (across, max(shape.height, across))
    case .torus: (across + 2 * shape.pipe, 2 * shape.pipe)
    default: (across, shape.height)
    }
  }
}
