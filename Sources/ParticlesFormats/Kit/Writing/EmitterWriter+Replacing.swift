internal import ParticlesCore
internal import ParticlesModel

// Properties that a format does not support, restated by others that look nearly the same.

extension EmitterWriter {
  /// Ends emission by the time in which the total is emitted, for formats without a total.
  mutating func endAtTotal() {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let rate = emission.rate.mean * emission.probability
    guard let total = emission.total, emission.bursts.isEmpty, emission.minAlive == 0, rate > 0,
      timing.idle == 0, timing.prewarm == 0
    else { return }
    let seconds = (Double(total) / rate).rounded
    emitter.emission.total = nil
    if let duration = timing.duration, !timing.loop, duration.mean <= seconds {
      return lose(
        .restated, .total, at: "emission.total", "emission ends before the total is reached")
    }
    (emitter.timing.duration, emitter.timing.loop) = (.constant(seconds), false)
    lose(
      .approximated, .total, at: "emission.total", also: ["timing"],
      "a particle total is not supported", recipe: "the time in which as many are emitted",
      level: .low)
  }

  /// Adds the directions in the plane to the angles, for formats without alignment with the motion. The
  /// angle of a particle and its direction are sampled independently then.
  mutating func releaseAlignment() {
    let (launch, rotation) = (emitter.launch, emitter.rotation)
    guard rotation.align != .none, rotation.angle.isPlainValue, rotation.angle.from.isNumber else {
      return
    }
    let directions: Interval
    switch launch.direction.mode {
    case .random: directions = Interval(0, 360)
    case .angle:
      let bounds = launch.direction.angle.bounds
      directions = Interval(bounds.lower - launch.spread, bounds.upper + launch.spread)
    case .vector, .normal, .none: return
    }
    let angle = rotation.angle.from.mean + rotation.alignOffset + emitter.transform.angle
    emitter.rotation.angle = Track(
      directions.upper - directions.lower < 360
        ? .between((directions.lower + angle).rounded, (directions.upper + angle).rounded)
        : .range(0, 360))
    (emitter.rotation.align, emitter.rotation.alignOffset) = (.none, 0)
    lose(
      .lost, .align, at: "rotation.align", also: ["rotation.angle", "rotation.alignOffset"],
      "alignment with the motion is not supported; the angles are like the launch directions",
      level: .medium)
  }
}
