extension Curve {
  /// The value at `time`. Without keys the value is 0, and for NaN the value of the first key.
  ///
  /// At a jump the later key counts. The keys must be in ascending order, or the result is undefined.
  public func value(at time: Double) -> Double {
    guard let first = keys.first, let last = keys.last else { return 0 }
    guard keys.count > 1, !time.isNaN else { return first.value }
    let time = extend.map(time, first: first.time, last: last.time)
    let next = keys.index(after: time, by: { $0.time })
    guard next > 0 else { return first.value }
    guard next < keys.count else { return last.value }
    let (a, b) = (keys[next - 1], keys[next])
    let x = (time - a.time) / (b.time - a.time)
    switch a.interpolation ?? interpolation {
    case .step: return a.value
    case .linear: return a.value + (b.value - a.value) * x
    case .cubic:
      let length = b.time - a.time
      return hermite(
        x, from: a.value, slope: outSlope(next - 1) * length,
        to: b.value, slope: inSlope(next) * length)
    }
  }

  /// The slope of the curve before a key. Without a slope of its own, the key has the slope of the line through its
  /// neighbours. At an end or a jump, the line goes to the only neighbour.
  /// - Precondition: `index` is the index of a key.
  public func inSlope(_ index: Int) -> Double {
    keys[index].inSlope
      ?? centralSlope(keys.count, index) { (keys[$0].time, keys[$0].value) }.before
  }

  /// The slope of the curve after a key. See ``inSlope(_:)``.
  /// - Precondition: `index` is the index of a key.
  public func outSlope(_ index: Int) -> Double {
    keys[index].outSlope
      ?? centralSlope(keys.count, index) { (keys[$0].time, keys[$0].value) }.behind
  }

  /// The minimum and maximum value of the keys, or nil if there are none. Cubic pieces may leave this interval.
  public var keyRange: ParticleSystem.Interval? {
    guard let least = keys.map({ $0.value }).min(), let most = keys.map({ $0.value }).max() else {
      return nil
    }
    return Interval(least, most)
  }
}

/// The cubic polynomial over 0…1 with these values and slopes at its ends.
func hermite(
  _ x: Double, from a: Double, slope p: Double, to b: Double, slope q: Double
) -> Double {
  let (x2, x3) = (x * x, x * x * x)
  return a * (2 * x3 - 3 * x2 + 1) + p * (x3 - 2 * x2 + x) + b * (3 * x2 - 2 * x3)
    + q * (x3 - x2)
}

/// The slopes of a smooth curve before and behind a point. Both are the slope of the line through the two neighbours.
/// At an end or a jump, both are the slope of the line to the only neighbour.
func centralSlope(
  _ count: Int, _ index: Int, _ point: (Int) -> (time: Double, value: Double)
) -> (before: Double, behind: Double) {
  func slope(_ first: Int, _ last: Int) -> Double? {
    guard first >= 0, last < count else { return nil }
    let (a, b) = (point(first), point(last))
    return b.time > a.time ? (b.value - a.value) / (b.time - a.time) : nil
  }
  let (before, behind) = (slope(index - 1, index), slope(index, index + 1))
  if before != nil, behind != nil, let central = slope(index - 1, index + 1) {
    return (central, central)
  }
  return (before ?? behind ?? 0, behind ?? before ?? 0)
}

extension Array {
  /// The index of the first element whose `time` is greater, in an array in ascending order.
  func index(after time: Double, by key: (Element) -> Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// The first part of curves, and curves within bounds.

extension Curve {
  /// Whether all pieces are straight lines, and the nearest value holds outside the keys.
  package var isPolygonal: Bool {
    extend == .clamp && interpolation == .linear
      && keys.allSatisfy { ($0.interpolation ?? .linear) == .linear }
  }

  /// The part of the curve from 0 to `end`, stretched to 0…1. A curve that is not made of straight lines becomes 32
  /// straight lines.
  package func cropped(to end: Double) -> Curve {
    guard end > 0, end < 1 else { return self }
    guard isPolygonal else { return .through(32) { value(at: $0 * end) } }
    var curve = self
    curve.keys.removeAll { $0.time >= end }
    for index in curve.keys.indices { curve.keys[index].time /= end }
    curve.keys.append(CurveKey(1, value(at: end)))
    return curve
  }

  /// The curve with values within a range. Keys are added where it leaves the range. A curve that leaves the range and
  /// is not made of straight lines becomes 64 straight lines.
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

  /// The first time from which on the curve is 0 or less, or nil if the value at 1 is above 0.
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

extension Gradient {
  /// The colour at `time`, or white without keys and curves. Outside the keys the nearest key counts, at a jump the
  /// later key. The keys must be in ascending order.
  public func color(at time: Double) -> ParticleSystem.Color {
    var color = keyColor(at: time)
    if let red { color.red = red.value(at: time) }
    if let green { color.green = green.value(at: time) }
    if let blue { color.blue = blue.value(at: time) }
    if let alpha { color.alpha = alpha.value(at: time) }
    return color
  }

  private func keyColor(at time: Double) -> Color {
    guard let first = keys.first, let last = keys.last else { return .white }
    let next = keys.index(after: time, by: { $0.time })
    guard next > 0, !time.isNaN else { return first.color }
    guard next < keys.count else { return last.color }
    let (a, b) = (keys[next - 1], keys[next])
    let length = b.time - a.time
    let x = (time - a.time) / length
    switch interpolation {
    case .step: return a.color
    case .linear:
      let (from, to) = (space.components(of: a.color), space.components(of: b.color))
      return space.color(of: zip(from, to).map { $0 + ($1 - $0) * x })
    case .cubic:
      // Only the two keys and their neighbours matter.
      let near = Array(keys[max(next - 2, 0)...min(next + 1, keys.count - 1)])
      let points = near.map { (time: $0.time, values: space.components(of: $0.color)) }
      let start = next == 1 ? 0 : 1
      return space.color(
        of: (0..<4).map { channel in
          func point(_ index: Int) -> (Double, Double) {
            (points[index].time, points[index].values[channel])
          }
          return hermite(
            x, from: point(start).1,
            slope: centralSlope(points.count, start, point).behind * length,
            to: point(start + 1).1,
            slope: centralSlope(points.count, start + 1, point).before * length)
        })
    }
  }
}
