internal import ParticlesCore
internal import ParticlesModel

// Slopes, jumps and means of curves.

extension Curve {
  /// The slope of the line from a key to the next.
  func chord(_ index: Int) -> Double {
    guard keys.indices.contains(index), index + 1 < keys.count else { return 0 }
    let width = keys[index + 1].time - keys[index].time
    return width > 0 ? (keys[index + 1].value - keys[index].value) / width : 0
  }

  /// The slopes of the curve before and behind a key. Nil where it has no piece.
  func slopes(_ index: Int) -> (before: Double?, behind: Double?) {
    func slope(_ piece: Int, cubic: Double) -> Double? {
      guard piece >= 0, piece + 1 < keys.count else { return nil }
      return switch keys[piece].interpolation ?? interpolation {
      case .linear: chord(piece)
      case .cubic: cubic
      case .step: 0
      }
    }
    return (slope(index - 1, cubic: inSlope(index)), slope(index, cubic: outSlope(index)))
  }

  /// This curve with steep pieces instead of jumps.
  var withoutJumps: Curve {
    var curve = Curve([], interpolation)
    for (index, key) in keys.enumerated() {
      var key = key
      if let last = curve.keys.last, last.time >= key.time {
        key.time = min(last.time + 1e-4, 1)
        if last.time >= 1 { continue }
      }
      let isStep = (key.interpolation ?? interpolation) == .step
      if isStep { key.interpolation = .linear }
      curve.keys.append(key)
      guard isStep, index + 1 < keys.count, keys[index + 1].time - key.time > 1e-4 else { continue }
      curve.keys.append(
        CurveKey(keys[index + 1].time - 1e-4, key.value, interpolation: .linear))
    }
    if curve.interpolation == .step { curve.interpolation = .linear }
    return curve
  }
}

extension [GradientKey] {
  /// These keys, at most one for each time: of several, the last stays, and the first comes a little earlier.
  var withoutJumps: [GradientKey] {
    var keys: [GradientKey] = []
    for (index, key) in enumerated() {
      let isLast = index + 1 == count || self[index + 1].time > key.time
      let isFirst = index == 0 || self[index - 1].time < key.time
      if isLast {
        keys.append(key)
      } else if isFirst, key.time > 1e-4, (keys.last?.time ?? -1) < key.time - 1e-4 {
        keys.append(GradientKey(key.time - 1e-4, key.color))
      }
    }
    return keys
  }
}

extension Curve {
  /// The derivative of t · curve(t), whose integral over the age is age · curve(t): exact, because every
  /// piece stays cubic.
  var turning: Curve {
    guard keys.count > 1 else { return self }
    var result = Curve([], .cubic)
    for (index, pair) in zip(keys, keys.dropFirst()).enumerated() {
      let (a, b) = pair
      let width = b.time - a.time
      guard width > 0 else { continue }
      let isLinear = (a.interpolation ?? interpolation) != .cubic
      let chord = (b.value - a.value) / width
      let (p, q) = (isLinear ? chord : outSlope(index), isLinear ? chord : inSlope(index + 1))
      // Second derivatives of the piece at its ends.
      let start = (6 * (chord - p) - 2 * (q - p)) / width
      let end = (-6 * (chord - q) - 2 * (q - p)) / width
      let first = CurveKey(
        a.time, a.value + a.time * p, outSlope: 2 * p + a.time * start)
      if result.keys.last?.time == first.time, result.keys.last?.value == first.value {
        result.keys[result.keys.count - 1].outSlope = first.outSlope
      } else {
        result.keys.append(first)
      }
      result.keys.append(
        CurveKey(b.time, b.value + b.time * q, inSlope: 2 * q + b.time * end))
    }
    for index in result.keys.indices {
      // Both slopes are stated, so that none depends on a neighbour.
      result.keys[index].inSlope = result.keys[index].inSlope ?? result.keys[index].outSlope
      result.keys[index].outSlope = result.keys[index].outSlope ?? result.keys[index].inSlope
    }
    return result
  }

