// The first part of curves, and curves within bounds.

extension Curve {
  /// Whether all pieces are straight lines, and the nearest value holds outside the keys.
  package var isPolygonal: Bool {
    extend == .clamp && interpolation == .linear
      && keys.allSatisfy { ($0.interpolation ?? .linear) == .linear }
  }

  /// The part of the curve from 0 to `end`, stretched to 0…1. A curve that is not made of straight
  /// lines becomes 32 of them.
  package func cropped(to end: Double) -> Curve {
    guard end > 0, end < 1 else { return self }
    guard isPolygonal else { return .through(32) { value(at: $0 * end) } }
    var curve = self
    curve.keys.removeAll { $0.time >= end }
    for index in curve.keys.indices { curve.keys[index].time /= end }
    curve.keys.append(CurveKey(1, value(at: end)))
    return curve
  }

  /// The curve with values within a range; keys are added where it leaves the range. A curve that is
  /// not made of straight lines becomes 64 of them if it leaves the range.
  package func clamped(to range: Interval) -> Curve {
    func isInside(_ value: Double) -> Bool { range.clamp(value) == value }
    guard isPolygonal else {
      let sampled = Curve.through(64) { value(at: $0) }
      guard sampled.keys.contains(where: { !isInside($0.value) }) else { return self }
      return sampled.clamped(to: range)
    }
    guard keys.contains(where: { !isInside($0.value) }) else { return self }
    var curve = self
    curve.keys = []
    for (index, key) in keys.enumerated() {
      if index > 0 {
        let last = keys[index - 1]
        let crossings = [range.lower, range.upper].compactMap { bound -> Double? in
          guard (last.value - bound) * (key.value - bound) < 0 else { return nil }
          return last.time
            + (key.time - last.time) * (bound - last.value) / (key.value - last.value)
        }
        curve.keys += crossings.sorted().map { CurveKey($0, range.clamp(value(at: $0))) }
      }
      curve.keys.append(CurveKey(key.time, range.clamp(key.value)))
    }
    return curve
  }

  /// The first time from which on the curve is 0 or less; nil if it is more at 1.
  package var lastCrossing: Double? {
    guard value(at: 1) <= 0 else { return nil }
    let times = ((0...256).map { Double($0) / 256 } + keys.map { $0.time }).filter { 0...1 ~= $0 }
      .sorted()
    guard let index = times.lastIndex(where: { value(at: $0) > 0 }) else { return 0 }
    let (time, next) = (times[index], times[min(index + 1, times.count - 1)])
    let (above, below) = (value(at: time), value(at: next))
    return above > below ? time + (next - time) * above / (above - below) : next
  }
}

extension Track {
  /// The track for particles that die at a share of their previous life.
  package func cropped(to end: Double) -> Track {
    guard over == .life, let to, end > 0, end < 1 else { return self }
    var track = self
    if warp != .linear {
      let (curve, warp) = (curve, warp)
      track.curve = .through(32) { curve.value(at: warp.value(at: $0 * end)) }
      track.warp = .linear
    } else if curve == .linear, from.isNumber, to.isNumber {
      let (start, stop) = (from.mean, to.mean)
      track.to = .constant(relative ? stop * end : start + (stop - start) * end)
    } else {
      track.curve = curve.cropped(to: end)
    }
    return track
  }
}

extension VectorTrack {
  fileprivate func cropped(to end: Double) -> VectorTrack {
    VectorTrack(x.cropped(to: end), y.cropped(to: end), z.cropped(to: end))
  }
}

extension Gradient {
  fileprivate func cropped(to end: Double) -> Gradient {
    var gradient = self
    if interpolation == .cubic {
      gradient.interpolation = .linear
      gradient.keys = (0...32).map { index in
        let x = Double(index) / 32
        return GradientKey(x, color(at: x * end))
      }
    } else if !keys.isEmpty {
      gradient.keys.removeAll { $0.time >= end }
      for index in gradient.keys.indices { gradient.keys[index].time /= end }
      gradient.keys.append(GradientKey(1, color(at: end)))
    }
    (gradient.red, gradient.green) = (red?.cropped(to: end), green?.cropped(to: end))
    (gradient.blue, gradient.alpha) = (blue?.cropped(to: end), alpha?.cropped(to: end))
    return gradient
  }
}

extension ColorTrack {
  fileprivate func cropped(to end: Double) -> ColorTrack {
    var track = self
    if case .constant(let start) = from, case .constant(let stop)? = to, curve == .linear {
      track.to = .constant(start.mixed(with: stop, end))
    } else if to != nil {
      track.curve = curve.cropped(to: end)
    }
    track.gradient = gradient?.cropped(to: end)
    return track
  }
}

extension Emitter {
  /// The emitter whose particles die at a share of their previous life: everything that changes over
  /// life ends where it was then. The lifetime stays.
  package func cropped(to end: Double) -> Emitter {
    var emitter = self
    emitter.size.width = size.width.cropped(to: end)
    emitter.rotation.angle = rotation.angle.cropped(to: end)
    emitter.rotation.velocity = rotation.velocity.cropped(to: end)
    emitter.color.opacity = color.opacity.cropped(to: end)
    emitter.color.intensity = color.intensity.cropped(to: end)
    emitter.color.mix = color.mix.cropped(to: end)
    emitter.render.z = render.z.cropped(to: end)
    emitter.motion.orbitVelocity = motion.orbitVelocity.cropped(to: end)
    emitter.size.height = size.height?.cropped(to: end)
    emitter.color.base = color.base.cropped(to: end)
    emitter.motion.speed = motion.speed?.cropped(to: end)
    emitter.motion.maxSpeed = motion.maxSpeed?.cropped(to: end)
    emitter.motion.direction = motion.direction?.cropped(to: end)
    if let radius = motion.orbit?.radius {
      emitter.motion.orbit?.radius = radius.cropped(to: end)
    }
    emitter.motion.drift = motion.drift.cropped(to: end)
    for index in forces.indices {
      emitter.forces[index].strength = forces[index].strength.cropped(to: end)
      emitter.forces[index].vector = forces[index].vector.cropped(to: end)
    }
    return emitter
  }
}
