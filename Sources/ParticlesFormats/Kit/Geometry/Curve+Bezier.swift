internal import ParticlesCore
internal import ParticlesModel

/// A piece of a curve as four values of a cubic Bézier curve, at equal distances of time. Handles that
/// are nil are on the line between the ends.
struct BezierSegment {
  var start: Double
  var ends: (first: Double, last: Double)
  var handles: (first: Double?, second: Double?)
}

extension Curve {
  /// The curve of segments, each of which ends where the next one starts, the last one at 1; nil if none
  /// has a length.
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

  /// The curve from 0 to 1 as segments; jumps are segments whose handles are at the first value.
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