  /// The mean of the curve from 0 to t, over t, at 17 points: the inverse of ``turning``.
  var turned: Curve {
    var (sum, points) = (0.0, [(time: 0.0, value: value(at: 0))])
    for step in 1...64 {
      let (a, b) = (Double(step - 1) / 64, Double(step) / 64)
      sum += (value(at: a) + 4 * value(at: (a + b) / 2) + value(at: b)) / 6 / 64
      if step % 4 == 0 { points.append((time: b, value: (sum / b).rounded)) }
    }
    return Curve(through: points)
  }
}

/// A piece of a curve as four values of a cubic Bézier curve, at equal distances of time. Handles that
/// are nil are on the line between the ends.
struct BezierSegment {
  var start: Double
  var ends: (first: Double, last: Double)
  var handles: (first: Double?, second: Double?)
}

extension Curve {
  /// The curve of segments. Each ends where the next one starts. The last one ends at 1. Nil if
  /// none has a length.
  init?(_ segments: [BezierSegment]) {
    var keys: [CurveKey] = []
    for (index, segment) in segments.enumerated() {
      let end = index + 1 < segments.count ? segments[index + 1].start : 1
      let (a, b) = segment.ends
      let length = end - segment.start
      guard length > 0 else { continue }
      let line = (b - a) / length
      let out = segment.handles.first.map { 3 * ($0 - a) / length } ?? line
      let into = segment.handles.second.map { 3 * (b - $0) / length } ?? line
      if let last = keys.last, last.time == segment.start, (last.value - a).magnitude < 1e-9 {
        keys[keys.count - 1].outSlope = out.rounded
      } else {
        keys.append(CurveKey(segment.start, a, inSlope: 0, outSlope: out.rounded))
      }
      keys.append(CurveKey(end, b, inSlope: into.rounded, outSlope: 0))
    }
    guard !keys.isEmpty else { return nil }
    keys[0].inSlope = keys.first?.outSlope
    keys[keys.count - 1].outSlope = keys[keys.count - 1].inSlope
    let isLine = zip(keys, keys.dropFirst()).allSatisfy { a, b in
      let slope = (b.value - a.value) / max(b.time - a.time, 1e-12)
      return ((a.outSlope ?? 0) - slope).magnitude < 1e-6
        && ((b.inSlope ?? 0) - slope).magnitude < 1e-6
    }
    self = isLine ? .lines(keys.map { ($0.time, $0.value) }) : Curve(keys, .cubic)
  }

  /// The curve from 0 to 1 as segments. At a jump, both handles of the segment are at its first value.
  var segments: [BezierSegment] {
    // Before the first key and after the last one the value does not change.
    let (first, last) = (keys.first?.time ?? 0, keys.last?.time ?? 1)
    var all = keys.indices.map { (key: keys[$0], index: $0 as Int?) }
    if first > 0 { all.insert((CurveKey(0, keys[0].value), nil), at: 0) }
    if last < 1, let key = keys.last { all.append((CurveKey(1, key.value), nil)) }
    return zip(all, all.dropFirst()).compactMap { before, after in
      let (a, b) = (before.key, after.key)
      let length = b.time - a.time
      guard length > 0 else { return nil }
      var segment = BezierSegment(
        start: a.time, ends: (a.value, b.value),
        handles: (a.value + (b.value - a.value) / 3, b.value - (b.value - a.value) / 3))
      guard let from = before.index, let to = after.index else { return segment }
      switch a.interpolation ?? interpolation {
      case .linear: break
      case .step: (segment.ends.last, segment.handles) = (a.value, (a.value, a.value))
      case .cubic:
        segment.handles = (
          a.value + outSlope(from) * length / 3, b.value - inSlope(to) * length / 3
        )
      }
      return segment
    }
  }
}
