internal import ParticlesCore

// Values whose samples are clamped, as values whose samples are within the bounds.

extension Value {
  /// The value whose samples are clamped: a number, or a range entirely outside, becomes the nearest
  /// bound. A range that is partly inside stays as it is.
  package func clamped(to range: Interval) -> Value {
    let (least, most) = (bounds.lower, bounds.upper)
    guard most <= range.lower || least >= range.upper || least == most else { return self }
    let bound = range.clamp(least)
    return least == most && bound == least ? self : .constant(bound)
  }

  /// The same, with a range that is partly inside replaced by one that is inside and has the mean and
  /// the deviation of the clamped samples, as far as it has room.
  package func clampedSamples(to range: Interval) -> Value {
    guard case .uniform(let old) = clamped(to: range), old.max > old.min,
      old.min < range.lower || old.max > range.upper
    else { return clamped(to: range) }
    let (low, high) = (Swift.max(old.min, range.lower), Swift.min(old.max, range.upper))
    let width = old.max - old.min
    let parts: [(share: Double, mean: Double, square: Double)] = [
      ((low - old.min) / width, low, low * low),
      ((high - low) / width, (low + high) / 2, (low * low + low * high + high * high) / 3),
      ((old.max - high) / width, high, high * high),
    ]
    let mean = parts.reduce(0) { $0 + $1.share * $1.mean }
    let square = parts.reduce(0) { $0 + $1.share * $1.square }
    let half = Swift.min(
      (3 * Swift.max(square - mean * mean, 0)).squareRoot(), mean - range.lower,
      range.upper - mean)
    return Value(center: mean.rounded, halfWidth: half.rounded, scope: old.scope)
  }
}

extension ColorTrack {
  /// Restates both ends for samples that are clamped to 0…1.
  package mutating func clampSamples() {
    from = from.clampedSamples
    to = to?.clampedSamples
  }

  /// The same colours with full alpha.
  package var opaque: ColorTrack {
    var track = self
    track.from = from.opaque
    track.to = to?.opaque
    track.rate.alpha = 0
    if track.gradient?.alpha != nil { track.gradient?.alpha = .constant(1) }
    track.gradient = track.gradient?.mapped { Color($0.red, $0.green, $0.blue, 1) }
    return track
  }
}

extension ColorValue {
  fileprivate var clampedSamples: ColorValue {
    switch self {
    case .constant(let color): return .constant(Color(color.channels.map(Interval.unit.clamp)))
    case .range(var range) where range.mode == .channels && range.jitter == nil:
      let ends = zip(range.min.channels, range.max.channels).map {
        Value.range($0, $1).clampedSamples(to: .unit).bounds
      }
      range.min = Color(ends.map { $0.lower })
      range.max = Color(ends.map { $0.upper })
      return range.min == range.max ? .constant(range.min) : .range(range)
    default: return self
    }
  }

  fileprivate var opaque: ColorValue {
    func opaque(_ color: Color) -> Color { Color(color.red, color.green, color.blue, 1) }
    switch self {
    case .constant(let color): return .constant(opaque(color))
    case .range(var range):
      (range.min, range.max) = (opaque(range.min), opaque(range.max))
      return range.min == range.max ? .constant(range.min) : .range(range)
    default: return self
    }
  }
}
