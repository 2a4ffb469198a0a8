/// A track as a random start with one change per second for all particles: what some engines have
/// beside curves that are the same for all particles.
package struct TrackRamp {
  /// The value at the start.
  package let from: Value
  /// The change per second.
  package let rate: Double
  /// The greatest distance from the mean of the track.
  package let deviation: Double

  /// The ramp of a track over life; nil if its start is a number, or if a curve of the means keeps
  /// much more of it.
  package init?(_ track: Track, lifetime: Value) {
    guard track.from.spread.half > 0, track.to != nil,
      let shape = RampShape(track, lifetime: lifetime), shape.kept >= 0
    else { return nil }
    (from, rate, deviation) = (track.from, shape.rate, shape.deviation)
  }
}

/// The errors of a ramp and of a curve of the means, compared with a track.
package struct RampShape {
  /// The change per second.
  package let rate: Double
  /// The greatest distance from the mean of the track.
  package let deviation: Double
  /// The mean square that a curve of the means misses: that of the random part.
  private let lost: Double
  /// The mean square that a ramp misses: by its straightness, by its end, and by lifetimes.
  private let error: Double

  /// Positive if the ramp keeps more. A ramp may miss twice as much as the curve would, since
  /// particles that differ look better than those that are all alike.
  package var kept: Double { 4 * lost * (1 + 1e-9) - error }

  package init?(_ track: Track, lifetime: Value) {
    let (from, life) = (track.from.spread, lifetime.mean)
    guard from.isExact, track.over == .life, track.range == nil, track.rate == 0,
      life > 0
    else { return nil }
    let to = (track.to ?? track.from).spread
    let values = track.curve(lifetime: life).curve
    let points = (0...16).map { Double($0) / 16 }
    var (product, squares) = (0.0, 0.0)
    for x in points {
      product += (values.value(at: x) - from.center) * x
      squares += x * x
    }
    let change = track.to == nil ? 0 : product / squares
    var (lost, error, deviation) = (0.0, 0.0, 0.0)
    for x in points {
      let share = track.to == nil ? 0 : track.curve.value(at: track.warp.value(at: x))
      let (first, second) = (from.half * (track.relative ? 1 : 1 - share), to.half * share)
      let half = track.to == nil ? from.half : (first * first + second * second).squareRoot()
      let distance = values.value(at: x) - from.center - change * x
      lost += half * half / 3
      error += distance * distance + (from.half - half) * (from.half - half) / 3
      deviation = max(deviation, distance.magnitude)
    }
    // A particle with another lifetime changes by as much per second, not over its life.
    let spread = lifetime.spread.half / life
    rate = change / life
    self.deviation = deviation
    self.lost = lost / 17
    self.error = error / 17 + change * change * spread * spread / 9
  }

  /// Whether ramps for several tracks together, such as the channels of a colour, keep more.
  package static func areBetter(_ shapes: [RampShape]) -> Bool {
    !shapes.isEmpty && shapes.reduce(0) { $0 + $1.kept } >= 0
  }
}
