internal import ParticlesCore
internal import ParticlesModel

// Colours as a range for new particles and a factor over life, which is the same for all.

extension EmitterWriter {
  /// A colour that changes otherwise than by a gradient, as two bounds for each particle and as 17 shares
  /// of these over the life that are the same for all; nil for other colours.
  func colorParts() -> (low: Color, high: Color, shares: [Color])? {
    let (color, base) = (emitter.color, emitter.color.base)
    let isGradient =
      base.to == nil && base.rate == .zero && color.opacity == 1 && color.intensity == 1
      && color.mix == 1
    guard !isGradient else { return nil }
    let points = color.seen(lifetime: lifetime).points.map(\.channels)
    let (mean, start) = base.from.uniformLikeness
    let end = base.to?.uniformLikeness.half.channels
    let (middle, half, _) = color.opacity.from.spread
    func length(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    var (bounds, shares) = ([Interval](), [[Double]]())
    for channel in 0..<4 {
      let values = points.map { $0[channel] }
      let top = values.max() ?? 0
      shares.append(values.map { top > 0 ? $0 / top : 0 })
      let first = start.channels[channel]
      var part = mean.channels[channel] > 0 ? first / mean.channels[channel] : 0
      if let end {
        // The factor whose deviation is nearest to that of both ends, which are independent of each other.
        let sums = values.enumerated().reduce((0.0, 0.0)) { sums, point in
          let time = base.curve.value(at: Double(point.offset) / Double(max(values.count - 1, 1)))
          let both = length((1 - time) * first, time * end[channel])
          return (sums.0 + point.element * both, sums.1 + point.element * point.element)
        }
        part = sums.1 > 0 ? sums.0 / sums.1 : 0
      }
      if channel == 3, middle > 0 { part = length(part, half / middle) }
      part = min(part, 1)
      bounds.append(Interval((top * (1 - part)).rounded, (top * (1 + part)).rounded))
    }
    return (
      Color(bounds.map(\.lower)), Color(bounds.map(\.upper)),
      points.indices.map { index in Color(shares.map { $0[index] }) }
    )
  }
}

extension ColorValue {
  /// The uniform range of the same mean and, if it is within 0 and 1, of the same deviation. Colours are
  /// clamped when they are drawn, which would change the mean of a wider one.
  var displayedRange: (low: Color, high: Color) {
    let (mean, half) = uniformLikeness
    let halves = zip(mean.channels, half.channels).map { max(min($1, $0, 1 - $0), 0) }
    func end(_ sign: Double) -> Color {
      Color(zip(mean.channels, halves).map { ($0 + sign * $1).rounded })
    }
    return (end(-1), end(1))
  }
}
