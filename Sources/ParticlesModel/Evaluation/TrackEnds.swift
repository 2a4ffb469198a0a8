/// The line of least squares through equidistant numbers.
package struct LineFit: Sendable {
  /// The values of the line at the first and at the last number.
  package let start, end: Double
  /// The maximum distance of the line from the numbers.
  package let deviation: Double

  /// - Parameters:
  ///   - weights: the weight of each number; equal weights if all are 0.
  ///   - range: the bounds of both ends. If one of them would be outside, the line goes through the
  ///     bound there.
  package init(through values: [Double], weights: [Double]? = nil, within range: Interval? = nil) {
    var weights = weights ?? values.map { _ in 1 }
    if weights.reduce(0, +) <= 0 { weights = values.map { _ in 1 } }
    let last = Double(max(values.count - 1, 1))
    var (w, wx, wxx, wv, wxv) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, value) in values.enumerated() {
      let (x, weight) = (Double(index) / last, weights[index])
      w += weight
      wx += weight * x
      wxx += weight * x * x
      wv += weight * value
      wxv += weight * x * value
    }
    let determinant = w * wxx - wx * wx
    let slope = determinant > 1e-12 ? (w * wxv - wx * wv) / determinant : 0
    var start = w > 0 ? (wv - slope * wx) / w : 0
    var end = start + slope
    if let range, range.clamp(start) != start || range.clamp(end) != end {
      func leftOver(_ fixed: Double) -> Double {
        values.indices.reduce(0) { sum, index in
          let (x, weight) = (Double(index) / last, weights[index])
          let error = values[index] - fixed * x
          return sum + weight * error * (1 - x)
        }
      }
      if range.clamp(end) != end {
        end = range.clamp(end)
        let square = w - 2 * wx + wxx
        start = range.clamp(square > 1e-12 ? leftOver(end) / square : start)
      } else {
        start = range.clamp(start)
        let rest = wxv - start * (wx - wxx)
        end = range.clamp(wxx > 1e-12 ? rest / wxx : end)
      }
    }
    (self.start, self.end) = (start, end)
    let slant = end - start
    deviation = values.indices.reduce(0) { most, index in
      let error = abs(values[index] - start - slant * Double(index) / last)
      return weights[index] > 0 ? max(most, error) : most
    }
  }
}

/// A track reduced to a uniform range at the start of life and one at the end.
package struct TrackEnds {
  /// How well both ends approximate the track.
  package enum Quality { case exact, constantButRandom, drawnOtherwise, curved(deviation: Double) }

  package var start: (center: Double, half: Double)
  package var end: (center: Double, half: Double)
  package let quality: Quality

  /// - Parameters:
  ///   - lifetime: the mean lifetime in seconds.
  ///   - range: the bounds to which an engine clamps both ends; the track is within them.
  package init(_ track: Track, lifetime: Double, within range: Interval? = nil) {
    let from = track.from.spread
    let plain = track.rate == 0 && track.range == nil
    start = (from.center, from.half)
    if plain, track.to == nil {
      end = start
      quality = !from.isExact ? .drawnOtherwise : from.half == 0 ? .exact : .constantButRandom
      return
    }
    let to = (track.to ?? track.from).spread
    let isInside = [from.center, track.relative ? from.center + to.center : to.center]
      .allSatisfy { (range?.clamp($0) ?? $0) == $0 }
    if plain, isInside, track.curve == .linear, track.warp == .linear, track.over == .life,
      !track.relative || from.half == 0 && to.half == 0
    {
      end = track.relative ? (from.center + to.center, 0) : (to.center, to.half)
      quality = from.isExact && to.isExact ? .exact : .drawnOtherwise
      return
    }
    let curve = track.curve(lifetime: lifetime).curve
    let values = (0...16).map { curve.value(at: Double($0) / 16) }
    let line = LineFit(through: values.map { range?.clamp($0) ?? $0 }, within: range)
    func half(_ x: Double) -> Double {
      let share = track.to == nil ? 0 : track.curve.value(at: track.warp.value(at: x))
      return (from.half * (track.relative ? 1 : 1 - share) + to.half * share).magnitude
        + track.rate.spread.half * lifetime * x
    }
    start = (line.start, half(0))
    end = (line.end, half(1))
    quality = .curved(deviation: line.deviation)
  }
}
