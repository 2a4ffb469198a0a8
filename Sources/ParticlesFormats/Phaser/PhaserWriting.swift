internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<PhaserFamily> {
  /// Writes a value of new particles: a number, a range or a choice.
  mutating func setEmitted(
    _ key: String, _ value: Value, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    if case .choice(let choice) = value, choice.weights.isEmpty, value.scope == .particle {
      return set(key, .array(choice.numbers.map { format.real($0 * factor) }))
    }
    let bounds = bounds(of: value, capability, at: place)
    if bounds.least == bounds.most { return set(key, bounds.least * factor) }
    let ends = [bounds.least * factor, bounds.most * factor].sorted()
    set(key, ["min": format.real(ends[0]), "max": format.real(ends[1])])
  }

  /// Writes a track: as a value, as start and end, or as values at equal distances.
  mutating func setTrack(
    _ key: String, _ track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    if track.isPlainValue {
      return setEmitted(key, track.from, capability, at: place, times: factor)
    }
    if track.isPlainCurve, !track.relative, track.curve == .linear, let to = track.to,
      to.isNumber || !track.from.isNumber
    {
      if !to.isNumber {
        lose(
          .approximated, capability, at: place, "particles share the value at the end",
          recipe: "the mean")
      }
      var value: JSONObject = [
        "start": format.real(track.from.spread.center * factor),
        "end": format.real(to.mean * factor),
      ]
      if !track.from.isNumber {
        let bounds = bounds(of: track.from, capability, at: place)
        // A random start is between both ends (`EmitterOp.js`, `setMethods`). The range with the
        // right mean is written, unless a constant start is nearer.
        let (mean, end) = ((bounds.least + bounds.most) / 2, to.mean)
        let start = (2 * mean - end).rounded
        let isRandom =
          (mean - end).magnitude < bounds.most - bounds.least && (start >= 0 || bounds.least < 0)
        if isRandom {
          value["start"] = format.real(start * factor)
          value["random"] = .bool(true)
        }
        if !isRandom || start != bounds.least && start != bounds.most, !hasLine(at: place) {
          lose(
            .approximated, capability, at: place, "a random start is between both ends",
            recipe: isRandom ? "a range of equal mean" : "the mean")
        }
      }
      return set(key, .object(value))
    }
    let points = points(of: track, capability, at: place).points
    if points.count == 2, points[0].time == 0, points[1].time == 1 {
      if !hasLine(at: place) {
        lose(.restated, capability, at: place, "written as start and end")
      }
      return set(
        key,
        [
          "start": format.real(points[0].value * factor),
          "end": format.real(points[1].value * factor),
        ])
    }
    let curve = Curve.lines(points)
    let steps = equalSteps(points.map { $0.time }, most: 32, otherwise: 17)
    let values = steps.times.map { format.real((curve.value(at: $0) * factor).rounded) }
    set(key, ["values": .array(values), "interpolation": "linear"])
    if !hasLine(at: place) {
      lose(
        steps.isExact ? .restated : .approximated, capability, at: place,
        "values are at equal distances", recipe: steps.isExact ? nil : "17 values")
    }
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    let duration = plainDuration()
    if emission.rate == 0, let burst = emission.largestBurst {
      set("frequency", burst.cycles == 0 ? (burst.interval * 1000).rounded : -1)
      var count = burst.count
      let chance = burst.probability * emission.probability
      if chance != 1 { count = count.scaled(by: chance) }
      if emission.probability != 1 {
        lose(
          .approximated, .probability, at: "emission.probability",
          "spawn probability is not supported",
          recipe: "number × probability")
      }
      setEmitted("quantity", count, .burst, at: "emission.bursts")
      let start = burst.cycles == 0 ? burst.interval : 0
      let isExact = burst.time == start && burst.probability == 1 && burst.cycles < 2
      if emission.bursts.count > 1 || !isExact || burst.cycles == 1 && burst.interval != 1 {
        lose(
          isExact && emission.bursts.count == 1 ? .restated : .approximated, .burstList,
          at: "emission.bursts", "one burst, once or repeated")
      }
    } else {
      set("frequency", interval(ofRate: plainRate(), isMilliseconds: true))
      set("quantity", integer: 1)
    }
    if let most = emission.maxAlive {
      set("maxAliveParticles", integer: most)
      if most == 0 { lose(.approximated, .aliveLimit, at: "emission.maxAlive", "0 is no limit") }
      skipWhenFull()
    } else {
      drop("emission.whenFull", "there is no capacity")
    }
    encodeAdvance(duration)
    if emitter.timing.speed != 1 { set("timeScale", emitter.timing.speed) }
  }

  /// Advanced time counts neither for the time nor for the number of particles.
  private mutating func encodeAdvance(_ duration: Double?) {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let prewarm = timing.prewarm
    let speed = timing.speed > 0 ? timing.speed : 1
    if let total = emission.total {
      let burst = emission.rate == 0 ? emission.largestBurst : nil
      let before =
        burst.map {
          $0.cycles == 0 ? (prewarm / $0.interval + 1e-9).rounded(.down) * $0.count.mean : 0
        }
        ?? (prewarm * emission.rate.mean + 1e-9).rounded(.down)
      set("stopAfter", integer: max(total - Int(saturating: min(before, 1e6)), 1))
    }
    if let duration {
      let rest = duration - prewarm
      set("duration", ((rest > 0 || prewarm == 0 ? rest : 0.001) * 1000).rounded)
    }
    if duration == 0 { lose(.lost, .duration, at: "timing.duration", "0 is endless") }
    guard prewarm != 0 else { return }
    set("advance", (prewarm / speed * 1000).rounded)
    let frames = prewarm / speed * 60
    let isBeyond = (duration.map { $0 <= prewarm } ?? false) || emission.total != nil
    if (frames - frames.rounded()).magnitude > 1e-6 || isBeyond {
      lose(
        .restated, .prewarm, at: "timing.prewarm", also: ["timing.duration", "emission.total"],
        "whole frames are advanced, without limits")
    }
  }

  mutating func encodePlace() {
    let transform = emitter.transform
    set("x", transform.translation.x)
    set("y", -transform.translation.y)
    loseOrientation()
    encodeShape()
  }

  private mutating func encodeShape() {
    let shape = emitter.shape
    let center = shape.transform.translation
    // A rectangle, which the file states as ranges of x and y.
    if surroundings.origin != nil, surroundings.origin?["emitZone"] == nil, shape.kind == .rect,
      shape.placement == .volume, shape.transform == Emitter.Transform()
    {
      let place = emitter.transform.translation
      for (key, middle, width) in [("x", place.x, shape.size.x), ("y", -place.y, shape.size.y)] {
        remove(key)
        setEmitted(
          key, Value(center: middle, halfWidth: width / 2), .shapeRectangle, at: "shape")
      }
      return
    }
    var source: JSONObject?
    var isExact = shape.transform == Emitter.Transform(translation: Vector(center.x, center.y))
    let isEdge = shape.placement != .volume
    switch shape.kind {
    case .point: if center != .zero { isExact = false }
    case .rect:
      source = rectangle(shape.size.x, shape.size.y, center)
    case .ellipse:
      let isCircle = shape.radii.x == shape.radii.y
      source = ["type": .string(isCircle ? "Circle" : "Ellipse")]
      source?["x"] = format.real(center.x)
      source?["y"] = format.real(-center.y)
      if isCircle {
        source?["radius"] = format.real(shape.radii.x)
      } else {
        source?["width"] = format.real(2 * shape.radii.x)
        source?["height"] = format.real(2 * shape.radii.y)
      }
      if shape.inner > 0 || shape.arc != Interval(0, 360) { isExact = false }
    case .polyline where shape.points.count == 1 && shape.points[0].count == 2 && !shape.closed:
      source = line(shape.points[0])
      isExact = center == .zero && isEdge
    case .line:
      source = line(shape.lineEnds)
      lose(.restated, .shapeLine, at: "shape", "a line is written by its ends")
      isExact = true
    default:
      source = rectangle(2 * shape.halfSize.x, 2 * shape.halfSize.y, center)
      isExact = false
    }
    if let source {
      set("emitZone.type", .string(isEdge ? "edge" : "random"))
      set("emitZone.source", .object(source))
      if isEdge { set("emitZone.quantity", integer: 64) }
    }
    if isEdge, shape.sweep != .loop, source != nil {
      lose(
        .approximated, .shapeRing, at: "shape.sweep", "particles are emitted along the edge in turn"
      )
    } else if shape.sweep != .random, !isEdge, shape.kind != .point {
      lose(.lost, .shapeDisc, at: "shape.sweep", "places are random")
    }
    if !isExact || shape.distribution != .uniform {
      lose(
        .approximated, .shape3D, at: "shape",
        "only rectangles, ellipses and lines are supported", recipe: "the nearest supported shape")
    }
  }

  private func line(_ ends: [Vector]) -> JSONObject {
    [
      "type": "Line", "x1": format.real(ends[0].x), "y1": format.real(-ends[0].y),
      "x2": format.real(ends[1].x), "y2": format.real(-ends[1].y),
    ]
  }

  private func rectangle(_ width: Double, _ height: Double, _ center: Vector) -> JSONObject {
    [
      "type": "Rectangle", "x": format.real(center.x - width / 2),
      "y": format.real(-center.y - height / 2), "width": format.real(width),
      "height": format.real(height),
    ]
  }

  mutating func encodeMotion() {
    if emitter.launch.direction.mode == .angle, emitter.launch.spread == 0 {
      setEmitted(
        "angle", emitter.launch.direction.angle, .spread2D, at: "launch.direction", times: -1)
      dropSpreadLaw()
    } else {
      let angles = launchAngles()
      setEmitted("angle", .between(-angles.most, -angles.least), .spread2D, at: "launch.direction")
    }
    let speed = meanSpeed()
    let drift = emitter.motion.drift
    if drift != .zero, speed == 0 {
      for (key, track, factor) in [("speedX", drift.x, 1.0), ("speedY", drift.y, -1)] {
        let value = start(of: track, .drift, at: "motion.drift", "a velocity is constant")
        setEmitted(key, value, .drift, at: "motion.drift", times: factor)
      }
    } else {
      setEmitted("speed", speed, .speedRange, at: "launch.speed")
      if drift != .zero {
        lose(.lost, .drift, at: "motion.drift", "drift cannot be combined with a speed")
      }
    }
    if drift.z != 0 { lose(.lost, .drift, at: "motion.drift.z", "depth is not supported") }
    encodeGravity()
  }

  private mutating func encodeGravity() {
    let forces = emitter.forces.filter { $0.kind == .gravity }
    var gravity = VectorTrack.zero
    if forces.count == 1, let force = forces.first {
      gravity = force.vector
      _ = self.gravity(besides: [.gravity])
      if force.vector.z != 0 { lose(.lost, .gravity, at: "forces", "depth is not supported") }
      if force.space != .world {
        lose(.restated, .gravity, at: "forces", "accelerations act in the space of the engine")
      }
    } else {
      gravity = VectorTrack(addedGravity())
    }
    let keys =
      ["accelerationX", "accelerationY"].contains { surroundings.origin?[$0] != nil }
      ? ["accelerationX", "accelerationY"] : ["gravityX", "gravityY"]
    for (key, track, factor) in [(keys[0], gravity.x, 1.0), (keys[1], gravity.y, -1)]
    where track != 0 || surroundings.origin?[key] != nil {
      setTrack(
        key.hasPrefix("gravity") && !track.isPlainValue ? "acceleration\(key.last ?? "X")" : key,
        track,
        .gravity, at: "forces", times: factor)
    }
    if gravity == .zero, !forces.isEmpty {
      lose(.dead, .gravity, at: "forces", "an acceleration of 0 has no effect")
    }
  }

  mutating func encodeSize() {
    let factor = sizeFactor(wantsFactor: true)
    let size = emitter.size
    guard let height = size.height else {
      return setTrack("scale", size.width, .sizeCurve, at: "size.width", times: factor)
    }
    setTrack("scaleX", size.width, .sizeCurve, at: "size.width", times: factor)
    setTrack("scaleY", height, .sizeCurve, at: "size.height", times: factor)
  }

  mutating func encodeRotation() {
    let angle = angleOverLife(isRelative: false)
    setTrack("rotate", angle, .rotationCurve, at: "rotation.angle", times: -1)
  }

  mutating func encodeColor() {
    var opacity = emitter.color.opacity
    if case .choice(let choice) = emitter.color.base.from, emitter.color.base.to == nil,
      emitter.color.base.gradient == nil, choice.jitter == nil, choice.weights.isEmpty,
      choice.colors.allSatisfy({ $0.alpha == 1 })
    {
      set("tint", .array(choice.colors.map { .int($0.number) }))
    } else {
      let (points, seen) = colorsAndOpacity("alpha is written as values")
      opacity = seen
      let gradient = Gradient(points.map { GradientKey($0.time, $0.color) })
      let steps = equalSteps(points.map { $0.time }, most: 32, otherwise: 17)
      let colors = steps.times.map { gradient.color(at: $0) }
      if colors.count == 1, surroundings.origin?["color"] == nil {
        if colors[0] != .white || surroundings.origin?["tint"] != nil {
          set("tint", .int(colors[0].number))
        }
      } else {
        set("color", .array(colors.map { .int($0.number) }))
      }
      if !hasLine(at: "color.base"), !hasLine(at: "color"), colors != [.white] {
        let isExact = colors.allSatisfy { color in
          color.channels.allSatisfy { ($0 * 255 - ($0 * 255).rounded()).magnitude < 0.02 }
        }
        lose(
          isExact && (points.count == 1 || steps.isExact)
            ? .restated : .approximated, .gradient, at: "color.base",
          "colours are at equal distances, with 8 bits a channel")
      }
    }
    setTrack("alpha", opacity, .opacityCurve, at: "color.opacity")
  }

}

extension Color {
  /// The channels as one number, `0xrrggbb`.
  fileprivate var number: Int {
    channels.prefix(3).reduce(0) {
      $0 << 8 | Int(saturating: (min(max($1.isNaN ? 0 : $1, 0), 1) * 255).rounded())
    }
  }
}
